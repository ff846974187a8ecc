//! A scene: its text, overrides, and particles given as arrays.

use crate::{arrays, convert, error};
use esker::insert::Sphere;
use esker::{Quat, Vec3};
use esker_scene::builtin;
use esker_scene::{Loaded, ParticleArrays, Provided, SceneText, Setting, Source};
use numpy::PyArrayMethods;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyDict, PyList, PyTuple};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// The text of a scene with its additions.
#[derive(Debug, Clone)]
pub struct Content {
    /// The text, its name in messages and the folder of its files.
    pub text: SceneText,
    /// A name for its run folder.
    pub stem: String,
    /// Overrides: paths and values in TOML.
    pub settings: Vec<(String, String)>,
    /// Particles given as arrays, by file name in the text.
    pub provided: Provided,
}

impl Content {
    /// Reads the scene.
    pub fn load(&self) -> Result<Loaded, esker_scene::Diagnostics> {
        let settings: Vec<Setting<'_>> = self
            .settings
            .iter()
            .map(|(path, value)| Setting { option: "set", path, value })
            .collect();
        self.text.load_provided(&settings, &self.provided)
    }

    /// All parts from which an equal scene can be made.
    pub fn parts<'py>(self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let provided = PyList::empty(py);
        for (file, list) in &self.provided {
            provided.append((file, columns_of(py, list)?))?;
        }
        let SceneText { name, text, base } = self.text;
        (name, text, base, self.stem, self.settings, provided).into_pyobject(py)
    }

    /// `KEY=VALUE` as recorded by the program.
    pub fn overrides(&self) -> Vec<String> {
        self.settings.iter().map(|(path, value)| format!("{path}={value}")).collect()
    }
}

/// A scene: everything that determines a run.
#[pyclass(frozen, subclass, module = "esker._native")]
#[derive(Debug)]
pub struct Scene {
    content: Mutex<Content>,
}

impl Scene {
    /// A copy of the content.
    pub fn content(&self, py: Python<'_>) -> PyResult<Content> {
        Ok(self.lock(py)?.clone())
    }

    fn lock(&self, py: Python<'_>) -> PyResult<std::sync::MutexGuard<'_, Content>> {
        let locked = self.content.lock_py_attached(py);
        locked.map_err(|_| {
            PyRuntimeError::new_err("this is a bug in Esker: the scene is in an invalid state")
        })
    }

    /// Reads the scene; errors become an exception.
    pub fn load(&self, py: Python<'_>) -> PyResult<(Content, Loaded)> {
        let content = self.content(py)?;
        let loaded = py.detach(|| error::without_panic(|| content.load()))?;
        let loaded = loaded.map_err(|diagnostics| error::scene(py, &diagnostics))?;
        Ok((content, loaded))
    }
}

#[pymethods]
impl Scene {
    #[new]
    #[pyo3(signature = (name, text, folder, stem, settings=Vec::new(), provided=None))]
    fn new(
        name: String,
        text: String,
        folder: PathBuf,
        stem: String,
        settings: Vec<(String, String)>,
        provided: Option<Bound<'_, PyList>>,
    ) -> PyResult<Self> {
        let mut lists = Provided::new();
        for item in provided.iter().flat_map(|list| list.iter()) {
            let (file, columns): (String, Bound<'_, PyDict>) = item.extract()?;
            lists.insert(file, Arc::new(list_of(&columns)?));
        }
        let text = SceneText { name, text, base: folder };
        Ok(Self { content: Mutex::new(Content { text, stem, settings, provided: lists }) })
    }

    /// Name, text, folder and stem of a file or built-in scene.
    #[staticmethod]
    fn find(py: Python<'_>, source: &str) -> PyResult<(String, String, PathBuf, String)> {
        let (stem, text) = builtin::open(source).map_err(|error| error::open(py, &error))?;
        Ok((text.name, text.text, text.base, stem))
    }

    /// All parts from which an equal scene can be made: the arguments of the constructor.
    fn parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.content(py)?.parts(py)
    }

    /// Units of the columns of each measure.
    fn measure_units(
        &self,
        py: Python<'_>,
    ) -> PyResult<BTreeMap<String, BTreeMap<String, String>>> {
        let (_, loaded) = self.load(py)?;
        let units = loaded.outputs.measures.iter().map(|measured| {
            let columns = measured.measure.columns().into_iter();
            let columns = columns.map(|column| (column.name, column.unit.to_owned()));
            (measured.name.clone(), columns.collect())
        });
        Ok(units.collect())
    }

    /// The text with all overrides.
    fn toml(&self, py: Python<'_>) -> PyResult<String> {
        let content = self.content(py)?;
        let mut source = Source::new(&content.text.name, &content.text.text);
        for (path, value) in &content.settings {
            source
                .set(Setting { option: "set", path, value })
                .map_err(|what| PyValueError::new_err(what.clone()))?;
        }
        Ok(source.text().to_owned())
    }

    /// Overrides as pairs of a path and a value in TOML.
    #[staticmethod]
    #[pyo3(signature = (changes=None))]
    fn settings_of(changes: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<(String, String)>> {
        convert::settings(changes)
    }

    /// A name for the folder of a run.
    #[getter]
    fn stem(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.lock(py)?.stem.clone())
    }

    /// Name of the text in messages.
    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.lock(py)?.text.name.clone())
    }

    /// Title of the scene; empty if it has none.
    #[getter]
    fn title(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.load(py)?.1.scene.title)
    }

    /// Adds a group of particles. `text` is its table in the scene file, which names `file`.
    fn add_group(
        &self,
        py: Python<'_>,
        file: String,
        text: &str,
        columns: &Bound<'_, PyDict>,
    ) -> PyResult<()> {
        let list = list_of(columns)?;
        let mut content = self.lock(py)?;
        content.text.text.push_str(text);
        content.provided.insert(file, Arc::new(list));
        Ok(())
    }

    /// Warnings of the reader, as problems.
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let (_, loaded) = self.load(py)?;
        let source = loaded.source.clone();
        error::problems(py, &esker_scene::Diagnostics::new(source, loaded.warnings))
    }

    /// Warnings of the engine and derived quantities, as `esker check` prints them.
    #[pyo3(signature = (estimate=true))]
    fn describe(&self, py: Python<'_>, estimate: bool) -> PyResult<(Vec<String>, String)> {
        let (_, mut loaded) = self.load(py)?;
        let checked = py.detach(|| {
            error::without_panic(|| {
                loaded.scene.threads = esker_scene::run::suitable_threads(&loaded.scene);
                let (loaded, mut simulation) = esker_scene::run::build_without_end(&loaded)?;
                Ok(if estimate {
                    let checked = esker_scene::check::check(&loaded, &mut simulation);
                    (checked.warnings, checked.text)
                } else {
                    let text = esker_scene::check::describe(&loaded, &simulation);
                    (simulation.warnings().to_vec(), text)
                })
            })
        })?;
        checked.map_err(|error| error::run(py, &error))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<esker.Scene {}>", self.lock(py)?.text.name))
    }
}

/// Particles from columns of Python: position, radius, and optionally velocity, spin, orientation, charge.
fn list_of(columns: &Bound<'_, PyDict>) -> PyResult<ParticleArrays> {
    let column = |name: &str| columns.get_item(name);
    let missing = |name: &str| PyValueError::new_err(format!("`{name}` is missing"));
    let positions =
        arrays::vectors_of(&column("position")?.ok_or_else(|| missing("position"))?, "position")?;
    let count = positions.len();
    let radius = column("radius")?.ok_or_else(|| missing("radius"))?;
    let radii = arrays::numbers_of(&radius, "radius", count)?;
    let optional = |name: &str| -> PyResult<Option<Vec<Vec3>>> {
        let Some(values) = column(name)? else { return Ok(None) };
        let values = arrays::vectors_of(&values, name)?;
        check_length(name, values.len(), count)?;
        Ok(Some(values))
    };
    let (velocities, spins) = (optional("velocity")?, optional("spin")?);
    let mut orientations = Vec::new();
    if let Some(values) = column("orientation")? {
        let rows = arrays::rows(&values, "orientation", 4)?;
        check_length("orientation", rows.len(), count)?;
        for row in rows {
            let quaternion = Quat::from_xyzw(row[0], row[1], row[2], row[3]);
            if !((quaternion.length() - 1.0).abs() < 1e-3) {
                let message = "`orientation` must have unit quaternions (x, y, z, w)";
                return Err(PyValueError::new_err(message));
            }
            orientations.push(quaternion.normalize());
        }
    }
    let mut charges = Vec::new();
    if let Some(values) = column("charge")? {
        charges = arrays::numbers_of(&values, "charge", count)?;
        if charges.iter().any(|charge| !charge.is_finite()) {
            return Err(PyValueError::new_err("`charge` has a value that is not finite"));
        }
    }
    let at =
        |list: &Option<Vec<Vec3>>, index: usize| list.as_ref().map_or(Vec3::ZERO, |l| l[index]);
    let mut spheres = Vec::with_capacity(count);
    for (index, (position, radius)) in positions.into_iter().zip(radii).enumerate() {
        let sphere =
            Sphere { position, radius, velocity: at(&velocities, index), spin: at(&spins, index) };
        let finite = position.is_finite() && sphere.velocity.is_finite() && sphere.spin.is_finite();
        if !(finite && radius > 0.0 && radius.is_finite()) {
            return Err(PyValueError::new_err(format!(
                "particle {index} has a value that is not finite, or a radius that is not positive"
            )));
        }
        spheres.push(sphere);
    }
    Ok(ParticleArrays { spheres, orientations, charges })
}

fn check_length(name: &str, found: usize, expected: usize) -> PyResult<()> {
    match found == expected {
        true => Ok(()),
        false => Err(PyValueError::new_err(format!(
            "`{name}` has {found} rows for {expected} particles"
        ))),
    }
}

fn columns_of<'py>(py: Python<'py>, list: &ParticleArrays) -> PyResult<Bound<'py, PyDict>> {
    let columns = PyDict::new(py);
    let vectors = |of: fn(&Sphere) -> Vec3| {
        let values = list.spheres.iter().flat_map(|sphere| of(sphere).to_array());
        arrays::matrix(py, values.collect())
    };
    columns.set_item("position", vectors(|sphere| sphere.position)?)?;
    columns.set_item("velocity", vectors(|sphere| sphere.velocity)?)?;
    columns.set_item("spin", vectors(|sphere| sphere.spin)?)?;
    let radii: Vec<f64> = list.spheres.iter().map(|sphere| sphere.radius).collect();
    columns.set_item("radius", numpy::PyArray1::from_vec(py, radii))?;
    if !list.orientations.is_empty() {
        let values: Vec<f64> = list.orientations.iter().flat_map(|one| one.to_array()).collect();
        let array = numpy::PyArray1::from_vec(py, values);
        columns.set_item("orientation", array.reshape([list.orientations.len(), 4])?)?;
    }
    if !list.charges.is_empty() {
        columns.set_item("charge", numpy::PyArray1::from_slice(py, &list.charges))?;
    }
    Ok(columns)
}

/// Names and descriptions of the built-in scenes.
#[pyfunction]
pub fn builtin_scenes() -> Vec<(&'static str, &'static str)> {
    builtin::all().iter().map(|scene| (scene.name, scene.about())).collect()
}

/// The names of all measures.
#[pyfunction]
pub fn measure_words() -> Vec<&'static str> {
    esker_scene::measure_words()
}

/// The JSON schema of scene files.
#[pyfunction]
pub fn schema() -> String {
    esker_scene::schema::schema().to_string()
}
