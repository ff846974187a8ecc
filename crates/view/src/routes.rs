//! Answers to requests. All functions may block: the server calls them on separate threads.

use crate::ViewError;
use crate::feed::{Feed, Progress, RunInfo};
use crate::request::Request;
use crate::{columns, details, encode, picture};
use serde_json::json;

/// An answer: type and bytes.
pub type Answer = (&'static str, Vec<u8>);

const JSON: &str = "application/json";
const BINARY: &str = "application/octet-stream";

/// Answers a request that does not wait; `runs` are shown side by side.
pub fn answer(feed: &dyn Feed, request: &Request, runs: usize) -> Result<Answer, ViewError> {
    Ok(match request {
        Request::Run => {
            let info = RunInfo { runs, ..feed.info()? };
            (JSON, serde_json::to_vec(&info).unwrap_or_default())
        }
        Request::Next { .. } => (JSON, news(&feed.progress()?, 0)),
        Request::Particles(at, query) => (BINARY, encode::particles(feed, *at, query)?),
        Request::Walls(at, have) => (BINARY, encode::walls(feed, *at, *have)?),
        Request::Contacts(at) => (BINARY, encode::contacts(feed, *at)?),
        Request::Particle(at, id) => {
            (JSON, details::particle(&*feed.frame(*at)?, *id)?.to_string().into_bytes())
        }
        Request::History(id, column) => {
            (JSON, details::history(feed, *id, column)?.to_string().into_bytes())
        }
        Request::Range(column) => {
            let range = columns::range(feed, column)?;
            (JSON, json!({ "column": column, "range": range }).to_string().into_bytes())
        }
        Request::Table(index, after) => ("text/plain; charset=utf-8", feed.table(*index, *after)?),
        Request::Picture(at, options) => ("image/png", picture::png(feed, *at, options)?.0),
    })
}

/// True if there are data that a waiting page does not have.
pub fn is_news(progress: &Progress, request: &Request) -> bool {
    let Request::Next { frames, step, tables, state, .. } = request else { return true };
    progress.times.len() != *frames
        || progress.step.is_some_and(|newest| newest > *step)
        || progress.tables != *tables
        || progress.state != *state
}

/// The response to a waiting page: the times of the frames from a number onwards, and all other data.
pub fn news(progress: &Progress, known: usize) -> Vec<u8> {
    let from = if known <= progress.times.len() { known } else { 0 };
    json!({
        "state": progress.state,
        "from": from,
        "times": progress.times[from..],
        "step": progress.step,
        "live_time": progress.live_time,
        "tables": progress.tables,
        "checkpoints": progress.checkpoints,
    })
    .to_string()
    .into_bytes()
}
