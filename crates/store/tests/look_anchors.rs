//! Reading and searching with anchors: tables of texts in every dress, and whatever is printed resolves through the
//! core's own index of the same file to the line it stands before.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test says no by panicking")]

use patchwright_core::anchor::{Anchor, Anchors, Quality, line_hash, recommended};
use patchwright_core::digest::Digest;
use patchwright_core::outcome::{FileView, Hit, ViewContent};
use patchwright_core::path::RelPath;
use patchwright_core::text::Cut;
use patchwright_core::text::{Charset, Document, NewlineStyle, lines};
use patchwright_store::disk::Disk;
use patchwright_store::look::{
    Anchoring, Case, Ignored, LookProblem, Mode, OnBinary, Reading, Searching, Sight, Slice, read, search,
};
use patchwright_store::real::{Means, RealDisk};
use patchwright_testkit::home;
use proptest::prelude::*;
use std::fs;

/// Lines asked for, most bytes, charset.
#[derive(Clone, Copy)]
struct Ask {
    lines: (usize, Option<usize>),
    max_bytes: usize,
    charset: Option<&'static str>,
    anchors: Anchoring,
    on_binary: OnBinary,
}

const ALL: Ask = Ask {
    lines: (1, None),
    max_bytes: usize::MAX,
    charset: None,
    anchors: Anchoring::UpTo(64 << 20),
    on_binary: OnBinary::Refuse,
};

fn look(bytes: &[u8], ask: Ask) -> Result<Slice, LookProblem> {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("f"), bytes).unwrap();
    let disk = RealDisk::open(home.path(), &home::whereabouts(), Means::Best).unwrap();
    let path = RelPath::parse("f", &[]).unwrap();
    let found = disk.resolve(&path).unwrap();
    let file = disk.open(&found.dir, &found.name).unwrap();
    let reading = Reading {
        path: &path,
        start_line: ask.lines.0,
        end_line: ask.lines.1,
        max_bytes: ask.max_bytes,
        on_binary: ask.on_binary,
        charset: ask.charset.map(|label| Charset::from_label(label).unwrap()),
        anchors: ask.anchors,
    };
    read(&disk, &file, &reading, &Sight::ALL)
}

fn text(view: &FileView) -> &str {
    match &view.content {
        ViewContent::Text(text) => text,
        ViewContent::Bytes(_) => panic!("bytes"),
    }
}

fn short(line: &[u8]) -> String {
    format!("{:06x}", line_hash(line) >> 40)
}

/// Each line's anchor and text as they should be shown, `@` standing for the short form of the hash of what
/// follows the bar.
fn check(bytes: &[u8], ask: Ask, want: &[&str]) -> FileView {
    let slice = look(bytes, ask).unwrap();
    let want: String = want
        .iter()
        .map(|line| {
            let (_, shown) = line.split_once('|').unwrap();
            line.replacen('@', &short(shown.strip_suffix('\n').unwrap_or(shown).as_bytes()), 1)
        })
        .collect();
    assert_eq!(text(&slice.view), want, "{bytes:?}");
    assert_eq!((slice.view.sha256, slice.view.size), (Digest::of(bytes), bytes.len() as u64));
    slice.view
}

#[test]
fn dresses() {
    let facts = |view: &FileView| (view.line_count, view.newline_style, view.has_bom, view.final_newline);
    let two = ["1#@ [high]|one\n", "2#@ [high]|two"];
    let view = check(b"one\ntwo", ALL, &two);
    assert_eq!(facts(&view), (2, NewlineStyle::Lf, false, false));
    let view = check(b"\xEF\xBB\xBFone\r\ntwo", ALL, &two); // neither mark nor return is part of a line
    assert_eq!(facts(&view), (2, NewlineStyle::Crlf, true, false));
    let view = check(b"\xFF\xFEo\0n\0e\0\n\0t\0w\0o\0", ALL, &two);
    assert_eq!(facts(&view), (2, NewlineStyle::Lf, true, false));
    let latin = Ask { charset: Some("latin1"), ..ALL };
    check(b"caf\xE9\n", latin, &["1#@ [high]|café\n"]);
    let view = check(b"", ALL, &[]);
    assert_eq!((facts(&view), view.anchors), ((0, NewlineStyle::None, false, true), Some(vec![])));
    check(b"\n", ALL, &["1#@ [low]|\n"]);
    check(b"a\rb\r", ALL, &["1#@ [high]|a\rb\r"]);
}

#[test]
fn invalid_bytes_are_hashed_as_they_are() {
    let slice = look(b"caf\xE9\n", ALL).unwrap();
    assert_eq!(text(&slice.view), format!("1#{} [high]|caf\u{FFFD}\n", short(b"caf\xE9")));
    assert_eq!((slice.lossy, slice.hashes.unwrap().to_vec()), (true, vec![line_hash(b"caf\xE9")]));
    assert!(!look("é".as_bytes(), ALL).unwrap().lossy);
}

#[test]
fn slices_are_judged_over_the_whole_file() {
    let bytes = b"first\n}\nlast\n}\n";
    let all = look(bytes, ALL).unwrap().view;
    for (from, to) in [(1, 1), (2, 2), (2, 3), (4, 9), (1, 4)] {
        let part = look(bytes, Ask { lines: (from, Some(to)), ..ALL }).unwrap().view;
        let want: String = text(&all).split_inclusive('\n').skip(from - 1).take(to + 1 - from).collect();
        assert_eq!((text(&part), part.start_line, part.end_line), (want.as_str(), from, to.min(4)));
        assert!(want.contains("#~") || from != 2, "{want}");
    }
    let past = look(bytes, Ask { lines: (9, None), ..ALL }).unwrap().view;
    assert_eq!((text(&past), past.start_line, past.end_line, past.cut), ("", 9, 8, None));
}

#[test]
fn cuts_count_what_is_shown() {
    let one = "1#@ [high]|one\n"; // 6 digits more than that, less the sign
    let length = one.len() + 5;
    let most = |max_bytes| Ask { max_bytes, ..ALL };
    let view = check(b"one\ntwo\n", most(length), &[one]);
    assert_eq!((view.end_line, view.cut), (1, Some(Cut::GoOnAt(2))));
    assert_eq!(view.anchors.unwrap().len(), 1);
    let view = check(b"one\ntwo\n", most(2 * length), &[one, "2#@ [high]|two\n"]);
    assert_eq!(view.cut, None);
    let view = look("ééé\ntwo\n".as_bytes(), most(length - 1)).unwrap().view;
    assert_eq!((text(&view).chars().last(), view.end_line, view.cut), (Some('é'), 1, Some(Cut::InLine(1))));
    assert_eq!(text(&view).len(), length - 2); // between characters
    let view = look(b"one\n", most(0)).unwrap().view;
    assert_eq!((text(&view), view.cut), ("", Some(Cut::InLine(1))));
}

#[test]
fn what_has_no_anchors() {
    let bytes = Ask { on_binary: OnBinary::Bytes, ..ALL };
    let slice = look(b"a\0b", bytes).unwrap();
    assert_eq!((slice.view.content, slice.view.anchors), (ViewContent::Bytes(b"a\0b".to_vec()), None));
    assert_eq!(slice.hashes, None);
    assert!(matches!(look(b"a\0b", ALL), Err(LookProblem::Binary)));
    let small = Ask { anchors: Anchoring::UpTo(3), ..ALL };
    assert!(look(b"abc", small).is_ok());
    assert!(matches!(look(b"abcd", small), Err(LookProblem::TooLarge { size: 4, limit: 3 })));
    let plain = look(b"abcd", Ask { anchors: Anchoring::Without, ..ALL }).unwrap();
    assert_eq!((text(&plain.view), &plain.view.anchors), ("abcd", &None));
    assert_eq!(plain.hashes.as_deref(), Some(&[line_hash(b"abcd")][..])); // what is small is remembered all the same
}

/// Every line shown names itself in the whole file, and the index behind it is the core's own.
fn resolves(bytes: &[u8], charset: Option<&'static str>) -> Result<(), TestCaseError> {
    let asked = charset.map(|label| Charset::from_label(label).unwrap());
    let document = Document::open(bytes, asked).unwrap();
    let anchors = Anchors::of(document.text());
    let slice = look(bytes, Ask { charset, ..ALL }).unwrap();
    prop_assert_eq!(slice.hashes.as_deref(), Some(anchors.hashes()));
    prop_assert_eq!(slice.lossy, document.is_lossy());
    let all = anchors.slice(1..=anchors.count());
    let best = slice.view.anchors.unwrap();
    if all.len() <= 4096 {
        prop_assert_eq!(&best, &recommended(&all));
    }
    prop_assert!(best.iter().all(|best| all[best.line - 1] == *best && best.quality == Quality::High));
    prop_assert_eq!(best.len(), recommended(&all).len());
    let ViewContent::Text(shown) = &slice.view.content else { panic!("bytes") };
    let mut whole = String::new();
    let step = 1 + anchors.count() / 300; // of a long file not every line
    for (line, anchor) in lines(document.text()).zip(&all) {
        let name = anchor.to_string();
        if anchor.line % step == 0 {
            prop_assert_eq!(anchors.find(&Anchor::parse(&name).unwrap().form), vec![anchor.line]);
        }
        let said = String::from_utf8_lossy(line.text);
        whole += &format!("{name} [{}]|{said}", anchor.quality.word());
        whole += if line.terminator.bytes().is_empty() { "" } else { "\n" };
    }
    prop_assert_eq!(shown, &whole);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn printed_is_found(lines in prop::collection::vec("(a|b|\\}| |é|)(\r\n|\n)", 0..40), tail in "[a}]?") {
        let text: String = lines.concat() + &tail;
        resolves(text.as_bytes(), None)?;
        let wide: Vec<u8> = [0xFE, 0xFF].into_iter().chain(text.encode_utf16().flat_map(u16::to_be_bytes)).collect();
        resolves(&wide, None)?;
    }

    #[test]
    fn printed_is_found_in_any_bytes(bytes in prop::collection::vec(prop_oneof![Just(b'\n'), Just(b'\r'), 1_u8..], 0..300)) {
        resolves(&bytes, None)?;
        resolves(&bytes, Some("windows-1251"))?;
    }
}

/// Long enough to be read in pieces; blank runs, long lines and equal lines fall on their edges.
#[test]
fn long_files() {
    let mut text = String::new();
    for number in 0..150_000_usize {
        let line = match number % 13 {
            0 => "}\n".to_owned(),
            1 => "\n".repeat(number % 5),
            2 => format!("{}é\r\n", "long ".repeat(number % 97)),
            3 => "same\n".to_owned(),
            _ => format!("line {}\n", number / 7),
        };
        text.push_str(&line);
    }
    resolves(text.as_bytes(), None).unwrap();
    resolves(format!("{text}end").as_bytes(), None).unwrap();
    let blank = "\n".repeat(9 << 17);
    resolves(format!("top{blank}end").as_bytes(), None).unwrap();
    resolves(format!("{}\n{}\n", "x".repeat(9 << 17), "y".repeat(3 << 20)).as_bytes(), None).unwrap();
    let mut bytes = text.into_bytes();
    bytes.extend_from_slice(b"\xE9\n");
    resolves(&bytes, None).unwrap();
}

/// Searches for `hit`; each hit's anchor as printed.
fn hits(files: &[(&str, &[u8])], limit: u64) -> Vec<Hit> {
    let home = tempfile::tempdir().unwrap();
    files.iter().for_each(|(name, bytes)| fs::write(home.path().join(name), bytes).unwrap());
    let disk = RealDisk::open(home.path(), &home::whereabouts(), Means::Best).unwrap();
    let ask = Searching {
        query: "hit".to_owned(),
        mode: Mode::Text,
        root: RelPath::root(),
        include: Vec::new(),
        exclude: Vec::new(),
        max_results: 100,
        context_lines: 1,
        case: Case::Sensitive,
        ignored: Ignored::Honour,
        anchors: Anchoring::UpTo(limit),
    };
    search(&disk, &ask, &Sight::ALL).unwrap().answer.matches
}

#[test]
fn hits_have_the_anchors_that_a_read_prints() {
    let wide: Vec<u8> =
        [0xFF, 0xFE].into_iter().chain("x\r\nün hit\r\n".encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let long = format!("{}hit\n", "no\nhit\nhi\n".repeat(200_000));
    let files: [(&str, &[u8]); 6] = [
        ("a", b"hit\nx\nhit\ny\nhit 2\n"),
        ("b", b"\xEF\xBB\xBFhit"),
        ("c", b"hit\r\nhit\r\nhit\r\n"),
        ("d", b"\xE9 hit\n"),
        ("e", &wide),
        ("f", long.as_bytes()),
    ];
    let found = hits(&files, 64 << 20);
    assert_eq!(found.len(), 100);
    for hit in &found {
        let place = hit.place.as_ref().unwrap();
        let (_, bytes) = files.iter().find(|(name, _)| *name == hit.path).unwrap();
        let anchor = place.anchor.unwrap();
        let document = Document::open(*bytes, None).unwrap();
        assert_eq!(anchor.line, place.line);
        assert_eq!(Anchors::of(document.text()).shown(&[place.line]), [anchor], "{} {}", hit.path, place.line);
    }
    let large = hits(&files[5..], 1000);
    assert!(large.len() == 100 && large.iter().all(|hit| hit.place.as_ref().unwrap().anchor.is_none()));
}
