//! The lines from one to another, as texts name them.

/// Lines counted from 1, the last one included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineRange {
    pub(super) first: usize,
    pub(super) last: usize,
}

impl From<(usize, usize)> for LineRange {
    fn from(lines: (usize, usize)) -> LineRange {
        LineRange { first: lines.0, last: lines.1 }
    }
}

impl LineRange {
    /// `3`, `3-5`
    pub(super) fn numbers(self) -> String {
        let LineRange { first, last } = self;
        if self.is_one() { first.to_string() } else { format!("{first}-{last}") }
    }

    /// `line 3`, `lines 3-5`
    pub(super) fn spelt(self) -> String {
        format!("{} {}", if self.is_one() { "line" } else { "lines" }, self.numbers())
    }

    /// `line 3`, `lines 3 to 5`
    pub(super) fn spoken(self) -> String {
        let LineRange { first, last } = self;
        if first == last { format!("line {first}") } else { format!("lines {first} to {last}") }
    }

    pub(super) fn is_one(self) -> bool {
        self.last <= self.first
    }
}
