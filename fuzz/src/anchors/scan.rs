//! Anchors found by looking at every line, every time.

use crate::feed::Feed;
use crate::rows::Rows;
use patchwright_core::anchor::{Form, line_hash};
use patchwright_core::refusal::Kind;

/// All lines and their hashes as hex digits.
pub(crate) struct Scan {
    lines: Vec<Line>,
}

struct Line {
    own: String,
    context: String,
    low: bool,
}

/// An anchor as a caller spells it.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    /// The number before the `#`.
    pub(crate) number: Option<usize>,
    digits: Digits,
}

#[derive(Clone, Debug)]
enum Digits {
    /// Six or eight.
    Own(String),
    Context(String),
    Place(String, usize, usize),
}

impl Scan {
    pub(crate) fn of(rows: &Rows) -> Scan {
        let texts: Vec<&[u8]> = rows.texts().collect();
        let line = |at: usize, text: &[u8]| {
            let filled = |text: &&&[u8]| !String::from_utf8_lossy(text).chars().all(char::is_whitespace);
            let above = texts.iter().take(at).rev().find(filled).copied().unwrap_or_default();
            let below = texts.iter().skip(at + 1).find(filled).copied().unwrap_or_default();
            let around = [above, b"\n", text, b"\n", below].concat();
            let low = !String::from_utf8_lossy(text).chars().any(char::is_alphanumeric);
            Line { own: hex(text), context: hex(&around).chars().take(8).collect(), low }
        };
        Scan { lines: texts.iter().enumerate().map(|(at, text)| line(at, text)).collect() }
    }

    pub(crate) fn count(&self) -> usize {
        self.lines.len()
    }

    /// Has a line, from 0, neither letter nor digit?
    pub(crate) fn is_low(&self, at: usize) -> bool {
        self.lines.get(at).is_some_and(|line| line.low)
    }

    /// The shortest form that only this line has.
    pub(crate) fn shortest(&self, at: usize) -> Form {
        let Some(line) = self.lines.get(at) else { panic!("there is no line {at}") };
        let number = |digits: &str| u32::from_str_radix(digits, 16).unwrap_or_else(|error| panic!("{digits}: {error}"));
        let (short, long) = (first(&line.own, 6), first(&line.own, 8));
        let sharers = self.with_own(short);
        match () {
            () if sharers.len() == 1 => Form::Short(number(short)),
            () if self.with_own(long).len() == 1 => Form::Long(number(long)),
            () if self.with_context(&line.context).len() == 1 => Form::Context(number(&line.context)),
            () => {
                let nth = sharers.iter().filter(|other| **other <= at).count();
                Form::Place { short: number(short), at: nth, of: sharers.len() }
            }
        }
    }

    /// The one line, from 0, that a single anchor names.
    pub(crate) fn line(&self, name: &Name, occurrence: Option<usize>) -> Result<usize, Kind> {
        let found = self.found(name);
        let chosen = occurrence.filter(|_| name.place().is_none());
        match (found.as_slice(), chosen) {
            ([], _) => Err(Kind::AnchorStale),
            (found, Some(occurrence)) => found.get(occurrence - 1).copied().ok_or(Kind::AnchorAmbiguous),
            ([one], None) => Ok(*one),
            (found, None) if found.iter().all(|at| !matches!(self.shortest(*at), Form::Place { .. })) => {
                Err(Kind::AnchorAmbiguous)
            }
            _ => Err(Kind::AnchorContextAmbiguous),
        }
    }

    /// The one line, from 0, that the end of a range names.
    pub(crate) fn end(&self, name: &Name) -> Result<usize, Kind> {
        match self.found(name).as_slice() {
            [] => Err(Kind::AnchorStale),
            [one] => Ok(*one),
            _ => Err(Kind::AnchorContextAmbiguous),
        }
    }

    fn found(&self, name: &Name) -> Vec<usize> {
        match &name.digits {
            Digits::Own(digits) => {
                let own = self.with_own(digits);
                if own.is_empty() && digits.len() == 8 { self.with_context(digits) } else { own }
            }
            Digits::Context(digits) => self.with_context(digits),
            Digits::Place(digits, at, of) => {
                let own = self.with_own(digits);
                let fits = own.len() == *of;
                own.get(at - 1).copied().filter(|_| fits).into_iter().collect()
            }
        }
    }

    fn with_own(&self, digits: &str) -> Vec<usize> {
        self.which(|line| line.own.starts_with(digits))
    }

    fn with_context(&self, digits: &str) -> Vec<usize> {
        self.which(|line| line.context == digits)
    }

    fn which(&self, fits: impl Fn(&Line) -> bool) -> Vec<usize> {
        (0..self.count()).filter(|at| self.lines.get(*at).is_some_and(&fits)).collect()
    }
}

impl Name {
    /// Mostly the name of a line that is there.
    pub(crate) fn read(feed: &mut Feed<'_>, scan: &Scan) -> Name {
        let at = feed.below(scan.count());
        let (own, context) =
            scan.lines.get(at).map_or((hex(b"?"), hex(b"!")), |line| (line.own.clone(), line.context.clone()));
        let sharers = scan.with_own(first(&own, 6));
        let nth = sharers.iter().filter(|other| **other < at).count() + 1;
        let digits = match feed.below(12) {
            0..3 => Digits::Own(first(&own, 6).to_owned()),
            3..5 => Digits::Own(first(&own, 8).to_owned()),
            5..7 => Digits::Context(first(&context, 8).to_owned()),
            7..9 => Digits::Place(first(&own, 6).to_owned(), nth, sharers.len().max(nth)),
            9 => Digits::Place(first(&own, 6).to_owned(), 1 + feed.below(3), 3),
            10 => Digits::Own(first(&context, 8).to_owned()),
            _ => Digits::Own(format!("{:06x}", feed.wide())),
        };
        let number = match feed.below(4) {
            3 => Some(1 + feed.below(16)),
            2 => Some(at + 1),
            _ => None,
        };
        Name { number, digits }
    }

    /// The place among equals that is part of it.
    pub(crate) fn place(&self) -> Option<usize> {
        match self.digits {
            Digits::Place(_, at, _) => Some(at),
            _ => None,
        }
    }

    pub(crate) fn spelt(&self) -> String {
        let number = self.number.map(|number| format!("{number}#")).unwrap_or_default();
        match &self.digits {
            Digits::Own(digits) => format!("{number}{digits}"),
            Digits::Context(digits) => format!("{number}~{digits}"),
            Digits::Place(digits, at, of) => format!("{number}{digits}@{at}/{of}"),
        }
    }
}

fn hex(text: &[u8]) -> String {
    format!("{:016x}", line_hash(text))
}

fn first(digits: &str, count: usize) -> &str {
    digits.get(..count).unwrap_or(digits)
}
