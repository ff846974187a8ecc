//! Parts of a scene that a program reads separately while a simulation runs: a measure, a motion.

use crate::diagnostic::{Diagnostics, Severity};
use crate::settings::Measured;
use crate::text::nesting;
use crate::text::source::Source;
use crate::text::table::Table;
use crate::text::value::Context;
use crate::{Loaded, not_toml, read};
use esker::Vec3;
use esker::stage::Change;
use esker::wall::Motion;
use toml::de::DeTable;

impl Loaded {
    /// A measure given by its name and its options, a table in TOML such as `{ particles = "grains" }`.
    pub fn measure(&self, word: &str, options: &str) -> Result<Measured, Diagnostics> {
        let text = format!("{} = {options}\n", key(word));
        let read = |table: Table<'_>| read::measures::alone(table, &self.names(), &self.scene);
        snippet("<measure>", &text, self, read)
    }

    /// A motion of a wall, in TOML such as `{ velocity = [0, 0, 1] }`.
    pub fn motion(&self, motion: &str) -> Result<Motion, Diagnostics> {
        let text = format!("motion = {motion}\n");
        snippet("<motion>", &text, self, |table| {
            let motion = table.required("motion").map(|value| read::motion::read(&value));
            table.finish();
            motion
        })
    }

    /// A vector, in TOML such as `[0, 0, -9.81]`.
    pub fn vector(&self, name: &'static str, vector: &str) -> Result<Vec3, Diagnostics> {
        let text = format!("{name} = {vector}\n");
        snippet("<vector>", &text, self, |table| {
            let vector = table.required(name).and_then(|value| value.vec3());
            table.finish();
            vector
        })
    }

    /// Names of groups and walls, those of stages included.
    fn names(&self) -> read::Names {
        let scene = &self.scene;
        let mut names = read::Names {
            groups: scene.particles.iter().map(|source| source.name.clone()).collect(),
            walls: scene.walls.iter().map(|wall| wall.name.clone()).collect(),
            ..read::Names::default()
        };
        for change in scene.stages.iter().flat_map(|stage| &stage.changes) {
            match change {
                Change::AddWall(wall) => names.walls.push(wall.name.clone()),
                Change::Insert(source) => names.groups.push(source.name.clone()),
                _ => {}
            }
        }
        names
    }
}

/// A key as written in TOML.
fn key(word: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !word.is_empty() && word.chars().all(bare) {
        return word.to_owned();
    }
    toml::Value::String(word.to_owned()).to_string()
}

fn snippet<T>(
    name: &str,
    text: &str,
    loaded: &Loaded,
    read: impl FnOnce(Table<'_>) -> Option<T>,
) -> Result<T, Diagnostics> {
    let source = Source::new(name, text);
    let (document, errors) = DeTable::parse_recoverable(nesting::bounded(text));
    if !errors.is_empty() {
        return Err(Diagnostics::new(source, not_toml(&errors)));
    }
    let mut context = Context::new(document.get_ref(), &loaded.base);
    let found = read(Table::new(&context, document.get_ref(), String::new(), Some(0..0)));
    let mut remarks = std::mem::take(context.remarks.get_mut());
    remarks.retain(|remark| remark.severity == Severity::Error);
    match found {
        Some(found) if remarks.is_empty() => Ok(found),
        _ => Err(Diagnostics::new(source, remarks)),
    }
}
