//! The MCP door: newline-delimited JSON-RPC over standard input and output, through the official SDK.
//! Owns the transport and nothing else: tools come from the core's table, shapes from `wire`, words from
//! `report`. Nothing but protocol is ever written to the way out.
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
mod transport;
mod watching;
mod writer;

pub use ports::StdoutPort;
pub use writer::Outflow;

use crate::doors::offer::Offer;
use executor::Executor;
use handler::Handler;
use in_flight::InFlight;
use patchwright_engine::Workspace;
use reader::Reader;
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use std::io::{self, Read};
use std::sync::Arc;
use tokio::sync::Mutex;
use transport::Connection;
use writer::Writer;

/// What a server needs.
pub struct Server {
    /// The workspace, which is this connection's session.
    pub workspace: Workspace,
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
        let executor =
            Executor::new(Arc::new(self.workspace), Arc::clone(&in_flight), Arc::clone(&writer), self.faults);
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
