//! A workspace: a folder whose changes are on record.

use crate::error::Error;
use patchwright_engine as engine;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// A folder whose files are changed exactly or not at all, with a record of every change.
///
/// Cheap to clone, and shared by any number of threads and [`Session`](crate::Session)s. Changes of all sessions, in
/// this process and in others, take turns in order of arrival; looking waits for nobody.
#[derive(Clone)]
pub struct Workspace {
    pub(crate) engine: Arc<engine::Workspace>,
    pub(crate) proof: engine::Proof,
}

impl Workspace {
    /// Opens a folder with every option at its default; see [`Workspace::options`] for others. The folder is the
    /// workspace, whatever lies above it ([`Options::discover`](crate::Options::discover) looks there, too). Recovers from a crashed writer first. Nothing is made: the record comes with
    /// the first change.
    pub fn open(root: impl AsRef<Path>) -> Result<Workspace, Error> {
        Workspace::open_with(root.as_ref(), engine::Options::default())
    }

    pub(crate) fn open_with(root: &Path, options: engine::Options) -> Result<Workspace, Error> {
        let proof = options.proof;
        let engine = engine::Workspace::open(root, options).map_err(Error::of_trouble)?;
        Ok(Workspace { engine, proof })
    }
}

impl fmt::Debug for Workspace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Workspace").finish_non_exhaustive()
    }
}
