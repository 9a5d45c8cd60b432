//! MCP door: messages on their way in. While nothing is under way the input is read on this very
//! thread, which saves a change of threads for every request; while a call runs elsewhere a second
//! thread does the waiting, so that a cancellation gets through.
//!
//! The end of the input is passed on only when every call has been answered.

use super::frames::{Frame, Frames};
use super::handler::Handler;
use super::in_flight::{InFlight, Pace};
use super::message::{Incoming, read_line, too_long};
use super::writer::Writer;
use rmcp::model::{ClientJsonRpcMessage, ClientNotification, JsonRpcMessage};
use std::io::{ErrorKind, Read};
use std::sync::Arc;
use tokio::sync::oneshot;

/// Bytes asked for at once: the size of a pipe.
const CHUNK: usize = 64 << 10;

/// How often the other tasks of this thread get their turn before the wait moves to another thread.
const PATIENCE: u32 = 64;

/// How many turns without an answer it takes to give up on requests that wait for this thread.
const GOODBYE: u32 = 1 << 16;

/// The way in.
pub(super) struct Reader {
    frames: Frames,
    source: Source,
    patience: u32,
    handler: Arc<Handler>,
    in_flight: Arc<InFlight>,
    writer: Arc<Writer>,
}

/// The input, with the bytes it gave last.
struct Input {
    reader: Box<dyn Read + Send>,
    bytes: Box<[u8]>,
    count: usize,
}

enum Source {
    /// Read from here.
    Here(Input),
    /// Another thread reads; it gives the input back with what it read.
    Lent(oneshot::Receiver<Input>),
    /// The input has ended.
    Ended,
}

/// What the bytes that are here already hold.
enum Buffered {
    /// Something for the SDK.
    Message(Box<ClientJsonRpcMessage>),
    /// A line that is done with.
    Answered,
    /// No whole line.
    Nothing,
}

impl Reader {
    /// A way in from `reader`, with messages of at most `limit` bytes.
    pub(super) fn new(reader: Box<dyn Read + Send>, limit: u64, handler: Arc<Handler>, writer: Arc<Writer>) -> Reader {
        let input = Input { reader, bytes: vec![0; CHUNK].into_boxed_slice(), count: 0 };
        let in_flight = handler.in_flight();
        Reader {
            frames: Frames::new(limit),
            source: Source::Here(input),
            patience: PATIENCE,
            handler,
            in_flight,
            writer,
        }
    }

    /// The next message; nothing once the input has ended and all is done. May be dropped while
    /// waiting, and asked again.
    pub(super) async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            // A client that does not read is not listened to either.
            self.writer.until_not_full().await;
            self.in_flight.until_room().await;
            match self.buffered() {
                Buffered::Message(message) => {
                    self.patience = PATIENCE;
                    return Some(*message);
                }
                Buffered::Answered => continue,
                Buffered::Nothing => {}
            }
            if matches!(self.source, Source::Ended) || self.writer.is_broken() {
                return self.farewell().await;
            }
            self.fill().await;
        }
    }

    /// The next line among the bytes that are here already.
    fn buffered(&mut self) -> Buffered {
        let frame = match self.frames.next() {
            None if matches!(self.source, Source::Ended) => self.frames.finish(),
            frame => frame,
        };
        let (incoming, bytes) = match frame {
            Some(Frame::Line(line)) => (read_line(&line), line.len()),
            Some(Frame::TooLong(id)) => (too_long(id, self.frames.limit()), 0),
            None => return Buffered::Nothing,
        };
        match incoming {
            Incoming::Message(mut message) => {
                if self.done_on_the_spot(&mut message) {
                    return Buffered::Answered;
                }
                self.note(&message, bytes);
                return Buffered::Message(message);
            }
            // A client that no longer listens is noticed before the next wait.
            Incoming::Answer(answer) => drop(self.writer.send(&answer)),
            Incoming::Nothing => {}
        }
        Buffered::Answered
    }

    /// With nothing else under way, a quick look need not go through the SDK.
    fn done_on_the_spot(&self, message: &mut ClientJsonRpcMessage) -> bool {
        let answer = if self.in_flight.pace() == Pace::Idle { self.handler.on_the_spot(message) } else { None };
        // A client that no longer listens is noticed before the next wait.
        answer.map(|answer| drop(self.writer.send_line(answer))).is_some()
    }

    fn note(&self, message: &ClientJsonRpcMessage, bytes: usize) {
        match message {
            JsonRpcMessage::Request(request) => self.in_flight.begin(request.id.clone(), bytes),
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) = &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.in_flight.end(id);
                }
            }
            _ => {}
        }
    }

    /// Gets more bytes, on this thread or another.
    async fn fill(&mut self) {
        match (&mut self.source, self.in_flight.pace()) {
            (Source::Lent(lent), _) => {
                let back = lent.await.ok();
                self.take_back(back);
            }
            (Source::Here(_), Pace::Here) if self.patience > 0 => {
                self.patience -= 1;
                tokio::task::yield_now().await;
            }
            (Source::Here(_), Pace::Idle) => {
                let back = self.source.take().map(Input::wait);
                self.take_back(back);
            }
            (Source::Here(_), _) => self.lend(),
            (Source::Ended, _) => {}
        }
    }

    /// Lets another thread wait for input. Where there is none to be had, this one waits.
    fn lend(&mut self) {
        let Some(input) = self.source.take() else { return };
        let (give_back, lent) = oneshot::channel();
        let (hand_over, handed) = std::sync::mpsc::channel();
        let wait = move || {
            // Nobody to give it back to means that the connection is over.
            let _gone = handed.recv().map(|input: Input| give_back.send(input.wait()));
        };
        match std::thread::Builder::new().name("input".to_owned()).spawn(wait) {
            Ok(_detached) => {
                drop(hand_over.send(input));
                self.source = Source::Lent(lent);
            }
            Err(_) => self.take_back(Some(input.wait())),
        }
    }

    fn take_back(&mut self, back: Option<Input>) {
        self.source = match back {
            Some(input) if input.count > 0 => {
                self.frames.push(input.read());
                Source::Here(input)
            }
            _ => Source::Ended,
        };
    }

    /// Waits for what is under way. Whoever awaits this asks anew after every answer that goes out.
    async fn farewell(&mut self) -> Option<ClientJsonRpcMessage> {
        for _turn in 0..GOODBYE {
            match self.in_flight.pace() {
                Pace::Idle => return None,
                Pace::Here => tokio::task::yield_now().await,
                Pace::Away => std::future::pending::<()>().await,
            }
        }
        None
    }
}

impl Source {
    fn take(&mut self) -> Option<Input> {
        match std::mem::replace(self, Source::Ended) {
            Source::Here(input) => Some(input),
            other => {
                *self = other;
                None
            }
        }
    }
}

impl Input {
    /// Waits for bytes. None means the end; an input that fails has ended too.
    fn wait(mut self) -> Input {
        self.count = loop {
            match self.reader.read(&mut self.bytes) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read.unwrap_or(0),
            }
        };
        self
    }

    fn read(&self) -> &[u8] {
        self.bytes.get(..self.count).unwrap_or_default()
    }
}
