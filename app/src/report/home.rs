//! Words for a workspace whose record has nowhere to keep its key.

use super::message::Words;
use patchwright_core::refusal::NoHome;

const SET: &str = "Tell the user to set PATCHWRIGHT_HOME to an absolute path of a folder outside the workspace that is \
                   theirs alone, and to start Patchwright again.";

/// What is wrong, and what to do.
pub(super) fn words(why: &NoHome) -> Words {
    let message = match why {
        NoHome::Relative(path) => format!("PATCHWRIGHT_HOME is {path}, which is not an absolute path."),
        NoHome::InWorkspace(path) => {
            format!("The folder for keys, {path}, lies in the workspace, where tools and branches could reach it.")
        }
        NoHome::Foreign(path, owner) => {
            format!("The folder for keys, {path}, belongs to the user with the number {owner}; it was not touched.")
        }
        NoHome::Shared(path) => format!("Other users may write to the folder for keys, {path}."),
        NoHome::Closed(path) => {
            format!("The folder for keys, {path}, cannot be made or written, and neither can one for this session.")
        }
        NoHome::Unknown => {
            "Nothing says where the folder for keys should be: neither PATCHWRIGHT_HOME nor HOME is set.".to_owned()
        }
    };
    Words::new(format!("{message} Without a key no change can be put on record. Nothing was changed."), SET)
}
