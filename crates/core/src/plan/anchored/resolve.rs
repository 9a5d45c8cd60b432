//! From anchors to lines.
//!
//! Promises that two candidates are a refusal, that a line number never chooses, and that everything wrong
//! with a call's operations is noted before anything is refused.

use super::guard::same_place;
use crate::anchor::{Anchor, Anchors, Form, Quality, Shown, is_low, long, short};
use crate::intent::{Knows, LineDeed, LineOperation, Numbers, Reach};
use crate::outcome::Correction;
use crate::plan::placed::Placed;
use crate::refusal::{AnchorFault, Candidate, OperationFault, OperationField, Unknown};
use crate::seeded::{Bug, is_planted};
use std::collections::HashMap;

/// A refusal lists so many lines that its anchors may mean.
pub(super) const LISTED: usize = 1000;
/// Of a line it shows so many characters.
const PREVIEW: usize = 160;
/// So many better anchors are offered on either side of a poor one.
const NEIGHBOURS: usize = 3;

/// The anchors of a file, open for resolving.
pub(super) struct Desk<'a> {
    pub(super) anchors: &'a Anchors<'a>,
    pub(super) knows: &'a Knows,
    /// Does the text hold bytes that are none in its charset?
    pub(super) lossy: bool,
    /// How many more candidates may be listed.
    pub(super) room: usize,
    /// By the first of several lines that an anchor names, and how many: has each of them a form of its own?
    pub(super) apart: HashMap<(usize, usize), bool>,
    /// The lines of each short form that the call names, where it names many.
    pub(super) shorts: Option<HashMap<u32, Vec<usize>>>,
    pub(super) faults: Vec<OperationFault>,
    /// How often more it may be looked where a quoted text stands.
    pub(super) searches: usize,
}

/// For so many faults of a call it is looked where a quoted text stands.
pub(super) const SOUGHT: usize = 50;

/// From so many operations on, one look at all lines is quicker than one for each.
const MANY: usize = 16;

/// The lines of each short form that many operations name; nothing for few.
pub(super) fn shorts(anchors: &Anchors<'_>, operations: &[LineOperation]) -> Option<HashMap<u32, Vec<usize>>> {
    if operations.len() < MANY {
        return None;
    }
    let named = operations.iter().flat_map(|operation| match operation.reach {
        Reach::Line { anchor, .. } => [Some(anchor), None],
        Reach::Range { start, end } => [Some(start), Some(end)],
    });
    let mut shorts: HashMap<u32, Vec<usize>> = HashMap::new();
    for anchor in named.flatten() {
        match anchor.form {
            Form::Short(digits) | Form::Place { short: digits, .. } => drop(shorts.entry(digits).or_default()),
            Form::Long(digits) => drop(shorts.entry(digits >> 8).or_default()),
            Form::Context(_) => {}
        }
    }
    for (line, hash) in (1..).zip(anchors.hashes()) {
        if let Some(lines) = shorts.get_mut(&short(*hash)) {
            lines.push(line);
        }
    }
    Some(shorts)
}

/// One anchor of an operation, with what goes with it.
struct Asked {
    index: usize,
    field: OperationField,
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
                let asked = Asked { index, field: OperationField::Hash, anchor, occurrence, line };
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
                let (start, end) = (asked(OperationField::StartHash, start), asked(OperationField::EndHash, end));
                let (first, last) = (self.line(&start), self.line(&end));
                let (first, last, correction) = self.range(&start, first?, last?)?;
                (first - 1..last, correction)
            }
        };
        if let Some(mut fault) = self.was_fault(operation, &span) {
            if let AnchorFault::WasDiffers { range: Some(range), .. } = &mut fault {
                range.swapped = correction.is_some();
            }
            let (Reach::Line { anchor, .. } | Reach::Range { start: anchor, .. }) = operation.reach;
            let anchor = anchor.form.to_string();
            self.faults.push(OperationFault { index, field: OperationField::Was, anchor, fault });
            return None;
        }
        Some(Placed { index, span, lines: &operation.lines, deed: operation.deed, correction })
    }

    /// The line of an operation on one line, from 1.
    fn single(&mut self, asked: &Asked) -> Option<usize> {
        let line = self.line(asked)?;
        let chosen = asked.occurrence.is_some() || matches!(asked.anchor.form, Form::Place { .. });
        if is_low(self.anchors.text(line)) && !chosen {
            let content = self.preview(line);
            let neighbours = self.previewed(self.anchors.neighbours(line, NEIGHBOURS));
            self.faults.push(asked.fault(AnchorFault::LowEntropy { line, content, neighbours }));
            return None;
        }
        Some(line)
    }

    /// The lines of a range, from 1, in their order.
    fn range(&mut self, start: &Asked, first: usize, last: usize) -> Option<(usize, usize, Option<Correction>)> {
        if first == last {
            let quality = if is_low(self.anchors.text(first)) { Quality::Low } else { Quality::High };
            self.faults.push(start.fault(AnchorFault::OneLineRange { line: first, quality }));
            return None;
        }
        let correction = (first > last).then_some(Correction::RangeSwapped { start: first as u64, end: last as u64 });
        let (first, last) = (first.min(last), first.max(last));
        Some((first, last, correction))
    }

    /// All lines that a form names.
    fn find(&self, form: &Form) -> Vec<usize> {
        let Some(shorts) = &self.shorts else { return self.anchors.find(form) };
        let sharing = |digits: u32| shorts.get(&digits).cloned().unwrap_or_default();
        match *form {
            Form::Short(digits) => sharing(digits),
            Form::Long(digits) => {
                let hash = |line: usize| self.anchors.hashes().get(line - 1).map(|hash| long(*hash));
                let mut lines = sharing(digits >> 8);
                lines.retain(|line| hash(*line) == Some(digits));
                if lines.is_empty() { self.anchors.find(form) } else { lines }
            }
            Form::Place { short, at, of } => {
                let lines = sharing(short);
                let place = at.checked_sub(1).and_then(|at| lines.get(at));
                place.filter(|_| lines.len() == of).copied().into_iter().collect()
            }
            Form::Context(_) => self.anchors.find(form),
        }
    }

    /// The one line that an anchor names, from 1.
    fn line(&mut self, asked: &Asked) -> Option<usize> {
        let lines = self.find(&asked.anchor.form);
        let found = match (lines.as_slice(), asked.occurrence, asked.anchor.form) {
            ([], ..) if is_planted(Bug::AnchorGuessed) => Ok(1),
            ([], ..) => Err(AnchorFault::Unknown(self.unknown(asked.anchor.form))),
            // The place has chosen, and an occurrence beside it says the same.
            ([_], _, Form::Place { short, at, .. }) => {
                let equals = self.find(&Form::Short(short));
                self.chosen(asked, at.saturating_sub(1), &equals)
            }
            (many, Some(occurrence), _) if (1..=many.len()).contains(&occurrence) => {
                self.chosen(asked, occurrence - 1, many)
            }
            (many, Some(occurrence), _) => Err(self.no_such(occurrence, many)),
            ([one], None, _) => Ok(*one),
            (many, None, _) => Err(self.several(asked.field, many)),
        };
        match found.and_then(|line| self.agrees(asked, line)) {
            Ok(line) => Some(line),
            Err(fault) => {
                self.faults.push(asked.fault(fault));
                None
            }
        }
    }

    /// One of several equal lines, by its place among them. Where somebody else changed the file since that
    /// was counted, it must still be the same one.
    fn chosen(&mut self, asked: &Asked, at: usize, equals: &[usize]) -> Result<usize, AnchorFault> {
        let line = equals.get(at).copied().ok_or_else(|| self.no_such(at + 1, equals))?;
        match &self.knows.earlier {
            Some(earlier) if equals.len() > 1 && self.knows.numbers == Numbers::Unseen => {
                let same = same_place(earlier, self.anchors.hashes(), asked.anchor.form, at, equals);
                if same { Ok(line) } else { Err(AnchorFault::EqualsMoved { line, count: equals.len() }) }
            }
            _ => Ok(line),
        }
    }

    /// Numbers that came with an anchor must be those of its line, where the caller has seen them.
    fn agrees(&self, asked: &Asked, line: usize) -> Result<usize, AnchorFault> {
        let said = [asked.line, asked.anchor.line].into_iter().flatten().find(|said| *said != line);
        match (said, self.knows.numbers) {
            (Some(said), Numbers::Seen) => {
                let mut both = self.previewed(self.anchors.shown(&[line, said])).into_iter();
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
            Form::Place { short, .. } => match self.find(&Form::Short(short)).len() {
                0 => Unknown::Hash,
                now => Unknown::Places(now),
            },
            _ if self.lossy => Unknown::Charset,
            _ => Unknown::Hash,
        }
    }

    fn several(&mut self, field: OperationField, lines: &[usize]) -> AnchorFault {
        let told_apart = field == OperationField::Hash && self.told_apart(lines);
        let (candidates, count) = (self.candidates(lines), lines.len());
        match told_apart {
            true => AnchorFault::Ambiguous { candidates, count },
            false => AnchorFault::ContextAmbiguous { candidates, count },
        }
    }

    /// Has each of these lines a form of its own, places not counting?
    fn told_apart(&mut self, lines: &[usize]) -> bool {
        let Some(first) = lines.first() else { return false };
        let key = (*first, lines.len());
        if let Some(known) = self.apart.get(&key) {
            return *known;
        }
        let apart = self.anchors.shown(lines).iter().all(|one| !matches!(one.form, Form::Place { .. }));
        self.apart.insert(key, apart);
        apart
    }

    fn no_such(&mut self, asked: usize, lines: &[usize]) -> AnchorFault {
        AnchorFault::NoSuchOccurrence { asked, candidates: self.candidates(lines), count: lines.len() }
    }

    pub(super) fn candidates(&mut self, lines: &[usize]) -> Vec<Candidate> {
        let some = lines.get(..self.room).unwrap_or(lines);
        self.room -= some.len();
        if some.is_empty() { Vec::new() } else { self.previewed(self.anchors.shown(some)) }
    }

    fn previewed(&self, shown: Vec<Shown>) -> Vec<Candidate> {
        shown.into_iter().map(|shown| Candidate { shown, preview: self.preview(shown.line) }).collect()
    }

    pub(super) fn preview(&self, line: usize) -> String {
        cut(self.anchors.text(line))
    }
}

/// A line for showing, cut where it is long.
pub(super) fn cut(text: &[u8]) -> String {
    // A character has four bytes at most.
    let head = text.get(..PREVIEW * 4).unwrap_or(text);
    let shown = String::from_utf8_lossy(head);
    let cut: String = shown.chars().take(PREVIEW).collect();
    if cut.len() < text.len() && head.len() < text.len() || shown.chars().count() > PREVIEW {
        return format!("{cut}…");
    }
    cut
}
