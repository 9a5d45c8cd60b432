//! Brackets found in texts of many languages.

use super::*;

fn check(language: Language, text: &str, expected: &str) {
    let found = brackets(language, text.as_bytes()).unwrap();
    let found: String = found.iter().map(|bracket| char::from(text.as_bytes()[bracket.at])).collect();
    assert_eq!(found, expected, "{language:?} {text}");
}

#[test]
fn strings_and_comments_hide_brackets() {
    use Language as L;
    check(L::Rust, "f(a[0], \"(\\\"(\") // {", "([])");
    check(L::Rust, "/* ( /* ( */ ( */ {}", "{}");
    check(L::Rust, "r#\"( \" (\"# br\"(\" for (x) attr\"(\"", "()");
    check(L::Rust, "'(' '\\'' '\\u{7d}' <'a> b'{' 'static {", "{");
    check(L::Rust, "'é' '(' '€'", "");
    check(L::Rust, "/*/ ( */ {", "{");
    check(L::C, "/* ( /* ( */ { 'a' \"\\\\\" '(' \"a\\\r\n(\"", "{");
    check(L::Cpp, "R\"x( ) )x\" {1'000'000} (", "{}(");
    check(L::Cpp, "#error don't ( do\n{", "({");
    check(L::JavaScript, "a = /[/(]\\//g; b / (c) / d", "()");
    check(L::JavaScript, "`( ${f({}, `(${[]}`)} (` )", "({}[]))");
    check(L::JavaScript, "<p>don't {x}</p> <br /> {", "{}{");
    check(L::JavaScript, "return /(/ + x", "");
    check(L::Python, "'''(\n\"''' r'\\'(' # (\nf\"{x\" {", "{");
    check(L::Go, "`(\\` '(' {", "{");
    check(L::Java, "\"\"\"\n( \" \\\"\"\" ( \"\"\" {", "{");
    check(L::Toml, "a = 'c:\\' # (\nb = [\"\\\"(\"]", "[]");
    check(L::Css, "a { b: '(' } /* { */ // {", "{}{");
    check(L::CSharp, "@\"\\\" ( \"( \"\" (\" ) \"(\"", "()");
    check(L::Kotlin, "\"${m[\"(\"]} (\" {", "[]{");
    check(L::Swift, "\"\\(f(x, \")\")) (\" #\"(\" \"# {", "(){");
    check(L::Lua, "--[[ ( \n ]] [==[ ( ]] ]==] f(a[1]) -- (", "([])");
    check(L::C, "#if A\n{\n# ifdef B\n(\n#else\n)\n#if C\n#endif\n#endif\n#else\n{\n#endif\n}", "#{#(##}");
    check(L::C, "#if A\nint f(int a) {\n#else\nint f(void) {\n    return 2;\n}\n", "#(){");
    check(L::C, "x #if\n#else\n{", "");
    check(L::Scss, "a { b: url(//c{) } // {", "{({)}");
    check(L::Zig, "\\\\ (\n{", "{");
}

#[test]
fn lone_quotes_take_linear_time() {
    for text in ["'\\".repeat(200_000), "\\'".repeat(200_000), "/\\".repeat(200_000), "`${".repeat(200_000)] {
        assert!(brackets(Language::JavaScript, text.as_bytes()).is_some());
        assert!(brackets(Language::Rust, text.as_bytes()).is_some());
    }
}
