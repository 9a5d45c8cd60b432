//! Proposals: stored, carried out whole or in part, rejected.

use super::Scratch;
use patchwright_lib::{ErrorKind, Status};

fn two_hunks() -> (Scratch, patchwright_lib::Session, patchwright_lib::Proposal) {
    let scratch = Scratch::with(&[("a.txt", "1\n-\n-\n-\n-\n2\n")]);
    let session = scratch.session();
    session.read("a.txt").unwrap();
    let planned = session.edit("a.txt").replace("1", "one").replace("2", "two").plan().unwrap();
    let proposal = planned.propose().unwrap();
    (scratch, session, proposal)
}

#[test]
fn a_proposal_changes_nothing_until_it_is_committed() {
    let (scratch, session, proposal) = two_hunks();
    assert_eq!(scratch.text("a.txt").as_deref(), Some("1\n-\n-\n-\n-\n2\n"));
    let waiting = session.proposals().unwrap();
    assert_eq!(waiting.iter().map(patchwright_lib::Proposal::batch).collect::<Vec<_>>(), [proposal.batch()]);
    let planned = waiting[0].plan().unwrap();
    assert!(planned.diff().contains("+one"), "{}", planned.diff());
    assert_eq!(scratch.text("a.txt").as_deref(), Some("1\n-\n-\n-\n-\n2\n"));
    let change = planned.commit().unwrap();
    assert_eq!(change.batch(), Some(proposal.batch()));
    assert_eq!(scratch.text("a.txt").as_deref(), Some("one\n-\n-\n-\n-\ntwo\n"));
    assert!(session.proposals().unwrap().is_empty());
}

#[test]
fn a_part_of_it_may_be_taken() {
    let (scratch, _, proposal) = two_hunks();
    proposal.only(["b1.2"]).plan().unwrap().commit().unwrap();
    assert_eq!(scratch.text("a.txt").as_deref(), Some("1\n-\n-\n-\n-\ntwo\n"));
}

#[test]
fn it_may_be_rejected() {
    let (scratch, session, proposal) = two_hunks();
    proposal.clone().reject("not so").unwrap();
    assert_eq!(scratch.text("a.txt").as_deref(), Some("1\n-\n-\n-\n-\n2\n"));
    assert_eq!(session.show(proposal.batch()).unwrap().batch.status, Status::Rejected);
    let error = proposal.plan().unwrap_err();
    assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Conflict, "b1 is rejected already"));
}

#[test]
fn changed_ground_is_a_conflict_unless_it_may_have_moved() {
    let (scratch, _, proposal) = two_hunks();
    scratch.put("a.txt", "1\n-\n-\nnew\n-\n-\n2\n");
    let error = proposal.plan().unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::Conflict, Some("a.txt")));
    proposal.rebase().plan().unwrap().commit().unwrap();
    assert_eq!(scratch.text("a.txt").as_deref(), Some("one\n-\n-\nnew\n-\n-\ntwo\n"));
}

#[test]
fn nothing_cannot_be_proposed() {
    let (_scratch, session, _) = two_hunks();
    let error = session.write("a.txt", "1\n-\n-\n-\n-\n2\n").plan().unwrap().propose().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArguments);
}
