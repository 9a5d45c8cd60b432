//! Every printed form against a plain reference: counted one by one, with nothing clever.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test says no by panicking")]

use patchwright_core::anchor::{Anchor, Anchors, Form, Quality, Shown, is_blank, is_low, line_hash, recommended};
use patchwright_core::text::lines;
use proptest::prelude::*;

/// The lines of a text with all their hashes, each worked out by itself.
struct Plain {
    texts: Vec<Vec<u8>>,
    contexts: Vec<u32>,
}

impl Plain {
    fn of(text: &[u8]) -> Plain {
        let texts: Vec<Vec<u8>> = lines(text).map(|line| line.text.to_vec()).collect();
        let contexts = (0..texts.len())
            .map(|at| {
                let above = texts[..at].iter().rfind(|text| !is_blank(text)).cloned().unwrap_or_default();
                let below = texts[at + 1..].iter().find(|text| !is_blank(text)).cloned().unwrap_or_default();
                long(&[above, texts[at].clone(), below].join(&b'\n'))
            })
            .collect();
        Plain { texts, contexts }
    }

    fn shown(&self, line: usize) -> Shown {
        let text = &self.texts[line - 1];
        let same: Vec<usize> = self.numbers(|at| short(&self.texts[at]) == short(text));
        let long_too = self.numbers(|at| long(&self.texts[at]) == long(text)).len();
        let around = self.contexts[line - 1];
        let form = if same.len() == 1 {
            Form::Short(short(text))
        } else if long_too == 1 {
            Form::Long(long(text))
        } else if self.numbers(|at| self.contexts[at] == around).len() == 1 {
            Form::Context(around)
        } else {
            let at = same.iter().position(|other| *other == line).unwrap() + 1;
            Form::Place { short: short(text), at, of: same.len() }
        };
        let quality = match (is_low(text), same.len()) {
            (true, _) => Quality::Low,
            (false, 1..=3) => Quality::High,
            (false, _) => Quality::Med,
        };
        Shown { line, form, quality }
    }

    fn numbers(&self, fits: impl Fn(usize) -> bool) -> Vec<usize> {
        (0..self.texts.len()).filter(|at| fits(*at)).map(|at| at + 1).collect()
    }
}

fn short(text: &[u8]) -> u32 {
    u32::try_from(line_hash(text) >> 40).unwrap()
}

fn long(text: &[u8]) -> u32 {
    u32::try_from(line_hash(text) >> 32).unwrap()
}

/// Every line's form is the plain one, is found, and is the same in a slice as in the whole.
fn check(text: &[u8]) {
    let (anchors, plain) = (Anchors::of(text), Plain::of(text));
    assert_eq!(anchors.count(), plain.texts.len());
    let all = anchors.slice(1..=usize::MAX);
    assert_eq!(all.len(), anchors.count());
    for (shown, line) in all.iter().zip(1..) {
        assert_eq!(*shown, plain.shown(line), "{text:?}");
        assert_eq!(anchors.text(line), plain.texts[line - 1], "{text:?}");
        assert_eq!(anchors.hashes()[line - 1], line_hash(anchors.text(line)));
        let printed = Anchor::parse(&shown.to_string()).unwrap();
        assert_eq!((printed.line, printed.form), (Some(line), shown.form));
        assert_eq!(anchors.find(&printed.form), [line], "{shown} of {text:?}");
        assert_eq!(Anchors::of(text).shown(&[line]), [*shown]); // asked for alone
    }
    for from in 1..=all.len().min(9) {
        assert_eq!(anchors.slice(from..=from + 2), all[from - 1..(from + 2).min(all.len())]);
        check_neighbours(&anchors, &all, from);
    }
}

fn check_neighbours(anchors: &Anchors<'_>, all: &[Shown], line: usize) {
    let high = |shown: &&Shown| shown.quality == Quality::High;
    let mut want: Vec<Shown> = all[..line - 1].iter().rev().filter(high).take(3).copied().collect();
    want.reverse();
    want.extend(all[line..].iter().filter(high).take(3));
    assert_eq!(anchors.neighbours(line, 3), want);
}

fn numbered(numbers: &[usize]) -> String {
    numbers.iter().map(|number| format!("line {number}\n")).collect()
}

/// Pairs found by trying: of `line N` and `line M`, the first six or eight digits are the same.
const SIX: &[(usize, usize)] = &[(309, 4586), (3234, 6235), (6080, 7462), (7773, 9232), (1820, 9888)];
const EIGHT: &[(usize, usize)] = &[(54560, 66767), (66748, 123_202), (95372, 159_666), (1918, 200_238)];

#[test]
fn collisions() {
    for (one, other) in SIX {
        let text = numbered(&[*one, 1, *other]);
        check(text.as_bytes());
        let shown = Anchors::of(text.as_bytes()).shown(&[1, 3]);
        assert!(matches!([shown[0].form, shown[1].form], [Form::Long(a), Form::Long(b)] if a >> 8 == b >> 8), "{text}");
        check(numbered(&[*one, *one, *other, *other, *one]).as_bytes());
    }
    for (one, other) in EIGHT {
        let text = numbered(&[*one, 1, *other]);
        check(text.as_bytes());
        let shown = Anchors::of(text.as_bytes()).shown(&[1, 3]);
        assert!(matches!([shown[0].form, shown[1].form], [Form::Context(_), Form::Context(_)]), "{text}");
        check(numbered(&[*one, *other, *one, *other]).as_bytes());
    }
    // Contexts that collide with each other, and with a line's own eight digits.
    check(b"above\nsame\nbelow 60286\nabove\nsame\nbelow 131165\n");
    check(b"above\nsame\nbelow 2467\nabove\nsame\nbelow 3\nline 74095\nline 74095\nx\n");
    check(b"above\nsame\nbelow 2467\nabove\nsame\nbelow 3\nline 74095\nx\n");
}

#[test]
fn odd_texts() {
    for text in [
        "",
        "\n",
        "\n\n\n",
        "a",
        "a\n\n",
        "\n\na",
        "a\n\nb\n\na\n\nb\n",
        "}\n}\n}\n}\n",
        "  }\n }\n\t}\n",
        "a\r\nb\r\na\r\n",
        "a\r\r\na\r",
        "a\n \t\n\u{a0}\na\n",
        "x\nx\nx\nx\ny\nx\n",
        "é\né\n—\n—",
    ] {
        check(text.as_bytes());
    }
    check(b"\xFF\n\xFE\n\xFF\n\xE9 \n\xC3");
    check("same\n".repeat(200).as_bytes());
    check("same\nother\n".repeat(100).as_bytes());
    check("\n".repeat(200).as_bytes());
}

/// A long text, where few lines are looked up and many are sorted; both ways come to the same.
#[test]
fn few_and_many_alike() {
    let mut text = String::new();
    for number in 0..30_000_usize {
        let line = match number % 7 {
            0 => "}\n".to_owned(),
            1 => "\n".to_owned(),
            2 => "same\n".to_owned(),
            _ => format!("line {}\n", number * 7),
        };
        text.push_str(&line);
    }
    text += &text.clone();
    text += &text.clone();
    let anchors = Anchors::of(text.as_bytes());
    let all = anchors.slice(1..=usize::MAX);
    assert!(all.len() > 1 << 16);
    for from in (0..all.len()).step_by(4999) {
        let to = (from + 40).min(all.len());
        assert_eq!(anchors.slice(from + 1..=to), all[from..to]);
    }
    for shown in all.iter().step_by(997) {
        assert_eq!(anchors.find(&shown.form), [shown.line], "{shown}");
        let Form::Place { of, .. } = shown.form else { continue };
        assert_eq!(of, anchors.find(&Form::Short(short(anchors.text(shown.line)))).len());
    }
}

#[test]
fn forms_name_no_other_line() {
    let anchors = Anchors::of(b"a\nb\na\n");
    for (form, want) in [
        (Form::Place { short: short(b"a"), at: 2, of: 2 }, &[3][..]),
        (Form::Place { short: short(b"a"), at: 2, of: 3 }, &[]), // there were three once
        (Form::Place { short: short(b"a"), at: 0, of: 2 }, &[]),
        (Form::Place { short: short(b"a"), at: usize::MAX, of: 2 }, &[]),
        (Form::Short(short(b"a")), &[1, 3]),
        (Form::Long(long(b"a\nb\na")), &[2]), // no line has them, so they are a context's
        (Form::Context(long(b"b")), &[]),
        (Form::Short(0), &[]),
    ] {
        assert_eq!(anchors.find(&form), want, "{form}");
    }
    assert_eq!(anchors.shown(&[3, 0, 4, usize::MAX, 3]).iter().map(|shown| shown.line).collect::<Vec<_>>(), [3, 3]);
    assert_eq!((anchors.text(0), anchors.text(4), anchors.text(usize::MAX)), (&b""[..], &b""[..], &b""[..]));
    assert_eq!(anchors.neighbours(0, 3).len(), 3);
    assert_eq!(anchors.neighbours(usize::MAX, 1).len(), 1);
}

#[test]
fn recommendations() {
    let text: String =
        (0..1000).map(|number| if number % 3 == 0 { "}\n".into() } else { format!("{number}\n") }).collect();
    let best = recommended(&Anchors::of(text.as_bytes()).slice(1..=1000));
    assert_eq!(best.len(), 20);
    assert!(best.iter().all(|shown| shown.quality == Quality::High));
    assert!(best.is_sorted_by_key(|shown| shown.line));
    assert_eq!((best[0].line, best[19].line), (2, 999));
    assert_eq!(recommended(&Anchors::of(b"a\n}\nb\n").slice(1..=3)).len(), 2);
}

proptest! {
    #[test]
    fn few_different_lines(lines in prop::collection::vec("(a|b|  \\}|\\}| |é|)(\r\n|\n)", 0..60), tail in "[a}]?") {
        check((lines.concat() + &tail).as_bytes());
    }

    #[test]
    fn any_bytes(text in prop::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), Just(b' '), any::<u8>()], 0..200)) {
        check(&text);
    }

    #[test]
    fn colliding_lines(picks in prop::collection::vec((0_usize..9, any::<bool>(), 0_usize..3), 0..40)) {
        let pairs: Vec<(usize, usize)> = SIX.iter().chain(EIGHT).copied().collect();
        let text: String = picks
            .iter()
            .map(|(pair, first, blanks)| {
                let (one, other) = pairs[*pair];
                format!("line {}\n{}", if *first { one } else { other }, "\n".repeat(*blanks))
            })
            .collect();
        check(text.as_bytes());
    }
}

/// An edited text's anchors are the same whether they were derived or not, with contexts known before or not.
fn check_spliced(old: &str, edits: &[(usize, usize, Vec<String>)]) {
    let mut lines: Vec<String> = old.split_inclusive('\n').map(str::to_owned).collect();
    let count = lines.len();
    let (mut replaced, mut free) = (Vec::new(), 0);
    for (from, len, new) in edits {
        let start = (*from).clamp(free.min(count), count);
        let end = (start + len).min(count);
        replaced.push((start..end, new.clone()));
        free = end + 1;
        if free > count {
            break;
        }
    }
    for (range, new) in replaced.iter().rev() {
        lines.splice(range.clone(), new.iter().map(|line| format!("{line}\n")));
    }
    let last = lines.len().saturating_sub(1);
    for (at, line) in lines.iter_mut().enumerate() {
        match (line.ends_with('\n'), at == last && !(old.is_empty() || old.ends_with('\n'))) {
            (false, false) => line.push('\n'),
            (true, true) => line.truncate(line.len() - 1),
            (true, false) | (false, true) => {}
        }
    }
    let new = lines.concat();
    let told: Vec<_> = replaced.iter().map(|(range, new)| (range.clone(), new.len())).collect();
    let want = Anchors::of(new.as_bytes());
    for warm in [false, true] {
        let before = Anchors::of(old.as_bytes());
        if warm {
            before.find(&Form::Context(0));
        }
        let after = before.spliced(new.as_bytes(), &told);
        assert_eq!(after.hashes(), want.hashes(), "{old:?} {told:?} {new:?}");
        assert_eq!(after.slice(1..=usize::MAX), want.slice(1..=usize::MAX), "{old:?} {told:?} {new:?}");
        for line in 1..=want.count() {
            assert_eq!(after.text(line), want.text(line), "{line} of {old:?} {told:?} {new:?}");
        }
        let shown = want.slice(1..=usize::MAX);
        shown.iter().for_each(|shown| assert_eq!(after.find(&shown.form), [shown.line], "{old:?} {told:?}"));
    }
}

proptest! {
    #[test]
    fn spliced_texts(
        lines in prop::collection::vec("(a|b|  \\}| |é|c|d|)\n", 0..200),
        tail in "(|a| |b\r)",
        edits in prop::collection::vec((0_usize..200, 0_usize..4, prop::collection::vec("(a|x| |)", 0..70)), 0..4),
    ) {
        let mut edits = edits;
        edits.sort_by_key(|(from, ..)| *from);
        check_spliced(&(lines.concat() + &tail), &edits);
    }
}
