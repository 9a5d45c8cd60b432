//! A few hands for many like things: above some count, work on disjoint names is shared by threads.
//!
//! Promises that results come back in the order of the things, that the first failure by that order is the
//! one that is told, and that few things are done by the caller alone, one after the other. What may be done
//! side by side is the caller's to know.

use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

/// Fewer than so many are not worth a thread.
const MANY: usize = 64;
/// More threads than so many wait for the file system's own locks.
const MOST_HANDS: usize = 4;
/// So many are taken at once: neighbours mostly lie in one folder, whose lock is then not fought for.
const PORTION: usize = 16;

/// How many threads the machine runs at a time. Asked for once: the system tells it in several files.
pub(crate) fn cores() -> usize {
    static CORES: OnceLock<usize> = OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// How many hands so many things are worth.
fn hands(count: usize) -> usize {
    if count < MANY { 1 } else { cores().min(MOST_HANDS) }
}

/// Does something with each; all results, or the first failure.
pub fn each<T: Sync, R: Send, E: Send>(
    things: &[T],
    act: impl Fn(usize, &T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let lead = |line: &Line| {
        line.offer(things.len());
        Ok(())
    };
    let (results, ended) = follow(things.len(), lead, |at| match things.get(at) {
        Some(thing) => act(at, thing).map(Some),
        None => Ok(None),
    });
    ended.map(|()| results.into_iter().flatten().collect())
}

/// Lets `lead` go first over `count` things, in order, and `after` follow behind it with each that `lead` has
/// offered, in any order. What `after` made of them, in order, and how all ended. With one hand, `after` begins
/// when `lead` is through. On a failure of either, what was begun is finished and nothing more is begun.
pub(crate) fn follow<R: Send, E: Send>(
    count: usize,
    lead: impl FnOnce(&Line) -> Result<(), E>,
    after: impl Fn(usize) -> Result<R, E> + Sync,
) -> (Vec<R>, Result<(), E>) {
    let line = Line::default();
    let helpers = hands(count).saturating_sub(1);
    let (mut heaps, led) = std::thread::scope(|scope| {
        let (line, after) = (&line, &after);
        let help = move || {
            ask_for_memory();
            gather(line, after)
        };
        // Where no thread can be had, the caller's own hands do.
        let spawn = |_| std::thread::Builder::new().spawn_scoped(scope, help).ok();
        let threads: Vec<_> = (0..helpers).filter_map(spawn).collect();
        let led = lead(line);
        match led {
            Ok(()) => line.close(),
            Err(_) => line.call_off(),
        }
        let mut heaps = vec![gather(line, after)];
        // A bug in a helper is a bug here: it must not pass for work done.
        heaps.extend(threads.into_iter().map(|thread| thread.join().unwrap_or_else(|why| resume_unwind(why))));
        (heaps, led)
    });
    let failures = heaps.iter_mut().filter_map(|heap| heap.failed.take());
    let failed = failures.min_by_key(|(at, _)| *at).map(|(_, error)| error);
    let mut done: Vec<(usize, R)> = heaps.into_iter().flat_map(|heap| heap.done).collect();
    done.sort_by_key(|(at, _)| *at);
    let ended = failed.map_or(led, Err);
    (done.into_iter().map(|(_, result)| result).collect(), ended)
}

/// A new thread's heap grows by a few pages at a time in the GNU C library, and each time all threads wait for
/// the kernel's lock on the address space. Asked for once and given back, a larger piece stays with the thread's
/// heap, provided that an even larger one was given back before (`mallopt(3)` on the moving threshold).
/// Memory that nobody writes to is not used up.
fn ask_for_memory() {
    for bytes in [8 << 20, 4 << 20] {
        drop(std::hint::black_box(Vec::<u8>::with_capacity(bytes)));
    }
}

/// What one hand got done.
struct Heap<R, E> {
    done: Vec<(usize, R)>,
    failed: Option<(usize, E)>,
}

fn gather<R, E>(line: &Line, after: &impl Fn(usize) -> Result<R, E>) -> Heap<R, E> {
    let mut heap = Heap { done: Vec::new(), failed: None };
    while let Some(portion) = line.take() {
        for at in portion {
            match after(at) {
                Ok(result) => heap.done.push((at, result)),
                Err(error) => {
                    line.call_off();
                    heap.failed = Some((at, error));
                    return heap;
                }
            }
        }
    }
    heap
}

/// Things that wait to be taken, in order.
#[derive(Default)]
pub(crate) struct Line {
    books: Mutex<Books>,
    bell: Condvar,
    off: AtomicBool,
}

#[derive(Default)]
struct Books {
    offered: usize,
    taken: usize,
    closed: bool,
}

impl Line {
    /// The first so many may be taken.
    pub(crate) fn offer(&self, up_to: usize) {
        let mut books = self.lock();
        books.offered = books.offered.max(up_to);
        self.bell.notify_all();
    }

    /// Has somebody failed? Then nothing more need be offered.
    pub(crate) fn is_off(&self) -> bool {
        self.off.load(Ordering::Relaxed)
    }

    fn close(&self) {
        self.lock().closed = true;
        self.bell.notify_all();
    }

    fn call_off(&self) {
        self.off.store(true, Ordering::Relaxed);
        self.close();
    }

    fn take(&self) -> Option<Range<usize>> {
        let mut books = self.lock();
        loop {
            if self.is_off() {
                return None;
            }
            if books.taken < books.offered {
                let from = books.taken;
                books.taken = books.offered.min(from.saturating_add(PORTION));
                return Some(from..books.taken);
            }
            if books.closed {
                return None;
            }
            books = self.bell.wait(books).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(count: usize, failing: &[usize], want: Result<usize, usize>) {
        let things: Vec<usize> = (0..count).collect();
        let got = each(&things, |at, thing| {
            assert_eq!(at, *thing);
            if failing.contains(thing) { Err(at) } else { Ok(*thing) }
        });
        assert_eq!(got.as_ref().map(Vec::len).map_err(|at| *at), want);
        assert!(got.is_err() || got == Ok(things), "in order");
    }

    #[test]
    fn results_come_in_order_and_a_failure_is_told() {
        for count in [0, 1, MANY - 1, MANY, 5000] {
            check(count, &[], Ok(count));
        }
        check(10, &[7, 3], Err(3));
        check(5000, &[0], Err(0));
        check(5000, &[4999], Err(4999));
    }

    /// Nobody takes what was not offered, and what was offered before a failure of the leader may be left.
    fn check_follow(count: usize, offered: usize) {
        let lead = |line: &Line| {
            (1..=offered).for_each(|up_to| line.offer(up_to));
            if offered == count { Ok(()) } else { Err("stopped") }
        };
        let (done, ended) = follow(count, lead, Ok);
        assert!(done.iter().all(|at| *at < offered), "{done:?}");
        assert!(done.is_sorted());
        assert_eq!(ended.is_ok(), offered == count);
        assert!(ended.is_err() || done.len() == count);
    }

    #[test]
    fn followers_stay_behind() {
        for (count, offered) in [(0, 0), (3, 3), (3, 1), (1000, 1000), (1000, 999), (1000, 0)] {
            check_follow(count, offered);
        }
    }
}
