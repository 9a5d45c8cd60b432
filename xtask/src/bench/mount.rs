//! A journaled ext4 in a file, mounted for one measurement. Needs root.

use crate::failure::Failure;
use crate::{machine, run};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A mounted file system; dropping it takes it down.
pub(super) struct Mounted {
    place: PathBuf,
}

impl Mounted {
    /// Makes and mounts one below `scratch`.
    pub(super) fn ext4(scratch: &Path) -> Result<Mounted, Failure> {
        if !machine::is_root() {
            return Err(Failure::new("mounting a file system needs root", "run `cargo xtask bench edit` as root"));
        }
        let (image, place) = (scratch.join("ext4.image"), scratch.join("ext4"));
        let file = std::fs::File::create(&image).map_err(|error| Failure::io(image.display(), &error))?;
        file.set_len(256 << 20).map_err(|error| Failure::io(image.display(), &error))?;
        std::fs::create_dir_all(&place).map_err(|error| Failure::io(place.display(), &error))?;
        let program = machine::find("mkfs.ext4").unwrap_or_else(|| "mkfs.ext4".into());
        let mut make = Command::new(program);
        make.args(["-q", "-F", "-O", "has_journal"]).arg(&image);
        run::plainly(make, "install e2fsprogs")?;
        let mut mount = Command::new("mount");
        mount.args(["-o", "loop"]).arg(&image).arg(&place);
        run::plainly(mount, "see whether this machine has loop devices")?;
        Ok(Mounted { place })
    }

    /// Where it is mounted.
    pub(super) fn place(&self) -> &Path {
        &self.place
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.place).status();
    }
}
