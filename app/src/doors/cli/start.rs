//! CLI door: the start screen, for whoever types `patchwright` and nothing else.

use super::args::Reader;
use super::findings::sentence;
use super::names;
use super::output::Ports;
use super::review::waiting;
use super::stop::Ending;
use crate::doors::exit_code::Status;
use crate::report::people::{Start, start};
use patchwright_core::tool::ListBatches;
use patchwright_engine::Session;
use serde_json::json;
use std::path::Path;

pub(super) fn run(root: &Path, session: &Session, ports: &mut Ports<'_>) -> Ending {
    let damage = session.damage()?.map(|finding| sentence(&finding));
    let list = match &damage {
        None => names::newest(session, &ListBatches::default(), 1, &mut |_| true)?.map_err(|failed| failed.trouble)?,
        Some(_) => Default::default(),
    };
    let last = list.batches.into_iter().next();
    let undo = match (&damage, session.newest_change()) {
        (None, Ok(Some(name))) => names::view(session, &name.id)?.ok().map(|view| view.summary),
        _ => None,
    };
    let told = Start {
        folder: folder(root),
        batches: session.batch_count().unwrap_or(0),
        last,
        undo,
        waiting: if damage.is_none() { waiting(session)?.len() } else { 0 },
        damage,
    };
    if ports.reader() == Reader::Program {
        let last = told.last.as_ref().map(|last| last.name.to_string());
        ports.json(&json!({
            "ok": told.damage.is_none(), "batches": told.batches, "last": last, "waiting": told.waiting, "damage": told.damage,
        }))?;
    } else {
        let text = start(&told, ports.view());
        ports.put(&text)?;
    }
    Ok(Status::Done)
}

/// The workspace's own name.
fn folder(root: &Path) -> String {
    let whole = patchwright_engine::real_path(root).unwrap_or_else(|| root.to_owned());
    let name = whole.file_name().unwrap_or(whole.as_os_str());
    crate::report::for_terminal(&name.to_string_lossy())
}
