//! Names as a careless file system would see them: case-folded, compatibility-normalised, without
//! characters that show nothing. Protected names are compared in this form on every system, so that
//! `.GIT` and `.g<zero-width>it` are `.git` everywhere.

use unicode_normalization::UnicodeNormalization;

/// Folds one name or a whole path.
///
/// ```
/// use patchwright_core::fold::fold;
/// assert_eq!(fold(".GIT/Hooks"), ".git/hooks");
/// assert_eq!(fold(".g\u{200c}it"), ".git");
/// assert_eq!(fold("．ｇｉｔ"), ".git");
/// ```
pub fn fold(name: &str) -> String {
    if name.is_ascii() {
        return name.to_ascii_lowercase();
    }
    let shown = name.chars().filter(|c| !is_ignorable(*c));
    let lower: String = shown.nfkd().flat_map(char::to_lowercase).filter(|c| !is_ignorable(*c)).collect();
    lower.nfkc().map(long_s).collect()
}

/// Unicode's default-ignorable code points: they take no space and many file systems drop them.
pub fn is_ignorable(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Letters whose lower case is not what case folding makes of them.
fn long_s(c: char) -> char {
    if c == 'ſ' { 's' } else { c }
}
