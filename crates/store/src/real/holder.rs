//! Who holds the writer's lock: for telling people, and for nothing else.
//!
//! The kernel says which process it is. A note beside the key says since when, and for whom; it is written without a sync
//! by whoever takes the lock, may be old or missing, and counts only where it names the very process that the kernel does.

use super::{RealDisk, file};
use crate::disk::Writes;
use patchwright_core::refusal::Holder;
use std::fs::File;
use std::os::unix::fs::FileExt;

/// The kernel's list of locks.
const LOCKS: &str = "/proc/locks";
/// No list of locks that is longer is read to its end.
const LOCKS_MAX: usize = 4 << 20;
/// The note's name, beside the key.
const NOTE: &str = "holder";
/// A note is one short line.
const NOTE_MAX: usize = 256;
/// As much of a client's name as a note has.
const CLIENT_MAX: usize = 64;

impl RealDisk {
    /// Notes that this process has the lock now, and for which client. What cannot be noted is not.
    pub fn note_holder(&self, since_ns: i64, client: &str) {
        let Some(found) = self.found().filter(|found| found.own.writes == Writes::Yes) else { return };
        let client: String = client.chars().filter(|letter| !letter.is_control()).take(CLIENT_MAX).collect();
        let line = format!("{} {since_ns} {client}\n", std::process::id());
        let _ = file::open_or_create(&found.own.home, NOTE).and_then(|note| file::write_at(&note, 0, line.as_bytes()));
    }

    /// Who has the lock, if that can be told.
    pub fn holder(&self) -> Option<Holder> {
        let (device, inode) = self.root().id().ok()?;
        let pid = holding(&self.lock_list()?, device, inode)?;
        let noted = self.noted_holder().filter(|noted| noted.pid == pid);
        Some(noted.unwrap_or(Holder { pid, since_ns: None, client: None }))
    }

    fn noted_holder(&self) -> Option<Holder> {
        let note = file::open(&self.found()?.own.home, NOTE).ok()?;
        read_note(&text(&note, NOTE_MAX)?)
    }

    fn lock_list(&self) -> Option<String> {
        match self.locks.get() {
            Some(held) => text(held, LOCKS_MAX),
            None => text(&File::open(LOCKS).ok()?, LOCKS_MAX),
        }
    }

    /// Opens the list of locks and holds it: a process that is kept in cannot open it any more.
    pub(super) fn hold_lock_list(&self) {
        if let Ok(list) = File::open(LOCKS) {
            let _ = self.locks.set(list);
        }
    }
}

/// The text of a file, up to so many bytes.
fn text(file: &File, most: usize) -> Option<String> {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    while bytes.len() < most {
        match file.read_at(&mut piece, bytes.len() as u64) {
            Ok(0) => break,
            Ok(count) => bytes.extend_from_slice(piece.get(..count)?),
            Err(_) => return None,
        }
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The process that holds an exclusive lock on the file with this device and inode. Where the kernel names the device
/// otherwise than the file does, as for btrfs, the inode must do; then it must be the only one of that number.
fn holding(list: &str, device: u64, inode: u64) -> Option<u32> {
    let device = format!("{:02x}:{:02x}", rustix::fs::major(device), rustix::fs::minor(device));
    let held = list.lines().filter_map(|line| {
        let mut words = line.split_whitespace().skip(1);
        let sort = (words.next()?, words.next()?, words.next()?);
        let (pid, file) = (words.next()?.parse().ok()?, words.next()?);
        let (on, number) = file.rsplit_once(':')?;
        let ours = sort == ("FLOCK", "ADVISORY", "WRITE") && number.parse() == Ok(inode);
        ours.then(|| (on == device, pid))
    });
    let held: Vec<(bool, u32)> = held.collect();
    match &held[..] {
        [(_, pid)] => Some(*pid),
        many => many.iter().find(|(same, _)| *same).map(|(_, pid)| *pid),
    }
}

fn read_note(text: &str) -> Option<Holder> {
    let mut words = text.lines().next()?.splitn(3, ' ');
    let (pid, since) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let client = words.next().filter(|client| !client.is_empty()).map(str::to_owned);
    Some(Holder { pid, since_ns: Some(since), client })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "1: POSIX  ADVISORY  WRITE 11 fe:00:77 0 EOF\n\
        2: FLOCK  ADVISORY  WRITE 12 fe:01:77 0 EOF\n\
        3: FLOCK  ADVISORY  WRITE 13 fe:00:77 0 EOF\n\
        3: -> FLOCK  ADVISORY  WRITE 14 fe:00:77 0 EOF\n\
        4: FLOCK  ADVISORY  READ 15 fe:00:78 0 EOF\n\
        5: FLOCK  ADVISORY  WRITE 16 00:2b:79 0 EOF\n\
        6: OFDLCK ADVISORY  WRITE -1 fe:00:80 0 EOF\n";

    #[test]
    fn the_kernel_tells_who_holds_a_lock() {
        let device = rustix::fs::makedev(0xfe, 0);
        for (inode, pid) in [(77, Some(13)), (78, None), (79, Some(16)), (80, None), (81, None)] {
            assert_eq!(holding(LIST, device, inode), pid, "{inode}");
        }
        assert_eq!(holding("", device, 77), None);
        assert_eq!(holding("garbage\n1: FLOCK\n", device, 77), None);
    }

    #[test]
    fn notes() {
        let holder = |client: Option<&str>| Holder { pid: 7, since_ns: Some(-5), client: client.map(str::to_owned) };
        for (note, read) in [
            ("7 -5 some client/1.0\nrest of an older one", Some(holder(Some("some client/1.0")))),
            ("7 -5 \n", Some(holder(None))),
            ("7\n", None),
            ("", None),
            ("x y z\n", None),
        ] {
            assert_eq!(read_note(note), read, "{note:?}");
        }
    }
}
