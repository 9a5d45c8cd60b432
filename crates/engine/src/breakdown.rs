//! A bug of ours that shows as a panic: it ends the call it happens in, and nothing else. What it left half-done is put
//! right at once, and it goes on record under an id that the answer gives too.

use crate::clock::fresh_id;
use crate::watch::{Quiet, Watch};
use crate::workspace::Workspace;
use patchwright_core::outcome::{DiskState, Failed, Fault, Reply, Trouble};
use patchwright_core::tool::{Call, Effect, Tool};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

impl Workspace {
    /// Carries out one call. A panic on the way becomes an answer.
    ///
    /// What a panic leaves behind is safe to go on with: locks give way, and what stands half-done in the files is
    /// on record and taken back by whoever takes the workspace next, which is done here.
    pub fn call(&self, call: &Call, watch: &dyn Watch) -> Result<Reply, Failed> {
        let before = self.deeds();
        let carried = catch_unwind(AssertUnwindSafe(|| self.carry_out(call, watch)));
        carried.unwrap_or_else(|panic| Err(self.ended(call.tool(), (said(&*panic), before))))
    }

    /// Puts a fault of ours on record that ended a call of `tool` outside of this library, before it was carried out.
    pub fn record_breakdown(&self, tool: &Tool, panic: &(dyn Any + Send)) -> Failed {
        self.ended(tool, (said(panic), self.deeds()))
    }

    /// What to answer to a call that a panic ended; `before` is how many deeds were done before it.
    fn ended(&self, tool: &Tool, (said, before): (String, u64)) -> Failed {
        let id = fresh_id();
        let fault = |state| Fault { path: None, doing: "call", said: said.clone(), state, id: Some(id.clone()) };
        let noted = catch_unwind(AssertUnwindSafe(|| {
            let held = self.hold(&Quiet);
            let unchanged = tool.effect == Effect::Looks || (held.is_ok() && self.deeds() == before);
            let trouble = Trouble::Fault(fault(if unchanged { DiskState::Bug } else { DiskState::InDoubt }));
            match held {
                Ok(mut held) => self.refuse_before(&mut held, (tool.name, &[]), trouble),
                Err(_) => Failed::unrecorded(trouble),
            }
        }));
        // Where even that fails, nothing is known.
        noted.unwrap_or_else(|_| Failed::unrecorded(Trouble::Fault(fault(DiskState::InDoubt)))).told_by(tool)
    }
}

/// What a panic says.
fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}
