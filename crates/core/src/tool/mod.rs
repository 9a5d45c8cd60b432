//! The table of tools. Each tool is defined once, in its own file: name, words for a model, parameters,
//! fields of the answer, examples, and how its arguments become a typed [`Call`]. Schemas, help texts,
//! documentation and the checking of arguments all come from this table.
//!
//! Reading the arguments' syntax is the wire's business: it hands over an [`Args`] that already fits
//! the parameters.

mod alias;
mod apply_batch;
mod apply_patch;
mod args;
pub mod brief;
mod by_doc_path;
mod create_file;
mod delete_file;
mod edit;
mod edit_file;
mod explain_lines;
mod fingerprint;
mod get_patch_change;
mod glob;
mod group;
pub mod guidance;
mod id;
mod list_batches;
mod list_directory;
mod list_trash;
mod move_file;
mod offer;
mod purge_trash;
mod read_file;
mod reject_batch;
mod restore_file;
mod search_files;
mod shape;
mod shared;
mod stored;
mod undo;
mod workspace_read_file;
mod workspace_write_patch;
mod write_file;

pub use alias::{ALIASES, Alias, AliasValue, Tools};
pub use apply_batch::{ApplyBatch, Ground};
pub use apply_patch::{ApplyPatch, Atomic};
pub use args::{Args, Value};
pub use by_doc_path::{ByDocPath, DocArgument};
pub use create_file::CreateFile;
pub use delete_file::DeleteFile;
pub use edit::Edit;
pub use edit_file::EditFile;
pub use explain_lines::ExplainLines;
pub use get_patch_change::{GetPatchChange, LINES_SHOWN};
pub use glob::Glob;
pub use group::Group;
pub use id::IdForm;
pub use list_batches::{After, BATCHES, ListBatches, PathFilter};
pub use list_directory::{Hidden, ListDirectory};
pub use list_trash::ListTrash;
pub use move_file::MoveFile;
pub use offer::{Profile, ToolChoice};
pub use purge_trash::{Age, PurgeTrash};
pub use read_file::{Hashes, ReadFile, WhenBinary};
pub use reject_batch::RejectBatch;
pub use restore_file::{FileVersion, RestoreFile, RestoreWhat, VersionSide};
pub use search_files::{Case, Ignored, SearchFiles, SearchMode};
pub use shape::{DocSort, Effect, Example, Field, Need, Param, ParamKind, Repeat, Shape, Tool};
pub use shared::{Recursive, Run, Shared};
pub use undo::{Undo, UndoWhat};
pub use workspace_read_file::{DOC_BYTES, Numbered, ReadDoc};
pub use workspace_write_patch::WritePatch;
pub use write_file::WriteFile;

use crate::refusal::Refusal;

/// Every tool, in the order they are shown.
pub const TOOLS: &[&Tool] = &[
    &read_file::TOOL,
    &list_directory::TOOL,
    &search_files::TOOL,
    &glob::TOOL,
    &create_file::TOOL,
    &write_file::TOOL,
    &edit_file::TOOL,
    &apply_patch::TOOL,
    &edit::TOOL,
    &workspace_read_file::TOOL,
    &workspace_write_patch::TOOL,
    &delete_file::TOOL,
    &restore_file::TOOL,
    &move_file::TOOL,
    &list_trash::TOOL,
    &purge_trash::TOOL,
    &list_batches::TOOL,
    &get_patch_change::TOOL,
    &explain_lines::TOOL,
    &undo::TOOL,
    &apply_batch::TOOL,
    &reject_batch::TOOL,
];

impl Group {
    /// Its tools, in the order of the table.
    pub fn tools(self) -> impl Iterator<Item = &'static Tool> {
        TOOLS.iter().copied().filter(move |tool| tool.is_in(self))
    }
}

/// The tool of this name.
pub fn find(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().copied().find(|tool| tool.name == name)
}

/// A call with checked, typed arguments.
#[derive(Clone, Debug, PartialEq)]
pub enum Call {
    /// `read_file`
    ReadFile(ReadFile),
    /// `list_directory`
    ListDirectory(ListDirectory),
    /// `search_files`
    SearchFiles(SearchFiles),
    /// `glob`
    Glob(Glob),
    /// `create_file`
    CreateFile(CreateFile),
    /// `write_file`
    WriteFile(WriteFile),
    /// `edit_file`
    EditFile(EditFile),
    /// `apply_patch`
    ApplyPatch(ApplyPatch),
    /// `edit`
    Edit(Edit),
    /// `delete_file`
    DeleteFile(DeleteFile),
    /// `restore_file`
    RestoreFile(RestoreFile),
    /// `move_file`
    MoveFile(MoveFile),
    /// `list_trash`
    ListTrash(ListTrash),
    /// `purge_trash`
    PurgeTrash(PurgeTrash),
    /// `workspace_read_file`
    WorkspaceReadFile(ReadDoc),
    /// `workspace_write_patch`
    WorkspaceWritePatch(WritePatch),
    /// `list_batches`
    ListBatches(ListBatches),
    /// `get_patch_change`
    GetPatchChange(GetPatchChange),
    /// `explain_lines`
    ExplainLines(ExplainLines),
    /// `undo`
    Undo(Undo),
    /// `apply_batch`
    ApplyBatch(ApplyBatch),
    /// `reject_batch`
    RejectBatch(RejectBatch),
    /// Any tool that takes a path, with a `docPath` in its place.
    ByDocPath(Box<ByDocPath>),
}

impl Call {
    /// Turns arguments that fit the tool's parameters into a typed call.
    pub fn new(tool: &Tool, args: &Args) -> Result<Call, Refusal> {
        match ByDocPath::new(tool, args) {
            Some(call) => Ok(Call::ByDocPath(Box::new(call))),
            None => (tool.read)(args),
        }
    }

    /// The tool's name.
    pub fn tool(&self) -> &'static Tool {
        match self {
            Call::ReadFile(_) => &read_file::TOOL,
            Call::ListDirectory(_) => &list_directory::TOOL,
            Call::SearchFiles(_) => &search_files::TOOL,
            Call::Glob(_) => &glob::TOOL,
            Call::CreateFile(_) => &create_file::TOOL,
            Call::WriteFile(_) => &write_file::TOOL,
            Call::EditFile(_) => &edit_file::TOOL,
            Call::ApplyPatch(_) => &apply_patch::TOOL,
            Call::Edit(_) => &edit::TOOL,
            Call::DeleteFile(_) => &delete_file::TOOL,
            Call::RestoreFile(_) => &restore_file::TOOL,
            Call::MoveFile(_) => &move_file::TOOL,
            Call::ListTrash(_) => &list_trash::TOOL,
            Call::PurgeTrash(_) => &purge_trash::TOOL,
            Call::WorkspaceReadFile(_) => &workspace_read_file::TOOL,
            Call::WorkspaceWritePatch(_) => &workspace_write_patch::TOOL,
            Call::ListBatches(_) => &list_batches::TOOL,
            Call::GetPatchChange(_) => &get_patch_change::TOOL,
            Call::ExplainLines(_) => &explain_lines::TOOL,
            Call::Undo(_) => &undo::TOOL,
            Call::ApplyBatch(_) => &apply_batch::TOOL,
            Call::RejectBatch(_) => &reject_batch::TOOL,
            Call::ByDocPath(call) => call.tool(),
        }
    }

    /// What the call shares with every other changing call; nothing for calls that only look.
    pub fn shared(&self) -> Option<&Shared> {
        match self {
            Call::CreateFile(call) => Some(&call.shared),
            Call::WriteFile(call) => Some(&call.shared),
            Call::EditFile(call) => Some(&call.shared),
            Call::ApplyPatch(call) => Some(&call.shared),
            Call::Edit(call) => Some(&call.shared),
            Call::DeleteFile(call) => Some(&call.shared),
            Call::RestoreFile(call) => Some(&call.shared),
            Call::MoveFile(call) => Some(&call.shared),
            Call::PurgeTrash(call) => Some(&call.shared),
            Call::WorkspaceWritePatch(call) => Some(&call.shared),
            Call::Undo(call) => Some(&call.shared),
            Call::ApplyBatch(call) => Some(&call.shared),
            Call::RejectBatch(call) => Some(&call.shared),
            _ => None,
        }
    }
}
