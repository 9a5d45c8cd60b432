//! `doctor`: what was looked at, what is well and what is not, and what to do about it.

use super::cells::left;
use super::view::{Role, View};

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// What it is.
    pub name: &'static str,
    /// How it is.
    pub state: Health,
    /// What was found, a line each.
    pub lines: Vec<String>,
    /// What to do about it.
    pub fix: Option<String>,
}

/// How something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Health {
    /// Well.
    Well,
    /// Damaged.
    Bad,
    /// Worth knowing, and no damage.
    Note,
}

/// A line for each, and how many problems there are.
pub fn doctor(checks: &[Check], view: &View) -> String {
    let mut out: String = checks.iter().map(|check| row(check, view)).collect();
    let problems = checks.iter().filter(|check| check.state == Health::Bad).count();
    out.push_str(&match problems {
        0 => "All is well\n".to_owned(),
        1 => view.paint(Role::Bad, "1 problem") + "\n",
        many => view.paint(Role::Bad, &format!("{many} problems")) + "\n",
    });
    out
}

fn row(check: &Check, view: &View) -> String {
    let (word, role) = match check.state {
        Health::Well => ("ok", Role::Good),
        Health::Bad => ("BAD", Role::Bad),
        Health::Note => ("-", Role::Waiting),
    };
    let gap = " ".repeat(14);
    let lines = check.lines.iter().cloned().chain(check.fix.iter().map(|fix| format!("fix: {fix}")));
    let first = format!("{}  {}  ", left(check.name, 7), view.paint(role, &left(word, 3)));
    let told = lines.enumerate().map(|(at, line)| match at {
        0 => format!("{first}{}\n", super::super::for_terminal(&line)),
        _ => format!("{gap}{}\n", super::super::for_terminal(&line)),
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_are_counted() {
        let check = |name, state, line: &str| Check { name, state, lines: vec![line.to_owned()], fix: None };
        let fix = Some("copy the state folder, then patchwright adopt".to_owned());
        let checks = [
            Check { fix, ..check("Record", Health::Bad, "entry 14 is damaged; 13 before it are whole") },
            check("Undo", Health::Bad, "4 of 16 kept files are missing: b1, b4 cannot be undone"),
            check("Trash", Health::Well, "2 files"),
            check("Sandbox", Health::Note, "the kernel has no Landlock"),
        ];
        let want = "\
Record   BAD  entry 14 is damaged; 13 before it are whole
              fix: copy the state folder, then patchwright adopt
Undo     BAD  4 of 16 kept files are missing: b1, b4 cannot be undone
Trash    ok   2 files
Sandbox  -    the kernel has no Landlock
2 problems
";
        assert_eq!(doctor(&checks, &View::default()), want);
        assert!(doctor(&checks[2..], &View::default()).ends_with("All is well\n"));
    }
}
