//! What came of a call: right, refused, wrong without a word, or half-done.

use super::case::{Case, Door};

/// What a tool said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Told {
    Done,
    /// With this kind, or whatever the tool says.
    Refused(String),
}

/// What a tool said, and what then stood on the disk.
#[derive(Clone, Debug)]
pub(super) struct Tried {
    pub(super) told: Told,
    pub(super) found: Vec<u8>,
    /// What else is not as it should be: another file, a mode.
    pub(super) stray: Option<String>,
}

/// What is to be thought of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    Correct,
    /// Refused, with a kind that tells what is the matter.
    Refused,
    /// Refused with another kind.
    RefusedOtherwise,
    /// Wrong, but just what the call says: nobody could know.
    Untold,
    /// Wrong, and a perfect tool would have known.
    Wrong,
    /// Refused, and yet something changed.
    Dirty,
    /// Right, but the call does not say so: it was guessed.
    Guessed,
    /// Refused, though the call fits word for word.
    Stubborn,
}

/// Judges a call by what it meant and what it says.
pub(super) fn judge(case: &Case, tried: &Tried, door: Door) -> Verdict {
    let literal = case.literal(door);
    let before = case.disk.bytes();
    match &tried.told {
        Told::Refused(_) if tried.found != before || tried.stray.is_some() => Verdict::Dirty,
        Told::Refused(kind) => refused(case, kind, literal.is_some()),
        Told::Done if tried.stray.is_some() => Verdict::Wrong,
        Told::Done if Some(&tried.found) == case.right.as_ref() => {
            if literal == case.right {
                Verdict::Correct
            } else {
                Verdict::Guessed
            }
        }
        Told::Done if literal.as_ref() == Some(&tried.found) => Verdict::Untold,
        Told::Done => Verdict::Wrong,
    }
}

fn refused(case: &Case, kind: &str, fits: bool) -> Verdict {
    // A doubt about the result, and hunks that meet, are no question of fitting.
    let doubted = matches!(kind, "safety_check_failed" | "overlapping_edits");
    match case.slip.kinds(case.dialect).contains(&kind) {
        _ if fits && !doubted && case.seen == case.disk => Verdict::Stubborn,
        true => Verdict::Refused,
        false => Verdict::RefusedOtherwise,
    }
}

impl Verdict {
    pub(super) const ALL: [Verdict; 8] = [
        Verdict::Correct,
        Verdict::Refused,
        Verdict::RefusedOtherwise,
        Verdict::Untold,
        Verdict::Wrong,
        Verdict::Dirty,
        Verdict::Guessed,
        Verdict::Stubborn,
    ];

    /// What our own tools must not do, in words.
    pub(super) fn fault(self) -> Option<&'static str> {
        match self {
            Verdict::Wrong => Some("silently wrong"),
            Verdict::Dirty => Some("refused, and yet something changed"),
            Verdict::Guessed => Some("guessed: the call does not fit word for word"),
            Verdict::Stubborn => Some("refused, though the call fits word for word"),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::ask::{Ask, Dialect};
    use super::super::case::Times;
    use super::super::slip::Slip;
    use super::super::text::Text;
    use super::*;

    /// A call that makes `x` of `old` in `a b b`, meant for what `right` has, answered in this way.
    fn check(old: &str, right: &str, told: &str, found: &str, expected: Verdict) {
        let disk = Text::of(b"a b b\n").unwrap();
        let case = Case {
            slip: Slip::Hallucinated,
            dialect: Dialect::Strings,
            path: "f".to_owned(),
            seen: disk.clone(),
            disk,
            times: Times::Once,
            hash: None,
            ask: Ask::Strings(vec![(old.to_owned(), "x".to_owned())]),
            right: Some(format!("{right}\n").into_bytes()),
            name: String::new(),
        };
        let told = if told == "done" { Told::Done } else { Told::Refused(told.to_owned()) };
        let tried = Tried { told, found: format!("{found}\n").into_bytes(), stray: None };
        assert_eq!(judge(&case, &tried, Door::Session), expected, "{old} {right} {tried:?}");
    }

    #[test]
    fn verdicts() {
        check("a", "x b b", "done", "x b b", Verdict::Correct);
        check("a", "a x b", "done", "x b b", Verdict::Untold); // just what it says
        check("a", "x b b", "done", "a x b", Verdict::Wrong);
        check("a", "x b b", "done", "a b b", Verdict::Wrong); // nothing done, success told
        check("b", "a x b", "done", "a x b", Verdict::Guessed); // there are two
        check("b", "a x b", "done", "a b x", Verdict::Wrong);
        check("b", "a x b", "multiple_matches", "a b b", Verdict::RefusedOtherwise);
        check("c", "x b b", "old_text_not_found", "a b b", Verdict::Refused);
        check("c", "x b b", "old_text_not_found", "x b b", Verdict::Dirty);
        check("a", "x b b", "old_text_not_found", "a b b", Verdict::Stubborn);
    }
}
