//! Output that all ranks write together: requests of the first rank to the others.

use super::checkpoint_file;
use crate::output::rows;
use esker::state::Census;
use esker::{Simulation, Vec3};
use esker_draw::OutputError;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// A request of the first rank; files are given by their paths from the root.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Request {
    /// Write the sections of a checkpoint.
    Checkpoint(PathBuf),
    /// Write the particles of a frame.
    Particles(PathBuf),
    /// Send the contacts of a frame.
    Contacts,
    /// Sum the loads of walls.
    Walls,
    /// Write the particles as a table.
    ParticleTable(PathBuf),
    /// Write the contacts as a table.
    ContactTable(PathBuf),
    /// Count particles and contacts, with heights in this direction.
    Census(Vec3),
}

/// Sends a request to the other ranks, if there are any. The first rank then does the same.
pub(crate) fn lead(simulation: &Simulation, request: &Request) {
    // the types of a request can always be encoded
    simulation.request(&postcard::to_allocvec(request).unwrap_or_default());
}

/// Serves a request together with the first rank, which also finds and reports every error.
pub(super) fn serve(simulation: &Simulation, request: &[u8]) {
    let Ok(request) = postcard::from_bytes::<Request>(request) else { return };
    let served: io::Result<()> = match request {
        Request::Checkpoint(path) => checkpoint_file::write_sections(simulation, &path, None),
        Request::Particles(path) => rows::write_particles(simulation, &path),
        Request::Contacts => rows::collect_contacts(simulation).map(drop),
        Request::Walls => {
            simulation.rows().snapshot_without_rows();
            Ok(())
        }
        Request::ParticleTable(path) => rows::write_particle_table(simulation, &path),
        Request::ContactTable(path) => rows::write_contact_table(simulation, &path),
        Request::Census(up) => {
            count(simulation, up);
            Ok(())
        }
    };
    drop(served);
}

fn count(simulation: &Simulation, up: Vec3) -> Census {
    let rows = simulation.rows();
    rows.census(&rows.surroundings(), up)
}

/// Counts the particles and contacts of all ranks.
pub(crate) fn census(simulation: &Simulation, up: Vec3) -> Census {
    lead(simulation, &Request::Census(up));
    count(simulation, up)
}

/// Replaces a file by a table of particles or contacts, written by all ranks.
pub(crate) fn write_table(
    simulation: &Simulation,
    path: &Path,
    request: fn(PathBuf) -> Request,
) -> Result<(), OutputError> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let unfinished = path.with_file_name(format!(".{name}.{}", std::process::id()));
    let write = || {
        let request = request(absolute(&unfinished));
        lead(simulation, &request);
        match request {
            Request::ContactTable(_) => rows::write_contact_table(simulation, &unfinished),
            _ => rows::write_particle_table(simulation, &unfinished),
        }?;
        fs::rename(&unfinished, path)
    };
    write().map_err(|error| {
        let _ = fs::remove_file(&unfinished);
        OutputError::system("write", path)(error)
    })
}

/// The path from the root, for ranks in another working folder.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}
