//! Frames made by hand, as the test kit makes them, against those of the built binary.

use crate::place::Place;
pub(crate) use patchwright_testkit::forge::*;

/// The seal of the only record in a place.
pub(crate) fn seal_of(place: &Place) -> Seal {
    let seal = Seal::kept(&place.ring()).unwrap();
    assert_eq!(seal.key.len(), 32, "a key");
    seal
}

#[test]
fn a_frame_of_the_log_can_be_made_by_hand() {
    // Forged frames are only worth something if they are right in everything but the tag.
    let place = Place::new();
    for name in ["one.txt", "two.txt"] {
        place.make(name);
    }
    let log = std::fs::read(place.record().join("log")).unwrap();
    let seal = seal_of(&place);
    let all = frames(&log);
    assert!(all.len() >= 4, "two calls, an intent and a commit each: {}", all.len());
    let mut previous = [0; 32];
    for (frame, sequence) in all.iter().zip(1..) {
        assert_eq!((frame.sequence, frame.previous), (sequence, previous));
        let made = seal.frame(frame.at, Numbers { sequence, highest: frame.highest }, previous, &frame.payload);
        assert_eq!(made, log[frame.at..frame.end], "record {sequence}");
        previous = frame.hash();
    }
    assert!(log[all.last().unwrap().end..].iter().all(|byte| *byte == 0), "unused space is zeros");
    assert_eq!(all.last().unwrap().highest, 2, "two batches");
}
