//! A server in such a workspace: greeted, asked to look, asked for one change, let go.

use super::ground::{Ground, Ran};
use crate::prove::caller::Caller;
use serde_json::json;

/// Plays a session. Done means that the change was made.
pub(super) fn session(ground: &Ground, words: &[&str]) -> Result<Ran, String> {
    let Ok(mut caller) = Caller::served(ground.command(words)) else {
        // It would not serve at all; its end tells why.
        return ground.run(words);
    };
    let looks = [
        ("read_file", json!({ "path": "a.txt" })),
        ("list_trash", json!({})),
        ("list_batches", json!({})),
        ("search_files", json!({ "query": "side", "mode": "text" })),
    ];
    for (tool, arguments) in &looks {
        caller.ask(tool, arguments).map_err(|why| format!("{words:?}: {why}"))?;
    }
    let made = caller.ask("create_file", &json!({ "path": "served.txt", "content": "served\n" }));
    let made = made.map_err(|why| format!("{words:?}: {why}"))?;
    caller.close()?;
    Ok(Ran { code: Some(i32::from(!made.is_ok())), out: made.0.to_string(), err: String::new() })
}
