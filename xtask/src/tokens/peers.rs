//! The same work through other file servers.

use super::bill::{Bill, Kind};
use super::server::Server;
use super::work::Work;
use crate::bench::peers::{self, Package};
use crate::failure::Failure;
use serde_json::json;
use std::path::Path;

/// The reference server.
pub(super) fn node(installed: &Path, folder: &Path, work: &Work) -> Result<Bill, Failure> {
    let Package { name, version } = peers::NODE;
    let mut command = peers::node_server_at(installed, folder)?;
    command.current_dir(folder);
    both(Server::start(&format!("{name} {version}"), command, folder)?, folder, work)
}

/// The one in Rust.
pub(super) fn rust(installed: &Path, folder: &Path, work: &Work) -> Result<Bill, Failure> {
    let Package { name, version } = peers::RUST;
    let mut command = peers::rust_server_at(installed, folder)?;
    command.arg("--allow-write").current_dir(folder);
    both(Server::start(&format!("{name} {version}"), command, folder)?, folder, work)
}

/// Both name their tools alike. Both want whole paths.
fn both(mut server: Server, folder: &Path, work: &Work) -> Result<Bill, Failure> {
    for path in work.before.keys() {
        server.call(Kind::Read, "read_text_file", &json!({"path": folder.join(path)}))?;
    }
    for edit in &work.edits {
        let (old, new) = edit.quoted();
        let arguments = json!({"path": folder.join(&edit.path), "edits": [{"oldText": old, "newText": new}]});
        server.call(Kind::Edit, "edit_file", &arguments)?;
    }
    server.close()
}
