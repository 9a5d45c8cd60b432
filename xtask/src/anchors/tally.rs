//! What became of anchors, counted.

use super::mutate::{SORTS, Sort};
use patchwright_engine::core::anchor::{Anchors, Form, Quality, Shown, line_hash};
use std::collections::HashMap;

/// What became of one anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It names the line that it named.
    Right,
    /// It names no line or several, while its line is still there: a refusal.
    Refused,
    /// Its line is gone, and it names none or several: a refusal.
    Gone,
    /// It names another line that says the very same, and was the only one of its kind when it was printed.
    Twin,
    /// It names another line.
    Wrong,
}

/// Figures over all files.
#[derive(Default)]
pub(crate) struct Figures {
    files: usize,
    lines: usize,
    bytes: usize,
    overhead: usize,
    forms: [usize; 4],
    qualities: [usize; 3],
    /// Lines that share their short hash with a line of other text.
    collisions: usize,
    verdicts: HashMap<(&'static str, u8), usize>,
}

impl Figures {
    /// Takes in a reading.
    pub(super) fn read(&mut self, text: &[u8], anchors: &Anchors<'_>, shown: &[Shown]) {
        self.files += 1;
        self.lines += shown.len();
        self.bytes += text.len();
        let mut longs: HashMap<u32, Vec<u64>> = HashMap::new();
        for one in shown {
            let mut line = String::new();
            one.render("", &mut line);
            self.overhead += line.len();
            let form = match one.form {
                Form::Short(_) => 0,
                Form::Long(_) => 1,
                Form::Context(_) => 2,
                Form::Place { .. } => 3,
            };
            if let Some(count) = self.forms.get_mut(form) {
                *count += 1;
            }
            if let Some(count) = self.qualities.get_mut(one.quality as usize) {
                *count += 1;
            }
            let hash = line_hash(anchors.text(one.line));
            longs.entry(u32::try_from(hash >> 40).unwrap_or(0)).or_default().push(hash);
        }
        let differ = |hashes: &&Vec<u64>| hashes.windows(2).any(|pair| pair.first() != pair.last());
        self.collisions += longs.values().filter(differ).map(Vec::len).sum::<usize>();
    }

    pub(super) fn note(&mut self, sort: Sort, _: Quality, verdict: Verdict) {
        *self.verdicts.entry((sort.name(), verdict as u8)).or_default() += 1;
    }

    /// How many anchors came to name another line that says something else.
    pub(crate) fn wrong(&self) -> usize {
        SORTS.iter().map(|sort| self.of(*sort, Verdict::Wrong)).sum()
    }

    fn of(&self, sort: Sort, verdict: Verdict) -> usize {
        self.verdicts.get(&(sort.name(), verdict as u8)).copied().unwrap_or(0)
    }

    /// The report.
    pub(crate) fn lines(&self) -> Vec<String> {
        let share = |part: usize| if self.lines == 0 { 0.0 } else { 100.0 * part as f64 / self.lines as f64 };
        let [short, long, context, place] = self.forms.map(share);
        let [low, med, high] = self.qualities.map(share);
        let mut lines = vec![
            format!("{} files, {} lines, {} bytes", self.files, self.lines, self.bytes),
            format!(
                "printed: {short:.2} % short, {long:.2} % long, {context:.2} % context, {place:.2} % place among equals"
            ),
            format!("quality: {high:.2} % high, {med:.2} % med, {low:.2} % low"),
            format!("lines whose short hash another text has too: {}", self.collisions),
            format!(
                "overhead: {:.1} bytes a line, {:.1} % of the text",
                self.overhead as f64 / self.lines.max(1) as f64,
                100.0 * self.overhead as f64 / self.bytes.max(1) as f64
            ),
            format!("{:<18} {:>9} {:>9} {:>9} {:>9} {:>6}", "change", "right", "refused", "gone", "twin", "wrong"),
        ];
        lines.extend(SORTS.iter().map(|sort| self.row(*sort)));
        lines
    }

    fn row(&self, sort: Sort) -> String {
        let of = |verdict| self.of(sort, verdict);
        format!(
            "{:<18} {:>9} {:>9} {:>9} {:>9} {:>6}",
            sort.name(),
            of(Verdict::Right),
            of(Verdict::Refused),
            of(Verdict::Gone),
            of(Verdict::Twin),
            of(Verdict::Wrong)
        )
    }
}
