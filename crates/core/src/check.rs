//! Validation of a scene.

use crate::error::Problem;
use crate::insert::{Placement, Source};
use crate::integrate::Integrator;
use crate::kernel::laws::LawTable;
use crate::material::{Material, MaterialId};
use crate::notation::Setting;
use crate::parallel::MOST_THREADS;
use crate::scene::{Scene, StepSize};
use crate::stage::{Change, Stage};
use crate::wall::Wall;

/// Problems that can be found before the simulation is built.
pub(crate) fn check(scene: &Scene) -> Vec<Problem> {
    let mut problems = Vec::new();
    check_materials(scene, &mut problems);
    check_domain(scene, &mut problems);
    for (index, wall) in scene.walls.iter().enumerate() {
        check_wall(scene, wall, &format!("walls[{index}]"), &mut problems);
    }
    check_names("walls", scene.walls.iter().map(|wall| wall.name.as_str()), &mut problems);
    check_names(
        "particles",
        scene.particles.iter().map(|source| source.name.as_str()),
        &mut problems,
    );
    for (index, source) in scene.particles.iter().enumerate() {
        check_source(scene, source, &format!("particles[{index}]"), &mut problems);
    }
    check_freedom(scene, &mut problems);
    check_cohesion(scene, &mut problems);
    check_time(scene, &mut problems);
    check_search(scene, &mut problems);
    if scene.threads > MOST_THREADS {
        let message = format!("{} threads are more than {MOST_THREADS}", scene.threads);
        problems.push(Problem::at("threads", message).help("0 takes one per core"));
    }
    check_stages(scene, &mut problems);
    problems
}

fn check_source(scene: &Scene, source: &Source, path: &str, problems: &mut Vec<Problem>) {
    let found = source.problems();
    problems
        .extend(found.into_iter().map(|message| Problem::at(format!("{path}.insert"), message)));
    let Some((name, material)) = check_material(scene, source.material, path, problems) else {
        return;
    };
    if !material.density.is_some_and(|density| density > 0.0) {
        let message = format!("the material `{name}` has no density");
        problems.push(
            Problem::at(format!("{path}.material"), message)
                .help("particles need one: add `density` to the material"),
        );
    }
    if material.young_modulus == Some(f64::INFINITY) {
        let message = format!("the material `{name}` is rigid: its `young_modulus` is infinite");
        problems.push(Problem::at(format!("{path}.material"), message).help(
            "only walls can be rigid: two rigid bodies have no finite stiffness; give the particles a \
             finite `young_modulus`",
        ));
    }
}

/// The material of this id; reports an id of another scene.
fn check_material<'a>(
    scene: &'a Scene,
    id: MaterialId,
    path: &str,
    problems: &mut Vec<Problem>,
) -> Option<&'a (String, Material)> {
    let material = scene.materials.get(id.index());
    if material.is_none() {
        let message = format!("there is no material with the number {id}");
        problems.push(
            Problem::at(format!("{path}.material"), message)
                .help(format!("the scene has {} materials", scene.materials.len())),
        );
    }
    material
}

/// A law that is named twice would act twice.
fn check_cohesion(scene: &Scene, problems: &mut Vec<Problem>) {
    let words: Vec<&str> = scene.contact.cohesion.iter().map(|law| law.name()).collect();
    for (index, word) in words.iter().enumerate() {
        if words[..index].contains(word) {
            problems.push(
                Problem::at(
                    format!("contact.cohesion[{index}]"),
                    format!("the law `{word}` is given twice"),
                )
                .help("leave one of them out"),
            );
        }
    }
}

fn check_materials(scene: &Scene, problems: &mut Vec<Problem>) {
    for (name, material) in &scene.materials {
        let Material { density, young_modulus, poisson_ratio, .. } = *material;
        let mut require =
            |key: &str, value: Option<f64>, holds: &dyn Fn(f64) -> bool, range: &str| {
                let message = match value {
                    Some(value) if holds(value) => return,
                    Some(value) => format!("`{key}` of `{name}` is {value}"),
                    None => format!("the material `{name}` has no `{key}`"),
                };
                problems.push(
                    Problem::at(format!("materials.{name}.{key}"), message)
                        .help(format!("it must be {range}")),
                );
            };
        if density.is_some() {
            let holds = |density: f64| density > 0.0 && density.is_finite();
            require("density", density, &holds, "positive");
        }
        let holds = |modulus: f64| modulus > 0.0;
        require("young_modulus", young_modulus, &holds, "positive, or `inf` for a rigid wall");
        let holds = |ratio: f64| ratio > -1.0 && ratio <= 0.5;
        require("poisson_ratio", poisson_ratio, &holds, "above -1 and at most 0.5");
    }
}

fn check_domain(scene: &Scene, problems: &mut Vec<Problem>) {
    let Some(domain) = &scene.domain else { return };
    let size = domain.size();
    if !(size.min_element() > 0.0 && size.is_finite()) {
        problems.push(
            Problem::at(
                "domain",
                format!("the domain from {} to {} is empty", domain.min, domain.max),
            )
            .help("every component of `max` must be larger than that of `min`"),
        );
    }
}

/// Checks that laws for one evaluation per step are used only with integrators that make one.
pub(crate) fn check_evaluations(scene: &Scene, table: &LawTable, problems: &mut Vec<Problem>) {
    let mut laws = table.pairs.iter().flat_map(|pair| &pair.laws);
    if scene.integrator.evaluates_again() && laws.any(|law| law.needs_one_evaluation()) {
        let word = scene.integrator.name();
        let message = format!(
            "this option requires one evaluation per step, and `{word}` makes several with these \
             settings"
        );
        let implicit = Setting::Choice { option: "stick", value: "Implicit" };
        problems.push(Problem::at("contact.tangential", message).help(format!(
            "remove {}: with converged iterations, the literal force has the same solution",
            scene.notation.name(&implicit)
        )));
    }
}

/// Refuses a period so short that two particles could touch through two images simultaneously.
pub(crate) fn check_periods(
    scene: &Scene,
    table: &LawTable,
    radii: [f64; 2],
    problems: &mut Vec<Problem>,
) {
    let Some(domain) = &scene.domain else { return };
    let skin = scene.search.skin.unwrap_or(0.1 * radii[1]);
    let shortest = 2.0 * (2.0 * radii[1] + table.interaction_range() + skin);
    for axis in (0..3).filter(|&axis| domain.periodic[axis]) {
        let period = domain.size()[axis];
        if period < shortest {
            let name = ["x", "y", "z"][axis];
            problems.push(
                Problem::at("domain.periodic", format!("the period along {name} is {period} m"))
                    .help(format!("it must be at least {shortest:.3e} m: twice the sum of the largest diameter, \
                         the interaction range and the skin")),
            );
        }
    }
}

fn check_wall(scene: &Scene, wall: &Wall, path: &str, problems: &mut Vec<Problem>) {
    check_material(scene, wall.material, path, problems);
    let found = wall.shape.problems().into_iter().chain(wall.motion.problems());
    problems
        .extend(found.map(|message| Problem::at(path, format!("wall `{}`: {message}", wall.name))));
}

fn check_names<'a>(kind: &str, names: impl Iterator<Item = &'a str>, problems: &mut Vec<Problem>) {
    let mut seen: Vec<&str> = Vec::new();
    for (index, name) in names.enumerate() {
        if seen.contains(&name) {
            let message = format!("the name `{name}` is used twice");
            problems.push(
                Problem::at(format!("{kind}[{index}].name"), message).help("names must differ"),
            );
        }
        seen.push(name);
    }
}

/// Refuses an initial motion that plane motion or the absence of rotations excludes.
fn check_freedom(scene: &Scene, problems: &mut Vec<Problem>) {
    let staged = scene.stages.iter().enumerate().flat_map(|(stage, changes)| {
        let inserted =
            changes.changes.iter().enumerate().filter_map(|(index, change)| match change {
                Change::Insert(source) => Some((index, source)),
                _ => None,
            });
        inserted.map(move |(index, source)| (format!("stages[{stage}].changes[{index}]"), source))
    });
    let first = scene.particles.iter().enumerate();
    let first = first.map(|(index, source)| (format!("particles[{index}]"), source));
    for (path, source) in first.chain(staged) {
        let listed: &[_] = match &source.placement {
            Placement::List(spheres) => spheres,
            _ => &[],
        };
        let velocities = listed.iter().map(|sphere| sphere.velocity).chain([source.velocity]);
        let spins = listed.iter().map(|sphere| sphere.spin).chain([source.spin]);
        let free = scene.freedom();
        if velocities.into_iter().any(|velocity| free.velocity(velocity) != velocity) {
            let message = format!("the velocity of `{}` leads out of the plane", source.name);
            problems.push(
                Problem::at(format!("{path}.velocity"), message)
                    .help("in a plane problem nothing moves along the normal"),
            );
        }
        if spins.into_iter().any(|spin| free.spin(spin) != spin) {
            let message = format!("the spin of `{}` is not free", source.name);
            let none = scene.notation.name(&Setting::NoRotations);
            problems.push(Problem::at(format!("{path}.spin"), message).help(format!(
                "in a plane problem particles spin about the normal only, and with {none} not at \
                 all"
            )));
        }
    }
}

/// Largest time step of a scene as a fraction of the contact time: five steps do not resolve an impact.
const LARGEST_SAFETY: f64 = 0.2;

fn check_time(scene: &Scene, problems: &mut Vec<Problem>) {
    if let Some(safety) = scene.safety
        && !(safety > 0.0 && safety <= LARGEST_SAFETY)
    {
        problems.push(
            Problem::at("time.safety", format!("`safety` is {safety}"))
                .help("it is the time step as a fraction of the shortest contact time, above 0 and at most 0.2"),
        );
    }
    match scene.step {
        StepSize::Fixed(dt) | StepSize::AtMost(dt) if !(dt > 0.0 && dt.is_finite()) => problems
            .push(
                Problem::at("time.step", format!("the time step is {dt} s"))
                    .help("it must be positive"),
            ),
        StepSize::Between { max, min } => check_bounds(scene, max, min, problems),
        _ => {}
    }
    scene.integrator.check(problems);
}

fn check_bounds(scene: &Scene, max: f64, min: f64, problems: &mut Vec<Problem>) {
    if !(min > 0.0 && max.is_finite() && min <= max) {
        problems.push(
            Problem::at("time.step", format!("the time step has `min` {min} s and `max` {max} s"))
                .help("`min` must be positive and at most `max`"),
        );
    } else if scene.integrator.shortest_fraction().is_none() {
        let choice = |option, value| scene.notation.name(&Setting::Choice { option, value });
        let word = match &scene.integrator {
            Integrator::Theta(theta) if theta.phi == 0.0 => {
                format!("`theta` with {}", choice("phi", "0"))
            }
            Integrator::Theta(_) => format!("`theta` with {}", choice("iteration", "Frozen")),
            other => format!("`{}`", other.name()),
        };
        problems.push(
            Problem::at("time.step.min", format!("{word} does not adapt its step down to a `min`"))
                .help(format!(
                    "give {} for an automatic step, a number or {}, or choose an integrator that \
                     adapts its step",
                    scene.notation.name(&Setting::StepAtMost),
                    scene.notation.name(&Setting::AutomaticStep)
                )),
        );
    }
}

fn check_search(scene: &Scene, problems: &mut Vec<Problem>) {
    if let Some(skin) = scene.search.skin
        && !(skin > 0.0 && skin.is_finite())
    {
        problems.push(
            Problem::at("search.skin", format!("the skin is {skin} m"))
                .help("it must be positive; without it the engine chooses a skin"),
        );
    }
}

fn check_stages(scene: &Scene, problems: &mut Vec<Problem>) {
    let mut names = DeclaredNames {
        walls: scene.walls.iter().map(|wall| wall.name.clone()).collect(),
        groups: scene.particles.iter().map(|source| source.name.clone()).collect(),
        fields: scene.fields.iter().map(|field| field.name().to_owned()).collect(),
    };
    names.groups.extend(names.walls.clone());
    for (index, stage) in scene.stages.iter().enumerate() {
        check_stage(scene, index, stage, &mut names, problems);
    }
}

/// Names that a stage can refer to.
struct DeclaredNames {
    walls: Vec<String>,
    groups: Vec<String>,
    fields: Vec<String>,
}

fn check_stage(
    scene: &Scene,
    index: usize,
    stage: &Stage,
    names: &mut DeclaredNames,
    problems: &mut Vec<Problem>,
) {
    let path = format!("stages[{index}]");
    let end = &stage.end;
    if end.after.is_none()
        && end.kinetic_energy_below.is_none()
        && end.speed_below.is_none()
        && end.particles_reach.is_none()
        && end.particles_fall_to.is_none()
    {
        problems.push(
            Problem::at(format!("{path}.end"), format!("the stage `{}` never ends", stage.name))
                .help(format!(
                    "give it {} or another condition",
                    scene.notation.name(&Setting::EndAfter)
                )),
        );
    }
    for change in &stage.changes {
        match change {
            Change::RemoveWall(name) | Change::SetMotion(name, _) => {
                check_known("wall", name, &names.walls, &path, stage, problems);
            }
            Change::RemoveParticles(name) => {
                check_known("group", name, &names.groups, &path, stage, problems);
            }
            Change::RemoveField(name) => {
                check_known("field", name, &names.fields, &path, stage, problems);
            }
            Change::AddWall(wall) => check_wall(scene, wall, &path, problems),
            Change::Insert(source) => check_source(scene, source, &path, problems),
            Change::SetGravity(_) | Change::SetField(_) | Change::SetPair { .. } => {}
        }
        names.add(change);
    }
}

impl DeclaredNames {
    /// Updates the names after a change.
    fn add(&mut self, change: &Change) {
        match change {
            Change::RemoveWall(name) => self.walls.retain(|wall| wall != name),
            Change::AddWall(wall) => {
                self.walls.push(wall.name.clone());
                self.groups.push(wall.name.clone());
            }
            Change::Insert(source) => self.groups.push(source.name.clone()),
            Change::RemoveField(name) => self.fields.retain(|field| field != name),
            Change::SetField(field) => self.fields.push(field.name().to_owned()),
            _ => {}
        }
    }
}

fn check_known(
    kind: &str,
    name: &String,
    names: &[String],
    path: &str,
    stage: &Stage,
    problems: &mut Vec<Problem>,
) {
    if !names.contains(name) {
        let list = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        problems.push(
            Problem::at(path, format!("there is no {kind} `{name}` at the stage `{}`", stage.name))
                .help(format!("{kind}s at this stage: {list}")),
        );
    }
}
