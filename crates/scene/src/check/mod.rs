//! `esker check`: time step, contact times, counts and laws of a scene, without running it.

pub mod estimate;
mod limits;

use crate::Loaded;
use crate::run::TimeStep;
use esker::Simulation;
use esker::law::{Model, MomentArm};
use esker::wall::Shape;
use std::fmt::Write;
use std::sync::Arc;

/// Summary of a scene.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// Warnings of the engine; those of the reader are in [`Loaded::warnings`].
    pub warnings: Vec<String>,
    /// Derived quantities, a line each.
    pub text: String,
}

/// Describes a scene that has been built. Advances the simulation by some steps to measure its speed.
pub fn check(loaded: &Loaded, simulation: &mut Simulation) -> Checked {
    let mut warnings = simulation.warnings().to_vec();
    warnings.extend(limits::warning(loaded, simulation));
    let mut page = Page(describe(loaded, simulation));
    page.line("run time", estimate::run_time(loaded, simulation));
    Checked { warnings, text: page.0 }
}

/// The derived quantities alone, without an estimate of the run time.
pub fn describe(loaded: &Loaded, simulation: &Simulation) -> String {
    let mut page = Page::default();
    contents(&mut page, loaded, simulation);
    laws(&mut page, loaded, simulation);
    for remark in simulation.remarks() {
        page.line("", remark);
    }
    attractions(&mut page, simulation);
    fields(&mut page, loaded);
    times(&mut page, loaded, simulation);
    cost(&mut page, loaded, simulation);
    page.0
}

/// Lines of a name and a value.
#[derive(Debug, Default)]
struct Page(String);

impl Page {
    fn line(&mut self, name: &str, value: impl std::fmt::Display) {
        let _ = writeln!(self.0, "{name:<16} {value}");
    }
}

fn contents(page: &mut Page, loaded: &Loaded, simulation: &Simulation) {
    let scene = &loaded.scene;
    page.line("scene", loaded.source.name());
    if !scene.title.is_empty() {
        page.line("title", &scene.title);
    }
    page.line("seed", scene.seed);
    page.line("gravity", format!("{} m/s²", scene.gravity));
    let domain = simulation.domain();
    page.line("domain", format!("{} to {} m", domain.min, domain.max));
    page.line("particles", format!("{} at the start", simulation.particles().len()));
    let snapshot = simulation.snapshot();
    for (index, group) in snapshot.groups.iter().enumerate() {
        let members = || snapshot.particles.iter().filter(|p| p.group.index() == index);
        let radii = members().map(|p| p.radius);
        let (low, high) = radii.fold((f64::INFINITY, 0.0_f64), |(low, high), radius| {
            (low.min(radius), high.max(radius))
        });
        let size = if low < high {
            format!(", radius {low:.4e} to {high:.4e} m")
        } else if low.is_finite() {
            format!(", radius {low:.4e} m")
        } else {
            ", to be inserted during the run".to_owned()
        };
        page.line("", format!("{group}: {}{size}", members().count()));
    }
    page.line("walls", scene.walls.len());
    for wall in &scene.walls {
        let material = scene.materials.get(wall.material.index());
        let material = material.map_or("", |(name, _)| name.as_str());
        let moves = if wall.motion.is_still() { "" } else { ", moving" };
        page.line("", format!("{}: {} of {material}{moves}", wall.name, shape(&wall.shape)));
    }
}

fn shape(shape: &Shape) -> String {
    match shape {
        Shape::HalfSpace { .. } => "half-space".to_owned(),
        Shape::Rectangle { .. } => "rectangle".to_owned(),
        Shape::Disc { .. } => "disc".to_owned(),
        Shape::Cylinder { .. } => "cylinder".to_owned(),
        Shape::Cone { .. } => "cone".to_owned(),
        Shape::Sphere { .. } => "sphere".to_owned(),
        Shape::Mesh(mesh) => {
            let facets = mesh.triangles().len();
            let mut edges = match mesh.open_edges() {
                0 => format!("closed mesh of {facets} facets"),
                1 => format!("open mesh of {facets} facets, 1 boundary edge"),
                open => format!("open mesh of {facets} facets, {open} boundary edges"),
            };
            match mesh.branching_edges() {
                0 => {}
                1 => edges.push_str(", 1 edge of three or more facets"),
                many => _ = write!(edges, ", {many} edges of three or more facets"),
            }
            edges
        }
        Shape::Particles(list) => format!("{} particles", list.len()),
        Shape::Surface(surface) => surface.name().to_owned(),
    }
}

/// The speed below which friction or rolling resistance decreases to zero, relative to that of a fall through the
/// smallest particle.
fn smoothing(page: &mut Page, speed: f64, loaded: &Loaded, simulation: &Simulation) {
    let snapshot = simulation.snapshot();
    let radii = snapshot.particles.iter().map(|particle| particle.radius);
    let smallest = radii.fold(f64::INFINITY, f64::min);
    let fall = (2.0 * smallest * loaded.scene.gravity.length()).sqrt();
    if fall > 0.0 && fall.is_finite() {
        let fraction = speed / fall;
        page.line("", format!("smoothing_speed is {fraction:.2e} of √(g d) = {fall:.3e} m/s"));
    }
}

fn laws(page: &mut Page, loaded: &Loaded, simulation: &Simulation) {
    let contact = &loaded.scene.contact;
    let word = |law: &Option<Arc<dyn Model>>| law.as_ref().map_or("none", |law| law.name());
    page.line(
        "laws",
        format!(
            "normal {}, damping {}, tangential {}, rolling {}",
            word(&contact.normal),
            word(&contact.damping),
            word(&contact.tangential),
            word(&contact.rolling)
        ),
    );
    for law in &loaded.laws {
        let options: Vec<String> =
            law.options.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let options = if options.is_empty() { "no options".to_owned() } else { options.join(", ") };
        page.line("", format!("{} {}: {options}", law.slot, law.word));
    }
    page.line("", format!("lever {}", moment_arm(contact.moment_arm)));
    for (materials, pair) in &loaded.scene.pairs {
        let names = materials.map(|id| {
            let material = loaded.scene.materials.get(id.index());
            material.map_or(String::new(), |(name, _)| name.clone())
        });
        let values: Vec<String> =
            pair.iter().map(|(name, value)| format!("{name} {value}")).collect();
        page.line("", format!("{}: {}", names.join(" with "), values.join(", ")));
        if let Some(speed) = pair.value("smoothing_speed") {
            smoothing(page, speed, loaded, simulation);
        }
    }
}

fn moment_arm(moment_arm: MomentArm) -> &'static str {
    match moment_arm {
        MomentArm::HalfOverlap => "half-overlap",
        MomentArm::Radius => "radius",
        MomentArm::Contact => "contact",
    }
}

/// Attraction of the smallest particles of each pair.
fn attractions(page: &mut Page, simulation: &Simulation) {
    let mut name = "attraction";
    for found in simulation.attractions() {
        let [first, second] = &found.between;
        let partner = if found.at_wall { "a wall of " } else { "" };
        let mut text =
            format!("{first} with {partner}{second}: {:.3e} N at contact", found.at_touch);
        if let Some(number) = found.bond_number {
            let _ = write!(text, ", Bond number {number:.3e}");
        }
        if let Some(fraction) = found.fraction_at_limit {
            let _ = write!(text, ", {fraction:.3} of the elastic force at the overlap limit");
        }
        let _ = write!(text, "; interaction range {:.3e} m", found.interaction_range);
        page.line(std::mem::take(&mut name), text);
    }
}

fn fields(page: &mut Page, loaded: &Loaded) {
    let mut name = "fields";
    for field in &loaded.scene.fields {
        page.line(std::mem::take(&mut name), field.describe());
    }
}

fn times(page: &mut Page, loaded: &Loaded, simulation: &Simulation) {
    let time = TimeStep::of(simulation);
    let choice = simulation.step_choice();
    page.line("integrator", loaded.scene.integrator.name());
    let how = limits::how(&loaded.scene.step, &choice);
    page.line("time step", format!("{:.4e} s ({how})", time.step));
    if time.rayleigh_time.is_finite() {
        let fraction = time.step / time.rayleigh_time;
        page.line("", format!("{fraction:.3} of the Rayleigh time {:.4e} s", time.rayleigh_time));
    }
    if simulation.is_tied_to_step() && choice.criterion.is_some() {
        page.line("", "a law contains the length of the step: the step never grows");
    }
    page.line("stability", limits::stability(&choice, time.step));
    page.line("next impact", limits::coming(&choice));
    let assumed = format!("{:.4e} s at the speed assumed", time.contact_time);
    page.line("contact time", format!("{assumed}, {:.4} m/s: the shortest", time.speed));
    let papers = time.contact_time / 20.0;
    page.line("", format!("the papers' rule, a twentieth of it, is {papers:.4e} s"));
    for (name, value) in [
        ("relaxation", time.relaxation_time),
        ("gyration", time.gyration_time),
        ("wall period", time.wall_period),
    ] {
        if value.is_finite() {
            page.line(name, format!("{value:.4e} s, the shortest"));
        }
    }
    if let Some(text) = limits::impact(loaded, simulation) {
        page.line("impact overlap", text);
    }
    page.line("stages", loaded.scene.stages.len());
    for stage in &loaded.scene.stages {
        let mut ends = Vec::new();
        if let Some(after) = stage.end.after {
            let steps = (after / time.step).ceil();
            ends.push(format!("after {after} s (about {steps} steps)"));
        }
        if let Some(energy) = stage.end.kinetic_energy_below {
            ends.push(format!("when the kinetic energy is below {energy} J"));
        }
        if let Some(speed) = stage.end.speed_below {
            ends.push(format!("when every particle is slower than {speed} m/s"));
        }
        if let Some(count) = stage.end.particles_reach {
            ends.push(format!("with {count} particles or more"));
        }
        if let Some(count) = stage.end.particles_fall_to {
            ends.push(format!("with {count} particles or fewer"));
        }
        page.line("", format!("{}: ends {}", stage.name, ends.join(", or ")));
    }
}

fn cost(page: &mut Page, loaded: &Loaded, simulation: &Simulation) {
    let bytes = simulation.bytes();
    let count = simulation.particles().len().max(1);
    let megabytes = bytes as f64 / 1e6;
    page.line(
        "memory",
        format!("{megabytes:.1} MB at the start, {} B per particle", bytes / count),
    );
    let contacts = simulation.contacts();
    let touching = contacts.iter().filter(|contact| contact.overlap > 0.0).count();
    let (pairs, _) = simulation.pairs_and_contacts();
    page.line("contacts", format!("{touching} at the start; {pairs} pairs in the neighbour list"));
    if let Some(overlap) = simulation.largest_overlap() {
        page.line("", format!("largest overlap {overlap}"));
    }
    let outputs = &loaded.outputs;
    let mut files = Vec::new();
    let mut interval = |name: &str, every: Option<f64>| {
        files.extend(every.map(|every| format!("{name} every {every} s")));
    };
    interval(
        "frames",
        outputs.frames.as_ref().filter(|frames| frames.are_written()).map(|f| f.every),
    );
    interval("energy", outputs.energy);
    interval("walls", outputs.walls);
    interval("contacts", outputs.contacts);
    interval("checkpoints", outputs.checkpoint);
    files.extend(outputs.probes.iter().map(|probe| format!("probe {}", probe.name)));
    files.extend(outputs.measures.iter().map(|measured| format!("measure {}", measured.name)));
    files.extend(outputs.events.map(|_| "events".to_owned()));
    files.extend(outputs.final_state.then(|| "the final state".to_owned()));
    page.line("outputs", files.join(", "));
}
