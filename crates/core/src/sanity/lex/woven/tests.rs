//! Brackets found, and texts that are left alone.

use super::super::super::language::Language;
use super::super::brackets;

/// The brackets of a text; `-` where it cannot be told.
fn check(language: Language, text: &str, expected: &str) {
    let found = brackets(language, text.as_bytes());
    let letters = |found: Vec<super::Bracket>| found.iter().map(|one| char::from(text.as_bytes()[one.at])).collect();
    let found: String = found.map_or_else(|| "-".to_owned(), letters);
    assert_eq!(found, expected, "{language:?} {text}");
}

#[test]
fn hcl() {
    let check = |text: &str, expected: &str| check(Language::Hcl, text, expected);
    check("a \"b\" {\n  c = [1] # (\n  // (\n  /* ( */\n}\n", "{[]}");
    check("a = \"${f(\"(\", \"}\")} ( $${ %{ if x == \"(\" }\"\nb = {}", "{}");
    check("a = 1 /*/ ( */\nb = (1)", "()");
    check("a = <<EOT\n( ${x(\"\n  EOT1\nEOT\nb = (1)", "()");
    check("a = {\n  b = <<-EOT\n    {{ (\n    EOT\n}\n", "{}");
    check("a = \"b\n{", "-");
    check("a = <<EOT\n{", "-");
    check("a = \"${b", "-");
}

#[test]
fn php() {
    let check = |text: &str, expected: &str| check(Language::Php, text, expected);
    check("it's ( {\n<?php f([1]); ?> ( <?= g() ?> { <?php }", "([])()}");
    check("<?xml ( ?>\n<?php (", "(");
    check("<?php // it's ( ?> ( <?php { # } \n /* ( */ }", "{}");
    check("<?php #[A(1)]\nf('(\\'(', \"\\\"(\", `(`);", "[()]()");
    check("<?php f(\"{$a[\"(\"]['x']} ( ${b} $c[0] (\"\n);", "()");
    check("<?php $a = <<<EOT\n  { $x ( it's\n  EOT . f(1);\n", "()");
    check("<?php $a = <<<'EOT'\n(\nEOTX\nEOT;\n{", "{");
    check("<?php $a = [<<<\"A\"\n(\n  A, 2];", "[]");
    check("<?php a(); __halt_compiler(); (((", "()");
    check("<?php $a = 'b", "-");
    check("<?php $a = <<<EOT\n(", "-");
    check("<?php /* (", "-");
    check("@if (x) {{ $a }}\n", "");
    check("<?php if (a) { ?>\n<p>it's</p>\n<?php } ?>\n", "(){}");
}

#[test]
fn groovy() {
    let check = |text: &str, expected: &str| check(Language::Groovy, text, expected);
    check("#!/usr/bin/env groovy (\nf { a('(', \"( ${g(\"(\")} (\") } // (", "{()}");
    check("sh '''\n( it's\n''' + \"\"\"( \"${x ? \"(\" : '('}\" \"\"\"\n[:]", "[]");
    check("a = /(\\/[/ + (b / c)", "()");
    check("if (x ==~ /\\d+(/) { y / 2 }", "(){}");
    check("a.replaceAll(/[()]/, '')", "()");
    check("x / (y) / z", "()");
    check("split /(/", "-"); // a string, or divided twice
    check("split /,/", "");
    check("a = $/ ( /$", "-");
    check("a = 'b\n{", "-");
    check("a = [1: { it -> \"$it\" }]", "[{}]");
}

#[test]
fn ruby() {
    let check = |text: &str, expected: &str| check(Language::Ruby, text, expected);
    check("s = <<sql\n  SELECT (a\nsql\nf(1)", "-");
    check("s = <<\"eos\"\n (\neos\n", "-");
    check("x <<y\nf(1)", "()");
    check("f(a[0], \"( #{g(\"(\")} (\", '(') # (\n{ |x| x }", "([]){}");
    check("=begin\n(\n=end\n{}\n__END__\n(", "{}");
    check("%w[a (b] + %q{ { ( } } + %Q(#{x(\")\")}) + %i(a b)", "");
    check("x = %(a (b) c) + 5 % (y)", "()");
    check("a = 5 %w\nb = [a%w[0]]", "[[]]");
    check("puts %(x)", "-"); // a string, or what is left of a division
    check("puts %w(a b (c))", "");
    check("when /\\A[(]/ then x =~ /#{a(\"(\")}(/ and (b / c)", "()");
    check("if x / (y) > 1 then z end", "()");
    check("puts /(/", "-");
    check("$' + $\" + `ls (` + $/ + (x)", "()");
    check("a.empty?(x) ? \"(\" : ?( , [?\", 1]", "()[]");
    check("f(<<~A, <<-'B', x)\n  ( it's\n  A\n( #{\n  B\ny { }", "(){}");
    check("a = <<EOT\n(\n EOT\nEOT\n[]", "-");
    check("a = <<EOT\n(\nEOT\n[]", "[]");
    check("list << A\nlist <<(b)\nclass << self\nend", "()");
    check("a = <<~EOT\n(", "-");
    check("\"a\n{", "-");
    check("def [](i) @a[i] end\ndef `(x) end\nalias_method :/, :x\n{a: 1}", "[]()[](){}");
    check(":\"( a\" + :'(' + {}", "{}");
    check("f(<<~A, \"b\n(\nA\n\")", "-");
}

#[test]
fn vue() {
    let check = |text: &str, expected: &str| check(Language::Vue, text, expected);
    check(
        "<template>\n  <p>it's {{ a( }} (</p>\n</template>\n<script setup lang=\"ts\">\nf(\")\", [1]) // (\n</script>\n\
         <style scoped lang=\"scss\">\n// {\na { b: c }\n</style>\n",
        "([]){}",
    );
    check("<style lang=\"stylus\">\na {\n</style>\n<script>\n{\n</script>\n", "{");
    check(
        "<docs>\n# Use\n```vue\n<script>\nf(\n</script>\n<style>\na {\n</style>\n```\n</docs>\n<script>\n[]\n</script>\n",
        "[]",
    );
    check("<i18n lang=\"json\">\n{ \"a\": \"(\"\n</i18n>\n<script>\n()\n</script>\n", "()");
    check("<template>\n<div>\n<template #a>\n<br>\n</div>\n</template>\n<script>\n{}\n</script>\n", "{}");
    check("<script src=\"x\" />\n<script>\n(\n</script>\n<script>\n{", "(");
}

#[test]
fn any_text_takes_linear_time() {
    let parts =
        ["'\\", "\"#{", "/ a ", "<<~A\n", "<<<A\n", "%w(", "<script>\n", "${\"", "?( ", "x /y /z\n", "<?php ?>"];
    for part in parts {
        let text = part.repeat(100_000);
        for language in [Language::Ruby, Language::Php, Language::Vue, Language::Hcl, Language::Groovy] {
            let _ = brackets(language, text.as_bytes());
        }
    }
}
