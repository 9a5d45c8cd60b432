//! What applying a proposed file would do, computed from what would be applied and shown as every plan is: nothing that
//! stands beside that on record is shown in its place. Only where nothing can be computed, as of what is no text in a
//! charset that the bytes tell, the diff stays as it is on record.

use crate::operation::operation;
use crate::past::Past;
use crate::proposals::bits;
use crate::recorded::folder_diff;
use crate::stories::Story;
use patchwright_core::bytes::Bytes;
use patchwright_core::diff::Diff;
use patchwright_core::digest::Digest;
use patchwright_core::outcome::{FilePatchView, Operation, Trouble};
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Act, Aside, Fresh, Seen, Snapshot, SnapshotFile, Step, preview};
use patchwright_core::text::Document;
use patchwright_store::records::FileRecord;

/// Puts the diff of what would be applied into the view of a file.
pub(super) fn show(past: &Past<'_>, file: &FileRecord, story: &Story, view: &mut FilePatchView) -> Result<(), Trouble> {
    if file.folder.is_some() {
        (view.diff, view.diff_cut) = (folder_diff(operation(file), &file.path, file.to.as_ref()), false);
        return Ok(());
    }
    if let Some(diff) = diff(past, file, stands_at(file, story))? {
        (view.diff, view.diff_cut) = (diff.text, diff.truncated);
    }
    Ok(())
}

/// Where a file stands now: what the proposal moves first, under its old name.
fn stands_at<'a>(file: &'a FileRecord, story: &'a Story) -> &'a RelPath {
    let moved = story.files().find(|one| one.folder.is_none() && one.to.as_ref() == Some(&file.path));
    match moved {
        Some(moved) if operation(file) == Operation::Update => &moved.path,
        _ => &file.path,
    }
}

fn diff(past: &Past<'_>, file: &FileRecord, at: &RelPath) -> Result<Option<Diff>, Trouble> {
    let Some(act) = act(past, file)? else { return Ok(None) };
    let mut snapshot = Snapshot::default();
    if let Some(digest) = file.before {
        let Some(seen) = before(past, file, at, digest)? else { return Ok(None) };
        snapshot.add(at.clone(), seen);
    }
    // What comes back has the bits that it had.
    let bits = bits(file).filter(|_| operation(file) != Operation::Restore);
    let step = Step { path: file.path.clone(), act, changes: Vec::new(), wish: 0, bits };
    Ok(Some(preview(&step, at, &snapshot, None)))
}

/// What is done to the file; nothing if what it takes is not kept, or is no text.
fn act(past: &Past<'_>, file: &FileRecord) -> Result<Option<Act>, Trouble> {
    let digest = file.before.unwrap_or_else(|| Digest::of(&[]));
    let act = match (operation(file), &file.to) {
        (Operation::Delete, _) => Act::Remove { before: digest },
        (Operation::Move, Some(to)) => Act::Rename { to: to.clone(), before: digest },
        (Operation::Create | Operation::Restore, _) => {
            let Some(bytes) = text(past.after_bytes(file)?) else { return Ok(None) };
            let digest = Digest::of(&bytes);
            Act::Create(match file.link {
                true => Fresh::Link { target: bytes, digest },
                false => Fresh::File { bytes, digest, mode: None },
            })
        }
        _ if file.before == file.after => {
            let to = bits(file).map_or(file.mode, |bits| bits.applied_to(file.mode));
            Act::Mode { before: digest, from: file.mode, to }
        }
        _ => {
            let Some(bytes) = text(past.after_bytes(file)?) else { return Ok(None) };
            let after = Digest::of(&bytes);
            Act::Replace { before: digest, after: bytes.to_vec().into(), digest: after, aside: Aside::Kept }
        }
    };
    Ok(Some(act))
}

/// What stands there before; nothing if it is needed and not kept, or no text.
fn before(past: &Past<'_>, file: &FileRecord, at: &RelPath, digest: Digest) -> Result<Option<Seen>, Trouble> {
    if file.link {
        let target = past.link_target(at, digest)?;
        return Ok(target.map(|target| Seen::Link { real: at.clone(), target: target.to_vec(), digest }));
    }
    let bytes = match file.to.is_some() || file.before == file.after {
        true => None,
        false => match text(past.before_bytes(file)?) {
            None => return Ok(None),
            some => some,
        },
    };
    let (size, mode) = (file.before_size, file.mode);
    Ok(Some(Seen::File(SnapshotFile { real: at.clone(), bytes, digest, size, mode, id: (0, 0) })))
}

fn text(bytes: Option<Bytes>) -> Option<Bytes> {
    bytes.filter(|bytes| Document::open(&bytes[..], None).is_ok())
}
