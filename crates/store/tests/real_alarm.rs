//! Whoever waits for the log to grow is woken when it does, and told how often to look without that.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise and looks at the disk itself"
)]

use patchwright_store::log::{Firm, Log};
use patchwright_store::real::{Alarm, Means, RealDisk, Woken};
use patchwright_store::records::{Record, Retired};
use patchwright_testkit::home;
use std::fs;
use std::time::Duration;

/// Nothing here takes that long, unless it never comes.
const LONG: Duration = Duration::from_secs(120);

fn append(disk: &RealDisk) {
    let mut log = Log::open(disk).unwrap();
    let retired = Retired { time_ns: 1, blobs: Vec::new(), trash: Vec::new(), bytes: 0 };
    log.append(disk, &Record::Retired(retired), Firm::No).unwrap();
}

#[test]
fn what_happens_in_the_folder_of_the_record_wakes() {
    let root = tempfile::tempdir().unwrap();
    let disk = RealDisk::open(root.path(), &home::whereabouts(), Means::Best).unwrap();
    let mut alarm = Alarm::default();
    alarm.arm(&disk);
    let unwoken = alarm.period();
    disk.found_record().unwrap();
    append(&disk);
    let log = home::record(root.path()).join("log");
    let changes: [&dyn Fn(); 4] = [
        &|| append(&disk),
        &|| fs::write(&log, fs::read(&log).unwrap()).unwrap(),
        &|| fs::rename(&log, log.with_file_name("aside")).unwrap(),
        &|| fs::rename(log.with_file_name("aside"), &log).unwrap(),
    ];
    for change in changes {
        alarm.arm(&disk);
        assert_eq!(alarm.wait(Duration::ZERO), Woken::ByTime, "nothing has happened yet");
        change();
        assert_eq!(alarm.wait(LONG), Woken::ByEvent);
        assert_eq!(alarm.wait(LONG), Woken::ByEvent, "until it is armed again");
    }
    assert!(alarm.period() > unwoken, "whoever is woken looks less often");
}

#[test]
fn without_events_it_goes_by_time() {
    let root = tempfile::tempdir().unwrap();
    let disk = RealDisk::open(root.path(), &home::whereabouts(), Means::Best).unwrap();
    disk.found_record().unwrap();
    let mut alarm = Alarm::polling();
    alarm.arm(&disk);
    append(&disk);
    assert_eq!((alarm.wait(Duration::ZERO), alarm.period()), (Woken::ByTime, Duration::from_millis(250)));
}
