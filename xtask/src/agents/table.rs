//! The tables, in Markdown.

use super::finding::{Exchange, Finding};
use super::measure::Shown;
use super::steps::Act;

/// The calls that have a column in the table of costs.
const COSTS: &[(&str, Act)] = &[
    ("read 0.4 KB", Act::Read),
    ("create 4 KB", Act::Create),
    ("one-line edit", Act::Edit),
    ("overwrite", Act::Overwrite),
    ("text not found", Act::Mismatch),
    ("stale", Act::Stale),
    ("delete", Act::Delete),
    ("list_batches", Act::List),
    ("undo", Act::Undo),
    ("read 4 KB", Act::Rung(4)),
];

/// Both tables.
pub(crate) fn all(findings: &[Finding]) -> String {
    format!("{}\n{}", seen(findings), costs(findings))
}

/// A table of rows below their heads.
pub(crate) fn markdown(heads: &[&str], rows: &[Vec<String>]) -> String {
    let mut out = format!("| {} |\n|{}\n", heads.join(" | "), " --- |".repeat(heads.len()));
    for row in rows {
        out.push_str(&format!("| {} |\n", row.join(" | ")));
    }
    out
}

fn seen(findings: &[Finding]) -> String {
    let heads = [
        "client",
        "introduces itself as",
        "on success the model sees",
        "on refusal",
        "instructions",
        "descriptions",
        "largest read seen whole",
        "read without a limit",
    ];
    let rows: Vec<Vec<String>> = findings.iter().map(row).collect();
    markdown(&heads, &rows)
}

fn row(finding: &Finding) -> Vec<String> {
    let ways = |refused: bool| {
        let short = |one: &&Exchange| one.refused == refused && !matches!(one.act, Act::Rung(_) | Act::Default);
        ways(finding.exchanges.iter().filter(short).map(|one| one.shown))
    };
    let limit = finding.largest().map(|size| format!("{size} KB")).unwrap_or_default();
    let unlimited = finding.unlimited().map(|(sent, whole)| {
        format!("{:.0} KB sent, {}", sent as f64 / 1024.0, if whole { "seen whole" } else { "cut by the client" })
    });
    vec![
        finding.name.clone(),
        or_dash(finding.client.clone()),
        ways(false),
        ways(true),
        finding.instructions.words(),
        format!("{}{}", finding.descriptions.words(), if finding.hidden { ", on demand" } else { "" }),
        or_dash(limit),
        or_dash(unlimited.unwrap_or_default()),
    ]
}

/// Each way once; frames of different sizes are one way.
fn ways(shown: impl Iterator<Item = Shown>) -> String {
    let mut frame = None;
    let mut words: Vec<String> = Vec::new();
    for way in shown {
        match way {
            Shown::Framed(size) => frame = frame.max(Some(size)),
            other if words.contains(&other.words()) => {}
            other => words.push(other.words()),
        }
    }
    words.extend(frame.map(|size| Shown::Framed(size).words()));
    or_dash(words.join("; "))
}

fn costs(findings: &[Finding]) -> String {
    let mut heads = vec!["tokens", "tools shown", "their cost", "instructions"];
    heads.extend(COSTS.iter().map(|(name, _)| *name));
    let rows: Vec<Vec<String>> = findings
        .iter()
        .map(|finding| {
            let figures = [finding.tools, finding.tool_tokens, finding.instruction_tokens];
            let mut row = vec![finding.name.clone()];
            row.extend(figures.map(|figure| figure.to_string()));
            row.extend(COSTS.iter().map(|(_, act)| or_dash(cost(finding.exchange(*act)))));
            row
        })
        .collect();
    markdown(&heads, &rows)
}

fn cost(exchange: Option<&Exchange>) -> String {
    exchange.map(|one| one.tokens.to_string()).unwrap_or_default()
}

fn or_dash(text: String) -> String {
    if text.is_empty() { "—".to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_are_named_once() {
        let all = [Shown::Framed(3), Shown::Text, Shown::Framed(35), Shown::Text];
        assert_eq!(ways(all.into_iter()), "our text; our text in a frame of 35 characters");
        assert_eq!(ways([].into_iter()), "—");
    }

    #[test]
    fn rows_have_as_many_cells_as_heads() {
        let table = markdown(&["a", "b"], &[vec!["1".to_owned(), "2".to_owned()]]);
        assert_eq!(table, "| a | b |\n| --- | --- |\n| 1 | 2 |\n");
    }
}
