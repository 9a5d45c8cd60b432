//! MCP door: the SDK's transport over our own way in and way out.

use super::inlet::Inlet;
use super::outlet::Outlet;
use super::traffic::Traffic;
use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, JsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use std::future::{Future, ready};
use std::io;
use std::sync::Arc;
use tokio::sync::Mutex;

/// One connection. A clone is the same connection, so that the SDK may be started anew on it.
#[derive(Clone)]
pub(super) struct Connection {
    pub(super) inlet: Arc<Mutex<Inlet>>,
    pub(super) outlet: Arc<Outlet>,
    pub(super) traffic: Arc<Traffic>,
}

impl Transport<RoleServer> for Connection {
    type Error = io::Error;

    /// Written when asked for, not when awaited: the SDK would spawn a task for it.
    fn send(&mut self, message: ServerJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let sent = self.outlet.send(&message);
        match &message {
            JsonRpcMessage::Response(response) => self.traffic.end(&response.id),
            JsonRpcMessage::Error(error) => error.id.iter().for_each(|id| self.traffic.end(id)),
            _ => {}
        }
        ready(sent)
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        self.inlet.lock().await.receive().await
    }

    async fn close(&mut self) -> io::Result<()> {
        Ok(())
    }
}
