//! MCP door: where calls are carried out. A quick look is done on the spot. Everything else gets a
//! thread of its own, so that the connection stays open to a cancellation.
//!
//! Changes are made one after the other in the order they came, and a look waits for the changes that
//! came before it: a client that sends both at once finds what it has just written.

use super::outlet::Outlet;
use super::traffic::Traffic;
use super::watching::{Followed, Hasty, News, Progress};
use crate::doors::carry::{Outcome, broke_down, carry_out, was_cancelled};
use patchwright::Workspace;
use patchwright_core::refusal::Refusal;
use patchwright_core::tool::{Call, Effect, Tool};
use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::{Mutex, Semaphore, watch};

type Context = RequestContext<RoleServer>;

/// So many looks are carried out at once: each holds its answer in memory, and more threads than this would wait for the
/// same disk.
pub(super) const LOOKS: usize = 4;

/// Where the calls of one connection are carried out.
pub(super) struct Bench {
    workspace: Arc<Workspace>,
    /// Held by whoever changes something; handed on in the order of asking.
    turn: Mutex<()>,
    /// Held by each look that takes longer.
    looks: Semaphore,
    traffic: Arc<Traffic>,
    outlet: Arc<Outlet>,
}

impl Bench {
    pub(super) fn new(workspace: Arc<Workspace>, traffic: Arc<Traffic>, outlet: Arc<Outlet>) -> Bench {
        Bench { workspace, turn: Mutex::new(()), looks: Semaphore::new(LOOKS), traffic, outlet }
    }

    pub(super) fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// What is under way.
    pub(super) fn traffic(&self) -> Arc<Traffic> {
        Arc::clone(&self.traffic)
    }

    /// Carries out a look here and now, if it is one, if no change is under way, and if it is quick.
    pub(super) fn at_once(&self, tool: &'static Tool, call: &Result<Call, Refusal>) -> Option<Outcome> {
        if tool.effect != Effect::Looks || self.turn.try_lock().is_err() {
            return None;
        }
        let hasty = Hasty::new();
        let outcome = carry_out(&self.workspace, tool, call, &hasty);
        let late = hasty.gave_up() && was_cancelled(&outcome);
        (!late).then_some(outcome)
    }

    /// Carries out one call of `tool`, or its refusal.
    pub(super) async fn carry_out(
        &self,
        tool: &'static Tool,
        call: Result<Call, Refusal>,
        context: &Context,
    ) -> Outcome {
        self.until_read(context).await;
        let turn = self.turn.lock().await;
        if tool.effect != Effect::Looks {
            return self.elsewhere(tool, call, context).await;
        }
        drop(turn);
        match self.at_once(tool, &call) {
            Some(outcome) => outcome,
            None => {
                // Nobody closes it; and a call that was withdrawn meanwhile ends by itself.
                let _look = tokio::select! {
                    look = self.looks.acquire() => look.ok(),
                    () = context.ct.cancelled() => None,
                };
                self.until_read(context).await;
                self.elsewhere(tool, call, context).await
            }
        }
    }

    /// Begins nothing while too many answers wait to be read, unless it is withdrawn.
    async fn until_read(&self, context: &Context) {
        tokio::select! {
            biased;
            () = self.outlet.until_not_full() => {}
            () = context.ct.cancelled() => {}
        }
    }

    /// On another thread, passing on cancellation and progress.
    async fn elsewhere(&self, tool: &'static Tool, call: Result<Call, Refusal>, context: &Context) -> Outcome {
        let (progress, mut changes) = watch::channel((0, None));
        let mut news = News::default();
        let (token, workspace) = (context.ct.clone(), Arc::clone(&self.workspace));
        let _pass = self.traffic.leave();
        let mut running = tokio::task::spawn_blocking(move || {
            let watch = Followed { withdrawn: || token.is_cancelled(), progress };
            carry_out(&workspace, tool, &call, &watch)
        });
        loop {
            tokio::select! {
                biased;
                ended = &mut running => return ended.unwrap_or_else(|_panic| Err(broke_down(tool))),
                Ok(()) = changes.changed() => {
                    let progress = *changes.borrow_and_update();
                    let wanted = !context.ct.is_cancelled() && !self.outlet.is_full();
                    if wanted && news.is_worth_telling(Instant::now(), progress.0) {
                        tell(context, progress).await;
                    }
                }
            }
        }
    }
}

/// Tells the client how far its call is, if it asked to be told.
async fn tell(context: &Context, (done, total): Progress) {
    let Some(token) = context.meta.get_progress_token() else { return };
    // Whole steps far below 2^53, where this is exact.
    #[allow(clippy::cast_precision_loss, reason = "the protocol counts in floats")]
    let float = |count: u64| count as f64;
    let mut news = ProgressNotificationParam::new(token, float(done));
    news.total = total.map(float);
    // A client that is gone is noticed by whoever writes the answer.
    let _told = context.peer.notify_progress(news).await;
}
