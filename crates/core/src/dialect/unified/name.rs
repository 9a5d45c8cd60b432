//! Names of files in a diff: bare or quoted as C strings, with the prefixes of both sides or without.

/// How names are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// As `a/name` and `b/name`.
    Prefixed,
    /// As they are.
    Plain,
}

/// What a section names, read in one style.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Named {
    pub(super) old: Option<String>,
    pub(super) new: Option<String>,
}

/// The styles in which a section makes sense, and what it names then.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Fits {
    pub(super) prefixed: Option<Named>,
    pub(super) plain: Option<Named>,
}

impl Fits {
    /// The only style that makes sense.
    pub(super) fn only(&self) -> Option<Style> {
        match (&self.prefixed, &self.plain) {
            (Some(_), None) => Some(Style::Prefixed),
            (None, Some(_)) => Some(Style::Plain),
            _ => None,
        }
    }
}

/// The prefixes that git gives to the two sides, also with `diff.mnemonicPrefix` and `--no-index`; the other way round
/// with `-R`.
const PAIRS: [(&str, &str); 6] = [("a/", "b/"), ("i/", "w/"), ("c/", "i/"), ("c/", "w/"), ("o/", "w/"), ("1/", "2/")];

/// A name behind `--- ` or `+++ `; what follows a tab is a time.
pub(super) fn behind(text: &str) -> Option<String> {
    if text.starts_with('"') {
        let (name, rest) = quoted(text)?;
        return (rest.is_empty() || rest.starts_with('\t')).then_some(name);
    }
    let name = text.split('\t').next().unwrap_or_default();
    (!name.is_empty()).then(|| name.to_owned())
}

/// A name that fills its line, as behind `rename from `.
pub(super) fn whole(text: &str) -> Option<String> {
    if text.starts_with('"') {
        return quoted(text).filter(|(_, rest)| rest.is_empty()).map(|(name, _)| name);
    }
    (!text.is_empty()).then(|| text.to_owned())
}

/// A name without the prefix of its side, and that prefix.
pub(super) fn bare(name: &str) -> Option<(&str, &'static str)> {
    let strip = |prefix: &'static str| name.strip_prefix(prefix).map(|rest| (rest, prefix));
    let either = |(left, right): &(&'static str, &'static str)| strip(left).or_else(|| strip(right));
    PAIRS.iter().find_map(either).filter(|(rest, _)| !rest.is_empty())
}

/// A name that stands alone, without its prefix: of the letters only those of git's own setting are taken for one.
pub(super) fn alone(name: &str) -> Option<&str> {
    bare(name).filter(|(_, prefix)| matches!(*prefix, "a/" | "b/")).map(|(rest, _)| rest)
}

/// Do these two names stand behind `diff --git `?
pub(super) fn is_pair(text: &str, old: &str, new: &str) -> bool {
    let rest = after(text, old).and_then(|rest| rest.strip_prefix(' '));
    rest.and_then(|rest| after(rest, new)).is_some_and(str::is_empty)
}

/// Do they stand there with their prefixes?
pub(super) fn is_prefixed_pair(text: &str, old: &str, new: &str) -> bool {
    let with = |prefix: &str, name: &str| format!("{prefix}{name}");
    let is = |left: &str, right: &str| is_pair(text, &with(left, old), &with(right, new));
    PAIRS.iter().any(|(left, right)| is(left, right) || is(right, left))
}

/// What stands after a name, bare or quoted.
fn after<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    match quoted(text) {
        Some((found, rest)) if found == name => Some(rest),
        _ => text.strip_prefix(name),
    }
}

/// The two names behind `diff --git ` where they are the same but for their prefixes.
pub(super) fn twins(text: &str, style: Style) -> Option<String> {
    let (old, new) = match quoted(text) {
        Some((old, rest)) => (old, whole(rest.strip_prefix(' ')?)?),
        // Both are equally long, so the blank between them is in the middle.
        None => {
            let (old, new) = text.split_at_checked(text.len() / 2)?;
            (old.to_owned(), new.strip_prefix(' ')?.to_owned())
        }
    };
    same(&old, &new, style)
}

/// The name that both sides have.
pub(super) fn same(old: &str, new: &str, style: Style) -> Option<String> {
    match style {
        Style::Plain => (old == new).then(|| old.to_owned()),
        Style::Prefixed => {
            let ((old, left), (new, right)) = (bare(old)?, bare(new)?);
            let paired = PAIRS.contains(&(left, right)) || PAIRS.contains(&(right, left));
            (old == new && paired).then(|| old.to_owned())
        }
    }
}

/// A name in quotes with C's escapes, and what follows it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let inner = text.strip_prefix('"')?;
    let (mut name, mut at) = (Vec::new(), 0);
    let bytes = inner.as_bytes();
    loop {
        let byte = *bytes.get(at)?;
        at += 1;
        match byte {
            b'"' => return Some((String::from_utf8(name).ok()?, inner.get(at..)?)),
            b'\\' => {
                let (escaped, len) = escape(bytes.get(at..)?)?;
                name.push(escaped);
                at += len;
            }
            byte => name.push(byte),
        }
    }
}

/// The byte that an escape stands for, and the length of the escape without its backslash.
fn escape(bytes: &[u8]) -> Option<(u8, usize)> {
    Some(match bytes {
        [b'a', ..] => (0x07, 1),
        [b'b', ..] => (0x08, 1),
        [b't', ..] => (b'\t', 1),
        [b'n', ..] => (b'\n', 1),
        [b'v', ..] => (0x0b, 1),
        [b'f', ..] => (0x0c, 1),
        [b'r', ..] => (b'\r', 1),
        [byte @ (b'"' | b'\\'), ..] => (*byte, 1),
        [a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', ..] => ((a - b'0') * 64 + (b - b'0') * 8 + (c - b'0'), 3),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_behind_signs() {
        let check = |text: &str, want: Option<&str>| assert_eq!(behind(text).as_deref(), want, "{text:?}");
        check("a/x", Some("a/x"));
        check("a/x y\t", Some("a/x y"));
        check("x\t2024-01-01 00:00:00.000 +0000", Some("x"));
        check("\"a/t\\tq\\\"\\303\\244\\\\\"", Some("a/t\tq\"ä\\"));
        check("\"a/x\"\t2024", Some("a/x"));
        check("\"a/x\"y", None);
        check("\"a/x", None);
        check("\"\\377\"", None); // no UTF-8
        check("\"\\400\"", None); // no byte
        check("\"\\q\"", None);
        check("", None);
        check("\t2024", None);
    }

    #[test]
    fn names_behind_git() {
        let check = |text: &str, prefixed: Option<&str>, plain: Option<&str>| {
            let found = (twins(text, Style::Prefixed), twins(text, Style::Plain));
            assert_eq!((found.0.as_deref(), found.1.as_deref()), (prefixed, plain), "{text:?}");
        };
        check("a/x b/x", Some("x"), None);
        check("a/x b/x b/x b/x", Some("x b/x"), None);
        check("i/x w/x", Some("x"), None);
        check("w/x c/x", Some("x"), None);
        check("c/x b/x", None, None);
        check("x x", None, Some("x"));
        check("a/x a/x", None, Some("a/x"));
        check("a/x b/y", None, None);
        check("\"a/\\t\" \"b/\\t\"", Some("\t"), None);
        check("\"a/\\t\"\"b/\\t\"", None, None);
        check("", None, None);
        check("ä b/", None, None);
    }
}
