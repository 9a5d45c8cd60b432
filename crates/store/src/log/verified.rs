//! The note of what was verified: a log that nobody has changed since need not be read again to know that it is right.
//!
//! It stands at home beside the mark, and has what the file system said of the log (which file it is, its size, its
//! times) when every record was found right, and the last of these. As long as the file system says the same, those
//! records are as they were. Whoever appends asks before it writes and after, and carries the note along; so only what
//! came since has to be read. Where anything else differs, or the note is not whole or not this record's (it has a tag as
//! records have), the log is read from its beginning.
//!
//! What it cannot see: bits that change on the medium, below the file system, which leaves the times alone; somebody
//! else's write in the instant in which a record is appended; two changes at one time of a file server's or of a clock
//! that was set back. It serves to tell people at once, and nothing is done or left on its strength: `audit verify` and
//! `doctor` read everything whatever it says.

use super::walk::Check;
use super::walk::Verifying;
use super::{Log, Standing};
use crate::content;
use crate::disk::{Disk, Halt, Stat, Writes};
use crate::records::Point;
use crate::seal::{Seal, TAG};
use crate::step::Step;
use patchwright_core::digest::Digest;

/// The note's name beside the key.
pub const FILE: &str = "verified";

/// What a note says, in bytes.
const USED: usize = 3 * 8 + 2 * 16 + 8 + 8 + 32 + 8;
/// No frame stands there: the tag of a note fits no record, and the reverse.
const NOWHERE: u64 = u64::MAX;

/// The note, as far as a log has looked at it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Noted {
    /// Not yet.
    #[default]
    Unread,
    /// There is none that counts.
    Nothing,
    /// This.
    So(Verified),
    /// This, and it is not written yet.
    Carried(Verified),
}

/// How far a log was found right, and what the file was like then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Verified {
    file: Stamp,
    /// The last record that was read.
    last: Point,
    /// Where the next one begins.
    next: u64,
}

/// What the file system says of a file whenever its bytes are changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    id: (u64, u64),
    size: u64,
    mtime_ns: i128,
    ctime_ns: i128,
}

impl Stamp {
    fn of(Stat { id, size, mtime_ns, ctime_ns, .. }: Stat) -> Stamp {
        Stamp { id, size, mtime_ns, ctime_ns }
    }
}

impl<D: Disk> Log<D> {
    /// Verifies what came since the log was last found right, or all of it. What is right is noted.
    pub fn verify_news(&self, disk: &D, step: Step<'_>) -> Result<Check, Halt> {
        let file = disk.stat_file(&self.file)?;
        let noted = self.read_note(disk).filter(|noted| noted.file == Stamp::of(file));
        let known = match noted {
            Some(noted) if self.standing() == Standing::Current && self.holds(disk, &noted)? => noted,
            _ => return self.verify_all(disk, None, step),
        };
        let mut check = Check { records: known.last.sequence, head: known.last.head, ..Check::new(self.standing()) };
        self.verify_from(disk, &mut check, &Verifying { from: known.next, wanted: None, step })?;
        if check.records > known.last.sequence {
            self.note(disk, file, &check);
        }
        Ok(check)
    }

    /// Reads the whole log, trusting nothing. What is right is noted.
    pub fn verify_all(&self, disk: &D, wanted: Option<Digest>, step: Step<'_>) -> Result<Check, Halt> {
        let file = disk.stat_file(&self.file)?;
        let check = self.verify_told(disk, wanted, step)?;
        self.note(disk, file, &check);
        Ok(check)
    }

    /// Does the log reach as far as the note says, with that very record?
    fn holds(&self, disk: &D, noted: &Verified) -> Result<bool, Halt> {
        let Point { offset, sequence, head } = noted.last;
        let Ok((frame, length)) = self.frame_at(disk, offset)? else { return Ok(false) };
        let same = frame.hash == head && frame.sequence == sequence;
        Ok(same && offset + length == noted.next && noted.next <= self.end)
    }

    /// Notes that all was right, unless somebody wrote meanwhile, or would now without its being seen. What cannot be
    /// noted is verified again.
    fn note(&self, disk: &D, file: Stat, check: &Check) {
        let right = check.damage.is_none() && check.torn_bytes == 0 && check.resumed.is_empty();
        if !right || check.standing != Standing::Current || check.records != self.sequence || check.records == 0 {
            return;
        }
        let Ok(Some(now)) = disk.stat_settled(&self.file) else { return };
        if Stamp::of(now) == Stamp::of(file) {
            self.write_note(disk, &Verified { file: Stamp::of(now), last: self.here(), next: self.end });
        }
    }

    /// The note, if the log is still as it says. Asked before something is appended.
    pub(super) fn take_note(&mut self, disk: &D) -> Option<Verified> {
        if self.noted == Noted::Unread {
            self.noted = self.read_note(disk).map_or(Noted::Nothing, Noted::So);
        }
        let (Noted::So(noted) | Noted::Carried(noted)) = self.noted else { return None };
        let now = disk.stat_file(&self.file).ok()?;
        (Stamp::of(now) == noted.file).then_some(noted)
    }

    /// Carries the note along after something was appended.
    pub(super) fn carry_note(&mut self, disk: &D, untouched: Option<Verified>) {
        let Some(noted) = untouched else { return self.noted = Noted::Nothing };
        self.noted = match disk.stat_settled(&self.file) {
            Ok(Some(now)) => Noted::Carried(Verified { file: Stamp::of(now), ..noted }),
            _ => Noted::Nothing,
        };
    }

    /// Writes down what was carried along. Once a call.
    pub(super) fn renew_note(&mut self, disk: &D) {
        if let Noted::Carried(noted) = self.noted {
            self.write_note(disk, &noted);
            self.noted = Noted::So(noted);
        }
    }

    fn read_note(&self, disk: &D) -> Option<Verified> {
        let home = disk.own().ok()??.home;
        let file = disk.open(&home, FILE).ok()?;
        decode(&content::read(disk, &file, (USED + TAG) as u64).ok()?, &self.seal)
    }

    fn write_note(&self, disk: &D, noted: &Verified) {
        let Ok(Some(own)) = disk.own() else { return };
        if own.writes == Writes::Yes
            && let Ok(file) = disk.open_state(&own.home, FILE)
        {
            let _ = disk.write_at(&file, 0, &encode(noted, &self.seal));
        }
    }
}

fn encode(Verified { file, last, next }: &Verified, seal: &Seal) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(USED + TAG);
    for number in [file.id.0, file.id.1, file.size] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    bytes.extend_from_slice(&file.mtime_ns.to_le_bytes());
    bytes.extend_from_slice(&file.ctime_ns.to_le_bytes());
    bytes.extend_from_slice(&last.sequence.to_le_bytes());
    bytes.extend_from_slice(&last.offset.to_le_bytes());
    bytes.extend_from_slice(&last.head.0);
    bytes.extend_from_slice(&next.to_le_bytes());
    let tag = seal.tag(NOWHERE, &Digest::of(&bytes));
    bytes.extend_from_slice(&tag);
    bytes
}

fn decode(bytes: &[u8], seal: &Seal) -> Option<Verified> {
    let (said, tag) = bytes.split_last_chunk::<TAG>()?;
    if said.len() != USED || !seal.fits(NOWHERE, &Digest::of(said), tag) {
        return None;
    }
    let (device, rest) = number(said)?;
    let (inode, rest) = number(rest)?;
    let (size, rest) = number(rest)?;
    let (mtime_ns, rest) = rest.split_first_chunk::<16>()?;
    let (ctime_ns, rest) = rest.split_first_chunk::<16>()?;
    let (sequence, rest) = number(rest)?;
    let (offset, rest) = number(rest)?;
    let (head, rest) = rest.split_first_chunk::<32>()?;
    let (next, _) = number(rest)?;
    let (mtime_ns, ctime_ns) = (i128::from_le_bytes(*mtime_ns), i128::from_le_bytes(*ctime_ns));
    let file = Stamp { id: (device, inode), size, mtime_ns, ctime_ns };
    Some(Verified { file, last: Point { sequence, offset, head: Digest(*head) }, next })
}

fn number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (number, rest) = bytes.split_first_chunk::<8>()?;
    Some((u64::from_le_bytes(*number), rest))
}
