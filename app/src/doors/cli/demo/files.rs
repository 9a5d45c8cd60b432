//! CLI door, demo: the files of the throw-away workspace. What they hold at first, and what each must hold by now,
//! worked out here from plain text and compared with the disk byte for byte: no step takes the server's word.

use super::upset::{Upset, claim, failed};
use patchwright_engine::Scratch;
use std::collections::BTreeMap;

pub(super) const SERVER: &str = "src/server.ts";
pub(super) const LIMITS: &str = "src/limits.ts";
pub(super) const SETTINGS: &str = "config/settings.ini";
pub(super) const DEPLOY: &str = "bin/deploy.sh";
pub(super) const NOTES: &str = "docs/notes.md";
pub(super) const IDEAS: &str = "ideas.txt";
pub(super) const PROBE: &str = "old/probe.ts";

/// What is there before anybody comes.
const AT_FIRST: &[(&str, &str)] = &[
    (
        SERVER,
        "import http from \"http\";
import { LIMITS } from \"./limits\";

const PORT = 3000;
const HOST = \"127.0.0.1\";

export function start(): http.Server {
  const server = http.createServer((request, response) => {
    response.setHeader(\"content-type\", \"text/plain\");
    response.end(\"hello\");
  });
  server.maxConnections = LIMITS.connections;
  server.listen(PORT, HOST);
  return server;
}
",
    ),
    (LIMITS, "export const LIMITS = {\n  connections: 100,\n  bodyBytes: 65536,\n  headerSeconds: 10,\n};\n"),
    (SETTINGS, "[server]\r\nname=demo\r\ntimeout=30\r\n\r\n[log]\r\nlevel=info\r\n"),
    (DEPLOY, "#!/bin/sh\nset -eu\ntarget=\"staging\"\necho \"deploying to $target\"\n"),
    (NOTES, "\u{feff}# Notes\n\nPorts: see src/server.ts – one for each host.\nLimits: 100 connections, no more.\n"),
    (IDEAS, "Count requests by path.\nno newline at the end"),
    (PROBE, "console.log(\"probe\");\n"),
];

/// What each file must hold by now; nothing for one that must not be there.
#[derive(Clone)]
pub(super) struct Files(BTreeMap<&'static str, Option<String>>);

impl Files {
    /// Lays the first files out, as some other program would.
    pub(super) fn lay_out(scratch: &Scratch) -> Result<Files, Upset> {
        let mut files = Files(BTreeMap::new());
        for (path, text) in AT_FIRST {
            scratch.save(path, text.as_bytes()).map_err(failed("laying the files out"))?;
            files.put(path, *text);
        }
        scratch.make_executable(DEPLOY).map_err(failed("laying the files out"))?;
        Ok(files)
    }

    /// The file has this text from now on.
    pub(super) fn put(&mut self, path: &'static str, text: impl Into<String>) {
        self.0.insert(path, Some(text.into()));
    }

    /// The file is gone from now on.
    pub(super) fn remove(&mut self, path: &'static str) {
        self.0.insert(path, None);
    }

    /// What the file must hold.
    pub(super) fn text(&self, path: &str) -> &str {
        self.0.get(path).and_then(Option::as_deref).unwrap_or_default()
    }

    /// One text of a file becomes another.
    pub(super) fn replace(&mut self, path: &'static str, old: &str, new: &str) {
        self.put(path, self.text(path).replacen(old, new, 1));
    }

    /// A file takes another name.
    pub(super) fn rename(&mut self, from: &'static str, to: &'static str) {
        let text = self.text(from).to_owned();
        self.put(to, text);
        self.remove(from);
    }

    /// Is the disk exactly so, byte for byte?
    pub(super) fn compare(&self, scratch: &Scratch) -> Result<(), Upset> {
        for (path, text) in &self.0 {
            let found = scratch.read(path).map_err(failed(path))?;
            claim(found.as_deref() == text.as_ref().map(String::as_bytes), || match (found.as_deref(), text) {
                (Some(found), _) => format!("{path} holds {:?}", String::from_utf8_lossy(found)),
                (None, _) => format!("{path} is not there"),
            })?;
        }
        let mode = scratch.mode(DEPLOY).map_err(failed(DEPLOY))?;
        claim(mode == 0o755, || format!("{DEPLOY} has mode {mode:o}"))
    }
}
