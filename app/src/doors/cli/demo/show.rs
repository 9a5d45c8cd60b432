//! CLI door, demo: how the session looks. Titles, requests, answers and the table at the end; in colour where the
//! watcher wants it, and always with everything made visible that could fool one.

use crate::report::for_terminal;
use crate::report::people::{Colour, View, coloured};
use serde_json::Value;
use std::io::{self, Write};

/// Where the session is shown.
pub(super) struct Show<'a> {
    out: &'a mut dyn Write,
    colour: Colour,
}

/// What became of a step.
pub(super) struct Row {
    pub(super) number: usize,
    pub(super) title: &'static str,
    /// What it showed, or why it did not.
    pub(super) shown: String,
    pub(super) came_out: bool,
}

/// No more lines of one text are shown.
const LINES: usize = 40;
/// No more lines of a text in a request are shown.
const TEXT_LINES: usize = 20;
/// Texts of several lines that are no longer than this stay on the request's line.
const INLINE: usize = 60;
/// No more characters of a request's line are shown.
const WIDTH: usize = 1000;

const BOLD: &str = "1";
const DIM: &str = "2";
const RED: &str = "31";
const GREEN: &str = "32";
const BLUE: &str = "34";

impl<'a> Show<'a> {
    pub(super) fn new(out: &'a mut dyn Write, colour: Colour) -> Show<'a> {
        Show { out, colour }
    }

    /// The head of a step.
    pub(super) fn title(&mut self, number: usize, of: usize, title: &str) -> io::Result<()> {
        let head = format!("── {number}/{of} {title} ");
        let rule = "─".repeat(72_usize.saturating_sub(head.chars().count()));
        let head = self.painted(BOLD, &format!("{head}{rule}"));
        writeln!(self.out, "\n{head}")
    }

    /// A sentence of the narrator.
    pub(super) fn say(&mut self, text: &str) -> io::Result<()> {
        for line in text.lines() {
            let line = self.painted(DIM, &format!("# {}", for_terminal(line)));
            writeln!(self.out, "{line}")?;
        }
        self.out.flush()
    }

    /// What the agent asks. Texts of several lines stand below, as they are.
    pub(super) fn request(&mut self, tool: &str, arguments: &Value) -> io::Result<()> {
        let mut texts = Vec::new();
        let short = shortened(arguments, &mut texts);
        let line = self.painted(BLUE, &for_terminal(&cut(&format!("→ {tool} {short}"), WIDTH)));
        writeln!(self.out, "{line}")?;
        for text in texts {
            self.indented(&text, "    ", TEXT_LINES)?;
        }
        self.out.flush()
    }

    /// What the agent is told, with the diff in colour.
    pub(super) fn answer(&mut self, text: &str) -> io::Result<()> {
        let (kept, left_out) = head(text, LINES);
        let (words, diff) = split_at_diff(kept);
        let mut lines = words.lines();
        if let Some(first) = lines.next() {
            writeln!(self.out, "← {}", for_terminal(first))?;
        }
        for line in lines {
            writeln!(self.out, "  {}", for_terminal(line))?;
        }
        self.diff(diff)?;
        self.left_out(left_out)?;
        self.out.flush()
    }

    fn diff(&mut self, diff: &str) -> io::Result<()> {
        // As on a terminal: everything made visible.
        let view = View { columns: Some(80), colour: self.colour, ..View::default() };
        coloured(diff, &view).lines().try_for_each(|line| writeln!(self.out, "  {line}"))
    }

    /// What a person types, and what is printed.
    pub(super) fn command(&mut self, typed: &str, text: &str) -> io::Result<()> {
        let line = self.painted(BLUE, &for_terminal(&format!("$ {typed}")));
        writeln!(self.out, "{line}")?;
        self.indented(text, "  ", LINES)?;
        self.out.flush()
    }

    /// How a step ended.
    pub(super) fn verdict(&mut self, row: &Row) -> io::Result<()> {
        let (colour, word) = if row.came_out { (GREEN, "ok") } else { (RED, "NOT AS IT SHOULD BE") };
        let line = self.painted(colour, &for_terminal(&format!("✓ {word}: {}", row.shown)).replace('\n', " "));
        let line = if row.came_out { line } else { line.replacen('✓', "✗", 1) };
        writeln!(self.out, "{line}")?;
        self.out.flush()
    }

    /// Every step on a line.
    pub(super) fn table(&mut self, rows: &[Row]) -> io::Result<()> {
        let width = rows.iter().map(|row| row.title.len()).max().unwrap_or(0);
        let head = self.painted(BOLD, &format!("{:>2}  {:<width$}  {:<6}  what it showed", "", "step", "result"));
        writeln!(self.out, "\n{head}")?;
        for row in rows {
            let (colour, word) = if row.came_out { (GREEN, "ok    ") } else { (RED, "FAILED") };
            let word = self.painted(colour, word);
            let shown = for_terminal(&row.shown).replace('\n', " ");
            writeln!(self.out, "{:>2}  {:<width$}  {word}  {shown}", row.number, row.title)?;
        }
        let good = rows.iter().filter(|row| row.came_out).count();
        writeln!(self.out, "\n{good} of {} steps came out as they should.", rows.len())?;
        self.out.flush()
    }

    fn indented(&mut self, text: &str, indent: &str, most: usize) -> io::Result<()> {
        let (kept, left_out) = head(text, most);
        for line in kept.lines() {
            writeln!(self.out, "{indent}{}", for_terminal(line.trim_end_matches('\r')))?;
        }
        self.left_out(left_out)
    }

    fn left_out(&mut self, lines: usize) -> io::Result<()> {
        match lines {
            0 => Ok(()),
            more => writeln!(self.out, "    … {more} more lines"),
        }
    }

    fn painted(&self, colour: &str, text: &str) -> String {
        match self.colour {
            Colour::Yes => format!("\u{1b}[{colour}m{text}\u{1b}[0m"),
            Colour::No => text.to_owned(),
        }
    }
}

/// The first lines of a text, and how many more there are.
fn head(text: &str, most: usize) -> (&str, usize) {
    let total = text.lines().count();
    match text.match_indices('\n').nth(most.saturating_sub(1)) {
        Some((at, _)) if total > most => (text.get(..at).unwrap_or(text), total.saturating_sub(most)),
        _ => (text, 0),
    }
}

/// What stands before the first diff, and the rest. The diff of an anchored edit has no names, only hunks.
fn split_at_diff(text: &str) -> (&str, &str) {
    let mut at = 0_usize;
    for line in text.split_inclusive('\n') {
        if line.starts_with("--- ") || line.starts_with("@@ -") {
            break;
        }
        at = at.saturating_add(line.len());
    }
    text.split_at_checked(at).unwrap_or((text, ""))
}

/// A request on one line: texts of several lines are taken out, to be shown by themselves.
fn shortened(value: &Value, texts: &mut Vec<String>) -> Value {
    match value {
        Value::String(text) if text.len() > INLINE && text.contains('\n') => {
            texts.push(text.clone());
            Value::String("…".to_owned())
        }
        Value::String(text) if is_hash(text) => Value::String(format!("{}…", text.get(..12).unwrap_or(text))),
        Value::Array(items) => items.iter().map(|item| shortened(item, texts)).collect(),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| (name.clone(), shortened(value, texts)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        other => other.clone(),
    }
}

fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or(text)),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn shown(colour: Colour, act: impl Fn(&mut Show<'_>) -> io::Result<()>) -> String {
        let mut out = Vec::new();
        act(&mut Show::new(&mut out, colour)).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn requests() {
        let check = |arguments: Value, want: &str| {
            assert_eq!(shown(Colour::No, |show| show.request("tool", &arguments)), want);
        };
        check(json!({"path": "a"}), "→ tool {\"path\":\"a\"}\n");
        check(json!({"old": "one\ntwo\n"}), "→ tool {\"old\":\"one\\ntwo\\n\"}\n");
        let long = "x".repeat(INLINE);
        check(
            json!({"patch": format!("one\n{long}\n")}),
            &format!("→ tool {{\"patch\":\"…\"}}\n    one\n    {long}\n"),
        );
        check(json!({"sha": "ab".repeat(32)}), "→ tool {\"sha\":\"abababababab…\"}\n");
        check(json!({"x": ["\u{1b}[1m"]}), "→ tool {\"x\":[\"\\u001b[1m\"]}\n");
    }

    #[test]
    fn answers() {
        let check = |colour: Colour, text: &str, want: &str| {
            assert_eq!(shown(colour, |show| show.answer(text)), want, "{text:?}");
        };
        check(Colour::No, "done\n--- a\n+++ b\n+x\n", "← done\n  --- a\n  +++ b\n  +x\n");
        check(
            Colour::Yes,
            "- i\n- j\n@@ -1 +1 @@\n+x",
            "← - i\n  - j\n  \u{1b}[36m@@ -1 +1 @@\u{1b}[0m\n  \u{1b}[32m+x\u{1b}[0m\n",
        );
        check(Colour::No, "a\u{1b}b", "← a\\u{1b}b\n");
        check(Colour::No, "", "");
        let long = "x\n".repeat(LINES + 2);
        check(Colour::No, &long, &format!("← x\n{}    … 2 more lines\n", "  x\n".repeat(LINES - 1)));
    }
}
