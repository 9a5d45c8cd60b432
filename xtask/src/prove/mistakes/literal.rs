//! What a call says, taken word for word: the text it makes of a file, or nothing where it does not fit.
//!
//! A slow second reading of the rules, in a few plain lines for each dialect; of our own code it uses only the
//! reader of envelopes and the hash of a line. It decides which slips can be told at all: where a call fits
//! word for word and yet means something else, nobody could know from the call and the file.

pub(super) mod anchors;
pub(super) mod beside;
mod diff;
mod scopes;
mod unified;

use super::ask::{Ask, Change, Dialect};
use super::draft::{Hunk, applied};
use super::text::{Last, Text};
use patchwright_engine::core::conventions::Conventions;
use patchwright_engine::core::dialect::envelope::parse;
use patchwright_engine::core::digest::Digest;
use patchwright_testkit::reference;

/// The file, and what the caller knows of it.
pub(super) struct Scene<'a> {
    pub(super) path: &'a str,
    /// As the caller has read it.
    pub(super) seen: &'a Text,
    /// As it is now.
    pub(super) disk: &'a Text,
    /// The hash that the call gives.
    pub(super) hash: Option<Digest>,
    pub(super) session: Session,
}

/// What the tool remembers of the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Session {
    /// Nothing: each call stands alone.
    Unknown,
    /// It has read the file, with anchors.
    HasRead,
    /// It has read the file and then written it itself.
    HasWritten,
}

/// What becomes of the file by the letter of the call; nothing where it must be refused.
pub(super) fn literal(dialect: Dialect, ask: &Ask, scene: &Scene<'_>) -> Option<Vec<u8>> {
    let fresh = scene.hash.is_none_or(|hash| hash == Digest::of(&scene.disk.bytes()));
    if !fresh {
        return None;
    }
    match (ask, dialect) {
        (Ask::Patch(text), Dialect::Unified) => unified::patched(text, scene.disk).map(|text| text.bytes()),
        (Ask::Patch(text), Dialect::Diff) => diff::patched(text, scene.disk).map(|text| text.bytes()),
        (Ask::Patch(text), _) => envelope(text, scene),
        (Ask::Codex(text), _) => scopes::patched(text, scene.disk).map(|text| text.bytes()),
        (Ask::Anchors(operations), _) => anchors::edited(operations, scene).map(sound),
        (Ask::Strings(edits), _) if proven(scene) => strings(edits, scene.disk).map(|text| text.bytes()),
        (Ask::Strings(edits), _) if scene.session == Session::HasRead => {
            beside::edited(edits, scene.seen, scene.disk).map(|text| text.bytes())
        }
        (Ask::Strings(_), _) => None,
        (Ask::Lines(changes), _) => scene.hash.and_then(|_| lines(changes, scene.disk)).map(sound),
        (Ask::Whole(content), _) => proven(scene).then(|| scene.disk.saying(content).bytes()),
    }
}

/// Has the caller shown that it knows the file as it is?
fn proven(scene: &Scene<'_>) -> bool {
    match (scene.hash, scene.session) {
        (Some(_), _) | (None, Session::HasWritten) => true,
        (None, Session::HasRead) => scene.seen == scene.disk,
        (None, Session::Unknown) => false,
    }
}

fn envelope(text: &str, scene: &Scene<'_>) -> Option<Vec<u8>> {
    let patch = parse(text, Conventions::Strict).ok()?.patch;
    let files = reference::Files::from([(scene.path.to_owned(), scene.disk.bytes())]);
    reference::applied(&files, &patch)?.remove(scene.path)
}

/// Each old text must stand there once, and none may touch another's.
fn strings(edits: &[(String, String)], disk: &Text) -> Option<Text> {
    let shown = disk.shown();
    let mut places = Vec::new();
    for (old, new) in edits {
        let at = shown.find(old.as_str()).filter(|_| !old.is_empty())?;
        let behind = at + old.chars().next().map_or(1, char::len_utf8);
        if shown.get(behind..).is_some_and(|rest| rest.contains(old.as_str())) {
            return None;
        }
        places.push((at, at + old.len(), new));
    }
    places.sort();
    let apart = places.iter().zip(places.iter().skip(1)).all(|(one, two)| one.1 <= two.0);
    let mut text = shown;
    for (start, end, new) in places.into_iter().rev() {
        text.replace_range(start..end, new);
    }
    apart.then(|| disk.saying(&text))
}

/// Every line must be what is expected, from top to bottom; and what is quoted must stand in one place only.
fn lines(changes: &[Change], disk: &Text) -> Option<Text> {
    let mut hunks: Vec<Hunk> = Vec::new();
    for change in changes {
        let old = change.start..change.start + change.count;
        let there = match change.count {
            0 => change.start <= disk.lines.len() && !change.new.is_empty() && is_beside(change, change.start, disk),
            _ => places(change, disk) == [change.start],
        };
        let in_order = hunks.last().is_none_or(|above| above.old.end <= old.start);
        if !there || !in_order {
            return None;
        }
        hunks.push(Hunk { old, new: change.new.clone() });
    }
    Some(applied(disk, &hunks))
}

/// Everywhere that the lines of a change stand, with the neighbours that it quotes.
fn places(change: &Change, disk: &Text) -> Vec<usize> {
    let there = |at: &usize| disk.lines.get(*at..*at + change.count) == Some(&change.expected[..]);
    (0..disk.lines.len()).filter(there).filter(|at| is_beside(change, *at, disk)).collect()
}

fn is_beside(change: &Change, at: usize, disk: &Text) -> bool {
    let line = |at: Option<usize>| at.and_then(|at| disk.lines.get(at));
    let (above, below) = (line(at.checked_sub(1)), line(Some(at + change.count)));
    change.around.as_ref().is_none_or(|said| above == said.0.as_ref() && below == said.1.as_ref())
}

/// The bytes of a text whose end was not spoken of. An empty line at the end needs its newline.
fn sound(mut text: Text) -> Vec<u8> {
    if !text.is_sound() {
        text.last = Last::Newline;
    }
    text.bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(ask: &Ask, disk: &str, expected: Option<&str>) {
        let disk = Text::of(disk.as_bytes()).unwrap();
        let hash = Some(Digest::of(&disk.bytes()));
        let scene = Scene { path: "f", seen: &disk, disk: &disk, hash, session: Session::Unknown };
        let found = literal(Dialect::Envelope, ask, &scene).map(|bytes| String::from_utf8(bytes).unwrap());
        assert_eq!(found.as_deref(), expected, "{ask:?}");
    }

    #[test]
    fn texts_stand_once() {
        let ask = |pairs: &[(&str, &str)]| {
            Ask::Strings(pairs.iter().map(|(old, new)| ((*old).to_owned(), (*new).to_owned())).collect())
        };
        check(&ask(&[("b", "x")]), "a\r\nb\r\n", Some("a\r\nx\r\n"));
        check(&ask(&[("b\n", "x\ny\n"), ("a", "z")]), "a\r\nb\r\n", Some("z\r\nx\r\ny\r\n"));
        check(&ask(&[("a", "x")]), "a\na\n", None);
        check(&ask(&[("aa", "x")]), "aaa\n", None); // places that overlap are two
        check(&ask(&[("c", "x")]), "a\n", None);
        check(&ask(&[("ab", "x"), ("bc", "y")]), "abc\n", None);
    }

    #[test]
    fn numbered_lines_say_what_is_expected() {
        let strings = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let change = |start: usize, expected: &[&str], new: &[&str], (above, below): (&str, &str)| {
            let (expected, said) = (strings(expected), |line: &str| (!line.is_empty()).then(|| line.to_owned()));
            let around = Some((said(above), said(below)));
            Change { start, count: expected.len(), expected, new: strings(new), around }
        };
        check(&Ask::Lines(vec![change(1, &["b"], &["x", "y"], ("a", "c"))]), "a\nb\nc", Some("a\nx\ny\nc"));
        check(&Ask::Lines(vec![change(1, &["b"], &["x"], ("a", "b"))]), "a\nb\nc", None);
        check(&Ask::Lines(vec![change(2, &["b"], &["x"], ("b", ""))]), "a\nb\nc", None);
        check(&Ask::Lines(vec![change(0, &[], &["x"], ("", "a"))]), "a\nb\n", Some("x\na\nb\n"));
        check(&Ask::Lines(vec![change(1, &[], &["x"], ("", "a"))]), "a\nb\n", None);
        let (first, last) = (change(0, &["a"], &["x"], ("", "b")), change(1, &["b"], &[], ("a", "")));
        check(&Ask::Lines(vec![last, first]), "a\nb\n", None); // out of order
        let bare = |start: usize| Change { around: None, ..change(start, &["b"], &["x"], ("", "")) };
        check(&Ask::Lines(vec![bare(1)]), "a\nb\nc\n", Some("a\nx\nc\n"));
        check(&Ask::Lines(vec![bare(1)]), "a\nb\nb\n", None); // a number alone does not pick
        check(&Ask::Lines(vec![change(1, &["b"], &["x"], ("a", "c"))]), "a\nb\nc\na\nb\nc\n", None);
        check(&Ask::Lines(vec![change(1, &["b"], &[""], ("a", ""))]), "a\nb", Some("a\n\n"));
    }
}
