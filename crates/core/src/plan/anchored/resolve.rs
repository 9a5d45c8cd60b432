//! From anchors to lines.
//!
//! Promises that two candidates are a refusal, that a line number never chooses, and that everything wrong
//! with a call's operations is noted before anything is refused.

use super::Placed;
use super::guard::same_lines;
use crate::anchor::{Anchor, Anchors, Form, is_low};
use crate::intent::{Knows, LineDeed, LineOperation, Reach};
use crate::outcome::Correction;
use crate::refusal::{AnchorFault, Candidate, OperationFault, Unknown};

/// A refusal lists so many lines that an anchor may mean.
const LISTED: usize = 1000;
/// Of a line it shows so many characters.
const PREVIEW: usize = 160;
/// So many better anchors are offered on either side of a poor one.
const NEIGHBOURS: usize = 3;

/// The anchors of a file, open for resolving.
pub(super) struct Desk<'a> {
    pub(super) anchors: &'a Anchors<'a>,
    pub(super) knows: &'a Knows,
    pub(super) faults: Vec<OperationFault>,
}

/// One anchor of an operation, with what goes with it.
struct Asked {
    index: usize,
    field: &'static str,
    anchor: Anchor,
    occurrence: Option<usize>,
    line: Option<usize>,
}

impl Asked {
    fn fault(&self, fault: AnchorFault) -> OperationFault {
        OperationFault { index: self.index, field: self.field, anchor: self.anchor.form.to_string(), fault }
    }
}

impl Desk<'_> {
    /// Where an operation goes; nothing if it goes nowhere, with the reason noted.
    pub(super) fn place<'a>(&mut self, index: usize, operation: &'a LineOperation) -> Option<Placed<'a>> {
        let (span, correction) = match operation.reach {
            Reach::Line { anchor, occurrence, line } => {
                let asked = Asked { index, field: "hash", anchor, occurrence, line };
                let line = self.single(&asked)?;
                let span = match operation.deed {
                    LineDeed::InsertAfter => line..line,
                    LineDeed::InsertBefore => line - 1..line - 1,
                    LineDeed::Replace | LineDeed::Delete => line - 1..line,
                };
                (span, None)
            }
            Reach::Range { start, end } => {
                let asked = |field, anchor| Asked { index, field, anchor, occurrence: None, line: None };
                let (start, end) = (asked("start_hash", start), asked("end_hash", end));
                let (first, last) = (self.line(&start), self.line(&end));
                let (first, last, correction) = self.range(&start, (first?, last?))?;
                (first - 1..last, correction)
            }
        };
        Some(Placed { index, span, lines: &operation.lines, deed: operation.deed, correction })
    }

    /// The line of an operation on one line, from 1.
    fn single(&mut self, asked: &Asked) -> Option<usize> {
        let line = self.line(asked)?;
        let chosen = asked.occurrence.is_some() || matches!(asked.anchor.form, Form::Place { .. });
        if is_low(self.anchors.text(line)) && !chosen {
            let content = self.preview(line);
            let neighbours = self.anchors.neighbours(line, NEIGHBOURS);
            self.faults.push(asked.fault(AnchorFault::LowEntropy { line, content, neighbours }));
            return None;
        }
        Some(line)
    }

    /// The lines of a range, from 1, in their order.
    fn range(&mut self, start: &Asked, (first, last): (usize, usize)) -> Option<(usize, usize, Option<Correction>)> {
        if first == last {
            self.faults.push(start.fault(AnchorFault::OneLineRange { line: first }));
            return None;
        }
        let correction = (first > last).then_some(Correction::RangeSwapped { start: first as u64, end: last as u64 });
        let (first, last) = (first.min(last), first.max(last));
        if let Knows::Earlier(known) = self.knows
            && !same_lines(known.as_deref(), self.anchors.hashes(), first - 1..last)
        {
            self.faults.push(start.fault(AnchorFault::RangeChanged { first, last }));
            return None;
        }
        Some((first, last, correction))
    }

    /// The one line that an anchor names, from 1.
    fn line(&mut self, asked: &Asked) -> Option<usize> {
        let lines = self.anchors.find(&asked.anchor.form);
        let found = match (lines.as_slice(), asked.occurrence) {
            ([], _) => Err(AnchorFault::Unknown(self.unknown(asked.anchor.form))),
            // The place has chosen already, and an occurrence beside it says the same.
            ([one], Some(_)) if matches!(asked.anchor.form, Form::Place { .. }) => Ok(*one),
            (many, Some(occurrence)) => {
                let line = occurrence.checked_sub(1).and_then(|at| many.get(at)).copied();
                line.ok_or_else(|| self.no_such(occurrence, many))
            }
            ([one], None) => Ok(*one),
            (many, None) => Err(self.several(asked.field, many)),
        };
        match found.and_then(|line| self.agrees(asked, line)) {
            Ok(line) => Some(line),
            Err(fault) => {
                self.faults.push(asked.fault(fault));
                None
            }
        }
    }

    /// Numbers that came with an anchor must be those of its line, where the caller has seen them.
    fn agrees(&self, asked: &Asked, line: usize) -> Result<usize, AnchorFault> {
        let said = [asked.line, asked.anchor.line].into_iter().flatten().find(|said| *said != line);
        match (said, self.knows) {
            (Some(said), Knows::Numbered) => {
                let mut both = self.candidates(&[line, said]).into_iter();
                let Some(found) = both.next() else { return Ok(line) };
                Err(AnchorFault::LineDisagrees { said, found, there: both.next() })
            }
            _ => Ok(line),
        }
    }

    fn unknown(&self, form: Form) -> Unknown {
        if self.anchors.count() == 0 {
            return Unknown::EmptyFile;
        }
        match form {
            Form::Place { short, .. } => match self.anchors.find(&Form::Short(short)).len() {
                0 => Unknown::Hash,
                now => Unknown::Places(now),
            },
            _ => Unknown::Hash,
        }
    }

    fn several(&self, field: &str, lines: &[usize]) -> AnchorFault {
        let (candidates, count) = (self.candidates(lines), lines.len());
        let told_apart = candidates.iter().all(|one| !matches!(one.shown.form, Form::Place { .. }));
        match field {
            "hash" if told_apart => AnchorFault::Ambiguous { candidates, count },
            _ => AnchorFault::ContextAmbiguous { candidates, count },
        }
    }

    fn no_such(&self, asked: usize, lines: &[usize]) -> AnchorFault {
        AnchorFault::NoSuchOccurrence { asked, candidates: self.candidates(lines), count: lines.len() }
    }

    fn candidates(&self, lines: &[usize]) -> Vec<Candidate> {
        let shown = self.anchors.shown(lines.get(..LISTED).unwrap_or(lines));
        shown.into_iter().map(|shown| Candidate { shown, preview: self.preview(shown.line) }).collect()
    }

    fn preview(&self, line: usize) -> String {
        let text = self.anchors.text(line);
        // A character has four bytes at most.
        let head = text.get(..PREVIEW * 4).unwrap_or(text);
        let shown = String::from_utf8_lossy(head);
        let cut: String = shown.chars().take(PREVIEW).collect();
        if cut.len() < text.len() && head.len() < text.len() || shown.chars().count() > PREVIEW {
            return format!("{cut}…");
        }
        cut
    }
}
