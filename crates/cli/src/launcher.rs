//! Refusal to run under `mpirun`: this program has no MPI, so that every process would make the whole run,
//! all of them in the same folder.

use crate::arguments::Command;
use crate::failure::Failure;

/// Environment variables in which launchers of MPI programs pass the number of processes: Open MPI, and
/// MPICH with its relatives.
const SIZES: [&str; 2] = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE"];

/// Refuses commands that compute or write files if this is one of several processes of an MPI job.
pub fn refuse_several_processes(command: Option<&Command>) -> Result<(), Failure> {
    let only_reads = matches!(
        command,
        Some(Command::Check(_) | Command::List | Command::Info(_) | Command::Schema)
    );
    let size = |name: &&str| {
        let value = std::env::var(name).ok()?;
        value.trim().parse::<u64>().ok().filter(|&size| size > 1)
    };
    match SIZES.iter().find_map(|name| Some((name, size(name)?))) {
        Some((name, size)) if !only_reads => Err(Failure::input(format!(
            "this `esker` was built without MPI, but it was started as one of {size} processes \
             (`{name}` is {size}); all of them would make the same run in the same folder"
        ))
        .help(format!(
            "start it without `mpirun`: it uses all cores of this machine, see `--threads`. For \
             independent runs of different scenes, unset `{name}`"
        ))),
        _ => Ok(()),
    }
}
