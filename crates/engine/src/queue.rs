//! A queue for one value: whoever came first has it first, and nobody waits longer than they said.

use std::collections::VecDeque;
use std::ops::{Deref, DerefMut};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// So often somebody who waits is asked whether they still want to.
const ASKED_EVERY: Duration = Duration::from_millis(50);

/// A value that is had in order of arrival.
#[derive(Debug, Default)]
pub(crate) struct Queue<T> {
    value: Mutex<T>,
    line: Mutex<Line>,
    moved: Condvar,
}

/// Who waits; the first has it.
#[derive(Debug, Default)]
struct Line {
    next: u64,
    waiting: VecDeque<u64>,
}

/// The value, had until this is dropped.
#[derive(Debug)]
pub(crate) struct Place<'a, T> {
    // Fields are dropped in this order: the value is let go of before the next one is called.
    value: MutexGuard<'a, T>,
    _ticket: Ticket<'a, T>,
}

/// A place in the line, left when this is dropped.
#[derive(Debug)]
struct Ticket<'a, T> {
    queue: &'a Queue<T>,
    number: u64,
}

impl<T> Queue<T> {
    /// Waits for one's turn until the deadline, as long as it is wanted; nothing if it did not come.
    pub(crate) fn take(&self, deadline: Instant, wanted: &dyn Fn() -> bool) -> Option<Place<'_, T>> {
        let ticket = self.join();
        let mut line = lock(&self.line);
        while line.waiting.front() != Some(&ticket.number) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || !wanted() {
                drop(line);
                return None;
            }
            let waited = self.moved.wait_timeout(line, left.min(ASKED_EVERY));
            line = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        drop(line);
        Some(Place { value: lock(&self.value), _ticket: ticket })
    }

    fn join(&self) -> Ticket<'_, T> {
        let mut line = lock(&self.line);
        let number = line.next;
        line.next += 1;
        line.waiting.push_back(number);
        Ticket { queue: self, number }
    }
}

impl<T> Drop for Ticket<'_, T> {
    fn drop(&mut self) {
        lock(&self.queue.line).waiting.retain(|number| *number != self.number);
        self.queue.moved.notify_all();
    }
}

impl<T> Deref for Place<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Place<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

/// A lock whose holder panicked still guards plain data here; nothing in it is half-done.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::{Queue, lock};
    use std::sync::Mutex;
    use std::time::{Duration, Instant};

    fn far() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    /// Waits until so many stand in line.
    fn until<T>(queue: &Queue<T>, waiting: usize) {
        while lock(&queue.line).waiting.len() < waiting {
            std::thread::yield_now();
        }
    }

    #[test]
    fn whoever_comes_first_has_it_first() {
        let (queue, order) = (Queue::<()>::default(), Mutex::new(Vec::new()));
        std::thread::scope(|threads| {
            let first = queue.take(far(), &|| true);
            for nth in 0..16 {
                let (queue, order) = (&queue, &order);
                threads.spawn(move || {
                    let _place = queue.take(far(), &|| true).unwrap();
                    lock(order).push(nth);
                });
                until(queue, nth + 2);
            }
            drop(first);
        });
        assert_eq!(order.into_inner().unwrap(), (0..16).collect::<Vec<_>>());
    }

    #[test]
    fn whoever_goes_away_is_passed() {
        let queue = Queue::<()>::default();
        std::thread::scope(|threads| {
            let first = queue.take(far(), &|| true).unwrap();
            assert!(queue.take(Instant::now(), &|| true).is_none(), "its time is over");
            assert!(queue.take(far(), &|| false).is_none(), "it is not wanted any more");
            let last = threads.spawn(|| queue.take(far(), &|| true).is_some());
            until(&queue, 2);
            drop(first);
            assert!(last.join().unwrap());
        });
    }

    #[test]
    fn a_panic_does_not_close_it() {
        let queue = Queue::<u32>::default();
        let panicked = std::thread::scope(|threads| {
            let panics = threads.spawn(|| {
                let mut place = queue.take(far(), &|| true).unwrap();
                *place = 7;
                panic!("on purpose");
            });
            panics.join().is_err()
        });
        assert!(panicked);
        assert_eq!(*queue.take(far(), &|| true).unwrap(), 7);
    }
}
