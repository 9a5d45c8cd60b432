//! Tasks that make more tasks, shared by several threads.
//!
//! Promises that a thread is told to go home once no task is left and none is in hand, or once the
//! whole is called off. Knows nothing of what the tasks are.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

pub(super) struct Queue<T> {
    books: Mutex<Books<T>>,
    bell: Condvar,
    stopped: AtomicBool,
}

struct Books<T> {
    tasks: Vec<T>,
    in_hand: usize,
}

impl<T> Queue<T> {
    pub(super) fn new(first: T) -> Queue<T> {
        let books = Mutex::new(Books { tasks: vec![first], in_hand: 0 });
        Queue { books, bell: Condvar::new(), stopped: AtomicBool::new(false) }
    }

    /// The newest task: depth first keeps the queue short. Nothing once all is done or called off.
    pub(super) fn take(&self) -> Option<(T, InHand<'_, T>)> {
        let mut books = self.lock();
        loop {
            if self.is_stopped() {
                return None;
            }
            if let Some(task) = books.tasks.pop() {
                books.in_hand += 1;
                return Some((task, InHand(self)));
            }
            if books.in_hand == 0 {
                return None;
            }
            books = self.bell.wait(books).unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(super) fn give(&self, tasks: Vec<T>) {
        if !tasks.is_empty() {
            self.lock().tasks.extend(tasks);
            self.bell.notify_all();
        }
    }

    /// Calls the whole off. Whoever has a task in hand rings the bell when it lets go of it.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    fn lock(&self) -> MutexGuard<'_, Books<T>> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A task in hand; struck from the books however it ends.
pub(super) struct InHand<'a, T>(&'a Queue<T>);

impl<T> Drop for InHand<'_, T> {
    fn drop(&mut self) {
        let mut books = self.0.lock();
        books.in_hand = books.in_hand.saturating_sub(1);
        if books.in_hand == 0 || self.0.is_stopped() {
            self.0.bell.notify_all();
        }
    }
}
