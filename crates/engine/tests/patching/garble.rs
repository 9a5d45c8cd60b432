//! Slips in an envelope, as a hand or a model makes them, and worse.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// One slip.
#[derive(Clone, Debug)]
pub(crate) enum Slip {
    Drop(Index),
    Double(Index),
    Swap(Index, Index),
    Write(Index, String),
    /// Everything from a byte on is lost.
    Cut(Index),
    Sign(Index, char),
    Blank(Index),
    Letter(Index, char),
}

const TEXTS: &[&str] = &[
    "@@",
    "@@ a",
    "*** End of File",
    "*** End Patch",
    "*** Begin Patch",
    "*** Delete File: a.txt",
    "*** Update File: ./d//e",
    "*** Add File: ../out",
    "*** Move to: d/m",
    "*** Move File: d/e -> ü",
    "\\ No newline at end of file",
    " a",
    "-a",
    "+a",
    "+a\r",
    "  ",
];

pub(crate) fn slips() -> impl Strategy<Value = Vec<Slip>> {
    vec(slip(), 1..4)
}

fn slip() -> impl Strategy<Value = Slip> {
    let text = prop_oneof![select(TEXTS).prop_map(str::to_owned), ".{0,6}"];
    let letter = prop_oneof![select(&[' ', '+', '-', '\\', '@', '*', '\n', '\r', '\0', '/', 'é'][..]), any::<char>()];
    prop_oneof![
        any::<Index>().prop_map(Slip::Drop),
        any::<Index>().prop_map(Slip::Double),
        (any::<Index>(), any::<Index>()).prop_map(|(one, other)| Slip::Swap(one, other)),
        (any::<Index>(), text).prop_map(|(at, text)| Slip::Write(at, text)),
        any::<Index>().prop_map(Slip::Cut),
        (any::<Index>(), select(&[' ', '+', '-'][..])).prop_map(|(at, sign)| Slip::Sign(at, sign)),
        any::<Index>().prop_map(Slip::Blank),
        (any::<Index>(), letter).prop_map(|(at, letter)| Slip::Letter(at, letter)),
    ]
}

pub(crate) fn garbled(text: &str, slips: &[Slip]) -> String {
    slips.iter().fold(text.to_owned(), |text, slip| slip.make(&text))
}

impl Slip {
    fn make(&self, text: &str) -> String {
        if text.is_empty() {
            return String::new();
        }
        let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
        let count = lines.len();
        match self {
            Slip::Drop(at) => drop(lines.remove(at.index(count))),
            Slip::Double(at) => lines.insert(at.index(count), lines[at.index(count)].clone()),
            Slip::Swap(one, other) => lines.swap(one.index(count), other.index(count)),
            Slip::Write(at, text) => lines[at.index(count)] = format!("{text}\n"),
            Slip::Blank(at) => lines.insert(at.index(count), "\n".to_owned()),
            Slip::Sign(at, sign) => {
                let line = &mut lines[at.index(count)];
                let rest = line.chars().skip(1).collect::<String>();
                *line = format!("{sign}{rest}");
            }
            Slip::Cut(at) => {
                let ends: Vec<usize> = text.char_indices().map(|(end, _)| end).collect();
                return text[..ends[at.index(ends.len())]].to_owned();
            }
            Slip::Letter(at, letter) => {
                let mut letters: Vec<char> = text.chars().collect();
                let place = at.index(letters.len());
                letters[place] = *letter;
                return letters.into_iter().collect();
            }
        }
        lines.concat()
    }
}
