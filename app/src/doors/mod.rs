//! Doors: they own argv, standard input and output, and know no rule of editing. Each door turns what
//! comes in into a call and the outcome into what goes out; the files beside the doors' folders hold
//! what they share, and no door knows another.

mod carry;
pub mod cli;
mod clients;
pub mod kept;
pub mod mcp;
pub mod offer;
pub mod opening;
pub mod status;
