//! A workspace, and beside it what nobody may touch.

use crate::failure::Failure;
use crate::home;
use patchwright_testkit::tree::{Item, Tree};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

/// What lies outside holds this word; no answer may.
pub(super) const SECRET: &str = "OUTSIDE-SECRET";

/// A workspace `ws` and what lies beside it.
pub(super) struct Place {
    pub(super) home: PathBuf,
    pub(super) root: PathBuf,
    links: Vec<(String, String)>,
    beside: Beside,
    /// Kept open, so that it is one.
    _socket: Option<UnixListener>,
}

/// Everything beside the workspace, and when each of it last changed.
#[derive(PartialEq)]
struct Beside {
    tree: Tree,
    times: BTreeMap<String, (i64, i64)>,
}

/// Files inside that every call may need.
const INSIDE: &[(&str, &str)] = &[("a.txt", "inside\n"), ("d/b.txt", "inside\n"), ("d/e/c.txt", "inside\n")];
const OUTSIDE: &[&str] = &["secret.txt", "beside/x", "beside/deep/x", "beside/hard", "ws-evil/x", "WS/x", "ws.txt"];

impl Place {
    /// Lays it out below a folder; links are name and target, in which `$HOME` is that folder.
    pub(super) fn new(home: &Path, links: &[(String, String)]) -> Result<Place, Failure> {
        crate::prove::workload::remove(home)?;
        let failed = |error: io::Error| Failure::io(home.display(), &error);
        fs::create_dir_all(home.join("ws")).map_err(failed)?;
        let home = home.canonicalize().map_err(failed)?;
        let root = home.join("ws");
        for path in OUTSIDE {
            let path = home.join(path);
            fs::create_dir_all(path.parent().unwrap_or(&home)).map_err(failed)?;
            // What has a name inside, too, is no secret; yet nobody may write to it from there.
            let said = if path.ends_with("hard") { "shared" } else { SECRET };
            fs::write(path, format!("{said}\ninside\n")).map_err(failed)?;
        }
        let text = |target: &String| target.replace("$HOME", &home.to_string_lossy());
        let links = links.iter().map(|(name, target)| (name.clone(), text(target))).collect();
        let beside = Beside { tree: Tree::default(), times: BTreeMap::new() };
        let mut place = Place { home, root, links, beside, _socket: None };
        place.mend().map_err(failed)?;
        place._socket = place.specials().map_err(failed)?;
        place.beside = place.look().map_err(failed)?;
        Ok(place)
    }

    /// Puts back what calls took away inside.
    pub(super) fn mend(&self) -> io::Result<()> {
        for (path, text) in INSIDE {
            let path = self.root.join(path);
            let is_file = fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_file());
            if !is_file || fs::read(&path)? != text.as_bytes() {
                clear(&path)?;
                fs::create_dir_all(path.parent().unwrap_or(&self.root))?;
                fs::write(path, text)?;
            }
        }
        for (name, target) in &self.links {
            let path = self.root.join(name);
            if fs::read_link(&path).ok().as_deref() != Some(Path::new(target)) {
                clear(&path)?;
                fs::create_dir_all(path.parent().unwrap_or(&self.root))?;
                symlink(target, path)?;
            }
        }
        let hard = self.root.join("hard");
        let number = |path: &Path| fs::symlink_metadata(path).map(|meta| meta.ino()).ok();
        if number(&hard) != number(&self.home.join("beside/hard")) {
            clear(&hard)?;
            fs::hard_link(self.home.join("beside/hard"), &hard)?;
        }
        Ok(())
    }

    /// A pipe, a socket and, where we may make one, a device.
    fn specials(&self) -> io::Result<Option<UnixListener>> {
        for (name, kind, device) in
            [("pipe", FileType::Fifo, 0), ("zero", FileType::CharacterDevice, rustix::fs::makedev(1, 5))]
        {
            match mknodat(CWD, self.root.join(name), kind, Mode::from_raw_mode(0o644), device) {
                Err(rustix::io::Errno::PERM) if kind == FileType::CharacterDevice => {}
                other => other?,
            }
        }
        UnixListener::bind(self.root.join("sock")).map(Some)
    }

    /// What of the outside is not as it was; nothing if all is.
    pub(super) fn touched(&self) -> Result<Option<String>, Failure> {
        let now = self.look().map_err(|error| Failure::io(self.home.display(), &error))?;
        if now == self.beside {
            return Ok(None);
        }
        let mut lines = self.beside.tree.difference(&now.tree);
        let unlike = now.times.iter().filter(|(path, time)| self.beside.times.get(*path) != Some(time));
        lines.extend(unlike.map(|(path, _)| format!("{path}: its time has changed")));
        Ok(Some(format!("outside: {}", lines.join("; "))))
    }

    /// Takes what lies outside as it is now for what must stay so.
    pub(super) fn settle(&mut self) -> Result<(), Failure> {
        self.beside = self.look().map_err(|error| Failure::io(self.home.display(), &error))?;
        Ok(())
    }

    fn look(&self) -> io::Result<Beside> {
        let (mut tree, mut times) = (Tree::default(), BTreeMap::new());
        for entry in fs::read_dir(&self.home)? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            if name == "ws" || self.home.join(&name) == home::of(&self.root) {
                continue;
            }
            let meta = fs::symlink_metadata(self.home.join(&name))?;
            times.insert(name.clone(), (meta.mtime(), meta.mtime_nsec()));
            match meta.is_dir() {
                true => {
                    let below = Tree::read(&self.home.join(&name))?;
                    tree.items.insert(name.clone(), Item::Folder);
                    tree.items.extend(below.items.into_iter().map(|(path, item)| (format!("{name}/{path}"), item)));
                }
                false => {
                    let bytes = fs::read(self.home.join(&name))?;
                    tree.items.insert(name, Item::File { bytes, mode: meta.mode() & 0o7777 });
                }
            }
        }
        for path in tree.items.keys() {
            let meta = fs::symlink_metadata(self.home.join(path))?;
            times.insert(path.clone(), (meta.mtime(), meta.mtime_nsec()));
        }
        Ok(Beside { tree, times })
    }
}

/// Removes whatever stands there.
fn clear(path: &Path) -> io::Result<()> {
    let gone = match fs::symlink_metadata(path) {
        Ok(meta) if meta.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match gone {
        Err(error) if error.kind() != io::ErrorKind::NotFound && error.kind() != io::ErrorKind::NotADirectory => {
            Err(error)
        }
        _ => Ok(()),
    }
}
