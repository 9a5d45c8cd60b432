//! What a plan would change, as diffs.

use super::snapshot::{Seen, Snapshot};
use super::{Act, Fresh, Step};
use crate::diff::{DIFF_LIMIT, Diff, unified};
use crate::intent::Kept;
use crate::path::RelPath;
use crate::text::Document;
use crate::text::encoding::Charset;

/// The unified diff of one step. `given` is the path under which the snapshot knows the file.
pub fn preview(step: &Step, given: &RelPath, snapshot: &Snapshot, charset: Option<Charset>) -> Diff {
    let seen = snapshot.seen(given);
    let old_path = seen.real().unwrap_or(&step.path);
    let (old_name, new_name) = (format!("a/{old_path}"), format!("b/{}", step.path));
    let before = match &seen {
        Seen::File(file) => file.bytes.clone(),
        _ => None,
    };
    match (&step.act, before) {
        (Act::Create(Fresh::File { bytes, .. }), _) => texts("/dev/null", &new_name, &[], bytes, charset),
        (Act::Create(Fresh::Kept(Kept { text: Some(text), .. })), _) => {
            texts("/dev/null", &new_name, &[], text, charset)
        }
        (Act::Create(Fresh::Kept(Kept { text: None, .. })), _) => plain(format!("restored {}\n", step.path)),
        (Act::Replace { after, .. }, Some(before)) => texts(&old_name, &new_name, &before, after, charset),
        (Act::Replace { .. }, None) => Diff::binary(),
        (Act::Remove { .. }, Some(before)) => texts(&old_name, "/dev/null", &before, &[], charset),
        (Act::Remove { .. }, None) => plain(format!("deleted {}\n", step.path)),
        (Act::Rename { to, .. }, _) => plain(format!("rename from {}\nrename to {to}\n", step.path)),
    }
}

fn texts(old: &str, new: &str, before: &[u8], after: &[u8], charset: Option<Charset>) -> Diff {
    let like = |bytes| Document::open(bytes, charset);
    match (like(before), like(after)) {
        (Ok(before), Ok(after)) => unified(old, new, before.text(), after.text(), DIFF_LIMIT),
        _ => Diff::binary(),
    }
}

fn plain(text: String) -> Diff {
    Diff { text, ..Diff::default() }
}
