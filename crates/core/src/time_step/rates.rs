//! Times of fields and of moving walls that a step has to resolve: relaxation of drag, gyration of
//! charges, periods of walls.
//!
//! With drag `dv/dt = -v/τ` and x = Δt/τ, one step of velocity Verlet as built (the velocity at which
//! forces are evaluated is `v + Δt a`) has the characteristic polynomial
//! `λ² - (1 - 3x/2) λ - x/2`, whose roots stay inside the unit circle for x < 1. Symplectic Euler,
//! Newmark and explicit Euler have the root `1 - x`: x < 2. Fehlberg's method of order five,
//! `1 + z + … + z⁵/120 + z⁶/2080` at z = -x, is stable for x < 3.6.
//!
//! With gyration `dv/dt = iωv` and y = ωΔt, no explicit method here conserves the speed: per step it grows by y⁴/4
//! (velocity Verlet), y²/2 (symplectic and explicit Euler, Newmark with one evaluation) or y²/4 (Newmark with a final
//! evaluation). At the limit velocity Verlet gains 2 % per radian.

use super::assumed::Advice;
use crate::Vec3;
use crate::engine::Engine;
use crate::field::{Body, Rates};
use crate::id::ParticleId;
use crate::insert::Source;
use crate::scene::{Scene, StepSize};
use crate::simulation::Simulation;

/// The longest automatic step as a fraction of the relaxation time of drag and of 1/ω of a gyration.
pub const RATE_FRACTION: f64 = 0.2;

/// Smallest number of automatic steps within a period of an oscillating wall.
pub const STEPS_PER_PERIOD: f64 = 20.0;

impl Advice {
    /// Records the shortest times of fields and walls.
    pub(super) fn set_rates(&mut self, scene: &Scene, engine: &Engine, sources: &[&Source]) {
        let coming = sources.iter().map(|source| rates_of(&body(scene, source), engine));
        let rates = coming.fold(engine.rates(), Rates::max);
        self.relaxation_time = 1.0 / rates.relaxation;
        self.gyration_time = 1.0 / rates.gyration;
        let walls = engine.walls().iter().filter(|wall| wall.present);
        self.wall_period =
            walls.map(|wall| wall.wall.motion.shortest_period()).fold(f64::INFINITY, f64::min);
    }

    /// Records the rates of the fields for the current particles.
    pub(super) fn refresh_rates(&mut self, engine: &Engine) {
        if !engine.fields().is_empty() {
            let rates = engine.rates();
            self.relaxation_time = 1.0 / rates.relaxation;
            self.gyration_time = 1.0 / rates.gyration;
        }
    }

    /// The longest step that is stable in the fields, infinite for integrators that control their error [s].
    pub(super) fn rate_limit(&self, scene: &Scene) -> f64 {
        let [relaxation, gyration] = limits(scene);
        (relaxation * self.relaxation_time).min(gyration * self.gyration_time)
    }

    /// The longest automatic step for fields and walls [s].
    pub(super) fn rate_cap(&self) -> f64 {
        let fields = RATE_FRACTION * self.relaxation_time.min(self.gyration_time);
        fields.min(self.wall_period / STEPS_PER_PERIOD)
    }

    /// The field that determines the limit of the fields, as the end of a message.
    pub(super) fn limit_of_field(&self, scene: &Scene) -> String {
        let [relaxation, gyration] = limits(scene);
        if relaxation * self.relaxation_time <= gyration * self.gyration_time {
            format!(" of drag, whose relaxation time is {:.3e} s", self.relaxation_time)
        } else {
            format!(" of gyration, whose 1/ω is {:.3e} s", self.gyration_time)
        }
    }

    /// The warning about a step that does not resolve the oscillation of a wall.
    pub(super) fn too_few_in_a_period(&self, dt: f64) -> Option<String> {
        let steps = self.wall_period / dt;
        // the automatic step divides by the same number
        (steps < STEPS_PER_PERIOD * (1.0 - 1e-9)).then(|| {
            format!(
                "a wall oscillates with a period of {:.3e} s, which the time step {dt:.3e} s resolves \
                 by {steps:.1} steps; {STEPS_PER_PERIOD} take {:.1e} s",
                self.wall_period,
                self.wall_period / STEPS_PER_PERIOD
            )
        })
    }
}

/// Limits of a step as fractions of the relaxation time and of 1/ω; see the header of this file.
fn limits(scene: &Scene) -> [f64; 2] {
    scene.integrator.field_limits(matches!(scene.step, StepSize::Fixed(_)))
}

impl Engine {
    /// The largest current rates of the fields over all particles.
    fn rates(&self) -> Rates {
        if self.fields().is_empty() {
            return Rates::default();
        }
        let bodies = (0..self.particles().len()).map(|slot| self.particles().body(slot));
        let own = bodies.map(|body| rates_of(&body, self)).fold(Rates::default(), Rates::max);
        let [relaxation, gyration] = self.largest([own.relaxation, own.gyration]);
        Rates { relaxation, gyration }
    }
}

/// The largest rates of the fields for one particle. Rates that are not finite are left to the health check, since the
/// state is not finite either.
fn rates_of(body: &Body, engine: &Engine) -> Rates {
    let rates = engine.fields().iter().map(|field| field.rates(body, engine.time()));
    rates.filter(|rates| rates.is_finite()).fold(Rates::default(), Rates::max)
}

/// The smallest particle of a source at the centre of its region.
fn body(scene: &Scene, source: &Source) -> Body {
    let radius = source.smallest_radius();
    let material = &scene.materials[source.material.index()].1;
    let mass = if source.fixed { f64::INFINITY } else { material.sphere_mass(radius) };
    Body {
        position: source.bounds().map_or(Vec3::ZERO, |(low, high)| 0.5 * (low + high)),
        velocity: source.velocity,
        spin: source.spin,
        radius,
        mass,
        charge: source.charge,
        id: ParticleId::new(0),
    }
}

impl Simulation {
    /// True if the rates of fields exceed the assumed ones, and the limit of the step.
    pub(super) fn rates_have_grown(&self) -> bool {
        let Rates { relaxation, gyration } = self.engine.rates();
        let dt = self.clock.dt;
        let too_fast = |rate: f64, assumed: f64| rate * assumed > 1.0 && dt * rate > RATE_FRACTION;
        too_fast(relaxation, self.advice.relaxation_time)
            || too_fast(gyration, self.advice.gyration_time)
    }
}
