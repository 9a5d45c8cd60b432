//! How the lines of a new file end: as the caller says, else as `.gitattributes` or `.editorconfig` of the workspace do.
//!
//! Those files are read through the guard and past the policy, from the root down to the folder of the new file, and
//! only as far as they are small. What cannot be read is as if it were not there: it never stands against a call.

use crate::session::Session;
use crate::workspace::Workspace;
use patchwright_core::ends::{ATTRIBUTES, EDITOR, Told, line_ends};
use patchwright_core::outcome::Trouble;
use patchwright_core::path::RelPath;
use patchwright_core::policy::Access;
use patchwright_core::refusal::{Refusal, Sort};
use patchwright_core::text::{Charset, Terminator, encode_new, with_terminator};
use patchwright_core::warning::Warning;
use patchwright_store::content;
use patchwright_store::real::Leaf;
use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

/// A longer file is not looked at.
const LONGEST: u64 = 64 << 10;
/// At most this many folders are looked into for one path, the nearest ones.
const FOLDERS: usize = 64;

/// What the folders of a workspace say, each read once.
#[derive(Default)]
pub(crate) struct Ends(RefCell<HashMap<RelPath, Rc<Told>>>);

/// The text of a new file as it is written, and what the caller should know of that.
pub(crate) struct NewText<'t> {
    pub(crate) text: Cow<'t, str>,
    pub(crate) told: Option<Warning>,
}

impl Ends {
    /// A new file's text with its line ends. `path` is where it really will be.
    pub(crate) fn give<'t>(
        &self,
        session: &Session,
        path: &RelPath,
        text: &'t str,
        asked: Option<Terminator>,
    ) -> NewText<'t> {
        let as_given = |told| NewText { text: Cow::Borrowed(text), told };
        let returns = returns_in(text);
        if returns > 0 {
            let fits = asked.is_none_or(|asked| asked == Terminator::CrLf && returns == newlines(text));
            return as_given((!fits).then(|| Warning::LineEndsKept { path: path.to_string() }));
        }
        // With a NUL it is no text.
        if newlines(text) == 0 || text.contains('\0') {
            return as_given(None);
        }
        let (ends, by) = match asked {
            Some(asked) => (asked, None),
            None => match line_ends(path, self.above(session, path).iter().map(Rc::as_ref)) {
                Some((ends, by)) => (ends, Some(by.to_owned())),
                None => return as_given(None),
            },
        };
        match ends {
            Terminator::CrLf => NewText {
                text: with_terminator(text, ends),
                told: by.map(|by| Warning::LineEndsChosen { path: path.to_string(), by }),
            },
            Terminator::Lf | Terminator::None => as_given(None),
        }
    }

    /// What the folders above a path say, from the root down.
    fn above(&self, session: &Session, path: &RelPath) -> Vec<Rc<Told>> {
        let mut folders = vec![RelPath::root()];
        folders.extend(path.ancestors());
        let far = folders.len().saturating_sub(FOLDERS);
        let mut known = self.0.borrow_mut();
        let told = |folder: &RelPath| {
            let read = || {
                let text = |name: &str| folder.join(name).and_then(|at| read(session, &at));
                Rc::new(Told::new(folder.clone(), text(ATTRIBUTES), text(EDITOR)))
            };
            Rc::clone(known.entry(folder.clone()).or_insert_with(read))
        };
        folders.iter().skip(far).map(told).collect()
    }
}

/// The text of a small file that may be read.
fn read(session: &Session, path: &RelPath) -> Option<String> {
    let Workspace { disk, policy, .. } = &*session.workspace;
    policy.check(path, Access::Read).ok()?;
    let at = disk.resolve(path).ok()?;
    policy.check(&at.real, Access::Read).ok()?;
    let Leaf::There(stat) = at.leaf else { return None };
    if stat.sort != Sort::File || stat.size > LONGEST {
        return None;
    }
    let file = disk.open_resolved(&at).ok()?;
    String::from_utf8(content::read(disk, &file, LONGEST).ok()?).ok()
}

fn newlines(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}

fn returns_in(text: &str) -> usize {
    text.matches("\r\n").count()
}

/// The bytes of a new file.
pub(crate) fn new_bytes(path: &RelPath, text: &str, charset: Option<Charset>) -> Result<Vec<u8>, Trouble> {
    let Some(charset) = charset else { return Ok(text.as_bytes().to_vec()) };
    encode_new(text, charset).map_err(|problem| Refusal::of_text(path, Some(charset), problem).into())
}
