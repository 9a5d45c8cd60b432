//! The two ways of finding places against each other and against the plainest reading of the rules, over
//! random small files of few different lines; and the sizes that must stay quick.

use super::roll::{READ_MAX, Way};
use super::*;
use crate::digest::Digest;
use crate::history::{Piece, Span, check_spans};
use crate::intent::{BareHunk, HunkEnd, HunkPlace, OldEnd, OldOf};
use crate::refusal::{Expected, Many, Misfit, Sought, Why};
use crate::text::line::Census;
use crate::text::terminate::kept_apart;
use crate::text::{FinalNewline, Terminator, final_newline, lines};
use proptest::prelude::*;

fn run(way: Way, text: &str, hunks: &[Hunk]) -> Result<Edited, Refusal> {
    let path = RelPath::parse("f", &[]).unwrap();
    let file = file_of(&path, text);
    patch_by(way, Target { path: &path, file: &file, charset: None }, hunks, &mut READ_MAX.clone())
}

fn file_of(path: &RelPath, text: &str) -> SnapshotFile {
    let (bytes, size) = (text.as_bytes(), text.len() as u64);
    let digest = Digest::of(bytes);
    SnapshotFile { real: path.clone(), bytes: Some(bytes.to_vec().into()), digest, size, mode: 0o644, id: (1, 1) }
}

/// A refusal without what only explains it.
#[derive(Debug, PartialEq)]
enum Brief {
    Nowhere(Vec<usize>),
    Many(usize, Vec<usize>),
    ManyHeaders(Vec<usize>),
    NoHeader,
    OutOfScope(Vec<usize>),
    NotAtEnd(Vec<usize>),
    EndsInNewline,
    Bare,
    Overlap(usize, usize),
}

fn brief(refusal: &Refusal) -> (usize, Brief) {
    match refusal.why.clone() {
        Why::HunkMany { hunk, sought: Sought::OldLines { .. }, count, disk, .. } => {
            (hunk.index, Brief::Many(count, disk))
        }
        Why::HunkMany { hunk, disk, .. } => (hunk.index, Brief::ManyHeaders(disk)),
        Why::HunkOverlap { hunk, earlier, line } => (hunk.index, Brief::Overlap(earlier.index, line)),
        Why::HunkBare { hunk } => (hunk.index, Brief::Bare),
        Why::HunkMisfit { hunk, misfit } => {
            let brief = match misfit {
                Misfit::Nowhere { already_at, .. } => Brief::Nowhere(already_at),
                Misfit::NotAtEnd(lines) => Brief::NotAtEnd(lines),
                Misfit::EndsInNewline => Brief::EndsInNewline,
                Misfit::NoHeader { .. } => Brief::NoHeader,
                Misfit::OutOfScope { lines, .. } => Brief::OutOfScope(lines),
                Misfit::LinesLeft(_) | Misfit::LineEnds { .. } => panic!("{misfit:?}"),
            };
            (hunk.index, brief)
        }
        other => panic!("{other:?}"),
    }
}

/// The lines that a refusal names.
fn numbers(brief: &mut Brief) -> Vec<&mut usize> {
    match brief {
        Brief::Nowhere(lines) | Brief::Many(_, lines) | Brief::ManyHeaders(lines) => lines.iter_mut().collect(),
        Brief::NotAtEnd(lines) | Brief::OutOfScope(lines) => lines.iter_mut().collect(),
        Brief::Overlap(_, line) => vec![line],
        Brief::NoHeader | Brief::EndsInNewline | Brief::Bare => Vec::new(),
    }
}

/// A line of the plain model. `by` is the hunk that added it, `disk` its number in the file on disk; 0 for
/// one that is not there.
#[derive(Clone, Debug, PartialEq)]
struct Plain {
    text: String,
    ends: Terminator,
    by: Option<usize>,
    disk: usize,
}

/// The file between hunks, and what it was before each.
struct Model {
    old: String,
    lines: Vec<Plain>,
    bare: bool,
    history: Vec<Vec<Plain>>,
}

impl Model {
    fn of(text: &str) -> Self {
        let plain = |(at, line): (usize, crate::text::Line<'_>)| Plain {
            text: String::from_utf8(line.text.to_vec()).unwrap(),
            ends: line.terminator,
            by: None,
            disk: at + 1,
        };
        let lines = lines(text.as_bytes()).enumerate().map(plain).collect();
        Self { old: text.to_owned(), lines, bare: !final_newline(text.as_bytes()), history: Vec::new() }
    }

    fn lent(&self, line: &Plain) -> Terminator {
        let above = lines(self.old.as_bytes()).filter(|line| line.terminator != Terminator::None).last();
        match line.ends {
            Terminator::None => above.map_or(Terminator::Lf, |line| line.terminator),
            ends => ends,
        }
    }

    /// The block of a line, in a file of no known language.
    fn block(&self, header: usize, until: usize) -> usize {
        let indent = |at: usize| self.lines[at].text.len() - self.lines[at].text.trim_start_matches(' ').len();
        let filled: Vec<usize> = (header + 1..until).filter(|at| !self.lines[*at].text.trim().is_empty()).collect();
        let deeper = |at: &&usize| indent(**at) > indent(header);
        match filled.first().filter(deeper) {
            Some(_) => filled.iter().take_while(deeper).last().unwrap() + 1,
            None => filled.iter().copied().find(|at| indent(*at) < indent(header)).unwrap_or(until),
        }
    }

    /// What headers leave of the file.
    fn scope(&self, headers: &[String]) -> Result<std::ops::Range<usize>, Brief> {
        let (mut from, mut scope) = (0, 0..self.lines.len());
        for header in headers {
            let text = |at: usize| self.lines[at].text.as_str();
            let mut named: Vec<usize> = (from..scope.end).filter(|at| text(*at).trim() == header.trim()).collect();
            let exact: Vec<usize> =
                named.iter().copied().filter(|at| text(*at).trim_end() == header.trim_end()).collect();
            if header.starts_with(' ') && !exact.is_empty() {
                named = exact;
            }
            match named.as_slice() {
                [] => return Err(Brief::NoHeader),
                [at] => (from, scope) = (at + 1, *at..self.block(*at, scope.end)),
                many => return Err(Brief::ManyHeaders(self.on_disk(many))),
            }
        }
        Ok(scope)
    }

    fn places(lines: &[Plain], wanted: &[String], from: usize) -> Vec<usize> {
        let fits = |at: &usize| {
            let part = lines.get(*at..at + wanted.len()).unwrap_or_default();
            part.len() == wanted.len() && part.iter().zip(wanted).all(|(line, want)| line.text == *want)
        };
        (from..lines.len()).filter(fits).collect()
    }

    fn place(&self, hunk: &Hunk) -> Result<usize, Brief> {
        let number = |places: &[usize]| self.on_disk(places);
        let scope = match &hunk.place {
            HunkPlace::Within(headers) => self.scope(headers)?,
            _ => 0..self.lines.len(),
        };
        let old = side(hunk, |line| !matches!(line, HunkLine::Add(_)));
        if old.is_empty() {
            let fits = hunk.bare == BareHunk::Append && scope.end == self.lines.len() || self.lines.is_empty();
            return if fits { Ok(self.lines.len()) } else { Err(Brief::Bare) };
        }
        let mut places = Self::places(&self.lines, &old, scope.start);
        places.retain(|at| at + old.len() <= scope.end);
        let at_end: Vec<usize> = places.iter().copied().filter(|at| at + old.len() == self.lines.len()).collect();
        match (hunk.end, places.as_slice(), at_end.as_slice()) {
            (HunkEnd::Marked { old: OldEnd::Unterminated, .. }, _, [_]) if !self.bare => Err(Brief::EndsInNewline),
            (HunkEnd::Silent, [at], _) => Ok(*at),
            (HunkEnd::Silent, [_, _, ..], _) => Err(Brief::Many(places.len(), number(&places))),
            (HunkEnd::Last | HunkEnd::Marked { .. }, _, [at]) => Ok(*at),
            (HunkEnd::Last | HunkEnd::Marked { .. }, [_, ..], _) => Err(Brief::NotAtEnd(number(&places))),
            _ => Err(self.missing(hunk, &old, scope)),
        }
    }

    fn missing(&self, hunk: &Hunk, old: &[String], scope: std::ops::Range<usize>) -> Brief {
        let outside = Self::places(&self.lines, old, 0);
        if !outside.is_empty() {
            return Brief::OutOfScope(self.on_disk(&outside));
        }
        for (earlier, lines) in self.history.iter().enumerate().rev() {
            if !Self::places(lines, old, 0).is_empty() {
                return Brief::Overlap(earlier, 0);
            }
        }
        let new = side(hunk, |line| !matches!(line, HunkLine::Remove(_)));
        let adds = hunk.lines.iter().any(|line| matches!(line, HunkLine::Add(_)));
        let around = hunk.lines.first().is_some_and(is_kept) && hunk.lines.last().is_some_and(is_kept);
        let shows = adds || around && !hunk.lines.iter().all(is_kept);
        if !shows || new.is_empty() {
            return Brief::Nowhere(Vec::new());
        }
        let mut places = Self::places(&self.lines, &new, scope.start);
        places.retain(|at| at + new.len() <= scope.end);
        Brief::Nowhere(self.on_disk(&places))
    }

    fn on_disk(&self, places: &[usize]) -> Vec<usize> {
        places.iter().map(|at| self.lines[*at].disk).collect()
    }

    fn apply(&mut self, number: usize, hunk: &Hunk) -> Result<(), Brief> {
        let start = self.place(hunk)?;
        let (before, mut at) = (self.lines.clone(), start);
        for line in hunk.lines.iter().filter(|line| !matches!(line, HunkLine::Add(_))) {
            if let (HunkLine::Remove(_), Some(by)) = (line, before[at].by) {
                return Err(Brief::Overlap(by, 0));
            }
            at += 1;
        }
        let (mut from, mut out) = (start, before[..start].to_vec());
        for block in hunk.lines.chunk_by(|a, b| is_kept(a) == is_kept(b)) {
            if is_kept(&block[0]) {
                out.extend_from_slice(&before[from..from + block.len()]);
                from += block.len();
                continue;
            }
            let removed = block.iter().filter(|line| matches!(line, HunkLine::Remove(_))).count();
            let gone = &before[from..from + removed];
            let neighbour = out.last().or(before.get(from)).map(|line| self.lent(line));
            let majority = Census::of(self.old.as_bytes()).majority().unwrap_or(Terminator::Lf);
            let added = block.iter().filter(|line| matches!(line, HunkLine::Add(_)));
            for (nth, line) in added.enumerate() {
                let HunkLine::Add(text) = line else { continue };
                let lender = gone.get(nth).or(gone.last()).map(|line| self.lent(line));
                let ends = kept_apart(text.as_bytes(), lender.or(neighbour).unwrap_or(majority));
                out.push(Plain { text: text.clone(), ends, by: Some(number), disk: 0 });
            }
            from += removed;
        }
        out.extend_from_slice(&before[from..]);
        self.history.push(before);
        self.lines = out;
        match hunk.end {
            HunkEnd::Marked { new: FinalNewline::With, .. } => self.bare = false,
            HunkEnd::Marked { new: FinalNewline::Without, .. } => self.bare = true,
            _ => {}
        }
        self.bare &= self.lines.last().is_some_and(|line| !line.text.is_empty());
        Ok(())
    }

    fn bytes(&self) -> String {
        let mut out = String::new();
        for (at, line) in self.lines.iter().enumerate() {
            out.push_str(&line.text);
            if at + 1 < self.lines.len() || !self.bare {
                let ends = kept_apart(line.text.as_bytes(), self.lent(line));
                out.push_str(std::str::from_utf8(ends.bytes()).unwrap());
            }
        }
        out
    }
}

fn is_kept(line: &HunkLine) -> bool {
    matches!(line, HunkLine::Context(_))
}

fn side(hunk: &Hunk, counts: fn(&HunkLine) -> bool) -> Vec<String> {
    let text = |line: &HunkLine| match line {
        HunkLine::Context(text) | HunkLine::Remove(text) | HunkLine::Add(text) => text.clone(),
    };
    hunk.lines.iter().filter(|line| counts(line)).map(text).collect()
}

fn reference(text: &str, hunks: &[Hunk]) -> Result<String, (usize, Brief)> {
    let mut model = Model::of(text);
    for (number, hunk) in hunks.iter().enumerate() {
        model.apply(number, hunk).map_err(|brief| (number, brief))?;
    }
    Ok(model.bytes())
}

fn word() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "b", "c", "d", " a", "  b", "  e", "", "f\r"]).prop_map(str::to_owned)
}

fn text() -> impl Strategy<Value = String> {
    let line = (word(), prop::sample::select(vec!["\n", "\r\n"]));
    let end = prop::sample::select(vec!["", "", "a", "z", "y\r"]);
    (prop::collection::vec(line, 0..9), end).prop_map(|(lines, end)| {
        let lines: Vec<String> = lines.into_iter().map(|(text, ends)| text + ends).collect();
        lines.concat() + end
    })
}

fn hunk() -> impl Strategy<Value = Hunk> {
    let line = prop_oneof![
        3 => word().prop_map(HunkLine::Context),
        2 => word().prop_map(HunkLine::Remove),
        2 => prop_oneof![word(), Just("n".to_owned())].prop_map(HunkLine::Add),
    ];
    let header = prop::sample::select(vec!["a", "b", "c", " a", "  b", "d"]).prop_map(str::to_owned);
    let place = prop_oneof![
        4 => Just(HunkPlace::Anywhere),
        2 => prop::collection::vec(header, 1..3).prop_map(HunkPlace::Within),
    ];
    let old = prop::sample::select(vec![OldEnd::Unsaid, OldEnd::Unterminated]);
    let new = prop::sample::select(vec![FinalNewline::Keep, FinalNewline::With, FinalNewline::Without]);
    let end = prop_oneof![
        6 => Just(HunkEnd::Silent),
        1 => Just(HunkEnd::Last),
        1 => (old, new).prop_map(|(old, new)| HunkEnd::Marked { old, new }),
    ];
    let bare = prop::sample::select(vec![BareHunk::EmptyFileOnly, BareHunk::Append]);
    (prop::collection::vec(line, 0..5), place, end, bare).prop_map(|(lines, place, end, bare)| Hunk {
        lines,
        place,
        end,
        bare,
        at: 7,
        ends: Vec::new(),
        old_of: OldOf::Left,
        section: 0,
    })
}

/// A file and hunks for it. Most are cut from the file as it is by then, and most that do not fit are left
/// out; one that does not fit is the last.
fn cases() -> impl Strategy<Value = (String, Vec<Hunk>)> {
    let cut = (any::<prop::sample::Index>(), 0..3_usize, any::<bool>(), 0..8_usize);
    (text(), prop::collection::vec((hunk(), cut), 1..14)).prop_map(|(text, drawn)| {
        let mut model = Model::of(&text);
        let mut hunks = Vec::new();
        for (mut hunk, (at, len, fitted, keeps)) in drawn {
            if fitted && !model.lines.is_empty() {
                fit(&mut hunk, &model.lines, at.index(model.lines.len()), len);
            }
            let fits = model.apply(hunks.len(), &hunk).is_ok();
            if fits || keeps == 0 {
                hunks.push(hunk);
            }
            if !fits && keeps == 0 {
                break;
            }
        }
        (text, hunks)
    })
}

/// Gives a hunk old lines that stand in the file.
fn fit(hunk: &mut Hunk, lines: &[Plain], at: usize, len: usize) {
    let mut standing = lines[at..].iter().take(len + hunk.lines.len());
    hunk.lines.retain_mut(|line| match line {
        HunkLine::Add(_) => true,
        HunkLine::Context(text) | HunkLine::Remove(text) => standing.next().is_some_and(|found| {
            *text = found.text.clone();
            true
        }),
    });
    hunk.lines.extend(standing.map(|found| HunkLine::Context(found.text.clone())));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn both_ways_agree_with_the_plain_reading((text, hunks) in cases()) {
        let (through, indexed) = (run(Way::Through, &text, &hunks), run(Way::Indexed, &text, &hunks));
        let want = reference(&text, &hunks);
        match (through, indexed) {
            (Ok(through), Ok(indexed)) => {
                prop_assert_eq!(String::from_utf8(through.bytes.to_vec()).unwrap(), want.unwrap());
                prop_assert_eq!(through.bytes, indexed.bytes);
                prop_assert_eq!(through.changes, indexed.changes);
            }
            (Err(through), Err(indexed)) => {
                let (index, mut got) = brief(&through);
                let (number, mut wanted) = want.unwrap_err();
                // Of a line that is not on disk the model cannot say where a reader should look.
                for (line, want) in numbers(&mut got).into_iter().zip(numbers(&mut wanted)) {
                    prop_assert!((1..=text.len() + 1).contains(line));
                    *line = if *want == 0 { 0 } else { *line };
                }
                prop_assert_eq!((index, got), (number, wanted));
                prop_assert_eq!(through, indexed);
            }
            _ => prop_assert!(false, "one way refuses, the other does not"),
        }
    }

    /// What stands outside the spans of the changes is the same before and after.
    #[test]
    fn changes_tell_where_the_lines_differ((text, hunks) in cases()) {
        let Ok(edited) = run(Way::Through, &text, hunks.get(..1).unwrap_or_default()) else { return Ok(()) };
        let Some(change) = edited.changes.first() else { return Ok(()) };
        let old: Vec<&[u8]> = lines(text.as_bytes()).map(|line| line.text).collect();
        let bytes = edited.bytes.whole();
        let new: Vec<&[u8]> = lines(&bytes).map(|line| line.text).collect();
        let split = |all: &[&[u8]], line: usize, len: usize| (all[..line - 1].concat(), all[line - 1 + len..].concat());
        let before = split(&old, change.before_line, change.before_lines);
        prop_assert_eq!(before, split(&new, change.after_line, change.after_lines));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// So it is for many hunks, and their spans are apart or identical.
    #[test]
    fn changes_tell_all_of_the_difference((text, hunks) in cases()) {
        let Ok(edited) = run(Way::Through, &text, &hunks) else { return Ok(()) };
        let span = |line: usize, count: usize| Span { first: line - 1, count };
        let pieces = edited.changes.iter().map(|one| Piece {
            before: span(one.before_line, one.before_lines),
            after: span(one.after_line, one.after_lines),
            ..Piece::default()
        });
        let pieces: Vec<Piece> = pieces.collect();
        prop_assert!(check_spans(text.as_bytes(), &edited.bytes.whole(), &pieces), "{text:?} {hunks:?} {pieces:?}");
    }
}

fn plain(lines: Vec<HunkLine>) -> Hunk {
    let (place, end, bare) = (HunkPlace::Anywhere, HunkEnd::Silent, BareHunk::EmptyFileOnly);
    Hunk { lines, place, end, bare, ends: Vec::new(), old_of: OldOf::Left, at: 1, section: 0 }
}

#[test]
fn context_that_repeats_stays_linear() {
    let context = |count: usize| (0..count).map(|_| HunkLine::Context("x".to_owned())).collect::<Vec<_>>();
    let once = [context(50_000), vec![HunkLine::Remove("end".to_owned())]].concat();
    for way in [Way::Through, Way::Indexed] {
        let text = "x\n".repeat(100_000) + "end\n" + &"x\n".repeat(100_000);
        let many = run(way, &text, &[plain(context(50_000))]).map(|_| ()).unwrap_err();
        let (_, Brief::Many(count, lines)) = brief(&many) else { panic!("{many:?}") };
        assert_eq!((count, lines.len()), (2 * 50_001, 100_000));
        let edited = run(way, &text, &[plain(once.clone())]).map_err(|refusal| brief(&refusal)).unwrap();
        assert_eq!(*edited.bytes.whole(), *"x\n".repeat(200_000).as_bytes());
        // Only one run is long enough, and no line tells where.
        let run_of = |count: usize| "x\n".repeat(count);
        let text = [run_of(49_999), run_of(50_000), run_of(49_999)].join("y\n");
        let hunk = plain([context(50_000), vec![HunkLine::Add("n".to_owned())]].concat());
        let edited = run(way, &text, &[hunk]).map_err(|refusal| brief(&refusal)).unwrap();
        assert_eq!(
            *edited.bytes.whole(),
            *[run_of(49_999), run_of(50_000) + "n\n", run_of(49_999)].join("y\n").as_bytes()
        );
    }
}

#[test]
fn many_hunks_stay_near_linear() {
    const COUNT: usize = 200_000;
    let text: String = (0..COUNT).map(|at| format!("line {at}\n}}\n")).collect();
    let mut hunks: Vec<Hunk> = (0..COUNT)
        .map(|at| {
            let (old, new) = (format!("line {at}"), format!("LINE {at}"));
            plain(vec![HunkLine::Remove(old), HunkLine::Add(new), HunkLine::Context("}".to_owned())])
        })
        .collect();
    hunks.reverse();
    let edited = run(Way::Indexed, &text, &hunks).map_err(|refusal| brief(&refusal)).unwrap();
    assert_eq!(*edited.bytes.whole(), *text.to_uppercase().as_bytes());
    assert_eq!(edited.changes.len(), COUNT);
    hunks.push(plain(vec![HunkLine::Remove("line 7".to_owned())]));
    let refusal = run(Way::Indexed, &text, &hunks).map(|_| ()).unwrap_err();
    assert_eq!(brief(&refusal), (COUNT, Brief::Overlap(COUNT - 8, 15)));
}

fn within(headers: &[&str], lines: Vec<HunkLine>) -> Hunk {
    Hunk { place: HunkPlace::Within(headers.iter().map(|header| (*header).to_owned()).collect()), ..plain(lines) }
}

#[test]
fn many_scoped_hunks_stay_near_linear() {
    const COUNT: usize = 50_000;
    let text: String = (0..COUNT).map(|at| format!("    block {at}:\n        old\n        end\n")).collect();
    let hunk = |at: usize| {
        let lines = vec![HunkLine::Remove("        old".to_owned()), HunkLine::Add("        new".to_owned())];
        within(&[&format!("block {at}:")], lines)
    };
    let hunks: Vec<Hunk> = (0..COUNT).rev().map(hunk).collect();
    let edited = run(Way::Indexed, &text, &hunks).map_err(|refusal| brief(&refusal)).unwrap();
    assert_eq!(*edited.bytes.whole(), *text.replace("old", "new").as_bytes());
}

/// Lines that are read to place hunks, each in the one large block of the file.
#[test]
fn reading_for_hunks_has_an_end() {
    const LINES: usize = 1000;
    let text = "all:\n".to_owned() + &(0..LINES).map(|at| format!(" line {at}\n")).collect::<String>();
    let hunk = |at: usize| within(&["all:"], vec![HunkLine::Context(format!(" line {at}"))]);
    let hunks: Vec<Hunk> = (0..20).map(hunk).collect();
    let path = RelPath::parse("f", &[]).unwrap();
    let file = file_of(&path, &text);
    let mut left = READ_MAX;
    let target = Target { path: &path, file: &file, charset: None };
    patch_by(Way::Indexed, target, &hunks, &mut left).map(drop).unwrap();
    let read = READ_MAX - left;
    assert!((20 * LINES..50 * LINES).contains(&read), "{read}");
    // With half of that, half of the hunks.
    let refusal = patch_by(Way::Indexed, target, &hunks, &mut (read / 2)).map(drop).unwrap_err();
    let Why::Arguments(faults) = &refusal.why else { panic!("{refusal:?}") };
    let Expected::AtMost(most, Many::HunksOfThisFile) = faults[0].expected else { panic!("{faults:?}") };
    assert!((8..12).contains(&most), "{most}");
    assert_eq!(faults[0].got, "20 for f");
}
