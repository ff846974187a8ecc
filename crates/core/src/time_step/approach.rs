//! Pairs that are included in the choice of the time step: those that touch, that are within the interaction range of a
//! cohesive law, or that can meet before the next update. The neighbour list contains all of them
//! (`search/horizon.rs`), and the result is independent of its range.

use crate::Vec3;
use crate::kernel::laws::PairLaws;
use crate::law::{ContactStiffness, Encounter, PairState};
use crate::particles::HotData;

/// Relative motion of two partners.
#[derive(Debug, Clone, Copy)]
pub(super) struct Approach {
    /// From the first partner to the second.
    pub normal: Vec3,
    /// Negative for a gap [m].
    pub overlap: f64,
    /// Speed at which the overlap grows [m/s].
    pub closing: f64,
    /// Difference of the accelerations by gravity and fields [m/s²].
    pub acceleration: f64,
    /// Radii; the second is zero at a wall [m].
    pub radii: [f64; 2],
    pub inverse_masses: [f64; 2],
}

/// Contribution of a pair to the choice of the time step.
#[derive(Debug, Clone, Copy)]
pub(super) struct ContactEstimate {
    /// Its springs and dashpots until the next update; none if it does not touch before.
    pub stiffness: Option<ContactStiffness>,
    /// The impending or current impact; none if the partners do not approach.
    pub impact: Option<Encounter>,
}

impl Approach {
    /// The approach of two particles, with the vector from the first to the second.
    #[inline(always)]
    pub(super) fn of_particles(
        first: &HotData,
        second: &HotData,
        difference: Vec3,
        acceleration: f64,
    ) -> Self {
        let distance = difference.length().max(f64::MIN_POSITIVE);
        let normal = difference / distance;
        let velocity = Vec3::from_array(first.velocity) - Vec3::from_array(second.velocity);
        Self {
            normal,
            overlap: first.radius + second.radius - distance,
            closing: velocity.dot(normal),
            acceleration,
            radii: [first.radius, second.radius],
            inverse_masses: [first.inverse_mass, second.inverse_mass],
        }
    }

    /// The contribution of the pair within the next `time` [s]; none if it is not included.
    #[inline(always)]
    pub(super) fn estimate(&self, laws: &PairLaws, time: f64) -> Option<ContactEstimate> {
        let gained = self.acceleration * time;
        let speed = self.closing.max(0.0) + gained;
        let in_range = self.overlap > -laws.interaction_range;
        let meets = self.overlap > -(speed + gained) * time;
        if !(self.overlap > 0.0 || in_range || meets) {
            return None;
        }
        let mut encounter = self.encounter(speed);
        let predicted = self.predicted_overlap(laws, &encounter, time);
        let mut sum = ContactStiffness::default();
        if predicted > 0.0 || in_range {
            let pair = self.state(predicted, &encounter);
            laws.laws.iter().for_each(|law| law.stiffness(&pair, &mut sum));
        }
        // partners that attract each other approach again as fast as they separate
        let is_drawn = sum.cohesion > 0.0;
        // a pair may be within the interaction range of its materials, but not of its bodies
        let stiffness = (predicted > 0.0 || is_drawn).then_some(sum);
        if is_drawn {
            encounter.speed = self.closing.abs() + gained;
        }
        let touches = self.overlap > 0.0;
        let approaches = if touches { self.closing > 0.0 } else { meets && speed > 0.0 };
        let impact = (approaches || is_drawn).then(|| {
            let works = laws.laws.iter().map(|law| law.work_of_separation(&encounter));
            let work = works.sum::<f64>();
            if work > 0.0 {
                let drawn = 2.0 * work / encounter.effective_mass;
                encounter.speed = (encounter.speed * encounter.speed + drawn).sqrt();
            }
            encounter
        });
        Some(ContactEstimate { stiffness, impact })
    }

    #[inline(always)]
    fn encounter(&self, speed: f64) -> Encounter {
        let [first, second] = self.radii;
        let curvature = 1.0 / first + if second > 0.0 { 1.0 / second } else { 0.0 };
        Encounter {
            radii: self.radii,
            effective_radius: 1.0 / curvature,
            effective_mass: 1.0 / (self.inverse_masses[0] + self.inverse_masses[1]),
            speed,
            radius_sum: first + second,
        }
    }

    /// The largest overlap within `time`: at constant speed, and at most that at which the kinetic
    /// energy of the approach is stored.
    #[inline(always)]
    fn predicted_overlap(&self, laws: &PairLaws, encounter: &Encounter, time: f64) -> f64 {
        let reached = self.overlap + encounter.speed * time;
        if !(reached > 0.0 && encounter.speed > 0.0) {
            return reached;
        }
        let deepest =
            laws.laws.iter().filter_map(|law| law.deepest_overlap(encounter, self.overlap));
        reached.min(deepest.fold(f64::INFINITY, f64::min).max(self.overlap))
    }

    fn state(&self, overlap: f64, encounter: &Encounter) -> PairState {
        PairState {
            radii: self.radii,
            effective_radius: encounter.effective_radius,
            effective_mass: encounter.effective_mass,
            inverse_masses: self.inverse_masses,
            overlap,
            present_overlap: self.overlap,
        }
    }
}
