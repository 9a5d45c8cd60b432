//! What came of all edits, added up, as lines for a person.

use super::edit::Reason;
use super::trial::Verdict;
use super::written::Written;
use std::collections::BTreeMap;

/// So many edits of each sort of refusal are named.
const NAMED: usize = 5;

/// Counts of edits by what came of them.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Exact, and nothing was left out.
    pub(super) whole: usize,
    /// Exact in what an envelope can say.
    pub(super) in_part: usize,
    /// Nothing of the edit can be said in an envelope.
    pub(super) nothing: usize,
    /// Files and hunks of the exact ones.
    pub(super) files: usize,
    pub(super) hunks: usize,
    /// Edits that were refused, by sort.
    pub(super) refused: BTreeMap<String, Vec<String>>,
    /// What must not be.
    pub(super) wrong: Vec<String>,
    /// Files that were left out, by reason.
    pub(super) left_out: BTreeMap<Reason, usize>,
}

impl Tally {
    pub(super) fn note(&mut self, name: &str, written: &Written, verdict: Verdict) {
        for reason in &written.left_out {
            *self.left_out.entry(*reason).or_default() += 1;
        }
        match verdict {
            Verdict::Exact => {
                let count = if written.left_out.is_empty() { &mut self.whole } else { &mut self.in_part };
                *count += 1;
                self.files += written.sections;
                self.hunks += written.hunks;
            }
            Verdict::Nothing => self.nothing += 1,
            Verdict::Refused(why) => {
                self.refused.entry(why.sort).or_default().push(format!("{name}: {}", why.facts));
            }
            Verdict::Wrong(fault) => self.wrong.push(format!("{name}: {fault}")),
        }
    }

    pub(super) fn add(&mut self, other: Tally) {
        self.whole += other.whole;
        self.in_part += other.in_part;
        self.nothing += other.nothing;
        self.files += other.files;
        self.hunks += other.hunks;
        for (sort, names) in other.refused {
            self.refused.entry(sort).or_default().extend(names);
        }
        self.wrong.extend(other.wrong);
        for (reason, count) in other.left_out {
            *self.left_out.entry(reason).or_default() += count;
        }
    }

    /// Edits that came out as they must.
    pub(super) fn exact(&self) -> usize {
        self.whole + self.in_part
    }

    pub(super) fn refusals(&self) -> usize {
        self.refused.values().map(Vec::len).sum()
    }

    fn edits(&self) -> usize {
        self.exact() + self.nothing + self.refusals() + self.wrong.len()
    }

    /// The report, line by line.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = vec![
            format!("{} edits, of them", self.edits()),
            format!("  {} exact ({} files, {} hunks), there and back", self.exact(), self.files, self.hunks),
            format!("    {} whole, {} without what an envelope cannot say", self.whole, self.in_part),
            format!("  {} of which an envelope can say nothing", self.nothing),
            format!("  {} refused", self.refusals()),
        ];
        for (sort, edits) in &self.refused {
            lines.push(format!("    {} {sort}", edits.len()));
            lines.extend(edits.iter().take(NAMED).map(|edit| format!("      {edit}")));
        }
        lines.push(format!("  {} wrong", self.wrong.len()));
        lines.extend(self.wrong.iter().map(|edit| format!("    {edit}")));
        if !self.left_out.is_empty() {
            lines.push("files left out, by reason".to_owned());
        }
        lines.extend(self.left_out.iter().map(|(reason, count)| format!("  {count} {}", reason.words())));
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::super::trial::Refused;
    use super::*;

    #[test]
    fn everything_is_counted_once() {
        let whole = Written { sections: 2, hunks: 3, ..Written::default() };
        let part = Written { left_out: vec![Reason::Link, Reason::Link], ..Written::default() };
        let (mut one, mut two) = (Tally::default(), Tally::default());
        one.note("a", &whole, Verdict::Exact);
        one.note("b", &part, Verdict::Exact);
        two.note("c", &part, Verdict::Nothing);
        let why = Refused { sort: "kind (Fact)".into(), facts: "f".into() };
        two.note("d", &whole, Verdict::Refused(why));
        two.note("e", &whole, Verdict::Wrong("bad".into()));
        one.add(two);
        let text = one.lines().join("\n");
        for line in [
            "5 edits, of them",
            "2 exact (2 files, 3 hunks)",
            "1 whole, 1 without",
            "1 of which",
            "1 kind (Fact)\n      d: f",
            "1 wrong\n    e: bad",
            "4 symbolic link",
        ] {
            assert!(text.contains(line), "{line} in {text}");
        }
    }
}
