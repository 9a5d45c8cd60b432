//! The account of a burst: pure, from what was saved, what was answered, what is in the file and what is kept.
//!
//! The last save must be in the file, or edits that were answered must lead from it to what is there. A line that was
//! appended must be in the file, and so must every answered edit among appenders, who replace nothing. Refused text
//! must not be. What was replaced is kept. One thing is allowed beside: a program that held the file open while we
//! committed finds its bytes in the kept file. Then it must have been at it during an answered call.

use super::shelves::Kept;
use crate::prove::caller::Answer;
use crate::prove::rivals::editors::{Editor, Saved};
use patchwright_engine::core::digest::Digest;
use std::time::Instant;

/// An edit of ours.
pub(super) struct Attempt {
    pub(super) file: String,
    /// Stands in no other edit.
    pub(super) line: String,
    pub(super) outcome: Outcome,
    pub(super) before: Option<String>,
    /// Nothing for a deletion.
    pub(super) after: Option<String>,
    pub(super) begun: Instant,
    pub(super) ended: Instant,
}

/// What we were told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Done,
    /// That it cannot be known yet.
    Doubt,
    /// That it was refused, and that another program's save came while it was taken back: that one was left in the
    /// file, and may hold text of the call; what it displaced is kept.
    Left,
    Refused(String),
}

impl Outcome {
    pub(super) fn of(answer: &Answer) -> Outcome {
        match answer.kind() {
            "ok" => Outcome::Done,
            "in_doubt" => Outcome::Doubt,
            _ if answer.0.to_string().contains("was being taken back") => Outcome::Left,
            kind => Outcome::Refused(kind.to_owned()),
        }
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            Outcome::Done => "foreign: our edits answered",
            Outcome::Doubt => "foreign: our edits in doubt",
            Outcome::Left => "foreign: our edits refused, and told of a save that was left",
            Outcome::Refused(kind) if kind == "stale_file" => "foreign: our edits refused as stale",
            Outcome::Refused(kind) if kind == "command_failed" => "foreign: our edits that failed",
            Outcome::Refused(_) => "foreign: our edits refused otherwise",
        }
    }
}

/// One file after a burst.
pub(super) struct Aftermath<'a> {
    pub(super) editor: Editor,
    /// What it said at first.
    pub(super) first: &'a str,
    pub(super) saves: &'a [Saved],
    pub(super) attempts: &'a [&'a Attempt],
    /// What it says now, if it is there.
    pub(super) now: Option<&'a [u8]>,
}

/// How many saves and pre-images were changed through a handle; or the promise that was not kept.
pub(super) fn judge(after: &Aftermath<'_>, kept: &dyn Kept) -> Result<usize, String> {
    after.refused_text()?;
    after.old_base()?;
    let lost = match after.editor {
        Editor::Appends => after.appended(kept)?,
        _ => after.last_save(kept)?,
    };
    Ok(lost.saturating_add(after.pre_images(kept)?))
}

impl Aftermath<'_> {
    fn refused_text(&self) -> Result<(), String> {
        let refused = self.attempts.iter().filter(|attempt| matches!(attempt.outcome, Outcome::Refused(_)));
        match refused.into_iter().find(|attempt| self.times(&attempt.line) > 0) {
            Some(attempt) => Err(format!("{} was answered {:?}, yet it is in the file", attempt.line, attempt.outcome)),
            None => Ok(()),
        }
    }

    /// An edit may not replace a version that somebody had saved over before the call was even made.
    fn old_base(&self) -> Result<(), String> {
        if self.editor == Editor::Appends {
            return Ok(());
        }
        for attempt in self.answered() {
            let base = self.saves.iter().position(|save| Some(hash(&save.text)) == attempt.before);
            let Some(base) = base else { continue };
            let mut later = self.saves.iter().skip(base.saturating_add(1)).filter(|save| save.done);
            if let Some(save) = later.find(|save| save.closed < attempt.begun) {
                return Err(format!("{} was based on what {} had replaced long before", attempt.line, save.word));
            }
        }
        Ok(())
    }

    /// Everything that was appended is there, and everything that was answered.
    fn appended(&self, kept: &dyn Kept) -> Result<usize, String> {
        let mut through = 0_usize;
        for save in self.saves {
            match self.times(&save.text) {
                1 => {}
                0 if self.is_through_a_handle(save) && kept.says(&save.text) => through = through.saturating_add(1),
                times => return Err(format!("the appended {} is in the file {times} times", save.word)),
            }
        }
        for attempt in self.answered().filter(|attempt| attempt.outcome == Outcome::Done) {
            if self.times(&attempt.line) != 1 {
                let times = self.times(&attempt.line);
                return Err(format!(
                    "{} was answered, nobody replaced it, and it is there {times} times",
                    attempt.line
                ));
            }
        }
        Ok(through)
    }

    /// The last save is there, or was seen by whoever changed it.
    fn last_save(&self, kept: &dyn Kept) -> Result<usize, String> {
        let Some(last) = self.saves.last() else { return Ok(0) };
        let before = self.saves.iter().rev().nth(1).map_or(self.first, |save| &save.text);
        let lineage = self.lineage();
        match lineage.contains(&hash(&last.text)) {
            true => Ok(0),
            // The program gave up in the middle: the file may be gone, or what it was.
            false if !last.done && (self.now.is_none() || lineage.contains(&hash(before))) => Ok(0),
            false if self.is_through_a_handle(last) && kept.says(&last.text) => Ok(1),
            false => Err(format!("{}, the last save, is not in the file, and no answered edit had seen it", last.word)),
        }
    }

    /// The hash of what is there, and of everything from which answered edits led there.
    fn lineage(&self) -> Vec<String> {
        let mut found: Vec<String> = match self.now {
            Some(bytes) => vec![Digest::of(bytes).to_string()],
            None => self.answered().filter(|one| one.after.is_none()).filter_map(|one| one.before.clone()).collect(),
        };
        let mut at = 0;
        while let Some(hash) = found.get(at).cloned() {
            let led =
                self.answered().filter(|one| one.after.as_ref() == Some(&hash)).filter_map(|one| one.before.clone());
            let new: Vec<String> = led.filter(|before| !found.contains(before)).collect();
            found.extend(new);
            at = at.saturating_add(1);
        }
        found
    }

    /// What an answered edit replaced is kept; how many of them were written to since.
    fn pre_images(&self, kept: &dyn Kept) -> Result<usize, String> {
        let mut through = 0_usize;
        for attempt in self.answered().filter(|attempt| attempt.outcome == Outcome::Done) {
            let before = attempt.before.as_deref().unwrap_or_default();
            if kept.holds(before) {
                continue;
            }
            let written = self.saves.iter().any(|save| overlap(save, attempt));
            match self.editor.holds_open() && written && (attempt.after.is_none() || kept.names(before)) {
                true => through = through.saturating_add(1),
                false => return Err(format!("what {} replaced ({before}) is not kept", attempt.line)),
            }
        }
        Ok(through)
    }

    fn is_through_a_handle(&self, save: &Saved) -> bool {
        self.editor.holds_open() && self.answered().any(|attempt| overlap(save, attempt))
    }

    fn answered(&self) -> impl Iterator<Item = &&Attempt> {
        self.attempts.iter().filter(|attempt| !matches!(attempt.outcome, Outcome::Refused(_)))
    }

    fn times(&self, text: &str) -> usize {
        String::from_utf8_lossy(self.now.unwrap_or_default()).matches(text).count()
    }

    /// All that is known, for whoever looks into it.
    pub(super) fn story(&self) -> String {
        let start = self.attempts.iter().map(|one| one.begun).chain(self.saves.iter().map(|one| one.opened)).min();
        let since = |time: Instant| start.map_or(0, |start| time.duration_since(start).as_micros());
        let mut lines: Vec<(u128, String)> = Vec::new();
        for save in self.saves {
            let (from, to) = (since(save.opened), since(save.closed));
            lines.push((from, format!("{from}-{to} µs: {} saved: {} done {}", save.word, hash(&save.text), save.done)));
        }
        for one in self.attempts {
            let (from, to) = (since(one.begun), since(one.ended));
            let text = format!("{:?}: {:?} -> {:?}", one.outcome, one.before, one.after);
            lines.push((from, format!("{from}-{to} µs: {} {text}", one.line)));
        }
        lines.sort();
        let now = self.now.map(|bytes| Digest::of(bytes).to_string());
        lines.iter().map(|(_, line)| format!("{line}\n")).collect::<String>() + &format!("now: {now:?}\n")
    }
}

fn overlap(save: &Saved, attempt: &Attempt) -> bool {
    save.opened <= attempt.ended && save.closed >= attempt.begun
}

fn hash(text: &str) -> String {
    Digest::of(text.as_bytes()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Kept files, told by their text.
    struct Texts(Vec<&'static str>);

    impl Kept for Texts {
        fn holds(&self, wanted: &str) -> bool {
            self.0.iter().any(|text| hash(text) == wanted)
        }

        fn names(&self, _: &str) -> bool {
            !self.0.is_empty()
        }

        fn says(&self, text: &str) -> bool {
            self.0.iter().any(|kept| kept.contains(text))
        }
    }

    /// An edit: from one text to another, from when to when, and whether it was answered.
    type Edit = (&'static str, &'static str, [u64; 2], bool);

    /// What is found in the end.
    struct Left {
        now: &'static str,
        kept: &'static [&'static str],
    }

    fn left(now: &'static str, kept: &'static [&'static str]) -> Left {
        Left { now, kept }
    }

    fn check(editor: Editor, saves: &[(&str, [u64; 2])], edits: &[Edit], left: Left, found: Option<usize>) {
        let start = Instant::now();
        let time = |at: u64| start + Duration::from_micros(at);
        let save = |(text, [from, to]): &(&str, [u64; 2])| Saved {
            word: (*text).to_owned(),
            text: (*text).to_owned(),
            opened: time(*from),
            closed: time(*to),
            done: true,
        };
        let edit = |(before, after, [from, to], done): &Edit| Attempt {
            file: "f".to_owned(),
            line: after.rsplit('+').next().unwrap_or_default().to_owned(),
            outcome: if *done { Outcome::Done } else { Outcome::Refused("stale_file".to_owned()) },
            before: Some(hash(before)),
            after: Some(hash(after)),
            begun: time(*from),
            ended: time(*to),
        };
        let (saves, edits): (Vec<Saved>, Vec<Attempt>) =
            (saves.iter().map(save).collect(), edits.iter().map(edit).collect());
        let attempts: Vec<&Attempt> = edits.iter().collect();
        let after =
            Aftermath { editor, first: "0", saves: &saves, attempts: &attempts, now: Some(left.now.as_bytes()) };
        let judged = judge(&after, &Texts(left.kept.to_vec()));
        assert_eq!(judged.as_ref().ok().copied(), found, "{judged:?}\n{}", after.story());
    }

    #[test]
    fn whole_saves() {
        let (saves, renames) = ([("A", [0, 1]), ("B", [5, 6])], Editor::Renames);
        check(renames, &saves, &[], left("B", &[]), Some(0));
        check(renames, &saves, &[], left("A", &[]), None); // the last one has gone
        check(renames, &saves, &[("B", "B+x", [2, 9], true)], left("B+x", &["B"]), Some(0)); // we had seen it
        check(renames, &saves, &[("A", "A+x", [2, 9], true)], left("A+x", &["A", "B"]), None); // we had not
        check(renames, &saves, &[("A", "A+x", [2, 4], true)], left("B", &["A"]), Some(0)); // they came after us
        check(renames, &saves, &[("A", "A+x", [2, 4], true)], left("B", &[]), None); // what we replaced is not kept
        check(renames, &saves, &[("A", "A+x", [2, 9], false)], left("A+x", &["B"]), None); // refused, yet there
        check(renames, &saves, &[("A", "A+x", [7, 9], true)], left("B", &["A"]), None); // long replaced when we began
    }

    #[test]
    fn saves_through_a_handle() {
        let (saves, truncates) = ([("A", [0, 1]), ("B", [5, 6])], Editor::Truncates);
        check(truncates, &saves, &[("", "+x", [4, 9], true)], left("+x", &["B"]), Some(2)); // in the kept file, and only there
        check(truncates, &saves, &[("", "+x", [4, 9], true)], left("+x", &[]), None);
        check(truncates, &saves, &[("A", "A+x", [2, 4], true)], left("A+x", &["A", "B"]), None); // not at that time
        check(truncates, &saves, &[("A", "A+x", [4, 9], false)], left("A", &["B"]), None); // we had been refused
    }

    #[test]
    fn appended_lines() {
        let (saves, appends) = ([("A\n", [0, 1]), ("B\n", [5, 6])], Editor::Appends);
        check(appends, &saves, &[], left("0A\nB\n", &[]), Some(0));
        check(appends, &saves, &[], left("0A\n", &[]), None);
        check(appends, &saves, &[("0A\n", "0+x", [2, 9], true)], left("0A\n+x", &["0A\nB\n"]), Some(2));
        check(appends, &saves, &[("0A\n", "0+x", [2, 9], false)], left("0A\n", &["0A\nB\n"]), None);
        check(appends, &saves, &[("0A\n", "0+x", [2, 9], true)], left("0A\nB\n", &["0A\n"]), None); // ours has gone
    }
}
