//! The nearest place, from outside: which line, which slip, and no panic on anything.

use patchwright_core::locate::{Edges, Reason, nearest};
use proptest::prelude::*;

const FILE: &str = "use std::io;\n\nfn main() {\n    let name = \"World\";\n    greet(name);\n}\n\nfn greet(who: &str) {\n    println!(\"hi {who}\");\n}\n";

type Want<'a> = Option<(usize, usize, Reason)>;

/// `want`: the line where the place begins, the first line that differs, the slip.
fn check(text: &str, wanted: &str, edges: Edges, want: Want<'_>) {
    let near = nearest(text.as_bytes(), wanted.as_bytes(), edges);
    let seen = near.as_ref().map(|near| {
        let first = near.first_difference.as_ref().map_or(0, |difference| difference.line_no);
        (near.start_line, first, near.looks_like)
    });
    assert_eq!(seen, want, "{wanted:?} {near:#?}");
}

#[test]
fn names_the_line_and_the_slip() {
    use Edges::Whole;
    check(
        FILE,
        "fn main() {\n\tlet name = \"World\";\n\tgreet(name);\n}\n",
        Whole,
        Some((3, 4, Reason::TabsForSpaces)),
    );
    check(FILE, "fn main() {\n  let name = \"World\";\n", Whole, Some((3, 4, Reason::Indentation)));
    check(FILE, "fn main() { \n    let name = \"World\";\n", Whole, Some((3, 3, Reason::TrailingBlanks)));
    check(FILE, "fn  main() {\n   let name = \"World\"; \n", Whole, Some((3, 3, Reason::WhitespaceOnly)));
    check(FILE, "fn main() {\n    let name = \"world\";\n", Whole, Some((3, 4, Reason::CaseOnly)));
    check(FILE, "fn main() {\n    let name = “World”;\n", Whole, Some((3, 4, Reason::TypographicQuotes)));
}

#[test]
fn names_lines_that_differ_or_lack() {
    use Edges::{Open, Whole};
    check(
        FILE,
        "fn main() {\n    let nome = \"Welt\";\n    greet(name);\n",
        Whole,
        Some((3, 4, Reason::OneLineDiffers)),
    );
    check(FILE, "fn main() {\n    greet(name);\n}\n", Whole, Some((3, 4, Reason::LineMissing)));
    check(
        FILE,
        "fn main() {\n    let name = \"World\";\n    log();\n    greet(name);\n}\n",
        Whole,
        Some((3, 5, Reason::LineMissing)),
    );
    check("a1b2\nccc", "ccc\n", Open, Some((2, 0, Reason::FinalNewline)));
    check(FILE, "zebra crossing\n", Whole, None);
    check("", "a\n", Whole, None);
    check(FILE, "", Whole, None);
}

#[test]
fn parts_of_lines_are_compared_as_parts() {
    use Edges::Open;
    check(FILE, "name = \"World\";\n    greet( name);", Open, Some((4, 5, Reason::WhitespaceOnly)));
    check(FILE, "println!(\"hi  {who}\")", Open, Some((9, 9, Reason::WhitespaceOnly)));
    check(FILE, "println!(\"ho {who}\")", Open, Some((9, 9, Reason::OneLineDiffers)));
    check(FILE, "greet(Name)", Open, Some((5, 5, Reason::CaseOnly)));
}

#[test]
fn a_common_line_does_not_outvote_a_rare_one() {
    let text = "}\n".repeat(500) + "fn rare() {\n    x();\n}\n";
    check(&text, "fn rare() {\n    y();\n}\n", Edges::Whole, Some((501, 502, Reason::OneLineDiffers)));
}

#[test]
fn long_lines_are_cut_around_the_difference() {
    let text = format!("{}X{}\n", "a".repeat(5000), "b".repeat(5000));
    let near = nearest(text.as_bytes(), text.replace('X', "Y").as_bytes(), Edges::Whole).expect("like it");
    let first = near.first_difference.expect("differs");
    for (shown, mark) in [(first.wanted, 'Y'), (first.found, 'X')] {
        let shown = shown.expect("both sides");
        assert!(shown.contains(mark) && shown.chars().count() == 202, "{shown}");
    }
}

#[test]
fn too_much_is_not_looked_at() {
    assert_eq!(nearest("ab\n".repeat(1 << 20).as_bytes(), b"ab \n", Edges::Whole), None);
    let wanted = "line\n".repeat(100_000);
    let near = nearest(b"line \n", wanted.as_bytes(), Edges::Whole).expect("like it");
    assert_eq!(near.lines.len(), 200);
}

proptest! {
    #[test]
    fn never_panics(text in prop::collection::vec(any::<u8>(), 0..200), wanted in prop::collection::vec(any::<u8>(), 0..60)) {
        for edges in [Edges::Whole, Edges::Open] {
            nearest(&text, &wanted, edges);
        }
    }

    #[test]
    fn lines_come_in_order_and_all_wanted_ones_are_there(text in "([abc ]{0,4}\n){0,12}", wanted in "([abc \t]{0,4}\n){1,6}") {
        let Some(near) = nearest(text.as_bytes(), wanted.as_bytes(), Edges::Whole) else { return Ok(()) };
        let shown: Vec<&str> = near.lines.iter().filter_map(|pair| pair.wanted.as_deref()).collect();
        prop_assert_eq!(shown, wanted.lines().collect::<Vec<_>>());
        prop_assert!(near.lines.windows(2).all(|two| two[0].line_no <= two[1].line_no));
        let file: Vec<&str> = text.lines().collect();
        for pair in &near.lines {
            if let Some(found) = &pair.found {
                prop_assert_eq!(file.get(pair.line_no - 1).copied(), Some(found.as_str()));
                prop_assert_eq!(pair.same, pair.wanted.as_ref() == Some(found));
            }
        }
    }
}
