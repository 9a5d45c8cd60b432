//! Reads an envelope.
//!
//! ```text
//! envelope = blank*, "*** Begin Patch", blank*, section+, "*** End Patch", blank* ;
//! section  = add | update | delete | move ;
//! add      = "*** Add File: ", path, ( "+", text )*, marker?, blank* ;
//! update   = "*** Update File: ", path, ( hunks | "*** Move to: ", path, hunks? ), blank* ;
//! delete   = "*** Delete File: ", path, blank* ;
//! move     = "*** Move File: ", path, " -> ", path, hunks?, blank* ;
//! hunks    = ( body | at+, body ), ( at+, body )* ;
//! at       = "@@", text ;
//! body     = line, ( line | marker )*, ( "*** End of File", blank* )? ;
//! line     = ( " " | "-" | "+" ), text
//!          | empty ;    (* context; skipped where the hunk ends below it, unless right after at *)
//! marker   = "\ No newline at end of file" ;
//! ```
//!
//! Every item stands on lines of its own, which end in `\n` or `\r\n`. A path has no blanks at its ends;
//! in a move it has no ` -> `. A blank line may hold white space, an empty one holds nothing. What is not
//! plain grammar (blanks, empty lines, `\r\n`, `*** Move to:`, `*** End of File`, no `@@`, several) is noted.
//! The Codex conventions add white space around `***` lines and a heredoc around everything.
//!
//! Promises linear time without recursion: the cursor only goes forward, and a run of empty lines is
//! looked over once before it is taken or skipped. Leaves the lines of hunks to `body`.

use super::body;
use super::cursor::{Cursor, Indent};
use super::heredoc;
use super::marker::Stars;
use super::reading::{HunkSpan, Parsed, Reading, SectionSpan, Span};
use super::{AddEnd, Closes, Hunk, NO_NEWLINE, Patch, Section};
use crate::conventions::Conventions;
use crate::refusal::{Grammar, Refusal};

/// Reads a patch, or says on which line it is no patch and what was expected there.
///
/// ```
/// use patchwright_core::dialect::envelope::{Section, parse, print};
/// use patchwright_core::conventions::Conventions;
/// let text = "*** Begin Patch\n*** Delete File: old.txt\n*** End Patch\n";
/// let parsed = parse(text, Conventions::Strict).unwrap();
/// assert_eq!(parsed.patch.sections, [Section::Delete { path: "old.txt".into() }]);
/// assert_eq!((parsed.places[0].span.first, parsed.readings.len()), (2, 0));
/// assert_eq!(print(&parsed.patch), text);
/// ```
pub fn parse(text: &str, conventions: Conventions) -> Result<Parsed, Refusal> {
    let mut cursor = Cursor::of(text, conventions);
    if conventions == Conventions::Codex {
        heredoc::unwrap(&mut cursor)?;
    }
    let mut parser = Parser { cursor };
    parser.begin()?;
    let (sections, places) = parser.sections()?;
    parser.end()?;
    let readings = parser.cursor.notes.into_sorted();
    Ok(Parsed { patch: Patch { sections }, places, readings })
}

struct Parser<'t> {
    cursor: Cursor<'t>,
}

/// Whether a section needs a hunk.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hunks {
    Needed,
    Optional,
}

impl<'t> Parser<'t> {
    fn begin(&mut self) -> Result<(), Refusal> {
        self.cursor.skip(self.cursor.blanks(), Reading::BlankAroundMarker);
        if self.cursor.stars(Indent::Padding) != Some(Stars::Begin) {
            return Err(self.cursor.fault(Grammar::Begin));
        }
        self.cursor.take_stars();
        self.cursor.skip(self.cursor.blanks(), Reading::BlankAroundMarker);
        Ok(())
    }

    fn end(&mut self) -> Result<(), Refusal> {
        self.cursor.take_stars();
        self.cursor.skip(self.cursor.blanks(), Reading::BlankAroundMarker);
        match self.cursor.peek() {
            Some(_) => Err(self.cursor.fault(Grammar::Nothing)),
            None => Ok(()),
        }
    }

    /// All sections, up to the end marker.
    fn sections(&mut self) -> Result<(Vec<Section>, Vec<SectionSpan>), Refusal> {
        let (mut sections, mut places) = (Vec::new(), Vec::new());
        loop {
            let first = self.cursor.number();
            let (section, hunks) = match self.cursor.stars(Indent::Padding) {
                Some(Stars::End) if !sections.is_empty() => return Ok((sections, places)),
                Some(Stars::Add(path)) => (self.add(path)?, Vec::new()),
                Some(Stars::Update(path)) => self.update(path)?,
                Some(Stars::Delete(path)) => (self.delete(path)?, Vec::new()),
                Some(Stars::Move(paths)) => self.moved(paths)?,
                _ if sections.is_empty() => return Err(self.cursor.fault(Grammar::Section)),
                _ => return Err(self.cursor.fault(Grammar::SectionOrEnd)),
            };
            let span = Span { first, last: self.cursor.taken() };
            self.skip_between();
            sections.push(section);
            places.push(SectionSpan { span, hunks });
        }
    }

    fn add(&mut self, path: &'t str) -> Result<Section, Refusal> {
        let path = self.path(path)?;
        let mut lines = Vec::new();
        while let Some(text) = self.cursor.peek().and_then(|line| line.strip_prefix('+')) {
            lines.push(text.to_owned());
            self.cursor.take();
        }
        if self.cursor.peek() != Some(NO_NEWLINE) {
            self.closed(0, Grammar::AddLine)?;
            return Ok(Section::Add { path, lines, end: AddEnd::Ruled });
        }
        if lines.is_empty() {
            return Err(self.cursor.fault(Grammar::LineAboveMarker));
        }
        self.cursor.take();
        self.closed(self.cursor.blanks(), Grammar::SectionOrEnd)?;
        Ok(Section::Add { path, lines, end: AddEnd::Bare })
    }

    fn delete(&mut self, path: &'t str) -> Result<Section, Refusal> {
        let path = self.path(path)?;
        self.closed(self.cursor.blanks(), Grammar::NoBody)?;
        Ok(Section::Delete { path })
    }

    fn update(&mut self, path: &'t str) -> Result<(Section, Vec<HunkSpan>), Refusal> {
        let path = self.path(path)?;
        let move_to = match self.cursor.stars(Indent::Sign) {
            Some(Stars::MoveTo(to)) => {
                self.cursor.note(Reading::MoveTo);
                Some(self.path(to)?)
            }
            _ => None,
        };
        let need = if move_to.is_some() { Hunks::Optional } else { Hunks::Needed };
        let (hunks, spans) = self.hunks(need)?;
        Ok((Section::Update { path, move_to, hunks }, spans))
    }

    fn moved(&mut self, paths: &'t str) -> Result<(Section, Vec<HunkSpan>), Refusal> {
        let given = paths.strip_prefix(' ').filter(|given| !given.is_empty());
        let Some(given) = given else { return Err(self.cursor.fault(Grammar::Path)) };
        let Some((from, to)) = around_arrow(given) else { return Err(self.cursor.fault(Grammar::FromTo)) };
        let (from, to) = (self.trimmed(from)?, self.trimmed(to)?);
        self.cursor.take_stars();
        let (hunks, spans) = self.hunks(Hunks::Optional)?;
        Ok((Section::Move { from, to, hunks }, spans))
    }

    /// Takes a line whose path follows its colon and one space.
    fn path(&mut self, after_colon: &str) -> Result<String, Refusal> {
        let path = self.trimmed(after_colon.strip_prefix(' ').unwrap_or_default())?;
        self.cursor.take_stars();
        Ok(path)
    }

    /// A path without padding, which only the Codex conventions allow.
    fn trimmed(&mut self, given: &str) -> Result<String, Refusal> {
        let path = given.trim();
        let padded = path != given;
        if path.is_empty() || (padded && self.cursor.conventions == Conventions::Strict) {
            return Err(self.cursor.fault(Grammar::Path));
        }
        if padded {
            self.cursor.note(Reading::PaddedMarker);
        }
        Ok(path.to_owned())
    }

    /// Makes sure that beyond blank lines the section ends. A fault is at the line so many below the cursor.
    fn closed(&self, fault: usize, expected: Grammar) -> Result<(), Refusal> {
        let next = self.cursor.blanks();
        let ends = self.cursor.beyond(next).is_none()
            || self.cursor.stars_beyond(next, Indent::Padding).is_some_and(Stars::is_boundary);
        let line = self.cursor.number().saturating_add(fault);
        if ends { Ok(()) } else { Err(self.cursor.fault_at(line, expected)) }
    }

    /// Skips blank lines between sections, or before the end.
    fn skip_between(&mut self) {
        let blanks = self.cursor.blanks();
        let last = self.cursor.stars_beyond(blanks, Indent::Padding) == Some(Stars::End);
        self.cursor.skip(blanks, if last { Reading::BlankAroundMarker } else { Reading::SkippedBlank });
    }

    fn hunks(&mut self, need: Hunks) -> Result<(Vec<Hunk>, Vec<HunkSpan>), Refusal> {
        let (mut hunks, mut spans) = (Vec::new(), Vec::new());
        if self.first_hunk_follows(need)? {
            loop {
                let (hunk, span) = self.hunk()?;
                if hunk.closes == Closes::EndOfFile {
                    self.after_end_of_file()?;
                }
                hunks.push(hunk);
                spans.push(span);
                if !self.cursor.peek().is_some_and(|line| line.starts_with("@@")) {
                    break;
                }
            }
        }
        Ok((hunks, spans))
    }

    fn first_hunk_follows(&mut self, need: Hunks) -> Result<bool, Refusal> {
        if self.cursor.peek().is_some_and(|line| line.starts_with("@@")) {
            return Ok(true);
        }
        if self.cursor.peek().is_some_and(|line| line.starts_with([' ', '-', '+'])) {
            self.cursor.note(Reading::NoAt);
            return Ok(true);
        }
        self.closed(0, Grammar::Hunk)?;
        match need {
            Hunks::Optional => Ok(false),
            Hunks::Needed => {
                let line = self.cursor.number().saturating_add(self.cursor.blanks());
                Err(self.cursor.fault_at(line, Grammar::Hunk))
            }
        }
    }

    fn hunk(&mut self) -> Result<(Hunk, HunkSpan), Refusal> {
        let first = self.cursor.number();
        let mut headers = Vec::new();
        while let Some(text) = self.cursor.peek().and_then(|line| line.strip_prefix("@@")) {
            // With the Codex conventions they nest, and each says something.
            if headers.len() == 1 && self.cursor.conventions == Conventions::Strict {
                self.cursor.note(Reading::SeveralAt);
            }
            headers.push(text.strip_prefix(' ').unwrap_or(text).to_owned());
            self.cursor.take();
        }
        let body = body::read(&mut self.cursor)?;
        let span = Span { first, last: body.last };
        Ok((Hunk { headers, lines: body.lines, closes: body.closes }, HunkSpan { span, lines: body.numbers }))
    }

    /// Beyond `*** End of File` only another hunk, another section or the end may come.
    fn after_end_of_file(&mut self) -> Result<(), Refusal> {
        let blanks = self.cursor.blanks();
        if self.cursor.beyond(blanks).is_some_and(|line| line.starts_with("@@")) {
            self.cursor.skip(blanks, Reading::SkippedBlank);
            return Ok(());
        }
        self.closed(blanks, Grammar::SectionOrEnd)
    }
}

/// Both sides of the one arrow.
fn around_arrow(paths: &str) -> Option<(&str, &str)> {
    let (from, to) = paths.split_once(" -> ")?;
    let again = to.contains(" -> ") || to.starts_with("-> ");
    (!again && !from.is_empty() && !to.is_empty()).then_some((from, to))
}
