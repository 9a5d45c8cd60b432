//! `why`: who wrote which lines. What stands before the lines is told once for those that came together.

use super::super::terminal::label;
use super::cells::{cut_end, left, right, width};
use super::view::{Role, View};
use super::who::by;
use patchwright_core::outcome::{Explained, LineOrigin, LineRun};

/// How many lines were asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// One alone, of which all is told.
    One,
    /// Several.
    Several,
}

/// What stood in the place of a line before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Before {
    /// What the batch is for, in its author's words.
    pub label: Option<String>,
    /// The line that it replaced, if it replaced one.
    pub line: Option<String>,
}

/// The lines of a file with who wrote them.
pub fn why(explained: &Explained, asked: Asked, before: &Before, view: &View) -> String {
    let gutter = Gutter::over(&explained.runs, view);
    // The one line that was asked for is shown whole.
    let columns = view.columns.filter(|_| asked == Asked::Several);
    let mut out: String = explained.runs.iter().map(|run| gutter.run(run, columns, view)).collect();
    if asked == Asked::One
        && let [LineRun { origin: Some(origin), .. }] = explained.runs.as_slice()
    {
        out.push_str(&told(origin, before, view));
    }
    out
}

/// What else is known of one line.
fn told(origin: &LineOrigin, before: &Before, view: &View) -> String {
    let said = origin.description.as_deref().filter(|said| Some(*said) != before.label.as_deref());
    let mut lines: Vec<String> = before.label.as_deref().into_iter().chain(said).map(label).collect();
    lines.extend(before.line.as_deref().map(|line| format!("before: {}", view.content(line))));
    lines.extend(origin.path.as_deref().map(|path| format!("then in {}", view.path(path))));
    lines.iter().map(|line| format!("  {line}\n")).collect()
}

/// What is told before the lines.
struct Gutter {
    name: usize,
    who: usize,
    age: usize,
    number: usize,
}

const UNKNOWN: (&str, &str) = (".", "not on record");

impl Gutter {
    fn over(runs: &[LineRun], view: &View) -> Gutter {
        let origins = || runs.iter().filter_map(|run| run.origin.as_ref());
        let name = origins().map(|from| width(&from.batch.to_string())).max().unwrap_or(1);
        let who = origins().map(|from| width(&by(&from.author))).max().unwrap_or(0);
        let age = origins().map(|from| width(&view.age(from.author.time_ns))).max().unwrap_or(0);
        let last = runs.last().map_or(1, |run| run.first.saturating_add(run.lines.len()));
        let unknown = runs.iter().any(|run| run.origin.is_none());
        // Both forms take the same room.
        let missing = if unknown { width(UNKNOWN.1).saturating_sub(who + 2 + age) } else { 0 };
        Gutter { name, who: who + missing, age, number: width(&last.saturating_sub(1).max(1).to_string()) }
    }

    fn run(&self, run: &LineRun, columns: Option<usize>, view: &View) -> String {
        let full = match &run.origin {
            Some(from) => {
                let name = view.paint(Role::Name, &left(&from.batch.to_string(), self.name));
                let age = right(&view.age(from.author.time_ns), self.age);
                format!("{name}  {}  {age}", left(&by(&from.author), self.who))
            }
            None => {
                let words = left(UNKNOWN.1, self.who + 2 + self.age);
                view.paint(Role::Faint, &format!("{}  {words}", left(UNKNOWN.0, self.name)))
            }
        };
        let cells = self.name + 2 + self.who + 2 + self.age;
        let line = |(at, text): (usize, &String)| {
            let first = at == 0 || !view.is_terminal();
            let gutter = if first { full.clone() } else { " ".repeat(cells) };
            let number = right(&run.first.saturating_add(at).to_string(), self.number);
            let before = cells + 2 + self.number + 3;
            let room = columns.map_or(usize::MAX, |columns| columns.saturating_sub(before).max(8));
            let text = cut_end(&view.content(text).replace('\t', "    "), room);
            format!("{gutter}  {number} | {text}").trim_end().to_owned() + "\n"
        };
        run.lines.iter().enumerate().map(line).collect()
    }
}
