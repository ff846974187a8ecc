//! The laws of every pair of materials that can meet.

use crate::contact_state::history::HistoryLayout;
use crate::contact_state::result_buffer::Extras;
use crate::geometry::MomentArm;
use crate::insert::Source;
use crate::kernel::fused::Fused;
use crate::law::{Law, PairContext};
use crate::scene::{Scene, StepSize};
use crate::wall::Shape;
use crate::{error::Problem, material::MaterialId};
use std::collections::BTreeSet;

/// How long a run is, if every stage has a time.
fn duration(scene: &Scene) -> Option<f64> {
    let times: Option<Vec<f64>> = scene.stages.iter().map(|stage| stage.end.after).collect();
    times.filter(|times| !times.is_empty()).map(|times| times.iter().sum())
}

/// Two materials can touch and have no parameters.
fn no_pair([first, second]: [&str; 2]) -> Problem {
    let message = format!("no pair for `{first}` and `{second}`, which can touch");
    let help = format!("add {{ between = [\"{first}\", \"{second}\"], … }}");
    Problem::at("contact.pairs", message).help(help)
}

/// Notes what materials have that no law asks for.
fn note_unread(scene: &Scene, read: &BTreeSet<String>, problems: &mut Vec<Problem>) {
    for (material, values) in scene.materials.iter().map(|(name, found)| (name, &found.more)) {
        for name in values.keys().filter(|name| !read.contains(*name)) {
            let path = format!("materials.{material}.{name}");
            problems.push(
                Problem::at(path, format!("no law of this scene uses `{name}` of a material"))
                    .help("leave it out, or add the law"),
            );
        }
    }
}

/// The laws of one pair of materials, in the order of evaluation.
#[derive(Debug)]
pub(crate) struct PairLaws {
    pub laws: Vec<Box<dyn Law>>,
    /// The same laws without the stages, if they are the default ones.
    pub fused: Option<Fused>,
    /// Largest gap at which any of them acts [m].
    pub reach: f64,
    /// Squared ratio of the half period that the stiffness at the largest overlap gives to the
    /// duration of an impact.
    pub duration_factor: f64,
    pub materials: [MaterialId; 2],
}

/// All pairs, and what they remember of a contact.
#[derive(Debug)]
pub(crate) struct LawTable {
    pub pairs: Vec<PairLaws>,
    /// Index in `pairs` for two materials, or `NONE`.
    index: Vec<u16>,
    materials: usize,
    pub layout: HistoryLayout,
    pub lever: MomentArm,
    /// What contacts give beside their results.
    pub extras: Extras,
    /// What follows from the parameters, for `check`.
    pub remarks: Vec<String>,
    /// What is doubtful but no error.
    pub warnings: Vec<String>,
}

/// Squared ratio of half a period at the stiffness k of the largest overlap, π √(m*/k), to the duration
/// of an impact under a force that grows as the overlap to the power of n.
///
/// That is `2 (δ/v) √π Γ(1 + q)/Γ(½ + q)` with q = 1/(n + 1) and `δ/v = √(n(n + 1)/2 · m*/k)`: one for a
/// spring, 0.6076 for Hertz.
fn duration_factor(exponent: f64) -> f64 {
    let share = 1.0 / (exponent + 1.0);
    let gammas = libm::tgamma(0.5 + share) / libm::tgamma(1.0 + share);
    std::f64::consts::PI / (2.0 * exponent * (exponent + 1.0)) * gammas * gammas
}

/// Largest radius that the smaller of two partners of these materials can have [m]: what reaches as
/// far as it is large need not be looked for farther off. Plane walls are larger than anything.
fn smaller_radius(scene: &Scene, between: [MaterialId; 2]) -> f64 {
    let largest = |material: MaterialId| {
        let sources = scene.all_sources().filter(|source| source.material == material);
        let walls = scene.all_walls().filter(|wall| wall.material == material);
        let of_walls = walls.map(|wall| match &wall.shape {
            Shape::Particles(spheres) => spheres.iter().map(|s| s.radius).fold(0.0, f64::max),
            _ => f64::INFINITY,
        });
        sources.map(Source::largest_radius).chain(of_walls).fold(0.0, f64::max)
    };
    largest(between[0]).min(largest(between[1]))
}

const NONE: u16 = u16::MAX;

impl LawTable {
    /// Makes the laws for the pairs that can occur; notes what is missing or superfluous.
    pub(crate) fn new(
        scene: &Scene,
        meetings: &[[MaterialId; 2]],
        radii: [f64; 2],
        problems: &mut Vec<Problem>,
    ) -> Self {
        let materials = scene.materials.len();
        let mut table = Self {
            pairs: Vec::new(),
            index: vec![NONE; materials * materials],
            materials,
            layout: HistoryLayout::default(),
            lever: scene.contact.lever,
            extras: Extras { moments: false, energy_terms: scene.ledger },
            remarks: Vec::new(),
            warnings: Vec::new(),
        };
        problems.extend(scene.contact.models().filter_map(|model| model.conflict(&scene.contact)));
        let mut read_of_materials = BTreeSet::new();
        for &between in meetings {
            let names = between.map(|id| scene.materials[id.index()].0.as_str());
            let Some(place) = scene.pairs.iter().position(|(key, _)| *key == between) else {
                if scene.contact.models().next().is_some() {
                    problems.push(no_pair(names));
                }
                continue;
            };
            let both = between.map(|id| &scene.materials[id.index()].1);
            let path = format!("contact.pairs[{place}]");
            let mut context =
                PairContext::new(names, both, &scene.pairs[place].1, path, radii, scene.ledger);
            context.smaller_radius = smaller_radius(scene, between).min(radii[1]);
            context.duration = duration(scene);
            context.step = match scene.step {
                StepSize::Fixed(dt) | StepSize::Between { min: dt, .. } => Some(dt),
                _ => None,
            };
            let laws = scene.contact.laws(&mut context);
            let [remarks, warnings] = context.notes();
            table.remarks.extend(remarks);
            table.warnings.extend(warnings);
            read_of_materials.extend(context.read_of_materials());
            for problem in context.finish() {
                // options of a law are wrong for every pair in the same way
                if !problems.contains(&problem) {
                    problems.push(problem);
                }
            }
            table.add(between, laws, names, problems);
        }
        let mapping = table.pairs.iter().flat_map(|pair| &pair.laws).find_map(|law| law.mapping());
        if let Some(mapping) = mapping {
            table.layout.remember_motion(mapping);
        }
        table.layout.name_kept();
        note_unread(scene, &read_of_materials, problems);
        table
    }

    /// Adds the laws of a pair of materials.
    fn add(
        &mut self,
        between: [MaterialId; 2],
        laws: Vec<Box<dyn Law>>,
        names: [&str; 2],
        problems: &mut Vec<Problem>,
    ) {
        self.extras.moments |= laws.iter().any(|law| law.uses_rolling());
        let layout = HistoryLayout::new(&laws);
        if self.pairs.is_empty() {
            self.layout = layout;
        } else if !self.layout.unite(&layout) {
            let message = format!(
                "the laws between `{}` and `{}` remember other quantities than those of other pairs",
                names[0], names[1]
            );
            let help = "a model must give laws with the same `history` for every pair";
            problems.push(Problem::at("contact.pairs", message).help(help));
        }
        let entry = self.pairs.len() as u16;
        let [first, second] = between.map(|id| id.index());
        for [a, b] in [[first, second], [second, first]] {
            self.index[a * self.materials + b] = entry;
        }
        let reach = laws.iter().map(|law| law.reach()).fold(0.0, f64::max);
        // forces that soften are not followed by any law here: they would last shorter
        let exponent = laws.iter().map(|law| law.force_exponent()).fold(1.0, f64::max);
        let duration_factor = duration_factor(exponent);
        let fused = Fused::new(&laws, &self.layout, self.lever, duration_factor);
        self.pairs.push(PairLaws { laws, fused, reach, duration_factor, materials: between });
    }

    /// Index in `pairs`.
    #[inline]
    pub(crate) fn pair(&self, first: u16, second: u16) -> usize {
        usize::from(self.index[first as usize * self.materials + second as usize])
    }

    /// Largest reach of any law [m].
    pub(crate) fn reach(&self) -> f64 {
        self.pairs.iter().map(|pair| pair.reach).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_factor_is_that_of_an_impact_that_is_followed_in_small_steps() {
        for exponent in [1.0, 1.5, 1.7, 2.5] {
            // unit mass, speed and coefficient
            let force = |overlap: f64| -f64::powf(overlap.max(0.0), exponent);
            let dt = 1e-5;
            let (mut time, mut overlap, mut speed) = (0.0, 0.0, 1.0);
            let mut deepest = 0.0f64;
            loop {
                speed += 0.5 * dt * force(overlap);
                overlap += dt * speed;
                speed += 0.5 * dt * force(overlap);
                time += dt;
                deepest = deepest.max(overlap);
                if overlap <= 0.0 {
                    break;
                }
            }
            let stiffness = exponent * deepest.powf(exponent - 1.0);
            let half_period = std::f64::consts::PI / stiffness.sqrt();
            let expected = (half_period / time).powi(2);
            // a step in 10⁵ of the contact
            assert!((duration_factor(exponent) / expected - 1.0).abs() < 3e-5, "{exponent}");
        }
        assert!((duration_factor(1.0) - 1.0).abs() < 1e-14);
    }
}
