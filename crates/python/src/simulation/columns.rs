//! Quantities of all particles, and energies, as arrays and dictionaries.

use crate::arrays;
use crate::state::Inner;
use esker::measure::Energy;
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Energies by name [J]; nan for those that need the ledger if it is not kept.
pub(super) fn energies<'py>(py: Python<'py>, inner: &Inner) -> PyResult<Bound<'py, PyDict>> {
    let energy = inner.simulation()?.energy();
    let found = PyDict::new(py);
    for (name, of, needs_ledger) in ENERGIES {
        let known = inner.loaded.scene.ledger || !needs_ledger;
        found.set_item(name, if known { of(&energy) } else { f64::NAN })?;
    }
    Ok(found)
}

/// A new array of a quantity of all particles, in order of id.
pub(super) fn of_particles<'py>(
    py: Python<'py>,
    inner: &Inner,
    name: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let particles = inner.simulation()?.particles();
    match name {
        "id" => {
            let ids = particles.metadata_by_id().map(|one| i64::from(one.0));
            Ok(ids.collect::<Vec<_>>().into_pyarray(py).into_any())
        }
        "group" => {
            let groups = particles.metadata_by_id().map(|one| one.1);
            Ok(groups.collect::<Vec<_>>().into_pyarray(py).into_any())
        }
        "material" => {
            let materials = particles.metadata_by_id().map(|one| one.2);
            Ok(materials.collect::<Vec<_>>().into_pyarray(py).into_any())
        }
        "image" => {
            let images: Vec<i32> = particles.metadata_by_id().flat_map(|one| one.3).collect();
            arrays::shaped(py, images, 3)
        }
        "charge" => {
            let charges = particles.metadata_by_id().map(|one| one.4);
            Ok(charges.collect::<Vec<_>>().into_pyarray(py).into_any())
        }
        "coordination" => {
            let snapshot = inner.simulation()?.snapshot();
            let found: Vec<u32> = snapshot.particles.iter().map(|one| one.coordination).collect();
            Ok(found.into_pyarray(py).into_any())
        }
        other => arrays::copied(py, particles, arrays::quantity(other)?),
    }
}

/// Energies: name, value, and whether it needs the ledger.
type EnergyColumn = (&'static str, fn(&Energy) -> f64, bool);
const ENERGIES: [EnergyColumn; 14] = [
    ("kinetic", |energy| energy.kinetic, false),
    ("rotational", |energy| energy.rotational, false),
    ("potential", |energy| energy.potential, false),
    ("elastic_normal", |energy| energy.elastic_normal, true),
    ("elastic_tangential", |energy| energy.elastic_tangential, true),
    ("cohesion", |energy| energy.cohesion, true),
    ("damping_loss", |energy| energy.damping_loss, true),
    ("sliding_loss", |energy| energy.sliding_loss, true),
    ("rolling_loss", |energy| energy.rolling_loss, true),
    ("cohesion_loss", |energy| energy.cohesion_loss, true),
    ("field_work", |energy| energy.field_work, true),
    ("wall_work", |energy| energy.wall_work, true),
    ("inserted", |energy| energy.inserted, true),
    ("closure_error", |energy| energy.closure_error, true),
];
