//! Running other programs from the project's root.
//!
//! Each run ends in success or in a [`Failure`] that names the command line.

use crate::failure::Failure;
use crate::say;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folder that holds the workspace. Cargo says at run time where xtask lies: a path fixed at build
/// time would be another checkout's where two share a target folder.
pub(crate) fn project_root() -> Result<PathBuf, Failure> {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let root = here.as_deref().and_then(Path::parent).map(Path::to_path_buf);
    root.ok_or_else(|| Failure::new("xtask does not know where the project is", "start it as `cargo xtask`"))
}

/// The same cargo that started us.
pub(crate) fn cargo(root: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root);
    command
}

/// Runs with our own standard streams; anything but success is a failure with `next` as advice.
pub(crate) fn plainly(mut command: Command, next: &str) -> Result<(), Failure> {
    let line = words(&command);
    let status = command.status().map_err(|error| Failure::io(&line, &error))?;
    if status.success() { Ok(()) } else { Err(Failure::new(format!("`{line}` ended with {status}"), next)) }
}

/// Runs and gives back what it wrote on standard output.
pub(crate) fn output(mut command: Command, next: &str) -> Result<Vec<u8>, Failure> {
    let line = words(&command);
    let done = command.stdin(Stdio::null()).output().map_err(|error| Failure::io(&line, &error))?;
    if done.status.success() {
        return Ok(done.stdout);
    }
    let said = String::from_utf8_lossy(&done.stderr).trim().to_owned();
    Err(Failure::new(format!("`{line}` ended with {}: {said}", done.status), next))
}

/// Runs, shows every line of standard output as it comes, and hands it to `each` as well.
pub(crate) fn watched(mut command: Command, next: &str, mut each: impl FnMut(&str)) -> Result<(), Failure> {
    let line = words(&command);
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(|error| Failure::io(&line, &error))?;
    if let Some(out) = child.stdout.take() {
        for text in BufReader::new(out).split(b'\n').map_while(Result::ok) {
            let text = String::from_utf8_lossy(&text);
            say::line(&text);
            each(&text);
        }
    }
    let status = child.wait().map_err(|error| Failure::io(&line, &error))?;
    if status.success() { Ok(()) } else { Err(Failure::new(format!("`{line}` ended with {status}"), next)) }
}

/// `cargo metadata` of the workspace at `root`, with `options` added.
pub(crate) fn metadata(root: &Path, options: &[&str]) -> Result<serde_json::Value, Failure> {
    let mut command = cargo(root);
    command.args(["metadata", "--format-version", "1"]).args(options);
    let bytes = output(command, "make every Cargo.toml readable to cargo")?;
    serde_json::from_slice(&bytes)
        .map_err(|error| Failure::new(format!("cargo metadata wrote no JSON: {error}"), "update cargo"))
}

fn words(command: &Command) -> String {
    let mut line = command.get_program().to_string_lossy().into_owned();
    for word in command.get_args() {
        line.push(' ');
        line.push_str(&word.to_string_lossy());
    }
    line
}
