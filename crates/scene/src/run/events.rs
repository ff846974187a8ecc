//! Contact events between two steps.
//!
//! Times are interpolated linearly within the step: of the overlap for begin and end, of the slip velocity for its zero
//! unless that is predicted, and of the trial force beyond the friction limit for stick and slip.

use super::lazy_snapshot::LazySnapshot;
use crate::output::{Event, EventTable};
use crate::settings::ZeroSlip;
use esker::ParticleId;
use esker::measure::{ContactView, Partner};
use esker_draw::OutputError;
use std::cmp::Ordering;

/// Compares the contacts of each step with those of the previous step.
#[derive(Debug)]
pub(crate) struct Events {
    table: EventTable,
    zero_slip: ZeroSlip,
    before: Vec<Watched>,
    time: f64,
}

/// A contact, with its number among those of the same partners.
#[derive(Debug, Clone, Copy)]
struct Watched {
    key: (ParticleId, Partner, u32),
    view: ContactView,
}

/// Contacts in order of their keys. A particle may touch a meshed wall at several places.
fn watched(contacts: &[ContactView]) -> Vec<Watched> {
    let mut list: Vec<Watched> = Vec::with_capacity(contacts.len());
    for view in contacts {
        let ordinal = match list.last() {
            Some(last) if (last.key.0, last.key.1) == (view.first, view.second) => last.key.2 + 1,
            _ => 0,
        };
        list.push(Watched { key: (view.first, view.second, ordinal), view: *view });
    }
    list
}

impl Events {
    /// Starts at this snapshot; existing contacts are not events.
    pub(crate) fn new(table: EventTable, zero_slip: ZeroSlip, now: &LazySnapshot) -> Self {
        Self { table, zero_slip, before: watched(now.contacts()), time: now.time() }
    }

    /// Writes the events since the last call.
    pub(crate) fn record(&mut self, now: &LazySnapshot) -> Result<(), OutputError> {
        let present = watched(now.contacts());
        let span = [self.time, now.time()];
        let mut found = Vec::new();
        let (mut old, mut new) = (self.before.iter().peekable(), present.iter().peekable());
        loop {
            let order = match (old.peek(), new.peek()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(a), Some(b)) => a.key.cmp(&b.key),
            };
            let a = if order.is_le() { old.next() } else { None };
            let b = if order.is_ge() { new.next() } else { None };
            let views = [a, b].map(|one| one.map(|one| &one.view));
            compare(views, span, self.zero_slip, &mut found);
        }
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        if !found.is_empty() {
            let names: Vec<String> = now.walls().iter().map(|wall| wall.name.clone()).collect();
            for (time, word, view) in found {
                self.table.push(&event(time, word, now.step(), view), &names)?;
            }
            self.table.flush()?;
        }
        self.before = present;
        self.time = now.time();
        Ok(())
    }

    /// End of the table, for a checkpoint.
    pub(crate) fn position(&mut self) -> Result<u64, OutputError> {
        self.table.position()
    }
}

fn event<'a>(time: f64, word: &'a str, step: u64, view: &ContactView) -> Event<'a> {
    Event {
        time,
        step,
        event: word,
        first: view.first,
        second: view.second,
        overlap: view.overlap,
        closing_speed: view.closing_speed,
        slip_velocity: view.slip_velocity,
    }
}

type Found<'a> = (f64, &'static str, &'a ContactView);

/// The events of one contact between two times.
fn compare<'a>(
    views: [Option<&'a ContactView>; 2],
    [start, end]: [f64; 2],
    zero_slip: ZeroSlip,
    found: &mut Vec<Found<'a>>,
) {
    let [before, now] = views.map(|view| view.filter(|view| view.overlap > 0.0));
    let inside = |time: f64| if time.is_finite() { time.clamp(start, end) } else { end };
    match (before, now) {
        (None, None) => {}
        (None, Some(now)) => {
            found.push((inside(end - now.overlap / now.closing_speed), "begin", now));
            if now.sliding {
                // a contact that slips in its first step slips from its beginning, since its friction limit begins at
                // zero
                found.push((inside(end - now.overlap / now.closing_speed), "slip", now));
            }
        }
        (Some(before), None) => {
            found.push((inside(start - before.overlap / before.closing_speed), "end", before));
        }
        (Some(before), Some(now)) => {
            if before.sliding != now.sliding {
                let fraction =
                    before.friction_excess / (before.friction_excess - now.friction_excess);
                let word = if now.sliding { "slip" } else { "stick" };
                found.push((inside(start + fraction * (end - start)), word, now));
            }
            let time = match zero_slip {
                ZeroSlip::Crossing => {
                    crossing(before, now).map(|fraction| start + fraction * (end - start))
                }
                ZeroSlip::Predicted => before.time_to_zero_slip().map(|time| start + time),
                ZeroSlip::Printed => now.time_to_zero_slip().map(|time| start + time),
            };
            if let Some(time) = time.filter(|time| zero_slip == ZeroSlip::Crossing || *time <= end)
            {
                found.push((inside(time), "zero-slip", now));
            }
        }
    }
}

/// The fraction of the step after which the slip velocity along its previous direction is zero.
fn crossing(before: &ContactView, now: &ContactView) -> Option<f64> {
    let speed = before.slip_velocity.length();
    if speed == 0.0 {
        return None;
    }
    let later = now.slip_velocity.dot(before.slip_velocity) / speed;
    (later <= 0.0).then(|| speed / (speed - later))
}

#[cfg(test)]
mod tests {
    use super::*;
    use esker::Vec3;

    fn contact(overlap: f64, closing_speed: f64, slip: f64) -> ContactView {
        ContactView {
            first: ParticleId::new(0),
            second: Partner::Wall(esker::WallId::new(0)),
            first_position: Vec3::ZERO,
            second_position: Vec3::ZERO,
            normal: -Vec3::Z,
            overlap,
            closing_speed,
            elastic: 0.0,
            damping: 0.0,
            cohesion: 0.0,
            tangential: Vec3::ZERO,
            moment: Vec3::ZERO,
            slip_velocity: Vec3::X * slip,
            normal_stiffness: 0.0,
            tangential_stiffness: 0.0,
            contact_radius: 0.0,
            elastic_displacement: Vec3::ZERO,
            sliding_displacement: None,
            sliding: slip > 0.5,
            friction_excess: slip - 0.5,
            slip_mobility: 0.5,
        }
    }

    fn events(before: Option<ContactView>, now: Option<ContactView>) -> Vec<(f64, &'static str)> {
        let mut found = Vec::new();
        let views = [before.as_ref(), now.as_ref()];
        compare(views, [1.0, 2.0], ZeroSlip::Crossing, &mut found);
        found.iter().map(|(time, word, _)| (*time, *word)).collect()
    }

    #[test]
    fn a_contact_begins_when_the_overlap_was_zero() {
        assert_eq!(events(None, Some(contact(0.25, 1.0, 0.0))), [(1.75, "begin")]);
    }

    #[test]
    fn a_contact_ends_when_the_overlap_will_be_zero() {
        assert_eq!(events(Some(contact(0.25, -1.0, 0.0)), None), [(1.25, "end")]);
    }

    #[test]
    fn slip_velocity_is_zero_where_the_line_between_two_steps_crosses_zero() {
        let found = events(Some(contact(1.0, 0.0, 0.1)), Some(contact(1.0, 0.0, -0.3)));
        assert_eq!(found, [(1.25, "zero-slip")]);
    }

    #[test]
    fn zero_slip_is_predicted_from_the_force_at_the_start_of_the_step() {
        let pushed = |force: f64| {
            let before = ContactView { tangential: force * Vec3::X, ..contact(1.0, 0.0, 0.1) };
            let now = contact(1.0, 0.0, 0.4);
            let mut found = Vec::new();
            compare([Some(&before), Some(&now)], [1.0, 2.0], ZeroSlip::Predicted, &mut found);
            found.iter().map(|(time, word, _)| (*time, *word)).collect::<Vec<_>>()
        };
        // 0.1 m/s divided by 0.4 N times 0.5 /kg
        assert_eq!(pushed(-0.4), [(1.5, "zero-slip")]);
        // too small to stop the slip in this step; in the direction of the slip
        assert_eq!(pushed(-0.1), []);
        assert_eq!(pushed(0.4), []);
    }

    #[test]
    fn as_printed_zero_slip_is_predicted_by_a_step_too_early() {
        // a constant force: the slip velocity decreases by 0.2 m/s per second
        let with =
            |slip: f64| ContactView { tangential: -0.4 * Vec3::X, ..contact(1.0, 0.0, slip) };
        let found = |zero_slip: ZeroSlip, slips: [f64; 2]| {
            let [before, now] = slips.map(with);
            let mut found = Vec::new();
            compare([Some(&before), Some(&now)], [1.0, 2.0], zero_slip, &mut found);
            found.iter().map(|(time, word, _)| (*time, *word)).collect::<Vec<_>>()
        };
        // The zero is at 2.5 s, in the next step; the printed form reports it in this step.
        let slips = [0.3, 0.1];
        assert_eq!(found(ZeroSlip::Crossing, slips), []);
        assert_eq!(found(ZeroSlip::Predicted, slips), []);
        assert_eq!(found(ZeroSlip::Printed, slips), [(1.5, "zero-slip")]);
    }

    #[test]
    fn the_change_from_slip_to_stick_is_an_event() {
        // 0.1 above the limit, then 0.3 below it: a quarter of the step
        let found = events(Some(contact(1.0, 0.0, 0.6)), Some(contact(1.0, 0.0, 0.2)));
        assert!((found[0].0 - 1.25).abs() < 1e-12 && found[0].1 == "stick", "{found:?}");
        assert_eq!(found.len(), 1);
    }
}
