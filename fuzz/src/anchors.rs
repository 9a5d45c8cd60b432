//! Target `anchors`: operations on anchored lines, from the JSON of a call to the new bytes, against a scan of all
//! lines for every anchor; and every printed anchor against all others.

mod scan;

use crate::feed::Feed;
use crate::one_file::{self, NAME, planned};
use crate::page::{Page, some_lines};
use crate::rows::{Rows, Swap, meet};
use patchwright_app::wire;
use patchwright_core::anchor::Anchors;
use patchwright_core::intent::{Intent, Knows, Numbers};
use patchwright_core::refusal::{AnchorFault, Kind, OperationFault, Refusal, Why};
use patchwright_core::text::FinalNewline;
use patchwright_core::tool::{Call, Edit};
use scan::{Name, Scan};
use serde_json::{Value, json};

/// An operation as it is asked for.
#[derive(Debug)]
struct Asked {
    deed: Deed,
    start: Name,
    /// The other end of a range.
    end: Option<Name>,
    occurrence: Option<usize>,
    line: Option<usize>,
    lines: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deed {
    Replace,
    Delete,
    After,
    Before,
}

/// What is wrong with an operation: its number, and the kind.
type Wrong = (usize, Kind);

pub(crate) fn run(data: &[u8]) {
    let mut feed = Feed::new(data);
    let page = Page::read(&mut feed, 14);
    let rows = Rows::of(&page.text);
    let scan = Scan::of(&rows);
    printed(&page, &scan);
    let numbers = feed.pick(&[Numbers::Unseen, Numbers::Seen]);
    let asked: Vec<Asked> = (0..=feed.below(4)).map(|_| one(&mut feed, &scan)).collect();
    let Some(ask) = typed(&asked) else { return };
    let knows = Knows { numbers, earlier: None };
    let Edit { operations, safety, charset, .. } = ask;
    let intent =
        Intent::Anchored { path: one_file::path(NAME), operations, safety, knows, charset, last: FinalNewline::Keep };
    let found = planned(&page.raw, intent);
    let (swaps, wrong) = resolved(&scan, &asked, numbers);
    let about = || format!("{asked:?} {numbers:?} on {:?}", page.text.escape_ascii().to_string());
    let meeting = swaps.iter().enumerate().any(|(at, one)| swaps.iter().skip(at + 1).any(|other| meet(one, other)));
    match found {
        Ok(after) => {
            assert!(
                wrong.is_empty() && !meeting,
                "{} was applied, in spite of {wrong:?} or lines wanted twice",
                about()
            );
            let wanted = page.dressed(&rows.swapped(&swaps));
            assert_eq!(after.escape_ascii().to_string(), wanted.escape_ascii().to_string(), "{}", about());
        }
        Err(refusal) => {
            let (told, overlaps) = told(&refusal).unwrap_or_else(|| panic!("{}: {refusal:?}", about()));
            assert_eq!((told, overlaps), (wrong, meeting), "{}: {refusal:?}", about());
        }
    }
}

/// Whatever is printed for a line names it and no other, and nothing shorter does.
fn printed(page: &Page, scan: &Scan) {
    let anchors = Anchors::of(&page.text);
    for shown in anchors.slice(1..=scan.count()) {
        assert_eq!(
            shown.form,
            scan.shortest(shown.line - 1),
            "line {} of {:?}",
            shown.line,
            page.text.escape_ascii().to_string()
        );
        assert_eq!(anchors.find(&shown.form), [shown.line], "line {}", shown.line);
    }
}

fn one(feed: &mut Feed<'_>, scan: &Scan) -> Asked {
    let deed = feed.pick(&[Deed::Replace, Deed::Delete, Deed::After, Deed::Before]);
    let wide = matches!(deed, Deed::Replace | Deed::Delete) && feed.once_in(2);
    let start = Name::read(feed, scan);
    let end = wide.then(|| Name::read(feed, scan));
    let occurrence = (!wide && feed.once_in(4)).then(|| 1 + feed.below(4));
    let line = (!wide && feed.once_in(6)).then(|| 1 + feed.below(8));
    let lines = if deed == Deed::Delete { Vec::new() } else { some_lines(feed) };
    Asked { deed, start, end, occurrence, line, lines }
}

/// The typed call; nothing where two places were named for one line.
fn typed(asked: &[Asked]) -> Option<Edit> {
    let operations: Vec<Value> = asked.iter().map(Asked::json).collect();
    let arguments = json!({"path": NAME, "operations": operations, "safety_check": "off"}).to_string();
    let clash = |one: &Asked| one.start.place().zip(one.occurrence).is_some_and(|(at, occurrence)| at != occurrence);
    match wire::call("edit", &arguments) {
        Ok(Call::Edit(ask)) if !asked.iter().any(clash) => Some(ask),
        Err(wire::Rejected::Refused(_)) if asked.iter().any(clash) => None,
        other => panic!("{arguments}: {other:?}"),
    }
}

impl Asked {
    fn json(&self) -> Value {
        let op = match (self.deed, &self.end) {
            (Deed::Replace, None) => "replace_line",
            (Deed::Replace, Some(_)) => "replace_range",
            (Deed::Delete, None) => "delete_line",
            (Deed::Delete, Some(_)) => "delete_range",
            (Deed::After, _) => "insert_after",
            (Deed::Before, _) => "insert_before",
        };
        let mut fields = match &self.end {
            None => json!({"op": op, "hash": self.start.spelt()}),
            Some(end) => json!({"op": op, "start_hash": self.start.spelt(), "end_hash": end.spelt()}),
        };
        let content = (!self.lines.is_empty()).then(|| json!(self.lines.join("\n") + "\n"));
        let more = [
            ("content", content),
            ("occurrence", self.occurrence.map(Value::from)),
            ("line", self.line.map(Value::from)),
        ];
        for (name, value) in more {
            if let (Some(value), Some(fields)) = (value, fields.as_object_mut()) {
                fields.insert(name.to_owned(), value);
            }
        }
        fields
    }
}

/// Where each operation goes, and what is wrong with the others.
fn resolved(scan: &Scan, asked: &[Asked], numbers: Numbers) -> (Vec<Swap>, Vec<Wrong>) {
    let (mut swaps, mut wrong) = (Vec::new(), Vec::new());
    for (index, one) in asked.iter().enumerate() {
        match place(scan, one, numbers) {
            Ok(span) => swaps.push(Swap { span, lines: one.lines.clone(), index }),
            Err(kinds) => wrong.extend(kinds.into_iter().map(|kind| (index, kind))),
        }
    }
    (swaps, wrong)
}

fn place(scan: &Scan, one: &Asked, numbers: Numbers) -> Result<std::ops::Range<usize>, Vec<Kind>> {
    let agreed = |name: &Name, line: Option<usize>, found: usize| {
        let other = [name.number, line].into_iter().flatten().any(|said| said != found + 1);
        if other && numbers == Numbers::Seen { Err(Kind::AnchorAmbiguous) } else { Ok(found) }
    };
    let Some(end) = &one.end else {
        let at = scan
            .line(&one.start, one.occurrence)
            .and_then(|at| agreed(&one.start, one.line, at))
            .map_err(|kind| vec![kind])?;
        let chosen = one.occurrence.is_some() || one.start.place().is_some();
        if scan.is_low(at) && !chosen {
            return Err(vec![Kind::AnchorLowEntropy]);
        }
        return Ok(match one.deed {
            Deed::After => at + 1..at + 1,
            Deed::Before => at..at,
            Deed::Replace | Deed::Delete => at..at + 1,
        });
    };
    let ends = [&one.start, end].map(|name| scan.end(name).and_then(|at| agreed(name, None, at)));
    match ends {
        [Ok(first), Ok(last)] if first == last => Err(vec![Kind::InvalidRangeOrder]),
        [Ok(first), Ok(last)] => Ok(first.min(last)..first.max(last) + 1),
        ends => Err(ends.into_iter().filter_map(Result::err).collect()),
    }
}

/// What a refusal says is wrong, overlaps apart; and whether there are such.
fn told(refusal: &Refusal) -> Option<(Vec<Wrong>, bool)> {
    let Why::Operations(faults) = &refusal.why else { return None };
    let overlap = |fault: &&OperationFault| matches!(fault.fault, AnchorFault::Overlap { .. });
    let others = faults.iter().filter(|fault| !overlap(fault));
    Some((others.map(|fault| (fault.index, fault.fault.kind())).collect(), faults.iter().any(|fault| overlap(&fault))))
}
