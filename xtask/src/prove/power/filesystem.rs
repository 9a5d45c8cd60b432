//! Real file systems in image files: made, copied, mounted, unmounted, shut down.
//!
//! The images lie in memory, so that nothing but the file system under test decides what is durable.

use crate::failure::Failure;
use crate::{machine, run};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folder in each file system that is the workspace.
pub(crate) const WORKSPACE: &str = "workspace";

/// What a shutdown request is to the kernel: `FS_IOC_SHUTDOWN`, made by perl, as it takes a system call that safe Rust
/// does not have.
const SHUT_DOWN: &str = "open(my $d, '<', $ARGV[0]) or die $!; \
     my $f = pack('L', $ARGV[1]); ioctl($d, 0x8004587d, $f) or die $!;";

const ADVICE: &str = "power cuts need root, loop devices, and ext4, xfs and btrfs in the kernel";

/// The file systems on which an answered change survives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Ext4,
    Xfs,
    Btrfs,
}

/// How a file system is shut down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Everything is written first.
    Flushed,
    /// The journal is written first, the data of files is not.
    JournalOnly,
    /// Nothing that was not asked for is written any more.
    AsItIs,
}

/// Something mounted; it goes when it is dropped.
#[derive(Debug)]
pub(crate) struct Mounted {
    /// Where; empty once it is unmounted.
    pub(crate) place: PathBuf,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Ext4 => "ext4",
            Kind::Xfs => "xfs",
            Kind::Btrfs => "btrfs",
        }
    }

    /// Makes an empty file system in a new image.
    pub(crate) fn make(self, image: &Path) -> Result<(), Failure> {
        // The smallest that each of them takes.
        let (size, options): (u64, &[&str]) = match self {
            Kind::Ext4 => (64, &["-q", "-F", "-J", "size=4"]),
            Kind::Xfs => (300, &["-q", "-f"]),
            Kind::Btrfs => (128, &["-q", "-f"]),
        };
        let file = std::fs::File::create(image).and_then(|file| file.set_len(size << 20));
        file.map_err(|error| Failure::io(image.display(), &error))?;
        let mut make = administrator(&format!("mkfs.{}", self.name()));
        make.args(options).arg(image);
        run::output(make, ADVICE).map(drop)
    }

    /// Mounts an image, or a file that is as good as one.
    pub(crate) fn mount(self, image: &Path, place: &Path) -> Result<Mounted, Failure> {
        let options = match self {
            Kind::Ext4 => "loop,data=ordered",
            Kind::Xfs => "loop",
            Kind::Btrfs => "loop,nodiscard",
        };
        let mut mount = administrator("mount");
        mount.args(["-t", self.name(), "-o", options]).arg(image).arg(place);
        run::output(mount, ADVICE)?;
        Ok(Mounted { place: place.to_owned() })
    }
}

impl Mode {
    pub(crate) const ALL: [Mode; 3] = [Mode::Flushed, Mode::JournalOnly, Mode::AsItIs];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Mode::Flushed => "flushed",
            Mode::JournalOnly => "journal only",
            Mode::AsItIs => "as it is",
        }
    }

    fn flags(self) -> &'static str {
        match self {
            Mode::Flushed => "0",
            Mode::JournalOnly => "1",
            Mode::AsItIs => "2",
        }
    }
}

impl Mounted {
    /// Memory to keep images in.
    pub(crate) fn memory(place: &Path) -> Result<Mounted, Failure> {
        std::fs::create_dir_all(place).map_err(|error| Failure::io(place.display(), &error))?;
        let mut mount = administrator("mount");
        mount.args(["-t", "tmpfs", "-o", "size=2g,mode=0700", "patchwright-prove"]).arg(place);
        run::output(mount, ADVICE)?;
        Ok(Mounted { place: place.to_owned() })
    }

    pub(crate) fn workspace(&self) -> PathBuf {
        self.place.join(WORKSPACE)
    }

    /// The power fails: from here on the file system takes nothing and gives nothing.
    pub(crate) fn shut_down(&self, mode: Mode) -> Result<(), Failure> {
        let mut perl = Command::new("perl");
        perl.args(["-e", SHUT_DOWN]).arg(&self.place).arg(mode.flags());
        run::output(perl, ADVICE).map(drop)
    }

    /// Unmounts, and fails if that cannot be done.
    pub(crate) fn unmount(mut self) -> Result<(), Failure> {
        run::output(unmounting(&self.place), "end what still uses it")?;
        self.place = PathBuf::new();
        Ok(())
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        if self.place.as_os_str().is_empty() {
            return;
        }
        let quietly = |mut command: Command| command.stderr(Stdio::null()).status().is_ok_and(|end| end.success());
        if !quietly(unmounting(&self.place)) {
            let mut lazily = unmounting(&self.place);
            lazily.arg("-l");
            quietly(lazily);
        }
    }
}

/// Copies an image; its holes stay holes.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    let mut copy = Command::new("cp");
    copy.arg("--sparse=always").arg(from).arg(to);
    run::output(copy, "look for free memory").map(drop)
}

fn unmounting(place: &Path) -> Command {
    let mut command = administrator("umount");
    command.arg(place);
    command
}

/// A program that may lie where only administrators look.
pub(crate) fn administrator(program: &str) -> Command {
    machine::find(program).map_or_else(|| Command::new(program), Command::new)
}
