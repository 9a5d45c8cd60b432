//! MCP door: the server's side of the SDK, written by hand over the one table of tools. Every refusal is
//! a tool result, never a protocol error, so that a model gets to read it.

use super::encode::result_line;
use super::executor::Executor;
use super::in_flight::InFlight;
use super::menu::Menus;
use super::message::ArgumentText;
use super::speaking::Speaking;
use crate::doors::call::{self, Arguments, Notes, Outcome, Understood};
use crate::doors::offer::Offer;
use crate::report::Sent;
use crate::report::text::left_out;
use crate::wire;
use crate::wire::server::Answers;
use patchwright_core::outcome::{Answer, Reply};
use patchwright_core::reading::Reading;
use patchwright_core::tool::{Tool, find};
use patchwright_engine::{Client, Door, Role, Session};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientJsonRpcMessage, ClientRequest,
    CompleteRequestMethod, CompleteRequestParams, CompleteResult, ContentBlock, DiscoverResult, ErrorData,
    Implementation, InitializeRequestParams, InitializeResult, JsonRpcMessage, ListPromptsRequestMethod,
    ListPromptsResult, ListResourceTemplatesRequestMethod, ListResourceTemplatesResult, ListResourcesRequestMethod,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProtocolVersion, RequestMetaObject,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use std::borrow::Cow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

type Context = RequestContext<RoleServer>;

/// Every revision but 2025-03-26, which wants batches of requests answered.
const REVISIONS: &[ProtocolVersion] = &[
    ProtocolVersion::V_2024_11_05,
    ProtocolVersion::V_2025_06_18,
    ProtocolVersion::V_2025_11_25,
    ProtocolVersion::V_2026_07_28,
];

/// A call that was understood before the SDK got its message.
#[derive(Clone)]
struct Prepared(Arc<Understood>);

/// What a connection talks to.
pub(super) struct Handler {
    menus: Menus,
    executor: Executor,
    client: Mutex<Option<Client>>,
    /// What a client's greeting settled for all that follows: a revision of the protocol, and how to deal with it.
    greeted: Mutex<Option<Speaking>>,
    notes: Notes,
}

impl Handler {
    pub(super) fn new(executor: Executor, offer: Offer) -> Handler {
        Handler {
            menus: Menus::new(offer),
            executor,
            client: Mutex::new(None),
            greeted: Mutex::new(None),
            notes: Notes::default(),
        }
    }

    /// What is under way.
    pub(super) fn in_flight(&self) -> Arc<InFlight> {
        self.executor.in_flight()
    }

    /// The answer to a quick look as its line, without the SDK's detour over several tasks. Only once a
    /// revision has been agreed on; requests that say for themselves who asks, or in which revision, are the SDK's.
    /// A look that turns out not to be quick travels on with its call as it was understood here.
    pub(super) fn on_the_spot(&self, message: &mut ClientJsonRpcMessage) -> Option<Vec<u8>> {
        let JsonRpcMessage::Request(message) = message else { return None };
        let ClientRequest::CallToolRequest(request) = &mut message.request else { return None };
        let tool = find(&request.params.name).filter(|tool| self.executor.is_free_for(tool))?;
        let greeted = self.greeted().clone()?;
        let speaking = match request.extensions.get::<RequestMetaObject>() {
            Some(meta) if meta.protocol_version().is_some() || meta.client_info().is_some() => return None,
            Some(meta) => greeted.asked(meta).ok()?,
            None => greeted,
        };
        let call = understand(tool, &speaking, &request.extensions.get::<ArgumentText>()?.0);
        let Some(outcome) = self.executor.at_once(&call) else {
            request.extensions.insert(Prepared(Arc::new(call)));
            return None;
        };
        let outcome = self.told(outcome, &call.readings, &speaking);
        Some(result_line(&message.id, &outcome, call.sent(&outcome).as_ref(), &speaking))
    }

    /// How to deal with a request: as its client greeted us, or as it says itself.
    fn speaking(&self, meta: &RequestMetaObject) -> Result<Speaking, ErrorData> {
        let greeted = self.greeted().clone().unwrap_or_else(|| Speaking::with(&self.menus, ""));
        let speaking = match meta.client_info() {
            Some(who) => greeted.beside(&self.menus, &who.name),
            None => greeted,
        };
        speaking.asked(meta)
    }

    fn greeted(&self) -> MutexGuard<'_, Option<Speaking>> {
        self.greeted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells the workspace who calls, when that is news.
    fn meet(&self, who: Option<Implementation>) {
        let Some(Implementation { name, version, .. }) = who else { return };
        let client = Client { name, version, actor: None, door: Door::Stdio, role: Role::Agent };
        let mut known = self.client.lock().unwrap_or_else(PoisonError::into_inner);
        if known.as_ref() != Some(&client) {
            self.session().introduce(client.clone());
            *known = Some(client);
        }
    }

    /// An outcome with what is news of how its call was read, and with `docPath`s where this client speaks of files by
    /// these. What its text has no room for was not shown.
    fn told(&self, outcome: Outcome, readings: &[Reading], speaking: &Speaking) -> Outcome {
        let outcome = self.notes.told(outcome, readings);
        if let (Ok(Reply { answer: Answer::Listing(listing), .. }), Answers::Text) = (&outcome, speaking.answers) {
            self.session().not_shown(&listing.path, left_out(listing));
        }
        if speaking.menu.tells_doc_paths() { outcome.map(Reply::with_doc_paths) } else { outcome }
    }

    fn session(&self) -> &Session {
        self.executor.session()
    }
}

/// The call that this argument text makes of a tool, if its client is served the tool.
fn understand(tool: &'static Tool, speaking: &Speaking, arguments: &str) -> Understood {
    let arguments = Arguments::read(arguments);
    match speaking.menu.refusal(tool) {
        Some(refusal) => Understood::refused(tool, arguments, refusal),
        None => {
            let null_proof = call::null_proof(speaking.menu.proof());
            Understood::new(tool, arguments, null_proof, |json| speaking.with_size(tool, json))
        }
    }
}

/// The tool of this name; else which ones there are.
fn tool(name: &str, speaking: &Speaking) -> Result<&'static Tool, ErrorData> {
    let unknown = || {
        let meant = wire::closest(name, speaking.menu.names().iter().copied());
        let meant =
            meant.map(|meant| format!("did you mean {meant}? The tools are")).unwrap_or("the tools are".to_owned());
        let (name, known) = (wire::short::short_text(name), speaking.menu.names().join(", "));
        ErrorData::invalid_params(format!("there is no tool {name}; {meant} {known}"), None)
    };
    find(name).ok_or_else(unknown)
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let server = Implementation::new("patchwright", env!("CARGO_PKG_VERSION")).with_title("Patchwright");
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build()).with_server_info(server)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(REVISIONS)
    }

    async fn initialize(
        &self,
        mut request: InitializeRequestParams,
        context: Context,
    ) -> Result<InitializeResult, ErrorData> {
        let who = request.client_info.clone();
        let speaking = Speaking::with(&self.menus, &who.name).asked(&context.meta)?;
        // Whoever knows that revision knows the one before it, and may not know a later one.
        if request.protocol_version == ProtocolVersion::V_2025_03_26 {
            request.protocol_version = ProtocolVersion::V_2024_11_05;
        }
        self.meet(Some(who));
        let agreed = self.negotiate_initialize(&request);
        context.peer.set_peer_info(request);
        let instructions = speaking.menu.instructions().to_owned();
        *self.greeted() = agreed.is_ok().then_some(speaking);
        agreed.map(|agreed| agreed.with_instructions(instructions))
    }

    async fn discover(&self, context: Context) -> Result<DiscoverResult, ErrorData> {
        let instructions = self.speaking(&context.meta)?.menu.instructions().to_owned();
        let info = self.get_info().with_instructions(instructions);
        Ok(DiscoverResult::from_server_info(REVISIONS.to_vec(), info))
    }

    async fn list_tools(
        &self,
        page: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListToolsResult, ErrorData> {
        if let Some(cursor) = page.and_then(|page| page.cursor) {
            let cursor = wire::short::short_text(&cursor);
            let said = format!("there is no page {cursor}: the list is one page, and its answer has no nextCursor");
            return Err(ErrorData::invalid_params(said, None));
        }
        let speaking = self.speaking(&context.meta)?;
        speaking.menu.listed(speaking.answers)
    }

    async fn call_tool(&self, request: CallToolRequestParams, context: Context) -> Result<CallToolResponse, ErrorData> {
        let speaking = self.speaking(&context.meta)?;
        let tool = tool(&request.name, &speaking)?;
        self.meet(context.meta.client_info());
        let call = match context.extensions.get::<Prepared>() {
            Some(prepared) => Arc::clone(&prepared.0),
            None => {
                let text = context.extensions.get::<ArgumentText>();
                Arc::new(understand(tool, &speaking, text.map_or("{}", |text| &text.0)))
            }
        };
        let outcome = self.executor.carry_out(Arc::clone(&call), &context).await;
        let outcome = self.told(outcome, &call.readings, &speaking);
        let sent = call.sent(&outcome);
        Ok(result(&outcome, sent.as_ref(), &speaking).into())
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

/// An outcome as a tool result: a text for a model, and for programs the whole answer beside it.
fn result(outcome: &Outcome, call: Option<&Sent>, speaking: &Speaking) -> CallToolResult {
    let text = ContentBlock::text(speaking.text(outcome, call));
    let mut result = match outcome {
        Ok(_) => CallToolResult::success(vec![text]),
        Err(_) => CallToolResult::error(vec![text]),
    };
    result.structured_content = (speaking.answers == Answers::Structured).then(|| speaking.json(outcome, call));
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use patchwright_core::outcome::{Failed, Hits, Replayed};
    use patchwright_core::refusal::{Refusal, Why};
    use patchwright_core::tool::Call;
    use rmcp::model::{RequestId, ServerJsonRpcMessage, ServerResult};

    /// The short way and the SDK's give the same bytes.
    fn check(id: &RequestId, outcome: &Outcome) {
        for answers in Answers::ALL {
            let speaking = Speaking::with(&Menus::new(Offer { answers, ..Offer::default() }), "");
            let mut result = result(outcome, None, &speaking);
            result.result_type = None;
            let message = ServerJsonRpcMessage::response(ServerResult::CallToolResult(result), id.clone());
            let want = serde_json::to_string(&message).unwrap() + "\n";
            assert_eq!(String::from_utf8(result_line(id, outcome, None, &speaking)).unwrap(), want);
        }
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
    fn a_size_that_is_null_is_left_out() {
        let speaking = Speaking::with(&Menus::new(Offer::default()), "");
        let call = understand(find("read_file").unwrap(), &speaking, r#"{"file_path":"a","maxBytes":null}"#).call;
        assert!(matches!(call, Ok(Call::ReadFile(read)) if read.path == "a" && read.max_bytes == 24_576));
    }
}
