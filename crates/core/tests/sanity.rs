//! The sanity check, row by row: what a slip looks like, and what is none.

#![cfg(test)]

use patchwright_core::sanity::{Doubt, Means, Touched, check as look};
use proptest::prelude::*;
use std::ops::Range;

/// Replaces lines (counted from 0) by others, and says in short what the check doubts.
fn edited(path: &str, before: &str, (lines, content): (Range<usize>, &str)) -> (Vec<String>, Means) {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let after = [&old[..lines.start].concat(), content, &old[lines.end..].concat()].concat();
    let new = lines.start..lines.start + content.split_inclusive('\n').count();
    let touched = Touched { before: lines, after: new };
    let verdict = look(path, before.as_bytes(), after.as_bytes(), &[touched]);
    (verdict.doubts.iter().map(short).collect(), verdict.means)
}

fn short(doubt: &Doubt) -> String {
    match doubt {
        Doubt::Bracket { line, bracket, fault } => format!("{line}: {bracket} {fault:?}"),
        Doubt::Syntax { line, column, .. } => format!("{line}:{column} syntax"),
        Doubt::Repeated { line, other, lines, .. } => format!("{line} = {other}, {lines}"),
        Doubt::Standing { line, .. } => format!("standing {line}"),
        Doubt::Indented { line, .. } => format!("indented {line}"),
        Doubt::Prefixed { line, .. } => format!("{line} prefixed"),
    }
}

fn check(path: &str, before: &str, edit: (Range<usize>, &str), expected: &[&str]) {
    assert_eq!(edited(path, before, edit.clone()).0, expected, "{path}: {edit:?} in\n{before}");
}

const RUST: &str = "\
fn one() {
    let a = [1];
    if a.is_empty() {
        stop();
    }
}

fn two() {
    go(1);
}
";

#[test]
fn brackets_that_the_edit_left_alone() {
    check("a.rs", RUST, (2..5, "    if a.is_empty() {\n        halt();\n    }\n"), &[]);
    check("a.rs", RUST, (2..5, "    if a.is_empty() {\n        halt();\n"), &["3: { Unclosed"]);
    check("a.rs", RUST, (3..5, "        halt();\n"), &["3: { Unclosed"]);
    check("a.rs", RUST, (2..4, "    halt();\n"), &["4: } Unopened"]);
    check("a.rs", RUST, (1..2, "    let a = [1];\n    }\n"), &["3: } Unopened"]);
    check("a.rs", RUST, (8..9, "    go(1;\n"), &["9: ( Unclosed"]);
    // The same where no grammar is at hand.
    check("a.kt", RUST, (3..5, "        halt();\n"), &["3: { Unclosed"]);
    check("a.kt", RUST, (8..9, "    go(\"(\") // (\n"), &[]);
    check("a.c", RUST, (3..5, "        halt();\n"), &["3: { Unclosed"]);
}

#[test]
fn brackets_in_strings_and_comments_are_none() {
    for line in
        ["    // } ( [\n", "    say(\"}}} (\");\n", "    say(r#\"{\"{\"#);\n", "    say('{');\n", "    /* { */\n"]
    {
        check("a.rs", RUST, (3..4, line), &[]);
    }
    check("a.py", "a = 1\nb = 2\n", (1..2, "b = '(' # [\n"), &[]);
    check("a.js", "a = 1\nb = 2\n", (1..2, "b = /[(]/.test(`${a} (`)\n"), &[]);
}

#[test]
fn what_was_wrong_before_is_none_of_the_edit() {
    let broken = "fn one() {\n    a(;\n}\nfn two() {\n    b();\n}\n";
    check("a.rs", broken, (4..5, "    c();\n"), &[]);
    check("a.rs", broken, (1..2, "    a();\n"), &[]);
    check("a.rs", broken, (4..5, "    c(;\n"), &["5: ( Unclosed"]);
    let listed = "a = [\n    0,\n    0,\n    0,\n]\n";
    check("a.py", listed, (2..3, "    0,\n"), &[]);
    check("a.py", listed, (2..2, "    0,\n"), &[]);
    check("a.py", listed, (2..3, "    0,\n    1,\n"), &[]);
}

#[test]
fn lines_at_the_ends_that_say_what_stands_beside_them() {
    let text = "alpha\nbeta\ngamma\ndelta\n";
    check("notes", text, (1..2, "BETA\ngamma\n"), &["3 = 4, 1"]);
    check("notes", text, (2..3, "beta\nGAMMA\n"), &["3 = 2, 1"]);
    check("notes", text, (1..1, "alpha\nnew\n"), &["2 = 1, 1"]);
    check("notes", text, (1..2, "BETA\nGamma\n"), &[]);
    check("notes", text, (0..4, "alpha\nbeta\n"), &[]);
    check("notes", "a\r\nb\r\n", (0..1, "A\r\nb\r\n"), &["2 = 3, 1"]);
    // Lines without letter or digit never count.
    check("notes", "x\n---\n\ny\n", (0..1, "z\n---\n"), &[]);
    check("notes", "x\n---\n\ny\n", (3..4, "\nz\n"), &[]);
    check("notes", "x\nж\n", (0..1, "z\nж\n"), &["2 = 3, 1"]);
}

#[test]
fn blocks_that_stand_twice() {
    let text = "alpha\nbeta\ngamma\ndelta\nend\n";
    check("notes", text, (1..3, "beta\nGAMMA\nbeta\nGAMMA\n"), &["4 = 2, 2"]);
    check("notes", text, (1..3, "beta\nGAMMA\n\nbeta\nGAMMA\n"), &["5 = 2, 2"]);
    check("notes", text, (1..1, "beta\nGAMMA\ndelta\n"), &["2 = 5, 1"]);
    check("notes", text, (4..4, "beta\nGAMMA\ndelta\n"), &["7 = 4, 1"]);
    // A neighbour that is alike is none.
    let tests = "#[test]\nfn a() {\n    run(1);\n}\n\n#[test]\nfn b() {\n    run(2);\n}\n";
    check("t.rs", tests, (5..5, "#[test]\nfn c() {\n    run(3);\n}\n\n"), &[]);
}

#[test]
fn tags_that_the_edit_left_alone() {
    let page = "<div>\n<ul>\n<li>one</li>\n<li>two\n</ul>\n<br>\n</div>\n";
    check("a.html", page, (2..3, "<li>1</li>\n<li>2\n"), &[]);
    check("a.html", page, (4..6, "<hr>\n"), &["2:1 syntax"]);
    check("a.html", page, (5..6, "{{ \"<b>\" }} <!-- <b> -->\n"), &[]);
    check("a.svg", "<g>\n<path/>\n</g>\n", (1..2, "<path>\n"), &["2:1 syntax"]);
}

#[test]
fn languages_whose_strings_hold_code() {
    let php = "<?php\nif ($a) {\n    f(\"{$a['x']} (\");\n}\n?>\n<p>it's (</p>\n";
    check("a.php", php, (2..3, "    g('(');\n"), &[]);
    check("a.php", php, (2..4, "    g();\n"), &["2: { Unclosed"]);
    check("a.php", php, (5..6, "<p>(((</p>\n"), &[]);
    let ruby = "def a\n  b = <<~EOT\n    it's (\n  EOT\n  c(%w[x (y], /[(]/) { |d| d }\nend\n";
    check("a.rb", ruby, (2..3, "    ((( {\n"), &[]);
    check("a.rb", ruby, (4..5, "  c(1) { |d|\n"), &["5: { Unclosed"]);
    check("a.rb", ruby, (4..5, "  puts /(/\n"), &[]); // could be read in two ways
    let vue = "<template>\n  <Link>{{ a }}</Link>\n</template>\n<script>\nf({\n  a,\n})\n</script>\n";
    check("a.vue", vue, (1..2, "  <Link>it's (</Link>\n  <Link />\n"), &[]);
    check("a.vue", vue, (1..2, "  <Link>x\n"), &["2:3 syntax"]);
    check("a.vue", vue, (6..7, ""), &["5: ( Unclosed", "5: { Unclosed"]);
    let own = "<docs>\nUse\n</docs>\n<script>\nf()\n</script>\n";
    check("a.vue", own, (1..2, "```vue\n<script>\nf(\n</script>\n<b>\n```\n"), &[]);
    check("a.vue", own, (1..2, "<li> and {{ a\n"), &[]);
    check("a.vue", own, (4..5, "f(\n"), &["5: ( Unclosed"]);
    let hcl = "a \"b\" {\n  c = \"${d(\"(\")} (\"\n}\n";
    check("a.tf", hcl, (1..2, "  c = \"%{ if x == \"(\" }(%{ endif }\"\n"), &[]);
    check("a.tf", hcl, (1..3, "  c = [1\n}\n"), &["2: [ Unclosed"]);
    let groovy = "stage('a') {\n  sh \"it's ( ${b('(')}\"\n}\n";
    check("Jenkinsfile", groovy, (1..2, "  c = d =~ /(/\n"), &[]);
    check("Jenkinsfile", groovy, (1..3, "  sh 'x'\n"), &["1: { Unclosed"]);
    assert_eq!(edited("a.rb", ruby, (4..5, "  c(1)\n")).1, Means::Brackets);
    assert_eq!(edited("a.rb", ruby, (4..5, "  puts /(/\n")).1, Means::LinesOnly);
}

#[test]
fn conditional_code() {
    let text = "#if A\nint f(int a) {\n#else\nint f(void) {\n#endif\n    return 1;\n}\n";
    check("a.c", text, (5..6, "    return 2;\n"), &[]);
    check("a.c", text, (4..6, "    return 2;\n"), &["2: { Unclosed", "1:1 syntax"]);
    check("a.c", text, (0..1, "#ifdef A\n"), &[]);
}

#[cfg(feature = "grammars")]
mod with_grammars {
    use super::*;

    #[test]
    fn indentation_that_a_grammar_forgives() {
        let two = "def a():\n    one()\n    two()\n\ndef b():\n    three()\n";
        let broken = |lines: Range<usize>, content: &str| !edited("a.py", two, (lines, content)).0.is_empty();
        assert!(broken(1..3, "")); // no body
        assert!(broken(0..1, "")); // no head
        assert!(broken(2..3, "  two()\n"));
        assert!(broken(2..3, "      two()\n"));
        assert!(!broken(2..3, "    # two\n    2\n"));
        assert!(!broken(1..3, "    pass\n"));
    }

    #[test]
    fn templates_and_branches_are_no_slips() {
        check("a.yaml", "a: 1\n", (1..1, "{{- if .Values.b }}\nb: 2\n{{- end }}\n"), &[]);
        let guarded = "#ifndef G\n#define G\n\nint a;\n\n#endif\n";
        check("x.h", guarded, (4..4, "\n#ifdef C\nint c;\n#endif\n"), &[]);
        check("a.txt", "one a\n\nend k\nzz\n", (1..1, "\nmid\nend k\n"), &[]);
    }

    #[test]
    fn syntax_that_the_edit_broke() {
        check("a.py", "def f():\n    return 1\n", (0..1, "def f()\n"), &["1:8 syntax"]);
        check("a.sh", "if a; then\n  b\nfi\n", (2..3, ""), &["2:4 syntax"]);
        check("a.toml", "a = 1\nb = 2\n", (1..2, "b =\n"), &["2:4 syntax"]);
        check("a.rs", RUST, (8..9, "    fn fn go(1);\n"), &["9:10 syntax"]);
        check("a.yaml", "a: 1\nb: 2\n", (1..2, "b: [2\n"), &["2:6 syntax"]);
        check("a.json", "{\n\"a\": 1,\n\"b\": 2\n}\n", (1..2, "\"a\": 1\n"), &["2:7 syntax"]);
    }

    #[test]
    fn every_language_of_the_list_has_its_grammar() {
        let rows = [
            ("a.rs", "fn a() {}\n"),
            ("a.py", "a = 1\n"),
            ("a.jsx", "a = <b>it's</b>;\n"),
            ("a.ts", "let a: number = 1;\n"),
            ("a.tsx", "let a: X = <b/>;\n"),
            ("a.go", "package a\n"),
            ("a.java", "class A {}\n"),
            ("a.c", "int a;\n"),
            ("a.h", "class A { int b; };\n"),
            ("a.cpp", "class A {};\n"),
            ("a.json", "{\"a\": 1}\n"),
            ("a.yml", "a: 1\n"),
            ("Cargo.lock", "a = 1\n"),
            ("a.html", "<p>a\n"),
            ("a.css", "a { b: c }\n"),
            ("run", "#!/bin/sh\nls\n"),
        ];
        for (path, text) in rows {
            let verdict = look(path, b"", text.as_bytes(), &[Touched { before: 0..0, after: 0..9 }]);
            assert_eq!((verdict.means, verdict.doubts), (Means::Grammar, vec![]), "{path}");
            assert!(verdict.language.is_some(), "{path}");
        }
    }
}

#[test]
fn endless_nesting_ends() {
    for (path, piece) in [("a.json", "["), ("a.rs", "{("), ("a.yaml", "- - "), ("a.html", "<a><b>"), ("a.sh", "$(")] {
        let deep = piece.repeat(60_000);
        let verdict = look(path, b"", deep.as_bytes(), &[Touched { before: 0..0, after: 0..1 }]);
        assert!(verdict.doubts.len() <= 5, "{path}");
    }
}

proptest! {
    #[test]
    fn no_bytes_and_no_numbers_do_harm(
        before in bytes(), after in bytes(), path in path(),
        numbers in prop::collection::vec((0..9_usize, 0..9_usize, 0..9_usize, 0..9_usize), 0..4),
    ) {
        let touched: Vec<Touched> =
            numbers.iter().map(|(a, b, c, d)| Touched { before: *a..*b, after: *c..*d }).collect();
        let verdict = look(path, &before, &after, &touched);
        prop_assert!(verdict.doubts.len() <= 5);
        prop_assert_eq!(look(path, &before, &after, &touched), verdict);
    }

    #[test]
    fn what_did_not_change_raises_no_doubt(text in bytes(), path in path()) {
        prop_assert_eq!(look(path, &text, &text, &[]).doubts, vec![]);
    }
}

fn path() -> impl Strategy<Value = &'static str> {
    let paths = [
        "a.rs", "a.py", "a.js", "a.ts", "a.tsx", "a.go", "a.java", "a.c", "a.h", "a.cpp", "a.json", "a.yaml", "a.toml",
        "a.html", "a.css", "a.sh", "a.kt", "a.cs", "a.swift", "a.lua", "a.scss", "a.xml", "a.txt", "a.jsonc",
    ];
    prop::sample::select(paths.to_vec())
}

/// Bytes with much of what means something to a language.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let pieces = [
        "(", ")", "[", "]", "{", "}", "<a>", "</a>", "\"", "'", "`", "${", "\\", "/", "/*", "*/", "//", "#", "r#\"",
        "#if\n", "#else\n", "#endif\n", "--[[", "]]", "\n", "\r\n", " ", "a", "é", "<!--", "R\"x(", "@\"", "\"\"\"",
        "if",
    ];
    let piece = prop::sample::select(pieces.to_vec()).prop_map(|piece| piece.as_bytes().to_vec());
    let any = prop_oneof![9 => piece, 1 => prop::collection::vec(any::<u8>(), 1..3)];
    prop::collection::vec(any, 0..40).prop_map(|pieces| pieces.concat())
}
