//! The one binary, as a library so that tests can call it: serde, argv, sockets and wording live here.
//!
//! `wire` reads JSON and decides nothing, `report` words what a call came to; neither knows the other,
//! and `doors` own argv, standard input and output.

pub mod doors;
pub mod report;
pub mod wire;
