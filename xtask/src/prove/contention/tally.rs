//! What was done and answered, for the report.

use super::board::Answered;
use super::stage::Disturbed;
use super::writer::Work;
use std::time::Duration;

/// Sums over all rounds.
#[derive(Default)]
pub(super) struct Tally {
    stops: usize,
    kills: usize,
    done: Answers,
    busy: Answers,
    nothing: Answers,
}

/// How many answers of one sort, and how long the longest took.
#[derive(Default)]
struct Answers {
    count: usize,
    longest: Duration,
}

impl Tally {
    pub(super) fn add(&mut self, works: &[Work], disturbed: &Disturbed) {
        self.stops = self.stops.saturating_add(disturbed.stops.len());
        self.kills = self.kills.saturating_add(disturbed.kills);
        for call in works.iter().flat_map(|work| &work.calls) {
            let answers = match call.answered {
                Answered::Done => &mut self.done,
                Answered::Busy => &mut self.busy,
                Answered::Nothing => &mut self.nothing,
            };
            answers.count = answers.count.saturating_add(1);
            answers.longest = answers.longest.max(call.ended.saturating_duration_since(call.begun));
        }
    }

    pub(super) fn lines(&self, part: &str) -> [String; 2] {
        let Tally { stops, kills, done, busy, nothing } = self;
        let (longest_done, longest_busy) = (done.longest.as_millis(), busy.longest.as_millis());
        let (done, busy, nothing) = (done.count, busy.count, nothing.count);
        [
            format!(
                "{part}: {stops} stops, {kills} kills; edits done {done}, busy {busy}, without an answer {nothing}"
            ),
            format!("{part}: longest edit {longest_done} ms, longest busy {longest_busy} ms"),
        ]
    }
}
