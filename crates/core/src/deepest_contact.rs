//! The contact with the largest overlap, and the bodies that load it.

use crate::Vec3;
use crate::engine::Engine;
use crate::id::{ParticleId, WallId};
use crate::notation::{Notation, Setting};
use crate::snapshot::{ContactView, Partner};
use crate::wall::live::LiveWall;
use crate::wall::{Motion, Shape, Side};

/// The contact with the largest overlap.
pub(crate) struct DeepestContact {
    /// The contact.
    pub view: ContactView,
    /// Slot of its first partner.
    pub slot: usize,
    /// Name of its second partner.
    pub partner: String,
    /// Radius of the smaller partner [m].
    pub radius: f64,
    /// Effective mass [kg].
    pub mass: f64,
}

impl DeepestContact {
    /// Overlap as a fraction of the smaller radius.
    pub(crate) fn fraction(&self) -> f64 {
        self.view.overlap / self.radius
    }

    /// Elastic energy, if the force is proportional to the overlap to the power of `exponent` [J].
    pub(crate) fn stored(&self, exponent: f64) -> f64 {
        self.view.elastic * self.view.overlap / (exponent + 1.0)
    }

    /// Kinetic energy of the approach [J].
    pub(crate) fn moving(&self) -> f64 {
        let speed = self.view.closing_speed.max(0.0);
        0.5 * self.mass * speed * speed
    }
}

impl Engine {
    /// The largest exponent of the normal laws.
    pub(crate) fn force_exponent(&self) -> f64 {
        let laws = self.table().pairs.iter().flat_map(|pair| &pair.laws);
        laws.map(|law| law.force_exponent()).fold(1.0, f64::max)
    }

    /// Speed at which the wall of a contact moves towards the particle [m/s].
    fn push(&self, view: &ContactView) -> f64 {
        match view.second {
            Partner::Wall(wall) => {
                let velocity = self.walls()[wall.index()].pose.velocity_at(view.second_position);
                let push = -velocity.dot(view.normal);
                // a smaller velocity of a wall that moves within its plane is a rounding error
                if push > 1e-6 * velocity.length() { push } else { 0.0 }
            }
            Partner::Particle(_) => 0.0,
        }
    }

    /// Message if walls compress the deepest contact: its particle from two sides, or all particles.
    pub(crate) fn pinch(&self, deepest: &DeepestContact, views: &[ContactView]) -> Option<String> {
        let remedy = "stop the motion earlier or leave more room: neither a shorter step nor a \
                      larger stiffness helps";
        let own: Vec<&ContactView> = (views.iter())
            .filter(|view| view.first == deepest.view.first && view.elastic > 0.0)
            .filter(|view| matches!(view.second, Partner::Wall(_)))
            .collect();
        for (index, one) in own.iter().enumerate() {
            let opposite = own[index + 1..].iter().find(|two| one.normal.dot(two.normal) < -0.5);
            let Some(two) = opposite else { continue };
            let approach = self.push(one) + self.push(two);
            if approach > 0.0 {
                let diameter = 2.0 * deepest.radius;
                return Some(format!(
                    "it is pinched between {} and {}, which approach each other at {approach:.3e} m/s \
                     and leave {:.3e} m for its diameter of {diameter:.3e} m; {remedy}",
                    self.partner_name(one.second),
                    self.partner_name(two.second),
                    diameter - one.overlap - two.overlap,
                ));
            }
        }
        let mut power = vec![0.0; self.walls().len()];
        for view in views {
            if let Partner::Wall(wall) = view.second
                && !matches!(self.walls()[wall.index()].wall.motion, Motion::Oscillation { .. })
            {
                power[wall.index()] += self.push(view) * view.elastic;
            }
        }
        let strongest = (0..power.len()).max_by(|&a, &b| power[a].total_cmp(&power[b]))?;
        let wall = &self.walls()[strongest];
        (power[strongest] > 0.0).then(|| {
            let speed = wall.pose.velocity.length();
            format!(
                "the moving wall `{}` compresses the particles, at {speed:.3e} m/s, and they \
                 cannot escape; {remedy}",
                wall.wall.name
            )
        })
    }

    /// Message about particles behind a wall that has a solid side; none for other walls.
    pub(crate) fn behind(
        &self,
        wall: usize,
        views: &[ContactView],
        notation: Notation,
    ) -> Option<String> {
        let live: &LiveWall = &self.walls()[wall];
        let remedy = match &live.wall.shape {
            Shape::HalfSpace { normal, .. } => {
                // avoids negative zeros in the message
                let reversed = notation.name(&Setting::Normal(-*normal + Vec3::ZERO));
                format!("its normal points away from them: try {reversed}")
            }
            Shape::Cylinder { side, .. }
            | Shape::Cone { side, .. }
            | Shape::Sphere { side, .. } => {
                let inside = *side == Side::Inside;
                let [now, other] = [inside, !inside]
                    .map(|inside| notation.name(&Setting::ParticlesInside(inside)));
                format!("it has {now}: try {other}")
            }
            _ => return None,
        };
        let is_behind = |view: &&ContactView| {
            let radius = |slot: usize| self.particles().records[slot].radius;
            view.second == Partner::Wall(WallId::new(wall as u16))
                && self.particles().slot(view.first).is_some_and(|slot| view.overlap > radius(slot))
        };
        let count = views.iter().filter(is_behind).count();
        let free =
            self.particles().records.iter().filter(|record| record.inverse_mass > 0.0).count();
        Some(format!(
            "{count} of {free} particles have their centre on the solid side of wall `{}`; {remedy}, \
             or move the particles",
            live.wall.name
        ))
    }

    /// Name in messages.
    pub(crate) fn partner_name(&self, partner: Partner) -> String {
        match partner {
            Partner::Particle(id) => format!("particle {id}"),
            Partner::Wall(wall) => format!("wall `{}`", self.walls()[wall.index()].wall.name),
        }
    }

    /// The contact with the largest overlap as a fraction of the smaller radius.
    pub(crate) fn deepest_contact(&self) -> Option<DeepestContact> {
        let record =
            |id: ParticleId| self.particles().slot(id).map(|slot| &self.particles().records[slot]);
        let partners = |view: &ContactView| {
            let second = match view.second {
                Partner::Particle(id) => record(id),
                Partner::Wall(_) => None,
            };
            [record(view.first), second]
        };
        let radius = |view: &ContactView| {
            let radii = partners(view).map(|record| record.map_or(f64::INFINITY, |r| r.radius));
            radii[0].min(radii[1])
        };
        let fraction = |view: &ContactView| view.overlap / radius(view);
        let views = self.contact_views();
        let view = *views.iter().max_by(|a, b| fraction(a).total_cmp(&fraction(b)))?;
        let inverse_masses = partners(&view).map(|r| r.map_or(0.0, |r| r.inverse_mass));
        Some(DeepestContact {
            slot: self.particles().slot(view.first)?,
            partner: self.partner_name(view.second),
            radius: radius(&view),
            mass: 1.0 / (inverse_masses[0] + inverse_masses[1]),
            view,
        })
    }
}
