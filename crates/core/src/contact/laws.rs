//! The laws of every pair of materials that can meet.

use super::HistoryLayout;
use super::fused::Fused;
use super::rows::Extras;
use crate::law::model::Lever;
use crate::law::{Law, PairContext};
use crate::scene::{Scene, StepSize};
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
    /// The same laws in one loop, if they are the default ones.
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
    pub lever: Lever,
    /// What contacts give beside their results.
    pub extras: Extras,
    /// What follows from the parameters, for `check`.
    pub remarks: Vec<String>,
    /// What is doubtful but no error.
    pub warnings: Vec<String>,
}

/// A Hertzian impact lasts 2.94328 δ/v with δ/v = √(15/8 · m*/k), k at the largest overlap; half a
/// period at that stiffness is π √(m*/k). This is the square of their ratio.
const HERTZ_DURATION_FACTOR: f64 = 0.607_646;

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
            extras: Extras { couples: false, books: scene.ledger },
            remarks: Vec::new(),
            warnings: Vec::new(),
        };
        problems.extend(scene.contact.models().filter_map(|model| model.conflict(&scene.contact)));
        let mut read_of_materials = BTreeSet::new();
        for &between in meetings {
            let names = between.map(|id| scene.materials[id.0 as usize].0.as_str());
            let Some(place) = scene.pairs.iter().position(|(key, _)| *key == between) else {
                if scene.contact.models().next().is_some() {
                    problems.push(no_pair(names));
                }
                continue;
            };
            let both = between.map(|id| &scene.materials[id.0 as usize].1);
            let path = format!("contact.pairs[{place}]");
            let mut context =
                PairContext::new(names, both, &scene.pairs[place].1, path, radii, scene.ledger);
            context.duration = duration(scene);
            context.step = match scene.step {
                StepSize::Fixed(dt) | StepSize::Between { min: dt, .. } => Some(dt),
                StepSize::Auto => None,
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
        self.extras.couples |= laws.iter().any(|law| law.uses_rolling());
        let layout = HistoryLayout::new(&laws);
        if self.pairs.is_empty() {
            self.layout = layout;
        } else if layout != self.layout {
            let message = format!(
                "the laws between `{}` and `{}` remember other quantities than those of other pairs",
                names[0], names[1]
            );
            problems.push(Problem::at("contact.pairs", message).help(
                "a model must give laws with the same `history` and `memory` for every pair",
            ));
        }
        let entry = self.pairs.len() as u16;
        let [first, second] = between.map(|id| usize::from(id.0));
        for [a, b] in [[first, second], [second, first]] {
            self.index[a * self.materials + b] = entry;
        }
        let reach = laws.iter().map(|law| law.reach()).fold(0.0, f64::max);
        let stiffens = laws.iter().any(|law| law.stiffens());
        let duration_factor = if stiffens { HERTZ_DURATION_FACTOR } else { 1.0 };
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
