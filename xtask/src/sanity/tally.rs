//! What the check said, added up, as lines for a person.

use super::pair::Pair;
use super::slip::{SLIPS, Slip};
use patchwright_engine::core::sanity::{Doubt, Verdict};
use std::collections::BTreeMap;

/// Counts by language, by sort of doubt, by sort of slip.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Real pairs by language: all, refused with exact ranges, refused with wide ones.
    real: BTreeMap<&'static str, (usize, usize, usize)>,
    /// Real pairs that were refused, by the first doubt.
    doubts: BTreeMap<&'static str, Vec<String>>,
    /// Slips by sort and language: seeded, found.
    slips: BTreeMap<(Slip, &'static str), (usize, usize)>,
    missed: BTreeMap<Slip, Vec<String>>,
}

const NONE: &str = "other text";

impl Tally {
    pub(super) fn real(&mut self, pair: &Pair<'_>, exact: &Verdict, wide: &Verdict) {
        let row = self.real.entry(exact.language.unwrap_or(NONE)).or_default();
        row.0 += 1;
        row.1 += usize::from(!exact.doubts.is_empty());
        row.2 += usize::from(!wide.doubts.is_empty());
        if let Some(doubt) = exact.doubts.first().or(wide.doubts.first()) {
            let words = format!("{} {}: {doubt:?}", pair.name, pair.path);
            self.doubts.entry(sort(doubt)).or_default().push(words);
        }
    }

    pub(super) fn slip(&mut self, pair: &Pair<'_>, slip: Slip, verdict: &Verdict) {
        let row = self.slips.entry((slip, verdict.language.unwrap_or(NONE))).or_default();
        row.0 += 1;
        if verdict.doubts.is_empty() {
            self.missed.entry(slip).or_default().push(format!("{} {}", pair.name, pair.path));
        } else {
            row.1 += 1;
        }
    }

    pub(super) fn add(&mut self, other: Tally) {
        for (language, row) in other.real {
            let sum = self.real.entry(language).or_default();
            *sum = (sum.0 + row.0, sum.1 + row.1, sum.2 + row.2);
        }
        for (sort, pairs) in other.doubts {
            self.doubts.entry(sort).or_default().extend(pairs);
        }
        for (key, row) in other.slips {
            let sum = self.slips.entry(key).or_default();
            *sum = (sum.0 + row.0, sum.1 + row.1);
        }
        for (slip, pairs) in other.missed {
            self.missed.entry(slip).or_default().extend(pairs);
        }
    }

    /// The report, line by line.
    pub(super) fn lines(&self, examples: usize) -> Vec<String> {
        let sum = self.real.values().fold((0, 0, 0), |sum, row| (sum.0 + row.0, sum.1 + row.1, sum.2 + row.2));
        let mut lines = vec!["real pairs            pairs  refused          refused, wide ranges".to_owned()];
        let all = self.real.iter().map(|(language, row)| (*language, *row));
        lines.extend(all.chain([("all", sum)]).map(|(name, row)| {
            let (exact, wide) = (percent(row.1, row.0), percent(row.2, row.0));
            format!("  {name:<18} {:>6}  {:>5} {exact:>7}    {:>5} {wide:>7}", row.0, row.1, row.2)
        }));
        for (sort, pairs) in &self.doubts {
            lines.push(format!("refused for {sort}: {}", pairs.len()));
            lines.extend(sorted(pairs, examples));
        }
        lines.push("slips                             seeded   found".to_owned());
        for slip in SLIPS {
            lines.extend(self.slip_lines(slip));
            lines.extend(self.missed.get(&slip).into_iter().flat_map(|pairs| sorted(pairs, examples)));
        }
        lines
    }

    fn slip_lines(&self, slip: Slip) -> Vec<String> {
        let rows: Vec<_> = self.slips.iter().filter(|((sort, _), _)| *sort == slip).collect();
        let sum = rows.iter().fold((0, 0), |sum, (_, row)| (sum.0 + row.0, sum.1 + row.1));
        let line = |name: &str, row: (usize, usize)| {
            format!("  {name:<30} {:>7} {:>7} {:>7}", row.0, row.1, percent(row.1, row.0))
        };
        let each = rows.iter().map(|((_, language), row)| line(&format!("    {language}"), **row));
        [line(slip.words(), sum)].into_iter().chain(each).collect()
    }
}

fn sorted(pairs: &[String], most: usize) -> Vec<String> {
    let mut pairs: Vec<String> = pairs.iter().map(|pair| format!("    {pair}")).collect();
    pairs.sort();
    pairs.truncate(most);
    pairs
}

fn sort(doubt: &Doubt) -> &'static str {
    match doubt {
        Doubt::Bracket { .. } => "a bracket",
        Doubt::Syntax { .. } => "syntax",
        Doubt::Repeated { .. } => "repeated lines",
        Doubt::Prefixed { .. } => "anchors in content",
        Doubt::Standing { .. } => "lines that stand there already",
        Doubt::Indented { .. } => "indentation",
    }
}

fn percent(part: usize, whole: usize) -> String {
    let hundredths = (part * 10_000).checked_div(whole).unwrap_or(0);
    format!("{}.{:02} %", hundredths / 100, hundredths % 100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use patchwright_engine::core::sanity::Means;

    #[test]
    fn everything_is_counted_once() {
        let pair = Pair::of("p", "f.rs", b"a\n", b"b\n").unwrap();
        let verdict = |doubts: Vec<Doubt>| Verdict { doubts, language: Some("Rust"), means: Means::Brackets };
        let doubt = Doubt::Repeated { line: 1, other: 2, lines: 1, excerpt: "a".into() };
        let (clean, refused) = (verdict(Vec::new()), verdict(vec![doubt]));
        let (mut one, mut two) = (Tally::default(), Tally::default());
        one.real(&pair, &clean, &clean);
        one.slip(&pair, Slip::Short, &clean);
        two.real(&pair, &refused, &clean);
        two.slip(&pair, Slip::Short, &refused);
        one.add(two);
        let text = one.lines(5).join("\n");
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        let lines: Vec<String> = text.lines().map(words).collect();
        for line in ["Rust 2 1 50.00 % 0 0.00 %", "refused for repeated lines: 1", "range one line short 2 1 50.00 %"] {
            assert!(lines.iter().any(|one| one == line), "{line} in {text}");
        }
        assert!(text.contains("    p f.rs: Repeated") && text.contains("\n    p f.rs\n"), "{text}");
    }
}
