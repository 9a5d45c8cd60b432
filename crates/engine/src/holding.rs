//! Who holds the workspace, and whether it is still the folder that was opened.

use crate::clock::now_ns;
use crate::trouble::broken;
use crate::workspace::Workspace;
use patchwright_core::outcome::Trouble;
use patchwright_core::refusal::{Refusal, Why};

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
