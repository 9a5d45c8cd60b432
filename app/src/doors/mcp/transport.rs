//! MCP door: the SDK's transport over our own way in and way out.

use super::in_flight::InFlight;
use super::reader::Reader;
use super::writer::Writer;
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
    pub(super) reader: Arc<Mutex<Reader>>,
    pub(super) writer: Arc<Writer>,
    pub(super) in_flight: Arc<InFlight>,
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
