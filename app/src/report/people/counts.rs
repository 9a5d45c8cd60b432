//! How many lines come and go: `+96 -96`.

use super::cells::{right, width};
use super::view::{Role, View};

/// Lines that come and lines that go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) added: u64,
    pub(super) removed: u64,
}

impl Counts {
    pub(super) fn new(added: u64, removed: u64) -> Counts {
        Counts { added, removed }
    }

    fn plus(self) -> String {
        if self.added > 0 { format!("+{}", self.added) } else { String::new() }
    }

    fn minus(self) -> String {
        if self.removed > 0 { format!("-{}", self.removed) } else { String::new() }
    }

    /// `+3 -1`, `+3`, `-1`, or nothing.
    pub(super) fn words(self, view: &View) -> String {
        let parts = [view.paint(Role::Good, &self.plus()), view.paint(Role::Bad, &self.minus())];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }

    /// The same behind two blanks, where there is anything.
    pub(super) fn behind(self, view: &View) -> String {
        match self.words(view) {
            words if words.is_empty() => words,
            words => format!("  {words}"),
        }
    }
}

/// How wide the two columns of counts are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CountColumns {
    plus: usize,
    minus: usize,
}

impl CountColumns {
    pub(super) fn over(all: impl Iterator<Item = Counts>) -> CountColumns {
        all.fold(CountColumns::default(), |columns, counts| CountColumns {
            plus: columns.plus.max(width(&counts.plus())),
            minus: columns.minus.max(width(&counts.minus())),
        })
    }

    /// Both columns, one blank between them.
    pub(super) fn row(self, counts: Counts, view: &View) -> String {
        let plus = view.paint(Role::Good, &right(&counts.plus(), self.plus));
        let minus = view.paint(Role::Bad, &right(&counts.minus(), self.minus));
        let gap = if self.plus > 0 && self.minus > 0 { " " } else { "" };
        format!("{plus}{gap}{minus}")
    }

    pub(super) fn width(self) -> usize {
        self.plus + self.minus + usize::from(self.plus > 0 && self.minus > 0)
    }
}
