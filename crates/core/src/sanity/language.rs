//! Which language a file is in, by its name and, for scripts, by its first line.
//!
//! Promises never to guess from content beyond that line: a file of no known language is just text.

/// A language that the check knows something about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    Rust,
    Python,
    JavaScript,
    TypeScript,
    Tsx,
    Go,
    Java,
    C,
    Cpp,
    /// A `.h` file: C or C++, and nobody says which.
    Header,
    Json,
    /// JSON with comments, trailing commas or bare keys.
    LooseJson,
    Yaml,
    Toml,
    Html,
    Xml,
    Css,
    /// SCSS and Less: CSS with line comments.
    Scss,
    Shell,
    CSharp,
    Kotlin,
    Swift,
    Scala,
    Dart,
    Zig,
    Lua,
    Proto,
    GraphQl,
    Php,
    Ruby,
    Vue,
    Hcl,
    Groovy,
}

use Language::*;

/// Endings of names, in lower case, without the dot.
const ENDINGS: &[(&str, Language)] = &[
    ("rs", Rust),
    ("py", Python),
    ("pyi", Python),
    ("pyw", Python),
    ("js", JavaScript),
    ("jsx", JavaScript),
    ("mjs", JavaScript),
    ("cjs", JavaScript),
    ("ts", TypeScript),
    ("mts", TypeScript),
    ("cts", TypeScript),
    ("tsx", Tsx),
    ("go", Go),
    ("java", Java),
    ("c", C),
    ("h", Header),
    ("cc", Cpp),
    ("cpp", Cpp),
    ("cxx", Cpp),
    ("c++", Cpp),
    ("hh", Cpp),
    ("hpp", Cpp),
    ("hxx", Cpp),
    ("ipp", Cpp),
    ("json", Json),
    ("geojson", Json),
    ("ipynb", Json),
    ("webmanifest", Json),
    ("jsonc", LooseJson),
    ("json5", LooseJson),
    ("code-workspace", LooseJson),
    ("yaml", Yaml),
    ("yml", Yaml),
    ("toml", Toml),
    ("html", Html),
    ("htm", Html),
    ("xhtml", Html),
    ("xml", Xml),
    ("svg", Xml),
    ("xsd", Xml),
    ("xsl", Xml),
    ("plist", Xml),
    ("csproj", Xml),
    ("xaml", Xml),
    ("css", Css),
    ("scss", Scss),
    ("less", Scss),
    ("sh", Shell),
    ("bash", Shell),
    ("cs", CSharp),
    ("kt", Kotlin),
    ("kts", Kotlin),
    ("swift", Swift),
    ("scala", Scala),
    ("dart", Dart),
    ("zig", Zig),
    ("lua", Lua),
    ("proto", Proto),
    ("graphql", GraphQl),
    ("gql", GraphQl),
    ("php", Php),
    ("phtml", Php),
    ("rb", Ruby),
    ("rake", Ruby),
    ("gemspec", Ruby),
    ("ru", Ruby),
    ("vue", Vue),
    ("tf", Hcl),
    ("tfvars", Hcl),
    ("hcl", Hcl),
    ("nomad", Hcl),
    ("groovy", Groovy),
    ("gradle", Groovy),
];

/// Whole names, in lower case.
const NAMES: &[(&str, Language)] = &[
    ("cargo.lock", Toml),
    ("poetry.lock", Toml),
    ("uv.lock", Toml),
    ("pipfile", Toml),
    ("package-lock.json", Json),
    ("composer.lock", Json),
    ("deno.lock", Json),
    (".babelrc", LooseJson),
    (".eslintrc", LooseJson),
    (".eslintrc.json", LooseJson),
    (".jshintrc", LooseJson),
    (".swcrc", LooseJson),
    ("deno.json", LooseJson),
    ("tslint.json", LooseJson),
    (".clang-format", Yaml),
    (".clang-tidy", Yaml),
    (".bashrc", Shell),
    (".bash_aliases", Shell),
    (".bash_profile", Shell),
    (".profile", Shell),
    ("apkbuild", Shell),
    ("pkgbuild", Shell),
    ("sconstruct", Python),
    ("sconscript", Python),
    ("rakefile", Ruby),
    ("gemfile", Ruby),
    ("guardfile", Ruby),
    ("podfile", Ruby),
    ("vagrantfile", Ruby),
    ("fastfile", Ruby),
    ("jenkinsfile", Groovy),
];

/// Programs that a first line `#!…` may name.
const PROGRAMS: &[(&str, Language)] = &[
    ("sh", Shell),
    ("bash", Shell),
    ("dash", Shell),
    ("python", Python),
    ("python2", Python),
    ("python3", Python),
    ("node", JavaScript),
    ("deno", TypeScript),
    ("bun", TypeScript),
    ("ruby", Ruby),
    ("php", Php),
    ("groovy", Groovy),
];

impl Language {
    /// The language of a file, by its path and first line.
    pub(super) fn of(path: &str, text: &[u8]) -> Option<Language> {
        let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
        let settings = name.starts_with("tsconfig") || name.starts_with("jsconfig") || path.contains(".vscode/");
        if settings && name.ends_with(".json") {
            return Some(LooseJson);
        }
        let ending = || name.rsplit_once('.').and_then(|(_, ending)| find(ENDINGS, ending));
        find(NAMES, &name).or_else(ending).or_else(|| by_first_line(text))
    }

    /// What people call it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Rust => "Rust",
            Python => "Python",
            JavaScript => "JavaScript",
            TypeScript => "TypeScript",
            Tsx => "TSX",
            Go => "Go",
            Java => "Java",
            C => "C",
            Cpp => "C++",
            Header => "C or C++",
            Json => "JSON",
            LooseJson => "JSON with comments",
            Yaml => "YAML",
            Toml => "TOML",
            Html => "HTML",
            Xml => "XML",
            Css => "CSS",
            Scss => "SCSS",
            Shell => "shell",
            CSharp => "C#",
            Kotlin => "Kotlin",
            Swift => "Swift",
            Scala => "Scala",
            Dart => "Dart",
            Zig => "Zig",
            Lua => "Lua",
            Proto => "Protocol Buffers",
            GraphQl => "GraphQL",
            Php => "PHP",
            Ruby => "Ruby",
            Vue => "Vue",
            Hcl => "HCL",
            Groovy => "Groovy",
        }
    }
}

fn find(table: &[(&str, Language)], word: &str) -> Option<Language> {
    table.iter().find(|(known, _)| *known == word).map(|(_, language)| *language)
}

/// `#!/bin/sh`, `#!/usr/bin/env -S python3 -u`.
fn by_first_line(text: &[u8]) -> Option<Language> {
    let start = text.get(..text.len().min(200))?;
    let line = start.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?;
    let mut words = line.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
    let program = match words.next()? {
        "env" => words.find(|word| !word.starts_with('-') && !word.contains('='))?,
        program => program,
    };
    find(PROGRAMS, program.split('.').next().unwrap_or(program))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(path: &str, text: &str, expected: Option<Language>) {
        assert_eq!(Language::of(path, text.as_bytes()), expected, "{path} {text}");
    }

    #[test]
    fn names_endings_and_first_lines() {
        check("src/lib.rs", "", Some(Rust));
        check("A.RS", "", Some(Rust));
        check("a.d.ts", "", Some(TypeScript));
        check("x/Cargo.lock", "", Some(Toml));
        check("tsconfig.base.json", "", Some(LooseJson));
        check(".vscode/launch.json", "", Some(LooseJson));
        check("package.json", "", Some(Json));
        check(".bashrc", "", Some(Shell));
        check("run", "#!/bin/sh\n", Some(Shell));
        check("run", "#!/usr/bin/env -S python3.12 -u\r\n", Some(Python));
        check("run", "#!/usr/bin/env A=1 node", Some(JavaScript));
        check("run", "#!", None);
        check("run", "#!/usr/bin/perl", None);
        check("notes.txt", "#!/nothing", None);
        check("Makefile", "all:\n", None);
        check("Gemfile", "", Some(Ruby));
        check("run", "#!/usr/bin/env ruby\n", Some(Ruby));
        check("ci/Jenkinsfile", "", Some(Groovy));
        check("build.gradle.kts", "", Some(Kotlin));
        check("main.tf.json", "", Some(Json));
        check("", "", None);
    }
}
