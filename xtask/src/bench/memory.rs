//! The most memory that our server needs to read a slice of a 100 MB file.

use super::Bench;
use crate::client::Client;
use crate::failure::Failure;
use crate::say;
use serde_json::json;
use std::io::Write;
use std::path::Path;

const LINE: &str = "a line of plain text, sixty-three bytes long, that nobody reads";
const LINES: usize = 1_640_000;

pub(super) fn measure(bench: &Bench) -> Result<(), Failure> {
    let folder = bench.folder("memory")?;
    write(&folder.join("large.txt")).map_err(|error| Failure::io(folder.display(), &error))?;
    let mut client = Client::start("patchwright", bench.server(&folder))?;
    let before = peak(client.pid());
    let result =
        client.call("read_file", &json!({"path": "large.txt", "startLine": LINES / 2, "endLine": LINES / 2 + 50}))?;
    let after = peak(client.pid());
    let length = result.pointer("/content/0/text").and_then(|value| value.as_str()).map_or(0, str::len);
    say::line(&format!(
        "memory: 100 MB file, a slice told in {length} bytes; peak {before:.1} MB before, {after:.1} MB after"
    ));
    client.close()
}

fn write(path: &Path) -> std::io::Result<()> {
    let mut out = std::io::BufWriter::new(std::fs::File::create(path)?);
    for _ in 0..LINES {
        writeln!(out, "{LINE}")?;
    }
    out.flush()
}

/// The high-water mark of resident memory, in MB.
fn peak(pid: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes: f64 = line.and_then(|text| text.split_whitespace().next()?.parse().ok()).unwrap_or(0.0);
    kilobytes / 1024.0
}
