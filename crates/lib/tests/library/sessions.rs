//! Sessions of one workspace: apart in what they have seen, together in threads.

use super::Scratch;
use patchwright_lib::{
    CancelToken, ErrorKind, Planned, PlannedCommit, ProofOfSight, Proposal, Role, Session, Workspace,
};
use std::thread;

fn sendable<T: Send + Sync + 'static>() {}
fn shareable<T: Clone + Send + Sync + 'static>() {}

#[test]
fn what_is_shared_may_be_shared() {
    shareable::<Workspace>();
    shareable::<Session>();
    shareable::<Proposal>();
    shareable::<patchwright_lib::Error>();
    // Plans are used once, on whichever thread.
    sendable::<Planned>();
    sendable::<PlannedCommit>();
}

#[test]
fn sight_is_proven_by_each_session_for_itself() {
    let scratch = Scratch::with(&[("a.txt", "one\n")]);
    let workspace = scratch.open();
    let (one, other) = (workspace.session("same"), workspace.session("same"));
    one.read("a.txt").unwrap();
    let plan = |session: &Session| session.edit("a.txt").replace("one", "two").plan();
    assert_eq!(plan(&other).unwrap_err().to_string(), "a.txt was not read by this session");
    plan(&one).unwrap().commit().unwrap();
    plan(&one.clone()).unwrap_err();
    assert_eq!(other.edit("a.txt").replace("two", "2").plan().unwrap_err().kind(), ErrorKind::StaleFile);
}

#[test]
fn proof_of_sight_is_an_option() {
    let scratch = Scratch::with(&[("a.txt", "one\n")]);
    let plan = |proof| {
        let session = scratch.options().proof_of_sight(proof).open(scratch.folder.path()).unwrap().session("x");
        session.read("a.txt").unwrap();
        session.edit("a.txt").replace("one", "two").plan().map(|planned| planned.warnings().len())
    };
    assert_eq!(plan(ProofOfSight::SeenOrHash), Ok(0));
    assert_eq!(plan(ProofOfSight::HashOnly).map_err(|error| error.kind()), Err(ErrorKind::StaleFile));
    assert_eq!(plan(ProofOfSight::Unchecked), Ok(1));
}

#[test]
fn sessions_work_side_by_side() {
    let scratch = Scratch::with(&[("counter", "0\n")]);
    let workspace = scratch.open();
    thread::scope(|scope| {
        for worker in 0..4 {
            let workspace = workspace.clone();
            scope.spawn(move || {
                let session = workspace.session(format!("worker-{worker}"));
                session.create(format!("own-{worker}"), "mine\n").plan().unwrap().commit().unwrap();
                for _ in 0..5 {
                    count_up(&session);
                }
            });
        }
    });
    assert_eq!(scratch.text("counter").as_deref(), Some("20\n"));
    assert_eq!(workspace.session("x").batches().limit(100).run().unwrap().len(), 24);
}

/// Adds one. Whoever loses the race reads again: nothing is lost, and no other error comes.
fn count_up(session: &Session) {
    loop {
        let count: u32 = session.read("counter").unwrap().text.trim().parse().unwrap();
        let planned = session.write("counter", format!("{}\n", count + 1)).plan();
        match planned.and_then(Planned::commit) {
            Ok(_) => return,
            Err(error) => assert_eq!(error.kind(), ErrorKind::StaleFile, "{error}"),
        }
    }
}

#[test]
fn a_session_says_who_it_is() {
    let scratch = Scratch::new();
    let workspace = scratch.open();
    let builder = workspace.session_builder("tool\u{202e}").version("1.2").actor("Ada").role(Role::Person).id("run-7");
    let session = builder.begin().unwrap();
    assert_eq!(session.id(), "run-7");
    session.create("a", "").plan().unwrap().commit().unwrap();
    let author = session.batches().run().unwrap().remove(0).author;
    assert_eq!((author.client.as_str(), author.session.as_str()), ("tool/1.2", "run-7"));
    assert_eq!((author.actor.as_deref(), author.role), (Some("Ada"), Role::Person));
    for (builder, said) in [
        (workspace.session_builder("x").id("two words"), "the session id cannot hold the character ' '"),
        (workspace.session_builder("x").actor("a\nb"), "the actor cannot hold the character '\\n'"),
        (workspace.session_builder("x").actor(" "), "the actor is empty"),
    ] {
        let error = builder.begin().unwrap_err();
        assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::InvalidArguments, said));
    }
}

#[test]
fn a_cancelled_call_changes_nothing() {
    let scratch = Scratch::new();
    let (session, token) = (scratch.session(), CancelToken::new());
    let cancelled = session.cancel_with(&token);
    let planned = cancelled.create("a", "").plan().unwrap();
    token.cancel();
    assert!(token.is_cancelled());
    assert_eq!(planned.commit().unwrap_err().kind(), ErrorKind::Cancelled);
    assert_eq!(scratch.text("a"), None);
    session.create("a", "").plan().unwrap().commit().unwrap();
}

#[test]
fn a_workspace_is_found_from_below() {
    let scratch = Scratch::with(&[("src/deep/a", "")]);
    scratch.session().create("b", "").plan().unwrap().commit().unwrap();
    let found = scratch.options().discover(scratch.path("src/deep")).unwrap().session("x");
    assert_eq!(found.read("src/deep/a").unwrap().text, "");
}
