//! What the kernel and the file system can do here, found out by trying in the state folder.

use super::{Dir, RealDisk, guard, places};
use crate::disk::{At, Disk, Flush, Halt, Rename};

/// Something the machine can or cannot do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ability {
    /// `openat2`, `exchange`, `no_replace`, `sync` or `lock`.
    pub name: &'static str,
    /// Does it work here?
    pub works: bool,
}

const PROBE: &str = ".patchwright-probe";
const ONE: &str = "probe.one";
const TWO: &str = "probe.two";

impl RealDisk {
    /// Tries out what commits rely on: in the folder of our record, or before there is one in a folder of the root that
    /// goes again.
    pub fn abilities(&self) -> Result<Vec<Ability>, Halt> {
        let above = self.state_if_there("")?.unwrap_or_else(|| self.root().clone());
        let dir = places::make(&above, PROBE)?;
        self.clear(&dir)?;
        let tried = self.try_out(&dir);
        self.clear(&dir)?;
        self.remove_folder(&above, PROBE)?;
        tried
    }

    fn try_out(&self, dir: &Dir) -> Result<Vec<Ability>, Halt> {
        let one = self.create(dir, ONE)?;
        let two = self.create(dir, TWO)?;
        let synced = self.sync(Flush::File(&one)).and_then(|()| self.sync(Flush::Dir(dir)));
        let exchanged = self.rename(At::new(dir, ONE), At::new(dir, TWO), Rename::Exchange);
        let kept = self.rename(At::new(dir, ONE), At::new(dir, TWO), Rename::NoReplace);
        let locked = two.try_lock().is_ok() && self.open(dir, ONE).is_ok();
        Ok([
            ("openat2", guard::kernel_resolves(self.root())),
            ("exchange", exchanged.is_ok()),
            ("no_replace", matches!(kept, Err(halt) if halt.is_taken())),
            ("sync", synced.is_ok()),
            ("lock", locked),
        ]
        .map(|(name, works)| Ability { name, works })
        .to_vec())
    }

    fn clear(&self, dir: &Dir) -> Result<(), Halt> {
        for name in [ONE, TWO] {
            match self.remove(dir, name) {
                Err(halt) if !halt.is_missing() => return Err(halt),
                _ => {}
            }
        }
        Ok(())
    }
}
