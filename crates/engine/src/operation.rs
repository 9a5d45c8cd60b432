//! What calls and records do, as values. The words for it stand in the record and in answers: they are read and written
//! here alone, and never change.

use patchwright_core::outcome::Operation;
use patchwright_store::records::FileRecord;

/// What a record did to its file.
pub(crate) fn operation(file: &FileRecord) -> Operation {
    operation_named(&file.operation)
}

/// The operation that a word on record stands for.
pub(crate) fn operation_named(word: &str) -> Operation {
    match word {
        "create" => Operation::Create,
        "delete" => Operation::Delete,
        "move" => Operation::Move,
        "restore" => Operation::Restore,
        _ => Operation::Update,
    }
}

/// What a call is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To do this to one file or folder.
    File(Operation),
    /// To apply a patch of any form.
    Patch,
    /// To empty the trash.
    Purge,
    /// To take changes back.
    Undo,
    /// To carry out a proposal.
    Apply,
    /// To turn a proposal down.
    Reject,
    /// Not known: the tool changes nothing, or is none of ours.
    Unknown,
}

impl Purpose {
    /// What the tool of this name is for.
    pub(crate) fn of_tool(name: &str) -> Purpose {
        ChangeTool::named(name).map_or(Purpose::Unknown, ChangeTool::purpose)
    }

    /// The word for it, as it goes on record.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Purpose::File(operation) => operation.name(),
            Purpose::Patch => "patch",
            Purpose::Purge => "purge",
            Purpose::Undo => "undo",
            Purpose::Apply => "apply",
            Purpose::Reject => "reject",
            Purpose::Unknown => "",
        }
    }
}

/// A tool that changes something; records have it by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChangeTool {
    CreateFile,
    WriteFile,
    EditFile,
    Edit,
    DeleteFile,
    MoveFile,
    RestoreFile,
    ApplyPatch,
    WorkspaceWritePatch,
    PurgeTrash,
    Undo,
    ApplyBatch,
    RejectBatch,
}

impl ChangeTool {
    /// The tool of this name.
    pub(crate) fn named(name: &str) -> Option<ChangeTool> {
        Some(match name {
            "create_file" => ChangeTool::CreateFile,
            "write_file" => ChangeTool::WriteFile,
            "edit_file" => ChangeTool::EditFile,
            "edit" => ChangeTool::Edit,
            "delete_file" => ChangeTool::DeleteFile,
            "move_file" => ChangeTool::MoveFile,
            "restore_file" => ChangeTool::RestoreFile,
            "apply_patch" => ChangeTool::ApplyPatch,
            "workspace_write_patch" => ChangeTool::WorkspaceWritePatch,
            "purge_trash" => ChangeTool::PurgeTrash,
            "undo" => ChangeTool::Undo,
            "apply_batch" => ChangeTool::ApplyBatch,
            "reject_batch" => ChangeTool::RejectBatch,
            _ => return None,
        })
    }

    fn purpose(self) -> Purpose {
        match self {
            ChangeTool::CreateFile => Purpose::File(Operation::Create),
            ChangeTool::WriteFile | ChangeTool::EditFile | ChangeTool::Edit => Purpose::File(Operation::Update),
            ChangeTool::DeleteFile => Purpose::File(Operation::Delete),
            ChangeTool::MoveFile => Purpose::File(Operation::Move),
            ChangeTool::RestoreFile => Purpose::File(Operation::Restore),
            ChangeTool::ApplyPatch | ChangeTool::WorkspaceWritePatch => Purpose::Patch,
            ChangeTool::PurgeTrash => Purpose::Purge,
            ChangeTool::Undo => Purpose::Undo,
            ChangeTool::ApplyBatch => Purpose::Apply,
            ChangeTool::RejectBatch => Purpose::Reject,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ChangeTool, Purpose, operation_named};
    use patchwright_core::outcome::Operation;
    use patchwright_core::tool::{Effect, TOOLS};

    #[test]
    fn every_tool_that_changes_something_has_a_purpose() {
        for tool in TOOLS {
            let known = ChangeTool::named(tool.name).is_some();
            assert_eq!(known, tool.effect != Effect::Looks, "{}", tool.name);
            assert_eq!(known, !Purpose::of_tool(tool.name).name().is_empty(), "{}", tool.name);
        }
    }

    #[test]
    fn words_on_record() {
        for (operation, want) in [
            (Operation::Create, "create"),
            (Operation::Update, "update"),
            (Operation::Delete, "delete"),
            (Operation::Move, "move"),
            (Operation::Restore, "restore"),
        ] {
            assert_eq!((operation.name(), operation_named(want)), (want, operation));
        }
        for (tool, want) in [
            ("create_file", "create"),
            ("write_file", "update"),
            ("edit_file", "update"),
            ("edit", "update"),
            ("delete_file", "delete"),
            ("move_file", "move"),
            ("apply_patch", "patch"),
            ("restore_file", "restore"),
            ("purge_trash", "purge"),
            ("workspace_write_patch", "patch"),
            ("undo", "undo"),
            ("apply_batch", "apply"),
            ("reject_batch", "reject"),
            ("read_file", ""),
            ("", ""),
        ] {
            assert_eq!(Purpose::of_tool(tool).name(), want, "{tool}");
        }
    }
}
