//! CLI door: `doctor`, a look over the workspace and the ground it stands on.

use super::args::Reader;
use super::audit::{checked, sentence, sound};
use super::output::{Ending, Ports};
use crate::doors::kept;
use crate::doors::opening::Opened;
use crate::doors::status::Status;
use crate::report::warnings;
use patchwright::{Ability, Doctor};
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
    sound(&doctor.audit) && doctor.damaged_blobs.is_empty()
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
    ports.say(&format!("trash        {} entries", doctor.trash))?;
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
        "trash": doctor.trash,
        "settings": { "beyond": beyond },
    })
}
