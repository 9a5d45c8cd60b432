//! MCP door: the server's side of the SDK, written by hand over the one table of tools. Every refusal is
//! a tool result, never a protocol error, so that a model gets to read it.

use super::message::Arguments;
use super::spoken::result_line;
use super::traffic::Traffic;
use super::work::Bench;
use crate::doors::carry::{Outcome, understand};
use crate::doors::profile::Profile;
use crate::report::{Telling, answer, text};
use crate::wire::{self, formats, schema};
use patchwright::{Client, Door, Role, Workspace};
use patchwright_core::outcome::Reply;
use patchwright_core::tool::Tool;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientJsonRpcMessage, ClientRequest,
    CompleteRequestMethod, CompleteRequestParams, CompleteResult, ContentBlock, ErrorData, Implementation,
    InitializeRequestParams, InitializeResult, JsonRpcMessage, ListPromptsRequestMethod, ListPromptsResult,
    ListResourceTemplatesRequestMethod, ListResourceTemplatesResult, ListResourcesRequestMethod, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, RequestMetaObject, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, model};
use serde_json::Value;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

type Context = RequestContext<RoleServer>;

/// What a connection talks to.
pub(super) struct Desk {
    shown: Vec<&'static Tool>,
    /// How to work with these tools, told once to every client.
    instructions: String,
    listed: ListToolsResult,
    bench: Bench,
    tells_doc_paths: bool,
    client: Mutex<Option<Client>>,
    /// Has a client greeted us, and so chosen a revision of the protocol for all that follows?
    greeted: AtomicBool,
}

impl Desk {
    pub(super) fn new(bench: Bench, profile: &Profile) -> serde_json::Result<Desk> {
        let shown = profile.tools();
        let tools = shown.iter().map(|tool| listed(tool)).collect::<Result<_, _>>()?;
        Ok(Desk {
            shown,
            instructions: profile.guidance(),
            listed: ListToolsResult::with_all_items(tools),
            bench,
            tells_doc_paths: profile.tells_doc_paths(),
            client: Mutex::new(None),
            greeted: AtomicBool::new(false),
        })
    }

    /// What is under way.
    pub(super) fn traffic(&self) -> Arc<Traffic> {
        self.bench.traffic()
    }

    /// The answer to a quick look as its line, without the SDK's detour over several tasks. Only once a
    /// revision has been agreed on; requests that bring their own are the SDK's.
    pub(super) fn on_the_spot(&self, message: &ClientJsonRpcMessage) -> Option<Vec<u8>> {
        let JsonRpcMessage::Request(message) = message else { return None };
        let ClientRequest::CallToolRequest(request) = &message.request else { return None };
        let meta = request.extensions.get::<RequestMetaObject>();
        if !self.greeted.load(Ordering::Acquire) || meta.is_some_and(|meta| meta.protocol_version().is_some()) {
            return None;
        }
        let tool = self.tool(&request.params.name).ok()?;
        let call = understand(tool, &request.extensions.get::<Arguments>()?.0);
        let outcome = self.told(self.bench.at_once(tool, &call)?);
        Some(result_line(&message.id, &outcome))
    }

    /// An outcome, with `docPath`s where this connection speaks of files by these.
    fn told(&self, outcome: Outcome) -> Outcome {
        if self.tells_doc_paths { outcome.map(Reply::with_doc_paths) } else { outcome }
    }

    fn tool(&self, name: &str) -> Result<&'static Tool, ErrorData> {
        let unknown = || {
            let known: Vec<_> = self.shown.iter().map(|tool| tool.name).collect();
            let name = wire::json::short_text(name);
            ErrorData::invalid_params(format!("there is no tool {name}; the tools are {}", known.join(", ")), None)
        };
        self.shown.iter().copied().find(|tool| tool.name == name).ok_or_else(unknown)
    }

    /// Tells the workspace who calls, when that is news.
    fn meet(&self, who: Option<Implementation>) {
        let Some(Implementation { name, version, .. }) = who else { return };
        let client = Client { name, version, actor: None, door: Door::Stdio, role: Role::Agent };
        let mut known = self.client.lock().unwrap_or_else(PoisonError::into_inner);
        if known.as_ref() != Some(&client) {
            self.workspace().introduce(client.clone());
            *known = Some(client);
        }
    }

    fn workspace(&self) -> &Workspace {
        self.bench.workspace()
    }
}

impl ServerHandler for Desk {
    fn get_info(&self) -> ServerConfig {
        let server = Implementation::new("patchwright", env!("CARGO_PKG_VERSION")).with_title("Patchwright");
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(server)
            .with_instructions(self.instructions.as_str())
    }

    async fn initialize(
        &self,
        request: InitializeRequestParams,
        context: Context,
    ) -> Result<InitializeResult, ErrorData> {
        self.meet(Some(request.client_info.clone()));
        let result = self.negotiate_initialize(&request);
        context.peer.set_peer_info(request);
        self.greeted.store(result.is_ok(), Ordering::Release);
        result
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: Context,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(self.listed.clone())
    }

    async fn call_tool(&self, request: CallToolRequestParams, context: Context) -> Result<CallToolResponse, ErrorData> {
        let tool = self.tool(&request.name)?;
        self.meet(context.meta.client_info());
        let arguments = context.extensions.get::<Arguments>().map(|arguments| Arc::clone(&arguments.0));
        let call = understand(tool, arguments.as_deref().unwrap_or("{}"));
        let outcome = self.told(self.bench.carry_out(tool, call, &context).await);
        Ok(result(&outcome).into())
    }

    // What this server does not offer is not there at all, instead of being there and empty.

    async fn complete(&self, _request: CompleteRequestParams, _context: Context) -> Result<CompleteResult, ErrorData> {
        Err(ErrorData::method_not_found::<CompleteRequestMethod>())
    }

    async fn list_prompts(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: Context,
    ) -> Result<ListPromptsResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListPromptsRequestMethod>())
    }

    async fn list_resources(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: Context,
    ) -> Result<ListResourcesResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListResourcesRequestMethod>())
    }

    async fn list_resource_templates(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: Context,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListResourceTemplatesRequestMethod>())
    }
}

/// A tool as the SDK lists it. Its schemas are moved, not copied: this is half of the time it takes to
/// start.
fn listed(tool: &Tool) -> serde_json::Result<model::Tool> {
    let schema = |schema: Value| match schema {
        Value::Object(fields) => Arc::new(fields),
        _ => Arc::default(),
    };
    Ok(model::Tool::new(tool.name, tool.description, schema(schema::input(tool)))
        .with_title(tool.title)
        .with_raw_output_schema(schema(schema::output(tool)))
        .with_annotations(serde_json::from_value(formats::annotations(tool))?))
}

/// An outcome as a tool result: the whole answer for programs, a short text for a model.
fn result(outcome: &Outcome) -> CallToolResult {
    let text = ContentBlock::text(text::text(outcome, &Telling::ALL));
    let mut result = match outcome {
        Ok(_) => CallToolResult::success(vec![text]),
        Err(_) => CallToolResult::error(vec![text]),
    };
    result.structured_content = Some(answer(outcome));
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::formats::Format;
    use patchwright_core::outcome::{Answer, Failed, Hits, Replayed};
    use patchwright_core::refusal::{Refusal, Why};
    use patchwright_core::tool::TOOLS;
    use rmcp::model::{RequestId, ServerJsonRpcMessage, ServerResult};

    /// The short way and the SDK's give the same bytes.
    fn check(id: &RequestId, outcome: &Outcome) {
        let mut result = result(outcome);
        result.result_type = None;
        let message = ServerJsonRpcMessage::response(ServerResult::CallToolResult(result), id.clone());
        let want = serde_json::to_string(&message).unwrap() + "\n";
        assert_eq!(String::from_utf8(result_line(id, outcome)).unwrap(), want);
    }

    #[test]
    fn both_ways_give_the_same_line() {
        let hits = Hits { matches: Vec::new(), truncated: false, files_scanned: 3, context_lines: 0 };
        let reply =
            Reply { answer: Answer::Hits(hits), warnings: Vec::new(), audit_head: None, replayed: Replayed::No };
        let failed = Failed::unrecorded(Refusal::about("a\n\"b\"", Why::Binary));
        for id in [RequestId::Number(-7), RequestId::String("\"x\"\u{1}".into())] {
            check(&id, &Ok(reply.clone()));
            check(&id, &Err(failed.clone()));
        }
    }

    #[test]
    fn the_list_is_the_table() {
        let tools: Vec<_> = TOOLS.iter().map(|tool| listed(tool).unwrap()).collect();
        let table = formats::table(Format::Mcp);
        assert_eq!(Some(&serde_json::to_value(tools).unwrap()), table.get("tools"));
    }
}
