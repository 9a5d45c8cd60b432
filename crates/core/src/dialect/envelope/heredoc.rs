//! The heredoc that a model may wrap around a patch, as if it wrote for a shell.
//!
//! Promises to leave out the wrapper and nothing else, and to refuse one that is not closed.

use super::cursor::Cursor;
use super::reading::Reading;
use crate::refusal::{Grammar, Refusal};

/// Narrows the cursor to what stands between `<<WORD` and `WORD`, if that is how the text begins.
pub(super) fn unwrap(cursor: &mut Cursor<'_>) -> Result<(), Refusal> {
    let filled = |line: &&str| !line.trim().is_empty();
    let Some(first) = cursor.lines().iter().position(filled) else { return Ok(()) };
    let Some(word) = cursor.lines().get(first).and_then(|line| opening(line)) else { return Ok(()) };
    let last = cursor.lines().iter().rposition(filled).unwrap_or(first);
    let closed = last > first && cursor.lines().get(last).is_some_and(|line| line.trim() == word);
    if !closed {
        return Err(cursor.fault_at(cursor.lines().len().saturating_add(1), Grammar::HeredocEnd));
    }
    cursor.notes.add(Reading::Heredoc, first.saturating_add(1));
    cursor.narrow(first.saturating_add(1), last);
    Ok(())
}

/// The word of `<<WORD`, `<<'WORD'` or `<<"WORD"`, perhaps after the name of a command.
fn opening(line: &str) -> Option<&str> {
    let (command, word) = line.trim().split_once("<<")?;
    let one_word = command.split_whitespace().count() <= 1;
    let apart = command.is_empty() || command.ends_with(char::is_whitespace);
    let unquoted = |quote: char| word.strip_prefix(quote)?.strip_suffix(quote);
    let word = unquoted('\'').or(unquoted('"')).unwrap_or(word);
    let is_word = !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || c == '_');
    (one_word && apart && is_word).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, word: Option<&str>) {
        assert_eq!(opening(line), word, "{line:?}");
    }

    #[test]
    fn openings() {
        check("<<EOF", Some("EOF"));
        check("<<'EOF'", Some("EOF"));
        check(" apply_patch <<\"PATCH_1\" ", Some("PATCH_1"));
        check("apply_patch<<EOF", None);
        check("cd x && apply_patch <<EOF", None);
        check("<<'EOF\"", None);
        check("<<", None);
        check("<<''", None);
        check("<<a b", None);
        check("*** Begin Patch", None);
    }
}
