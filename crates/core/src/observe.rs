//! Observers: functions that are called at times given by a trigger while a simulation runs.

use crate::error::Error;
use crate::simulation::Simulation;

/// Largest distance of a time before a multiple of the interval at which it counts as reached, as a fraction of a step:
/// times are sums of steps, and rounding must not postpone an output by a whole step.
const TOLERANCE: f64 = 1e-6;

/// Time of an action: at the first step at or after each multiple of an interval of time, or at each multiple of a
/// number of steps.
///
/// The next time is a function of the current time alone: a resumed run continues as an
/// uninterrupted one.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{simulation, RADIUS};
/// use esker::prelude::*;
///
/// # let grains = vec![Sphere::new(RADIUS, Vec3::ZERO)];
/// # let mut simulation = simulation(ContactModel::normal(Hertz::default()), Pair::new(), grains);
/// let mut trigger = Trigger::every_steps(10);
/// let mut rows = 0;
/// while simulation.steps() < 25 {
///     rows += usize::from(trigger.fires(&simulation));
///     simulation.step()?;
/// }
/// assert_eq!(rows, 3); // at steps 0, 10 and 20
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trigger {
    interval: Interval,
    /// The next multiple of an interval of time.
    next: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Interval {
    /// In s.
    Time(f64),
    Steps(u64),
}

impl Trigger {
    /// Due at every multiple of this time in s, for the first time at the start.
    pub fn every(time: f64) -> Self {
        Self { interval: Interval::Time(time), next: 0.0 }
    }

    /// Due at every multiple of this number of steps; at every step for zero and one.
    pub fn every_steps(steps: u64) -> Self {
        Self { interval: Interval::Steps(steps.max(1)), next: 0.0 }
    }

    /// The same trigger after the action due at `time` has been done.
    #[must_use]
    pub fn resumed(mut self, time: f64, dt: f64) -> Self {
        self.advance(time, dt);
        self
    }

    /// True if the action is due now; if so, the next time is set.
    pub fn fires(&mut self, simulation: &Simulation) -> bool {
        self.fires_at(simulation.time(), simulation.steps(), simulation.dt())
    }

    fn fires_at(&mut self, time: f64, step: u64, dt: f64) -> bool {
        match self.interval {
            Interval::Steps(steps) => step.is_multiple_of(steps),
            Interval::Time(every) => {
                let due = time + TOLERANCE * dt >= self.next * every;
                if due {
                    self.advance(time, dt);
                }
                due
            }
        }
    }

    fn advance(&mut self, time: f64, dt: f64) {
        if let Interval::Time(every) = self.interval {
            self.next = ((time + TOLERANCE * dt) / every).floor() + 1.0;
        }
    }
}

/// Functions that [`Simulation::run_observed`] calls when their triggers are due. They may borrow from
/// their surroundings.
///
/// ```
/// use esker::prelude::*;
/// # fn main() -> Result<(), Error> {
/// # let mut scene = Scene::new();
/// # scene.contact = ContactModel::normal(Hertz::default());
/// # let glass = Material::new().density(2500.0).young_modulus(5.0e7).poisson_ratio(0.24);
/// # let glass = scene.add_material("glass", glass);
/// # scene.set_pair(glass, glass, Pair::new());
/// # scene.gravity = Vec3::Z * -9.81;
/// # let ball = scene.add_sphere(glass, Sphere::new(0.01, Vec3::ZERO));
/// # let mut simulation = scene.build()?;
/// let mut heights = Vec::new();
/// let mut observers = Observers::new();
/// observers.add(Trigger::every(0.01), |simulation| {
///     heights.push(simulation.particles()[ball].position.z);
/// });
/// simulation.run_observed(0.05, &mut observers)?;
/// drop(observers);
/// assert_eq!(heights.len(), 6); // at 0, 0.01, … 0.05 s
/// # Ok(())
/// # }
/// ```
#[derive(Default)]
pub struct Observers<'a> {
    list: Vec<Observer<'a>>,
}

struct Observer<'a> {
    trigger: Trigger,
    call: Box<dyn FnMut(&Simulation) + 'a>,
}

impl std::fmt::Debug for Observers<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.list.iter().map(|observer| observer.trigger)).finish()
    }
}

impl<'a> Observers<'a> {
    /// No observers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a function that is called whenever the trigger is due.
    pub fn add(&mut self, trigger: Trigger, observer: impl FnMut(&Simulation) + 'a) {
        self.list.push(Observer { trigger, call: Box::new(observer) });
    }

    fn notify(&mut self, simulation: &Simulation) {
        for observer in &mut self.list {
            if observer.trigger.fires(simulation) {
                (observer.call)(simulation);
            }
        }
    }
}

impl Simulation {
    /// Advances to the first step at or after this time in s, or to the end of the last stage.
    ///
    /// ```
    /// # use esker::prelude::*;
    /// # fn main() -> Result<(), Error> {
    /// # let mut scene = Scene::new();
    /// # let glass = Material::new().density(2500.0).young_modulus(5.0e7).poisson_ratio(0.24);
    /// # let glass = scene.add_material("glass", glass);
    /// # scene.step = StepSize::Fixed(1e-3);
    /// # scene.add_sphere(glass, Sphere::new(0.01, Vec3::ZERO));
    /// # let mut simulation = scene.build()?;
    /// simulation.run_until(0.1)?;
    /// assert_eq!(simulation.steps(), 100); // of 1 ms
    /// # Ok(())
    /// # }
    /// ```
    pub fn run_until(&mut self, time: f64) -> Result<(), Error> {
        self.run_observed(time, &mut Observers::new())
    }

    /// The same as [`Self::run_until`], with observers. An observer that is due at the current time is called before
    /// the first step.
    pub fn run_observed(&mut self, time: f64, observers: &mut Observers<'_>) -> Result<(), Error> {
        observers.notify(self);
        while self.time() < time - TOLERANCE * self.dt() && !self.is_finished() {
            self.step()?;
            observers.notify(self);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fired(mut trigger: Trigger, dt: f64, steps: std::ops::RangeInclusive<u32>) -> Vec<u32> {
        steps.filter(|&step| trigger.fires_at(f64::from(step) * dt, step.into(), dt)).collect()
    }

    #[test]
    fn it_fires_at_the_first_step_at_or_after_each_multiple() {
        assert_eq!(fired(Trigger::every(0.1), 0.03, 0..=20), [0, 4, 7, 10, 14, 17, 20]);
    }

    #[test]
    fn a_multiple_that_rounding_puts_after_the_step_is_not_missed() {
        let expected: Vec<u32> = (0..=10).map(|index| 3 * index).collect();
        assert_eq!(fired(Trigger::every(0.3), 0.1, 0..=30), expected);
    }

    #[test]
    fn a_number_of_steps_counts_steps() {
        assert_eq!(fired(Trigger::every_steps(3), 0.1, 0..=7), [0, 3, 6]);
        assert_eq!(fired(Trigger::every_steps(0), 0.1, 0..=2), [0, 1, 2]);
    }

    #[test]
    fn a_resumed_trigger_continues_as_if_it_had_never_stopped() {
        let dt = 0.017;
        let all = fired(Trigger::every(0.05), dt, 0..=99);
        for stop in 0..99 {
            let resumed = Trigger::every(0.05).resumed(f64::from(stop) * dt, dt);
            let expected: Vec<u32> = all.iter().copied().filter(|&step| step > stop).collect();
            assert_eq!(fired(resumed, dt, stop + 1..=99), expected, "stopped at {stop}");
        }
    }
}
