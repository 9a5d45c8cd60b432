//! Fitting text into the cells of a terminal. Labels are cut at their end, paths in their middle; a name is never broken
//! across lines.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

const CUT: char = '…';

/// How many cells a text takes.
pub(super) fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// The text with blanks behind it, up to so many cells.
pub(super) fn left(text: &str, cells: usize) -> String {
    format!("{text}{}", " ".repeat(cells.saturating_sub(width(text))))
}

/// The text with blanks before it, up to so many cells.
pub(super) fn right(text: &str, cells: usize) -> String {
    format!("{}{text}", " ".repeat(cells.saturating_sub(width(text))))
}

/// The beginning of a text, so much of it as fits, with a mark where it was cut.
pub(super) fn cut_end(text: &str, cells: usize) -> String {
    if width(text) <= cells {
        return text.to_owned();
    }
    let mut kept = head(text, cells.saturating_sub(1)).to_owned();
    kept.truncate(kept.trim_end().len());
    kept.push(CUT);
    kept
}

/// A path that fits: folders in its middle are left out first. Its first folder and its file name stay, even where that
/// is more than fits.
pub(super) fn cut_path(path: &str, cells: usize) -> String {
    if width(path) <= cells {
        return path.to_owned();
    }
    let parts: Vec<&str> = path.split('/').collect();
    let [first, middle @ .., last] = parts.as_slice() else { return path.to_owned() };
    if middle.is_empty() {
        return path.to_owned();
    }
    let with = |kept: &[&str]| [&[*first, "…"], kept, &[*last]].concat().join("/");
    let fitting = (1..middle.len()).filter_map(|from| middle.get(from..)).map(with);
    fitting.into_iter().find(|cut| width(cut) <= cells).unwrap_or_else(|| with(&[]))
}

/// Text broken between words, as wide as the terminal. Lines that are set in, which quote files, stay as they are.
pub(super) fn wrapped(text: &str, cells: usize) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if width(line.trim_end()) <= cells || line.starts_with("  ") {
            out.push_str(line);
            continue;
        }
        let mut used = 0;
        for word in line.split_inclusive(' ') {
            let bare = width(word.trim_end());
            if used > 0 && used + bare > cells {
                out.truncate(out.trim_end_matches(' ').len());
                out.push('\n');
                used = 0;
            }
            out.push_str(word);
            used += width(word.trim_end_matches('\n'));
        }
    }
    out
}

/// As much of the beginning as takes no more than so many cells.
fn head(text: &str, cells: usize) -> &str {
    let mut used = 0;
    for (at, ch) in text.char_indices() {
        used += UnicodeWidthChar::width(ch).unwrap_or(0);
        if used > cells {
            return text.get(..at).unwrap_or_default();
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_cut_at_their_end() {
        for (text, cells, want) in [
            ("Name the codes", 20, "Name the codes"),
            ("Name the codes", 14, "Name the codes"),
            ("Name the codes", 13, "Name the cod…"),
            ("Name the codes", 9, "Name the…"),
            ("日本語の名前", 7, "日本語…"),
            ("abc", 0, "…"),
        ] {
            assert_eq!(cut_end(text, cells), want, "{text} in {cells}");
        }
    }

    #[test]
    fn paths_are_cut_in_their_middle() {
        let long = "crates/auth/src/main/providers/OpenIdFactoryBuilderTest.java";
        for (path, cells, want) in [
            (long, 80, long),
            (long, 60, long),
            (long, 59, "crates/…/src/main/providers/OpenIdFactoryBuilderTest.java"),
            (long, 50, "crates/…/providers/OpenIdFactoryBuilderTest.java"),
            (long, 48, "crates/…/providers/OpenIdFactoryBuilderTest.java"),
            (long, 47, "crates/…/OpenIdFactoryBuilderTest.java"),
            (long, 5, "crates/…/OpenIdFactoryBuilderTest.java"),
            ("src/main.rs", 3, "src/main.rs"),
            ("README.md", 3, "README.md"),
        ] {
            assert_eq!(cut_path(path, cells), want, "in {cells}");
        }
    }

    #[test]
    fn text_is_broken_between_words() {
        for (text, cells, want) in [
            ("one two three\n", 20, "one two three\n"),
            ("one two three\n", 8, "one two\nthree\n"),
            ("one two three", 7, "one two\nthree"),
            ("unbreakable word\n", 5, "unbreakable\nword\n"),
            ("  quoted line stays\nnext one goes\n", 8, "  quoted line stays\nnext one\ngoes\n"),
        ] {
            assert_eq!(wrapped(text, cells), want, "{text:?} in {cells}");
        }
    }

    #[test]
    fn cells_are_counted() {
        assert_eq!((width("日本"), left("日本", 5), right("ab", 4)), (4, "日本 ".to_owned(), "  ab".to_owned()));
    }
}
