//! The scripted model: an HTTP server on loopback that speaks every interface of [`super::api`].
//!
//! It writes each request to a file as a line of JSON: that file is what the model would have seen. Programs are told
//! to use it as their proxy too, so that whatever they ask of the world outside ends here, refused and counted.

use super::api::{self, Api, Seen, Turn};
use super::http::{self, Reply, Request};
use crate::failure::Failure;
use patchwright_testkit::tokens::count;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufReader, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What decides the turns.
pub(crate) trait Model: Send {
    /// The next turn, after all that the request shows.
    fn turn(&mut self, seen: &Seen) -> Turn;
    /// Has everything been said?
    fn done(&self) -> bool;
}

/// A running endpoint. Dropping it ends it.
pub(crate) struct Endpoint<M: Model + 'static> {
    port: u16,
    state: Arc<Mutex<State<M>>>,
    stopping: Arc<AtomicBool>,
}

struct State<M> {
    model: M,
    log: File,
    /// Requests for a turn so far, and how many there may be.
    turns: usize,
    limit: usize,
}

impl<M: Model> Endpoint<M> {
    /// Listens on a free port and writes what is asked to `log`.
    pub(crate) fn start(model: M, log: &Path, limit: usize) -> Result<Endpoint<M>, Failure> {
        let failed = |error: std::io::Error| Failure::io("the scripted model", &error);
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        let log = File::create(log).map_err(|error| Failure::io(log.display(), &error))?;
        let state = Arc::new(Mutex::new(State { model, log, turns: 0, limit }));
        let stopping = Arc::new(AtomicBool::new(false));
        let (shared, stop) = (Arc::clone(&state), Arc::clone(&stopping));
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                if stop.load(Ordering::SeqCst) {
                    return;
                }
                let state = Arc::clone(&shared);
                std::thread::spawn(move || serve(&state, &stream));
            }
        });
        Ok(Endpoint { port, state, stopping })
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Has the model said everything, or been asked too often?
    pub(crate) fn is_over(&self) -> bool {
        let state = lock(&self.state);
        state.model.done() || state.turns > state.limit
    }

    /// Looks at the model.
    pub(crate) fn with<T>(&self, look: impl FnOnce(&mut M) -> T) -> T {
        look(&mut lock(&self.state).model)
    }
}

impl<M: Model> Drop for Endpoint<M> {
    fn drop(&mut self) {
        self.stopping.store(true, Ordering::SeqCst);
        // Wakes the listener.
        drop(TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)));
    }
}

fn lock<M>(state: &Mutex<State<M>>) -> MutexGuard<'_, State<M>> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn serve<M: Model>(state: &Mutex<State<M>>, stream: &TcpStream) {
    let _ = stream.set_read_timeout(Some(Duration::from_secs(30)));
    let Ok(Some(request)) = http::read(&mut BufReader::new(stream)) else {
        return;
    };
    let reply = lock(state).answer(&request);
    let mut output = stream;
    // A program that has gone away needs no answer.
    let _ = http::write(&mut output, &reply);
}

impl<M: Model> State<M> {
    fn answer(&mut self, request: &Request) -> Reply {
        let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
        let line = json!({"method": request.method, "path": request.path, "body": body});
        let _ = writeln!(self.log, "{line}");
        let path = request.path.as_str();
        match Api::of(path).filter(|_| request.method == "POST") {
            Some(api) => {
                self.turns = self.turns.saturating_add(1);
                let turn = if self.turns > self.limit {
                    Turn::Say("Asked too often.".to_owned())
                } else {
                    self.model.turn(&api.seen(&body))
                };
                api.reply(path, &body, &turn, self.turns)
            }
            // Programs that ask cut by it: an honest answer is needed.
            None if path.split('?').next().unwrap_or_default().ends_with("/count_tokens") => {
                Reply::json(200, json!({"input_tokens": count(&body.to_string())}).to_string())
            }
            None if path.contains(":countTokens") => {
                Reply::json(200, json!({"totalTokens": count(&body.to_string())}).to_string())
            }
            None if path.split('?').next().unwrap_or_default().ends_with("/models") => {
                Reply::json(200, api::models().to_string())
            }
            None => {
                Reply::json(404, json!({"error": {"type": "not_found_error", "message": "nothing here"}}).to_string())
            }
        }
    }
}
