//! What a plan would change, as diffs.

use super::snapshot::{Seen, Snapshot};
use super::{Act, Fresh, Step};
use crate::diff::{DIFF_LIMIT, Diff, unified, unified_edit};
use crate::intent::{Executable, Kept};
use crate::path::RelPath;
use crate::text::Document;
use crate::text::encoding::Charset;
use crate::text::splice::Pieces;

/// The unified diff of one step. `given` is the path under which the snapshot knows the file.
pub fn preview(step: &Step, given: &RelPath, snapshot: &Snapshot, charset: Option<Charset>) -> Diff {
    let seen = snapshot.seen(given);
    let old_path = seen.real().unwrap_or(&step.path);
    let (old_name, new_name) = (one_line(format!("a/{old_path}")), one_line(format!("b/{}", step.path)));
    let before = match &seen {
        Seen::File(file) => file.bytes.clone(),
        _ => None,
    };
    let mut diff = match (&step.act, before) {
        (Act::Create(Fresh::Link { target, .. }), _) => link("/dev/null", &new_name, None, Some(target)),
        (Act::Mode { .. }, _) => Diff::default(),
        (Act::Create(Fresh::File { bytes, .. }), _) => texts("/dev/null", &new_name, &[], bytes, charset),
        (Act::Create(Fresh::Kept(Kept { text: Some(text), .. })), _) => {
            texts("/dev/null", &new_name, &[], text, charset)
        }
        (Act::Create(Fresh::Kept(Kept { text: None, .. })), _) => {
            plain(format!("restored {}\n", one_line(step.path.to_string())))
        }
        (Act::Replace { after, .. }, Some(before)) => replaced(&old_name, &new_name, &before, after, charset),
        (Act::Replace { .. }, None) => Diff::binary(),
        (Act::Remove { .. }, Some(before)) => texts(&old_name, "/dev/null", &before, &[], charset),
        (Act::Remove { .. }, None) if matches!(seen, Seen::Link { .. }) => {
            let target = if let Seen::Link { target, .. } = &seen { Some(target.as_slice()) } else { None };
            link(&old_name, "/dev/null", target, None)
        }
        (Act::Remove { .. }, None) => plain(format!("deleted {}\n", one_line(step.path.to_string()))),
        (Act::Rename { to, .. }, _) => {
            let (from, to) = (one_line(step.path.to_string()), one_line(to.to_string()));
            plain(format!("rename from {from}\nrename to {to}\n"))
        }
    };
    diff.text.insert_str(0, &modes(step, &seen));
    diff
}

/// What a step says about permission bits, in the words of git; mostly nothing.
fn modes(step: &Step, seen: &Seen) -> String {
    let bits = |executable| if executable == Executable::Yes { "100755" } else { "100644" };
    let becomes = |mode: u32| step.bits.map(|wanted| Executable::of(wanted.applied_to(mode)));
    match (&step.act, seen) {
        (Act::Create(Fresh::Link { .. }), _) => "new file mode 120000\n".to_owned(),
        (Act::Remove { .. }, Seen::Link { .. }) => "deleted file mode 120000\n".to_owned(),
        (Act::Create(_), _) if becomes(0o644) == Some(Executable::Yes) => "new file mode 100755\n".to_owned(),
        (Act::Replace { .. } | Act::Mode { .. }, Seen::File(file)) => match (Executable::of(file.mode), step.bits) {
            (was, Some(_)) if becomes(file.mode) != Some(was) => {
                let is = becomes(file.mode).unwrap_or(was);
                format!("old mode {}\nnew mode {}\n", bits(was), bits(is))
            }
            _ => String::new(),
        },
        _ => String::new(),
    }
}

/// A link that comes or goes, its target as the text of a file without a newline.
fn link(old: &str, new: &str, before: Option<&[u8]>, after: Option<&[u8]>) -> Diff {
    unified(old, new, before.unwrap_or_default(), after.unwrap_or_default(), DIFF_LIMIT)
}

/// What becomes of a file. Where its text is its own bytes and parts of it stay, only the rest is looked at.
fn replaced(old: &str, new: &str, before: &[u8], after: &Pieces, charset: Option<Charset>) -> Diff {
    match after.edit_of(before) {
        Some((mark, edit)) if is_plain(before, mark, charset) && is_plain(&after.head(HEAD), mark, charset) => {
            unified_edit(old, new, before.get(mark..).unwrap_or_default(), edit, DIFF_LIMIT)
        }
        _ => texts(old, new, before, &after.whole(), charset),
    }
}

/// So many bytes tell what sort of text a file is.
const HEAD: usize = 16 << 10;

/// Is this text in its own bytes, after a mark of this length?
fn is_plain(bytes: &[u8], mark: usize, charset: Option<Charset>) -> bool {
    let open = Document::open(bytes.get(..HEAD).unwrap_or(bytes), charset);
    open.is_ok_and(|text| text.charset() == Charset::Utf8 && text.has_mark() == (mark > 0))
}

fn texts(old: &str, new: &str, before: &[u8], after: &[u8], charset: Option<Charset>) -> Diff {
    let like = |bytes| Document::open(bytes, charset);
    match (like(before), like(after)) {
        (Ok(before), Ok(after)) => unified(old, new, before.text(), after.text(), DIFF_LIMIT),
        _ => Diff::binary(),
    }
}

/// A name as a diff shows it: on one line, whatever it holds, so that no name can pass for a line of the diff.
fn one_line(name: String) -> String {
    if !name.chars().any(char::is_control) {
        return name;
    }
    let spelt = |ch: char| if ch.is_control() { ch.escape_default().to_string() } else { ch.to_string() };
    format!("\"{}\"", name.chars().map(spelt).collect::<String>())
}

fn plain(text: String) -> Diff {
    Diff { text, ..Diff::default() }
}
