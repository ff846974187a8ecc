//! Refusal to run under `mpirun` without MPI: every process would make the whole run in the same folder.

use crate::arguments::Command;
use crate::failure::Failure;

/// Environment variables in which launchers of MPI programs pass the number of processes: those of Open MPI, and of
/// MPICH and its derivatives.
const SIZES: [&str; 2] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE"];

/// Number of processes of the MPI job of this process, and the variable that states it; none if it is the only one.
pub fn processes() -> Option<(&'static str, u64)> {
    let size = |name: &&str| {
        let value = std::env::var(name).ok()?;
        value.trim().parse::<u64>().ok().filter(|&size| size > 1)
    };
    SIZES.iter().find_map(|name| Some((*name, size(name)?)))
}

/// Reason for refusing several processes.
#[cfg(not(feature = "mpi"))]
const PROBLEM: &str = "this `esker` was built without MPI";
#[cfg(feature = "mpi")]
const PROBLEM: &str = "this command does not use MPI";

/// Refuses commands that compute or write files if this is one of several processes of an MPI job.
pub fn refuse_several_processes(command: Option<&Command>) -> Result<(), Failure> {
    let only_reads = matches!(
        command,
        Some(Command::Check(_) | Command::List | Command::Info(_) | Command::Schema)
    );
    let uses_mpi =
        cfg!(feature = "mpi") && matches!(command, Some(Command::Run(_) | Command::Bench(_)));
    let is_allowed = only_reads || uses_mpi;
    match processes() {
        Some((name, size)) if !is_allowed => Err(Failure::input(format!(
            "{PROBLEM}, but it was started as one of {size} processes \
             (`{name}` is {size}); all of them would make the same run in the same folder"
        ))
        .help(format!(
            "start it without `mpirun`: it uses all cores of this machine, see `--threads`. For \
             independent runs of different scenes, unset `{name}`"
        ))),
        _ => Ok(()),
    }
}
