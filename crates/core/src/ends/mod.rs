//! How the lines of a new file end, by what a project says of it in `.gitattributes` and `.editorconfig`.
//!
//! Pure: it is given the texts of those files, from the root of the workspace down to the folder of the file. Promises work
//! that is bounded by their size, and never to fail: a line that makes no sense is as if it were not there.

mod attributes;
mod editor;
mod glob;

use crate::path::RelPath;
use crate::text::Terminator;
use glob::Compiled;

/// The file in which git is told about paths.
pub const ATTRIBUTES: &str = ".gitattributes";
/// The file in which editors are.
pub const EDITOR: &str = ".editorconfig";

/// What one folder says of the files in and below it.
#[derive(Clone, Debug)]
pub struct Told {
    /// The folder.
    pub folder: RelPath,
    /// The text of its `.gitattributes`.
    pub attributes: Option<String>,
    /// The text of its `.editorconfig`.
    pub editor: Option<String>,
    /// Its patterns, as far as they were asked for.
    compiled: Compiled,
}

impl Told {
    /// What a folder says by the texts of its `.gitattributes` and its `.editorconfig`.
    pub fn new(folder: RelPath, attributes: Option<String>, editor: Option<String>) -> Told {
        Told { folder, attributes, editor, compiled: Compiled::default() }
    }
}

/// How the lines of a file at this path end, and which sort of file says so; nothing where none does. `folders` are those
/// above the path, from the root down.
pub fn line_ends<'t>(
    path: &RelPath,
    folders: impl DoubleEndedIterator<Item = &'t Told> + Clone,
) -> Option<(Terminator, &'static str)> {
    match attributes::say(path, folders.clone()) {
        attributes::Said::Ends(ends) => Some((ends, ATTRIBUTES)),
        // To git it is no text, so that it has no line ends of its own.
        attributes::Said::NoText => None,
        attributes::Said::Nothing => editor::say(path, folders).map(|ends| (ends, EDITOR)),
    }
}

/// A path as one of the folders above it sees it.
fn below<'p>(path: &'p RelPath, folder: &RelPath) -> Option<&'p str> {
    if folder.is_root() {
        return Some(path.as_str());
    }
    path.as_str().strip_prefix(folder.as_str())?.strip_prefix('/')
}

/// The lines of a file, however they end.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.strip_prefix('\u{feff}').unwrap_or(text).lines().map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files by their path, and what they say of another path: `crlf`, `lf` or nothing.
    fn check(files: &[(&str, &str)], path: &str, want: &str) {
        let path = RelPath::parse(path, &[]).unwrap();
        let mut folders = vec![RelPath::root()];
        folders.extend(path.ancestors());
        let told = |folder: &RelPath| {
            let text = |name: &str| {
                let at = folder.join(name).unwrap();
                files.iter().find(|(path, _)| *path == at.as_str()).map(|(_, text)| (*text).to_owned())
            };
            Told::new(folder.clone(), text(ATTRIBUTES), text(EDITOR))
        };
        let folders: Vec<Told> = folders.iter().map(told).collect();
        let found = match line_ends(&path, folders.iter()) {
            Some((Terminator::CrLf, _)) => "crlf",
            Some(_) => "lf",
            None => "",
        };
        assert_eq!(found, want, "{files:?} {path:?}");
    }

    #[test]
    fn what_git_is_told() {
        let say = |text: &'static str, path: &str, want: &str| check(&[(".gitattributes", text)], path, want);
        say("*.bat eol=crlf\n", "a.bat", "crlf");
        say("*.bat eol=crlf\n", "x/y/a.bat", "crlf");
        say("*.bat eol=crlf\n", "a.sh", "");
        say("*.bat text eol=crlf # no comment\n", "a.bat", "crlf");
        say("# *.bat eol=crlf\n", "a.bat", "");
        say("* eol=crlf\n*.sh eol=lf\n", "x/a.sh", "lf"); // the last line wins
        say("*.sh eol=lf\n* eol=crlf\n", "x/a.sh", "crlf");
        say("* eol=crlf\n*.bin binary\n", "a.bin", "");
        say("* eol=crlf\n*.bin -text\n*.bin text\n", "a.bin", "crlf");
        say("* text=auto\n", "a.txt", "");
        say("* eol=crlf\n*.txt !eol\n", "a.txt", "");
        say("* eol=crlf\r\n", "a.txt", "crlf");
        say("/a.txt eol=crlf\n", "a.txt", "crlf");
        say("/a.txt eol=crlf\n", "x/a.txt", "");
        say("x/*.txt eol=crlf\n", "x/a.txt", "crlf");
        say("x/*.txt eol=crlf\n", "x/y/a.txt", "");
        say("x/**/a.txt eol=crlf\n", "x/y/z/a.txt", "crlf");
        say("x/** eol=crlf\n", "x/y/a.txt", "crlf");
        say("**/y/*.txt eol=crlf\n", "x/y/a.txt", "crlf");
        say("x/ eol=crlf\n", "x/a.txt", ""); // a folder is no file
        say("!*.txt eol=crlf\n", "a.txt", ""); // not allowed there
        say("\"a b.txt\" eol=crlf\n", "a b.txt", "crlf");
        say("a{b}.txt eol=crlf\n", "a{b}.txt", "crlf"); // braces mean nothing to git
        say("[ab]?.txt eol=crlf\n", "bc.txt", "crlf");
        say("*.txt crlf\n", "a.txt", "");
        say("*.txt crlf=input\n", "a.txt", "lf");
        say("*.txt eol=crlf\n*.txt -crlf\n", "a.txt", "");
        say("[attr]dos text eol=crlf\n*.txt dos\n", "a.txt", "crlf");
        say("[attr]a b\n[attr]b a\n*.txt a\n", "a.txt", "");
        let two = [(".gitattributes", "* eol=lf\n"), ("x/.gitattributes", "a.txt eol=crlf\n/b.txt eol=crlf\n")];
        check(&two, "x/a.txt", "crlf"); // the deeper file wins
        check(&two, "x/y/a.txt", "crlf");
        check(&two, "x/y/b.txt", "lf");
        check(&two, "a.txt", "lf");
    }

    #[test]
    fn what_editors_are_told() {
        let say = |text: &'static str, path: &str, want: &str| check(&[(".editorconfig", text)], path, want);
        say("[*]\nend_of_line = crlf\n", "x/a.txt", "crlf");
        say("end_of_line = crlf\n", "a.txt", ""); // in no section
        say("[*.bat]\nEnd_Of_Line=CRLF\n[*.sh]\nend_of_line=lf\n", "x/a.bat", "crlf");
        say("[*]\nend_of_line = crlf\n[*.sh]\nend_of_line = lf\n", "a.sh", "lf");
        say("[*]\nend_of_line = crlf\n[*.sh]\nend_of_line = unset\n", "a.sh", "");
        say("[*]\nend_of_line = cr\n", "a.sh", "");
        say("[*]\n; end_of_line = crlf\n# end_of_line = crlf\n", "a.sh", "");
        say("[*]\nend_of_line = crlf ; as ever\n", "a.sh", "crlf");
        say("[*.{bat,cmd}]\nend_of_line = crlf\n", "a.cmd", "crlf");
        say("[{a,b}.txt]\nend_of_line = crlf\n", "x/b.txt", "crlf");
        say("[*.{bat}]\nend_of_line = crlf\n", "a.bat", ""); // one alternative is none
        say("[x/*.txt]\nend_of_line = crlf\n", "x/a.txt", "crlf");
        say("[x/*.txt]\nend_of_line = crlf\n", "x/y/a.txt", "");
        say("[x/**.txt]\nend_of_line = crlf\n", "x/y/a.txt", "crlf");
        say("[/a.txt]\nend_of_line = crlf\n", "x/a.txt", "");
        say("[a{1..3}.txt]\nend_of_line = crlf\n", "a2.txt", "crlf");
        say("[a{1..3}.txt]\nend_of_line = crlf\n", "a4.txt", "");
        say("[*\nend_of_line = crlf\n", "a.txt", "");
        let far = [(".editorconfig", "[*]\nend_of_line = crlf\n"), ("x/.editorconfig", "[*.sh]\nend_of_line = lf\n")];
        check(&far, "x/a.sh", "lf");
        check(&far, "x/a.txt", "crlf");
        let top = [(".editorconfig", "[*]\nend_of_line = crlf\n"), ("x/.editorconfig", "root = true\n")];
        check(&top, "x/a.txt", "");
        check(&top, "a.txt", "crlf");
    }

    #[test]
    fn git_goes_before_editors() {
        let both = |git: &'static str| [(".gitattributes", git), (".editorconfig", "[*]\nend_of_line = crlf\n")];
        check(&both("*.sh eol=lf\n"), "a.sh", "lf");
        check(&both("*.sh eol=lf\n"), "a.txt", "crlf");
        check(&both("* text=auto\n"), "a.txt", "crlf");
        check(&both("*.bin binary\n"), "a.bin", "");
    }

    #[test]
    fn any_text_is_taken() {
        let hostile = ["[".repeat(5000), "{".repeat(5000), "[*{\n".repeat(2000), format!("[{}]\n", "*a".repeat(3000))];
        for text in &hostile {
            let told = Told::new(RelPath::root(), Some(text.clone()), Some(text.clone()));
            let path = RelPath::parse(&"a".repeat(200), &[]).unwrap();
            assert_eq!(line_ends(&path, [told].iter()), None, "{}", &text[..20]);
        }
    }
}
