//! A hand for every processor, each in a folder of its own.

use super::trial::Ground;
use crate::failure::Failure;
use crate::prove::scratch;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;

/// Where trials run.
pub(super) struct Grounds {
    memory: Option<TempDir>,
    disk: PathBuf,
}

impl Grounds {
    /// Folders in memory, where there is such a thing, and on the disk.
    pub(super) fn new(disk: &Path) -> Grounds {
        Grounds { memory: scratch::in_memory(), disk: disk.to_owned() }
    }

    /// A folder on such a ground.
    pub(super) fn on(&self, ground: Ground) -> &Path {
        match (&self.memory, ground) {
            (Some(memory), Ground::Memory) => memory.path(),
            _ => &self.disk,
        }
    }
}

/// Does each piece of work once, as many side by side as there are processors; results in the order of the items. The
/// work is told which hand does it.
pub(super) fn share<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(usize, &T) -> Result<R, Failure> + Sync,
) -> Result<Vec<R>, Failure> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Result<R, Failure>)>> = Mutex::default();
    let hand = |hand: usize| {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else { return };
            let result = work(hand, item);
            if result.is_err() {
                next.store(items.len(), Ordering::Relaxed);
            }
            done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((at, result));
        }
    };
    std::thread::scope(|scope| {
        for at in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(move || hand(at));
        }
    });
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_once_and_in_order() {
        let items: Vec<usize> = (0..100).collect();
        assert_eq!(share(&items, |_, item| Ok(item * 2)).unwrap(), (0..200).step_by(2).collect::<Vec<_>>());
        let failed = share(&items, |_, item| if *item == 50 { Err(Failure::new("x", "y")) } else { Ok(()) });
        assert!(failed.is_err());
    }
}
