//! Target `globs`: the policy's globs against a matcher that tries everything.

mod tried;

use crate::feed::Feed;
use crate::one_file::path;
use patchwright_core::policy::{Access, Denial, Policy, Rule, Rules, Settings, glob};

const NAMES: &[&str] = &["a", "b", "ab", "ba", "a.b", "é", "-", "aa"];

/// Parts of a glob that mean something, and some that are plain.
const PARTS: &[&str] = &[
    "a",
    "b",
    "*",
    "?",
    "/",
    "**/",
    "/**/",
    "/**",
    "**",
    ".",
    "[ab]",
    "[!a]",
    "[a-c]",
    "[!a-c]",
    "{a,b}",
    "{a*,b/a}",
    "\\*",
    "\\a",
    "é",
    "[é]",
    "-",
    "[a-]",
    "[]a]",
    "{ab,{a,b}}",
    "{a",
    "}",
    "[",
    "[b-a]",
];

pub(crate) fn run(data: &[u8]) {
    let mut feed = Feed::new(data);
    let count = 1 + feed.below(4);
    let names: Vec<&str> = (0..count).map(|_| feed.pick(NAMES)).collect();
    let target = names.join("/");
    let pattern = match feed.below(8) {
        7 => String::from_utf8_lossy(feed.rest()).into_owned(),
        _ => {
            let mut pattern = String::new();
            while !feed.is_empty() && pattern.len() < 24 {
                pattern.push_str(feed.pick(PARTS));
            }
            pattern
        }
    };
    check(&pattern, &target);
}

fn check(pattern: &str, target: &str) {
    let Ok(compiled) = glob(pattern) else {
        assert!(!tried::is_plain(pattern), "{pattern:?} is a glob, and was refused");
        let rules = Rules { deny: vec![pattern.to_owned()], ..Rules::default() };
        let settings = Settings { read: rules, ..Settings::default() };
        assert!(Policy::new(&settings).is_err(), "{pattern:?} is no glob, and is in force");
        return;
    };
    let found = compiled.compile_matcher().is_match(target);
    if let Some(wanted) = tried::matches(pattern, target) {
        assert_eq!(found, wanted, "{pattern:?} on {target:?}");
    }
    let rules = |allow: &[&str], deny: &[&str]| {
        let owned = |globs: &[&str]| globs.iter().map(|glob| (*glob).to_owned()).collect();
        let read = Rules { allow: vec![owned(allow)], deny: owned(deny) };
        let policy = Policy::new(&Settings { read, ..Settings::default() });
        let policy = policy.unwrap_or_else(|bad| panic!("{pattern:?} is a glob, and no rule: {bad:?}"));
        policy.check(&path(target), Access::Read)
    };
    let denied = |rule: Rule| Err(Denial { access: Access::Read, rule, through: None });
    let wanted = if found { denied(Rule::Deny(pattern.to_owned())) } else { Ok(()) };
    assert_eq!(rules(&[], &[pattern]), wanted, "{target:?}");
    let wanted = if found { Ok(()) } else { denied(Rule::NotAllowed) };
    assert_eq!(rules(&[pattern], &[]), wanted, "{target:?}");
    let wanted = if found { denied(Rule::Deny(pattern.to_owned())) } else { denied(Rule::NotAllowed) };
    assert_eq!(rules(&[pattern], &[pattern]), wanted, "deny comes first, {target:?}");
}
