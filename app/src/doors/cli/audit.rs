//! CLI door: `audit verify` and `audit export`. A record that does not hold up is exit status 1.

mod entry;

use super::args::{AuditCommand, ExportArgs, Reader};
use super::findings::sentence;
use super::names;
use super::output::Ports;
use super::stop::{Ending, Stop};
use crate::doors::exit_code::Status;
use crate::wire;
use patchwright_core::digest::Digest;
use patchwright_core::tool::{After, Age};
use patchwright_engine::{AuditCheck, AuditEntry, AuditFilter, Finding, Session};
use serde_json::{Value, json};
use std::io;

pub(super) fn run(command: &AuditCommand, session: &Session, ports: &mut Ports<'_>) -> Ending {
    match command {
        AuditCommand::Verify { head } => {
            let malformed = || Stop::usage("--head takes the 64 hex digits that an answer gave as auditHead");
            let head = head.as_deref().map(|hex| Digest::parse(hex).ok_or_else(malformed)).transpose()?;
            verify(&session.audit_verify(head)?, ports)
        }
        AuditCommand::Export(args) => export(&wanted(args, session)?, session, ports),
    }
}

fn verify(check: &AuditCheck, ports: &mut Ports<'_>) -> Ending {
    match ports.reader() {
        Reader::Program => ports.json(&checked(check))?,
        Reader::Person => {
            for finding in &check.findings {
                ports.complain(&sentence(finding));
            }
            let head = check.head.map_or("none".to_owned(), |head| head.to_string());
            ports.say(&format!("{} records are whole and in order; head {head}", check.records))?;
        }
    }
    Ok(if sound(check) { Status::Done } else { Status::Refused })
}

/// A torn tail is a write that never counted: worth a word, and no damage.
pub(super) fn sound(check: &AuditCheck) -> bool {
    check.findings.iter().all(|finding| matches!(finding, Finding::TornTail { .. }))
}

/// A check as JSON.
pub(super) fn checked(check: &AuditCheck) -> Value {
    json!({
        "ok": sound(check),
        "records": check.records,
        "head": check.head.map(|head| head.to_string()),
        "findings": check.findings.iter().map(sentence).collect::<Vec<_>>(),
    })
}

/// Which entries are wanted. What cannot be meant is told, not taken for nothing.
fn wanted(args: &ExportArgs, session: &Session) -> Result<AuditFilter, Stop> {
    if let Some(tool) = args.tool.as_deref().filter(|tool| !OWN_ACTS.contains(tool)) {
        wire::tool(tool).map_err(|unknown| Stop::usage(format!("--tool: {unknown}")))?;
    }
    for (flag, given) in [("--session", &args.session), ("--path", &args.path)] {
        if given.as_deref() == Some("") {
            return Err(Stop::usage(format!("{flag} is empty; leave it out to have all")));
        }
    }
    let since = args.since.as_deref().map(|given| after(given, session)).transpose()?;
    let until = args.until.as_deref().map(before).transpose()?;
    if let (Some(After::Time(since)), Some(until)) = (&since, until)
        && is_later(*since, until)
    {
        return Err(Stop::usage(
            "--since is later than --until, so that nothing can come after the one and before the other",
        ));
    }
    Ok(AuditFilter { session: args.session.clone(), tool: args.tool.clone(), path: args.path.clone(), since, until })
}

/// What is on record without being a tool of callers.
const OWN_ACTS: [&str; 3] = ["adopt", "resume", "retention"];

/// A time, an age, or a batch by its id or the beginning of it; as `log` takes it.
fn after(given: &str, session: &Session) -> Result<After, Stop> {
    let malformed = || {
        Stop::usage(format!(
            "--since takes a time such as 2026-01-31T00:00:00Z, an age such as 2h or 3d, or a batch's id, and it is {given:?}"
        ))
    };
    match After::parse(given) {
        Some(After::Batch(id)) => Ok(After::Batch(session.batch_id(&names::id(session, &id)?)?)),
        parsed => parsed.ok_or_else(malformed),
    }
}

fn before(given: &str) -> Result<Age, Stop> {
    let malformed = || {
        Stop::usage(format!(
            "--until takes a time such as 2026-01-31T00:00:00Z, or an age such as 2h or 3d, and it is {given:?}"
        ))
    };
    Age::parse(given).ok_or_else(malformed)
}

/// Does a stretch of time begin after it ends? A time and an age can only be compared by a clock.
fn is_later(since: Age, until: Age) -> bool {
    match (since, until) {
        (Age::Before(since), Age::Before(until)) => since > until,
        (Age::OlderThan(since), Age::OlderThan(until)) => since < until,
        _ => false,
    }
}

fn export(filter: &AuditFilter, session: &Session, ports: &mut Ports<'_>) -> Ending {
    // Its own failure must not come back disguised as the store's.
    let mut failed = None;
    let mut sink = |entry: &AuditEntry| {
        let written = ports.json(&entry::exported(entry));
        written.map_err(|error| {
            let told = io::Error::from(error.kind());
            failed = Some(error);
            told
        })
    };
    let exported = session.audit_select(filter, &mut sink);
    if let Some(error) = failed {
        return Err(error.into());
    }
    let damage = exported?;
    for finding in &damage {
        ports.complain(&sentence(finding));
    }
    Ok(if damage.is_empty() { Status::Done } else { Status::Refused })
}
