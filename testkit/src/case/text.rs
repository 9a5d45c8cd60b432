//! The text that a model reads, as a case keeps it in `reply.txt`: what differs from run to run is put into words.
//!
//! - `$ROOT`: the root's path; `$UUID`; `$ID`: the beginning of an id that the answer has; `$TIME`: an instant;
//! - a very long text keeps its beginning and its end, and between them how much is left out, with its hash.

use super::reply::{is_time, is_uuid};
use patchwright_core::digest::Digest;
use serde_json::Value;

/// A longer text is kept in part.
const LONG: usize = 12 << 10;

/// So much of a long text is kept at each end.
const KEPT: usize = 2 << 10;

/// The shortest beginning of an id that is printed.
const SHORTEST: usize = 8;

/// A text as `reply.txt` keeps it. `reply` is the same answer as JSON.
pub fn marked(text: &str, reply: &Value, root: &str) -> String {
    let mut ids = Vec::new();
    collect_ids(reply, &mut ids);
    shortened(&placeholders(&text.replace(root, "$ROOT"), &ids))
}

fn collect_ids<'a>(value: &'a Value, ids: &mut Vec<&'a str>) {
    match value {
        Value::String(text) if is_uuid(text) => ids.push(text),
        Value::Array(list) => list.iter().for_each(|one| collect_ids(one, ids)),
        Value::Object(fields) => fields.values().for_each(|one| collect_ids(one, ids)),
        _ => {}
    }
}

fn placeholders(text: &str, ids: &[&str]) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut rest, mut inside) = (text, false);
    while let Some(letter) = rest.chars().next() {
        // Only where a word begins.
        let found = if inside { None } else { placeholder(rest, ids) };
        let length = match found {
            Some((name, length)) => {
                out.push_str(name);
                length
            }
            None => {
                out.push(letter);
                letter.len_utf8()
            }
        };
        inside = letter.is_alphanumeric();
        rest = rest.get(length..).unwrap_or_default();
    }
    out
}

/// What stands at the beginning of a text, and how long it is.
fn placeholder(text: &str, ids: &[&str]) -> Option<(&'static str, usize)> {
    let ends = |length: usize| !text.get(length..).unwrap_or_default().starts_with(|next: char| next.is_alphanumeric());
    if text.get(..36).is_some_and(is_uuid) && ends(36) {
        return Some(("$UUID", 36));
    }
    let instant = text.find('Z').map(|at| at.saturating_add(1)).filter(|at| *at <= 30);
    if let Some(length) = instant.filter(|length| text.get(..*length).is_some_and(is_time)) {
        return Some(("$TIME", length));
    }
    let minute = |text: &str| is_time(&format!("{}:00Z", text.replacen(' ', "T", 1)));
    if text.get(..16).is_some_and(minute) && ends(16) {
        return Some(("$TIME", 16));
    }
    let run = text.bytes().take_while(|byte| byte.is_ascii_hexdigit() || *byte == b'-').count();
    let start = text.get(..run).filter(|start| start.len() >= SHORTEST && ends(run))?;
    ids.iter().any(|id| id.starts_with(start)).then_some(("$ID", run))
}

fn shortened(text: &str) -> String {
    if text.len() <= LONG {
        return text.to_owned();
    }
    let line_end =
        |at: usize| text.as_bytes().iter().skip(at).position(|byte| *byte == b'\n').map(|more| at + more + 1);
    let (Some(first), Some(last)) = (line_end(KEPT), line_end(text.len() - KEPT)) else { return hashed(text) };
    let (head, rest) = text.split_at(first.min(last));
    let (middle, tail) = rest.split_at(last.max(first) - first.min(last));
    format!("{head}{}{tail}", hashed(middle))
}

fn hashed(text: &str) -> String {
    format!("$LEFT_OUT {} lines, {} bytes, sha256 {}\n", text.lines().count(), text.len(), Digest::of(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_differs_is_put_into_words() {
        let id = "01890a5d-ac96-774b-bcce-b302099a8057";
        let reply = json!({"entries": [{"trashId": id}]});
        for (text, want) in [
            (format!("id {id}."), "id $UUID."),
            ("01890a5d-a a".to_owned(), "$ID a"),
            ("01890a5e a".to_owned(), "01890a5e a"),
            ("x01890a5d".to_owned(), "x01890a5d"),
            ("at 2026-01-02T03:04:05Z, 2026-01-02 03:04 by".to_owned(), "at $TIME, $TIME by"),
            ("/r/x/a".to_owned(), "$ROOT/a"),
            ("12#a1b2c3 [high]|x".to_owned(), "12#a1b2c3 [high]|x"),
        ] {
            assert_eq!(marked(&text, &reply, "/r/x"), want);
        }
    }

    #[test]
    fn a_long_text_keeps_its_ends_and_a_hash() {
        let text: String = (0..4000).map(|number| format!("{number}\n")).collect();
        let kept = marked(&text, &json!({}), "/r");
        assert!(kept.len() < LONG && kept.starts_with("0\n1\n") && kept.ends_with("3999\n"), "{kept}");
        assert!(kept.contains("\n$LEFT_OUT "), "{kept}");
        assert_ne!(kept, marked(&text.replace("\n2000\n", "\n2001\n"), &json!({}), "/r"));
    }
}
