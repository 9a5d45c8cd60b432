//! A file whose lines are tokens, its recorded steps, and the same steps with some of them left out.

use patchwright_core::history::{Edit, Lost, Piece, Restored, Source, Span, Tape};

pub(crate) type Token = u32;

/// What a step is made of, before it is known how many lines there are.
#[derive(Clone, Debug)]
pub(crate) enum Wish {
    /// Pieces: lines passed, lines that go, lines that come, ids.
    Lines(Vec<(usize, usize, usize, usize)>),
    /// Takes back some of a step: which step, which of its groups (bits).
    Back(usize, u32),
}

/// Pieces with equal spans, as tokens.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) ids: Vec<String>,
    pub(crate) first: usize,
    pub(crate) gone: Vec<Token>,
    pub(crate) came: Vec<Token>,
}

#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) before: Vec<Token>,
    pub(crate) groups: Vec<Group>,
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct World {
    pub(crate) now: Vec<Token>,
    pub(crate) steps: Vec<Step>,
    start: usize,
    fresh: Token,
    names: usize,
}

impl World {
    pub(crate) fn new(lines: usize) -> World {
        let fresh = lines as Token;
        World { now: (0..fresh).collect(), start: lines, fresh, ..World::default() }
    }

    pub(crate) fn tape(&self) -> Tape {
        let mut tape = Tape::new(self.start);
        self.steps.iter().for_each(|step| tape.step(&step.pieces));
        tape.mark(self.now.len());
        tape
    }

    /// Replaces lines.
    pub(crate) fn edit(&mut self, wishes: &[(usize, usize, usize, usize)]) {
        let (mut groups, mut pieces, mut at, mut shift) = (Vec::new(), Vec::new(), 0, 0_isize);
        for &(skip, del, ins, ids) in wishes {
            let first = (at + skip).min(self.now.len());
            let count = del.min(self.now.len() - first);
            if count + ins == 0 {
                continue;
            }
            let before = Span { first, count };
            let after = Span { first: first.checked_add_signed(shift).unwrap(), count: ins };
            let ids: Vec<String> = (0..ids).map(|_| self.name("c")).collect();
            pieces.extend(ids.iter().map(|id| Piece { id: id.clone(), before, after, restores: Vec::new() }));
            let came: Vec<Token> = (self.fresh..).take(ins).collect();
            self.fresh += ins as Token;
            groups.push(Group { ids, first, gone: self.now[first..before.end()].to_vec(), came });
            at = before.end();
            shift += ins as isize - count as isize;
        }
        self.commit(groups, pieces);
    }

    /// Records what a tape says.
    pub(crate) fn undo(&mut self, edits: &[Edit]) {
        let (mut groups, mut pieces) = (Vec::new(), Vec::new());
        for edit in edits {
            let id = self.name("u");
            let came = self.tokens(edit);
            let restores = restores(&id, edit);
            pieces.push(Piece { id: id.clone(), before: edit.before, after: edit.after, restores });
            let gone = self.now[edit.before.first..edit.before.end()].to_vec();
            groups.push(Group { ids: vec![id], first: edit.before.first, gone, came });
        }
        self.commit(groups, pieces);
    }

    fn commit(&mut self, groups: Vec<Group>, pieces: Vec<Piece>) {
        let before = self.now.clone();
        self.now = together(&before, &groups.iter().map(|group| (group.first, group)).collect::<Vec<_>>());
        self.steps.push(Step { before, groups, pieces });
    }

    fn name(&mut self, sort: &str) -> String {
        self.names += 1;
        format!("{sort}{}", self.names)
    }

    fn group(&self, id: &str) -> &Group {
        self.steps.iter().flat_map(|step| &step.groups).find(|group| group.ids.iter().any(|one| one == id)).unwrap()
    }

    fn tokens(&self, edit: &Edit) -> Vec<Token> {
        let token = |source: &Source| match source {
            Source::Kept(at) => self.now[*at],
            Source::Gone { change, at } => self.group(change).gone[*at],
        };
        edit.lines.iter().map(token).collect()
    }

    /// The version that edits make of this one. They are sorted and apart, and each id is in one of them.
    pub(crate) fn applied(&self, edits: &[Edit], ids: &[String]) -> Vec<Token> {
        let (mut new, mut old) = (Vec::new(), 0);
        for edit in edits {
            assert!(edit.before.first >= old, "not apart: {edits:?}");
            new.extend(&self.now[old..edit.before.first]);
            assert_eq!((edit.after.first, edit.after.count), (new.len(), edit.lines.len()), "{edits:?}");
            new.extend(self.tokens(edit));
            old = edit.before.end();
        }
        new.extend(&self.now[old..]);
        let mut named: Vec<&String> = edits.iter().flat_map(|edit| &edit.undoes).collect();
        let mut asked: Vec<&String> = ids.iter().collect();
        named.sort();
        asked.sort();
        assert_eq!(named, asked);
        new
    }

    pub(crate) fn ids(&self, step: usize, mask: u32) -> Vec<String> {
        let chosen = self.steps[step].groups.iter().enumerate().filter(|(at, _)| mask >> (at % 32) & 1 == 1);
        chosen.flat_map(|(_, group)| group.ids.clone()).collect()
    }

    /// Takes some of a step back on a tape of its own.
    pub(crate) fn without(&self, ids: &[String]) -> Result<Vec<Edit>, Vec<Lost>> {
        let mut tape = self.tape();
        let had = tape.len();
        tape.take_back(ids)?;
        let edits = tape.edits();
        let grown: isize = edits.iter().map(|edit| edit.after.count as isize - edit.before.count as isize).sum();
        assert_eq!(tape.len() as isize, had as isize + grown);
        Ok(edits)
    }

    /// The same steps without some groups of one; nothing where a later step has no meaning without them.
    pub(crate) fn model(&self, ids: &[String]) -> Option<Vec<Token>> {
        let out = |group: &Group| ids.contains(&group.ids[0]);
        let at = self.steps.iter().position(|step| step.groups.iter().any(out))?;
        let step = &self.steps[at];
        let left: Vec<&Group> = step.groups.iter().filter(|group| out(group)).collect();
        let kept: Vec<(usize, &Group)> =
            step.groups.iter().filter(|group| !out(group)).map(|group| (group.first, group)).collect();
        let mut alt = together(&step.before, &kept);
        for later in &self.steps[at + 1..] {
            let mut places = Vec::new();
            for group in &later.groups {
                places.push((place(&alt, later, group, &left)?, group));
                let leaves = later.groups.iter().flat_map(|group| &group.gone);
                let stays = |token: &Token| alt.contains(token) && !leaves.clone().any(|gone| gone == token);
                if group.came.iter().any(stays) {
                    return None;
                }
            }
            places.sort_by_key(|(at, group)| (*at, !group.gone.is_empty()));
            alt = together(&alt, &places);
        }
        Some(alt)
    }
}

/// Where a later group goes in a version without some groups.
fn place(alt: &[Token], step: &Step, group: &Group, left: &[&Group]) -> Option<usize> {
    if let Some(first) = group.gone.first() {
        let at = alt.iter().position(|token| token == first)?;
        return alt[at..].starts_with(&group.gone).then_some(at);
    }
    let find = |token: &Token| alt.iter().position(|one| one == token);
    let replaced = |token: &Token| left.iter().find(|group| group.came.contains(token));
    let above = step.before[..group.first]
        .iter()
        .rev()
        .find_map(|token| find(token).or_else(|| find(replaced(token)?.gone.last()?)).map(|at| at + 1));
    let below = step.before[group.first..]
        .iter()
        .find_map(|token| find(token).or_else(|| find(replaced(token)?.gone.first()?)));
    let (above, below) = (above.unwrap_or(0), below.unwrap_or(alt.len()));
    (above == below).then_some(above)
}

/// Carries out groups that are sorted and apart.
fn together(old: &[Token], groups: &[(usize, &Group)]) -> Vec<Token> {
    let (mut new, mut done) = (Vec::new(), 0);
    for (at, group) in groups {
        new.extend(&old[done..*at]);
        new.extend(&group.came);
        done = at + group.gone.len();
    }
    new.extend(&old[done..]);
    new
}

/// Lines that come back, in runs.
fn restores(own: &str, edit: &Edit) -> Vec<Restored> {
    let mut all: Vec<Restored> = Vec::new();
    for (at, source) in edit.lines.iter().enumerate() {
        let (change, from) = match source {
            Source::Kept(line) => (own.to_owned(), line - edit.before.first),
            Source::Gone { change, at } => (change.clone(), *at),
        };
        match all.last_mut() {
            Some(last) if last.change == change && last.from + last.count == from => last.count += 1,
            _ => all.push(Restored { at, change, from, count: 1 }),
        }
    }
    all
}
