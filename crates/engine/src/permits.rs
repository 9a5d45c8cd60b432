//! What a session may do with paths that come from the record and not from the caller: they are under the same policy.

use crate::gather::{permit, permit_change, permit_folder};
use crate::options::Mode;
use crate::session::Session;
use patchwright_core::batch::BatchName;
use patchwright_core::outcome::{TrashEntry, Trouble};
use patchwright_core::path::RelPath;
use patchwright_core::policy::{Access, Policy};
use patchwright_core::refusal::{Refusal, Why};
use patchwright_store::records::FileRecord;

impl Session {
    /// Refuses a changing call of a session that only looks.
    pub(crate) fn may_change(&self) -> Result<(), Refusal> {
        match self.workspace.mode {
            Mode::ReadWrite => Ok(()),
            Mode::ReadOnly => Err(Refusal::plain(Why::ReadOnly)),
        }
    }

    /// Asks whether the files of a batch may be written, under both of their names.
    pub(crate) fn permit_files<'f>(&self, files: impl Iterator<Item = &'f FileRecord>) -> Result<(), Trouble> {
        let names = |file: &'f FileRecord| std::iter::once(&file.path).chain(&file.to).map(move |path| (file, path));
        files.flat_map(names).try_for_each(|(file, path)| match &file.folder {
            Some(folder) if folder.files > 0 => permit_folder(&self.workspace.policy, path, Access::Write),
            _ => permit(&self.workspace.policy, path, Access::Write, None),
        })
    }

    /// Asks about something that is to stand in a folder which is yet to be there. Where the folder's own name may not be
    /// read, the refusal is the one for a name that is taken.
    pub(crate) fn permit_inside(&self, path: &RelPath, folder: &RelPath) -> Result<(), Trouble> {
        let change = permit_change(&self.workspace.policy, path, None);
        match self.workspace.policy.check(path, Access::Read) {
            Ok(()) => change,
            Err(_) => permit_change(&self.workspace.policy, folder, None).and(change),
        }
    }

    /// Asks whether what a trash entry holds may be read where it was, and written there.
    pub(crate) fn permit_trashed(&self, entry: &TrashEntry) -> Result<(), Trouble> {
        self.permit_entry(entry, Access::Read).map_err(|_| hidden(&entry.id, None, 1))?;
        self.permit_entry(entry, Access::Write)
    }

    /// Asks for one kind of access to the path that a trash entry was deleted from.
    pub(crate) fn permit_entry(&self, entry: &TrashEntry, access: Access) -> Result<(), Trouble> {
        let path = RelPath::parse(&entry.path, &[]);
        let path = path.map_err(|problem| Refusal::about(&entry.path, Why::Path(problem)))?;
        match entry.holds {
            Some(holds) if holds.files > 0 => permit_folder(&self.workspace.policy, &path, access),
            _ => permit(&self.workspace.policy, &path, access, None),
        }
    }
}

/// May somebody read a file on record, under either of its names?
pub(crate) fn may_read(policy: &Policy, file: &FileRecord) -> bool {
    std::iter::once(&file.path).chain(&file.to).all(|path| match file.folder {
        Some(_) => policy.check_folder(path, Access::Read).is_ok(),
        None => policy.check(path, Access::Read).is_ok(),
    })
}

/// A batch or trash entry is about files that may not be read: those are not named, as in
/// listings. A batch comes with its number.
pub(crate) fn hidden(id: &str, batch: Option<u64>, count: usize) -> Refusal {
    let batch = batch.map(|number| BatchName::new(id, number));
    Refusal::plain(Why::Hidden { id: id.to_owned(), batch, count })
}
