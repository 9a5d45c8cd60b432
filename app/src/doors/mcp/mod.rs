//! The MCP door: newline-delimited JSON-RPC over standard input and output, through the official SDK.
//! Owns the transport and nothing else: tools come from the core's table, shapes from `wire`, words from
//! `report`. Nothing but protocol is ever written to the way out.
//!
//! A call goes downwards: `reader` (bytes to a message, by `frames` and `message`), `handler` (a message to a call of a
//! tool), `executor` (which thread, and when), `doors::call` (carried out by the engine). Its answer leaves by `writer`.
//!
//! One connection is one session of the workspace. When the input ends, every call that came in is
//! finished and answered first.

mod encode;
mod executor;
mod frames;
mod handler;
mod id_scan;
mod in_flight;
mod menu;
mod message;
mod ports;
mod reader;
mod speaking;
mod watching;
mod writer;

pub use ports::StdoutPort;
pub use writer::Outflow;

use crate::doors::offer::Offer;
use executor::Executor;
use handler::Handler;
use in_flight::InFlight;
use patchwright_engine::Session;
use reader::Reader;
use rmcp::model::{ClientJsonRpcMessage, JsonRpcMessage, ServerJsonRpcMessage};
use rmcp::service::ServerInitializeError;
use rmcp::transport::Transport;
use rmcp::{RoleServer, ServiceExt};
use std::future::{Future, ready};
use std::io::{self, Read};
use std::sync::Arc;
use tokio::sync::Mutex;
use writer::Writer;

/// What a server needs.
pub struct Server {
    /// The workspace, which is this connection's session.
    pub session: Session,
    /// Which tools are shown, and how they answer.
    pub offer: Offer,
    /// The longest message taken, in bytes.
    pub limit: u64,
    /// Where a fault of ours is told, for whoever runs the server.
    pub faults: fn(&str),
}

impl Server {
    /// Serves one connection until its input ends and every call is answered.
    pub fn serve(self, input: impl Read + Send + 'static, output: impl Outflow + 'static) -> io::Result<()> {
        let in_flight = Arc::new(InFlight::default());
        let writer = Arc::new(Writer::new(output));
        let executor = Executor::new(Arc::new(self.session), Arc::clone(&in_flight), Arc::clone(&writer), self.faults);
        let handler = Arc::new(Handler::new(executor, self.offer));
        let reader = Reader::new(Box::new(input), self.limit, Arc::clone(&handler), Arc::clone(&writer));
        let connection = Connection { reader: Arc::new(Mutex::new(reader)), writer: Arc::clone(&writer), in_flight };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
        runtime.block_on(converse(handler, connection));
        // Waits for calls that were withdrawn while they were committing.
        drop(runtime);
        writer.finish();
        Ok(())
    }
}

/// Talks until the input ends. The SDK gives up when the first message is not one that may come first;
/// here the conversation just goes on.
async fn converse(handler: Arc<Handler>, connection: Connection) {
    loop {
        match Arc::clone(&handler).serve(connection.clone()).await {
            Ok(running) => {
                // Only a breakdown of the SDK's own task is reported here, and then there is nobody to tell.
                let _ended = running.waiting().await;
                return;
            }
            Err(ServerInitializeError::ExpectedInitializeRequest(_) | ServerInitializeError::InitializeFailed(_)) => {}
            Err(_) => return,
        }
    }
}

/// One connection. A clone is the same connection, so that the SDK may be started anew on it.
#[derive(Clone)]
struct Connection {
    reader: Arc<Mutex<Reader>>,
    writer: Arc<Writer>,
    in_flight: Arc<InFlight>,
}

impl Transport<RoleServer> for Connection {
    type Error = io::Error;

    /// Written when asked for, not when awaited: the SDK would spawn a task for it.
    fn send(&mut self, message: ServerJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let sent = self.writer.send(&message);
        match &message {
            JsonRpcMessage::Response(response) => self.in_flight.end(&response.id),
            JsonRpcMessage::Error(error) => error.id.iter().for_each(|id| self.in_flight.end(id)),
            _ => {}
        }
        ready(sent)
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        self.reader.lock().await.receive().await
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::json::PARSED;
    use patchwright_engine::Options;
    use patchwright_testkit::home;
    use std::io::{Cursor, Write};

    /// A client that reads everything at once.
    #[derive(Clone, Default)]
    struct Client(Arc<std::sync::Mutex<Vec<u8>>>);

    impl Write for Client {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Outflow for Client {
        fn room(&self) -> usize {
            usize::MAX
        }
    }

    /// A call's arguments are parsed exactly once, whichever way the call goes and whatever becomes of it.
    fn check(client: &str, tool: &str, arguments: &str, answer: &str) {
        let folder = tempfile::tempdir().unwrap();
        let session = Session::open(folder.path(), Options { home: home::at(), ..Options::default() }).unwrap();
        let server = Server { session, offer: Offer::default(), limit: 1 << 20, faults: |line| panic!("{line}") };
        let output = Client::default();
        let lines = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{{\"protocolVersion\":\"2025-06-18\",\
             \"capabilities\":{{}},\"clientInfo\":{{\"name\":\"{client}\",\"version\":\"1\"}}}}}}\n\
             {{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}}\n\
             {{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{{\"name\":\"{tool}\",\"arguments\":{arguments}}}}}\n"
        );
        PARSED.take();
        server.serve(Cursor::new(lines.into_bytes()), output.clone()).unwrap();
        let parsed = PARSED.take().into_iter().filter(|text| text == arguments).count();
        let told = String::from_utf8(output.0.lock().unwrap().clone()).unwrap();
        assert!(told.contains(answer), "{tool}: {told}");
        assert_eq!(parsed, 1, "{tool} {arguments}");
    }

    #[test]
    fn arguments_are_parsed_once() {
        check("any", "list_directory", r#"{"path":"."}"#, "0 entries");
        check("any", "read_file", r#"{"path":"none"}"#, "not_found");
        check("any", "read_file", r#"{"path":"a","path":"b"}"#, "invalid_arguments");
        check("any", "create_file", r#"{"path":"a","content":"b"}"#, "b1: created a");
        check("any", "create_file", r#"{"path":"a","contents":1}"#, "invalid_arguments");
        check("any", "edit_file", r#"{"path":"a","edits":[{"oldText":"x","newText":"y"}]}"#, "not_found");
        check(
            "codex-mcp-client",
            "apply_patch",
            r#"{"patch":"*** Begin Patch\n*** Add File: a\n+b\n*** End Patch"}"#,
            "b1: applied 1 file",
        );
        check("any", "apply_patch", r#"{"patch":"not served"}"#, "permission_denied");
        check("any", "undo", r#"{"batchId":"b7"}"#, "not_found");
    }
}
