//! A run as a self-contained page: for reports, notebooks, mail, and remote machines without a tunnel.

use crate::embedded::{self, Choice};
use crate::feed::Feed;
use crate::{FolderFeed, SnapshotsFeed, ViewError, assets, join};
use esker::measure::Snapshot;
use esker_draw::{encode_base64, escape};
use sha2::{Digest, Sha256};
use std::path::Path;

/// Particles times frames of a report: about 6 MB.
const REPORT_SIZE: usize = 1_000_000;
/// Largest number of particles of a frame for which more than the last frame is included.
const MOST_PARTICLES: usize = 100_000;
/// Largest number of contacts in all frames.
const MOST_CONTACTS: usize = 300_000;

/// Options of an exported page.
#[derive(Debug, Clone)]
pub struct Export {
    /// Largest number of frames; evenly spread, the last one included.
    pub frames: Option<usize>,
    /// Largest number of particles times frames; the number of frames is reduced first.
    pub particle_frames: usize,
    /// Quantities to colour by beside the groups, as `velocity` or `force.z`.
    pub columns: Vec<String>,
    /// True if the viewer starts only when it is scrolled into view, as in a report.
    pub starts_in_view: bool,
}

impl Default for Export {
    fn default() -> Self {
        Self {
            frames: None,
            particle_frames: REPORT_SIZE,
            columns: vec!["velocity".to_owned()],
            starts_in_view: false,
        }
    }
}

/// A self-contained page. It sends no request: it works from a file, in a sandboxed frame, and offline.
pub fn export(feed: &dyn Feed, options: &Export) -> Result<String, ViewError> {
    let choice = choose(feed, options)?;
    page(&embedded::data(feed, &choice)?, options)
}

/// A page of snapshots, such as those for the pictures of a report.
pub fn export_snapshots(
    snapshots: Vec<Snapshot>,
    title: &str,
    gravity: [f64; 3],
    options: &Export,
) -> Result<String, ViewError> {
    export(&SnapshotsFeed::new(snapshots, false, gravity, "finished")?.named(title, ""), options)
}

/// The viewer of a report: the frames of the run folder, or, if there are none, the snapshots for the pictures.
pub fn for_report(folder: &Path, instants: &[Snapshot]) -> Result<String, String> {
    let options = Export { starts_in_view: true, ..Export::default() };
    let from_folder = || {
        let feed = FolderFeed::open(folder)?;
        let is_written = !feed.progress()?.times.is_empty();
        if is_written {
            return export(&feed, &options);
        }
        let info = feed.info()?;
        export_snapshots(instants.to_vec(), &info.title, info.gravity, &options)
    };
    from_folder().map_err(|error: ViewError| error.to_string())
}

fn choose(feed: &dyn Feed, options: &Export) -> Result<Choice, ViewError> {
    let info = feed.info()?;
    let count = info.times.len();
    let known = |name: &&String| {
        let base = name.split(['.', '@']).next().unwrap_or_default();
        base == "displacement" || info.columns.iter().any(|column| column.name == base)
    };
    let columns = options.columns.iter().filter(known).cloned().collect();
    if count == 0 {
        return Ok(Choice { columns, motion: true, ..Choice::default() });
    }
    let last = feed.frame(crate::At::Frame(count - 1))?;
    let particles = last.column("radius")?.values.len();
    let contacts = match info.contacts {
        true => last.contacts()?.map_or(0, |contacts| contacts.force.len()),
        false => 0,
    };
    let fitting =
        if particles > MOST_PARTICLES { 1 } else { options.particle_frames / particles.max(1) };
    let wanted = options.frames.unwrap_or(count).min(fitting).clamp(1, count);
    let frames: Vec<usize> = match wanted {
        1 => vec![count - 1],
        several => (0..several).map(|index| index * (count - 1) / (several - 1)).collect(),
    };
    let contacts = info.contacts && contacts * frames.len() <= MOST_CONTACTS;
    // Orientations and velocities take as much space as positions and one quantity.
    let motion = (2 * particles * frames.len() <= options.particle_frames)
        && ["orientation", "velocity"]
            .iter()
            .all(|name| last.column_names().iter().any(|c| c == name));
    Ok(Choice { frames, columns, contacts, motion })
}

fn page(data: &[u8], options: &Export) -> Result<String, ViewError> {
    let script = join::join("main").map_err(ViewError::Page)?;
    // The end of a script must not occur inside it.
    let script = format!("\n{}", script.replace("</script", "<\\/script"));
    let hash = encode_base64(&Sha256::digest(script.as_bytes()));
    let policy = format!(
        "default-src 'none'; script-src 'sha256-{hash}'; style-src 'unsafe-inline'; img-src data: blob:; \
         media-src blob:"
    );
    let page = assets::index();
    let wrong = || ViewError::Page("the page template is incomplete".to_owned());
    let (head, rest) = page.split_once("<!-- style -->").ok_or_else(wrong)?;
    let (_, rest) = rest.split_once("<!-- /style -->").ok_or_else(wrong)?;
    let (body, rest) = rest.split_once("<!-- script -->").ok_or_else(wrong)?;
    let (_, tail) = rest.split_once("<!-- /script -->").ok_or_else(wrong)?;
    let start = if options.starts_in_view { " data-start=\"in-view\"" } else { "" };
    Ok(format!(
        "{head}<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n<style>\n{style}</style>{body}\
         <script type=\"text/plain\" id=\"data\"{start}>{data}</script>\n<script type=\"module\">{script}</script>{tail}",
        policy = escape(&policy).replace("&#39;", "'"),
        style = assets::STYLE,
        data = encode_base64(data),
    ))
}
