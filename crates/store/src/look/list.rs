//! The entries of a folder, page by page, in the order of a walk: a folder, what is in it, the next.
//!
//! Promises that pages put together are the whole, that links are listed and not followed, and that
//! only two folders are open at a time. Ignore files are not asked: a listing shows what is there.

use super::walk::Hidden;
use super::{LeftOut, LookProblem, Looked, Sight};
use crate::content;
use crate::disk::{Disk, Halt, Stat};
use crate::real::{Dir, RealDisk};
use patchwright_core::digest::Digest;
use patchwright_core::outcome::{self, Entry};
use patchwright_core::path::RelPath;
use patchwright_core::refusal::Sort;
use std::collections::VecDeque;

/// Entries on one page.
const PAGE: usize = 5_000;

/// What to list.
#[derive(Clone, Debug)]
pub struct Listing {
    /// The folder.
    pub path: RelPath,
    /// How deep.
    pub depth: Depth,
    /// Whether names that begin with a dot are shown.
    pub hidden: Hidden,
    /// With the hash of each file's bytes and each link's target text?
    pub hashes: Hashing,
    /// Where an earlier page ended.
    pub cursor: Option<String>,
}

/// Whether a listing has hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hashing {
    /// Of files and links.
    Yes,
    /// None.
    No,
}

/// How deep a listing goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Direct children only.
    Children,
    /// Entries down to this depth; direct children have depth 0.
    Below(usize),
}

/// Lists a folder.
pub fn list(disk: &RealDisk, ask: &Listing, sight: &Sight<'_>) -> Result<Looked<outcome::Listing>, LookProblem> {
    list_page(disk, ask, sight, PAGE)
}

fn list_page(
    disk: &RealDisk,
    ask: &Listing,
    sight: &Sight<'_>,
    page: usize,
) -> Result<Looked<outcome::Listing>, LookProblem> {
    let after = ask.cursor.as_deref().map(|text| decode(text).ok_or(LookProblem::BadCursor)).transpose()?;
    let top = disk.folder(&ask.path)?;
    let mut lister = Lister { disk, ask, sight, after, left_out: LeftOut::default(), page, done: 0 };
    let mut entries: Vec<Entry> = Vec::new();
    let mut left_out = LeftOut::default();
    let mut stack = vec![Frame::new(lister.items(&top, &ask.path, &mut left_out)?, 0)];
    lister.left_out.add(left_out);
    while let Some(frame) = stack.last_mut() {
        let Some(item) = frame.items.next() else {
            stack.pop();
            continue;
        };
        let depth = frame.depth;
        if item.listed && entries.len() == page {
            let last = entries.last().map(|entry| entry.path.as_str()).unwrap_or_default();
            let next_cursor = Some(outcome::Listing::cursor_after(ask.path.as_str(), last));
            return Ok(lister.answer(entries, next_cursor));
        }
        if item.listed {
            lister.done = entries.len() as u64;
            let entry = lister.entry(&item, depth)?;
            entries.push(entry);
        }
        if !(sight.go_on)(entries.len() as u64) {
            return Err(LookProblem::Stopped);
        }
        if lister.opens(&item, depth) {
            let read = frame.take_ahead(&item.path).unwrap_or_else(|| frame.read_ahead(&lister, &item));
            stack.extend(lister.entered(&item, read, depth + 1));
        }
    }
    Ok(lister.answer(entries, None))
}

struct Lister<'a> {
    disk: &'a RealDisk,
    ask: &'a Listing,
    sight: &'a Sight<'a>,
    /// The last path of the page before, below the folder listed.
    after: Option<String>,
    left_out: LeftOut,
    page: usize,
    /// So many entries are on the page already.
    done: u64,
}

/// A folder whose entries are being gone through.
struct Frame {
    items: std::vec::IntoIter<Item>,
    depth: usize,
    /// Subfolders read ahead, in their order.
    ahead: VecDeque<(RelPath, Read)>,
}

/// A folder that was read, and what had to be left out of it.
type Read = (Option<Vec<Item>>, LeftOut);

struct Item {
    /// As it is shown: below the folder that was asked for, wherever links led.
    path: RelPath,
    stat: Stat,
    /// Does it belong on this page? (Else it is only on the way to what does.)
    listed: bool,
}

/// So many subfolders are read ahead by a second thread's half.
const AHEAD: usize = 16;

impl Frame {
    fn new(items: Vec<Item>, depth: usize) -> Frame {
        Frame { items: items.into_iter(), depth, ahead: VecDeque::new() }
    }

    fn take_ahead(&mut self, path: &RelPath) -> Option<Read> {
        self.ahead.pop_front().filter(|(ready, _)| ready == path).map(|(_, read)| read)
    }

    /// Reads a subfolder and the next few beside it, on two threads: most of the time goes into looking
    /// up sizes and times.
    fn read_ahead(&mut self, lister: &Lister<'_>, item: &Item) -> Read {
        let depth = self.depth;
        let next: Vec<&Item> =
            self.items.as_slice().iter().filter(|item| lister.opens(item, depth)).take(AHEAD - 1).collect();
        let (here, there) = next.split_at(next.len() / 2);
        let mut reads = std::thread::scope(|scope| {
            let second =
                (!there.is_empty()).then(|| scope.spawn(|| there.iter().map(|item| lister.read(item)).collect()));
            let mut reads: Vec<Read> =
                std::iter::once(item).chain(here.iter().copied()).map(|item| lister.read(item)).collect();
            reads.extend(second.map(|thread| thread.join().unwrap_or_else(|_| Vec::new())).unwrap_or_default());
            reads.into_iter()
        });
        let first = reads.next().unwrap_or_default();
        self.ahead = next.iter().map(|item| item.path.clone()).zip(reads).collect();
        first
    }
}

impl Lister<'_> {
    fn answer(self, entries: Vec<Entry>, next_cursor: Option<String>) -> Looked<outcome::Listing> {
        let answer = outcome::Listing { path: self.ask.path.to_string(), entries, next_cursor };
        Looked { answer, left_out: self.left_out }
    }

    fn opens(&self, item: &Item, depth: usize) -> bool {
        let deep = match self.ask.depth {
            Depth::Children => false,
            Depth::Below(most) => depth < most,
        };
        deep && item.stat.sort == Sort::Folder
    }

    /// Takes in a subfolder that was read; one that could not be is left out.
    fn entered(&mut self, item: &Item, read: Read, depth: usize) -> Option<Frame> {
        let (items, left_out) = read;
        self.left_out.add(left_out);
        if items.is_none() {
            self.left_out.unread(item.path.as_str());
        }
        items.map(|items| Frame::new(items, depth))
    }

    fn read(&self, item: &Item) -> Read {
        let mut left_out = LeftOut::default();
        let opened = self.disk.folder(&item.path).map_err(LookProblem::from);
        let items = opened.and_then(|dir| self.items(&dir, &item.path, &mut left_out)).ok();
        (items, left_out)
    }

    /// Reads a folder: what is needed of it for this page, sorted. The folder is closed again.
    fn items(&self, dir: &Dir, path: &RelPath, left_out: &mut LeftOut) -> Result<Vec<Item>, LookProblem> {
        let mut names = Vec::new();
        let mut unaddressable = 0;
        let mut buffer = Vec::with_capacity(32 * 1024);
        dir.each_entry(buffer.spare_capacity_mut(), |name, _| match std::str::from_utf8(name) {
            Ok(name) => names.push(name.to_owned()),
            Err(_) => unaddressable += 1,
        })?;
        left_out.unaddressable += unaddressable;
        names.sort_unstable();
        let (mut items, mut listed) = (Vec::new(), 0);
        for name in names {
            let item = self.item(dir, path, &name, left_out);
            listed += usize::from(item.as_ref().is_some_and(|item| item.listed));
            items.extend(item);
            if listed > self.page {
                break; // one more than fits: that there is another page is all that counts
            }
        }
        Ok(items)
    }

    /// An entry, if it is shown, and if it or what is in it comes after the cursor.
    fn item(&self, dir: &Dir, folder: &RelPath, name: &str, left_out: &mut LeftOut) -> Option<Item> {
        if self.ask.hidden == Hidden::Skip && name.starts_with('.') {
            return None;
        }
        let real = dir.path().and_then(|path| path.join(name));
        let (Some(path), Some(real)) = (folder.join(name), real) else {
            left_out.unread(folder.as_str());
            return None;
        };
        if self.disk.is_state(&real) {
            return None;
        }
        let (listed, entered) = self.after.as_deref().map_or((true, true), |after| {
            let below = below(&self.ask.path, path.as_str());
            (comes_before(after, below), is_within(after, below))
        });
        if !listed && !entered {
            return None;
        }
        let stat = self.disk.stat(dir, name).ok().flatten()?;
        // A folder that may not be shown may hold what may be.
        let shown = (self.sight.may)(&real);
        (shown || stat.sort == Sort::Folder).then_some(Item { path, stat, listed: listed && shown })
    }

    fn entry(&mut self, item: &Item, depth: usize) -> Result<Entry, LookProblem> {
        let sha256 = match self.ask.hashes {
            Hashing::Yes => self.hash(item)?,
            Hashing::No => None,
        };
        let path = item.path.as_str().to_owned();
        Ok(Entry { path, sort: item.stat.sort, size: item.stat.size, mtime_ns: item.stat.mtime_ns, depth, sha256 })
    }

    /// The hash of a file's bytes or a link's target; one that cannot be read has none.
    fn hash(&mut self, item: &Item) -> Result<Option<Digest>, LookProblem> {
        if !matches!(item.stat.sort, Sort::File | Sort::Link) {
            return Ok(None);
        }
        match self.hash_of(item) {
            Ok(Some(digest)) => Ok(Some(digest)),
            Ok(None) => Err(LookProblem::Stopped),
            Err(_) => {
                self.left_out.unread(item.path.as_str());
                Ok(None)
            }
        }
    }

    fn hash_of(&self, item: &Item) -> Result<Option<Digest>, Halt> {
        let dir = self.disk.folder(&item.path.parent())?;
        // Links may lead elsewhere by now.
        let real = dir.path().and_then(|path| path.join(item.path.name()));
        if real.is_none_or(|real| self.disk.is_state(&real) || !(self.sight.may)(&real)) {
            return Err(Halt::Escape);
        }
        if item.stat.sort == Sort::Link {
            return self.disk.read_link(&dir, item.path.name()).map(|target| Some(Digest::of(&target)));
        }
        let file = self.disk.open(&dir, item.path.name())?;
        content::hash_unless(self.disk, &file, &|| !(self.sight.go_on)(self.done))
    }
}

fn below<'p>(folder: &RelPath, path: &'p str) -> &'p str {
    let skip = if folder.is_root() { 0 } else { folder.as_str().len() + 1 };
    path.get(skip..).unwrap_or_default()
}

/// The order of a walk: name by name, so that what is in a folder follows it at once.
fn comes_before(one: &str, two: &str) -> bool {
    one.split('/').lt(two.split('/'))
}

fn is_within(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/') || rest.is_empty())
}

fn decode(cursor: &str) -> Option<String> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|value| u8::try_from(value).ok());
    let byte = |pair: &[u8]| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    };
    let bytes: Option<Vec<u8>> = cursor.as_bytes().chunks(2).map(byte).collect();
    String::from_utf8(bytes?).ok().filter(|path| !path.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::real::{Means, Whereabouts};

    #[test]
    fn walk_order() {
        let mut paths = ["a-b", "a/x", "a", "a/x/y", "b", "a.txt"];
        paths.sort_by(|one, two| one.split('/').cmp(two.split('/')));
        assert_eq!(paths, ["a", "a/x", "a/x/y", "a-b", "a.txt", "b"]);
    }

    #[test]
    fn cursors() {
        assert_eq!(decode(&outcome::Listing::cursor_after("d", "d/ü/a")).as_deref(), Some("ü/a"));
        for bad in ["", "1", "zz", "ff", "+1"] {
            assert_eq!(decode(bad), None, "{bad}");
        }
    }

    #[test]
    fn pages_make_the_whole() {
        let dir = tempfile::tempdir().unwrap();
        for path in ["a/b/c/d", "a/b2", "a-b/x/y", "a.txt/z", "k/1", "k/2", "k/3/x"] {
            std::fs::create_dir_all(dir.path().join(path)).unwrap();
        }
        let disk = RealDisk::open(dir.path(), &Whereabouts::default(), Means::Best).unwrap();
        let ask = |cursor| Listing {
            path: RelPath::root(),
            depth: Depth::Below(8),
            hidden: Hidden::Skip,
            hashes: Hashing::No,
            cursor,
        };
        let whole = list(&disk, &ask(None), &Sight::ALL).unwrap().answer;
        assert_eq!(whole.entries.len(), 15);
        for page in [1, 2, 3, 7, 14] {
            let (mut entries, mut cursor) = (Vec::new(), None);
            loop {
                let part = list_page(&disk, &ask(cursor.take()), &Sight::ALL, page).unwrap().answer;
                assert!(part.entries.len() <= page);
                entries.extend(part.entries);
                cursor = part.next_cursor;
                if cursor.is_none() {
                    break;
                }
            }
            assert_eq!(entries, whole.entries, "pages of {page}");
        }
    }
}
