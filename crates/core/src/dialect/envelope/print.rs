//! Writes an envelope.
//!
//! Promises that reading the text gives the same patch again, as long as the patch is one that an
//! envelope can hold (see the types). A text that ends in `\r` has its line ended by `\r\n`, so that reading
//! takes away the one that was added.

use super::marker::{ADD, BEGIN, DELETE, END, END_OF_FILE, MOVE, MOVE_TO, UPDATE};
use super::{AddEnd, Closes, Hunk, Line, Marker, NO_NEWLINE, Patch, Section};

/// The text of a patch.
///
/// ```
/// use patchwright_core::dialect::envelope::{AddEnd, Patch, Section, print};
/// let add = Section::Add { path: "a".into(), lines: vec!["x".into()], end: AddEnd::Bare };
/// let text = "*** Begin Patch\n*** Add File: a\n+x\n\\ No newline at end of file\n*** End Patch\n";
/// assert_eq!(print(&Patch { sections: vec![add] }), text);
/// ```
pub fn print(patch: &Patch) -> String {
    let mut out = Out(String::new());
    out.line(&[BEGIN]);
    patch.sections.iter().for_each(|section| out.section(section));
    out.line(&[END]);
    out.0
}

/// The text of one section, as it stands between the markers of a patch.
pub fn print_section(section: &Section) -> String {
    let mut out = Out(String::new());
    out.section(section);
    out.0
}

struct Out(String);

impl Out {
    fn line(&mut self, parts: &[&str]) {
        parts.iter().for_each(|part| self.0.push_str(part));
        self.0.push_str(if self.0.ends_with('\r') { "\r\n" } else { "\n" });
    }

    fn section(&mut self, section: &Section) {
        match section {
            Section::Add { path, lines, end } => {
                self.line(&[ADD, " ", path]);
                lines.iter().for_each(|line| self.line(&["+", line]));
                if *end == AddEnd::Bare {
                    self.line(&[NO_NEWLINE]);
                }
            }
            Section::Update { path, move_to, hunks } => {
                self.line(&[UPDATE, " ", path]);
                if let Some(to) = move_to {
                    self.line(&[MOVE_TO, " ", to]);
                }
                self.hunks(hunks);
            }
            Section::Delete { path } => self.line(&[DELETE, " ", path]),
            Section::Move { from, to, hunks } => {
                self.line(&[MOVE, " ", from, " -> ", to]);
                self.hunks(hunks);
            }
        }
    }

    fn hunks(&mut self, hunks: &[Hunk]) {
        for (at, hunk) in hunks.iter().enumerate() {
            if hunk.headers.is_empty() && at > 0 {
                self.line(&["@@"]); // without it, the hunk would run on from the one above
            }
            for header in &hunk.headers {
                self.line(&["@@", if header.is_empty() { "" } else { " " }, header]);
            }
            hunk.lines.iter().for_each(|line| self.body_line(line));
            if hunk.closes == Closes::EndOfFile {
                self.line(&[END_OF_FILE]);
            }
        }
    }

    fn body_line(&mut self, line: &Line) {
        self.0.push(line.sign.symbol());
        self.line(&[&line.text]);
        if line.marker == Marker::NoNewline {
            self.line(&[NO_NEWLINE]);
        }
    }
}
