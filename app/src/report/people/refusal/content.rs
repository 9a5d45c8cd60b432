//! Content that is not as a command needs it: binary, too large, in another charset; and patterns that cannot be read.

use super::said::{Command, Said};
use super::shown::{cut, line};
use super::{Draft, named};
use crate::report::amounts::size;
use patchwright_core::refusal::Why;

/// The charset that a text which is no UTF-8 is most often in.
const LIKELY: &str = "windows-1252";

/// Words for these refusals.
pub(super) fn told(path: Option<&str>, why: &Why, said: &Said<'_>) -> Draft {
    let name = named(path, said);
    match why {
        Why::SpecialFile => Draft::because(format!("{name} is a device, pipe or socket, and is never opened")),
        Why::TooLarge { size, limit, setting } => {
            let excess = Excess { size: *size, limit: *limit, setting };
            too_large(path, &name, &excess, said)
        }
        Why::Binary => Draft::because(format!("{name} is a binary file, and this needs text"))
            .show(["if it is text in a charset of its own: --encoding NAME, such as utf-16le".to_owned()]),
        Why::CharsetUnnamed => {
            let draft = Draft::because(format!("{name} is not UTF-8, and the new text has letters beyond ASCII"));
            other_charset(draft, path, said)
        }
        Why::Encoding { charset, line, unencodable } => {
            let text = BadText { charset, line: *line, unencodable: *unencodable };
            encoding(path, &name, &text, said)
        }
        Why::Glob(words) => pattern("glob", words)
            .show(["a character that is meant as itself stands in brackets, such as [{] or [*]".to_owned()]),
        Why::Pattern(words) => {
            pattern("pattern", words).show(["a character that is meant as itself has a backslash before it".to_owned()])
        }
        // Nothing else is about content.
        _ => Draft::because(format!("{name} cannot be read as text")),
    }
}

/// How much too large something is.
struct Excess<'a> {
    size: u64,
    limit: u64,
    setting: &'a str,
}

fn too_large(path: Option<&str>, name: &str, excess: &Excess<'_>, said: &Said<'_>) -> Draft {
    let Excess { size: is, limit, setting } = *excess;
    let (has, most) = (size(is), size(limit));
    let (has, most) = if has == most { (format!("{is} bytes"), format!("{limit} bytes")) } else { (has, most) };
    let part = path.filter(|_| said.command == Command::Read).and_then(|path| said.reading(path, Some((1, 200))));
    Draft::because(format!("{name} is too large: {has}, and {setting} is {most}"))
        .show(["~/.config/patchwright/config.toml may raise it".to_owned()])
        .hint(part)
}

/// Text that its charset cannot hold.
struct BadText<'a> {
    charset: &'a str,
    line: Option<usize>,
    unencodable: Option<char>,
}

fn encoding(path: Option<&str>, name: &str, text: &BadText<'_>, said: &Said<'_>) -> Draft {
    let BadText { charset, line, unencodable } = *text;
    match (unencodable, line) {
        (Some(ch), line) => {
            let at = line.map(|line| format!(", which line {line} needs")).unwrap_or_default();
            let shown = self::line(&ch.to_string());
            Draft::because(format!("{name} is in {charset}, which has no {shown} (U+{:04X}){at}", u32::from(ch)))
        }
        (None, line) => {
            let at = line.map(|line| format!("line {line} of ")).unwrap_or_default();
            let draft =
                Draft::because(format!("{at}{name} is not valid {charset}, and could not be written back as it is"));
            other_charset(draft, path, said)
        }
    }
}

/// What may be in a charset that has to be named: the reading that shows whether it is the likely one.
pub(super) fn other_charset(draft: Draft, path: Option<&str>, said: &Said<'_>) -> Draft {
    let file = path.and_then(|path| said.argument(path, None));
    let flag = match (said.command, &file) {
        (Command::Apply, Some(file)) => format!("--encoding-for {file}=NAME"),
        _ => "--encoding NAME".to_owned(),
    };
    let look = file.filter(|_| !said.has_typed("--encoding"));
    let look = look.map(|file| said.command(&format!("read --encoding {LIKELY} {file}")));
    draft.show([format!("{flag} names its charset, which may be {LIKELY}")]).hint(look)
}

/// What a compiler says of a pattern, line by line.
fn pattern(what: &str, words: &str) -> Draft {
    let lines: Vec<&str> = words.lines().filter(|line| !line.trim().is_empty()).collect();
    match lines.as_slice() {
        [one] => Draft::plain(format!("the {what} cannot be read: {}", line(one))),
        many => {
            Draft::plain(format!("the {what} cannot be read")).show(many.iter().take(4).map(|text| cut(&line(text))))
        }
    }
}
