//! A workspace: a folder whose changes are on record.

use crate::error::Error;
use patchwright_engine as engine;
use patchwright_engine::core::outcome::Trouble;
use patchwright_engine::core::policy::Policy;
use patchwright_engine::core::refusal::{Refusal, Why};
use std::fmt;
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

/// A folder whose files are changed exactly or not at all, with a record of every change.
///
/// Cheap to clone, and shared by any number of threads and [`Session`](crate::Session)s. Plans and changes of all
/// sessions, in this process and in others, take turns in order of arrival; looking waits for nobody.
#[derive(Clone)]
pub struct Workspace {
    pub(crate) engine: Arc<engine::Workspace>,
    pub(crate) proof: engine::Proof,
}

impl Workspace {
    /// Opens a folder with every option at its default; see [`Workspace::options`] for others. The folder is the
    /// workspace, whatever lies above it ([`Options::discover`](crate::Options::discover) looks there, too). Recovers from
    /// a crashed writer first. Nothing is made: the record comes with the first plan or change, even one that is refused.
    pub fn open(root: impl AsRef<Path>) -> Result<Workspace, Error> {
        Workspace::open_with(root.as_ref(), engine::Options::default())
    }

    pub(crate) fn open_with(root: &Path, options: engine::Options) -> Result<Workspace, Error> {
        Policy::new(&options.settings).map_err(|bad| Error::bad_glob(&bad))?;
        let proof = options.proof;
        let engine = engine::Workspace::open(root, options).map_err(|trouble| not_opened(root, trouble))?;
        Ok(Workspace { engine, proof })
    }
}

/// Why a folder could not be opened, told of the folder.
fn not_opened(root: &Path, trouble: Trouble) -> Error {
    let folder = root.display().to_string();
    match engine::is_outside_folder(root).map_err(|error| error.kind()) {
        Err(ErrorKind::NotFound | ErrorKind::NotADirectory) => Error::not_found_at(&folder, "does not exist"),
        Ok(false) => Error::not_found_at(&folder, "is not a folder"),
        _ => Error::of_trouble(about(folder, trouble)),
    }
}

/// A failure that names no path is about the folder where access to it was not permitted.
fn about(folder: String, trouble: Trouble) -> Trouble {
    match trouble {
        Trouble::Refused(Refusal { path: None, why: why @ Why::Forbidden(_), since }) => {
            Trouble::Refused(Refusal { path: Some(folder), why, since })
        }
        other => other,
    }
}

impl fmt::Debug for Workspace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Workspace").finish_non_exhaustive()
    }
}
