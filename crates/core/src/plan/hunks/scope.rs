//! The block that a header names, from its line to where `block` says that it ends.
//!
//! Promises one line for each header or the reason why there is none, and a block that holds that line and never
//! reaches beyond the block of the header above it. A header is compared with whole lines, without the blanks around
//! them: those who write headers tend to leave the indentation out. One that has indentation of its own means the
//! line with just that, if there is one. Nothing is told by likeness. Only the block itself is read for its end.

use super::block::{Step, beyond};
use super::find::Bounds;
use super::index::Index;
use super::place::Miss;
use super::roll::{At, Held, Roll, Rows};
use crate::sanity::{self, Row};
use crate::seeded::{Bug, is_planted};
use crate::text::final_newline;
use std::borrow::Cow;

impl<'a> Roll<'a> {
    /// The block that the last of these headers names.
    pub(super) fn scope(&self, headers: &'a [String]) -> Result<Bounds, Miss<'a>> {
        let mut outer = Bounds::default();
        let mut scope = outer;
        for header in headers {
            let at = match self.meant(header, self.alike(header, outer))[..] {
                [] => return Err(Miss::NoHeader(header, outer)),
                [(at, _)] => at,
                _ => return Err(Miss::ManyHeaders(header, outer)),
            };
            let until = if is_planted(Bug::ScopeIgnored) { None } else { self.block_end(at, outer.until) };
            outer = Bounds { under: Some(at), until };
            scope = Bounds { under: self.previous(at), until };
        }
        Ok(scope)
    }

    /// The lines that a header may mean, each with its number from 1 in the stretch.
    pub(super) fn named(&self, header: &str, bounds: Bounds) -> Vec<(At, usize)> {
        let bare = header.as_bytes().trim_ascii();
        let lines = self.between(bounds).zip(1..);
        self.meant(header, lines.filter(|(at, _)| self.row(*at).text.trim_ascii() == bare).collect())
    }

    /// The lines that say what a header does, whatever their indentation; without numbers where there is an index.
    fn alike(&self, header: &str, bounds: Bounds) -> Vec<(At, usize)> {
        let Some(index) = self.headings() else { return self.named(header, bounds) };
        let nodes = index.nodes(header.as_bytes().trim_ascii()).inspect(|_| self.pay());
        let lines = nodes.filter(|node| self.is_live(*node)).filter_map(|node| self.head(node));
        let under = |at: &At| bounds.under.is_none_or(|under| self.is_below(*at, under));
        let above = |at: &At| bounds.until.is_none_or(|until| self.is_below(until, *at));
        // Two are as bad as many, unless indentation tells them apart.
        let most = if is_indented(header) { usize::MAX } else { 2 };
        lines.filter(|at| under(at) && above(at)).take(most).map(|at| (at, 0)).collect()
    }

    /// Those with the indentation of the header, if it has some and there are such.
    fn meant(&self, header: &str, alike: Vec<(At, usize)>) -> Vec<(At, usize)> {
        let exact = |(at, _): &&(At, usize)| self.row(*at).text.trim_ascii_end() == header.as_bytes().trim_ascii_end();
        let exact: Vec<(At, usize)> = alike.iter().filter(exact).copied().collect();
        if is_indented(header) && !exact.is_empty() { exact } else { alike }
    }

    /// All lines by what they say without the blanks around, where each is a node of its own.
    fn headings(&self) -> Option<&Index<'a>> {
        self.index.as_ref()?;
        Some(self.headings.get_or_init(|| {
            let mut index = Index::default();
            self.between(Bounds::default()).for_each(|at| index.add(self.row(at).text.trim_ascii(), at.node));
            index
        }))
    }

    /// The first line beyond the block of a line, if it ends before `limit`.
    fn block_end(&self, header: At, limit: Option<At>) -> Option<At> {
        let lines = self.between(Bounds { under: self.previous(header), until: limit });
        beyond(self.path, lines.map(|at| self.step(at))).or(limit)
    }

    /// A line with its brackets. Those of an old line are as the file was at first: it would have to be read anew for
    /// each hunk.
    fn step(&self, at: At) -> Step<'a, At> {
        let text = self.row(at).text;
        match self.held(at.node) {
            Held::New { text: new, .. } => {
                let row = telling_rows(self.path, new).first().map_or(Row::default(), |(_, row)| *row);
                Step { at, text, row, fresh: true }
            }
            Held::Old { .. } => {
                let rows = self.rows.get_or_init(|| telling_rows(self.path, self.text));
                let found = rows.binary_search_by_key(&at.offset, |(start, _)| *start);
                let row = found.ok().and_then(|found| rows.get(found)).map_or(Row::default(), |(_, row)| *row);
                Step { at, text, row, fresh: false }
            }
        }
    }
}

fn is_indented(header: &str) -> bool {
    header.starts_with([' ', '\t'])
}

fn telling_rows(path: &str, text: &[u8]) -> Rows {
    let mut whole = Cow::Borrowed(text);
    if !final_newline(text) {
        whole.to_mut().push(b'\n');
    }
    let starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', &whole).map(|end| end + 1));
    starts.zip(sanity::rows(path, &whole)).filter(|(_, row)| *row != Row::default()).collect()
}
