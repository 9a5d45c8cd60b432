//! Following the record: each event once, in order, and on from a cursor.

use super::Scratch;
use patchwright_lib::{CancelToken, Cursor, ErrorKind, Event, EventKind, Follow, News, Since, Workspace};
use std::time::Duration;

/// Longer than any machine takes; an event that is on record already is not waited for.
const LONG: Duration = Duration::from_secs(60);

fn events(follow: &mut Follow) -> Vec<Event> {
    let mut events = Vec::new();
    while let Some(news) = follow.next(Duration::ZERO).unwrap() {
        match news {
            News::Event(event) => events.push(*event),
            other => panic!("{other:?}"),
        }
    }
    events
}

/// A create, a refusal, a proposal, its rejection and an undo.
fn play(workspace: &Workspace) {
    let session = workspace.session_builder("player").actor("Ada").begin().unwrap();
    let made = session.create("a.txt", "one\n").plan().unwrap().commit().unwrap();
    session.edit("a.txt").replace("two", "2").plan().unwrap_err();
    session.edit("a.txt").replace("one", "1").plan().unwrap().propose().unwrap().reject("no").unwrap();
    session.undo(made.batch()).unwrap().commit().unwrap();
}

#[test]
fn events_tell_what_was_done() {
    let scratch = Scratch::new();
    let (workspace, other) = (scratch.open(), scratch.open());
    let mut follow = other.follow(Since::Now).unwrap();
    assert_eq!(events(&mut follow), []);
    play(&workspace);
    let events = events(&mut follow);
    let told: Vec<_> = events.iter().map(|event| (event.kind, event.tool.as_str())).collect();
    let refused = EventKind::Refused { kind: Some(ErrorKind::OldTextNotFound) };
    let want = [
        (EventKind::Changed, "create_file"),
        (refused, "edit_file"),
        (EventKind::Proposed, "edit_file"),
        (EventKind::Rejected, "reject_batch"),
        (EventKind::Changed, "undo"),
    ];
    assert_eq!(told, want);
    for event in &events {
        assert_eq!((event.author.client.as_str(), event.author.actor.as_deref()), ("player", Some("Ada")));
        assert_eq!((event.paths.as_slice(), event.hidden), (["a.txt".to_owned()].as_slice(), 0));
        assert_eq!(event.batch.is_none(), event.kind == refused);
    }
    let batch = |at: usize| events[at].batch.clone().unwrap();
    assert_eq!(batch(4).undoes, [batch(0).id]);
    assert_eq!(batch(2).id, batch(3).id);
}

#[test]
fn a_cursor_goes_on_where_it_was_kept() {
    let scratch = Scratch::new();
    let workspace = scratch.open();
    play(&workspace);
    let all = events(&mut workspace.follow(Since::Start).unwrap());
    for (at, event) in all.iter().enumerate() {
        let kept: Cursor = event.cursor.to_string().parse().unwrap();
        assert_eq!(events(&mut workspace.follow(kept).unwrap()), all[at + 1..]);
    }
    let mut follow = workspace.follow(Since::Start).unwrap();
    let Some(News::Event(first)) = follow.next(LONG).unwrap() else { panic!("nothing on record") };
    assert_eq!(follow.cursor(), first.cursor, "what was read ahead is not passed over");
    assert_eq!(events(&mut workspace.follow(follow.cursor()).unwrap()), all[1..]);
    assert_eq!("b17".parse::<Cursor>().unwrap_err().kind(), ErrorKind::InvalidArguments);
}

#[test]
fn a_record_that_is_another_one_is_told() {
    let (one, two) = (Scratch::new(), Scratch::new());
    play(&one.open());
    play(&two.open());
    let kept = events(&mut one.open().follow(Since::Start).unwrap())[0].cursor;
    let mut follow = two.open().follow(kept).unwrap();
    assert_eq!(follow.next(LONG).unwrap(), Some(News::Restarted));
    assert_eq!(events(&mut follow).len(), 5);
}

#[test]
fn files_that_may_not_be_read_are_not_named() {
    let scratch = Scratch::new();
    play(&scratch.open());
    let closed = scratch.options().deny_read("a.txt").open(scratch.folder.path()).unwrap();
    for event in events(&mut closed.follow(Since::Start).unwrap()) {
        assert_eq!((event.paths.as_slice(), event.hidden), ([].as_slice(), 1), "{event:?}");
    }
}

#[test]
fn waiting_is_called_off() {
    let scratch = Scratch::new();
    let token = CancelToken::new();
    let mut follow = scratch.open().follow(Since::Now).unwrap().cancel_with(&token);
    token.cancel();
    assert_eq!(follow.next(Duration::MAX).unwrap(), None);
}
