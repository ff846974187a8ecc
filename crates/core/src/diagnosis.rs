//! Cause of an unphysical state, from the contacts and motions at the time of the failure.
//!
//! An overlap beyond the limit has one of a few causes, each with another remedy. Bodies may have been placed inside
//! each other, or behind a wall whose normal is reversed. The step may be too long. The contact may be compressed from
//! both sides: by walls that approach each other, or by a load for which the material is too soft. Otherwise the cause
//! is an impact for which it is too soft.

use crate::Vec3;
use crate::deepest_contact::DeepestContact;
use crate::error::Diagnosis;
use crate::id::ParticleId;
use crate::notation::Setting;
use crate::simulation::Simulation;
use crate::snapshot::{ContactView, Partner};

/// Time at which an overlap is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DetectedAt {
    /// After bodies were placed or something else was changed between steps.
    Change,
    /// After a step.
    Step,
}

/// Net force on a particle, as a fraction of the force in its deepest contact, below which the particle is compressed
/// from both sides; in an impact the contact alone decelerates it.
const BALANCED: f64 = 0.5;

/// Target overlap of the advice, as a fraction of the limit.
const AIM: f64 = 0.5;

/// Number of steps per contact below which an impact is not resolved.
const FEWEST_STEPS: f64 = 5.0;

/// Smallest initial overlap, as a fraction of the radius, whose energy is reported.
const NOTED_OVERLAP: f64 = 0.01;

/// A cause and its remedy.
pub(crate) type Finding = (Diagnosis, String);

impl Simulation {
    /// The cause of the largest overlap.
    pub(crate) fn explain_overlap(
        &self,
        deepest: &DeepestContact,
        detected_at: DetectedAt,
    ) -> Finding {
        let views = self.engine.contact_views();
        if detected_at == DetectedAt::Change {
            return self.explain_placement(deepest, &views);
        }
        if let Some(finding) = self.explain_pressed(deepest, &views) {
            return finding;
        }
        let steps = std::f64::consts::PI * (deepest.mass / deepest.view.normal_stiffness).sqrt()
            / self.last_dt;
        if self.last_dt > self.advice.limit || steps < FEWEST_STEPS {
            return (Diagnosis::StepTooLong, self.advise_shorter_step(steps));
        }
        self.explain_impact(deepest)
    }

    /// A contact that is compressed from both sides, by walls or by a load; none in an impact.
    pub(crate) fn explain_pressed(
        &self,
        deepest: &DeepestContact,
        views: &[ContactView],
    ) -> Option<Finding> {
        let force = deepest.view.elastic;
        let is_balanced = |id: ParticleId| {
            let Some(slot) = self.engine.particles().slot(id) else { return true };
            let free = self.engine.particles().records[slot].inverse_mass > 0.0;
            !free || self.engine.particles().loads[slot].force().length() < BALANCED * force
        };
        let second = match deepest.view.second {
            Partner::Particle(id) => is_balanced(id),
            Partner::Wall(_) => true,
        };
        if !(is_balanced(deepest.view.first) && second) || self.last_dt > self.advice.limit {
            return None;
        }
        if let Some(text) = self.engine.pinch(deepest, views) {
            return Some((Diagnosis::Pinched, text));
        }
        // F ∝ stiffness · δⁿ
        let factor = self.factor(deepest.fraction(), self.engine.force_exponent());
        let text = format!(
            "the contact is pressed from both sides with {force:.3e} N and the stiffness is too low \
             for this load: try a stiffness {factor:.0} times larger{}, or {}; a shorter step does \
             not help",
            self.stiffness_key(),
            self.name_limit()
        );
        Some((Diagnosis::TooSoftForLoad, text))
    }

    fn explain_impact(&self, deepest: &DeepestContact) -> Finding {
        let exponent = self.engine.force_exponent();
        let (stored, moving) = (deepest.stored(exponent), deepest.moving());
        // the remaining kinetic energy will be stored too; the energy grows with the overlap to the power n + 1
        let power = exponent + 1.0;
        let growth = if stored > 0.0 { libm::pow(1.0 + moving / stored, 1.0 / power) } else { 1.0 };
        let peak = growth * deepest.fraction();
        let speed = (2.0 * (stored + moving) / deepest.mass).sqrt();
        let factor = self.factor(peak, power);
        let notation = self.scene.notation;
        let mut text = format!(
            "the stiffness is too low for this impact: at {speed:.3} m/s the overlap reaches \
             {:.0} % of the radius, beyond {}; try a stiffness {factor:.0} times \
             larger{}, lower speeds, or {}; a shorter step does not help",
            100.0 * peak,
            notation.name(&Setting::OverlapLimit(Some(self.scene.health.overlap_limit))),
            self.stiffness_key(),
            self.name_limit()
        );
        text.push_str(&self.remark_on_start());
        (Diagnosis::TooSoftForImpact, text)
    }

    fn explain_placement(&self, deepest: &DeepestContact, views: &[ContactView]) -> Finding {
        if let Partner::Wall(wall) = deepest.view.second
            && deepest.view.overlap > deepest.radius
            && let Some(text) = self.engine.behind(wall.index(), views, self.scene.notation)
        {
            return (Diagnosis::NormalReversed, text);
        }
        let apart = deepest.view.overlap;
        let who = match self.clock.step {
            0 => "they start inside each other".to_owned(),
            _ => format!("the stage `{}` places them inside each other", self.stage()),
        };
        let text = format!(
            "{who}: move them apart by {apart:.2e} m, or, if intended, {}",
            self.name_limit()
        );
        (Diagnosis::PlacedInside, text)
    }

    /// Advice for a time step that resolves a contact by only this number of steps.
    pub(crate) fn advise_shorter_step(&self, steps: f64) -> String {
        let shorter = (0.25 * self.advice.limit).min(0.05 * steps * self.last_dt);
        format!(
            "the time step {:.1e} s is {:.2} of the limit, and the contact is resolved by only \
             {steps:.1} steps: the step is too long; {}",
            self.last_dt,
            self.last_dt / self.advice.limit,
            self.try_step(shorter)
        )
    }

    /// A suggested shorter step [s], or the automatic one.
    pub(crate) fn try_step(&self, dt: f64) -> String {
        format!("try {dt:.1e} s, or {}", self.scene.notation.name(&Setting::AutomaticStep))
    }

    /// Factor of the stiffness for a force with this exponent of the overlap.
    fn factor(&self, fraction: f64, power: f64) -> f64 {
        let aim = AIM * self.scene.health.overlap_limit;
        libm::ceil(libm::pow(fraction / aim, power)).max(2.0)
    }

    fn name_limit(&self) -> String {
        let (limit, notation) = (self.scene.health.overlap_limit, self.scene.notation);
        let [name, warn] = [Setting::OverlapLimit(None), Setting::WarnOfOverlap]
            .map(|setting| notation.name(&setting));
        format!("raise {name} (now {limit}) or set {warn}")
    }

    /// The setting of the stiffness of the normal law.
    pub(crate) fn stiffness_key(&self) -> &'static str {
        match self.scene.contact.normal.as_ref().map(|law| law.name()) {
            Some("hertz") => " (`young_modulus`)",
            Some("linear") => " (`normal_stiffness`)",
            Some("power-law") => " (`contact_modulus`)",
            _ => "",
        }
    }

    /// Remark that bodies that overlap at the start accelerate each other.
    pub(crate) fn remark_on_start(&self) -> String {
        let found = self.overlaps.when_placed;
        if found < NOTED_OVERLAP {
            return String::new();
        }
        format!(
            "; bodies were placed with overlaps up to {:.1} % of the radius, whose elastic energy \
             sets them in motion",
            100.0 * found
        )
    }

    /// The cause of a particle outside the domain.
    pub(crate) fn explain_leaving(&self, slot: usize) -> Finding {
        let record = &self.engine.particles().records[slot];
        let (position, domain) = (Vec3::from_array(record.position), &self.engine.domain());
        let out = (0..3).find_map(|axis| {
            let name = ["x", "y", "z"][axis];
            match position[axis] {
                _ if domain.periodic[axis] => None,
                at if at < domain.min[axis] => Some(format!("`min` along {name}")),
                at if at > domain.max[axis] => Some(format!("`max` along {name}")),
                _ => None,
            }
        });
        let mut text = format!("it passed {}", out.unwrap_or_default());
        let [domain, delete] = [Setting::Domain, Setting::DeleteOutside]
            .map(|setting| self.scene.notation.name(&setting));
        if self.scene.domain.is_none() {
            text.push_str(&format!(" of the automatic domain (the scene has no {domain})"));
        }
        let radii = Vec3::from_array(record.velocity).length() * self.last_dt / record.radius;
        if radii > 1.0 {
            text.push_str(&format!(
                "; it moves {radii:.1} radii in a step, so that it passes through bodies: find \
                 the cause of its speed, or choose a shorter step"
            ));
        } else {
            text.push_str(&format!(
                "; check the walls for gaps, enlarge {domain}, or set {delete}"
            ));
        }
        text.push_str(&self.remark_on_start());
        (Diagnosis::LeftDomain, text)
    }

    /// The cause of a state that is not finite.
    pub(crate) fn explain_not_finite(&self, slot: usize) -> Finding {
        let mut body = self.engine.particles().body(slot);
        // the force of the field may have caused the velocity
        for vector in [&mut body.velocity, &mut body.spin] {
            *vector = if vector.is_finite() { *vector } else { Vec3::ZERO };
        }
        let time = self.clock.time();
        let broken = self.engine.fields().iter().find(|field| {
            let load = field.load(&body, time);
            !(load.force.is_finite() && load.torque.is_finite())
        });
        let step = format!(
            "the time step {:.1e} s is {:.2} of the limit",
            self.clock.dt,
            self.clock.dt / self.advice.limit
        );
        match broken.filter(|_| body.position.is_finite()) {
            Some(field) => (
                Diagnosis::FieldNotFinite,
                format!(
                    "the field `{}` gives a force that is not finite at this position",
                    field.name()
                ),
            ),
            None if self.clock.dt > self.advice.limit => {
                let shorter = self.try_step(0.25 * self.advice.limit);
                let text = format!("{step}: it is too long; {shorter}");
                (Diagnosis::StepTooLong, text)
            }
            None => (
                Diagnosis::Unknown,
                format!("{step}, so check fields, laws and motions for values that are not finite"),
            ),
        }
    }
}
