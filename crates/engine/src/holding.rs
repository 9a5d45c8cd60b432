//! Who holds the workspace, and whether it is still the folder that was opened.

use crate::clock::now_ns;
use crate::trouble::broken;
use crate::watch::{Doing, Watch};
use crate::workspace::Workspace;
use patchwright_core::outcome::Trouble;
use patchwright_core::refusal::{Refusal, Why};
use patchwright_store::disk::Halt;
use patchwright_store::real::{LockGuard, LockWait};
use std::ops::ControlFlow;
use std::time::Duration;

impl Workspace {
    /// Another folder may have been put in the place of the root, or the root moved away: then what a caller means by a
    /// path is not what we would do.
    pub(crate) fn root_stands(&self) -> Result<(), Trouble> {
        match self.disk.root_moved().map_err(|halt| broken("open", halt))? {
            None => Ok(()),
            Some(now) => {
                let path = self.disk.canonical().display().to_string();
                Err(Refusal::plain(Why::RootMoved { path, now }).into())
            }
        }
    }

    /// Takes the writer's lock, waiting as long as the settings say; nothing if another has it still. Whoever looks on
    /// is told for whom it waits. A caller that withdraws waits no longer.
    pub(crate) fn take_lock(&self, watch: &dyn Watch) -> Result<Option<LockGuard>, Halt> {
        let activity = self.activity();
        let most_ms = self.limits.lock_wait_ms;
        let tell = |waited: Duration| {
            let waited_ms = u64::try_from(waited.as_millis()).unwrap_or(u64::MAX);
            activity.tell(|| Doing::Waiting { for_whom: self.disk.holder() }, (waited_ms, most_ms));
            if watch.cancelled() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        self.disk.lock_with(&LockWait::new(Duration::from_millis(most_ms), &tell))
    }

    /// Somebody else holds the workspace.
    pub(crate) fn busy(&self) -> Refusal {
        let holder = self.disk.holder().map(Box::new);
        Refusal::plain(Why::Busy { waited_ms: self.limits.lock_wait_ms, holder })
    }

    /// Leaves word for others that wait. The caller holds the lock.
    pub(crate) fn note_holder(&self) {
        let client = {
            let client = self.client();
            format!("{}/{}", client.name, client.version)
        };
        self.disk.note_holder(now_ns(), &client);
    }
}
