//! Reading slices: tables of texts in every dress, and whole files against the core's own reading.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test says no by panicking")]

use patchwright_core::digest::Digest;
use patchwright_core::outcome::{FileView, ViewContent};
use patchwright_core::path::RelPath;
use patchwright_core::text::Cut;
use patchwright_core::text::{Charset, Document, NewlineStyle, TextProblem, lines, to_lf};
use patchwright_store::disk::Disk;
use patchwright_store::look::{Anchoring, LookProblem, OnBinary, Reading, Sight, Slice, read};
use patchwright_store::real::{Means, RealDisk};
use patchwright_testkit::home;
use proptest::prelude::*;
use std::fs;

/// Lines asked for, most bytes, what to do with a binary file, charset.
#[derive(Clone, Copy)]
struct Ask {
    lines: (usize, Option<usize>),
    max_bytes: usize,
    on_binary: OnBinary,
    charset: Option<&'static str>,
}

const ALL: Ask = Ask { lines: (1, None), max_bytes: 1 << 20, on_binary: OnBinary::Refuse, charset: None };

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
        anchors: Anchoring::Without,
    };
    read(&disk, &file, &reading, &Sight::ALL)
}

fn text(view: &FileView) -> &str {
    match &view.content {
        ViewContent::Text(text) => text,
        ViewContent::Bytes(_) => panic!("bytes"),
    }
}

fn check(bytes: &[u8], ask: Ask, want: (&str, usize, usize, Option<Cut>)) -> FileView {
    let view = look(bytes, ask).unwrap().view;
    assert_eq!((text(&view), view.start_line, view.end_line, view.cut), want, "{bytes:?}");
    assert_eq!((view.sha256, view.size), (Digest::of(bytes), bytes.len() as u64));
    view
}

fn facts(view: &FileView) -> (&str, usize, NewlineStyle, bool, bool) {
    (&view.encoding, view.line_count, view.newline_style, view.has_bom, view.final_newline)
}

#[test]
fn dresses() {
    for (bytes, shown, want) in [
        (&b""[..], "", ("utf-8", 0, NewlineStyle::None, false, true)),
        (b"a\nb", "a\nb", ("utf-8", 2, NewlineStyle::Lf, false, false)),
        (b"a\r\nb\r\n", "a\nb\n", ("utf-8", 2, NewlineStyle::Crlf, false, true)),
        (b"a\r\nb\nc\rd", "a\nb\nc\rd", ("utf-8", 3, NewlineStyle::Mixed, false, false)),
        (b"\xEF\xBB\xBFa\n", "a\n", ("utf-8", 1, NewlineStyle::Lf, true, true)),
        (b"\xFF\xFEa\0\r\0\n\0", "a\n", ("utf-16le", 1, NewlineStyle::Crlf, true, true)),
        (b"\xFE\xFF\0a\0\n\0b", "a\nb", ("utf-16be", 2, NewlineStyle::Lf, true, false)),
        (b"\xFF\xFE\x0A\x01", "\u{10a}", ("utf-16le", 1, NewlineStyle::None, true, false)),
    ] {
        let view = look(bytes, ALL).unwrap().view;
        assert_eq!((text(&view), facts(&view)), (shown, want), "{bytes:?}");
    }
}

#[test]
fn slices_and_cuts() {
    let slice = |from, to| Ask { lines: (from, to), ..ALL };
    let most = |max_bytes| Ask { max_bytes, ..ALL };
    check(b"a\nb\nc\n", slice(2, Some(2)), ("b\n", 2, 2, None));
    check(b"a\nb\nc\n", slice(2, Some(99)), ("b\nc\n", 2, 3, None));
    check(b"a\nb\n", slice(3, None), ("", 3, 2, None));
    check(b"a\nb\n", slice(9, Some(10)), ("", 9, 8, None));
    check(b"aa\nbb\ncc", most(5), ("aa\n", 1, 1, Some(Cut::GoOnAt(2))));
    check(b"aa\nbb\ncc", most(6), ("aa\nbb\n", 1, 2, Some(Cut::GoOnAt(3))));
    check("ééé\n".as_bytes(), most(3), ("é", 1, 1, Some(Cut::InLine(1))));
    check(b"\xFF\xFE\xE9\0\xE9\0\n\0", most(3), ("é", 1, 1, Some(Cut::InLine(1))));
}

#[test]
fn other_charsets() {
    let latin = Ask { charset: Some("latin1"), ..ALL };
    let view = check(b"caf\xE9\r\n", latin, ("café\n", 1, 1, None));
    assert_eq!(view.encoding, "windows-1252");
    let japanese = Ask { charset: Some("shift_jis"), ..ALL };
    check(b"\x93\xFA\n\x96\x7B", japanese, ("日\n本", 1, 2, None));
    let lossy = look(b"caf\xE9\n", ALL).unwrap();
    assert_eq!((text(&lossy.view), lossy.lossy), ("caf\u{FFFD}\n", true));
    assert!(!look("café".as_bytes(), ALL).unwrap().lossy);
}

#[test]
fn binary_files() {
    assert!(matches!(look(b"a\0b", ALL), Err(LookProblem::Binary)));
    assert!(matches!(look(b"\xFF\xFE\0\0a\0\0\0", ALL), Err(LookProblem::Binary))); // UTF-32
    let bytes = Ask { on_binary: OnBinary::Bytes, max_bytes: 2, ..ALL };
    let view = look(b"a\0b", bytes).unwrap().view;
    assert_eq!((view.content, view.encoding.as_str()), (ViewContent::Bytes(b"a\0".to_vec()), "binary"));
    assert_eq!((view.sha256, view.cut.is_some()), (Digest::of(b"a\0b"), true));
    let mut late = vec![b'a'; 9000];
    late.push(0);
    assert_eq!(look(&late, ALL).unwrap().view.encoding, "utf-8"); // a NUL past the window is text
}

#[test]
fn long_files_are_read_in_pieces() {
    let line = "0123456789 déjà vu\r\n";
    let text: String = line.repeat(60_000); // over a megabyte, so that characters straddle the pieces
    let ask = Ask { lines: (40_000, Some(40_001)), ..ALL };
    let shown = "0123456789 déjà vu\n".repeat(2);
    let view = check(text.as_bytes(), ask, (&shown, 40_000, 40_001, None));
    assert_eq!(facts(&view), ("utf-8", 60_000, NewlineStyle::Crlf, false, true));
    assert!(!look(text.as_bytes(), ask).unwrap().lossy);
    let wide: Vec<u8> = [0xFF, 0xFE].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let view = check(&wide, ask, (&shown, 40_000, 40_001, None));
    assert_eq!(facts(&view), ("utf-16le", 60_000, NewlineStyle::Crlf, true, true));
}

#[test]
fn a_reader_can_be_called_off() {
    let home = tempfile::tempdir().unwrap();
    fs::File::create(home.path().join("endless")).unwrap().set_len(1 << 40).unwrap(); // sparse
    let disk = RealDisk::open(home.path(), &home::whereabouts(), Means::Best).unwrap();
    let path = RelPath::parse("endless", &[]).unwrap();
    let file = disk.open(&disk.folder(&RelPath::root()).unwrap(), "endless").unwrap();
    let ask = Reading {
        path: &path,
        start_line: 1,
        end_line: None,
        max_bytes: 10,
        on_binary: OnBinary::Bytes,
        charset: None,
        anchors: Anchoring::Without,
    };
    let sight = Sight { may: &|_| true, go_on: &|done| done < 1 << 20 };
    assert!(matches!(read(&disk, &file, &ask, &sight), Err(LookProblem::Stopped)));
}

/// Pieces of text that meet in awkward places.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    const PIECES: [&[u8]; 11] = [
        b"\n",
        b"\r\n",
        b"\r",
        b"a",
        "é€𝄞".as_bytes(),
        b"\xFF",
        b"\xEF\xBB\xBF",
        b"\xFF\xFE",
        b"\xFE\xFF",
        b"a\0",
        b"\0",
    ];
    let piece = proptest::sample::select(&PIECES[..]);
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn agrees_with_the_core(bytes in bytes(), label in proptest::option::of(prop_oneof![Just("utf-8"), Just("latin1"), Just("utf-16be"), Just("shift_jis")])) {
        let charset = label.and_then(Charset::from_label);
        let got = look(&bytes, Ask { charset: label, ..ALL });
        match (Document::open(&bytes[..], charset), got) {
            (Err(TextProblem::Binary), Err(LookProblem::Binary)) => {}
            (Ok(document), Ok(slice)) => {
                let shown = String::from_utf8_lossy(&to_lf(document.text())).into_owned();
                prop_assert_eq!(text(&slice.view), shown);
                prop_assert_eq!(slice.view.line_count, lines(document.text()).count());
                prop_assert_eq!((slice.lossy, slice.view.has_bom), (document.is_lossy(), document.has_mark()));
                prop_assert_eq!(slice.view.encoding, document.charset().name());
            }
            (core, store) => prop_assert!(false, "{:?} against {:?}", core.err(), store.err()),
        }
    }

    #[test]
    fn pages_make_the_whole(bytes in bytes(), max_bytes in 1_usize..12) {
        let Ok(whole) = look(&bytes, ALL) else { return Ok(()) };
        let (mut shown, mut at) = (String::new(), 1);
        loop {
            let part = look(&bytes, Ask { lines: (at, None), max_bytes, ..ALL }).unwrap().view;
            prop_assert!(text(&part).len() <= max_bytes);
            match part.cut {
                Some(Cut::GoOnAt(next)) => { prop_assert!(next > at); shown.push_str(text(&part)); at = next; }
                Some(Cut::InLine(line)) => {
                    prop_assert_eq!(line, at);
                    let rest = look(&bytes, Ask { lines: (at, Some(at)), ..ALL }).unwrap().view;
                    prop_assert!(text(&rest).starts_with(text(&part)));
                    shown.push_str(text(&rest));
                    at += 1;
                }
                None => { shown.push_str(text(&part)); break; }
            }
        }
        prop_assert_eq!(shown, text(&whole.view));
    }
}
