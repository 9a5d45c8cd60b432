//! CLI door: answers a shell that asks what can be typed next, and gives it the script that has it ask.

use super::help;
use clap_complete::env::{CompleteEnv, Shells};
use std::ffi::OsString;

/// A shell that asks for completions sets this.
pub const VARIABLE: &str = "PATCHWRIGHT_COMPLETE";

/// Answers a shell that asks for completions; was one asking?
pub fn answer(args: Vec<OsString>) -> bool {
    let current = std::env::current_dir().ok();
    let env = CompleteEnv::with_factory(help::command).var(VARIABLE).bin("patchwright").completer("patchwright");
    env.try_complete(args, current.as_deref()).unwrap_or(true)
}

/// The script that has a shell ask.
pub(super) fn script(shell: &str) -> Option<Vec<u8>> {
    let mut script = Vec::new();
    let shells = Shells::builtins();
    let shell = shells.completer(shell)?;
    shell.write_registration(VARIABLE, "patchwright", "patchwright", "patchwright", &mut script).ok()?;
    Some(script)
}
