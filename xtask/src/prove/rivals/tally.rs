//! How often what was seen, for the report.

use std::collections::BTreeMap;

/// Counts by name.
#[derive(Default)]
pub(super) struct Tally(BTreeMap<&'static str, u64>);

impl Tally {
    pub(super) fn add(&mut self, name: &'static str, count: usize) {
        let seen = self.0.entry(name).or_default();
        *seen = seen.saturating_add(u64::try_from(count).unwrap_or(u64::MAX));
    }

    pub(super) fn count(&self, name: &str) -> u64 {
        self.0.get(name).copied().unwrap_or_default()
    }

    pub(super) fn lines(&self) -> Vec<String> {
        self.0.iter().map(|(name, count)| format!("{name}: {count}")).collect()
    }
}
