//! CLI door: `doctor`, a look over the workspace and the ground it stands on.

use super::args::Reader;
use super::audit::{checked, sentence, sound};
use super::output::{Ending, Ports};
use crate::doors::kept;
use crate::doors::opening::Opened;
use crate::doors::status::Status;
use crate::report::warnings;
use patchwright::{Ability, Doctor, KeptFiles, TrashFile};
use patchwright_core::outcome::BatchName;
use serde_json::{Value, json};
use std::io;
use std::iter::repeat;

pub(super) fn run(reader: Reader, opened: &Opened, ports: &mut Ports<'_>) -> Ending {
    let doctor = opened.workspace.doctor()?;
    match reader {
        Reader::Program => ports.json(&examined(&doctor, &opened.beyond))?,
        Reader::Person => tell(&doctor, &opened.beyond, ports)?,
    }
    Ok(if healthy(&doctor) { Status::Done } else { Status::Refused })
}

fn healthy(doctor: &Doctor) -> bool {
    sound(&doctor.audit) && doctor.keeps_all()
}

fn tell(doctor: &Doctor, beyond: &[&str], ports: &mut Ports<'_>) -> io::Result<()> {
    for ability in &doctor.abilities {
        ports.say(&format!("{:<12} {}", ability.name, if ability.works { "works" } else { "does not work here" }))?;
    }
    for (line, name) in kept::lines(&doctor.confinement).iter().zip(["sandbox"].into_iter().chain(repeat(""))) {
        ports.say(&format!("{name:<12} {line}"))?;
    }
    ports.say(&format!("record       {} entries", doctor.audit.records))?;
    for finding in &doctor.audit.findings {
        ports.say(&format!("             {}", sentence(finding)))?;
    }
    if doctor.mark == Some(false) {
        ports.say("mark         cannot be written at home: a cut-off end of the record would not show")?;
    }
    ports.say(&format!("kept files   {} ({} bytes)", doctor.blobs.0, doctor.blobs.1))?;
    for blob in &doctor.damaged_blobs {
        ports.say(&format!("             damaged: {blob}"))?;
    }
    for (what, files) in [("undo", &doctor.undo), ("proposals", &doctor.proposals.files)] {
        if !files.is_whole() {
            let lost: Vec<String> = files.batches.iter().map(BatchName::to_string).collect();
            let KeptFiles { needed, missing, damaged, .. } = files;
            ports.say(&format!("{what:<12} of {needed} kept files {missing} are missing and {damaged} damaged"))?;
            ports.say(&format!("             batches that cannot go on: {}", lost.join(", ")))?;
        }
    }
    ports.say(&format!("trash        {} entries", doctor.trash.entries))?;
    for (what, files) in [("missing", &doctor.trash.missing), ("damaged", &doctor.trash.damaged)] {
        for file in files {
            ports.say(&format!("             {what}: {} {}", file.change, file.path))?;
        }
    }
    for (path, what) in &doctor.recovered {
        ports.say(&format!("recovered    {path}: {what}"))?;
    }
    if !beyond.is_empty() {
        ports.say(&format!("settings     {}", warnings::beyond(beyond)))?;
    }
    ports.say(if healthy(doctor) { "all is well" } else { "something is damaged; see above" })
}

fn examined(doctor: &Doctor, beyond: &[&str]) -> Value {
    let ability = |ability: &Ability| (ability.name.to_owned(), Value::Bool(ability.works));
    json!({
        "ok": healthy(doctor),
        "abilities": doctor.abilities.iter().map(ability).collect::<serde_json::Map<_, _>>(),
        "sandbox": kept::fields(&doctor.confinement),
        "audit": checked(&doctor.audit),
        "mark": doctor.mark,
        "recovered": doctor.recovered.iter().map(|(path, what)| json!({ "path": path, "what": what })).collect::<Vec<_>>(),
        "blobs": { "count": doctor.blobs.0, "bytes": doctor.blobs.1, "damaged": doctor.damaged_blobs },
        "trash": doctor.trash.entries,
        "undo": kept(&doctor.undo),
        "trashFiles": {
            "count": doctor.trash.count,
            "missing": doctor.trash.missing.iter().map(trashed).collect::<Vec<_>>(),
            "damaged": doctor.trash.damaged.iter().map(trashed).collect::<Vec<_>>(),
        },
        "proposals": { "open": doctor.proposals.open, "files": kept(&doctor.proposals.files) },
        "settings": { "beyond": beyond },
    })
}

fn kept(files: &KeptFiles) -> Value {
    let batch = |name: &BatchName| json!({ "batchId": name.id, "batch": name.to_string() });
    json!({
        "needed": files.needed,
        "bytes": files.bytes,
        "missing": files.missing,
        "damaged": files.damaged,
        "letGo": files.let_go,
        "batches": files.batches.iter().map(batch).collect::<Vec<_>>(),
    })
}

fn trashed(file: &TrashFile) -> Value {
    json!({ "trashId": file.id, "change": file.change.to_string(), "path": file.path })
}
