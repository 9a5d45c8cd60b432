//! Random trees, and what becomes of their files.

use crate::bench::{Held, Tree};
use patchwright_engine::core::dialect::envelope::generate::{moved, section};
use patchwright_engine::core::dialect::envelope::{Patch, Section, print};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::collections::BTreeMap;

/// Files, and the fate of each.
#[derive(Clone, Debug)]
pub(crate) struct Story {
    files: BTreeMap<&'static str, (File, Fate)>,
    new: BTreeMap<&'static str, File>,
}

#[derive(Clone, Debug)]
struct File {
    /// Each with whether it ends in `\r\n` where the file is mixed.
    lines: Vec<(&'static str, bool)>,
    ending: Ending,
    dress: Dress,
    bare: bool,
    mode: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Ending {
    Lf,
    CrLf,
    Mixed,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Dress {
    Utf8,
    Marked,
    Utf16,
    Broken,
}

#[derive(Clone, Debug)]
enum Fate {
    Stay,
    Edit(Vec<Turn>),
    Delete,
    Move(Vec<Turn>),
}

/// One change of a file's lines.
#[derive(Clone, Debug)]
enum Turn {
    Insert(Index, &'static str, bool),
    Remove(Index),
    Write(Index, &'static str),
    End,
}

const NAMES: &[&str] = &["a.txt", "b c.rs", "d/e", "d/f/g", "ü", "run -> x"];
const NEW: &[&str] = &["n", "d/n", "x/y/n"];
/// Few, so that they repeat; and some that look like the envelope's own.
const LINES: &[&str] =
    &["", "a", "b", "}", "  }", "日本", "*** End Patch", "@@", "+a", "-a", " a", "\\ No newline at end of file"];
const LONE: &str = "a\rb";
/// What stands for bytes that are not UTF-8.
const BROKEN: &str = "\u{1}";

pub(crate) fn story() -> impl Strategy<Value = Story> {
    let files = btree_map(select(NAMES), (file(), fate()), 0..5);
    (files, btree_map(select(NEW), file(), 0..3)).prop_map(|(files, new)| Story { files, new })
}

fn file() -> impl Strategy<Value = File> {
    let ending = prop_oneof![4 => Just(Ending::Lf), 1 => Just(Ending::CrLf), 1 => Just(Ending::Mixed)];
    let dress = prop_oneof![6 => Just(Dress::Utf8), 1 => Just(Dress::Marked), 1 => Just(Dress::Utf16), 1 => Just(Dress::Broken)];
    let lines = vec((line(), any::<bool>()), 0..12);
    let mode = select(&[0o640, 0o751, 0o600][..]);
    (lines, ending, dress, any::<bool>(), mode).prop_map(|(lines, ending, dress, bare, mode)| File {
        lines,
        ending,
        dress,
        bare,
        mode,
    })
}

fn line() -> impl Strategy<Value = &'static str> {
    prop_oneof![20 => select(LINES), 1 => Just(LONE), 2 => Just(BROKEN)]
}

fn fate() -> impl Strategy<Value = Fate> {
    prop_oneof![
        1 => Just(Fate::Stay),
        5 => vec(turn(), 1..5).prop_map(Fate::Edit),
        1 => Just(Fate::Delete),
        2 => vec(turn(), 0..4).prop_map(Fate::Move),
    ]
}

fn turn() -> impl Strategy<Value = Turn> {
    prop_oneof![
        3 => (any::<Index>(), line(), any::<bool>()).prop_map(|(at, text, end)| Turn::Insert(at, text, end)),
        2 => any::<Index>().prop_map(Turn::Remove),
        3 => (any::<Index>(), line()).prop_map(|(at, text)| Turn::Write(at, text)),
        1 => Just(Turn::End),
    ]
}

impl Story {
    pub(crate) fn before(&self) -> Tree {
        self.files.iter().map(|(name, (file, _))| ((*name).to_owned(), file.held())).collect()
    }

    /// The envelope, and the files after it; nothing if nothing can be said.
    pub(crate) fn envelope(&self) -> Option<(String, Tree)> {
        let mut wanted = self.before();
        let mut sections = Vec::new();
        for (name, (file, fate)) in &self.files {
            sections.extend(told(name, file, fate, &mut wanted));
        }
        for (name, file) in &self.new {
            let bytes = file.bytes();
            // A new file's text is UTF-8, whatever its mark would say.
            let made = section(name, None, Some(&bytes));
            let made = if file.dress == Dress::Utf16 { made.ok() } else { file.expect(made) };
            if let Some(section) = made.flatten() {
                wanted.insert((*name).to_owned(), Held { bytes, mode: None });
                sections.push(section);
            }
        }
        (!sections.is_empty()).then(|| (print(&Patch { sections }), wanted))
    }
}

fn told(name: &str, file: &File, fate: &Fate, wanted: &mut Tree) -> Option<Section> {
    let old = file.bytes();
    let edited = |turns: &[Turn]| turns.iter().fold(file.clone(), File::after);
    let held = |bytes: Vec<u8>| Held { bytes, mode: Some(file.mode) };
    match fate {
        Fate::Stay => None,
        Fate::Delete => {
            wanted.remove(name);
            section(name, Some(&old), None).unwrap()
        }
        Fate::Edit(turns) => {
            let new = edited(turns).bytes();
            let section = file.expect(section(name, Some(&old), Some(&new)))??;
            wanted.insert(name.to_owned(), held(new));
            Some(section)
        }
        Fate::Move(turns) => {
            let (to, new) = (format!("{name}.moved"), edited(turns).bytes());
            let section = file.expect(moved(name, &to, &old, &new))?;
            wanted.remove(name);
            wanted.insert(to, held(new));
            Some(section)
        }
    }
}

impl File {
    fn held(&self) -> Held {
        Held { bytes: self.bytes(), mode: Some(self.mode) }
    }

    /// What was generated. Of plain files, everything must be.
    fn expect<T, E: std::fmt::Debug>(&self, made: Result<T, E>) -> Option<T> {
        let plain = self.ending == Ending::Lf && self.dress != Dress::Broken;
        assert!(made.is_ok() || !plain, "{:?} {self:?}", made.err());
        made.ok()
    }

    fn after(mut self, turn: &Turn) -> File {
        let count = self.lines.len();
        match turn {
            Turn::Insert(at, text, end) => self.lines.insert(at.index(count + 1), (text, *end)),
            Turn::Remove(at) if count > 0 => drop(self.lines.remove(at.index(count))),
            Turn::Write(at, text) if count > 0 => self.lines[at.index(count)].0 = text,
            Turn::End => self.bare = !self.bare,
            Turn::Remove(_) | Turn::Write(..) => {}
        }
        self
    }

    fn bytes(&self) -> Vec<u8> {
        let mut text = String::new();
        for (line, crlf) in &self.lines {
            text.push_str(line);
            let crlf = self.ending == Ending::CrLf || self.ending == Ending::Mixed && *crlf;
            text.push_str(if crlf { "\r\n" } else { "\n" });
        }
        if self.bare {
            text.truncate(text.trim_end_matches(['\r', '\n']).len());
        }
        match self.dress {
            Dress::Utf8 => text.into_bytes(),
            Dress::Marked => format!("\u{feff}{text}").into_bytes(),
            Dress::Utf16 => "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect(),
            Dress::Broken => text.split(BROKEN).map(str::as_bytes).collect::<Vec<_>>().join(&b"\xff"[..]),
        }
    }
}
