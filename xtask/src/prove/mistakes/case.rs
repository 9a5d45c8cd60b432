//! One edit with one slip, in one dialect: what the caller has read, what stands on the disk, the call, and what
//! would be right.

use super::anchored;
use super::ask::{Ask, Dialect, Prefix};
use super::draft::{Block, Hunk, applied, blocks};
use super::garble::{garbled, with_other_word};
use super::literal::anchors::stands;
use super::literal::{Scene, Session, literal};
use super::sample::Sample;
use super::scopes;
use super::slip::Slip;
use super::text::{Ends, Last, Text};
use super::write::{Manner, Style, shifted, spoilt, written};
use patchwright_engine::core::digest::Digest;
use patchwright_testkit::dice::Dice;

/// A call to be tried.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) slip: Slip,
    pub(super) dialect: Dialect,
    pub(super) path: String,
    /// The file as the caller has read it.
    pub(super) seen: Text,
    /// As it is when the call comes.
    pub(super) disk: Text,
    pub(super) times: Times,
    /// The hash that the call gives.
    pub(super) hash: Option<Digest>,
    pub(super) ask: Ask,
    /// The only right result; nothing where there is none.
    pub(super) right: Option<Vec<u8>>,
    /// Which edit, for showing.
    pub(super) name: String,
}

/// How often the call is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Times {
    Once,
    /// A second time, by mistake.
    Again,
}

/// The edit of a sample, written down without a slip.
pub(super) struct Clean<'a> {
    sample: &'a Sample,
    dialect: Dialect,
    path: String,
    blocks: Vec<Block>,
    style: Style,
    ask: Ask,
    hash: Option<Digest>,
}

/// A file as it is read, as it is when the call comes, and what would be right then.
struct Versions {
    seen: Text,
    disk: Text,
    right: Option<Text>,
}

/// More lines than these around a change nobody writes.
const MOST_AROUND: usize = 12;

impl<'a> Clean<'a> {
    /// Writes the edit down with as many lines around it as the dialect needs; nothing if it cannot say it.
    pub(super) fn of(sample: &'a Sample, dialect: Dialect, path: &str, dice: &mut Dice) -> Option<Clean<'a>> {
        let before = &sample.before;
        let right = applied(before, &sample.ours).bytes();
        let mut style = if dice.coin() { Style::Runs } else { Style::Blocks };
        let hash = (dialect.root() == Dialect::Lines || dice.coin()).then(|| Digest::of(&before.bytes()));
        let hash = hash.filter(|_| dialect != Dialect::Unified);
        let mut around = if dialect == Dialect::Unified { 3 } else { 1 + dice.below(3) };
        while around <= MOST_AROUND {
            let blocks = blocks(before, &sample.ours, around);
            let ask = written(dialect, path, &blocks, before, Manner { style, prefix: Prefix::Kept });
            let scene = Scene { path, seen: before, disk: before, hash, session: Session::HasRead };
            match ask {
                Some(ask) if literal(dialect, &ask, &scene).as_ref() == Some(&right) => {
                    let path = path.to_owned();
                    return Some(Clean { sample, dialect, path, blocks, style, ask, hash });
                }
                // Lines that stand elsewhere too are told apart by more of them.
                _ if dialect.root() == Dialect::Lines && style == Style::Runs => style = Style::Blocks,
                _ => around += 3,
            }
        }
        None
    }

    /// The call.
    pub(super) fn ask(&self) -> &Ask {
        &self.ask
    }

    /// The same edit with a slip; nothing if there is no room for it.
    pub(super) fn with(&self, slip: Slip, dice: &mut Dice) -> Option<Case> {
        if slip == Slip::WrongCopy {
            return self.wrong_copy(dice);
        }
        let blocks = garbled(slip, self.blocks.clone(), dice);
        let Versions { seen, disk, right } = self.world(slip, dice)?;
        let style = if blocks == self.blocks { self.style } else { Style::Blocks };
        let prefix = if slip == Slip::LostPrefix { Prefix::Lost } else { Prefix::Kept };
        let patch = matches!(self.dialect, Dialect::Envelope | Dialect::Unified | Dialect::Diff);
        let blocks = if patch && slip == Slip::NumbersOff { shifted(blocks, dice)? } else { blocks };
        let ask = written(self.dialect, &self.path, &blocks, &seen, Manner { style, prefix })?;
        let ask = spoilt(slip, ask, &seen, dice)?;
        if let Ask::Codex(patch) = &ask
            && disk != seen
            && !scopes::agreed(patch, &disk.lines)
        {
            return None;
        }
        let same_file = seen == self.sample.before && disk == seen;
        let times = if slip == Slip::Replay { Times::Again } else { Times::Once };
        if slip != Slip::Clean && ask == self.ask && same_file && times == Times::Once && !self.lies(slip) {
            return None;
        }
        let mut hash = self.hash.map(|_| Digest::of(&seen.bytes()));
        if self.lies(slip) {
            hash = Some(Digest::of(b"a hash that was made up"));
        }
        Some(self.case(slip, Versions { seen, disk, right }, ask, hash).repeated(times))
    }

    /// Where there is nothing else to hallucinate, the hash is.
    fn lies(&self, slip: Slip) -> bool {
        slip == Slip::Hallucinated && self.dialect == Dialect::Whole
    }

    fn case(&self, slip: Slip, versions: Versions, ask: Ask, hash: Option<Digest>) -> Case {
        let Versions { seen, disk, right } = versions;
        Case {
            slip,
            dialect: self.dialect,
            path: self.path.clone(),
            seen,
            disk,
            times: Times::Once,
            hash,
            ask,
            right: right.map(|text| text.bytes()),
            name: self.sample.name.clone(),
        }
    }

    /// The file as it is read, as it is when the call comes, and what would be right then.
    fn world(&self, slip: Slip, dice: &mut Dice) -> Option<Versions> {
        let (sample, mut seen) = (self.sample, self.sample.before.clone());
        match slip {
            Slip::CrlfFile => seen.ends = Ends::CrLf,
            Slip::NoFinalNewline => seen.last = Last::Bare,
            _ => {}
        }
        let after = applied(&seen, &sample.ours);
        // A file of one line without an end does not show how its lines would end.
        if Text::of(&seen.bytes()).as_ref() != Some(&seen) || !after.is_sound() {
            return None;
        }
        match slip {
            Slip::Stale => {
                let other = dice.pick(&sample.others)?.clone();
                let mut both: Vec<Hunk> = sample.ours.iter().cloned().chain([other.clone()]).collect();
                both.sort_by_key(|hunk| (hunk.old.start, hunk.old.end));
                let (disk, right) = (applied(&seen, &[other]), applied(&seen, &both));
                let sound = Text::of(&disk.bytes()).as_ref() == Some(&disk) && right.is_sound();
                sound.then_some(Versions { seen, disk, right: Some(right) })
            }
            Slip::ForeignInside => {
                let gone: Vec<usize> = sample.ours.iter().flat_map(|hunk| hunk.old.clone()).collect();
                let mut disk = seen.clone();
                let line = disk.lines.get_mut(*dice.pick(&gone)?)?;
                *line = with_other_word(&format!("{line} too"));
                Some(Versions { seen, disk, right: None })
            }
            Slip::Replay => Some(Versions { seen, disk: after.clone(), right: Some(after) }),
            // An edit with a hallucinated word in its new text would be right without it.
            _ => Some(Versions { seen: seen.clone(), disk: seen, right: Some(after) }),
        }
    }

    /// A file where the place stands twice, and a number that points at the other copy.
    fn wrong_copy(&self, dice: &mut Dice) -> Option<Case> {
        let ([block], seen) = (&self.blocks[..], &self.sample.before) else { return None };
        let copy = block.old_lines();
        let (first, above) = (block.at, dice.coin());
        let parting = "// The same once more:".to_owned();
        let mut lines = seen.lines.clone();
        let at = if above { 0 } else { lines.len() };
        let piece: Vec<String> = match above {
            true => copy.iter().cloned().chain([parting]).collect(),
            false => [parting].into_iter().chain(copy.iter().cloned()).collect(),
        };
        let shift = if above { piece.len() } else { 0 };
        let other = if above { 0 } else { at + 1 };
        drop(lines.splice(at..at, piece));
        let seen = seen.with(lines);
        let moved = |hunk: &Hunk| Hunk { old: hunk.old.start + shift..hunk.old.end + shift, new: hunk.new.clone() };
        let right = applied(&seen, &self.sample.ours.iter().map(moved).collect::<Vec<_>>());
        if !seen.is_sound() || !right.is_sound() || copy.is_empty() {
            return None;
        }
        let ask = match self.dialect {
            Dialect::Anchors | Dialect::BareAnchors => {
                let mut made = anchored::at_copy(block, &self.sample.before, other as isize - first as isize)?;
                if self.dialect == Dialect::BareAnchors {
                    made.iter_mut().for_each(|one| one.was = None);
                }
                Ask::Anchors(made)
            }
            // The lines and their neighbours as they are in the place that is meant, the number of the other.
            Dialect::Lines | Dialect::BareLines => {
                let meant = Block { at: first + shift, lines: block.lines.clone() };
                let manner = Manner { style: self.style, prefix: Prefix::Kept };
                let ask = written(self.dialect, &self.path, &[meant], &seen, manner)?;
                let Ask::Lines(mut changes) = ask else { return None };
                for change in &mut changes {
                    change.start = change.start.checked_sub(first + shift)? + other;
                }
                Ask::Lines(changes)
            }
            _ => {
                let hinted = Block { at: other, lines: block.lines.clone() };
                let manner = Manner { style: Style::Blocks, prefix: Prefix::Kept };
                written(self.dialect, &self.path, &[hinted], &seen, manner)?
            }
        };
        let hash = self.hash.map(|_| Digest::of(&seen.bytes()));
        Some(self.case(Slip::WrongCopy, Versions { seen: seen.clone(), disk: seen, right: Some(right) }, ask, hash))
    }
}

impl Case {
    fn repeated(mut self, times: Times) -> Case {
        self.times = times;
        self
    }

    /// The same call with the hash of what was read, for a door that remembers nothing.
    pub(super) fn proving(mut self) -> Case {
        self.hash = self.hash.or_else(|| Some(Digest::of(&self.seen.bytes())));
        self
    }

    /// What the call says, taken word for word, at such a door.
    pub(super) fn literal(&self, door: Door) -> Option<Vec<u8>> {
        let session = match (door, self.times) {
            (Door::Alone, _) => Session::Unknown,
            (Door::Session, Times::Once) => Session::HasRead,
            // Those who ask for no proof take everybody for the last writer.
            (Door::Session, Times::Again) | (Door::Trusting, _) => Session::HasWritten,
        };
        let hash = if door == Door::Trusting { None } else { self.hash };
        let path = self.path.as_str();
        let scene = Scene { path, seen: &self.seen, disk: &self.disk, hash, session };
        if let (Ask::Anchors(operations), Times::Again) = (&self.ask, self.times)
            && stands(operations, &scene)
        {
            return None;
        }
        literal(self.dialect, &self.ask, &scene)
    }
}

/// What a door knows of the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Door {
    /// What it has read and written in this session.
    Session,
    /// Nothing: only a hash is proof.
    Alone,
    /// Nothing, and it asks for no proof.
    Trusting,
}
