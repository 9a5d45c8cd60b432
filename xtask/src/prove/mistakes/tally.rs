//! The figures: for every tool and slip, what came of it.

use super::judge::Verdict;
use super::slip::{SLIPS, Slip};
use std::collections::BTreeMap;

/// Counts by tool, slip and verdict.
#[derive(Default)]
pub(super) struct Tally {
    counts: BTreeMap<(Tool, Slip, Verdict), u64>,
}

/// A tool as it stands in the table; our own come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tool {
    /// Through the library, by dialect.
    Ours(&'static str),
    /// Through the binary, all dialects.
    Binary,
    /// The same in shapes that are read besides.
    Odd,
    Other(&'static str),
}

/// How much of the table is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// A line for each tool.
    Tools,
    /// The slips, too.
    Slips,
}

impl Tool {
    fn name(self) -> String {
        match self {
            Tool::Ours(dialect) => format!("ours, {dialect}"),
            Tool::Binary => "ours, by the command line".to_owned(),
            Tool::Odd => "ours, in odd shapes".to_owned(),
            Tool::Other(name) => name.to_owned(),
        }
    }

    fn is_ours(self) -> bool {
        !matches!(self, Tool::Other(_))
    }
}

impl Tally {
    pub(super) fn note(&mut self, tool: Tool, slip: Slip, verdict: Verdict) {
        *self.counts.entry((tool, slip, verdict)).or_default() += 1;
    }

    pub(super) fn add(&mut self, other: Tally) {
        for (key, count) in other.counts {
            *self.counts.entry(key).or_default() += count;
        }
    }

    fn sum(&self, which: impl Fn(Tool, Slip, Verdict) -> bool) -> u64 {
        self.counts
            .iter()
            .filter(|((tool, slip, verdict), _)| which(*tool, *slip, *verdict))
            .map(|(_, count)| count)
            .sum()
    }

    /// How many calls of ours had a slip.
    pub(super) fn faulted(&self) -> u64 {
        self.sum(|tool, slip, _| tool.is_ours() && slip != Slip::Clean)
    }

    pub(super) fn lines(&self, detail: Detail) -> Vec<String> {
        let mut lines = vec![format!(
            "{:<28}{:>9}{:>9}{:>9}{:>9}{:>14}{:>14}{:>7}   clean edits",
            "tool", "faulted", "correct", "refused", "(other)", "wrong", "(untellable)", "dirty"
        )];
        lines.extend(self.tools().into_iter().map(|tool| self.row(tool)));
        if detail == Detail::Slips {
            let heads = ["correct", "refused", "(other)", "(untell.)", "wrong", "dirty", "guessed", "stubborn"];
            let heads: String = heads.iter().map(|head| format!("{head:>10}")).collect();
            lines.push(
                "silently wrong or dirty, slips of the new text alone left out (nobody can tell those):".to_owned(),
            );
            lines.extend(self.tools().into_iter().map(|tool| self.misplaced(tool)));
            lines.push(format!("{:<30}{heads}", "ours by slip, all dialects"));
            lines.extend(SLIPS.iter().map(|slip| self.slip(*slip)));
            lines.push("silently wrong or dirty, % of each slip:".to_owned());
            lines.extend(self.matrix());
        }
        lines
    }

    /// The table for the documents, each tool of others with its version.
    pub(super) fn markdown(&self, versions: &[(&'static str, String)]) -> Vec<String> {
        let head = ["tool", "faulted calls", "silently wrong, detectable", "wrong, word for word as asked", "dirty"];
        let mut lines = vec![format!("| {} | refused | right |", head.join(" | "))];
        lines.push("| --- | ---: | ---: | ---: | ---: | ---: | ---: |".to_owned());
        for tool in self.tools() {
            let of = |verdicts: &[Verdict]| {
                self.sum(|one, slip, verdict| one == tool && slip != Slip::Clean && verdicts.contains(&verdict))
            };
            let version = versions.iter().find(|(name, _)| tool == Tool::Other(name));
            let version = version.map(|(_, version)| format!(" {version}")).unwrap_or_default();
            let all = of(&Verdict::ALL);
            lines.push(format!(
                "| {}{version} | {all} | {} | {} | {} | {} | {} |",
                tool.name(),
                share(of(&[Verdict::Wrong]), all),
                share(of(&[Verdict::Untold]), all),
                share(of(&[Verdict::Dirty]), all),
                of(&[Verdict::Refused, Verdict::RefusedOtherwise, Verdict::Stubborn]),
                of(&[Verdict::Correct, Verdict::Guessed]),
            ));
        }
        lines
    }

    fn tools(&self) -> Vec<Tool> {
        let mut tools: Vec<Tool> = self.counts.keys().map(|(tool, ..)| *tool).collect();
        tools.dedup();
        tools
    }

    fn row(&self, tool: Tool) -> String {
        let of = |verdicts: &[Verdict]| {
            self.sum(|one, slip, verdict| one == tool && slip != Slip::Clean && verdicts.contains(&verdict))
        };
        let clean = |verdicts: &[Verdict]| {
            self.sum(|one, slip, verdict| one == tool && slip == Slip::Clean && verdicts.contains(&verdict))
        };
        let (all, wrong, untold) = (of(&Verdict::ALL), of(&[Verdict::Wrong]), of(&[Verdict::Untold]));
        let right = of(&[Verdict::Correct, Verdict::Guessed]);
        // The kinds are ours: of others every refusal counts alike.
        let other = of(&[Verdict::RefusedOtherwise]);
        let refused = of(&[Verdict::Refused, Verdict::Stubborn]) + if tool.is_ours() { 0 } else { other };
        let misplaced = clean(&[Verdict::Wrong, Verdict::Untold, Verdict::Dirty]);
        let lost = clean(&[Verdict::Refused, Verdict::RefusedOtherwise, Verdict::Stubborn]);
        format!(
            "{:<28}{all:>9}{right:>9}{refused:>9}{:>9}{:>14}{:>14}{:>7}   {misplaced} of {} misplaced, {lost} refused",
            tool.name(),
            if tool.is_ours() { other.to_string() } else { "-".to_owned() },
            share(wrong, all),
            share(untold, all),
            of(&[Verdict::Dirty]),
            clean(&Verdict::ALL),
        )
    }

    /// What went wrong about the place, not about what was to come there.
    fn misplaced(&self, tool: Tool) -> String {
        let counted = |one: Tool, slip: Slip| one == tool && slip != Slip::Clean && !slip.is_of_new_text();
        let bad = |verdict| matches!(verdict, Verdict::Wrong | Verdict::Untold | Verdict::Dirty);
        let all = self.sum(|one, slip, _| counted(one, slip));
        let wrong = self.sum(|one, slip, verdict| counted(one, slip) && bad(verdict));
        format!("  {:<28}{:>14} of {all}", tool.name(), share(wrong, all))
    }

    fn slip(&self, slip: Slip) -> String {
        let of = |verdict: Verdict| self.sum(|tool, one, found| tool.is_ours() && one == slip && found == verdict);
        let counts: String = Verdict::ALL.iter().map(|verdict| format!("{:>10}", of(*verdict))).collect();
        format!("  {:<28}{counts}", slip.name())
    }

    fn matrix(&self) -> Vec<String> {
        let tools = self.tools();
        let names = tools.iter().enumerate().map(|(at, tool)| format!("{} {}", at + 1, tool.name()));
        let mut lines = vec![format!("  {}", names.collect::<Vec<_>>().join(" · "))];
        let heads: String = (1..=tools.len()).map(|number| format!("{number:>8}")).collect();
        lines.push(format!("  {:<28}{heads}", ""));
        for slip in SLIPS {
            let cell = |tool: &Tool| {
                let all = self.sum(|one, other, _| one == *tool && other == *slip);
                let bad = |verdict| matches!(verdict, Verdict::Wrong | Verdict::Untold | Verdict::Dirty);
                let bad = self.sum(|one, other, verdict| one == *tool && other == *slip && bad(verdict));
                if all == 0 { format!("{:>8}", "-") } else { format!("{:>8.2}", bad as f64 * 100.0 / all as f64) }
            };
            lines.push(format!("  {:<28}{}", slip.name(), tools.iter().map(cell).collect::<String>()));
        }
        lines
    }
}

fn share(part: u64, all: u64) -> String {
    if part == 0 { "0".to_owned() } else { format!("{part} ({:.2} %)", part as f64 * 100.0 / all.max(1) as f64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_has_a_row() {
        let mut tally = Tally::default();
        tally.note(Tool::Ours("strings"), Slip::Cut, Verdict::Correct);
        tally.note(Tool::Other("patch"), Slip::Cut, Verdict::Wrong);
        tally.note(Tool::Other("patch"), Slip::Clean, Verdict::Correct);
        assert_eq!(tally.faulted(), 1);
        let lines = tally.lines(Detail::Tools);
        assert_eq!(lines.len(), 3, "{lines:#?}");
        assert!(lines[2].contains("1 (100.00 %)") && lines[2].ends_with("0 of 1 misplaced, 0 refused"), "{lines:#?}");
        let table = tally.markdown(&[("patch", "2.7".to_owned())]);
        assert_eq!(table[3], "| patch 2.7 | 1 | 1 (100.00 %) | 0 | 0 | 0 | 0 |");
        assert_eq!(tally.lines(Detail::Slips).len(), 3 + 1 + 2 + 2 + SLIPS.len() * 2 + 2);
    }
}
