//! A stored plan against the files as they are.

mod movers;
mod tree;

use crate::conflicts::{Stretch, lines_place, place};
use crate::gather::{Depth, Gather, Links};
use crate::names::by_id;
use crate::operation::operation;
use crate::past::Past;
use crate::recorded::{marks, pieces};
use crate::refused::Stumble;
use crate::settled::Draft;
use crate::trail::{Known, Met};
use patchwright_core::batch::ChangeName;
use patchwright_core::bytes::Bytes;
use patchwright_core::digest::Digest;
use patchwright_core::history::{Lost, Piece, RawLines, Rebased, Span, differences, rebase, with_only};
use patchwright_core::intent::Executable;
use patchwright_core::outcome::Operation;
use patchwright_core::path::RelPath;
use patchwright_core::plan::{Act, Aside, Bits, Change, Fresh, Seen, SnapshotFile, Step};
use patchwright_core::refusal::{ConflictPlace, ConflictReason, Missing, Refusal, Why};
use patchwright_core::tool::Ground;
use patchwright_core::warning::Warning;
use patchwright_store::records::{ChangeRecord, FileRecord, Proposal};
use std::collections::{HashMap, HashSet};

/// At most this many places of a conflict are shown, and so many lines of each.
const PLACES: usize = 20;

/// One proposal that is to be carried out.
pub(super) struct Job<'a> {
    pub(super) past: &'a Past<'a>,
    pub(super) proposal: &'a Proposal,
    pub(super) wanted: &'a HashSet<String>,
    pub(super) ground: Ground,
    /// The number of the proposal's record.
    pub(super) seq: u64,
}

/// Does it fit the files as they are?
#[allow(clippy::large_enum_variant, reason = "there is one of it at a time, and it is moved once")]
pub(super) enum Fits<'a> {
    /// So it would be done.
    Yes { draft: Draft, gather: Gather<'a>, rebased: bool },
    /// These are in the way.
    No(Vec<ConflictPlace>),
}

/// The plan in the making.
struct Making<'a> {
    gather: Gather<'a>,
    draft: Draft,
    /// Where files that are moved stand until then, by their new names.
    moved: HashMap<RelPath, RelPath>,
    /// Names that become free.
    vacated: HashSet<RelPath>,
    rebased: bool,
    places: Vec<ConflictPlace>,
}

impl Job<'_> {
    pub(super) fn draft<'g>(&self, gather: Gather<'g>) -> Result<Fits<'g>, Stumble> {
        let mut making = Making {
            gather,
            draft: Draft::default(),
            moved: HashMap::new(),
            vacated: HashSet::new(),
            rebased: false,
            places: Vec::new(),
        };
        if let Some(folder) = self.whole_tree() {
            self.tree(&mut making, folder)?;
            return Ok(making.fits()?);
        }
        let is_wanted = |file: &&FileRecord| file.changes.iter().any(|change| self.wanted.contains(&change.id));
        let leaves = |file: &&FileRecord| matches!(operation(file), Operation::Delete | Operation::Move);
        let leaving = self.proposal.commit.files.iter().filter(is_wanted).filter(leaves);
        making.gather.leaving.add(leaving.map(|file| file.path.clone()));
        for (at, file) in self.proposal.commit.files.iter().enumerate().filter(|(_, file)| file.folder.is_none()) {
            if file.changes.iter().any(|change| self.wanted.contains(&change.id)) {
                self.file(&mut making, file, at)?;
            } else if let (Operation::Move, Some(to)) = (operation(file), &file.to) {
                // Its content may be wanted all the same, under the name it keeps.
                making.moved.insert(to.clone(), file.path.clone());
            }
        }
        Ok(making.fits()?)
    }

    fn file(&self, making: &mut Making<'_>, file: &FileRecord, at: usize) -> Result<(), Stumble> {
        match operation(file) {
            Operation::Create => self.create(making, file),
            Operation::Restore => self.restore(making, file),
            Operation::Delete => self.delete(making, file),
            Operation::Move => self.rename(making, file),
            Operation::Update => {
                let in_trash = self.proposal.asides.get(at) == Some(&true);
                self.update(making, file, if in_trash { Aside::Trash } else { Aside::Kept })
            }
        }
    }

    fn create(&self, making: &mut Making<'_>, file: &FileRecord) -> Result<(), Stumble> {
        let Some(real) = self.free_place(making, file, &file.path)? else { return Ok(()) };
        let Some(bytes) = self.past.after_bytes(file)? else {
            making.places.push(place(file, ConflictReason::NotKept));
            return Ok(());
        };
        let digest = Digest::of(&bytes);
        let fresh = match file.link {
            true => self.link(making, file, &bytes, digest)?,
            false => Fresh::File { digest, bytes, mode: None },
        };
        let step = Step { path: real, act: Act::Create(fresh), changes: same(file), wish: 0, bits: bits(file) };
        making.push(&file.path, step);
        Ok(())
    }

    /// A link, if it still leads to where it may.
    fn link(&self, making: &Making<'_>, file: &FileRecord, target: &Bytes, digest: Digest) -> Result<Fresh, Stumble> {
        let text = String::from_utf8_lossy(target);
        self.past.session().check_link(&making.gather, &file.path, &text)?;
        Ok(Fresh::Link { target: target.clone(), digest })
    }

    /// Other permission bits alone.
    fn remode(&self, making: &mut Making<'_>, file: &FileRecord, source: &RelPath) -> Result<(), Stumble> {
        let Some((real, digest, Some(seen))) = self.there(making, file, source, Depth::Hash)? else { return Ok(()) };
        if Some(digest) != file.before {
            if self.ground == Ground::MustBeTheSame {
                return self.moved_ground(making, file, source);
            }
            making.rebased = true;
        }
        let bits = bits(file);
        let (from, to) = (seen.mode & 0o7777, bits.map_or(seen.mode, |bits| bits.applied_to(seen.mode)));
        if from & 0o1777 != to {
            let act = Act::Mode { before: digest, from, to };
            let path = making.name_by_then(real);
            making.push(source, Step { path, act, changes: same(file), wish: 0, bits });
        }
        Ok(())
    }

    fn restore(&self, making: &mut Making<'_>, file: &FileRecord) -> Result<(), Stumble> {
        let Some(real) = self.free_place(making, file, &file.path)? else { return Ok(()) };
        let Some(id) = &self.proposal.commit.consumed else { return self.restore_version(making, file, real) };
        let Some(kept) = self.past.session().kept_in_trash(&self.past.index, id)? else {
            making.places.push(place(file, ConflictReason::NotKept));
            return Ok(());
        };
        making.draft.consumed.push(id.clone());
        let act = Act::Create(Fresh::Kept(kept));
        making.push(&file.path, Step { path: real, act, changes: same(file), wish: 0, bits: None });
        Ok(())
    }

    /// A version that comes from no trash entry.
    fn restore_version(&self, making: &mut Making<'_>, file: &FileRecord, real: RelPath) -> Result<(), Stumble> {
        let Some(bytes) = self.past.after_bytes(file)? else {
            making.places.push(place(file, ConflictReason::NotKept));
            return Ok(());
        };
        let digest = Digest::of(&bytes);
        let fresh = match file.link {
            true => Fresh::Link { digest, target: bytes },
            false => Fresh::File { digest, bytes, mode: Some(file.mode) },
        };
        making.push(&file.path, Step { path: real, act: Act::Create(fresh), changes: same(file), wish: 0, bits: None });
        Ok(())
    }

    fn delete(&self, making: &mut Making<'_>, file: &FileRecord) -> Result<(), Stumble> {
        let Some((real, digest, _)) = self.there(making, file, &file.path, Depth::Hash)? else { return Ok(()) };
        if Some(digest) != file.before {
            let told = making.places.len();
            self.moved_ground(making, file, &file.path)?;
            // Nobody who saw other bytes has said that these may go.
            making.places.iter_mut().skip(told).for_each(|place| place.reason = ConflictReason::Outdated);
            return Ok(());
        }
        making.vacated.insert(real.clone());
        let act = Act::Remove { before: digest };
        making.push(&file.path, Step { path: real, act, changes: same(file), wish: 0, bits: None });
        Ok(())
    }

    fn rename(&self, making: &mut Making<'_>, file: &FileRecord) -> Result<(), Stumble> {
        let Some(to) = &file.to else { return Ok(()) };
        let Some((real, before, _)) = self.there(making, file, &file.path, Depth::Hash)? else { return Ok(()) };
        if Some(before) != file.before {
            if self.ground == Ground::MustBeTheSame {
                return self.moved_ground(making, file, &file.path);
            }
            making.rebased = true;
        }
        let Some(to) = self.free_place(making, file, to)? else { return Ok(()) };
        making.moved.insert(to.clone(), real.clone());
        making.vacated.insert(real.clone());
        let act = Act::Rename { to, before };
        making.push(&file.path, Step { path: real, act, changes: same(file), wish: 0, bits: None });
        Ok(())
    }

    fn update(&self, making: &mut Making<'_>, file: &FileRecord, aside: Aside) -> Result<(), Stumble> {
        let source = making.moved.get(&file.path).cloned().unwrap_or_else(|| file.path.clone());
        if file.before == file.after {
            return self.remode(making, file, &source);
        }
        let Some((real, digest, Some(seen))) = self.there(making, file, &source, Depth::Bytes)? else {
            return Ok(());
        };
        let now = seen.bytes.clone().unwrap_or_default();
        let (Some(base), Some(after)) = (self.past.before_bytes(file)?, self.past.after_bytes(file)?) else {
            making.places.push(place(file, ConflictReason::NotKept));
            return Ok(());
        };
        let Some(part) = self.part(making, file, &base, &after) else { return Ok(()) };
        let made = if Some(digest) == file.before {
            part
        } else if self.ground == Ground::MustBeTheSame {
            return self.moved_ground(making, file, &source);
        } else {
            match rebase(&base, &now, &part.bytes, &part.pieces) {
                Ok(made) => {
                    making.rebased = true;
                    made
                }
                Err(clashes) => {
                    let (old, new) = (RawLines::of(&base), RawLines::of(&now));
                    let spans: Vec<(Span, Span)> = clashes.iter().take(PLACES).map(|one| (one.base, one.now)).collect();
                    let from = Known { digest: file.before, bytes: &base };
                    let by = self.line_authors(&source, from, Known { digest: Some(digest), bytes: &now }, &spans);
                    let clash = clashes.iter().zip(by).map(|(clash, Met { by: line_by, line, .. })| {
                        let was = Stretch { text: &old, span: clash.base };
                        let is = Stretch { text: &new, span: clash.now };
                        let place = lines_place(file, Some(&clash.change), ConflictReason::Touched, was, is);
                        ConflictPlace { line_by, line, ..place }
                    });
                    making.places.extend(clash);
                    if clashes.is_empty() {
                        making.places.push(place(file, ConflictReason::Touched));
                    }
                    return Ok(());
                }
            }
        };
        if made.bytes == *now {
            return Ok(());
        }
        let changes = made.pieces.iter().map(|piece| change(file, piece)).collect();
        let (after, after_digest) = (made.bytes.clone().into(), Digest::of(&made.bytes));
        let act = Act::Replace { before: digest, after, digest: after_digest, aside };
        let path = making.name_by_then(real);
        let bits = self.bits_if_whole(making, file);
        making.push(&source, Step { path, act, changes, wish: 0, bits });
        Ok(())
    }

    /// The permission bits of a file, which belong to none of its changes: they are given only where all are wanted.
    fn bits_if_whole(&self, making: &mut Making<'_>, file: &FileRecord) -> Option<Bits> {
        let bits = bits(file)?;
        if self.wants_all(file) {
            return Some(bits);
        }
        making.draft.plan.warnings.push(Warning::BitsLeftOut { path: file.path.to_string() });
        None
    }

    fn wants_all(&self, file: &FileRecord) -> bool {
        file.changes.iter().all(|change| self.wanted.contains(&change.id))
    }

    /// The version that the wanted changes alone make of what the proposal was made for.
    fn part(&self, making: &mut Making<'_>, file: &FileRecord, base: &Bytes, after: &Bytes) -> Option<Rebased> {
        let pieces = pieces(file);
        if self.wants_all(file) {
            return Some(Rebased { bytes: after.to_vec(), pieces });
        }
        let wanted: Vec<String> =
            pieces.iter().map(|piece| piece.id.clone()).filter(|id| self.wanted.contains(id)).collect();
        match with_only(base, after, &pieces, &wanted) {
            Ok(part) => Some(part),
            Err(lost) => {
                let why = |lost: &Lost| match lost {
                    Lost::Shared { change, others } => (Some(change.clone()), ConflictReason::Shared(by_id(others))),
                    Lost::Touched { change, .. } | Lost::Unknown { change } => {
                        (Some(change.clone()), ConflictReason::Inseparable)
                    }
                };
                let places = lost.iter().map(|lost| {
                    let (change, reason) = why(lost);
                    ConflictPlace { change: change.map(ChangeName::from), ..place(file, reason) }
                });
                making.places.extend(places);
                if lost.is_empty() {
                    making.places.push(place(file, ConflictReason::Inseparable));
                }
                None
            }
        }
    }

    /// What stands at a name that a proposal changes; nothing, and a conflict, if nothing does.
    fn there(
        &self,
        making: &mut Making<'_>,
        file: &FileRecord,
        at: &RelPath,
        depth: Depth,
    ) -> Result<Option<(RelPath, Digest, Option<SnapshotFile>)>, Stumble> {
        making.gather.see_at(at, Links::Keep, depth)?;
        Ok(match making.gather.snapshot.seen(at) {
            Seen::File(seen) => Some((seen.real.clone(), seen.digest, Some(seen))),
            Seen::Link { real, digest, .. } => Some((real, digest, None)),
            Seen::Absent { .. } => {
                making.places.push(place(file, ConflictReason::Gone));
                None
            }
            Seen::Folder | Seen::Special => {
                making.places.push(place(file, ConflictReason::Occupied));
                None
            }
        })
    }

    /// The place for something new, its folders to be made where the proposal made them.
    fn free_place(&self, making: &mut Making<'_>, file: &FileRecord, at: &RelPath) -> Result<Option<RelPath>, Stumble> {
        making.gather.see_at(at, Links::Keep, Depth::Hash)?;
        let seen = making.gather.snapshot.seen(at);
        if let Some(real) = seen.real().filter(|real| making.vacated.contains(*real)) {
            return Ok(Some(real.clone()));
        }
        let Seen::Absent { real, missing } = seen else {
            making.places.push(ConflictPlace { path: at.to_string(), ..place(file, ConflictReason::Occupied) });
            return Ok(None);
        };
        if let Some(folder) = missing.iter().find(|folder| !self.proposal.commit.folders.contains(folder)) {
            let missing = Missing::Parent { folder: folder.to_string() };
            return Err(Refusal::at(at, Why::NotFound(missing)).into());
        }
        making.need(&missing);
        Ok(Some(real))
    }

    /// Says where a file is not what the proposal was made for.
    fn moved_ground(&self, making: &mut Making<'_>, file: &FileRecord, at: &RelPath) -> Result<(), Stumble> {
        let base = self.past.before_bytes(file)?;
        let (digest, now) = match making.gather.snapshot.seen(at) {
            Seen::File(seen) => (Some(seen.digest), seen.bytes),
            _ => (None, None),
        };
        let (Some(base), Some(now)) = (base, now) else {
            making.places.push(place(file, ConflictReason::GroundMoved));
            return Ok(());
        };
        let (old, new) = (RawLines::of(&base), RawLines::of(&now));
        let found: Vec<(Span, Span)> = differences(&old, &new).into_iter().take(PLACES).collect();
        let from = Known { digest: file.before, bytes: &base };
        let by = self.line_authors(at, from, Known { digest, bytes: &now }, &found);
        let places = found.iter().zip(by).map(|((was, is), Met { by: line_by, line, .. })| {
            let (was, is) = (Stretch { text: &old, span: *was }, Stretch { text: &new, span: *is });
            ConflictPlace { line_by, line, ..lines_place(file, None, ConflictReason::GroundMoved, was, is) }
        });
        making.places.extend(places);
        if found.is_empty() {
            making.places.push(place(file, ConflictReason::GroundMoved));
        }
        Ok(())
    }
}

impl<'g> Making<'g> {
    fn fits(self) -> Result<Fits<'g>, Refusal> {
        let Making { gather, mut draft, rebased, places, .. } = self;
        draft.arrange(&gather)?;
        Ok(if places.is_empty() { Fits::Yes { draft, gather, rebased } } else { Fits::No(places) })
    }

    /// The name that a file has once it was moved, if it is.
    fn name_by_then(&self, real: RelPath) -> RelPath {
        let renamed = self.moved.iter().find(|(_, from)| **from == real && self.vacated.contains(*from));
        renamed.map_or(real, |(to, _)| to.clone())
    }

    fn push(&mut self, given: &RelPath, step: Step) {
        self.draft.push(given, step);
    }

    fn need(&mut self, folders: &[RelPath]) {
        folders.iter().for_each(|folder| self.draft.need(folder.clone()));
    }
}

/// The permission bits that a proposal gives: whether its file is executable.
pub(crate) fn bits(file: &FileRecord) -> Option<Bits> {
    file.mode_after.map(|mode| Bits::Executable(Executable::of(mode)))
}

/// The changes of a file as they were proposed.
fn same(file: &FileRecord) -> Vec<Change> {
    pieces(file).iter().map(|piece| change(file, piece)).collect()
}

/// A piece as a change of the plan, under the id that it has on record.
fn change(file: &FileRecord, piece: &Piece) -> Change {
    let known: Option<&ChangeRecord> = file.changes.iter().find(|change| change.id == piece.id);
    Change {
        before_line: piece.before.first + 1,
        before_lines: piece.before.count,
        after_line: piece.after.first + 1,
        after_lines: piece.after.count,
        description: known.and_then(|known| known.description.clone()),
        key: known.and_then(|known| known.key.clone()),
        marks: known.map(marks).unwrap_or_default(),
        id: Some(piece.id.clone()),
        ..Change::default()
    }
}
