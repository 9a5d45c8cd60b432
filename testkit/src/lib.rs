//! Test means for the whole workspace, never a normal dependency.
//!
//! [`fake`] is a disk in memory that forgets what was not synced. [`tree`] is a real folder as a value
//! that can be compared, [`mod@home`] where the state of such a folder stands,
//! [`journal`] what killed processes left in one, [`frames`] how its log lies on the disk. [`case`] reads and runs the
//! folders under `cases/`. [`dice`] and [`generate`] make random but repeatable input. [`forge`] makes states as an
//! attacker would, [`mod@snapshot`] is a folder as a value with the state in it. [`mod@reference`] applies patches by the
//! plainest code that will do. [`mod@dress`] has what files have besides bytes and mode.
//! [`tokens`] counts what a model pays for a text.
//! What is absent: any rule of editing but those, and the doors themselves.

pub mod attributes;
pub mod case;
pub mod dice;
pub mod dress;
pub mod fake;
pub mod forge;
pub mod frames;
pub mod generate;
pub mod home;
pub mod journal;
pub mod reference;
pub mod snapshot;
pub mod tokens;
pub mod tree;
