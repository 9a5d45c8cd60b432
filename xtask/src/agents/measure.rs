//! What the model was shown, held against what the server said.

use super::relay::Called;
use serde_json::Value;

/// How an answer of the server arrives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Shown {
    /// Our text, exactly.
    Text,
    /// Our text, exactly, with so many characters of the program's own around it.
    Framed(usize),
    /// Our text inside JSON: every line break and quote escaped.
    Escaped,
    /// `structuredContent` in place of the text.
    Structured,
    /// Text and `structuredContent`, or the text twice.
    Doubled,
    /// Neither is there whole.
    Cut,
}

/// The most that a program may put around a text.
const FRAME: usize = 100;

/// How much of a text arrives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Extent {
    Whole,
    /// So many characters from the beginning.
    Cut(usize),
    Nothing,
}

/// A shorter beginning than this may stand there by chance.
const CHANCE: usize = 30;

impl Shown {
    pub(crate) fn of(call: &Called, seen: &str) -> Shown {
        let text = call.text.trim_end();
        let verbatim = seen.contains(text);
        let escaped = values_in(seen).iter().any(|value| holds_text(value, text));
        // Our own text may look like the beginning of JSON.
        let beside = values_in(&seen.replacen(text, "", 1));
        let structured = call.structured.as_ref().is_some_and(|want| beside.iter().any(|value| holds(value, want)));
        let twice = !text.is_empty() && seen.matches(text).count() > 1;
        match (verbatim || escaped, structured || twice) {
            (true, true) => Shown::Doubled,
            (false, true) => Shown::Structured,
            (true, false) if !verbatim => Shown::Escaped,
            (true, false) if seen.trim_end() == text => Shown::Text,
            // A text of one line looks the same inside JSON.
            (true, false) if escaped => Shown::Escaped,
            (true, false) => Shown::Framed(seen.chars().count().saturating_sub(text.chars().count())),
            (false, false) => Shown::Cut,
        }
    }

    /// Does the model read our text as we wrote it? From a program that `wraps` answers, as well as can be.
    pub(crate) fn is_ours(self, wraps: bool) -> bool {
        matches!(self, Shown::Text | Shown::Framed(..=FRAME)) || (wraps && self == Shown::Escaped)
    }

    pub(crate) fn words(self) -> String {
        match self {
            Shown::Text => "our text".to_owned(),
            Shown::Framed(more) => format!("our text in a frame of {more} characters"),
            Shown::Escaped => "our text as escaped JSON".to_owned(),
            Shown::Structured => "`structuredContent` only".to_owned(),
            Shown::Doubled => "both, doubled".to_owned(),
            Shown::Cut => "cut".to_owned(),
        }
    }
}

/// The JSON objects and lists that stand in a text, one after the other.
pub(crate) fn values_in(text: &str) -> Vec<Value> {
    let mut values = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '[']) {
        rest = rest.get(at..).unwrap_or_default();
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        let end = match stream.next() {
            Some(Ok(value)) => {
                values.push(value);
                stream.byte_offset()
            }
            _ => 1,
        };
        rest = rest.get(end..).unwrap_or_default();
    }
    values
}

fn holds(value: &Value, want: &Value) -> bool {
    value == want
        || match value {
            Value::Array(all) => all.iter().any(|one| holds(one, want)),
            Value::Object(all) => all.values().any(|one| holds(one, want)),
            Value::String(text) => values_in(text).iter().any(|one| holds(one, want)),
            _ => false,
        }
}

fn holds_text(value: &Value, want: &str) -> bool {
    match value {
        Value::Array(all) => all.iter().any(|one| holds_text(one, want)),
        Value::Object(all) => all.values().any(|one| holds_text(one, want)),
        Value::String(text) => text.trim_end() == want,
        _ => false,
    }
}

impl Extent {
    pub(crate) fn of(want: &str, seen: &str) -> Extent {
        // Some programs indent what they quote.
        let flush = |text: &str| text.trim().lines().map(str::trim).collect::<Vec<_>>().join("\n");
        let (want, seen) = (flush(want), flush(seen));
        if !want.is_empty() && seen.contains(&want) {
            return Extent::Whole;
        }
        let ends: Vec<usize> = want.char_indices().map(|(at, _)| at).collect();
        let longest = ends.partition_point(|end| want.get(..*end).is_some_and(|head| seen.contains(head)));
        match longest.saturating_sub(1) {
            few if few < CHANCE => Extent::Nothing,
            many => Extent::Cut(many),
        }
    }

    /// The lesser of the two.
    pub(crate) fn least(self, other: Extent) -> Extent {
        let rank = |one: Extent| match one {
            Extent::Nothing => 0,
            Extent::Cut(many) => many,
            Extent::Whole => usize::MAX,
        };
        if rank(self) <= rank(other) { self } else { other }
    }

    /// So much of a text.
    pub(crate) fn of_text(self, text: &str) -> String {
        match self {
            Extent::Whole => text.to_owned(),
            Extent::Cut(many) => text.chars().take(many).collect(),
            Extent::Nothing => String::new(),
        }
    }

    pub(crate) fn words(self) -> String {
        match self {
            Extent::Whole => "whole".to_owned(),
            Extent::Cut(many) => format!("cut at {many} characters"),
            Extent::Nothing => "none".to_owned(),
        }
    }
}

/// Is every line of `text` in what is shown? Its lines must be unlike each other and need no escapes.
pub(crate) fn every_line(text: &str, seen: &str) -> bool {
    text.lines().all(|line| seen.contains(line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn call() -> Called {
        Called {
            tool: "t".into(),
            arguments: json!({}),
            text: "edited a.txt\n\"b\" line\n".into(),
            structured: Some(json!({"ok": true, "path": "a.txt"})),
            refused: false,
        }
    }

    fn check(seen: &str, want: Shown) {
        assert_eq!(Shown::of(&call(), seen), want, "{seen}");
    }

    #[test]
    fn ways_of_showing() {
        let text = "edited a.txt\n\"b\" line";
        let structured = json!({"path": "a.txt", "ok": true});
        check(text, Shown::Text);
        check(&format!("{text}\n"), Shown::Text);
        check(&format!("Output:\n{text}"), Shown::Framed(8));
        check(&json!([{"type": "text", "text": text}]).to_string(), Shown::Escaped);
        check(&structured.to_string(), Shown::Structured);
        check(&format!("Wall time: 1 s\nOutput:\n{structured}"), Shown::Structured);
        check(&format!("{text}\n{structured}"), Shown::Doubled);
        check(&json!({"content": [{"text": text}], "structuredContent": structured}).to_string(), Shown::Doubled);
        check(&format!("{{\"q\": 1}} says {}", json!({"content": [{"text": text}]})), Shown::Escaped);
        check(&json!({"output": structured.to_string()}).to_string(), Shown::Structured);
        let line = Called { text: "one line\n".into(), structured: None, ..call() };
        assert_eq!(Shown::of(&line, "[{\"text\": \"one line\\n\"}]"), Shown::Escaped);
        check(&format!("{text}\n\n{text}"), Shown::Doubled);
        check("edited a.t", Shown::Cut);
        check("", Shown::Cut);
    }

    #[test]
    fn what_counts_as_our_text() {
        for (shown, wraps, want) in [
            (Shown::Text, false, true),
            (Shown::Framed(42), false, true),
            (Shown::Framed(4_000), true, false),
            (Shown::Escaped, false, false),
            (Shown::Escaped, true, true),
            (Shown::Structured, true, false),
            (Shown::Doubled, true, false),
        ] {
            assert_eq!(shown.is_ours(wraps), want, "{shown:?} {wraps}");
        }
    }

    #[test]
    fn extents() {
        let long = "0123456789 ".repeat(20);
        assert_eq!(Extent::of(&long, &format!("x {long} y")), Extent::Whole);
        assert_eq!(Extent::of(&long, &format!("x {}… y", &long[..77])), Extent::Cut(77));
        assert_eq!(
            Extent::of("first line of a text\n\nsecond one", "x first line of a text\n  \n    second one"),
            Extent::Whole
        );
        assert_eq!(Extent::of(&long, "x 0123456789 y"), Extent::Nothing);
        assert_eq!(Extent::of("", "anything"), Extent::Nothing);
        assert_eq!(Extent::Whole.least(Extent::Cut(9)), Extent::Cut(9));
        assert_eq!(Extent::Nothing.least(Extent::Cut(9)), Extent::Nothing);
    }

    #[test]
    fn a_missing_line_is_noticed() {
        assert!(every_line("a 1\na 2\n", "head\na 1\na 2"));
        assert!(!every_line("a 1\na 2\n", "head\na 1\n[cut]"));
    }
}
