//! Doors: they own argv, standard input and output, and know no rule of editing. Each door turns what
//! comes in into a call and the outcome into what goes out; the files beside the doors' folders hold
//! what they share, and no door knows another.

mod call;
pub mod cli;
mod clients;
pub mod exit_code;
pub mod mcp;
pub mod offer;
pub mod open;
pub mod sandbox;
