//! An MCP server that does the work, with everything it is sent and says on the bill.

use super::bill::{Bill, Kind};
use crate::agents::relay::texts;
use crate::client::Client;
use crate::failure::Failure;
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

pub(super) struct Server {
    client: Client,
    pub(super) bill: Bill,
}

impl Server {
    /// Starts it and reads its listing.
    pub(super) fn start(name: &str, command: Command, folder: &Path) -> Result<Server, Failure> {
        let mut client = Client::spawn(name, command)?;
        let about = client.shake_hands()?;
        let instructions = about.get("instructions").and_then(Value::as_str).unwrap_or_default();
        let mut bill = Bill::new(name, folder);
        let listing = client.ask("tools/list", json!({}))?;
        let tools = listing.get("tools").and_then(Value::as_array).cloned().unwrap_or_default();
        bill.list(instructions, &tools);
        Ok(Server { client, bill })
    }

    /// Calls a tool; the model reads the text of its answer.
    pub(super) fn call(&mut self, kind: Kind, tool: &str, arguments: &Value) -> Result<Value, Failure> {
        let answer = self.client.call(tool, arguments)?;
        self.bill.add(kind, tool, arguments, &texts(&answer));
        Ok(answer)
    }

    pub(super) fn close(self) -> Result<Bill, Failure> {
        self.client.close()?;
        Ok(self.bill)
    }
}
