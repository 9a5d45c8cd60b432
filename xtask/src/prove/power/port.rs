//! Where voyages begin: memory for images, one mount point, and an image for each voyage.

use super::filesystem::{self, Kind, Mounted, WORKSPACE};
use super::voyage::Rehearsed;
use crate::failure::Failure;
use crate::prove::setting::Setting;
use std::path::{Path, PathBuf};

/// Everything that trials share.
pub(crate) struct Port<'a> {
    setting: &'a Setting,
    memory: Mounted,
}

impl<'a> Port<'a> {
    pub(crate) fn open(setting: &'a Setting) -> Result<Port<'a>, Failure> {
        let port = Port { setting, memory: Mounted::memory(&setting.scratch().join("memory"))? };
        let place = port.mount_point();
        std::fs::create_dir(&place).map_err(|error| Failure::io(place.display(), &error))?;
        for kind in [Kind::Ext4, Kind::Xfs, Kind::Btrfs] {
            kind.make(&port.blank(kind))?;
        }
        Ok(port)
    }

    pub(crate) fn binary(&self) -> &Path {
        &self.setting.binary
    }

    /// A folder in memory.
    pub(crate) fn memory(&self) -> &Path {
        &self.memory.place
    }

    pub(crate) fn mount_point(&self) -> PathBuf {
        self.memory().join("mounted")
    }

    /// An image that holds the voyage's first tree, all of it durable.
    pub(crate) fn image(&self, kind: Kind, rehearsed: &Rehearsed) -> Result<PathBuf, Failure> {
        let image = self.memory().join(format!("begin.{}", kind.name()));
        filesystem::copy(&self.blank(kind), &image)?;
        let mounted = kind.mount(&image, &self.mount_point())?;
        let root = mounted.place.join(WORKSPACE);
        let written = std::fs::create_dir(&root).and_then(|()| rehearsed.voyage.before.write(&root));
        written.map_err(|error| Failure::io(root.display(), &error))?;
        mounted.unmount()?;
        Ok(image)
    }

    fn blank(&self, kind: Kind) -> PathBuf {
        self.memory().join(format!("blank.{}", kind.name()))
    }
}
