//! What people and agents are called on a terminal.

use crate::report::terminal::plain;
use patchwright_core::batch::Author;

/// The client of the command line itself.
const OWN: &str = "patchwright-cli";
/// What programs add to their name when they speak to a server.
const AS_CLIENT: &str = "-mcp-client";
/// A name is cut after so many letters.
const LETTERS: usize = 40;

/// Who made a change: the actor, if one was named; else the client's name, without its version. Whoever used the command
/// line is "you".
///
/// ```
/// use patchwright_app::report::people::who::who;
/// assert_eq!(who("codex-mcp-client/0.46.0", None), "codex");
/// assert_eq!(who("codex-mcp-client/0.46.0", Some("ada")), "ada");
/// assert_eq!(who("patchwright-cli/0.1.0", None), "you");
/// ```
pub fn who(client: &str, actor: Option<&str>) -> String {
    match actor.map(str::trim).filter(|actor| !actor.is_empty()) {
        Some(actor) => short(actor),
        None => called(unversioned(client.trim())),
    }
}

/// The same of an author.
pub fn by(author: &Author) -> String {
    who(&author.client, author.actor.as_deref())
}

fn called(name: &str) -> String {
    let bare = name.split_once(AS_CLIENT).map_or(name, |(before, _)| before);
    match (name, bare) {
        (OWN, _) => "you".to_owned(),
        ("", _) => "somebody".to_owned(),
        (name, "") => short(name),
        (_, bare) => short(bare),
    }
}

/// A client as the record has it is `NAME/VERSION`; a name may hold a slash, too.
fn unversioned(client: &str) -> &str {
    let version = |(at, _): &(usize, &str)| {
        let next = client.get(at.saturating_add(1)..).and_then(|rest| rest.chars().next());
        next.is_some_and(|letter| letter.is_ascii_digit())
    };
    let cut = client.match_indices('/').find(version).map(|(at, _)| at).or_else(|| client.rfind('/'));
    cut.and_then(|at| client.get(..at)).unwrap_or(client).trim()
}

fn short(name: &str) -> String {
    let cut = name.char_indices().nth(LETTERS).and_then(|(end, _)| name.get(..end));
    cut.map_or_else(|| plain(name), |name| format!("{}…", plain(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let long = "x".repeat(41);
        let cut = format!("{}…", "x".repeat(40));
        for (client, actor, want) in [
            ("claude-code/2.0.14", None, "claude-code"),
            ("claude-code", None, "claude-code"),
            ("codex-mcp-client/0.46.0", None, "codex"),
            ("codex-mcp-client-beta/1", None, "codex"),
            ("-mcp-client/1", None, "-mcp-client"),
            ("patchwright-cli/0.1.0", None, "you"),
            ("patchwright-cli", None, "you"),
            ("patchwright-cli/0.1.0", Some("ada"), "ada"),
            ("patchwright-cli-x/0.1.0", None, "patchwright-cli-x"),
            ("claude-code/2", Some("  "), "claude-code"),
            ("@scope/agent/1.2", None, "@scope/agent"),
            ("agent/1.2/nightly", None, "agent"),
            ("agent/nightly", None, "agent"),
            ("agent/", None, "agent"),
            ("Visual Studio Code/1.105", None, "Visual Studio Code"),
            ("", None, "somebody"),
            ("/", None, "somebody"),
            ("/1.0", None, "somebody"),
            ("a\u{1b}[31m/1", None, r"a\u{1b}[31m"),
            ("x/1", Some("a\u{202e}b\nc"), r"a\u{202e}b\u{a}c"),
            (long.as_str(), None, cut.as_str()),
        ] {
            assert_eq!(who(client, actor), want, "{client:?} {actor:?}");
        }
    }
}
