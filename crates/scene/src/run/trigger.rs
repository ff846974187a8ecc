//! When something is due: at the first step at or after each multiple of an interval.

/// Share of a step by which a time may lie before a multiple and still count as at it: times are
/// sums of steps, and rounding must not put an output off by a whole step.
const TOLERANCE: f64 = 1e-6;

/// Something that is due at every multiple of an interval. What is next follows from the time
/// alone, so that a resumed run goes on as if it had never stopped.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Trigger {
    /// Interval [s]; every step if there is none.
    every: Option<f64>,
    /// The next multiple.
    next: f64,
}

impl Trigger {
    /// Due for the first time at the start.
    pub(crate) fn new(every: Option<f64>) -> Self {
        Self { every, next: 0.0 }
    }

    /// Goes on after what was due at `time` has been done.
    pub(crate) fn after(every: Option<f64>, time: f64, dt: f64) -> Self {
        let mut trigger = Self::new(every);
        trigger.pass(time, dt);
        trigger
    }

    /// Whether something is due now; if so, the next time is set.
    pub(crate) fn fires(&mut self, time: f64, dt: f64) -> bool {
        let Some(every) = self.every else { return true };
        let due = time + TOLERANCE * dt >= self.next * every;
        if due {
            self.pass(time, dt);
        }
        due
    }

    fn pass(&mut self, time: f64, dt: f64) {
        if let Some(every) = self.every {
            self.next = ((time + TOLERANCE * dt) / every).floor() + 1.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_fires_at_the_first_step_at_or_after_each_multiple() {
        let dt = 0.03;
        let mut trigger = Trigger::new(Some(0.1));
        let fired: Vec<u32> =
            (0..=20).filter(|&step| trigger.fires(f64::from(step) * dt, dt)).collect();
        assert_eq!(fired, [0, 4, 7, 10, 14, 17, 20]);
    }

    #[test]
    fn a_multiple_that_rounding_puts_after_the_step_is_not_missed() {
        let dt = 0.1;
        let mut trigger = Trigger::new(Some(0.3));
        let fired: Vec<u32> =
            (0..=30).filter(|&step| trigger.fires(f64::from(step) * dt, dt)).collect();
        assert_eq!(fired, (0..=10).map(|index| 3 * index).collect::<Vec<_>>());
    }

    #[test]
    fn a_resumed_trigger_goes_on_as_if_it_had_never_stopped() {
        let dt = 0.017;
        let mut whole = Trigger::new(Some(0.05));
        let all: Vec<u32> = (0..100).filter(|&s| whole.fires(f64::from(s) * dt, dt)).collect();
        for stop in 0..99 {
            let mut resumed = Trigger::after(Some(0.05), f64::from(stop) * dt, dt);
            let rest: Vec<u32> =
                (stop + 1..100).filter(|&s| resumed.fires(f64::from(s) * dt, dt)).collect();
            let expected: Vec<u32> = all.iter().copied().filter(|&s| s > stop).collect();
            assert_eq!(rest, expected, "stopped at {stop}");
        }
    }
}
