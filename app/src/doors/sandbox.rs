//! Doors: whether a server is kept in by the kernel, and what is said about it. What is closed, and how, is the
//! store's to know.

use patchwright_engine::{Confinement, Session, Wall, WhyFree};
use serde_json::{Value, json};

/// Is a server to be kept in?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sandbox {
    /// As far as the kernel can.
    On,
    /// Somebody asked that it is not.
    Off,
}

/// Keeps this thread, and all that it starts, to the workspace. What a person should know, if that failed.
pub fn keep(session: &Session, sandbox: Sandbox) -> Option<String> {
    match sandbox {
        Sandbox::Off => None,
        Sandbox::On => match session.confine() {
            Confinement::Kept(_) => None,
            Confinement::Free(why) => Some(format!(
                "patchwright: this server runs without a sandbox: {}; --no-sandbox asks for that and is not warned",
                sentence(&why)
            )),
        },
    }
}

/// For a program.
pub(super) fn fields(found: &Confinement) -> Value {
    match found {
        Confinement::Kept(Wall { version, closed, open }) => {
            json!({ "works": true, "landlock": version, "closed": closed, "open": open })
        }
        Confinement::Free(why) => json!({ "works": false, "why": sentence(why) }),
    }
}

/// Why nothing is closed.
pub(super) fn sentence(why: &WhyFree) -> String {
    match why {
        WhyFree::NotThere => "the kernel has no Landlock".to_owned(),
        WhyFree::SwitchedOff => "the kernel was started without Landlock".to_owned(),
        WhyFree::TooOld => "the kernel's Landlock is too old: it would forbid moving files between folders".to_owned(),
        WhyFree::Failed(said) => format!("it failed: {said}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_told() {
        let closed = ["files", "truncation"];
        let open = ["tcp", "device_controls", "signals", "abstract_sockets", "named_sockets"];
        let three = json!({ "works": true, "landlock": 3, "closed": closed, "open": open });
        assert_eq!(fields(&Confinement::Kept(Wall::of(3))), three);
        let free = Confinement::Free(WhyFree::Failed("no memory".to_owned()));
        assert_eq!(fields(&free), json!({ "works": false, "why": "it failed: no memory" }));
    }
}
