//! CLI door: `audit verify` and `audit export`. A record that does not hold up is exit status 1.

use super::args::{AuditCommand, Reader};
use super::output::{Ending, Ports, Stop};
use crate::doors::status::Status;
use crate::report::time::rfc3339;
use patchwright::{AuditCheck, AuditEntry, Finding, Workspace};
use patchwright_core::digest::Digest;
use serde_json::{Map, Value, json};
use std::io;

pub(super) fn run(command: &AuditCommand, workspace: &Workspace, ports: &mut Ports<'_>) -> Ending {
    match command {
        AuditCommand::Verify { head, shown } => {
            let malformed = || Stop::usage("--head takes the 64 hex digits that an answer gave as auditHead");
            let head = head.as_deref().map(|hex| Digest::parse(hex).ok_or_else(malformed)).transpose()?;
            verify(&workspace.audit_verify(head)?, shown.to(), ports)
        }
        AuditCommand::Export => export(workspace, ports),
    }
}

fn verify(check: &AuditCheck, reader: Reader, ports: &mut Ports<'_>) -> Ending {
    match reader {
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

/// A finding in words.
pub(super) fn sentence(finding: &Finding) -> String {
    match finding {
        Finding::Damaged { sequence, what } => format!("record {sequence} is damaged: its {what} does not fit"),
        Finding::HeadMissing => "the head asked for is not in the record: entries at its end were cut off".to_owned(),
        Finding::PutBack { known } => format!(
            "the record does not hold entry {known}, the last one known: an older copy was put in its place, or its end was cut off; `patchwright adopt` accepts it as it is"
        ),
        Finding::Gone => {
            "there was a record, and it is gone; `patchwright adopt` accepts that, and the next change begins it anew".to_owned()
        }
        Finding::Unmarked => {
            "nothing says how far the record had come, so a cut-off end would not show; `patchwright adopt` accepts it as it is".to_owned()
        }
        Finding::Resumed { sequence } => format!(
            "before entry {sequence} the record had been put back or cut off; `patchwright adopt` notes that somebody has looked at it"
        ),
        Finding::TornTail { bytes } => {
            format!("the last {bytes} bytes are a write that was cut short and never counted")
        }
    }
}

fn export(workspace: &Workspace, ports: &mut Ports<'_>) -> Ending {
    // Its own failure must not come back disguised as the store's.
    let mut failed = None;
    let mut sink = |entry: &AuditEntry| {
        let written = ports.json(&exported(entry));
        written.map_err(|error| {
            let told = io::Error::from(error.kind());
            failed = Some(error);
            told
        })
    };
    let exported = workspace.audit_export(&mut sink);
    if let Some(error) = failed {
        return Err(error.into());
    }
    exported?;
    Ok(Status::Done)
}

/// An entry as JSON; what it does not have is left out.
fn exported(entry: &AuditEntry) -> Value {
    let hash = |digest: Option<Digest>| json!(digest.map(|digest| digest.to_string()));
    let files = entry.files.iter().map(|file| {
        filled([
            ("path", json!(file.path)),
            ("to", json!(file.to)),
            ("beforeSha256", hash(file.before)),
            ("afterSha256", hash(file.after)),
        ])
    });
    filled([
        ("sequence", json!(entry.sequence)),
        ("time", json!(rfc3339(entry.time_ns))),
        ("session", json!(entry.session)),
        ("client", json!(entry.client)),
        ("actor", json!(entry.actor)),
        ("door", json!(entry.door)),
        ("role", json!(entry.role)),
        ("tool", json!(entry.tool)),
        ("operation", json!(entry.operation)),
        ("outcome", json!(entry.outcome)),
        ("kind", json!(entry.kind)),
        ("batchId", json!(entry.batch)),
        ("unchecked", json!(entry.unchecked.then_some(true))),
        ("reason", json!(entry.reason)),
        ("files", files.collect()),
        ("diff", json!(entry.diff)),
        ("previous", json!(entry.previous.to_string())),
        ("head", json!(entry.head.to_string())),
    ])
}

/// An object of the fields that hold something.
fn filled<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let there = fields.into_iter().filter(|(_, value)| !value.is_null());
    Value::Object(there.map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>())
}
