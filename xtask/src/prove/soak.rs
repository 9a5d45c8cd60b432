//! One server, mixed calls, for a long time: all tools, right and wrong, large and small.
//!
//! Memory and open files stay flat, every answer is whole, the files are what a plain model of them says, and in the
//! end the log verifies. The bounds are in bytes and in handles, never in time.

mod changes;
mod driver;
mod history;
mod looks;
mod memory;
mod mistakes;
mod model;

use super::caller::{self, Caller};
use super::findings::{Findings, Violation};
use super::setting::Setting;
use crate::failure::Failure;
use driver::Driver;
use memory::Samples;
use std::path::Path;
use std::time::Instant;

/// Calls of the short version.
const SHORT: usize = 2_200;
/// How often memory is sampled, and how often the whole tree is compared.
const SAMPLE: usize = 10;
const COMPARE: usize = 400;

pub(crate) fn run(setting: &Setting, findings: &mut Findings) -> Result<(), Failure> {
    let root = setting.scratch().join("soak");
    std::fs::create_dir_all(&root).map_err(|error| Failure::io(root.display(), &error))?;
    let caller = Caller::mcp(setting, &root, &["--durability", "process"])?;
    let process = caller.pid().unwrap_or_default();
    let mut driver = Driver::new(caller, setting.dice("soak"));
    let (mut samples, begun) = (Samples::default(), Instant::now());
    for at in 1..=setting.sized(SHORT, usize::MAX) {
        let step = driver.step();
        let over = step.is_err();
        findings.note(step.map_err(|what| violation(at, what, &driver, &root)));
        if at % SAMPLE == 0 {
            samples.take(process).map_err(|error| Failure::io("/proc", &error))?;
        }
        if at % COMPARE == 0 {
            findings.note(compared(&driver, &root, at)?);
        }
        // After the first wrong answer the model is worth nothing.
        if over || !setting.goes_on(findings) {
            break;
        }
    }
    findings.note(compared(&driver, &root, driver.calls)?);
    findings.note(samples.judge().map_err(Violation::new));
    let rate = driver.calls as f64 / begun.elapsed().as_secs_f64();
    findings.figures.push(format!(
        "{} calls, {rate:.0} a second, slowest {} ms",
        driver.calls,
        driver.slowest.as_millis()
    ));
    findings.figures.push(driver.kinds());
    findings.figures.extend(samples.lines());
    findings.note(driver.close().map_err(Violation::new));
    findings.note(caller::verified(setting, &root).map_err(Violation::new));
    Ok(())
}

fn compared(driver: &Driver, root: &Path, at: usize) -> Result<Result<(), Violation>, Failure> {
    let found = super::workload::read(root)?;
    let mut unlike = driver.model.tree().difference(&found);
    unlike.truncate(5);
    let what = format!("after call {at} the files are not as the model has them: {}", unlike.join("; "));
    Ok(if unlike.is_empty() { Ok(()) } else { Err(Violation { found: Some(found), ..Violation::new(what) }) })
}

fn violation(at: usize, what: String, driver: &Driver, root: &Path) -> Violation {
    let what: String = format!("call {at}: {what}").chars().take(2_000).collect();
    let log = crate::home::log(root);
    Violation { before: Some(driver.model.tree()), more: vec![("log".to_owned(), log)], ..Violation::new(what) }
}
