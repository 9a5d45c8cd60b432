//! CLI door: `trash list`, `trash restore`, `trash purge`.

use super::args::TrashCommand;
use super::output::{Ending, Ports, ask, word};
use patchwright::Workspace;

pub(super) fn run(command: &TrashCommand, workspace: &Workspace, ports: &mut Ports<'_>) -> Ending {
    let (tool, arguments, shown) = match command {
        TrashCommand::List(shown) => ("list_trash", Vec::new(), shown),
        TrashCommand::Restore { id, path, shown } => {
            let mut arguments = vec![("trashId", word(id))];
            arguments.extend(path.iter().map(|path| ("targetPath", word(path))));
            ("restore_file", arguments, shown)
        }
        TrashCommand::Purge { older_than, shown } => ("purge_trash", vec![("olderThan", word(older_than))], shown),
    };
    let outcome = ask(workspace, tool, arguments)?;
    ports.outcome(&outcome, shown.to())
}
