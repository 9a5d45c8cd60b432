//! Inserted lines that stand there already, as they do when a call is sent a second time.
//!
//! An operation is an insert here if all lines that it takes come again in what it brings. Blank lines and lone brackets
//! count as any other: of 10,929 inserts in real commits none brought what stood beside it.

use super::Versions;
use crate::anchor::{Anchors, is_low};
use crate::plan::placed::Placed;
use crate::sanity::Doubt;
use crate::seeded::{Bug, is_planted};
use std::ops::Range;

/// Of a line so many characters are shown.
const SHOWN: usize = 120;

/// So many places of the lines that an operation keeps are looked at among those that it brings.
const PLACES: usize = 64;

/// What an operation changes, without the lines at its ends that go and come alike.
pub(super) struct Core {
    /// The lines that go, in the old text, from 0.
    pub(super) old: Range<usize>,
    /// The lines that come, in the new text.
    pub(super) new: Range<usize>,
}

impl Core {
    /// Of an operation whose lines begin at `start` in the new text.
    pub(super) fn of(versions: Versions<'_>, one: &Placed<'_>, start: usize) -> Core {
        let block = crate::sanity::Touched { before: one.span.clone(), after: start..start + one.lines.len() };
        let core = super::show::trimmed(versions, &block);
        Core { old: core.before, new: core.after }
    }
}

/// A doubt for each insert whose whole block stands right above or below its place, and for inserts at one place whose
/// blocks do together.
pub(super) fn find(versions: Versions<'_>, cores: &[Core]) -> Vec<Doubt> {
    if is_planted(Bug::RepeatInserted) {
        return Vec::new();
    }
    let place = Place { before: versions.before, after: versions.after, cores };
    let inserts: Vec<&Core> = cores.iter().filter(|core| core.old.is_empty() && !core.new.is_empty()).collect();
    let inserted = inserts.chunk_by(|one, next| one.old == next.old).flat_map(|group| place.doubts(group));
    inserted.chain(cores.iter().filter_map(|core| place.wrapped(core))).collect()
}

struct Place<'a> {
    before: &'a Anchors<'a>,
    after: &'a Anchors<'a>,
    cores: &'a [Core],
}

impl Place<'_> {
    /// Of inserts at one place, in their order.
    fn doubts(&self, group: &[&Core]) -> Vec<Doubt> {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { return Vec::new() };
        let all = first.new.start..last.new.end;
        if let Some(other) = self.stood(first.old.start, &all) {
            return vec![self.doubt(&all, other)];
        }
        let each = |core: &&Core| {
            let other = self.stood(core.old.start, &core.new).or_else(|| self.stands(&core.new))?;
            Some(self.doubt(&core.new, other))
        };
        group.iter().filter_map(each).collect()
    }

    /// Of an operation that puts lines above and below those that it takes: do all of them stand there already?
    fn wrapped(&self, core: &Core) -> Option<Doubt> {
        let (old, new) = (self.before.hashes(), self.after.hashes().get(core.new.clone())?);
        let kept = old.get(core.old.clone()).filter(|kept| !kept.is_empty() && kept.len() < new.len())?;
        let stands = |head: &usize| {
            let (above, below) = (new.get(..*head)?, new.get(head + kept.len()..)?);
            let around = core.old.start.checked_sub(*head)?..core.old.end.checked_add(below.len())?;
            let same = old.get(around.start..core.old.start) == Some(above)
                && old.get(core.old.end..around.end) == Some(below);
            // What another operation touches does not stand there.
            let alone = || self.cores.iter().filter(|other| meets(&other.old, &around)).count() == 1;
            (same && alone()).then_some(())
        };
        let head = places(kept, new).take(PLACES).find(|head| stands(head).is_some())?;
        let came = core.new.start..core.new.start + head;
        Some(self.doubt(&came, core.new.start.checked_sub(head)?))
    }

    /// Where the lines stood in the old text, right above or below their place; as it is numbered now, from 0.
    fn stood(&self, at: usize, new: &Range<usize>) -> Option<usize> {
        let old = beside(&(at..at), self.before, self.after.hashes().get(new.clone())?)?;
        // What another operation takes away does not stand there.
        let from = self.cores.partition_point(|core| core.old.end <= old.start);
        let meet = self.cores.iter().skip(from).take_while(|core| core.old.start < old.end);
        if meet.into_iter().any(|core| !core.old.is_empty()) {
            return None;
        }
        let above = from.checked_sub(1).and_then(|at| self.cores.get(at));
        above.map_or(Some(old.start), |core| (old.start + core.new.end).checked_sub(core.old.end))
    }

    /// Where the lines stand a second time in the new text, right above or below.
    fn stands(&self, new: &Range<usize>) -> Option<usize> {
        Some(beside(new, self.after, self.after.hashes().get(new.clone())?)?.start)
    }

    fn doubt(&self, new: &Range<usize>, other: usize) -> Doubt {
        let telling = new.clone().find(|at| !is_low(self.after.text(at + 1))).unwrap_or(new.start);
        let excerpt = String::from_utf8_lossy(self.after.text(telling + 1)).chars().take(SHOWN).collect();
        Doubt::Standing { line: new.start + 1, other: other + 1, lines: new.len(), excerpt }
    }
}

/// Do two stretches of lines have one in common?
fn meets(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}

/// Where some lines stand among others, from 0.
fn places(some: &[u64], all: &[u64]) -> impl Iterator<Item = usize> {
    let bytes = |hashes: &[u64]| -> Vec<u8> { hashes.iter().flat_map(|hash| hash.to_be_bytes()).collect() };
    let width = size_of::<u64>();
    let found: Vec<usize> = memchr::memmem::find_iter(&bytes(all), &bytes(some)).take(PLACES * width).collect();
    found.into_iter().filter(move |at| at % width == 0).map(move |at| at / width)
}

/// The lines of a text with these hashes right above or below a place in it.
fn beside(place: &Range<usize>, text: &Anchors<'_>, came: &[u64]) -> Option<Range<usize>> {
    let below = place.end..place.end.checked_add(came.len())?;
    let above = place.start.checked_sub(came.len()).map(|start| start..place.start);
    above.into_iter().chain([below]).find(|other| text.hashes().get(other.clone()) == Some(came))
}
