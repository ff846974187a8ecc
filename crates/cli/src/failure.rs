//! Unsuccessful ends of the program: exit codes and messages.

use crate::interrupt::Interrupt;
use esker_draw::OutputError;
use esker_scene::Diagnostics;
use esker_scene::run::RunError;
use esker_scene::visible;
use std::io::{ErrorKind, IsTerminal, Write};
use std::path::Path;

/// A sweep or a comparison that was ended early by a signal.
pub const NOT_ALL: &str = "interrupted before all runs were finished";

/// Exit code of a run that reached its time limit, as that of the program `timeout`.
const OUT_OF_TIME: u8 = 124;

/// Reason of an unsuccessful end of the program.
#[derive(Debug)]
pub struct Failure {
    /// 1: stopped as unphysical, or warnings with `--strict`; 2: invalid input or arguments; 124: time limit reached;
    /// above 128: interrupted by a signal.
    pub code: u8,
    /// The message; shown without the prefix `error:` if `whole`; nothing is shown if it is empty.
    message: String,
    /// Help: the expected value.
    help: Option<String>,
    /// True if the message is shown without prefix.
    whole: bool,
}

impl Failure {
    /// Invalid input or arguments.
    pub fn input(message: impl Into<String>) -> Self {
        Self { code: 2, message: message.into(), help: None, whole: false }
    }

    /// The run was stopped as unphysical.
    pub fn unphysical(message: impl Into<String>) -> Self {
        Self { code: 1, ..Self::input(message) }
    }

    /// There are warnings, and `--strict` was given.
    pub fn strict(warnings: usize) -> Self {
        let (count, s) = (warnings, if warnings == 1 { "" } else { "s" });
        let message = format!("{count} warning{s} with `--strict`");
        Self { code: 1, ..Self::input(message) }
    }

    /// The time limit of `--max-time` was reached, and the run has been saved.
    pub fn out_of_time() -> Self {
        Self { code: OUT_OF_TIME, ..Self::input("") }
    }

    /// A signal ended the run, which has been saved. Nothing is shown unless a message is added.
    pub fn interrupted(interrupt: &Interrupt) -> Self {
        Self { code: interrupt.exit_code(), ..Self::input("") }
    }

    /// The same failure with a message.
    #[must_use]
    pub fn saying(self, message: impl Into<String>) -> Self {
        Self { message: message.into(), ..self }
    }

    /// Adds the help.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The problem.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Prints the message on stderr.
    pub fn report(&self) {
        if self.message.is_empty() {
            return;
        }
        if self.whole {
            say_rendered(&self.message);
        } else {
            let word = if colour() { "\x1b[1;91merror\x1b[0m" } else { "error" };
            say_rendered(format_args!("{word}: {}\n", visible(&self.message)));
        }
        if let Some(help) = &self.help {
            let word = if colour() { "\x1b[1;36mhelp\x1b[0m" } else { "help" };
            say_rendered(format_args!("{word}: {}\n", visible(help)));
        }
    }
}

impl From<Diagnostics> for Failure {
    fn from(diagnostics: Diagnostics) -> Self {
        Self { whole: true, ..Self::input(diagnostics.render(colour())) }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        let help = error.help();
        let failure = match error {
            RunError::Scene(diagnostics) => Self::from(*diagnostics),
            RunError::Doubtful(warnings) => {
                for warning in &warnings {
                    say(format_args!("warning: {warning}\n"));
                }
                Self::strict(warnings.len())
            }
            other => Self::input(other.to_string()),
        };
        match help {
            Some(help) => failure.help(help),
            None => failure,
        }
    }
}

impl From<OutputError> for Failure {
    fn from(error: OutputError) -> Self {
        Self::input(error.to_string())
    }
}

/// Prints a message on stderr, with control characters made visible. A closed stderr is ignored.
pub fn say(text: impl std::fmt::Display) {
    say_rendered(visible(&text.to_string()));
}

/// Prints a text on stderr that may contain colour codes and in which control characters of the input are already
/// visible.
pub fn say_rendered(text: impl std::fmt::Display) {
    let _ = write!(std::io::stderr(), "{text}");
}

/// True if messages may be coloured.
pub fn colour() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none()
}

/// Writes data to stdout, with control characters made visible. A reader that closes the pipe, such as `head`, is not
/// an error.
pub fn print(text: &str) -> Result<(), Failure> {
    print_raw(&visible(text))
}

/// Writes a path to stdout: unchanged for a script, with control characters made visible for a terminal.
pub fn print_path(path: &Path) -> Result<(), Failure> {
    let line = format!("{}\n", path.display());
    if std::io::stdout().is_terminal() { print(&line) } else { print_raw(&line) }
}

fn print_raw(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::input(format!("cannot write to stdout: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes a line of data to stdout.
pub fn print_line(text: &str) -> Result<(), Failure> {
    print(&format!("{text}\n"))
}
