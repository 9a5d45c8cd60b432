//! Attributes that cannot come out as they should: those that the answer says could not be carried over, and those that a
//! file system hid by claiming that it knows none. Everything else is judged as ever, and nobody may have got more
//! rights.

use super::sites::Trial;
use crate::prove::answer::Answer;
use crate::prove::workload::{Answered, Prepared};
use patchwright_testkit::tree::{Item, Tree};
use serde_json::Value;

/// How the answer tells of a loss.
const TOLD: &str = "This could not be carried over to the new ";

/// The workload as it may come out, given what was found right after the answer.
pub(super) fn as_told(prepared: &Prepared, found: &Tree, answer: &Answer, trial: &Trial) -> Prepared {
    let mut expected = prepared.clone();
    if answer.says() != Answered::Done {
        return expected;
    }
    let hidden = trial.call == "flistxattr" && trial.error == "EOPNOTSUPP";
    let paths: Vec<String> = match hidden {
        true => prepared.after.items.keys().cloned().collect(),
        false => told(&answer.value),
    };
    for path in paths {
        take_as_found(&mut expected.after, found, &path);
    }
    expected
}

/// The files and folders of which the answer says so.
fn told(answer: &Value) -> Vec<String> {
    let warnings = answer.get("warnings").and_then(Value::as_array).into_iter().flatten();
    let named = warnings.filter_map(|warning| warning.as_str()?.strip_prefix(TOLD)?.rsplit_once(": "));
    named.map(|(path, _)| path.to_owned()).collect()
}

/// Attributes as they were found; permission bits too, if nobody has more rights by them.
fn take_as_found(expected: &mut Tree, found: &Tree, path: &str) {
    match found.dress.get(path) {
        Some(dress) => expected.dress.insert(path.to_owned(), dress.clone()),
        None => expected.dress.remove(path),
    };
    if let (Some(Item::File { mode: wanted, .. }), Some(Item::File { mode, .. })) =
        (expected.items.get_mut(path), found.items.get(path))
        && mode & !*wanted == 0
    {
        *wanted = *mode;
    }
    if let (Some(wanted), Some(look)) = (expected.looks.get_mut(path), found.looks.get(path))
        && look.0 & !wanted.0 == 0
    {
        *wanted = *look;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn losses_are_read_from_the_answer() {
        let warnings =
            ["Something else: a", "This could not be carried over to the new d/a: b.txt: extended attributes."];
        assert_eq!(told(&json!({ "ok": true, "warnings": warnings })), ["d/a: b.txt"]);
        assert_eq!(told(&json!({ "ok": true })), [""; 0]);
    }

    #[test]
    fn nobody_may_have_more_rights() {
        let tree = |mode: u32, dress: &[&str]| {
            let file = Item::File { bytes: Vec::new(), mode };
            let dress = dress.iter().map(|name| ((*name).to_owned(), Vec::new())).collect();
            Tree { items: [("f".to_owned(), file)].into(), dress: [("f".to_owned(), dress)].into(), ..Tree::default() }
        };
        for (found, fits) in [(0o640, true), (0o660, true), (0o664, false)] {
            let (mut expected, found) = (tree(0o660, &["user.note"]), tree(found, &[]));
            take_as_found(&mut expected, &found, "f");
            assert_eq!(expected == found, fits, "{found:?}");
        }
    }
}
