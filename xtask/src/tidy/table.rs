//! Markdown tables and code spans, as far as the checks need them.

/// The rows of every table in `text`: line number and trimmed cells, without heads and rules.
pub(super) fn rows(text: &str) -> Vec<(usize, Vec<String>)> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let next = lines.get(at.saturating_add(1)).copied().unwrap_or_default();
        if line.starts_with('|') && !is_rule(line) && !is_rule(next) {
            found.push((at.saturating_add(1), cells(line)));
        }
    }
    found
}

/// The texts between single backticks on one line.
pub(super) fn spans(line: &str) -> Vec<&str> {
    line.split('`').skip(1).step_by(2).filter(|span| !span.is_empty()).collect()
}

/// Lines outside fenced blocks, with their numbers.
pub(super) fn prose(text: &str) -> Vec<(usize, &str)> {
    let mut fenced = false;
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            found.push((at.saturating_add(1), line));
        }
    }
    found
}

fn is_rule(line: &str) -> bool {
    line.starts_with('|') && line.contains("---") && line.chars().all(|c| "|-: ".contains(c))
}

fn cells(line: &str) -> Vec<String> {
    let inside = line.trim_start_matches('|');
    let inside = inside.strip_suffix('|').unwrap_or(inside);
    inside.replace("\\|", "\u{1}").split('|').map(|cell| cell.trim().replace('\u{1}', "|")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read() {
        let text = "a\n| x | y |\n| --- | :-: |\n| 1 | `a\\|b` |\n|2||\nend | of | it\n";
        let expected = vec![(4, vec!["1".to_owned(), "`a|b`".to_owned()]), (5, vec!["2".to_owned(), String::new()])];
        assert_eq!(rows(text), expected);
    }

    #[test]
    fn spans_and_fences_are_told_apart() {
        assert_eq!(spans("see `a/b` and `c`, not d"), ["a/b", "c"]);
        assert_eq!(prose("a\n```sh\nb\n```\nc"), [(1, "a"), (5, "c")]);
    }
}
