//! The MCP door: newline-delimited JSON-RPC over standard input and output, through the official SDK.
//! Owns the transport and nothing else: tools come from the core's table, shapes from `wire`, words from
//! `report`. Nothing but protocol is ever written to the way out.
//!
//! One connection is one session of the workspace. When the input ends, every call that came in is
//! finished and answered first.

mod desk;
mod frames;
mod id_scan;
mod inlet;
mod menu;
mod message;
mod outlet;
mod ports;
mod speaking;
mod spoken;
mod traffic;
mod transport;
mod watching;
mod work;

pub use outlet::Outflow;
pub use ports::StdoutPort;

use crate::doors::offer::Offer;
use desk::Desk;
use inlet::Inlet;
use outlet::Outlet;
use patchwright_engine::Session;
use rmcp::ServiceExt;
use rmcp::service::ServerInitializeError;
use std::io::{self, Read};
use std::sync::Arc;
use tokio::sync::Mutex;
use traffic::Traffic;
use transport::Connection;
use work::Bench;

/// What a server needs.
pub struct Server {
    /// The workspace, which is this connection's session.
    pub workspace: Session,
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
        let traffic = Arc::new(Traffic::default());
        let outlet = Arc::new(Outlet::new(output));
        let bench = Bench::new(Arc::new(self.workspace), Arc::clone(&traffic), Arc::clone(&outlet), self.faults);
        let desk = Arc::new(Desk::new(bench, self.offer));
        let inlet = Inlet::new(Box::new(input), self.limit, Arc::clone(&desk), Arc::clone(&outlet));
        let connection = Connection { inlet: Arc::new(Mutex::new(inlet)), outlet: Arc::clone(&outlet), traffic };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
        runtime.block_on(converse(desk, connection));
        // Waits for calls that were withdrawn while they were committing.
        drop(runtime);
        outlet.finish();
        Ok(())
    }
}

/// Talks until the input ends. The SDK gives up when the first message is not one that may come first;
/// here the conversation just goes on.
async fn converse(desk: Arc<Desk>, connection: Connection) {
    loop {
        match Arc::clone(&desk).serve(connection.clone()).await {
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
