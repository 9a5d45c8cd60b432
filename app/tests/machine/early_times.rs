//! Files from before 1970, as archives and machines without a battery have them.

use crate::place::Place;
use rustix::fs::{AtFlags, CWD, Timespec, Timestamps};
use serde_json::json;

#[test]
fn a_file_from_before_1970_is_shown_read_and_changed() {
    let place = Place::new();
    let then = Timespec { tv_sec: -86_400 * 365, tv_nsec: 500_000_000 };
    let times = Timestamps { last_access: then, last_modification: then };
    rustix::fs::utimensat(CWD, place.path("a.txt"), &times, AtFlags::empty()).unwrap();
    let listed = place.call("list_directory", &json!({ "path": "." })).is(0, "list").answer();
    assert!(listed.to_string().contains("1969-01-01T00:00:00.500Z"), "{listed}");
    assert!(place.call("glob", &json!({ "pattern": "*.txt" })).is(0, "glob").out.contains("1969-01-01T00:00:00.500Z"));
    place.run(&["read", "a.txt"]).is(0, "read");
    let edits = json!([{ "oldText": "inside", "newText": "within" }]);
    place.call("edit_file", &json!({ "path": "a.txt", "edits": edits })).is(0, "edit");
    assert_eq!(std::fs::read_to_string(place.path("a.txt")).unwrap(), "within\n");
}
