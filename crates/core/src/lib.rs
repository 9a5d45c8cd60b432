//! The pure core of Patchwright.
//!
//! Paths, text, matching, planning and the table of tools, as values and functions of values.
//! What is absent on purpose: files, clocks, environment, randomness, JSON, threads, and the sentences
//! that people read (those live in the binary; here a refusal is a value with fields).
//!
//! The road of a change: arguments ([`tool`]) become [`intent`]s, intents and a snapshot become a
//! [`plan`], or a [`refusal`]. The store carries the plan out.

pub mod anchor;
mod as_bytes;
pub mod batch;
pub mod bytes;
pub mod conventions;
pub mod dialect;
pub mod diff;
pub mod digest;
pub mod ends;
pub mod fold;
pub mod folder;
pub mod history;
pub mod intent;
pub mod link;
pub mod locate;
pub mod outcome;
pub mod path;
pub mod plan;
pub mod policy;
pub mod reading;
pub mod refusal;
pub mod sanity;
pub mod seeded;
pub mod text;
pub mod tool;
pub mod warning;
