//! `cargo xtask prove controls`: bugs planted on purpose, each of which a suite must notice.
//!
//! The product and this program are built once more with the feature `seeded-bugs`. Then, for each bug, the short
//! version of its suite runs against that build, and must report a violation. A suite that cannot run at all has
//! not noticed anything. The table stands in `spec/proof.md`; a test compares the two.

use super::SEEDED_BUG;
use crate::failure::Failure;
use crate::{run, say, size};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// A bug and the suite that must notice it.
pub(crate) struct Control {
    pub(crate) bug: &'static str,
    pub(crate) suite: &'static str,
    pub(crate) what: &'static str,
}

const fn control(bug: &'static str, suite: &'static str, what: &'static str) -> Control {
    Control { bug, suite, what }
}

/// All of them, by suite.
pub(crate) const CONTROLS: &[Control] = &[
    control("AnswerWithoutCommit", "kill", "the answer goes out, and the commit record is never written"),
    control("NoIntent", "kill", "nothing is put on record before the first change"),
    control("NoRecovery", "kill", "whoever opens the workspace does not look for an unfinished call"),
    control("LitterLeft", "kill", "what was staged is left lying about"),
    control("ModeLost", "kill", "a changed file gets a new file's mode"),
    control("FilesNotSynced", "power", "new bytes are not synced before they get their name"),
    control("FoldersNotSynced", "power", "folders in which names changed are not synced"),
    control("LogNotSynced", "power", "the log is not synced"),
    control("HalfRollback", "errno", "only the last step is taken back"),
    control("SyncRetried", "errno", "a sync that failed is tried again"),
    control("FullDiskIgnored", "full", "a write that found no room counts as written"),
    control("NoLock", "rivals", "the writer's lock is not taken"),
    control("RenameForExchange", "rivals", "a look and then a plain rename, in the place of an exchange"),
    control("DisplacedNotVerified", "rivals", "what came out of an exchange is not looked at"),
    control("NameMissing", "rivals", "a name is taken away before its new file comes"),
    control("NoLock", "contention", "the writer's lock is not taken"),
    control("LinksFollowed", "escape", "the guard lets links lead anywhere"),
    control("PrefixCompared", "escape", "an absolute path counts as inside if its text begins like the root's"),
    control("PipesOpened", "escape", "whatever has a name is opened, and waited for"),
    control("TagNotChecked", "forged", "whoever made a record, it is obeyed"),
    control("OffsetNotTagged", "forged", "a record fits wherever in the log it stands"),
    control("EnteredFromEnd", "forged", "the log is entered at the last bytes that look like a record"),
    control("KeyInTree", "forged", "a key that stands beside the record counts"),
    control("RecoveryFollowsLinks", "forged", "recovery follows links"),
    control("ListsUnited", "forged", "what the workspace allows is allowed on top of what the user allows"),
    control("SpliceShort", "fuzz", "a byte is dropped behind every replacement"),
    control("LastKeyWins", "fuzz", "of a key that comes twice the second counts"),
    control("ChecksumIgnored", "fuzz", "a record's checksum is not compared"),
    control("StarCrossesFolders", "fuzz", "`*` in a glob matches a slash"),
    control("FirstMatch", "mistakes", "among several places of a text the first is taken"),
    control("BlanksIgnored", "mistakes", "lines match also where they differ in blanks at their end"),
    control("StaleIgnored", "mistakes", "a hash that does not fit the file is no obstacle"),
    control("AnchorGuessed", "mistakes", "an anchor that is not found means the first line"),
    control("EndingsLost", "mistakes", "new lines end in a bare newline, whatever the file's lines end in"),
    control("AliasWins", "mistakes", "of an argument given under two names with different values, the later counts"),
    control("NullLiftsProof", "mistakes", "a `null` counts as left out in the place of a proof, too"),
    control("FlatEditDropped", "mistakes", "an edit beside a list of edits is dropped"),
    control("TextReadLoosely", "mistakes", "in a text that holds JSON the last of two equal keys counts"),
    control("CountsIgnored", "mistakes", "a hunk of a diff may have other than the lines that its `@@` counts"),
    control("DiffNumberPicks", "mistakes", "where the lines of a diff's hunk stand several times, its number picks"),
    control(
        "ScopeIgnored",
        "mistakes",
        "a scope that a header names ends where the file does, and the first place in it is taken",
    ),
    control("EarlierSectionLost", "mistakes", "of several sections about one file only the last counts"),
    control("WasIgnored", "mistakes", "what the caller says a line was is not looked at"),
    control("RepeatInserted", "mistakes", "an insert whose lines stand there already goes ahead"),
    control("CopyByNumber", "mistakes", "of equal lines the number alone picks"),
    control(
        "SeenNotUnique",
        "beside",
        "an edit beside others' changes need not fit just once in the version that was seen",
    ),
    control("NearChangeIgnored", "beside", "an edit goes ahead however near to it others changed lines"),
    control("MemoryKept", "soak", "every call keeps some memory for ever"),
    control("DescriptorKept", "soak", "every file that is read stays open"),
];

/// The programs that a bug can be planted in.
struct Seeded {
    patchwright: PathBuf,
    xtask: PathBuf,
}

/// Runs the controls of these bugs or suites; all of them without a name.
pub(crate) fn all(root: &Path, names: &[String]) -> Result<(), Failure> {
    let asked = |control: &&Control| names.is_empty() || names.iter().any(|name| control.answers_to(name));
    let chosen: Vec<&Control> = CONTROLS.iter().filter(asked).collect();
    if chosen.is_empty() {
        return Err(Failure::new("no control of that name", "name a bug or a suite of spec/proof.md"));
    }
    let seeded = Seeded::build(root)?;
    let mut missed = Vec::new();
    for control in &chosen {
        if !control.is_noticed(root, &seeded)? {
            missed.push(control.bug);
        }
    }
    say::line(&format!("controls: {} of {} bugs noticed", chosen.len().saturating_sub(missed.len()), chosen.len()));
    match missed.as_slice() {
        [] => Ok(()),
        missed => Err(Failure::new(format!("nobody noticed {}", missed.join(", ")), "sharpen the suites named above")),
    }
}

impl Control {
    fn answers_to(&self, name: &str) -> bool {
        name == self.bug || name == self.suite
    }

    /// Runs the suite against the bug.
    fn is_noticed(&self, root: &Path, seeded: &Seeded) -> Result<bool, Failure> {
        let begun = Instant::now();
        let mut command = Command::new(&seeded.xtask);
        command.args(["prove", "--short", "--seed", "1", "--binary"]).arg(&seeded.patchwright).arg(self.suite);
        command.current_dir(root).env(SEEDED_BUG, self.bug).stdin(Stdio::null());
        let done = command.output().map_err(|error| Failure::io("the seeded xtask", &error))?;
        let said = String::from_utf8_lossy(&done.stdout).into_owned();
        let violation = said.lines().find(|line| line.trim_start().starts_with("VIOLATION"));
        let verdict = match violation {
            Some(line) => format!("noticed: {}", line.trim().chars().take(160).collect::<String>()),
            None => format!("NOT NOTICED {}", String::from_utf8_lossy(&done.stderr).trim()),
        };
        let took = begun.elapsed().as_secs_f64();
        say::line(&format!("{} ({}) by {}, {took:.0} s: {verdict}", self.bug, self.what, self.suite));
        Ok(violation.is_some())
    }
}

impl Seeded {
    /// Builds both programs with the feature, puts them aside, and builds them again without it.
    fn build(root: &Path) -> Result<Seeded, Failure> {
        let mut command = run::cargo(root);
        command.args(["build", "--locked", "--quiet", "--workspace", "--bins", "--features"]);
        command.arg("patchwright/seeded-bugs,xtask/seeded-bugs");
        run::plainly(command, "mend what the compiler names above")?;
        let (debug, aside) = (size::target(root)?.join("debug"), size::target(root)?.join("seeded"));
        let fail = |error: std::io::Error| Failure::io(aside.display(), &error);
        std::fs::create_dir_all(&aside).map_err(fail)?;
        for name in ["patchwright", "xtask"] {
            let _ = std::fs::remove_file(aside.join(name));
            std::fs::copy(debug.join(name), aside.join(name)).map_err(fail)?;
        }
        size::binary(root, size::Build::Debug)?;
        Ok(Seeded { patchwright: aside.join("patchwright"), xtask: aside.join("xtask") })
    }
}

#[cfg(test)]
mod tests {
    use super::super::suites::named;
    use super::CONTROLS;

    #[test]
    fn the_table_stands_in_the_documents() {
        let page = include_str!("../../../spec/proof.md");
        for control in CONTROLS {
            let row = format!("| `{}` | {} | `{}` |", control.bug, control.what, control.suite);
            assert!(page.contains(&row), "spec/proof.md lacks {row}");
            assert!(named(control.suite).is_some(), "{}", control.suite);
        }
        let rows =
            page.lines().filter(|line| CONTROLS.iter().any(|one| line.starts_with(&format!("| `{}` |", one.bug))));
        assert_eq!(rows.count(), CONTROLS.len());
    }
}
