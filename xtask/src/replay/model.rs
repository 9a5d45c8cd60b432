//! Files as a made-up history knows them: lines with their ends, dressed in a charset.

use super::chance::Chance;

/// How new lines of a file end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Lf,
    CrLf,
    /// As their neighbours do, and now and then not.
    Mixed,
}

/// What a file is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Dress {
    Utf8,
    Marked,
    Utf16,
    /// UTF-8 but for some lines.
    Broken,
    Binary,
}

/// A made-up file.
#[derive(Clone, Debug)]
pub(super) struct Model {
    lines: Vec<(String, &'static str)>,
    ending: Ending,
    dress: Dress,
    final_newline: bool,
    pub(super) executable: bool,
}

const LINES: &[&str] =
    &["", "", "}", "{", "    }", "    return;", "// same", "a\rb", "naïve 日本", "*** End Patch", "@@", "+x"];
/// Not UTF-8 once it is written.
const BROKEN: &str = "\u{fffd}";

impl Model {
    pub(super) fn new(chance: &mut Chance) -> Model {
        use Dress::{Broken, Marked, Utf8, Utf16};
        let ending = chance.pick(&[Ending::Lf, Ending::Lf, Ending::Lf, Ending::CrLf, Ending::Mixed], Ending::Lf);
        let text = chance.pick(&[Utf8, Utf8, Utf8, Utf8, Utf8, Utf8, Marked, Utf16, Broken], Utf8);
        let dress = if chance.once_in(30) { Dress::Binary } else { text };
        let final_newline = !chance.once_in(5);
        let mut model = Model { lines: Vec::new(), ending, dress, final_newline, executable: chance.once_in(9) };
        if !chance.once_in(12) {
            for _ in 0..chance.below(80) {
                model.insert(chance);
            }
        }
        model
    }

    /// Changes some lines: blocks go, come, are written anew, or are copied elsewhere.
    pub(super) fn edit(&mut self, chance: &mut Chance) {
        for _ in 0..=chance.below(4) {
            match chance.below(8) {
                0 | 1 => self.insert(chance),
                2 => {
                    let at = chance.below(self.lines.len());
                    let end = at.saturating_add(chance.below(6)).min(self.lines.len());
                    drop(self.lines.drain(at..end));
                }
                3 => {
                    let at = chance.below(self.lines.len());
                    let block: Vec<_> = self.lines.iter().skip(at).take(chance.below(9)).cloned().collect();
                    let to = chance.below(self.lines.len().saturating_add(1));
                    drop(self.lines.splice(to..to, block));
                }
                _ => {
                    let text = self.text(chance);
                    let at = chance.below(self.lines.len());
                    if let Some(line) = self.lines.get_mut(at) {
                        line.0 = text;
                    }
                }
            }
        }
    }

    /// Something that happens rarely: to the end of the file, its line ends, or all its lines.
    pub(super) fn upset(&mut self, chance: &mut Chance) {
        match chance.below(7) {
            0..=2 => self.final_newline = !self.final_newline,
            3 => self.lines.clear(),
            4 => self.executable = !self.executable,
            5 if self.dress == Dress::Utf8 => self.dress = Dress::Marked,
            _ => {
                self.ending = if self.ending == Ending::Lf { Ending::CrLf } else { Ending::Lf };
                let end = if self.ending == Ending::Lf { "\n" } else { "\r\n" };
                self.lines.iter_mut().for_each(|line| line.1 = end);
            }
        }
    }

    /// A line at some place, ended as the file's lines are.
    fn insert(&mut self, chance: &mut Chance) {
        let at = chance.below(self.lines.len().saturating_add(1));
        let above = at.checked_sub(1).and_then(|above| self.lines.get(above)).or(self.lines.first());
        let end = match (self.ending, above) {
            (Ending::Lf, _) => "\n",
            (Ending::CrLf, _) => "\r\n",
            (Ending::Mixed, Some(above)) if !chance.once_in(4) => above.1,
            (Ending::Mixed, _) => chance.pick(&["\n", "\r\n"], "\n"),
        };
        let text = self.text(chance);
        self.lines.insert(at, (text, end));
    }

    fn text(&self, chance: &mut Chance) -> String {
        match chance.below(3) {
            0 => chance.pick(LINES, "").to_owned(),
            1 if self.dress == Dress::Broken && chance.once_in(4) => format!("broken {BROKEN}"),
            _ => format!("    let value_{} = {};", chance.below(60), chance.below(1000)),
        }
    }

    pub(super) fn bytes(&self) -> Vec<u8> {
        let mut text: String = self.lines.iter().flat_map(|(text, end)| [text.as_str(), end]).collect();
        if !self.final_newline {
            text.truncate(text.trim_end_matches(['\r', '\n']).len());
        }
        match self.dress {
            Dress::Utf8 => text.into_bytes(),
            Dress::Marked => format!("\u{feff}{text}").into_bytes(),
            Dress::Utf16 => "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect(),
            Dress::Binary => [b"\0", text.as_bytes()].concat(),
            Dress::Broken => {
                let parts: Vec<&[u8]> = text.split(BROKEN).map(str::as_bytes).collect();
                parts.join(&b"\xff\xfe"[..])
            }
        }
    }
}
