//! The laws of a scene, for every pair of materials that can meet.

use crate::error::Problem;
use crate::insert::Source;
use crate::kernel::laws::LawTable;
use crate::law::PairContext;
use crate::material::MaterialId;
use crate::notation::{Notation, Setting};
use crate::scene::{Scene, StepSize};
use crate::wall::Shape;
use std::collections::BTreeSet;

/// Length of a run, if every stage has an end time.
fn duration(scene: &Scene) -> Option<f64> {
    let times: Option<Vec<f64>> = scene.stages.iter().map(|stage| stage.end.after).collect();
    times.filter(|times| !times.is_empty()).map(|times| times.iter().sum())
}

/// Problem of two materials that can touch but have no parameters.
fn no_pair(names: [&str; 2], notation: Notation) -> Problem {
    let [first, second] = names;
    let message = format!("no pair for `{first}` and `{second}`, which can touch");
    let help = format!("add {}", notation.name(&Setting::Pair(names.map(str::to_owned))));
    Problem::at("contact.pairs", message).help(help)
}

/// Reports parameters of materials that no law reads.
fn report_unread(scene: &Scene, read: &BTreeSet<String>, problems: &mut Vec<Problem>) {
    for (material, values) in scene.materials.iter().map(|(name, found)| (name, &found.more)) {
        for name in values.keys().filter(|name| !read.contains(*name)) {
            let path = format!("materials.{material}.{name}");
            problems.push(
                Problem::at(path, format!("no law of this scene uses `{name}` of a material"))
                    .help("remove it, or add a law that uses it"),
            );
        }
    }
}

/// Largest radius of the smaller of two partners of these materials [m], which bounds an interaction range proportional
/// to the smaller radius. The radius of plane walls is infinite.
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

impl LawTable {
    /// Builds the laws for the pairs that can occur; reports missing and superfluous parameters.
    pub(crate) fn new(
        scene: &Scene,
        material_pairs: &[[MaterialId; 2]],
        radii: [f64; 2],
        problems: &mut Vec<Problem>,
    ) -> Self {
        let materials = scene.materials.len();
        let mut table = Self::empty(materials, scene.contact.moment_arm, scene.ledger);
        problems.extend(scene.contact.models().filter_map(|model| model.conflict(&scene.contact)));
        let mut read_of_materials = BTreeSet::new();
        for &between in material_pairs {
            let names = between.map(|id| scene.materials[id.index()].0.as_str());
            let Some(index) = scene.pairs.iter().position(|(key, _)| *key == between) else {
                if scene.contact.models().next().is_some() {
                    problems.push(no_pair(names, scene.notation));
                }
                continue;
            };
            let both = between.map(|id| &scene.materials[id.index()].1);
            let path = format!("contact.pairs[{index}]");
            let mut context =
                PairContext::new(names, both, &scene.pairs[index].1, path, radii, scene.ledger);
            context.smaller_radius = smaller_radius(scene, between).min(radii[1]);
            context.duration = duration(scene);
            context.notation = scene.notation;
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
                // an invalid option of a law is invalid for every pair
                if !problems.contains(&problem) {
                    problems.push(problem);
                }
            }
            if let Some(laws) = laws {
                table.add(between, laws, names, problems);
            }
        }
        table.find_kernels(&scene.kernels);
        let mapping = table.pairs.iter().flat_map(|pair| &pair.laws).find_map(|law| law.mapping());
        if let Some(mapping) = mapping {
            table.layout.add_anchorage(mapping);
        }
        table.layout.name_stored();
        report_unread(scene, &read_of_materials, problems);
        table
    }
}
