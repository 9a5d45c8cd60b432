//! Which verb serves which call, and what a panic in one comes to: it ends that call and nothing else. A commit that it
//! interrupted is recovered at once, and the panic goes on record under an id that the answer gives too.

use crate::clock::fresh_id;
use crate::session::Session;
use crate::trouble::Task;
use crate::watch::{Quiet, Watch};
use patchwright_core::outcome::{DiskState, Failed, Fault, Reply, Trouble};
use patchwright_core::seeded::{Bug, is_planted};
use patchwright_core::tool::{Call, Effect, Tool};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

impl Session {
    /// Carries out one call. A panic on the way becomes an answer.
    ///
    /// It is safe to go on after a panic: poisoned locks are taken over, and a commit that was interrupted is on record
    /// and rolled back by the next turn, which is taken here.
    pub fn call(&self, call: &Call, watch: &dyn Watch) -> Result<Reply, Failed> {
        let before = self.deeds();
        let carried = catch_unwind(AssertUnwindSafe(|| self.carry_out(call, watch)));
        carried.unwrap_or_else(|panic| Err(self.ended(call.tool(), &said(&*panic), before)))
    }

    /// Records a panic that ended a call of `tool` outside of this library, before the call was carried out.
    pub fn record_breakdown(&self, tool: &Tool, panic: &(dyn Any + Send)) -> Failed {
        self.ended(tool, &said(panic), self.deeds())
    }

    /// The answer to a call that a panic ended; `before` is how much the session had done before it.
    fn ended(&self, tool: &Tool, said: &str, before: u64) -> Failed {
        let id = fresh_id();
        let fault =
            |state| Fault { path: None, doing: Task::Call.name(), said: said.to_owned(), state, id: Some(id.clone()) };
        let noted = catch_unwind(AssertUnwindSafe(|| {
            let held = self.take_turn(&Quiet);
            let unchanged = tool.effect == Effect::Looks || (held.is_ok() && self.deeds() == before);
            let trouble = Trouble::Fault(fault(if unchanged { DiskState::Bug } else { DiskState::InDoubt }));
            match held {
                Ok(mut held) => self.refuse_before(&mut held, tool.name, &[], trouble),
                Err(_) => Failed::unrecorded(trouble),
            }
        }));
        // Where even that fails, nothing is known.
        noted.unwrap_or_else(|_| Failed::unrecorded(Trouble::Fault(fault(DiskState::InDoubt)))).told_by(tool)
    }

    fn carry_out(&self, call: &Call, watch: &dyn Watch) -> Result<Reply, Failed> {
        if is_planted(Bug::MemoryKept) {
            vec![1_u8; 64 * 1024].leak();
        }
        let looked = |seen: Result<Reply, Trouble>| seen.map_err(Failed::unrecorded);
        let reply = match call {
            Call::ReadFile(ask) => looked(self.read_file(ask, watch)),
            Call::ListDirectory(ask) => looked(self.list_directory(ask, watch)),
            Call::SearchFiles(ask) => looked(self.search_files(ask, watch)),
            Call::Glob(ask) => looked(self.glob(ask, watch)),
            Call::ListTrash(_) => looked(self.list_trash()),
            Call::PurgeTrash(ask) => self.purge_trash(ask, watch),
            Call::WorkspaceReadFile(ask) => looked(self.workspace_read_file(ask, watch)),
            Call::ListBatches(ask) => looked(self.list_batches(ask)),
            Call::GetPatchChange(ask) => looked(self.get_patch_change(ask)),
            Call::ExplainLines(ask) => looked(self.explain_lines(ask, watch)),
            Call::WorkspaceWritePatch(ask) => self.workspace_write_patch(ask, watch),
            Call::Undo(ask) => self.undo(ask, watch),
            Call::ApplyBatch(ask) => self.apply_batch(ask, watch),
            Call::RejectBatch(ask) => self.reject_batch(ask, watch),
            Call::CreateFile(ask) => self.create_file(ask, watch),
            Call::WriteFile(ask) => self.write_file(ask, watch),
            Call::EditFile(ask) => self.edit_file(ask, watch),
            Call::ApplyPatch(ask) => self.apply_patch(ask, watch),
            Call::Edit(ask) => self.edit(ask, watch),
            Call::DeleteFile(ask) => self.delete_file(ask, watch),
            Call::RestoreFile(ask) => self.restore_file(ask, watch),
            Call::MoveFile(ask) => self.move_file(ask, watch),
            Call::ByDocPath(ask) => self.call_by_doc_path(ask, watch),
        };
        self.with_warnings(self.with_numbers(reply)).map_err(|failed| failed.told_by(call.tool()))
    }
}

/// The message of a panic.
fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}
