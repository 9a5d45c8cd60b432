//! A file system of our own, mounted for one measurement: journaled ext4 in a file, or one in memory. Needs root.

use crate::failure::Failure;
use crate::{machine, run};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A mounted file system; dropping it takes it down.
pub(super) struct Mounted {
    place: PathBuf,
}

impl Mounted {
    /// Makes and mounts a journaled ext4 below `scratch`.
    pub(super) fn ext4(scratch: &Path) -> Result<Mounted, Failure> {
        let place = place(scratch, "ext4")?;
        let image = scratch.join("ext4.image");
        let file = std::fs::File::create(&image).map_err(|error| Failure::io(image.display(), &error))?;
        file.set_len(2 << 30).map_err(|error| Failure::io(image.display(), &error))?;
        let program = machine::find("mkfs.ext4").unwrap_or_else(|| "mkfs.ext4".into());
        let mut make = Command::new(program);
        make.args(["-q", "-F", "-O", "has_journal"]).arg(&image);
        run::plainly(make, "install e2fsprogs")?;
        let mut mount = Command::new("mount");
        mount.args(["-o", "loop"]).arg(&image).arg(&place);
        run::plainly(mount, "see whether this machine has loop devices")?;
        Ok(Mounted { place })
    }

    /// Mounts one in memory below `scratch`.
    pub(super) fn tmpfs(scratch: &Path) -> Result<Mounted, Failure> {
        let place = place(scratch, "tmpfs")?;
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=2g", "tmpfs"]).arg(&place);
        run::plainly(mount, "see whether this machine may mount")?;
        Ok(Mounted { place })
    }

    /// Where it is mounted.
    pub(super) fn place(&self) -> &Path {
        &self.place
    }
}

fn place(scratch: &Path, name: &str) -> Result<PathBuf, Failure> {
    if !machine::is_root() {
        return Err(Failure::new("mounting a file system needs root", "run `cargo xtask bench` as root"));
    }
    let place = scratch.join(name);
    std::fs::create_dir_all(&place).map_err(|error| Failure::io(place.display(), &error))?;
    Ok(place)
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.place).status();
    }
}
