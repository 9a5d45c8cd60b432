//! An edit as an envelope, with the trees that must stand before and after.
//!
//! What cannot be written is left out of all three, with its reason.

use super::edit::{Change, Edit, File, Mode, Reason};
use patchwright_engine::core::dialect::envelope::generate::{Inexpressible, moved, section};
use patchwright_engine::core::dialect::envelope::{Patch, Section, print};
use std::collections::BTreeMap;

/// A file as it must stand on the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) bytes: Vec<u8>,
    pub(super) mode: Wish,
}

/// What its permission bits must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// Just these.
    Exactly(u32),
    /// Those of any new file, and so not executable.
    New,
}

/// Files by path.
pub(super) type Files = BTreeMap<String, Wanted>;

/// An edit that can be tried.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// Nothing if there is nothing to apply.
    pub(super) patch: Option<String>,
    pub(super) sections: usize,
    pub(super) hunks: usize,
    pub(super) before: Files,
    pub(super) after: Files,
    pub(super) left_out: Vec<Reason>,
}

impl Written {
    pub(super) fn of(edit: Edit) -> Written {
        let mut written = Written { left_out: edit.left_out, ..Written::default() };
        for (path, file) in edit.bystanders {
            let file = standing(&file);
            written.before.insert(path.clone(), file.clone());
            written.after.insert(path, file);
        }
        let (mut gone, mut others) = (Vec::new(), Vec::new());
        for change in &edit.changes {
            match written.take(change) {
                Ok(Some(section @ Section::Delete { .. })) => gone.push(section),
                Ok(Some(section)) => others.push(section),
                Ok(None) => written.left_out.push(Reason::ModeOnly),
                Err(why) => written.left_out.push(why.into()),
            }
        }
        // A file may have to make way for a folder.
        gone.extend(others);
        written.sections = gone.len();
        written.hunks = gone.iter().map(|section| section.hunks().len()).sum();
        written.patch = (!gone.is_empty()).then(|| print(&Patch { sections: gone }));
        written
    }

    /// The section of a change; nothing if the bytes stay as they are.
    fn take(&mut self, change: &Change) -> Result<Option<Section>, Inexpressible> {
        match change {
            Change::Add { path, after } => {
                let section = section(path, None, Some(&after.bytes))?;
                if after.mode == Mode::Executable {
                    self.left_out.push(Reason::ModeToo);
                }
                self.after.insert(path.clone(), Wanted { bytes: after.bytes.clone(), mode: Wish::New });
                Ok(section)
            }
            Change::Delete { path, before } => {
                let section = section(path, Some(&before.bytes), None)?;
                self.before.insert(path.clone(), standing(before));
                Ok(section)
            }
            Change::Update { path, before, after } => {
                let section = section(path, Some(&before.bytes), Some(&after.bytes))?;
                if section.is_some() {
                    self.pair(path, before, path, after);
                }
                Ok(section)
            }
            Change::Move { from, to, before, after } => {
                let section = moved(from, to, &before.bytes, &after.bytes)?;
                self.pair(from, before, to, after);
                Ok(Some(section))
            }
        }
    }

    /// A file that goes on: with new bytes or under another name, its mode is kept.
    fn pair(&mut self, from: &str, before: &File, to: &str, after: &File) {
        if before.mode != after.mode {
            self.left_out.push(Reason::ModeToo);
        }
        let old = standing(before);
        self.after.insert(to.to_owned(), Wanted { bytes: after.bytes.clone(), mode: old.mode });
        self.before.insert(from.to_owned(), old);
    }
}

/// Bits that no umask gives a new file, so that a lost mode shows.
fn standing(file: &File) -> Wanted {
    let bits = match file.mode {
        Mode::Plain => 0o620,
        Mode::Executable => 0o751,
    };
    Wanted { bytes: file.bytes.clone(), mode: Wish::Exactly(bits) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str, mode: Mode) -> File {
        File { bytes: text.as_bytes().to_vec(), mode }
    }

    fn check(changes: Vec<Change>, body: Option<&str>, left_out: &[Reason]) {
        let written = Written::of(Edit { changes, ..Edit::default() });
        let text = body.map(|body| format!("*** Begin Patch\n{body}*** End Patch\n"));
        assert_eq!(written.patch, text);
        assert_eq!(written.left_out, left_out);
    }

    #[test]
    fn what_can_be_said_is_said_and_the_rest_is_counted() {
        use Mode::{Executable, Plain};
        let update = |before: File, after: File| vec![Change::Update { path: "f".into(), before, after }];
        let body = "*** Update File: f\n@@\n-a\n+b\n";
        check(update(file("a\n", Plain), file("b\n", Plain)), Some(body), &[]);
        check(update(file("a\n", Plain), file("b\n", Executable)), Some(body), &[Reason::ModeToo]);
        check(update(file("a\n", Plain), file("a\n", Executable)), None, &[Reason::ModeOnly]);
        check(update(file("a\n", Plain), file("a\r\n", Plain)), None, &[Reason::LineEnds]);
        check(update(file("a\n", Plain), file("\0", Plain)), None, &[Reason::Binary]);
        let add = Change::Add { path: "n".into(), after: file("x\n", Executable) };
        let gone = Change::Delete { path: "o".into(), before: file("\0", Plain) };
        let body = "*** Delete File: o\n*** Add File: n\n+x\n";
        check(vec![add, gone], Some(body), &[Reason::ModeToo]);
        let (before, after) = (file("x\n", Plain), file("x\n", Plain));
        let moved = Change::Move { from: "a".into(), to: "b".into(), before, after };
        check(vec![moved], Some("*** Move File: a -> b\n"), &[]);
        check(Vec::new(), None, &[]);
    }
}
