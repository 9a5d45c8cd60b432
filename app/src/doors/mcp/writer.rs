//! MCP door: answers on their way out, one a line. What fits into the pipe is written at once, on the
//! thread at hand, because every change of threads costs more than the write. What does not fit goes
//! to a thread that may wait: a client that sends many requests before it reads an answer must not
//! bring both sides to a stop.

use rmcp::model::{ErrorData, JsonRpcMessage, ServerJsonRpcMessage};
use serde::Serialize;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::JoinHandle;
use tokio::sync::Notify;

/// While more bytes than this wait to be read by the client, nothing more is taken in and nothing more is begun: a
/// hundred answers of the usual size, so that nobody who reads at all is held up by it.
pub(super) const UNREAD: usize = 16 << 20;

/// Where answers go.
pub trait Outflow: Write + Send {
    /// How many bytes can be written now without waiting.
    fn room(&self) -> usize;
}

/// The way out, shared by everything that answers.
pub(super) struct Writer {
    port: Arc<Mutex<dyn Outflow>>,
    queue: Mutex<Option<Queue>>,
    backlog: Arc<Backlog>,
}

/// An error about a message whose id cannot be told. JSON-RPC wants `"id": null`; the SDK leaves it out.
#[derive(Serialize)]
struct ToNobody<'a> {
    jsonrpc: &'static str,
    id: (),
    error: &'a ErrorData,
}

struct Queue {
    messages: mpsc::Sender<Vec<u8>>,
    thread: JoinHandle<()>,
}

#[derive(Default)]
struct Backlog {
    bytes: AtomicUsize,
    broken: AtomicBool,
    less: Notify,
}

impl Writer {
    /// A way out through `port`.
    pub(super) fn new(port: impl Outflow + 'static) -> Writer {
        Writer { port: Arc::new(Mutex::new(port)), queue: Mutex::new(None), backlog: Arc::default() }
    }

    /// Sends one message.
    pub(super) fn send(&self, message: &ServerJsonRpcMessage) -> io::Result<()> {
        let mut bytes = Vec::new();
        match message {
            JsonRpcMessage::Error(said) if said.id.is_none() => {
                serde_json::to_writer(&mut bytes, &ToNobody { jsonrpc: "2.0", id: (), error: &said.error })?;
            }
            message => serde_json::to_writer(&mut bytes, message)?,
        }
        bytes.push(b'\n');
        self.send_line(bytes)
    }

    /// Sends one message that is a line already.
    pub(super) fn send_line(&self, bytes: Vec<u8>) -> io::Result<()> {
        if self.is_broken() {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        if self.backlog.bytes.load(Ordering::Acquire) > 0 {
            return self.enqueue(bytes);
        }
        let mut port = locked(&self.port);
        if bytes.len() > port.room() {
            drop(port);
            return self.enqueue(bytes);
        }
        self.backlog.note(write(&mut *port, &bytes))
    }

    /// Has the client stopped listening?
    pub(super) fn is_broken(&self) -> bool {
        self.backlog.broken.load(Ordering::Acquire)
    }

    /// Does so much wait to be read that nothing more should be begun?
    pub(super) fn is_full(&self) -> bool {
        self.backlog.bytes.load(Ordering::Acquire) > UNREAD && !self.is_broken()
    }

    /// Waits until the client has read enough of what it was sent.
    pub(super) async fn until_not_full(&self) {
        loop {
            let less = self.backlog.less.notified();
            tokio::pin!(less);
            // From here on no news is missed.
            less.as_mut().enable();
            if !self.is_full() {
                return;
            }
            less.await;
        }
    }

    /// Waits until everything is written.
    pub(super) fn finish(&self) {
        let queue = locked(&self.queue).take();
        if let Some(Queue { messages, thread }) = queue {
            drop(messages);
            // A writer that panicked has nothing more to write; there is nobody left to tell.
            let _ended = thread.join();
        }
    }

    fn enqueue(&self, bytes: Vec<u8>) -> io::Result<()> {
        let mut queue = locked(&self.queue);
        let queue = match &mut *queue {
            Some(queue) => queue,
            empty => empty.insert(self.start_queue()?),
        };
        self.backlog.bytes.fetch_add(bytes.len(), Ordering::AcqRel);
        queue.messages.send(bytes).map_err(|_gone| io::ErrorKind::BrokenPipe.into())
    }

    fn start_queue(&self) -> io::Result<Queue> {
        let (messages, waiting) = mpsc::channel::<Vec<u8>>();
        let (port, backlog) = (Arc::clone(&self.port), Arc::clone(&self.backlog));
        let drain = move || {
            for bytes in waiting {
                // A failure is on record in the backlog; what still waits fails in the same way.
                let _written = backlog.note(write(&mut *locked(&port), &bytes));
                backlog.bytes.fetch_sub(bytes.len(), Ordering::AcqRel);
                backlog.less.notify_waiters();
            }
        };
        let thread = std::thread::Builder::new().name("answers".to_owned()).spawn(drain)?;
        Ok(Queue { messages, thread })
    }
}

impl Backlog {
    /// Remembers that the way out is closed.
    fn note(&self, written: io::Result<()>) -> io::Result<()> {
        if written.is_err() {
            self.broken.store(true, Ordering::Release);
        }
        written
    }
}

fn write(port: &mut dyn Outflow, bytes: &[u8]) -> io::Result<()> {
    port.write_all(bytes)?;
    port.flush()
}

fn locked<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::model::{EmptyResult, RequestId, ServerResult};
    use std::future::Future;
    use std::pin::pin;
    use std::sync::Condvar;
    use std::task::{Context, Waker};

    struct Port {
        room: usize,
        written: Arc<Mutex<Vec<u8>>>,
    }

    impl Write for Port {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.written.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Outflow for Port {
        fn room(&self) -> usize {
            self.room
        }
    }

    /// Whatever the room, every answer comes out, in order.
    fn check(room: usize) {
        let written = Arc::new(Mutex::new(Vec::new()));
        let writer = Writer::new(Port { room, written: Arc::clone(&written) });
        let answer =
            |id| ServerJsonRpcMessage::response(ServerResult::EmptyResult(EmptyResult {}), RequestId::Number(id));
        let want: String = (0..100).map(|id| serde_json::to_string(&answer(id)).unwrap() + "\n").collect();
        for id in 0..100 {
            writer.send(&answer(id)).unwrap();
        }
        writer.finish();
        assert_eq!(String::from_utf8(written.lock().unwrap().clone()).unwrap(), want, "room {room}");
    }

    /// Takes nothing until it may.
    struct Shut(Arc<(Mutex<bool>, Condvar)>);

    impl Write for Shut {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let (open, bell) = &*self.0;
            drop(bell.wait_while(open.lock().unwrap(), |open| !*open).unwrap());
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Outflow for Shut {
        fn room(&self) -> usize {
            0
        }
    }

    #[test]
    fn whoever_does_not_read_is_waited_for() {
        let gate = Arc::new((Mutex::new(false), Condvar::new()));
        let writer = Writer::new(Shut(Arc::clone(&gate)));
        let is_free = || pin!(writer.until_not_full()).poll(&mut Context::from_waker(Waker::noop())).is_ready();
        writer.send_line(vec![b'x'; UNREAD]).unwrap();
        assert!(is_free());
        let mut waiting = pin!(writer.until_not_full());
        writer.send_line(vec![b'x']).unwrap();
        assert!(!is_free() && writer.is_full());
        assert!(waiting.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        *gate.0.lock().unwrap() = true;
        gate.1.notify_all();
        writer.finish();
        assert!(is_free() && waiting.poll(&mut Context::from_waker(Waker::noop())).is_ready());
    }

    #[test]
    fn everything_comes_out_in_order() {
        check(0);
        check(38);
        check(usize::MAX);
    }
}
