//! What is tried: where, what is put there, and who opens it.

use super::ground::{WHERES, Where};
use super::openers::{OPENERS, Opening};
use patchwright_testkit::dice::Dice;

/// One trial.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) at: Where,
    pub(super) what: Vec<Forgery>,
    /// Which of the openers, and how.
    pub(super) opener: usize,
    pub(super) opening: Opening,
}

/// Something that a hostile hand leaves.
#[derive(Clone, Debug)]
pub(super) enum Forgery {
    /// A log of 0.1 in the tree, with these records of chance.
    Old(u64),
    /// A record in one of the places, under an id.
    Record { place: usize, id: Whose, dress: Dress, seed: u64 },
    /// A record behind the last one of our own log.
    Tail { dress: Dress, seed: u64 },
    /// Our own record, tampered with.
    Own(Harm, u64),
    /// The record of another workspace of the same user.
    Copied { place: usize },
    /// Something else in the place of a part of a record or of the folder for them.
    Instead { part: Part, by: By },
    /// An index that never ends.
    Index(IndexAt),
    /// A record that brings its own key, note and mark along.
    Keyed { place: usize, seed: u64 },
    /// A genuine call that was never finished, whose folder has become a link.
    Unfinished { link: By, seed: u64 },
    /// Something very large or deep.
    Huge(Huge),
    /// Settings that ask for more.
    Settings(usize),
}

/// Under whose id a record stands.
#[derive(Clone, Copy, Debug)]
pub(super) enum Whose {
    Nobodys,
    /// An id that comes before all others.
    First,
    Ours,
    Others,
}

/// How a record is made to look genuine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dress {
    /// Tagged under the attacker's key.
    Wrong,
    /// With a tag of zeros.
    Zero,
    /// Without a tag.
    Bare,
    /// With the right tag of another record's id.
    OtherId,
    /// With the right tag for another offset.
    OtherOffset,
    /// With the right tag, out of sequence.
    OtherSequence,
    /// A genuine record of the same log, at another offset.
    Replayed,
}

/// What happens to our own record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Harm {
    /// The log of an earlier time.
    Older,
    /// Everything of an earlier time.
    OlderWhole,
    /// Records are missing at the end, zeros in their place.
    Cut,
    /// Bytes are missing at the end.
    Truncated,
    /// A bit is another.
    Flipped,
    /// Two records have changed places.
    Swapped,
    /// Two commits of the same length have, so that all else is where it was.
    Exchanged,
    /// The word on one proposal stands in the place of that on another, and the index is lost.
    Revived,
    /// The records come again.
    Doubled,
    /// A record is missing in the middle.
    Dropped,
    /// Another log in its place, of 0.1 or of today.
    Replaced,
    /// No log.
    Gone,
    /// Something that is none.
    Garbage,
    /// Forged files among those that are kept.
    Stuffed,
}

/// Part of a record, or the folder for records in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Place,
    Id,
    Log,
    Trash,
    Blobs,
    Ignore,
    /// The log of a record that is not ours.
    ForeignLog,
}

/// What stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// A link to the folder outside, or a file in it.
    Outside,
    /// A link to the git folder, or a file in it.
    Git,
    /// A link to another folder of the tree.
    Inside,
    /// A link to the other workspace's record.
    Other,
    Pipe,
    File,
    Folder,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum IndexAt {
    /// Where 0.1 had it.
    Old,
    /// In our own record.
    Record,
    /// At home, where ours is: a damaged cache.
    Home,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Huge {
    /// An intent of very many steps, in a foreign record.
    Works,
    /// The same behind our own log.
    OwnWorks,
    /// Values in values.
    Deep,
    /// A log of a tebibyte of nothing, foreign or our own.
    Sparse,
    OwnSparse,
    /// Very many records side by side.
    Siblings(usize),
    /// A glob with very many braces.
    Braces,
}

/// Kinds of settings that [`Forgery::Settings`] can bring.
pub(super) const SETTINGS: usize = 4;

const DRESSES: &[Dress] = &[
    Dress::Wrong,
    Dress::Zero,
    Dress::Bare,
    Dress::OtherId,
    Dress::OtherOffset,
    Dress::OtherSequence,
    Dress::Replayed,
];
const HARMS: &[Harm] = &[
    Harm::Older,
    Harm::OlderWhole,
    Harm::Cut,
    Harm::Truncated,
    Harm::Flipped,
    Harm::Swapped,
    Harm::Exchanged,
    Harm::Revived,
    Harm::Doubled,
    Harm::Dropped,
    Harm::Replaced,
    Harm::Gone,
    Harm::Garbage,
    Harm::Stuffed,
];
const PARTS: &[Part] = &[Part::Place, Part::Id, Part::Log, Part::Trash, Part::Blobs, Part::Ignore, Part::ForeignLog];
const BYS: &[By] = &[By::Outside, By::Git, By::Inside, By::Other, By::Pipe, By::File, By::Folder];
const LINKS: &[By] = &[By::Outside, By::Git, By::Inside];

impl Plan {
    /// A trial of chance.
    pub(super) fn thrown(dice: &mut Dice) -> Plan {
        let at = one(dice, WHERES, Where::Plain);
        let count = [1, 1, 1, 2, 2, 3].get(dice.below(6)).copied().unwrap_or(1);
        let what = (0..count).map(|_| Forgery::thrown(dice)).collect();
        let opener = dice.below(OPENERS);
        let opening = if dice.below(4) == 0 { Opening::ReadOnly } else { Opening::Plain };
        Plan { at, what, opener, opening }
    }

    /// What to count it under.
    pub(super) fn names(&self) -> Vec<String> {
        let word = |thing: String| thing.split([' ', '(', '{']).next().unwrap_or_default().to_owned();
        let mut names = vec![format!("where {:?}", self.at), format!("opened by {}", super::openers::name(self))];
        names.extend(self.what.iter().map(|what| format!("what {}", word(format!("{what:?}")))));
        names
    }
}

fn one<T: Copy>(dice: &mut Dice, from: &[T], else_: T) -> T {
    dice.pick(from).copied().unwrap_or(else_)
}

impl Forgery {
    /// Does it leave a genuine log that is shorter than it was? What was decided later is then undecided, and the
    /// workspace says so.
    pub(super) fn shortens(&self) -> bool {
        let Forgery::Own(harm, _) = self else { return false };
        matches!(
            harm,
            Harm::Older
                | Harm::OlderWhole
                | Harm::Cut
                | Harm::Truncated
                | Harm::Dropped
                | Harm::Flipped
                | Harm::Swapped
        )
    }

    fn thrown(dice: &mut Dice) -> Forgery {
        let (place, seed) = (dice.below(2), dice.throw());
        match dice.below(20) {
            0 | 1 => Forgery::Old(seed),
            2..=5 => {
                let id = one(dice, &[Whose::Nobodys, Whose::First, Whose::Ours, Whose::Others], Whose::Ours);
                Forgery::Record { place, id, dress: one(dice, DRESSES, Dress::Wrong), seed }
            }
            6..=8 => Forgery::Tail { dress: one(dice, DRESSES, Dress::Wrong), seed },
            9..=12 => Forgery::Own(one(dice, HARMS, Harm::Cut), seed),
            13 => Forgery::Copied { place },
            14 | 15 => Forgery::Instead { part: one(dice, PARTS, Part::Log), by: one(dice, BYS, By::File) },
            16 => Forgery::Index(one(dice, &[IndexAt::Old, IndexAt::Record, IndexAt::Home], IndexAt::Old)),
            17 => Forgery::Keyed { place, seed },
            18 => Forgery::Unfinished { link: one(dice, LINKS, By::Inside), seed },
            _ => match dice.below(6) {
                0 => Forgery::Huge(one(dice, &[Huge::Deep, Huge::Sparse, Huge::OwnSparse], Huge::Deep)),
                1 => Forgery::Huge(Huge::Siblings(300)),
                _ => Forgery::Settings(dice.below(SETTINGS)),
            },
        }
    }
}

/// What is tried in every run: each kind of attack once, opened by what would show it.
pub(super) fn directed(short: bool) -> Vec<Plan> {
    use super::openers::{ADOPT, APPLY_REJECTED, LIST, MAKE, SERVE, TAKE_BACK, UNDO_TWO};
    let plan = |at, what: Forgery, opener| Plan { at, what: vec![what], opener, opening: Opening::Plain };
    let mut plans = Vec::new();
    for at in [Where::Plain, Where::Git, Where::Sub, Where::Linked, Where::Given] {
        plans.push(plan(at, Forgery::Tail { dress: Dress::Wrong, seed: 0 }, LIST));
        plans.push(plan(at, Forgery::Own(Harm::Exchanged, 0), UNDO_TWO));
        plans.push(plan(at, Forgery::Own(Harm::Revived, 0), APPLY_REJECTED));
        plans.push(plan(at, Forgery::Unfinished { link: By::Inside, seed: 0 }, MAKE));
        plans.push(plan(at, Forgery::Keyed { place: 0, seed: 0 }, LIST));
        plans.push(plan(at, Forgery::Tail { dress: Dress::Replayed, seed: 0 }, SERVE));
    }
    for at in [Where::FreshGit, Where::FreshPlain, Where::Git] {
        plans.push(plan(at, Forgery::Old(0), LIST));
        plans.push(plan(at, Forgery::Old(0), MAKE));
        plans.push(plan(at, Forgery::Keyed { place: 1, seed: 0 }, MAKE));
    }
    let siblings = if short { 2_000 } else { 100_000 };
    for (what, openers) in [
        (Huge::Works, &[LIST, ADOPT, TAKE_BACK][..]),
        (Huge::OwnWorks, &[LIST, MAKE]),
        (Huge::Deep, &[LIST, ADOPT]),
        (Huge::Sparse, &[LIST, ADOPT]),
        (Huge::OwnSparse, &[LIST, MAKE]),
        (Huge::Siblings(siblings), &[MAKE, SERVE]),
        (Huge::Braces, &[LIST, SERVE]),
    ] {
        plans.extend(openers.iter().map(|opener| plan(Where::Plain, Forgery::Huge(what), *opener)));
    }
    for part in PARTS {
        for by in BYS {
            plans.push(plan(Where::Plain, Forgery::Instead { part: *part, by: *by }, MAKE));
        }
    }
    for at in [IndexAt::Old, IndexAt::Record, IndexAt::Home] {
        plans.push(plan(Where::Plain, Forgery::Index(at), LIST));
    }
    // Every opener once, at a clone that ships records of both ages, and with nothing to change.
    for opener in 0..OPENERS {
        for opening in [Opening::Plain, Opening::ReadOnly] {
            let foreign = Forgery::Record { place: 1, id: Whose::Nobodys, dress: Dress::Wrong, seed: 0 };
            let at = if opener % 2 == 0 { Where::FreshGit } else { Where::Git };
            plans.push(Plan { at, what: vec![Forgery::Old(0), foreign], opener, opening });
        }
    }
    plans
}
