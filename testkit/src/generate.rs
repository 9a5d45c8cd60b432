//! Random but repeatable input: texts with every line ending, mark and encoding, trees and edits.

use crate::dice::Dice;
use std::collections::BTreeMap;

/// How lines end in a random text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// `\n`.
    Lf,
    /// `\r\n`.
    CrLf,
    /// Both, by chance, and lone `\r` inside lines.
    Mixed,
}

/// What a random text is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dressing {
    /// UTF-8.
    Utf8,
    /// UTF-8 behind a byte-order mark.
    Utf8Mark,
    /// UTF-16, low byte first, with its mark.
    Utf16Le,
    /// UTF-16, high byte first, with its mark.
    Utf16Be,
    /// Mostly UTF-8, with bytes that are none.
    Broken,
}

/// All endings.
pub const ENDINGS: [Ending; 3] = [Ending::Lf, Ending::CrLf, Ending::Mixed];
/// All dressings.
pub const DRESSINGS: [Dressing; 5] =
    [Dressing::Utf8, Dressing::Utf8Mark, Dressing::Utf16Le, Dressing::Utf16Be, Dressing::Broken];

/// A random text with lines that repeat, blank ones and unterminated ends among them.
pub fn text(dice: &mut Dice, ending: Ending) -> String {
    let mut text = String::new();
    for _ in 0..dice.below(12) {
        text.push_str(&line(dice, ending));
        text.push_str(match ending {
            Ending::Lf => "\n",
            Ending::CrLf => "\r\n",
            Ending::Mixed if dice.coin() => "\r\n",
            Ending::Mixed => "\n",
        });
    }
    if dice.below(3) == 0 {
        text.push_str(&line(dice, ending));
    }
    text
}

/// A text as the bytes of a file.
pub fn encoded(dice: &mut Dice, text: &str, dressing: Dressing) -> Vec<u8> {
    match dressing {
        Dressing::Utf8 => text.as_bytes().to_vec(),
        Dressing::Utf8Mark => [b"\xef\xbb\xbf", text.as_bytes()].concat(),
        Dressing::Utf16Le => utf16(text, u16::to_le_bytes),
        Dressing::Utf16Be => utf16(text, u16::to_be_bytes),
        Dressing::Broken => broken(dice, text),
    }
}

/// A random file: any ending, any dressing.
pub fn file(dice: &mut Dice) -> Vec<u8> {
    let ending = dice.pick(&ENDINGS).copied().unwrap_or(Ending::Lf);
    let dressing = dice.pick(&DRESSINGS).copied().unwrap_or(Dressing::Utf8);
    let text = text(dice, ending);
    encoded(dice, &text, dressing)
}

/// A random tree: paths up to three folders deep, and bytes. No path lies below another's file.
pub fn tree(dice: &mut Dice) -> BTreeMap<String, Vec<u8>> {
    let mut tree = BTreeMap::new();
    for _ in 0..dice.below(8) {
        let folders: Vec<&str> = (0..dice.below(3)).filter_map(|_| dice.pick(&["d", "e", "ö"]).copied()).collect();
        let name = dice.pick(&["a.txt", "b c.rs", "ü", "README", ".hidden"]).copied().unwrap_or("a.txt");
        let path = folders.into_iter().chain([name]).collect::<Vec<_>>().join("/");
        tree.insert(path, file(dice));
    }
    tree
}

/// A range of a text's bytes, on character boundaries, and what to put there.
pub fn edit(dice: &mut Dice, text: &str) -> (std::ops::Range<usize>, String) {
    let places: Vec<usize> = (0..=text.len()).filter(|at| text.is_char_boundary(*at)).collect();
    let (one, other) = (dice.pick(&places).copied().unwrap_or(0), dice.pick(&places).copied().unwrap_or(0));
    let ending = dice.pick(&ENDINGS).copied().unwrap_or(Ending::Lf);
    let new = if dice.coin() { line(dice, ending) } else { self::text(dice, ending) };
    (one.min(other)..one.max(other), new)
}

const WORDS: [&str; 12] = ["", " ", "\t", "x", "let", "}", "{", "naïve", "日本", "🦀", "a\u{301}", "\u{200b}"];

fn line(dice: &mut Dice, ending: Ending) -> String {
    let mut line = String::new();
    for _ in 0..dice.below(5) {
        line.push_str(dice.pick(&WORDS).copied().unwrap_or_default());
        if ending == Ending::Mixed && dice.below(10) == 0 {
            line.push_str("\r.");
        }
    }
    line
}

fn utf16(text: &str, order: fn(u16) -> [u8; 2]) -> Vec<u8> {
    std::iter::once(0xfeff).chain(text.encode_utf16()).flat_map(order).collect()
}

/// Puts bytes between characters that are not UTF-8, but no NUL.
fn broken(dice: &mut Dice, text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for character in text.chars() {
        if dice.below(6) == 0 {
            bytes.push(dice.pick(&[0x80, 0xc3, 0xff, 0xe9]).copied().unwrap_or(0xff));
        }
        bytes.extend(character.to_string().bytes());
    }
    bytes.push(0xfe);
    bytes
}

#[cfg(test)]
mod tests {
    use super::{DRESSINGS, Dressing, ENDINGS, Ending, edit, encoded, file, text, tree};
    use crate::dice::Dice;

    #[test]
    fn the_same_seed_gives_the_same_input() {
        for seed in 0..50 {
            assert_eq!(file(&mut Dice::new(seed)), file(&mut Dice::new(seed)));
            assert_eq!(tree(&mut Dice::new(seed)), tree(&mut Dice::new(seed)));
        }
    }

    #[test]
    fn every_sort_of_text_comes_up() {
        let mut dice = Dice::new(1);
        let texts: Vec<String> = (0..300).map(|_| text(&mut dice, Ending::Mixed)).collect();
        let any = |part: &str| texts.iter().any(|text| text.contains(part));
        assert!(any("\r\n") && any("\r.") && any("\n\n") && texts.iter().any(String::is_empty));
        assert!(texts.iter().any(|text| !text.ends_with('\n')) && texts.iter().any(|text| text.ends_with('\n')));
        for ending in ENDINGS {
            for dressing in DRESSINGS {
                let made = text(&mut dice, ending);
                let bytes = encoded(&mut dice, &made, dressing);
                assert_eq!(
                    std::str::from_utf8(&bytes).is_ok(),
                    matches!(dressing, Dressing::Utf8 | Dressing::Utf8Mark)
                );
            }
        }
    }

    #[test]
    fn edits_fall_between_characters() {
        let mut dice = Dice::new(2);
        for _ in 0..300 {
            let made = text(&mut dice, Ending::Mixed);
            let (range, _) = edit(&mut dice, &made);
            assert!(made.get(range).is_some());
        }
    }
}
