//! Bad news with words that come from files, names, other programs and the system.

use super::conflicts::{by, one, place};
use super::{at, plain};
use patchwright_core::locate::{Edges, nearest};
use patchwright_core::outcome::{DiskState, Fault, Trouble};
use patchwright_core::policy::{Access, Denial, Rule};
use patchwright_core::refusal::{
    Absolute, AnchorFault, ArgumentFault, ConflictPlace, ConflictReason, Expected, Grammar, Holder, HunkRef, LineFault,
    LineProblem, Misfit, Missing, NoHome, OperationFault, OperationField, Refusal, RootNow, Sort, Sought, Syntax, Why,
};

const HUNK: HunkRef = HunkRef { index: 0, at: 1 };

/// This text in every place where somebody else's words stand.
pub(crate) fn troubles(text: &str) -> Vec<Trouble> {
    let own = || text.to_owned();
    let fault = Fault { path: Some(own()), doing: "sync", said: own(), state: DiskState::Unchanged, id: None };
    let all = files(text).into_iter().map(|why| at(text, why)).chain(edits(text)).chain(patches(text));
    all.map(Trouble::from).chain([Trouble::Fault(fault)]).collect()
}

fn files(text: &str) -> Vec<Why> {
    let own = || text.to_owned();
    let some = || vec![own(), own()];
    let holder = Holder { pid: 1, since_ns: None, client: Some(own()) };
    let field = Expected::Field { known: Vec::new(), meant: None };
    let argument = |at: String, expected| Why::Arguments(vec![ArgumentFault { at, expected, got: own() }]);
    vec![
        Why::LinkTarget { target: own(), relative: Some(own()) },
        Why::LinkMoved { to: own(), target: own(), relative: Some(own()) },
        Why::NotFound(Missing::File { alike: some() }),
        Why::NotFound(Missing::Parent { folder: own() }),
        Why::NotFound(Missing::TrashEntry { id: own() }),
        Why::NotFound(Missing::Batch { id: own() }),
        Why::NotFound(Missing::Session { id: own() }),
        Why::AlreadyExists(Sort::File),
        Why::Denied(Denial { access: Access::Read, rule: Rule::Deny(own()), through: Some(own()) }),
        Why::Forbidden(own()),
        Why::Pattern(own()),
        Why::Glob(own()),
        Why::AmbiguousDoc(some()),
        Why::DuplicatePath { other: own() },
        Why::CommitFailed { doing: "stage", said: own() },
        Why::Busy { waited_ms: 1, holder: Some(Box::new(holder)) },
        Why::RootMoved { path: own(), now: RootNow::Another },
        Why::NoHome(NoHome::Closed(own())),
        argument(format!("operations[0].{text}"), field),
        argument(own(), Expected::Charset),
    ]
}

fn edits(text: &str) -> Vec<Refusal> {
    let own = || text.to_owned();
    let lines = || vec![own(); 5];
    let met = |reason| ConflictPlace {
        path: own(),
        expected: lines(),
        actual: lines(),
        by: vec![by(9, text)],
        lines: Some((1, 5)),
        ..place(reason)
    };
    let was = AnchorFault::WasDiffers {
        said: own(),
        found: None,
        quotable: true,
        candidates: Vec::new(),
        count: 0,
        range: None,
    };
    let operation = OperationFault { index: 0, field: OperationField::Was, anchor: own(), fault: was };
    let line = LineFault {
        file: Some(0),
        doc_path: None,
        path: Some(own()),
        change: None,
        key: None,
        about: None,
        problem: LineProblem::UpperCase { lower: own() },
    };
    vec![
        one(met(ConflictReason::Touched)),
        one(met(ConflictReason::Occupied)),
        one(met(ConflictReason::Removed { version: Some("x".into()) })),
        at(text, Why::Operations(vec![operation])),
        plain(Why::LinePatch(vec![line])),
    ]
}

fn patches(text: &str) -> Vec<Refusal> {
    let own = || text.to_owned();
    let near = nearest(format!("one\n{text}\ntwo\n").as_bytes(), b"one\nx\ntwo\n", Edges::Whole).map(Box::new);
    let nowhere = Misfit::Nowhere { nearest: near, already_at: Vec::new(), other_charset: false };
    let no_header = Misfit::NoHeader { header: own(), near: vec![(1, own())] };
    let syntax = Syntax { line: 2, expected: Grammar::Begin, found: Some(own()), excerpt: vec![(2, own())] };
    let absolute = Absolute { relative: own(), line: 2, header: own(), patch: None };
    vec![
        at(text, Why::HunkMisfit { hunk: HUNK, misfit: nowhere }),
        at(text, Why::HunkMisfit { hunk: HUNK, misfit: no_header }),
        at(text, Why::HunkMany { hunk: HUNK, sought: Sought::Header(own()), count: 2, lines: vec![1], disk: vec![1] }),
        plain(Why::Syntax(Box::new(syntax))),
        at(text, Why::AbsolutePath(Some(Box::new(absolute)))),
    ]
}
