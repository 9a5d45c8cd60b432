//! Our own binary: each call is a process of its own, which knows the caller only by the hash it gives.

use super::ask::Dialect;
use super::case::{Case, Times};
use super::judge::{Told, Tried};
use super::ours::{clear, lay, look, scratch};
use super::slip::Slip;
use crate::failure::Failure;
use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// The binary and a folder for it.
pub(super) struct Binary {
    program: PathBuf,
    place: TempDir,
    home: TempDir,
}

impl Binary {
    pub(super) fn of(program: PathBuf) -> Result<Binary, Failure> {
        Ok(Binary { program, place: scratch()?, home: scratch()? })
    }

    /// Tries a case; nothing if it cannot come about.
    pub(super) fn attempt(&self, case: &Case) -> Result<Option<Tried>, Failure> {
        let (_, arguments) = case.ask.call(&case.path, case.hash);
        let mut text = arguments.to_string();
        if is_cut(case) {
            text = text.chars().take(text.chars().count() * 7 / 10).collect();
        }
        self.attempt_as(case, &text, &[])
    }

    /// The same, with the arguments written so, and with these flags.
    pub(super) fn attempt_as(&self, case: &Case, text: &str, flags: &[&str]) -> Result<Option<Tried>, Failure> {
        let (tool, _) = case.ask.call(&case.path, case.hash);
        lay(self.place.path(), &case.path, &case.seen.bytes())?;
        if case.times == Times::Again {
            if self.call(tool, text, flags)? != Told::Done {
                clear(self.place.path(), &case.path)?;
                return Ok(None);
            }
        } else if case.disk != case.seen {
            lay(self.place.path(), &case.path, &case.disk.bytes())?;
        }
        let told = self.call(tool, text, flags)?;
        let (found, stray) = look(self.place.path(), &case.path)?;
        clear(self.place.path(), &case.path)?;
        Ok(Some(Tried { told, found, stray }))
    }

    fn call(&self, tool: &str, text: &str, flags: &[&str]) -> Result<Told, Failure> {
        let mut command = Command::new(&self.program);
        command.env(crate::home::VARIABLE, self.home.path());
        command.args(["call", tool, "--durability", "none"]).args(flags).arg("--root").arg(self.place.path()).arg("-");
        let (exit, said) = fed(command, text)?;
        let odd = || Failure::new(format!("{tool} ended with {exit:?}: {said}"), "run the call by hand");
        let reply: Value = serde_json::from_str(&said).unwrap_or_default();
        let kind = reply.pointer("/error/kind").or_else(|| reply.pointer("/errors/0/errorCode"));
        match (exit, kind.and_then(Value::as_str)) {
            (Some(0), None) => Ok(Told::Done),
            (Some(1), Some(kind)) => Ok(Told::Refused(kind.to_owned())),
            (Some(2), _) => Ok(Told::Refused("wrong usage".to_owned())),
            _ => Err(odd()),
        }
    }
}

/// On the command line a cut call is a cut text, and no reader closes what is open.
pub(super) fn is_cut(case: &Case) -> bool {
    case.slip == Slip::Cut && !matches!(case.dialect, Dialect::Envelope | Dialect::Diff | Dialect::Scopes)
}

/// Runs a program with this on its standard input; its exit status, and what it wrote.
pub(super) fn fed(mut command: Command, text: &str) -> Result<(Option<i32>, String), Failure> {
    let name = command.get_program().to_string_lossy().into_owned();
    let fail = |error: std::io::Error| Failure::io(&name, &error);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(fail)?;
    if let Some(mut input) = child.stdin.take() {
        // A program that has seen enough may have closed it.
        let _ = input.write_all(text.as_bytes());
    }
    let done = child.wait_with_output().map_err(fail)?;
    Ok((done.status.code(), String::from_utf8_lossy(&done.stdout).into_owned()))
}
