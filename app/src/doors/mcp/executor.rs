//! MCP door: where calls are carried out. A quick look is done on the spot. Everything else gets a
//! thread of its own, so that the connection stays open to a cancellation.
//!
//! Changes are made one after the other in the order they came, and a look waits for the changes that
//! came before it: a client that sends both at once finds what it has just written.

use super::in_flight::InFlight;
use super::watching::{Followed, Hasty, News, Progress};
use super::writer::Writer;
use crate::doors::call::{Outcome, Understood, was_cancelled};
use crate::report::fault_line;
use patchwright_core::outcome::Failed;
use patchwright_core::tool::{Effect, Tool};
use patchwright_engine::Session;
use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::{Mutex, Semaphore, watch};
use tokio::task::JoinError;

type Context = RequestContext<RoleServer>;

/// So many looks are carried out at once: each holds its answer in memory, and more threads than this would wait for the
/// same disk.
pub(super) const LOOKS: usize = 4;

/// Where the calls of one connection are carried out.
pub(super) struct Executor {
    session: Arc<Session>,
    /// Held by whoever changes something; handed on in the order of asking.
    turn: Mutex<()>,
    /// Held by each look that takes longer.
    looks: Semaphore,
    in_flight: Arc<InFlight>,
    /// Where a fault of ours is told, for whoever runs the server.
    faults: fn(&str),
    writer: Arc<Writer>,
}

impl Executor {
    pub(super) fn new(
        session: Arc<Session>,
        in_flight: Arc<InFlight>,
        writer: Arc<Writer>,
        faults: fn(&str),
    ) -> Executor {
        Executor { session, turn: Mutex::new(()), looks: Semaphore::new(LOOKS), in_flight, faults, writer }
    }

    pub(super) fn session(&self) -> &Session {
        &self.session
    }

    /// What is under way.
    pub(super) fn in_flight(&self) -> Arc<InFlight> {
        Arc::clone(&self.in_flight)
    }

    /// Could a call of this tool be carried out here and now? Only a look, and only while no change is under way.
    pub(super) fn is_free_for(&self, tool: &Tool) -> bool {
        tool.effect == Effect::Looks && self.turn.try_lock().is_ok()
    }

    /// Carries out a call here and now, if that can be done, and if it is quick.
    pub(super) fn at_once(&self, call: &Understood) -> Option<Outcome> {
        if !self.is_free_for(call.tool) {
            return None;
        }
        let hasty = Hasty::new();
        let outcome = self.noted(call.tool, call.carry_out(&self.session, &hasty));
        let late = hasty.gave_up() && was_cancelled(&outcome);
        (!late).then_some(outcome)
    }

    /// Carries out one call, or its refusal.
    pub(super) async fn carry_out(&self, call: Arc<Understood>, context: &Context) -> Outcome {
        self.until_read(context).await;
        // Changes of one connection that wait for another program wait together, not one after the other.
        let came = Instant::now();
        let turn = self.turn.lock().await;
        if call.tool.effect != Effect::Looks {
            return self.elsewhere(call, came, context).await;
        }
        drop(turn);
        match self.at_once(&call) {
            Some(outcome) => outcome,
            None => {
                // Nobody closes it; and a call that was withdrawn meanwhile ends by itself.
                let _look = tokio::select! {
                    look = self.looks.acquire() => look.ok(),
                    () = context.ct.cancelled() => None,
                };
                self.until_read(context).await;
                self.elsewhere(call, came, context).await
            }
        }
    }

    /// Begins nothing while too many answers wait to be read, unless it is withdrawn.
    async fn until_read(&self, context: &Context) {
        tokio::select! {
            biased;
            () = self.writer.until_not_full() => {}
            () = context.ct.cancelled() => {}
        }
    }

    /// On another thread, passing on cancellation and progress.
    async fn elsewhere(&self, call: Arc<Understood>, came: Instant, context: &Context) -> Outcome {
        let tool = call.tool;
        let (progress, mut changes) = watch::channel(Progress::default());
        let mut news = News::default();
        let (token, session) = (context.ct.clone(), Arc::clone(&self.session));
        let _pass = self.in_flight.leave();
        let mut running = tokio::task::spawn_blocking(move || {
            let watch = Followed { withdrawn: || token.is_cancelled(), came, progress };
            call.carry_out(&session, &watch)
        });
        loop {
            tokio::select! {
                biased;
                ended = &mut running => {
                    return self.noted(tool, ended.unwrap_or_else(|end| Err(self.broke_down(tool, end))));
                }
                Ok(()) = changes.changed() => {
                    let progress = *changes.borrow_and_update();
                    let wanted = !context.ct.is_cancelled() && !self.writer.is_full();
                    if wanted && news.is_worth_telling(Instant::now(), progress.done) {
                        tell(context, progress).await;
                    }
                }
            }
        }
    }
}

impl Executor {
    /// What to say of a call whose thread did not come to its end.
    fn broke_down(&self, tool: &Tool, end: JoinError) -> Failed {
        match end.try_into_panic() {
            Ok(panic) => self.session.record_breakdown(tool, &*panic),
            Err(end) => self.session.record_breakdown(tool, &end.to_string()),
        }
    }

    /// The outcome; a fault of ours is told to whoever runs the server, too.
    fn noted(&self, tool: &Tool, outcome: Outcome) -> Outcome {
        if let Some(line) = outcome.as_ref().err().and_then(|failed| fault_line(tool.name, failed)) {
            (self.faults)(&line);
        }
        outcome
    }
}

/// Tells the client how far its call is, if it asked to be told.
async fn tell(context: &Context, progress: Progress) {
    let Progress { done, total } = progress;
    let Some(token) = context.meta.get_progress_token() else { return };
    // Whole steps far below 2^53, where this is exact.
    #[allow(clippy::cast_precision_loss, reason = "the protocol counts in floats")]
    let float = |count: u64| count as f64;
    let mut news = ProgressNotificationParam::new(token, float(done));
    news.total = total.map(float);
    // A client that is gone is noticed by whoever writes the answer.
    let _told = context.peer.notify_progress(news).await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doors::call::Arguments;
    use crate::doors::mcp::writer::Outflow;
    use crate::wire::{Json, NullProof};
    use patchwright_core::tool::find;
    use patchwright_engine::Options;
    use patchwright_testkit::home;
    use std::io::{self, Write};
    use std::sync::{Mutex as Held, PoisonError};

    /// A client that is not there: this test reads the outcomes themselves.
    struct Nowhere;

    impl Write for Nowhere {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Outflow for Nowhere {
        fn room(&self) -> usize {
            usize::MAX
        }
    }

    static TOLD: Held<Vec<String>> = Held::new(Vec::new());

    fn tell(line: &str) {
        TOLD.lock().unwrap_or_else(PoisonError::into_inner).push(line.to_owned());
    }

    #[test]
    fn a_fault_of_ours_is_answered_told_and_on_record_and_the_server_goes_on() {
        let root = tempfile::tempdir().unwrap();
        let session = Session::open(root.path(), Options { home: home::at(), ..Options::default() }).unwrap();
        let writer = Arc::new(Writer::new(Nowhere));
        let executor = Executor::new(Arc::new(session), Arc::new(InFlight::default()), writer, tell);
        let tool = find("list_directory").unwrap();
        let understood =
            |fill: fn(Json) -> Json| Understood::new(tool, Arguments::read("{}"), NullProof::LeftOut, fill);
        let broken = understood(|_| panic!("a pipe burst"));
        let failed = executor.at_once(&broken).unwrap().unwrap_err();
        let answer = crate::report::answer(&Err(failed));
        let id = answer["error"]["details"]["id"].as_str().unwrap().to_owned();
        assert_eq!(answer["error"]["kind"], "internal");
        let text = answer.to_string();
        assert!(answer["error"]["message"].as_str().unwrap().contains(&id) && !text.contains("burst"), "{text}");
        let told = TOLD.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let line =
            format!("patchwright: fault {id} in list_directory: a pipe burst; `patchwright audit export` has it");
        assert_eq!(told, [line]);
        let mut faults = Vec::new();
        let mut each = |entry: &patchwright_engine::AuditEntry| {
            faults.extend(entry.fault.clone().map(|fault| fault.id));
            Ok(())
        };
        executor.session().audit_export(&mut each).unwrap();
        assert_eq!(faults, [id]);
        assert!(executor.at_once(&understood(|json| json)).unwrap().is_ok());
    }
}
