//! The library as a stranger uses it: every verb with what it does and what it refuses.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

mod changes;
mod errors;
mod follow;
mod front_page;
mod history;
mod looks;
mod proposals;
mod public_items;
mod sessions;
mod stale;

use patchwright_lib::{Durability, Options, Session, Workspace};
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// A folder in memory where there is one: some tests make thousands of files.
fn folder() -> TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

/// A workspace in a folder of its own, with a home of its own.
struct Scratch {
    folder: TempDir,
    home: TempDir,
}

impl Scratch {
    fn new() -> Scratch {
        Scratch { folder: folder(), home: folder() }
    }

    /// The same with files in it.
    fn with(files: &[(&str, &str)]) -> Scratch {
        let scratch = Scratch::new();
        for (path, text) in files {
            scratch.put(path, text);
        }
        scratch
    }

    fn options(&self) -> Options {
        Workspace::options().home(self.home.path()).durability(Durability::None)
    }

    fn open(&self) -> Workspace {
        self.options().open(self.folder.path()).unwrap()
    }

    fn session(&self) -> Session {
        self.open().session("test")
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    /// Writes a file past the library, as any other program does.
    fn put(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// What a file says now; nothing if it is absent.
    fn text(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.path(path)).ok()
    }
}
