//! Operations on anchored lines, word for word: every line is looked at for every anchor.

use super::super::ask::{Deed, Name, Operation};
use super::super::draft::{Hunk, applied};
use super::super::text::Text;
use super::{Scene, Session};
use patchwright_engine::core::anchor::line_hash;
use std::ops::Range;

/// The text after operations; nothing where one of them must be refused. The look at the result is left out.
pub(super) fn edited(operations: &[Operation], scene: &Scene<'_>) -> Option<Text> {
    let mut hunks: Vec<Hunk> = operations.iter().map(|one| hunk(one, scene)).collect::<Option<_>>()?;
    hunks.sort_by_key(|hunk| (hunk.old.start, hunk.old.end));
    let apart = hunks.iter().zip(hunks.iter().skip(1)).all(|(one, two)| one.old.end <= two.old.start);
    apart.then(|| applied(scene.disk, &hunks))
}

fn hunk(operation: &Operation, scene: &Scene<'_>) -> Option<Hunk> {
    let first = line(&operation.first, scene)?;
    let new = operation.content.clone();
    let old = match (operation.deed, &operation.last) {
        (Deed::After, _) => first + 1..first + 1,
        (Deed::Before, _) => first..first,
        (_, None) => first..first + 1,
        (_, Some(last)) => {
            let last = line(last, scene)?;
            (first != last).then(|| first.min(last)..first.max(last) + 1)?
        }
    };
    let named = operation.last.is_some() || operation.first.form.contains('@');
    let clear = named || scene.disk.lines.get(first).is_some_and(|text| text.contains(char::is_alphanumeric));
    let touched = if operation.deed == Deed::After { first } else { old.start };
    let said = operation.was.as_ref().is_none_or(|was| scene.disk.lines.get(touched) == Some(was));
    (clear && said && !is_changed(&old, operation, scene)).then_some(Hunk { old, new })
}

/// Would an insert bring lines that stand right beside it already?
pub(in super::super) fn stands(operations: &[Operation], scene: &Scene<'_>) -> bool {
    let Some(mut hunks) = operations.iter().map(|one| hunk(one, scene)).collect::<Option<Vec<Hunk>>>() else {
        return false;
    };
    hunks.sort_by_key(|hunk| (hunk.old.start, hunk.old.end));
    let after = applied(scene.disk, &hunks).lines;
    let (mut gone, mut come) = (0, 0);
    hunks.iter().any(|hunk| {
        let start = hunk.old.start + come - gone;
        (gone, come) = (gone + hunk.old.len(), come + hunk.new.len());
        brings_again(scene.disk.lines.get(hunk.old.clone()).unwrap_or_default(), &after, start..start + hunk.new.len())
    })
}

/// Of lines in place of others, those between the beginning and the end that stay.
fn brings_again(old: &[String], after: &[String], new: Range<usize>) -> bool {
    let came = after.get(new.clone()).unwrap_or_default();
    let head = old.iter().zip(came).take_while(|(one, two)| one == two).count();
    let rest = old.iter().skip(head).rev().zip(came.iter().skip(head).rev());
    let foot = rest.take_while(|(one, two)| one == two).count();
    let (from, to) = (new.start + head, new.end - foot);
    let block = after.get(from..to).unwrap_or_default();
    let above = from.checked_sub(block.len()).and_then(|at| after.get(at..from));
    let insert = head + foot == old.len() && !block.is_empty();
    insert && (above == Some(block) || after.get(to..to + block.len()) == Some(block))
}

/// Do the lines of a range say something else than what the caller has read?
fn is_changed(range: &Range<usize>, operation: &Operation, scene: &Scene<'_>) -> bool {
    let Some(last) = &operation.last else { return false };
    if scene.session != Session::HasRead || scene.seen == scene.disk {
        return false;
    }
    let before = |name: &Name| one(&name.form, &scene.seen.lines);
    let (Some(first), Some(last)) = (before(&operation.first), before(last)) else { return true };
    let known = scene.seen.lines.get(first.min(last)..=first.max(last));
    known != scene.disk.lines.get(range.clone())
}

/// The one line that an anchor names. The number before it must agree where the caller has just been shown it.
fn line(name: &Name, scene: &Scene<'_>) -> Option<usize> {
    let at = one(&name.form, &scene.disk.lines)?;
    let shown = scene.session == Session::HasRead && scene.seen == scene.disk;
    (!shown || name.number == at + 1).then_some(at)
}

fn one(form: &str, lines: &[String]) -> Option<usize> {
    let found: Vec<usize> = named(form, lines);
    match found[..] {
        [at] => Some(at),
        _ => None,
    }
}

/// All lines that a form names, from 0.
fn named(form: &str, lines: &[String]) -> Vec<usize> {
    let places = |digits: &str, hash: &dyn Fn(usize) -> u64| {
        let bits = 64_u32.saturating_sub(4 * u32::try_from(digits.len()).unwrap_or(16));
        let wanted = u64::from_str_radix(digits, 16).ok();
        (0..lines.len()).filter(|at| Some(hash(*at) >> bits) == wanted).collect::<Vec<usize>>()
    };
    let own = |at: usize| lines.get(at).map_or(0, |line| line_hash(line.as_bytes()));
    let context = |at: usize| around(lines, at);
    if let Some(digits) = form.strip_prefix('~') {
        return places(digits, &context);
    }
    let Some((short, place)) = form.split_once('@') else {
        let found = places(form, &own);
        return if found.is_empty() && form.len() == 8 { places(form, &context) } else { found };
    };
    let alike = places(short, &own);
    let (at, of) = place.split_once('/').unwrap_or((place, ""));
    let (at, of): (usize, usize) = (at.parse().unwrap_or(0), of.parse().unwrap_or(0));
    if of != alike.len() {
        return Vec::new();
    }
    at.checked_sub(1).and_then(|at| alike.get(at)).copied().into_iter().collect()
}

/// The hash of a line between its nearest neighbours that are not blank.
fn around(lines: &[String], at: usize) -> u64 {
    let full = |line: &&String| line.contains(|letter: char| !letter.is_whitespace());
    let above = lines.iter().take(at).rev().find(full).map_or("", String::as_str);
    let below = lines.iter().skip(at + 1).find(full).map_or("", String::as_str);
    let own = lines.get(at).map_or("", String::as_str);
    line_hash(format!("{above}\n{own}\n{below}").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use patchwright_engine::core::anchor::Anchors;

    fn check(text: &str) {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        for shown in Anchors::of(text.as_bytes()).slice(1..=lines.len()) {
            assert_eq!(named(&shown.form.to_string(), &lines), [shown.line - 1], "{shown} of {text:?}");
        }
    }

    #[test]
    fn every_printed_form_names_its_line() {
        check("one\ntwo\n");
        check("one\n}\ntwo\n}\n"); // by what stands around
        check("a\n}\nb\na\n}\nb\na\n"); // by place
        check("}\n}\n}\n\n\n");
    }
}
