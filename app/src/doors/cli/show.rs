//! CLI door: `show ID [CHANGE]`, one batch with its files, changes and diff, or one change of it.

use super::args::{Reader, ShowArgs};
use super::batch_ids;
use super::output::{Ending, Ports, ask, word};
use crate::doors::status::Status;
use patchwright::Workspace;
use patchwright_core::outcome::Reply;

pub(super) fn run(args: &ShowArgs, workspace: &Workspace, ports: &mut Ports<'_>) -> Ending {
    let batch = batch_ids::batch(workspace, &args.batch)?;
    let mut arguments = vec![("batchId", word(&batch))];
    if let Some(change) = &args.change {
        arguments.push(("changeId", word(&batch_ids::change(workspace, &batch, change)?)));
    }
    let outcome = ask(workspace, "get_patch_change", arguments)?;
    match (args.shown.to(), &outcome) {
        (Reader::Person, Ok(Reply { answer, .. })) => {
            let text = ports.worded(answer)?;
            ports.long(&text, args.paged.how())?;
            Ok(Status::Done)
        }
        (reader, _) => ports.outcome(&outcome, reader),
    }
}
