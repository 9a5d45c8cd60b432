//! What people see at a terminal, in words of their own: short names, ages and paths from where they stand, never a model's
//! text. Each screen is a pure function of the values that models are told in other words, and of the [`View`].

mod age;
mod batch;
mod batches;
mod cells;
mod counts;
mod doctor;
mod events;
mod hits;
mod hunks;
mod lines;
mod quoting;
pub mod refusal;
mod review;
mod settled;
mod start;
mod trash;
mod view;
pub mod who;

pub use batch::{Part, diff, show};
pub use batches::{More, log};
pub use doctor::{Check, Health, doctor};
pub use events::{Happened, What, event};
pub use hits::hits;
pub use hunks::{coloured, files};
pub use lines::{Asked, Before, why};
pub use quoting::quoted;
pub use review::{Standing, Waiting, review};
pub use settled::{Deed, Done, FileLine, done, patched};
pub use start::{Start, start};
pub use trash::{Item, purging, trash};
pub use view::{Colour, Ids, Role, View};
pub use who::{by, who};
