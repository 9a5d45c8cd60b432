//! Words for people at a terminal. From the same values that models are told in other words: no kind, no field of JSON,
//! no tool, no id; names that can be typed, and commands that work.

pub mod refusal;
pub mod who;
