//! Globs over relative paths, as the `globset` crate reads them, with `/` matched only by `/`.

use super::LookProblem;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use patchwright_core::policy::{LONGEST_LIST as LONGEST, check_braces};

/// Whether capitals matter in a glob.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Letters {
    AsTheyAre,
    EitherCase,
}

/// One set of globs.
pub(super) fn compile(globs: &[String], letters: Letters) -> Result<GlobSet, LookProblem> {
    if globs.iter().map(String::len).sum::<usize>() > LONGEST {
        return Err(LookProblem::BadGlob(format!("it is longer than {LONGEST} bytes")));
    }
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        check_braces(glob).map_err(|problem| LookProblem::BadGlob(problem.to_string()))?;
        let text = glob.strip_prefix("./").unwrap_or(glob);
        let mut builder = GlobBuilder::new(text);
        builder.literal_separator(true).case_insensitive(letters == Letters::EitherCase);
        set.add(builder.build().map_err(bad)?);
    }
    set.build().map_err(bad)
}

fn bad(error: globset::Error) -> LookProblem {
    LookProblem::BadGlob(error.to_string())
}

/// The folders that a glob names outright before its first wildcard: nothing outside of them matches.
pub(super) fn fixed_folder(glob: &str) -> &str {
    let glob = glob.strip_prefix("./").unwrap_or(glob);
    let wild = glob.find(['*', '?', '[', ']', '{', '}', '\\', '!', ',']).unwrap_or(glob.len());
    let plain = glob.get(..wild).unwrap_or_default();
    plain.rfind('/').and_then(|at| plain.get(..at)).unwrap_or_default()
}

/// Can something in this folder lie in, or on the way to, the other?
pub(super) fn on_the_way(folder: &str, fixed: &str) -> bool {
    let within = |inner: &str, outer: &str| {
        outer.is_empty() || inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    within(folder, fixed) || within(fixed, folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs_are_not_endless() {
        for (globs, want) in [(vec!["?".repeat(LONGEST)], true), (vec!["?".repeat(LONGEST + 1)], false)] {
            assert_eq!(compile(&globs, Letters::AsTheyAre).is_ok(), want, "{}", globs.len());
        }
        assert!(compile(&vec!["a*".to_owned(); LONGEST / 2 + 1], Letters::AsTheyAre).is_err());
    }

    #[test]
    fn fixed_folders() {
        for (glob, want) in [
            ("*.rs", ""),
            ("src/*.rs", "src"),
            ("./src/a/b.rs", "src/a"),
            ("src/a*/b", "src"),
            ("{src,lib}/*.rs", ""),
            ("src/**", "src"),
            ("a\\*/b", ""),
        ] {
            assert_eq!(fixed_folder(glob), want, "{glob}");
        }
    }

    #[test]
    fn ways() {
        for (folder, fixed, want) in [
            ("src", "src/a", true),
            ("src/a/b", "src/a", true),
            ("srcs", "src", false),
            ("lib", "src", false),
            ("x", "", true),
        ] {
            assert_eq!(on_the_way(folder, fixed), want, "{folder} {fixed}");
        }
    }
}
