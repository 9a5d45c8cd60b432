//! The origin of a file's lines, run by run: how changes splice it, and its short form for the database.
//!
//! Pure. Promises that nonsense from the record is noticed and never panics. Which change is which, and what
//! happens when others wrote in between, is for `lines`.

use super::Touch;
use patchwright_core::digest::Digest;

/// A run for however many lines there are.
pub(super) const OPEN: u64 = u64::MAX;

/// The lines of a file as the last recorded change left them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineHistory {
    /// The hash of that version.
    pub digest: Digest,
    /// The commit that left it.
    pub last: Touch,
    /// Its lines from the first on, run by run; the last run may stand for any number of lines.
    pub runs: Vec<Run>,
    /// What went before the version that the first of these changes was made for, if others wrote in between.
    pub ground: Option<i64>,
}

impl LineHistory {
    /// Is nothing known of it but what it stands on?
    pub fn is_bare(&self) -> bool {
        matches!(self.runs.as_slice(), [Run { lines: OPEN, from: Origin::Ground(0) }])
    }
}

/// Lines with one origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// How many; [`Run::OPEN`] for as many as there are.
    pub lines: u64,
    /// What brought them.
    pub from: Origin,
}

impl Run {
    /// The length of a run that goes on to the end of the file.
    pub const OPEN: u64 = OPEN;
}

/// What brought some lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A recorded change, by its number in the index.
    Change(i64),
    /// They are these lines of the version on which recording began, or began again: the first of them, from 0.
    Ground(u64),
    /// The same, but of another version than this file's last: one that stands on this ground, or on none.
    Older(Option<i64>, u64),
}

/// Lines that take the place of others.
pub(super) struct Splice {
    /// The first line that goes, from 0.
    pub(super) first: u64,
    /// How many go.
    pub(super) gone: u64,
    /// Where the new ones begin, from 0.
    pub(super) at: u64,
    /// What comes.
    pub(super) came: Vec<Run>,
}

/// Reads runs from the front.
pub(super) struct Cursor<'a> {
    rest: std::slice::Iter<'a, Run>,
    /// What is left of the run that was begun.
    begun: Option<Run>,
    /// Lines read.
    done: u64,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(runs: &'a [Run]) -> Cursor<'a> {
        Cursor { rest: runs.iter(), begun: None, done: 0 }
    }

    /// The next so many lines; nothing if there are not so many.
    pub(super) fn take(&mut self, lines: u64) -> Option<Vec<Run>> {
        let mut taken = Vec::new();
        let mut left = lines;
        while left > 0 {
            let run = self.begun.take().or_else(|| self.rest.next().cloned())?;
            let (head, tail) = split(&run, left);
            left -= head.lines.min(left);
            self.begun = tail;
            taken.push(head);
        }
        self.done = self.done.saturating_add(lines);
        Some(taken)
    }

    /// All that is left.
    fn rest(self) -> impl Iterator<Item = Run> {
        self.begun.into_iter().chain(self.rest.cloned())
    }
}

/// The first lines of a run, and what is left of it.
fn split(run: &Run, at: u64) -> (Run, Option<Run>) {
    let tail = match run.lines {
        OPEN => Some(OPEN),
        lines => lines.checked_sub(at).filter(|left| *left > 0),
    };
    let head = Run { lines: at.min(run.lines), from: run.from.clone() };
    (head, tail.map(|lines| Run { lines, from: run.from.further(at) }))
}

impl Origin {
    /// The origin of a line so many further down in the same run.
    pub(super) fn further(&self, lines: u64) -> Origin {
        match self {
            Origin::Change(change) => Origin::Change(*change),
            Origin::Ground(first) => Origin::Ground(first.saturating_add(lines)),
            Origin::Older(ground, first) => Origin::Older(*ground, first.saturating_add(lines)),
        }
    }
}

/// Puts lines in the place of others, in the order of the file. What went, splice by splice, and what there is then;
/// nothing if the splices do not fit the lines or each other.
pub(super) fn splice(runs: &[Run], splices: &[Splice]) -> Option<(Vec<Vec<Run>>, Vec<Run>)> {
    let mut old = Cursor::new(runs);
    let (mut new, mut written) = (Vec::new(), 0_u64);
    let mut gone = Vec::new();
    for splice in splices {
        let kept = splice.first.checked_sub(old.done)?;
        push_all(&mut new, old.take(kept)?);
        written = written.checked_add(kept)?;
        gone.push(old.take(splice.gone)?);
        let came = splice.came.iter().try_fold(0_u64, |sum, run| sum.checked_add(run.lines))?;
        if came > 0 && splice.at != written {
            return None;
        }
        written = written.checked_add(came)?;
        push_all(&mut new, splice.came.iter().cloned());
    }
    push_all(&mut new, old.rest());
    Some((gone, new))
}

/// Adds runs at the end, joined where they go on.
pub(super) fn push_all(runs: &mut Vec<Run>, more: impl IntoIterator<Item = Run>) {
    for run in more {
        match runs.last_mut() {
            Some(last) if last.lines != OPEN && last.from.further(last.lines) == run.from => {
                last.lines = if run.lines == OPEN { OPEN } else { last.lines.saturating_add(run.lines) };
            }
            _ if run.lines == 0 => {}
            _ => runs.push(run),
        }
    }
}

/// The short form.
pub(super) fn to_bytes(runs: &[Run]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(runs.len() * 4);
    for run in runs {
        // Zero stands for any number: no run has no lines.
        write(&mut bytes, if run.lines == OPEN { 0 } else { run.lines });
        let (sort, number) = match &run.from {
            Origin::Change(change) => (0, change.unsigned_abs()),
            Origin::Ground(first) => (1, *first),
            Origin::Older(_, first) => (2, *first),
        };
        write(&mut bytes, number.min(u64::MAX >> 2) << 2 | sort);
        if let Origin::Older(ground, _) = &run.from {
            write(&mut bytes, ground.map_or(0, |ground| ground.unsigned_abs().saturating_add(1)));
        }
    }
    bytes
}

/// Reads the short form; nothing if that is not what it is.
pub(super) fn from_bytes(mut bytes: &[u8]) -> Option<Vec<Run>> {
    let mut runs = Vec::new();
    while !bytes.is_empty() {
        let lines = match read(&mut bytes)? {
            0 => OPEN,
            lines => lines,
        };
        let packed = read(&mut bytes)?;
        let number = packed >> 2;
        let from = match packed & 3 {
            0 => Origin::Change(i64::try_from(number).ok()?),
            1 => Origin::Ground(number),
            2 => Origin::Older(read(&mut bytes)?.checked_sub(1).map(i64::try_from).transpose().ok()?, number),
            _ => return None,
        };
        runs.push(Run { lines, from });
    }
    Some(runs)
}

fn write(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        bytes.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    bytes.push((number & 0x7f) as u8);
}

fn read(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn origin() -> impl Strategy<Value = Origin> {
        prop_oneof![
            (0..1_i64 << 40).prop_map(Origin::Change),
            (0..1_u64 << 40).prop_map(Origin::Ground),
            (proptest::option::of(0..1_i64 << 40), 0..1_u64 << 40).prop_map(|(of, first)| Origin::Older(of, first)),
        ]
    }

    fn run() -> impl Strategy<Value = Run> {
        (prop_oneof![1..9_u64, Just(OPEN), 1..1_u64 << 40], origin()).prop_map(|(lines, from)| Run { lines, from })
    }

    /// Every line by itself.
    fn each(runs: &[Run]) -> Vec<Origin> {
        runs.iter().flat_map(|run| (0..run.lines).map(|at| run.from.further(at))).collect()
    }

    proptest! {
        #[test]
        fn the_short_form_comes_back(runs in proptest::collection::vec(run(), 0..20)) {
            prop_assert_eq!(from_bytes(&to_bytes(&runs)), Some(runs));
        }

        #[test]
        fn any_bytes_are_runs_or_not(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            let _ = from_bytes(&bytes);
        }

        /// Against a list with an entry for every line.
        #[test]
        fn splicing_is_splicing(
            lengths in proptest::collection::vec(1..4_u64, 0..6),
            cuts in proptest::collection::vec((0..4_u64, 0..4_u64, 0..4_u64), 0..5),
        ) {
            let mut runs = Vec::new();
            push_all(&mut runs, lengths.iter().zip(1..).map(|(lines, n)| Run { lines: *lines, from: Origin::Change(n) }));
            let mut model = each(&runs);
            let (mut splices, mut done, mut shift) = (Vec::new(), 0_u64, 0_i64);
            for ((skip, gone, came), n) in cuts.into_iter().zip(100..) {
                let first = done + skip;
                let came_runs = if came > 0 { vec![Run { lines: came, from: Origin::Change(n) }] } else { Vec::new() };
                splices.push(Splice { first, gone, at: first.saturating_add_signed(shift), came: came_runs });
                done = first + gone;
                shift += i64::try_from(came).unwrap() - i64::try_from(gone).unwrap();
            }
            let spliced = splice(&runs, &splices);
            prop_assert_eq!(spliced.is_some(), done <= model.len() as u64);
            if let Some((gone, new)) = spliced {
                for (splice, went) in splices.iter().zip(&gone).rev() {
                    let (from, to) = (splice.first as usize, (splice.first + splice.gone) as usize);
                    let old: Vec<Origin> = model.splice(from..to, each(&splice.came)).collect();
                    prop_assert_eq!(each(went), old);
                }
                prop_assert_eq!(each(&new), model);
            }
        }
    }

    #[test]
    fn nonsense_is_noticed() {
        let open = [Run { lines: OPEN, from: Origin::Ground(0) }];
        let cut = |first, gone, at, lines| {
            let came = if lines == 0 { Vec::new() } else { vec![Run { lines, from: Origin::Change(1) }] };
            Splice { first, gone, at, came }
        };
        assert!(splice(&open, &[cut(3, 2, 3, 1), cut(5, 0, 4, 1)]).is_some());
        assert!(splice(&open, &[cut(3, 2, 3, 1), cut(4, 1, 4, 1)]).is_none(), "overlap");
        assert!(splice(&open, &[cut(3, 2, 7, 1)]).is_none(), "new lines elsewhere");
        assert!(
            splice(&open, &[cut(3, 2, 3, OPEN), cut(9, 2, 3, OPEN)]).is_none(),
            "more lines than there are numbers"
        );
        assert!(splice(&open, &[cut(u64::MAX, 2, u64::MAX, 1)]).is_none());
    }
}
