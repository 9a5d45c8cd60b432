//! A small file system in memory, whose room for bytes and for names is changed at will. It goes with its owner.

use crate::failure::Failure;
use crate::run;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A mounted tmpfs.
pub(super) struct Small {
    pub(super) path: PathBuf,
}

/// What runs out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scarce {
    /// Blocks of 4 KiB.
    Blocks,
    /// Inodes, and so names.
    Inodes,
}

/// So much of both.
#[derive(Clone, Copy, Debug)]
struct Room {
    blocks: u64,
    inodes: u64,
}

/// Room for everything.
const ROOMY: Room = Room { blocks: 16_384, inodes: 20_000 };

impl Small {
    pub(super) fn mount(path: &Path) -> Result<Small, Failure> {
        std::fs::create_dir_all(path).map_err(|error| Failure::io(path.display(), &error))?;
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &options(ROOMY), "tmpfs"]).arg(path);
        run::output(mount, "allow mounting (in a container: the SYS_ADMIN capability)")?;
        Ok(Small { path: path.to_owned() })
    }

    /// As much room as anybody needs.
    pub(super) fn roomy(&self) -> Result<(), Failure> {
        self.resize(ROOMY)
    }

    /// Exactly so much is left, of one thing.
    pub(super) fn leave(&self, left: u64, of: Scarce) -> Result<(), Failure> {
        let used = self.used()?;
        self.resize(match of {
            Scarce::Blocks => Room { blocks: used.blocks.saturating_add(left), ..ROOMY },
            Scarce::Inodes => Room { inodes: used.inodes.saturating_add(left), ..ROOMY },
        })
    }

    /// What is in use.
    fn used(&self) -> Result<Room, Failure> {
        let mut stat = Command::new("stat");
        stat.args(["--file-system", "--format", "%S %b %f %c %d"]).arg(&self.path);
        let said = run::output(stat, "look at the mount")?;
        let numbers: Vec<u64> =
            String::from_utf8_lossy(&said).split_whitespace().filter_map(|word| word.parse().ok()).collect();
        match numbers[..] {
            [4096, blocks, free, inodes, unused] => {
                Ok(Room { blocks: blocks.saturating_sub(free), inodes: inodes.saturating_sub(unused) })
            }
            _ => Err(Failure::new(format!("stat said {numbers:?} of a tmpfs"), "look at the mount")),
        }
    }

    fn resize(&self, room: Room) -> Result<(), Failure> {
        let mut mount = Command::new("mount");
        mount.args(["-o", &format!("remount,{}", options(room))]).arg(&self.path);
        run::output(mount, "look at the mount").map(drop)
    }
}

/// None of either would mean that there is no limit at all.
fn options(room: Room) -> String {
    format!("nr_blocks={},nr_inodes={}", room.blocks.max(1), room.inodes.max(1))
}

impl Drop for Small {
    fn drop(&mut self) {
        for words in [&[][..], &["--lazy"][..]] {
            let mut umount = Command::new("umount");
            umount.args(words).arg(&self.path);
            if run::output(umount, "").is_ok() {
                return;
            }
        }
    }
}
