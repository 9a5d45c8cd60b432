//! CLI door: `doctor`, a look over the workspace and the ground it stands on.

use super::args::Reader;
use super::audit::{checked, sound};
use super::findings::sentence;
use super::output::Ports;
use super::stop::Ending;
use crate::doors::exit_code::Status;
use crate::doors::open::Opened;
use crate::doors::sandbox;
use crate::report::people::{self, Check, Health};
use crate::report::warnings;
use patchwright_core::batch::BatchName;
use patchwright_engine::{Ability, Confinement, Doctor, Finding, KeptFiles, TrashFile};
use serde_json::{Value, json};

pub(super) fn run(opened: &Opened, ports: &mut Ports<'_>) -> Ending {
    let doctor = opened.session.doctor()?;
    match ports.reader() {
        Reader::Program => ports.json(&examined(&doctor, &opened.beyond))?,
        Reader::Person => {
            let text = people::doctor(&checks(&doctor, &opened.beyond), ports.view());
            ports.put(&text)?;
        }
    }
    Ok(if healthy(&doctor) { Status::Done } else { Status::Refused })
}

fn healthy(doctor: &Doctor) -> bool {
    sound(&doctor.audit) && doctor.keeps_all()
}

/// What was looked at, one by one.
fn checks(doctor: &Doctor, beyond: &[&str]) -> Vec<Check> {
    let mut all = vec![record(doctor), kept_files("Undo", &doctor.undo, "undone"), trash(doctor)];
    if doctor.proposals.open > 0 {
        all.push(kept_files("Review", &doctor.proposals.files, "accepted"));
    }
    if is_damaged(doctor) {
        // What stands behind the damage is not known, and not said to be well.
        for check in all.iter_mut().skip(1) {
            check.lines.push("only what the record says before the damage could be checked".to_owned());
            check.state = if check.state == Health::Well { Health::Note } else { check.state };
        }
    }
    all.extend([disk(doctor), sandbox(doctor)]);
    let note = |name, lines: Vec<String>| Check { name, state: Health::Note, lines, fix: None };
    let recovered: Vec<String> = doctor.recovered.iter().map(|(path, what)| format!("{path}: {what}")).collect();
    all.extend((!recovered.is_empty()).then(|| note("Crash", recovered)));
    all.extend((!beyond.is_empty()).then(|| note("Setting", vec![warnings::beyond(beyond)])));
    all
}

fn record(doctor: &Doctor) -> Check {
    let audit = &doctor.audit;
    let many = if audit.records == 1 { "entry" } else { "entries" };
    let told = |finding: &Finding| match finding {
        Finding::Damaged { sequence, .. } => {
            format!("entry {sequence} is damaged; {} before it are whole", sequence.saturating_sub(1))
        }
        other => sentence(other),
    };
    let mut lines: Vec<String> = audit.findings.iter().map(told).collect();
    let damaged = is_damaged(doctor);
    if lines.is_empty() {
        lines.push(match audit.records {
            0 => "nothing is on record here yet".to_owned(),
            records => format!("{records} {many}, whole and in order"),
        });
    }
    if doctor.mark == Some(false) {
        lines.push("how far it has come cannot be noted at home: a cut-off end would not show".to_owned());
    }
    let fix = damaged.then(|| "copy the state folder, then patchwright adopt --fresh begins a new record".to_owned());
    Check { name: "Record", state: state(sound(audit)), lines, fix }
}

fn is_damaged(doctor: &Doctor) -> bool {
    doctor.audit.findings.iter().any(|finding| matches!(finding, Finding::Damaged { .. }))
}

fn state(well: bool) -> Health {
    if well { Health::Well } else { Health::Bad }
}

/// What undo or proposals need, and which batches cannot go on without it.
fn kept_files(name: &'static str, files: &KeptFiles, done: &str) -> Check {
    let KeptFiles { needed, missing, damaged, let_go, .. } = files;
    let wrong = [(missing, "missing"), (damaged, "damaged")];
    let wrong: Vec<String> = wrong
        .iter()
        .filter(|(count, _)| **count > 0)
        .map(|(count, word)| format!("{count} of {needed} kept files are {word}"))
        .collect();
    let names: Vec<String> = files.batches.iter().map(BatchName::to_string).collect();
    let mut line = match (wrong.is_empty(), needed) {
        (true, 1) => "1 kept file".to_owned(),
        (true, needed) => format!("{needed} kept files"),
        (false, _) => wrong.join(", "),
    };
    if !names.is_empty() {
        line.push_str(&format!(": {} cannot be {done}", names.join(", ")));
    }
    let gone = (*let_go > 0).then(|| format!("{let_go} more were let go on purpose, by age or by a purge"));
    Check { name, state: state(files.is_whole()), lines: std::iter::once(line).chain(gone).collect(), fix: None }
}

fn trash(doctor: &Doctor) -> Check {
    let trash = &doctor.trash;
    let told = |what: &'static str| move |file: &TrashFile| format!("{what}: {} ({})", file.path, file.change);
    let mut lines: Vec<String> = trash.missing.iter().map(told("missing")).collect();
    lines.extend(trash.damaged.iter().map(told("damaged")));
    if lines.is_empty() {
        lines.push(if trash.count == 1 { "1 file".to_owned() } else { format!("{} files", trash.count) });
    }
    Check { name: "Trash", state: state(trash.is_whole()), lines, fix: None }
}

/// What the file system can do, in the words of what it is good for.
fn disk(doctor: &Doctor) -> Check {
    let words = |name: &str| match name {
        "exchange" => "all-or-nothing swaps",
        "no_replace" => "names that are never overwritten",
        "sync" => "flush to disk",
        "lock" => "locks",
        "openat2" => "paths that cannot lead outside",
        _ => "more",
    };
    let of = |works: bool| {
        doctor
            .abilities
            .iter()
            .filter(|found| found.works == works)
            .map(|found| words(found.name))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let (can, cannot) = (of(true), of(false));
    let mut lines: Vec<String> = Some(can).filter(|can| !can.is_empty()).into_iter().collect();
    lines.extend(Some(cannot).filter(|cannot| !cannot.is_empty()).map(|cannot| format!("not here: {cannot}")));
    if lines.is_empty() {
        lines.push("not tried: nothing may be written here".to_owned());
    }
    let lacks = doctor.abilities.iter().any(|found| !found.works) || doctor.abilities.is_empty();
    Check { name: "Disk", state: if lacks { Health::Note } else { Health::Well }, lines, fix: None }
}

fn sandbox(doctor: &Doctor) -> Check {
    match &doctor.confinement {
        Confinement::Kept(wall) => {
            let open: Vec<String> = wall.open.iter().map(|word| word.replace('_', " ")).collect();
            let open = (!open.is_empty()).then(|| format!("not closed by this kernel: {}", open.join(", ")));
            let lines = std::iter::once("agents are kept to this folder".to_owned()).chain(open).collect();
            Check { name: "Sandbox", state: Health::Well, lines, fix: None }
        }
        Confinement::Free(why) => {
            Check { name: "Sandbox", state: Health::Note, lines: vec![sandbox::sentence(why)], fix: None }
        }
    }
}

fn examined(doctor: &Doctor, beyond: &[&str]) -> Value {
    let ability = |ability: &Ability| (ability.name.to_owned(), Value::Bool(ability.works));
    json!({
        "ok": healthy(doctor),
        "abilities": doctor.abilities.iter().map(ability).collect::<serde_json::Map<_, _>>(),
        "sandbox": sandbox::fields(&doctor.confinement),
        "audit": checked(&doctor.audit),
        "mark": doctor.mark,
        "recovered": doctor.recovered.iter().map(|(path, what)| json!({ "path": path, "what": what })).collect::<Vec<_>>(),
        "blobs": { "count": doctor.blobs.0, "bytes": doctor.blobs.1, "damaged": doctor.damaged_blobs },
        "trash": doctor.trash.entries,
        "undo": fields(&doctor.undo),
        "trashFiles": {
            "count": doctor.trash.count,
            "missing": doctor.trash.missing.iter().map(trashed).collect::<Vec<_>>(),
            "damaged": doctor.trash.damaged.iter().map(trashed).collect::<Vec<_>>(),
        },
        "proposals": { "open": doctor.proposals.open, "files": fields(&doctor.proposals.files) },
        "settings": { "beyond": beyond },
    })
}

fn fields(files: &KeptFiles) -> Value {
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
