//! Static friction above dynamic friction: choice of the limit that a contact is tested against (docs/laws/mindlin.md).

#[path = "../common/mod.rs"]
mod common;

mod block;
mod literal;
mod load;
mod mean;
