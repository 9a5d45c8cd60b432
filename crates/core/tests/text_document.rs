//! Documents from outside: what is text in which charset, and that a rewrite leaves every byte
//! of the lines it does not touch as it was, over random files of all kinds.

use patchwright_core::text::{Charset, Document, Splice, Splices, TextProblem, encode_like, lines};
use proptest::prelude::*;

fn splice(start: usize, end: usize, text: &str) -> Splice {
    Splice { range: start..end, text: text.into() }
}

fn check_open(raw: &[u8], asked: Option<&str>, want: Result<(&str, &str), TextProblem>) {
    let document = Document::open(raw, asked.and_then(Charset::from_label));
    let seen = document.map(|open| (open.display(0..usize::MAX), open.charset().name()));
    assert_eq!(seen, want.map(|(text, name)| (text.to_owned(), name)), "{raw:?} as {asked:?}");
}

#[test]
fn opens_by_mark_by_request_or_as_utf8() {
    check_open(b"", None, Ok(("", "utf-8")));
    check_open(b"\xEF\xBB\xBFa\r\n", None, Ok(("a\r\n", "utf-8")));
    check_open(b"\xFF\xFEa\0", None, Ok(("a", "utf-16le")));
    check_open(b"\xFE\xFF\0a", None, Ok(("a", "utf-16be")));
    check_open(b"\0a", Some("utf-16be"), Ok(("a", "utf-16be"))); // no mark, but asked for
    check_open(b"\xFE\xFF\0a", Some("utf-16le"), Ok(("a", "utf-16be"))); // the mark is a fact
    check_open(b"caf\xE9", None, Ok(("caf\u{FFFD}", "utf-8")));
    check_open(b"caf\xE9", Some("latin1"), Ok(("café", "windows-1252")));
    check_open(b"a\0b", None, Err(TextProblem::Binary));
    check_open(b"a\0b", Some("latin1"), Err(TextProblem::Binary));
    check_open(b"\xFF\xFE\0\0a\0\0\0", None, Err(TextProblem::Binary)); // UTF-32
    check_open(b"\xFF\xFE\x00\xD8a\0b", None, Ok(("\u{FFFD}a\u{FFFD}", "utf-16le")));
}

#[test]
fn a_nul_far_down_is_text() {
    let mut raw = vec![b'a'; 8 * 1024];
    raw.push(0);
    assert!(Document::open(raw.as_slice(), None).is_ok());
    raw.remove(0);
    assert_eq!(Document::open(raw, None).err(), Some(TextProblem::Binary));
}

fn check(raw: &[u8], asked: &str, edits: &[Splice], want: Result<&[u8], TextProblem>) {
    let edit = Splices::new(edits.to_vec());
    assert!(edit.is_ok(), "{edits:?}");
    let document = Document::open(raw, Charset::from_label(asked));
    let after = document.and_then(|open| open.rewrite(&edit.unwrap_or_default()));
    assert_eq!(after, want.map(<[u8]>::to_vec), "{raw:?} {edits:?}");
}

/// One splice on an 8-bit or UTF-8 file; `want` is the new file or the line that is lossy.
fn check_one(asked: &str, raw: &[u8], edit: Splice, want: Result<&[u8], usize>) {
    check(raw, asked, &[edit], want.map_err(|line| TextProblem::Lossy { line }));
}

/// The same on UTF-16 with its mark.
fn check_wide(raw: &[u8], edit: Splice, want: Result<&[u8], usize>) {
    let marked = |raw: &[u8]| [b"\xFF\xFE", raw].concat();
    let want = want.map(marked);
    check_one("utf-16", &marked(raw), edit, want.as_deref().map_err(|line| *line));
}

#[test]
fn rewrites_only_what_was_touched() {
    check_one("utf-8", b"\xEF\xBB\xBFa\nb", splice(2, 3, "c"), Ok(b"\xEF\xBB\xBFa\nc"));
    check_one("utf-8", b"\xFFa\n", splice(1, 2, "b"), Ok(b"\xFFb\n")); // invalid bytes stay
    check_one("latin1", b"a\nb", splice(1, 2, ""), Ok(b"ab"));
    check_wide(b"a\0\n\0b\0", splice(2, 3, "é"), Ok(b"a\0\n\0\xE9\0"));
    let two = [splice(0, 2, "e"), splice(3, 5, "ê")];
    check(b"\xE9\n\xE8\n", "latin1", &two, Ok(b"e\n\xEA\n"));
    let at_once = [splice(0, 0, "a"), splice(0, 0, "b")];
    check(b"", "latin1", &at_once, Ok(b"ab"));
    for asked in ["latin1", "utf-8"] {
        check(b"a", asked, &[splice(0, 9, "")], Err(TextProblem::OutOfBounds));
    }
}

#[test]
fn lines_that_do_not_come_back_are_left_alone() {
    // A lone surrogate: its line cannot be touched, the next one can.
    check_wide(b"\0\xD8\n\0b\0", splice(4, 5, "c"), Ok(b"\0\xD8\n\0c\0"));
    check_wide(b"\0\xD8\n\0b\0", splice(4, 4, "x\n"), Ok(b"\0\xD8\n\0x\0\n\0b\0"));
    check_wide(b"\0\xD8\n\0b\0", splice(3, 3, "c"), Err(1));
    check_wide(b"b", splice(3, 3, "c"), Err(1)); // half a unit would swallow what follows
    check_one("shift_jis", b"a\n\x81", splice(5, 5, "x"), Err(2));
    check_one("shift_jis", b"a\n\x81", splice(0, 1, "x"), Ok(b"x\n\x81"));
    // Bytes that mean the same as other bytes: beside them, then in their line.
    check_one("shift_jis", b"\x87\x90\na", splice(0, 0, "b"), Ok(b"b\x87\x90\na"));
    check_one("shift_jis", b"\x87\x90\na", splice(3, 3, "b"), Err(1));
    // A charset with states comes back as a whole or not at all.
    let jp = b"\x1B$BF|\x1B(B\na";
    check_one("iso-2022-jp", jp, splice(4, 5, "b"), Ok(b"\x1B$BF|\x1B(B\nb"));
    check_one("iso-2022-jp", b"\x1B(B\x1B(Ja\n", splice(0, 0, "b"), Err(1));
}

#[test]
fn names_what_cannot_be_encoded() {
    let problem = |ch, line| Err(TextProblem::Unencodable { ch, line });
    check(b"a\nb\nc", "latin1", &[splice(4, 5, "xЖ")], problem('Ж', 3));
    check(b"a\nb\nc", "latin1", &[splice(0, 1, "1\n2"), splice(4, 5, "\nЖ")], problem('Ж', 5));
    check(b"a\nb\nc", "latin1", &[splice(0, 2, ""), splice(4, 5, "Ж")], problem('Ж', 2));
    check(b"a", "shift_jis", &[splice(0, 1, "¥")], problem('¥', 1));
    let cut = Splice { range: 0..1, text: vec![0xFF] };
    check(b"a", "latin1", &[cut], problem('\u{FFFD}', 1));
}

fn check_like(model: &[u8], asked: Option<&str>, text: &str, want: Result<&[u8], TextProblem>) {
    let model = Document::open(model, asked.and_then(Charset::from_label));
    let raw = model.and_then(|model| encode_like(&model, text));
    assert_eq!(raw, want.map(<[u8]>::to_vec), "{text:?}");
}

#[test]
fn whole_texts_take_after_the_model() {
    check_like(b"a\n", None, "x\r\ny", Ok(b"x\ny"));
    check_like(b"a\r\nb\r\nc\n", None, "x\ny\n", Ok(b"x\r\ny\r\n"));
    check_like(b"a", None, "x\r\ny\n", Ok(b"x\r\ny\n")); // no terminator to go by
    check_like(b"\xEF\xBB\xBF", None, "x", Ok(b"\xEF\xBB\xBFx"));
    check_like(b"\xEF\xBB\xBFa", None, "\u{FEFF}x", Ok(b"\xEF\xBB\xBFx")); // one mark is enough
    check_like(b"\xFE\xFF\0\r\0\n", None, "x\n", Ok(b"\xFE\xFF\0x\0\r\0\n"));
    check_like(b"\xE9\n", Some("latin1"), "é\n", Ok(b"\xE9\n"));
    check_like(b"\xE9\n", Some("latin1"), "é\nЖ", Err(TextProblem::Unencodable { ch: 'Ж', line: 2 }));
    check_like(b"a\n", None, "x\r\r\n", Ok(b"x\r\r\n")); // a lone \r is content
}

/// A raw file: its charset and its lines as they are on disk.
#[derive(Debug)]
struct File {
    asked: Option<Charset>,
    mark: Vec<u8>,
    lines: Vec<Vec<u8>>,
}

impl File {
    fn raw(&self) -> Vec<u8> {
        [self.mark.clone(), self.lines.concat()].concat()
    }
}

const KINDS: [(&str, &[u8]); 9] = [
    ("", b""),
    ("", b"\xEF\xBB\xBF"),
    ("utf-16le", b"\xFF\xFE"),
    ("utf-16be", b"\xFE\xFF"),
    ("utf-16le", b""),
    ("windows-1252", b""),
    ("shift_jis", b""),
    ("gb18030", b""),
    ("windows-1255", b""),
];

fn newline(label: &str, style: u8) -> Vec<u8> {
    let text: &[u8] = [&b"\n"[..], b"\r\n"][usize::from(style % 2)];
    match label {
        "utf-16le" => text.iter().flat_map(|byte| [*byte, 0]).collect(),
        "utf-16be" => text.iter().flat_map(|byte| [0, *byte]).collect(),
        _ => text.to_vec(),
    }
}

/// Bytes of a line, mostly nonsense, without a newline in that charset and without NUL trouble.
fn content(label: &str, mut bytes: Vec<u8>) -> Vec<u8> {
    let wide = label.starts_with("utf-16");
    bytes
        .iter_mut()
        .filter(|byte| matches!(**byte, b'\n' | b'\r') || (!wide && **byte == 0))
        .for_each(|byte| *byte = b'a');
    bytes.truncate(if wide { bytes.len() & !1 } else { bytes.len() });
    // No line may look like a byte-order mark when it comes first.
    if let Some(first) = bytes.first_mut().filter(|first| matches!(**first, 0xEF | 0xFE | 0xFF)) {
        *first = b'a';
    }
    bytes
}

fn file() -> impl Strategy<Value = File> {
    let byte = prop_oneof![3 => 0x20..0x7F_u8, 2 => 0x80..=0xFF_u8, 1 => any::<u8>()];
    let line = (prop::collection::vec(byte, 0..8), any::<u8>());
    (0..KINDS.len(), prop::collection::vec(line, 0..6), any::<bool>()).prop_map(|(kind, drawn, bare)| {
        let (label, mark) = KINDS[kind];
        let count = drawn.len();
        let ended = |at: usize, style| {
            if bare && at + 1 == count { Vec::new() } else { newline(label, style) }
        };
        let lines = drawn.into_iter().enumerate();
        let lines = lines.map(|(at, (bytes, style))| [content(label, bytes), ended(at, style)].concat());
        File {
            asked: Charset::from_label(label),
            mark: mark.to_vec(),
            lines: lines.filter(|line| !line.is_empty()).collect(),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn lines_of_the_text_are_lines_of_the_file(file in file()) {
        let raw = file.raw();
        let document = Document::open(raw.as_slice(), file.asked).expect("text");
        prop_assert_eq!(lines(document.text()).count(), file.lines.len());
        prop_assert_eq!(document.rewrite(&Splices::default()).expect("nothing to do"), raw);
    }

    #[test]
    fn untouched_lines_keep_their_bytes(file in file(), pick in any::<prop::sample::Index>(), new in "[a-z]{0,3}") {
        prop_assume!(!file.lines.is_empty());
        let raw = file.raw();
        let document = Document::open(raw.as_slice(), file.asked).expect("text");
        let text_lines: Vec<_> = lines(document.text()).collect();
        prop_assume!(text_lines.len() == file.lines.len());
        let at = pick.index(text_lines.len());
        let line = text_lines[at];
        let range = line.start..line.text_end();
        let edit = Splices::new(vec![Splice { range, text: new.clone().into() }]).expect("one");
        match document.rewrite(&edit) {
            Ok(after) => {
                let above = [file.mark.clone(), file.lines[..at].concat()].concat();
                let below = file.lines[at + 1..].concat();
                prop_assert!(after.starts_with(&above) && after.ends_with(&below));
                let again = Document::open(after, file.asked).expect("text");
                prop_assert_eq!(again.text(), edit.apply(document.text()).expect("inside"));
            }
            Err(problem) => prop_assert_eq!(problem, TextProblem::Lossy { line: at + 1 }),
        }
    }

    #[test]
    fn many_splices_read_back_as_asked(
        file in file(),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), "[a-zé\n]{0,3}"), 0..8),
    ) {
        let raw = file.raw();
        let document = Document::open(raw.as_slice(), file.asked).expect("text");
        let Ok(text) = std::str::from_utf8(document.text()) else { return Ok(()) };
        let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let mut places: Vec<_> = cuts.iter().map(|(pick, new)| (ends[pick.index(ends.len())], new)).collect();
        places.sort();
        let given = places.chunks_exact(2).map(|pair| splice(pair[0].0, pair[1].0, pair[0].1));
        let edit = Splices::new(given.collect()).expect("disjoint");
        if let Ok(after) = document.rewrite(&edit) {
            prop_assert!(after.starts_with(&file.mark));
            let again = Document::open(after, file.asked).expect("text");
            prop_assert_eq!(again.text(), edit.apply(document.text()).expect("inside"));
        }
    }

    #[test]
    fn iso_2022_jp_is_all_or_nothing(text in "[a-zあ-んア-ン日本\r\n]{0,12}", new in "[aあ]{0,2}") {
        let charset = Charset::from_label("iso-2022-jp");
        let model = Document::open(&b""[..], charset).expect("text");
        let raw = encode_like(&model, &text).expect("can hold it");
        let document = Document::open(raw, charset).expect("text");
        prop_assert_eq!(document.text(), text.as_bytes());
        let edit = Splices::new(vec![Splice { range: 0..0, text: new.clone().into() }]).expect("one");
        let after = Document::open(document.rewrite(&edit).expect("comes back"), charset).expect("text");
        prop_assert_eq!(after.text(), format!("{new}{text}").into_bytes());
    }
}
