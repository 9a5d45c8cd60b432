//! What a process holds: resident memory and open handles, sampled, and whether they stay flat.

use std::io;

/// Memory may grow by so much from the second quarter to the last; beyond it something is kept that nobody needs.
const GROWTH: u64 = 8 << 20;
/// Handles may differ by so many: a call may be at work when they are counted.
const HANDLES: u64 = 4;

/// Samples in order: bytes and handles.
#[derive(Default)]
pub(super) struct Samples(Vec<(u64, u64)>);

impl Samples {
    pub(super) fn take(&mut self, process: u32) -> io::Result<()> {
        let statm = std::fs::read_to_string(format!("/proc/{process}/statm"))?;
        let pages: u64 = statm.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or_default();
        let page = u64::try_from(rustix::param::page_size()).unwrap_or(4096);
        let handles = std::fs::read_dir(format!("/proc/{process}/fd"))?.count();
        self.0.push((pages.saturating_mul(page), u64::try_from(handles).unwrap_or(u64::MAX)));
        Ok(())
    }

    /// Is the last quarter like the second? The first is left out: caches and pools fill then.
    pub(super) fn judge(&self) -> Result<(), String> {
        let ((early, early_handles), (late, late_handles)) = (self.quarter(1), self.quarter(3));
        if late > early.saturating_add(GROWTH) {
            return Err(format!("memory grew from {early} to {late} bytes; at most {GROWTH} more are allowed"));
        }
        if late_handles > early_handles.saturating_add(HANDLES) {
            return Err(format!("open handles grew from {early_handles} to {late_handles}"));
        }
        Ok(())
    }

    pub(super) fn lines(&self) -> Vec<String> {
        let quarters = (0..4).map(|at| self.quarter(at));
        let shown = quarters.map(|(bytes, handles)| format!("{:.1} MB and {handles} handles", bytes as f64 / 1e6));
        vec![format!("median of each quarter: {}", shown.collect::<Vec<_>>().join(", "))]
    }

    /// The medians of a quarter, counted from 0.
    fn quarter(&self, at: usize) -> (u64, u64) {
        let length = self.0.len();
        let (from, to) = (length.saturating_mul(at) / 4, length.saturating_mul(at.saturating_add(1)) / 4);
        let part = self.0.get(from..to).unwrap_or_default();
        (median(part.iter().map(|sample| sample.0)), median(part.iter().map(|sample| sample.1)))
    }
}

fn median(numbers: impl Iterator<Item = u64>) -> u64 {
    let mut sorted: Vec<u64> = numbers.collect();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(samples: &[(u64, u64)], flat: bool) {
        let all: Vec<(u64, u64)> = samples.iter().flat_map(|sample| [*sample; 5]).collect();
        assert_eq!(Samples(all).judge().is_ok(), flat, "{samples:?}");
    }

    #[test]
    fn flat_or_not() {
        check(&[(10 << 20, 9), (30 << 20, 9), (30 << 20, 9), (30 << 20, 9)], true); // only the first quarter grows
        check(&[(30 << 20, 9), (30 << 20, 9), (36 << 20, 9), (37 << 20, 9)], true);
        check(&[(30 << 20, 9), (30 << 20, 9), (35 << 20, 9), (39 << 20, 9)], false);
        check(&[(30 << 20, 9), (30 << 20, 9), (30 << 20, 12), (30 << 20, 15)], false);
        check(&[(30 << 20, 9), (90 << 20, 9), (40 << 20, 9), (30 << 20, 9)], true);
    }
}
