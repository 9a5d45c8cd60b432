//! Looking at every kept file once, and hashing it.

use super::{Condition, Due, Item, Kept};
use crate::content;
use crate::disk::{At, Disk, Halt};
use crate::keep;
use crate::step::Step;
use patchwright_core::digest::Digest;
use patchwright_core::refusal::Sort;
use std::io::ErrorKind;

/// What stands among the pre-images, whether the record tells of it or not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shelved {
    /// How many files.
    pub count: u64,
    /// How many bytes.
    pub bytes: u64,
    /// Those that do not hold what their names say.
    pub damaged: Vec<String>,
}

/// A file as it was found.
enum Seen {
    Missing,
    Unreadable,
    There { digest: Option<Digest>, size: u64, link: bool },
}

/// The folders of kept files, as far as they are there.
#[derive(Clone, Copy)]
pub struct Folders<'a, D: Disk> {
    /// Pre-images.
    pub blobs: Option<&'a D::Dir>,
    /// Trash.
    pub trash: Option<&'a D::Dir>,
}

impl Kept {
    /// Looks at every kept file. Steps are files; one is told of several times if it is big.
    pub fn look<D: Disk>(&mut self, disk: &D, folders: Folders<'_, D>, step: Step<'_>) -> Result<Shelved, Halt> {
        let names = folders.blobs.map(|blobs| disk.names(blobs)).transpose()?.unwrap_or_default();
        let due = |item: &&Item| item.due == Due::Yes;
        let total = (names.len() + self.trash.values().filter(due).count()) as u64;
        let mut shelved = Shelved::default();
        let mut done = 0;
        for name in names.into_iter().filter(|name| !keep::is_unfinished(name)) {
            step(done, total);
            if let Some(blobs) = folders.blobs {
                let seen = see(disk, At::new(blobs, &name), &|| step(done, total))?;
                self.note_blob(name, &seen, &mut shelved);
            }
            done += 1;
        }
        self.look_again(disk, folders.blobs)?;
        for (name, item) in self.trash.iter_mut().filter(|(_, item)| item.due == Due::Yes) {
            step(done, total);
            if let Some(trash) = folders.trash {
                item.condition = item.like(&see(disk, At::new(trash, name), &|| step(done, total))?);
            }
            done += 1;
        }
        step(done, total);
        Ok(shelved)
    }

    fn note_blob(&mut self, name: String, seen: &Seen, shelved: &mut Shelved) {
        let Seen::There { digest, size, .. } = seen else {
            return if matches!(seen, Seen::Unreadable) {
                self.note_bad(name, shelved)
            };
        };
        shelved.count += 1;
        shelved.bytes = shelved.bytes.saturating_add(*size);
        match named(&name).filter(|named| Some(*named) == *digest) {
            None => self.note_bad(name, shelved),
            Some(named) if is_proper(&name) => {
                if let Some(item) = self.blobs.get_mut(&named) {
                    item.condition = Condition::Whole;
                }
            }
            Some(named) => drop(self.marked.insert(name, named)),
        }
    }

    fn note_bad(&mut self, name: String, shelved: &mut Shelved) {
        if let Some(item) = named(&name).filter(|_| is_proper(&name)).and_then(|named| self.blobs.get_mut(&named)) {
            item.condition = Condition::Damaged;
        }
        shelved.damaged.push(name);
    }

    /// A writer may have given a pre-image its content's name since the names were listed.
    fn look_again<D: Disk>(&mut self, disk: &D, blobs: Option<&D::Dir>) -> Result<(), Halt> {
        let Some(blobs) = blobs else { return Ok(()) };
        let missing = |item: &&mut Item| item.due == Due::Yes && item.condition == Condition::Missing;
        for item in self.blobs.values_mut().filter(missing) {
            item.condition = item.like(&see(disk, At::new(blobs, &item.digest.to_string()), &|| {})?);
        }
        Ok(())
    }
}

impl Item {
    fn like(&self, seen: &Seen) -> Condition {
        match seen {
            Seen::Missing => Condition::Missing,
            Seen::There { digest, link, .. } if *digest == Some(self.digest) && *link == self.link => Condition::Whole,
            Seen::Unreadable | Seen::There { .. } => Condition::Damaged,
        }
    }
}

/// The hash that a pre-image's name says it has.
fn named(name: &str) -> Option<Digest> {
    name.split('.').next().and_then(Digest::parse)
}

/// Is a name nothing but a hash?
fn is_proper(name: &str) -> bool {
    !name.contains('.')
}

fn see<D: Disk>(disk: &D, at: At<'_, D::Dir>, tick: &dyn Fn()) -> Result<Seen, Halt> {
    match hashed(disk, at, tick) {
        Err(halt) if halt.is_missing() => Ok(Seen::Missing),
        Err(halt) if is_bad(&halt) => Ok(Seen::Unreadable),
        seen => seen,
    }
}

fn hashed<D: Disk>(disk: &D, At { dir, name }: At<'_, D::Dir>, tick: &dyn Fn()) -> Result<Seen, Halt> {
    let Some(stat) = disk.stat(dir, name)? else { return Ok(Seen::Missing) };
    let there = |digest, link| Seen::There { digest, size: stat.size, link };
    Ok(match stat.sort {
        Sort::File => {
            let goes_on = || {
                tick();
                false
            };
            there(content::hash_unless(disk, &disk.open(dir, name)?, &goes_on)?, false)
        }
        Sort::Link => there(Some(Digest::of(&disk.read_link(dir, name)?)), true),
        Sort::Folder | Sort::Special => there(None, false),
    })
}

/// Is it this one file that cannot be used? A bad sector is, a machine without handles is not.
fn is_bad(halt: &Halt) -> bool {
    /// The standard library names no kind for a disk that fails to read.
    const IO: i32 = 5;
    match halt {
        Halt::Os(error) => error.kind() == ErrorKind::PermissionDenied || error.raw_os_error() == Some(IO),
        Halt::Special | Halt::Escape => true,
        _ => false,
    }
}
