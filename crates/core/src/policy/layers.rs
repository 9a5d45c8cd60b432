//! Whose settings count. The user's own, flags and settings file, are the ceiling; what comes with a workspace may
//! only narrow it, because a clone, a branch or an agent may have brought it.

use crate::conventions::Conventions;
use crate::seeded::{Bug, is_planted};

use super::{Guarded, Limits, Protect, Retention, Rules, Settings, TrashRetention};

/// What one source says. What it leaves out it says nothing about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layer {
    /// What may be read.
    pub read: Lists,
    /// What may be written.
    pub write: Lists,
    /// Names closed by default.
    pub protect: SetProtect,
    /// Sizes and times.
    pub limits: SetLimits,
    /// What is kept, and for how long.
    pub retention: SetRetention,
    /// Whose conventions a patch follows that does not say.
    pub conventions: Option<Conventions>,
}

/// Globs of one source for one kind of access.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lists {
    /// Only these; everything if there are none.
    pub allow: Vec<String>,
    /// Never these.
    pub deny: Vec<String>,
}

/// [`Protect`], as far as one source says something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetProtect {
    /// Likely secrets.
    pub secrets: Option<Guarded>,
    /// `.git`.
    pub git: Option<Guarded>,
    /// Paths that are exempt from both.
    pub except: Vec<String>,
}

/// [`Limits`], as far as one source says something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SetLimits {
    /// In bytes.
    pub max_file_bytes: Option<u64>,
    /// In bytes.
    pub max_request_bytes: Option<u64>,
    /// In milliseconds.
    pub lock_wait_ms: Option<u64>,
}

/// [`Retention`], as far as one source says something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SetRetention {
    /// In days.
    pub keep_days: Option<u32>,
    /// In bytes.
    pub max_bytes: Option<u64>,
}

/// What several sources come to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Combined {
    /// The settings that apply.
    pub settings: Settings,
    /// Settings of the workspace that ask for more than the user allows, and do not apply.
    pub beyond: Vec<&'static str>,
}

/// Joins what the user says, each source on top of the one before, with what the workspace says.
///
/// Every allow list must be kept to, and every deny list counts, whoever wrote it. The rest is the user's: the
/// workspace may lower limits, switch protection on, and have patches read strictly.
pub fn combine(user: &[Layer], workspace: &[Layer]) -> Combined {
    let mut settings = Settings::default();
    for layer in user {
        settings.narrow(layer);
        settings.protect.set(&layer.protect);
        settings.limits.set(&layer.limits);
        settings.retention.set(&layer.retention);
        settings.conventions = layer.conventions.unwrap_or(settings.conventions);
    }
    let mut beyond = Vec::new();
    for layer in workspace {
        settings.narrow(layer);
        beyond.extend(settings.protect.tighten(&layer.protect));
        beyond.extend(settings.limits.lower(&layer.limits));
        beyond.extend(settings.retention.beyond(&layer.retention));
        beyond.extend(settings.tighten(layer.conventions));
    }
    Combined { settings, beyond }
}

impl Settings {
    /// Strict conventions let a patch do less.
    fn tighten(&mut self, conventions: Option<Conventions>) -> Option<&'static str> {
        match (conventions?, self.conventions) {
            (Conventions::Strict, _) => self.conventions = Conventions::Strict,
            (Conventions::Codex, Conventions::Codex) => {}
            (Conventions::Codex, Conventions::Strict) => return Some("patch.conventions"),
        }
        None
    }

    fn narrow(&mut self, by: &Layer) {
        self.read.narrow(&by.read);
        self.write.narrow(&by.write);
    }
}

impl Rules {
    fn narrow(&mut self, by: &Lists) {
        match self.allow.first_mut() {
            Some(first) if is_planted(Bug::ListsUnited) => first.extend(by.allow.iter().cloned()),
            _ => self.allow.extend((!by.allow.is_empty()).then(|| by.allow.clone())),
        }
        self.deny.extend(by.deny.iter().cloned());
    }
}

impl Protect {
    fn set(&mut self, to: &SetProtect) {
        self.secrets = to.secrets.unwrap_or(self.secrets);
        self.git = to.git.unwrap_or(self.git);
        self.except.extend(to.except.iter().cloned());
    }

    fn tighten(&mut self, to: &SetProtect) -> Vec<&'static str> {
        let mut beyond = Vec::new();
        let guards = [("protect.secrets", &mut self.secrets, to.secrets), ("protect.git", &mut self.git, to.git)];
        for (name, guard, wanted) in guards {
            match (wanted, *guard) {
                (Some(Guarded::Yes), _) => *guard = Guarded::Yes,
                (Some(Guarded::No), Guarded::Yes) => beyond.push(name),
                (Some(Guarded::No), Guarded::No) | (None, _) => {}
            }
        }
        if to.except.iter().any(|glob| !self.except.contains(glob)) {
            beyond.push("protect.except");
        }
        beyond
    }
}

impl Limits {
    fn set(&mut self, to: &SetLimits) {
        for (_, limit, wanted) in self.with(to) {
            *limit = wanted.unwrap_or(*limit);
        }
    }

    fn lower(&mut self, to: &SetLimits) -> Vec<&'static str> {
        let mut beyond = Vec::new();
        for (name, limit, wanted) in self.with(to) {
            match wanted {
                Some(wanted) if wanted > *limit => beyond.push(name),
                Some(wanted) => *limit = wanted,
                None => {}
            }
        }
        beyond
    }

    /// Each limit beside what a source wants it to be.
    fn with(&mut self, to: &SetLimits) -> [(&'static str, &mut u64, Option<u64>); 3] {
        [
            ("limits.max_file_bytes", &mut self.max_file_bytes, to.max_file_bytes),
            ("limits.max_request_bytes", &mut self.max_request_bytes, to.max_request_bytes),
            ("limits.lock_wait_ms", &mut self.lock_wait_ms, to.lock_wait_ms),
        ]
    }
}

impl Retention {
    /// Whoever chooses how long things are kept chooses it for the trash, too.
    fn set(&mut self, to: &SetRetention) {
        if *to != SetRetention::default() {
            self.trash = TrashRetention::LikePreImages;
        }
        self.keep_days = to.keep_days.unwrap_or(self.keep_days);
        self.max_bytes = to.max_bytes.unwrap_or(self.max_bytes);
    }

    fn beyond(&self, to: &SetRetention) -> Vec<&'static str> {
        let days = to.keep_days.is_some_and(|days| days != self.keep_days).then_some("retention.keep_days");
        let bytes = to.max_bytes.is_some_and(|bytes| bytes != self.max_bytes).then_some("retention.max_bytes");
        days.into_iter().chain(bytes).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(change: fn(&mut Layer)) -> Layer {
        let mut layer = Layer::default();
        change(&mut layer);
        layer
    }

    fn check(user: &[Layer], workspace: fn(&mut Layer), beyond: &[&str], want: fn(&mut Settings)) {
        let mut settings = Settings::default();
        want(&mut settings);
        let got = combine(user, &[layer(workspace)]);
        assert_eq!(got.settings, settings);
        assert_eq!(got.beyond, beyond);
    }

    #[test]
    fn lists() {
        let flags = layer(|flags| flags.write.allow = vec!["src/**".into()]);
        let user = layer(|user| user.write.deny = vec!["src/gen/**".into()]);
        check(
            &[user, flags],
            |root| {
                root.write.allow = vec!["**".into()];
                root.write.deny = vec!["x".into()];
                root.read.deny = vec!["y".into()];
            },
            &[],
            |want| {
                want.write.allow = vec![vec!["src/**".into()], vec!["**".into()]];
                want.write.deny = vec!["src/gen/**".into(), "x".into()];
                want.read.deny = vec!["y".into()];
            },
        );
    }

    #[test]
    fn protection_is_the_users_to_switch_off() {
        let loosened = |root: &mut Layer| {
            root.protect =
                SetProtect { secrets: Some(Guarded::No), git: Some(Guarded::No), except: vec!["t/*.pem".into()] };
        };
        check(&[], loosened, &["protect.secrets", "protect.git", "protect.except"], |_| {});
        let user = layer(|user| {
            user.protect =
                SetProtect { git: Some(Guarded::No), except: vec!["t/*.pem".into()], ..SetProtect::default() };
        });
        check(std::slice::from_ref(&user), loosened, &["protect.secrets"], |want| {
            want.protect.git = Guarded::No;
            want.protect.except = vec!["t/*.pem".into()];
        });
        check(
            &[user],
            |root| root.protect.git = Some(Guarded::Yes),
            &[],
            |want| {
                want.protect.except = vec!["t/*.pem".into()];
            },
        );
    }

    #[test]
    fn limits_are_lowered_only() {
        check(
            &[layer(|user| user.limits.max_file_bytes = Some(100))],
            |root| {
                root.limits.max_file_bytes = Some(101);
                root.limits.lock_wait_ms = Some(5);
                root.limits.max_request_bytes = Some(u64::MAX);
            },
            &["limits.max_file_bytes", "limits.max_request_bytes"],
            |want| {
                want.limits.max_file_bytes = 100;
                want.limits.lock_wait_ms = 5;
            },
        );
        check(
            &[layer(|user| user.limits.lock_wait_ms = Some(60_000))],
            |_| {},
            &[],
            |want| {
                want.limits.lock_wait_ms = 60_000;
            },
        );
    }

    #[test]
    fn retention_is_the_users_alone() {
        let root = |root: &mut Layer| {
            root.retention = SetRetention { keep_days: Some(0), max_bytes: Some(0) };
        };
        check(&[], root, &["retention.keep_days", "retention.max_bytes"], |_| {});
        check(&[layer(|user| user.retention.keep_days = Some(0))], root, &["retention.max_bytes"], |want| {
            want.retention.keep_days = 0;
            want.retention.trash = TrashRetention::LikePreImages;
        });
    }
}
