//! Texts from outside, short enough to be told.

/// A text in quotes, cut when it is long.
pub fn short_text(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{:?}…", text.get(..end).unwrap_or_default()),
        None => format!("{text:?}"),
    }
}
