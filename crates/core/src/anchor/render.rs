//! Lines with their anchors, as a reading shows them.
//!
//! Promises that what is shown is no longer than it may be, and is cut between lines, or within the first one
//! between characters. The text is copied once, and no line calls the formatter.

use super::ends::{Span, each_line};
use super::judge::{Judge, Sharers};
use super::lead::{LEAST, Lead};
use super::{Form, LineHashes, Quality, Shown, recommended};
use crate::text::Cut;
use std::borrow::Cow;

/// About so many anchors are looked at for the best.
const SAMPLE: usize = 4096;

/// So many lines are looked up together.
const BATCH: usize = 512;

/// What is shown of a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Rendered {
    /// The lines with their anchors.
    pub content: String,
    /// The last line that is shown; one before the first if there is none.
    pub end_line: usize,
    /// Where it goes on, if not all fits.
    pub cut: Option<Cut>,
    /// The best anchors of what is shown.
    pub best: Vec<Shown>,
}

/// Shows the lines of `text`, the first of which is line `first` of all that were hashed, in `most` bytes.
/// Bytes that are not text are shown as U+FFFD.
///
/// ```
/// use patchwright_core::anchor::{LineHashes, render};
/// let shown = render(&LineHashes::of(b"zero\none\r\ntwo"), 2, b"one\r\ntwo", 100);
/// assert_eq!(shown.content, "2#911fab [high]|one\n3#6c0560 [high]|two");
/// ```
pub fn render(hashes: &LineHashes, first: usize, text: &[u8], most: usize) -> Rendered {
    let count = fitting(text, most);
    let judge = Judge::of(hashes, first..first.saturating_add(count));
    let text = valid(text);
    let mut page = Page::new(first, most, text.len().saturating_add(count.saturating_mul(LEAST + 9)));
    let mut batch = Vec::with_capacity(BATCH);
    each_line(&text, |span| {
        batch.push(span);
        if batch.len() == BATCH {
            page.add_all(&text, &mut batch, |line| judge.form(hashes, line));
        }
    });
    page.add_all(&text, &mut batch, |line| judge.form(hashes, line));
    let content = String::from_utf8(page.bytes).unwrap_or_default();
    let best = recommended(&page.sample.kept);
    Rendered { content, end_line: page.next.saturating_sub(1), cut: page.cut, best }
}

/// How many lines may fit, and one more: what stands before them is taken for as short as can be.
fn fitting(text: &[u8], most: usize) -> usize {
    let (mut used, mut count) = (0_usize, 0_usize);
    each_line(text, |span| {
        count += usize::from(used <= most);
        used = used.saturating_add(span.end - span.start).saturating_add(LEAST);
    });
    count
}

fn valid(text: &[u8]) -> Cow<'_, [u8]> {
    // Asked first because it is several times as quick as looking for what is wrong.
    match std::str::from_utf8(text) {
        Ok(_) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(String::from_utf8_lossy(text).into_owned().into_bytes()),
    }
}

/// What has been shown so far.
struct Page {
    bytes: Vec<u8>,
    most: usize,
    first: usize,
    /// The next line.
    next: usize,
    cut: Option<Cut>,
    sample: Sample,
}

impl Page {
    fn new(first: usize, most: usize, room: usize) -> Page {
        let bytes = Vec::with_capacity(room.min(most));
        Page { bytes, most, first, next: first, cut: None, sample: Sample::default() }
    }

    /// Looks up the forms of these lines first: what is looked up one right after the other is waited for together.
    fn add_all(&mut self, text: &[u8], spans: &mut Vec<Span>, form: impl Fn(usize) -> Option<(Form, Sharers)>) {
        if self.cut.is_none() {
            let forms: Vec<_> = (self.next..).take(spans.len()).map_while(form).collect();
            for (span, (form, sharers)) in spans.iter().zip(forms) {
                let quality = Quality::of(span.of(text), sharers);
                let end: &[u8] = if span.end < text.len() { b"\n" } else { b"" };
                self.add(Shown { line: self.next, form, quality }, span.of(text), end);
                if self.cut.is_some() {
                    break;
                }
            }
        }
        spans.clear();
    }

    fn add(&mut self, shown: Shown, text: &[u8], end: &[u8]) {
        let lead = Lead::of(&shown);
        let parts = [lead.bytes(), text, end];
        let long = parts.iter().fold(self.bytes.len(), |sum, part| sum.saturating_add(part.len()));
        if long <= self.most {
            parts.iter().for_each(|part| self.bytes.extend_from_slice(part));
        } else if self.next > self.first {
            self.cut = Some(Cut::GoOnAt(self.next));
            return;
        } else {
            // The end does not fit if the text does not.
            parts.iter().take(2).for_each(|part| self.add_in_part(part));
            self.cut = Some(Cut::InLine(self.next));
        }
        self.sample.see(shown);
        self.next = self.next.saturating_add(1);
    }

    /// As many characters as there is room for.
    fn add_in_part(&mut self, part: &[u8]) {
        let mut end = self.most.saturating_sub(self.bytes.len()).min(part.len());
        while end > 0 && part.get(end).is_some_and(|byte| byte & 0xC0 == 0x80) {
            end -= 1;
        }
        self.bytes.extend_from_slice(part.get(..end).unwrap_or_default());
    }
}

/// Good anchors in even steps: each time there are too many, every other one is dropped and the step doubled.
#[derive(Default)]
struct Sample {
    kept: Vec<Shown>,
    seen: usize,
    /// Only every so many is kept: two to this power.
    thin: u32,
}

impl Sample {
    fn see(&mut self, shown: Shown) {
        if shown.quality != Quality::High {
            return;
        }
        if self.seen.trailing_zeros() >= self.thin {
            self.kept.push(shown);
        }
        self.seen += 1;
        if self.kept.len() >= 2 * SAMPLE {
            let mut at = 0_usize;
            self.kept.retain(|_| {
                at += 1;
                at % 2 == 1
            });
            self.thin += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_spread() {
        let mut sample = Sample::default();
        for line in 0..100_000 {
            sample.see(Shown { line, form: Form::Short(0), quality: Quality::High });
            sample.see(Shown { line, form: Form::Short(0), quality: Quality::Low });
        }
        let steps: Vec<usize> = sample.kept.windows(2).map(|pair| pair[1].line - pair[0].line).collect();
        assert!(sample.kept.len() >= SAMPLE && steps.iter().all(|step| *step == 16), "{steps:?}");
    }
}
