//! A glob matched by trying everything: alternatives are written out, stars give back what they took.
//!
//! Knows what the documentation promises: `?`, `*`, `**` as a whole name, `[…]` with ranges and `!`, `{…,…}`, and `\`
//! before a character. Of anything else it says that it does not know.

/// A piece of a glob.
#[derive(Clone, Debug, PartialEq)]
enum Part {
    Plain(char),
    /// `?`
    One,
    /// `*`
    Many,
    /// `**/` at the beginning.
    Folders,
    /// `/**/`
    Between,
    /// `/**` at the end.
    Below,
    /// `**` alone.
    All,
    /// `[…]`: is it turned round, and the ranges.
    Class(bool, Vec<(char, char)>),
}

/// Is it certainly a glob, made of nothing but letters and stars that stand alone?
pub(super) fn is_plain(pattern: &str) -> bool {
    pattern.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '?'))
}

/// Does the pattern match? Nothing where it is beyond us.
pub(super) fn matches(pattern: &str, target: &str) -> Option<bool> {
    let chars: Vec<char> = pattern.chars().collect();
    let plain: Vec<Vec<char>> = spread(&chars)?;
    let target: Vec<char> = target.chars().collect();
    let mut any = false;
    for one in plain {
        let parts = parts(&one)?;
        // To the product a character beyond ASCII is several.
        if !target.iter().all(char::is_ascii) && parts.iter().any(|part| matches!(part, Part::One | Part::Class(..))) {
            return None;
        }
        any |= fits(&parts, &target);
    }
    Some(any)
}

/// All readings of `{…,…}`; inside of braces only plain things are known.
fn spread(pattern: &[char]) -> Option<Vec<Vec<char>>> {
    let Some(open) = open_brace(pattern)? else { return Some(vec![pattern.to_vec()]) };
    let (head, rest) = pattern.split_at(open);
    let (mut depth, mut choices, mut close) = (0, vec![Vec::new()], None);
    for (at, c) in rest.iter().enumerate().skip(1) {
        match c {
            '}' if depth == 0 => {
                close = Some(at);
                break;
            }
            ',' if depth == 0 => {
                choices.push(Vec::new());
                continue;
            }
            '{' => depth += 1,
            '}' => depth -= 1,
            '\\' | '[' | ']' => return None,
            _ => {}
        }
        choices.last_mut()?.push(*c);
    }
    let tail = rest.get(close? + 1..)?;
    // A choice of nothing, and folders within braces, have rules of their own.
    if choices.iter().any(|choice| choice.is_empty() || choice.windows(2).any(|pair| pair == ['*', '*'])) {
        return None;
    }
    let edge = |c: Option<&char>| c == Some(&'*');
    if choices
        .iter()
        .any(|choice| edge(choice.first()) && edge(head.last()) || edge(choice.last()) && edge(tail.first()))
    {
        return None;
    }
    let mut all = Vec::new();
    for choice in choices {
        all.extend(spread(&[head, &choice, tail].concat())?);
    }
    (all.len() < 200).then_some(all)
}

/// The first brace that opens something. Nothing at all where braces do not pair.
fn open_brace(pattern: &[char]) -> Option<Option<usize>> {
    let (mut at, mut found) = (0, None);
    let mut depth = 0_usize;
    while let Some(c) = pattern.get(at) {
        match c {
            '\\' => at += 1,
            '[' => at += class(pattern.get(at..)?)?.1 - 1,
            '{' => {
                found = found.or(Some(at));
                depth += 1;
            }
            '}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        at += 1;
    }
    (depth == 0).then_some(found)
}

fn parts(pattern: &[char]) -> Option<Vec<Part>> {
    if pattern == ['*', '*'] {
        return Some(vec![Part::All]);
    }
    let (mut parts, mut at) = (Vec::new(), 0);
    while let Some(c) = pattern.get(at).copied() {
        let rest = pattern.get(at..)?;
        let (part, len) = match c {
            '*' if at == 0 && rest.starts_with(&['*', '*', '/']) => (Part::Folders, 3),
            '/' if rest == ['/', '*', '*'] => (Part::Below, 3),
            '/' if rest.starts_with(&['/', '*', '*', '/']) => (Part::Between, 4),
            '*' => (Part::Many, 1),
            '?' => (Part::One, 1),
            '[' => {
                let (part, len) = class(rest)?;
                (part, len)
            }
            '\\' => (Part::Plain(*rest.get(1)?), 2),
            '{' | '}' => return None,
            c => (Part::Plain(c), 1),
        };
        parts.push(part);
        at += len;
    }
    // Folders that follow on folders or lead to nothing, and stars in rows: what they mean is not said.
    let wide = |part: &Part| matches!(part, Part::Folders | Part::Between | Part::Below | Part::Many);
    let crowded = parts.windows(2).any(|pair| pair.iter().all(wide));
    let slashed = parts.windows(2).any(|pair| matches!(pair, [Part::Folders | Part::Between, Part::Plain('/')]));
    let open = matches!(parts.last(), Some(Part::Folders | Part::Between));
    (!crowded && !slashed && !open).then_some(parts)
}

/// A `[…]` and its length.
fn class(pattern: &[char]) -> Option<(Part, usize)> {
    let mut at = 1;
    let turned = pattern.get(at) == Some(&'!');
    at += usize::from(turned);
    let mut ranges = Vec::new();
    let begun = at;
    loop {
        let from = *pattern.get(at)?;
        if from == ']' && at > begun {
            break;
        }
        if matches!(from, '\\' | '/' | '[' | '^') {
            return None;
        }
        match (pattern.get(at + 1), pattern.get(at + 2)) {
            (Some('-'), Some(to)) if *to != ']' => {
                if from > *to || *to == '\\' {
                    return None;
                }
                ranges.push((from, *to));
                at += 3;
            }
            _ => {
                ranges.push((from, from));
                at += 1;
            }
        }
    }
    // Whether a range takes in the slash is better left open.
    let takes_slash = ranges.iter().any(|(from, to)| (*from..=*to).contains(&'/'));
    (!takes_slash).then_some((Part::Class(turned, ranges), at + 1))
}

fn fits(parts: &[Part], target: &[char]) -> bool {
    let Some((part, rest)) = parts.split_first() else { return target.is_empty() };
    let behind = |count: usize| target.get(count..).unwrap_or_default();
    let slashes = || target.iter().enumerate().filter(|(_, c)| **c == '/').map(|(at, _)| at);
    match part {
        Part::All => true,
        Part::Plain(c) => target.first() == Some(c) && fits(rest, behind(1)),
        Part::One => target.first().is_some_and(|c| *c != '/') && fits(rest, behind(1)),
        Part::Class(turned, ranges) => {
            let within = |c: &char| ranges.iter().any(|(from, to)| from <= c && c <= to);
            target.first().is_some_and(|c| within(c) != *turned) && fits(rest, behind(1))
        }
        Part::Many => {
            let most = target.iter().take_while(|c| **c != '/').count();
            (0..=most).any(|count| fits(rest, behind(count)))
        }
        Part::Folders => fits(rest, target) || slashes().any(|at| fits(rest, behind(at + 1))),
        Part::Between => target.first() == Some(&'/') && slashes().any(|at| fits(rest, behind(at + 1))),
        Part::Below => target.first() == Some(&'/') && rest.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_and_what_is_not() {
        let check = |pattern: &str, target: &str, want: Option<bool>| {
            assert_eq!(matches(pattern, target), want, "{pattern:?} on {target:?}");
        };
        check("*.b", "a.b", Some(true));
        check("*", "a/b", Some(false));
        check("**/a", "a", Some(true));
        check("**/a", "b/b/a", Some(true));
        check("a/**", "a", Some(false));
        check("a/**", "a/b/c", Some(true));
        check("a/**/b", "a/b", Some(true));
        check("a/**/b", "a/x/y/b", Some(true));
        check("{a,b*}/c", "bb/c", Some(true));
        check("[!a-c]?", "db", Some(true));
        check("a[!a]b", "a/b", Some(true)); // a class is the one thing that takes a slash for any other character
        check("\\*", "*", Some(true));
        check("{a", "a", None);
        check("***", "a", None);
    }
}
