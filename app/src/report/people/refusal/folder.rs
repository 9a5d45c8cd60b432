//! Folders that cannot go or move with everything in them.

use super::said::Said;
use super::shown::paths;
use super::{Draft, named};
use crate::report::amounts::many;
use crate::report::message::thing;
use patchwright_core::refusal::{Closed, FolderFault};

/// Words for a folder that stays.
pub(super) fn told(path: Option<&str>, fault: &FolderFault, said: &Said<'_>) -> Draft {
    let name = named(path, said);
    match fault {
        FolderFault::NotRecursive => Draft::because(format!("{name} is a folder, and a file is needed")),
        FolderFault::Root => Draft::because("the workspace itself can be neither deleted nor moved"),
        FolderFault::IntoItself { to } => {
            Draft::because(format!("{name} cannot be moved to {}, which lies in it", said.path(to)))
        }
        FolderFault::Occupied(sort) => {
            Draft::because(format!("{name} exists already; it is {}, and a folder replaces nothing", thing(*sort)))
        }
        FolderFault::Holds { left, more } => {
            let more = if *more { ", …" } else { "" };
            Draft::because(format!("{name} is a folder, and not all that is in it would go"))
                .show([format!("left in it: {}{more}", paths(left, said))])
        }
        FolderFault::Closed(closed) => Draft::because(format!("{name} holds {}", what(closed)))
            .show((!closed.named.is_empty()).then(|| paths(&closed.named, said))),
        FolderFault::TooMany { most } => {
            Draft::because(format!("{name} holds more than {most} files and folders, which is more than goes at once"))
        }
        FolderFault::Attributes { limit } => Draft::because(format!(
            "{name} has more than {limit} bytes of extended attributes, which is more than could be brought back"
        )),
        FolderFault::Unproven { missing, count } => {
            Draft::because(format!("nothing shows that you know {} in {name}", many(*count, "file", "files")))
                .show((!missing.is_empty()).then(|| paths(missing, said)))
                .hint_flag(said, "--unchecked", "asks for no proof")
        }
        FolderFault::Grew => {
            Draft::because(format!("another program put something into {name} at the same time, and that was kept"))
                .hint(said.again())
        }
    }
}

fn what(closed: &Closed) -> String {
    let kinds = [
        (closed.denied, "entry that rules close", "entries that rules close"),
        (closed.special, "device, pipe or socket", "devices, pipes or sockets"),
        (closed.mounts, "mounted file system", "mounted file systems"),
        (closed.unaddressable, "name that is not text", "names that are not text"),
    ];
    let there = kinds.iter().filter(|(count, ..)| *count > 0);
    let words = there.map(|(count, one, more)| many(usize::try_from(*count).unwrap_or(usize::MAX), one, more));
    words.collect::<Vec<_>>().join(", ")
}
