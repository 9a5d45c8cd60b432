//! Patches applied slowly and plainly, to compare with: every hunk looks at every line.
//!
//! Written from the rules of the strict envelope alone, and shares no code with the engine. Knows
//! UTF-8 files with or without a mark; not UTF-16, links, modes or policies.

use std::collections::BTreeMap;

use patchwright_core::dialect::envelope::{AddEnd, Closes, Hunk, Line, Marker, Patch, Section, Sign};

/// Files by path.
pub type Files = BTreeMap<String, Vec<u8>>;

const MARK: &[u8] = b"\xEF\xBB\xBF";

/// The files after a patch; nothing where it must be refused.
///
/// ```
/// use patchwright_core::dialect::envelope::parse;
/// use patchwright_core::conventions::Conventions;
/// use patchwright_testkit::reference::{Files, applied};
/// let text = "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** End Patch\n";
/// let patch = parse(text, Conventions::Strict).unwrap().patch;
/// let files = Files::from([("a".into(), b"w\r\nx\r\n".to_vec())]);
/// assert_eq!(applied(&files, &patch).unwrap()["a"], b"w\r\ny\r\n");
/// ```
pub fn applied(files: &Files, patch: &Patch) -> Option<Files> {
    let mut files = files.clone();
    for section in &patch.sections {
        match section {
            Section::Add { path, lines, end } => place(&mut files, path, added(lines, *end))?,
            Section::Delete { path } => drop(files.remove(path)?),
            Section::Update { path, move_to: None, hunks } => {
                let after = patched(files.get(path)?, hunks)?;
                files.insert(path.clone(), after);
            }
            Section::Update { path: from, move_to: Some(to), hunks } | Section::Move { from, to, hunks } => {
                let after = patched(files.get(from)?, hunks)?;
                place(&mut files, to, after)?;
                files.remove(from);
            }
        }
    }
    Some(files)
}

fn place(files: &mut Files, path: &str, content: Vec<u8>) -> Option<()> {
    let free = !files.contains_key(path);
    free.then(|| drop(files.insert(path.to_owned(), content)))
}

fn added(lines: &[String], end: AddEnd) -> Vec<u8> {
    let mut content = lines.join("\n");
    if end == AddEnd::Ruled && lines.last().is_some_and(|line| !line.is_empty()) {
        content.push('\n');
    }
    content.into_bytes()
}

/// A file after hunks; nothing where one of them must be refused.
pub fn patched(before: &[u8], hunks: &[Hunk]) -> Option<Vec<u8>> {
    let (mark, text) = before.strip_prefix(MARK).map_or((&b""[..], before), |text| (MARK, text));
    let mut file = File::of(text);
    for hunk in hunks {
        file.apply(hunk)?;
    }
    Some([mark, &file.bytes()].concat())
}

/// One line and how it ends unless it is the last of a file without a final newline.
#[derive(Clone)]
struct Row {
    text: Vec<u8>,
    end: &'static str,
}

struct File {
    rows: Vec<Row>,
    /// What lines end in where nothing else tells.
    majority: &'static str,
    /// Whether the last line ends.
    newline: bool,
}

impl File {
    fn of(text: &[u8]) -> File {
        let lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
        let crlf = lines.iter().filter(|line| line.ends_with(b"\r\n")).count();
        let newlines = lines.iter().filter(|line| line.ends_with(b"\n")).count();
        let majority = if crlf > newlines - crlf { "\r\n" } else { "\n" };
        let mut file = File { rows: Vec::new(), majority, newline: newlines == lines.len() };
        for line in lines {
            let above = file.rows.last().map_or(majority, |row| row.end);
            file.rows.push(row(line, above));
        }
        file
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (at, row) in self.rows.iter().enumerate() {
            let bare = at + 1 == self.rows.len() && !self.newline;
            let end = if row.text.ends_with(b"\r") { "\r\n" } else { row.end }; // `\n` would swallow the `\r`
            bytes.extend_from_slice(&row.text);
            bytes.extend_from_slice(if bare { b"" } else { end.as_bytes() });
        }
        bytes
    }

    fn apply(&mut self, hunk: &Hunk) -> Option<()> {
        let old: Vec<&[u8]> =
            hunk.lines.iter().filter(|line| line.sign != Sign::Add).map(|l| l.text.as_bytes()).collect();
        let at = self.place(&old, hunk)?;
        let newline = end_said(hunk).unwrap_or(self.newline);
        let mut rows: Vec<Row> = self.rows.get(..at)?.to_vec();
        rows.extend(self.middle(at, &hunk.lines)?);
        rows.extend_from_slice(self.rows.get(at + old.len()..)?);
        self.rows = rows;
        // Without its newline an empty line would be none.
        self.newline = newline || self.rows.last().is_none_or(|row| row.text.is_empty());
        Some(())
    }

    /// Where the old lines stand, if that is one place only and what the hunk says about it is so.
    fn place(&self, old: &[&[u8]], hunk: &Hunk) -> Option<usize> {
        if old.is_empty() {
            return self.rows.is_empty().then_some(0);
        }
        let at_end = hunk.closes == Closes::EndOfFile || end_said(hunk).is_some();
        let fits = |at: &usize| {
            let rows = self.rows.get(*at..*at + old.len()).unwrap_or_default();
            let same = rows.len() == old.len() && rows.iter().zip(old).all(|(row, text)| row.text == *text);
            same && (!at_end || at + old.len() == self.rows.len())
        };
        let places: Vec<usize> = (0..self.rows.len()).filter(fits).collect();
        let bare = hunk.lines.iter().any(|line| line.sign != Sign::Add && line.marker == Marker::NoNewline);
        let told = !bare || !self.newline;
        match places[..] {
            [at] if told => Some(at),
            _ => None,
        }
    }

    /// What stands in place of the old lines that begin at `at`.
    fn middle(&self, at: usize, lines: &[Line]) -> Option<Vec<Row>> {
        let (mut out, mut at) = (Vec::new(), at);
        for block in lines.chunk_by(|one, two| (one.sign == Sign::Context) == (two.sign == Sign::Context)) {
            let of = |sign: Sign| block.iter().filter(move |line| line.sign == sign);
            let kept = self.rows.get(at..at + of(Sign::Context).count())?;
            out.extend_from_slice(kept);
            at += kept.len();
            let removed = of(Sign::Remove).count();
            for (nth, line) in of(Sign::Add).enumerate() {
                out.push(Row { text: line.text.clone().into_bytes(), end: self.lent(at, removed, nth) });
            }
            at += removed;
        }
        Some(out)
    }

    /// The end for the nth new line where so many go from `at` on.
    fn lent(&self, at: usize, removed: usize, nth: usize) -> &'static str {
        let lender = match removed {
            0 if at > 0 => at - 1,
            0 => at,
            _ => at + nth.min(removed - 1),
        };
        self.rows.get(lender).map_or(self.majority, |row| row.end)
    }
}

fn row(line: &[u8], above: &'static str) -> Row {
    let (text, end) = if let Some(text) = line.strip_suffix(b"\r\n") {
        (text, "\r\n")
    } else if let Some(text) = line.strip_suffix(b"\n") {
        (text, "\n")
    } else {
        (line, above)
    };
    Row { text: text.to_vec(), end }
}

/// Whether the file is to end in a newline, where a marker says so.
fn end_said(hunk: &Hunk) -> Option<bool> {
    let marked: Vec<Sign> =
        hunk.lines.iter().filter(|line| line.marker == Marker::NoNewline).map(|line| line.sign).collect();
    if marked.is_empty() { None } else { Some(marked == [Sign::Remove]) }
}
