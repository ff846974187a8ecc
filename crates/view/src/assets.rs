//! The files of the page. They are embedded in the program; scripts are sent without their comments.

use crate::trim::trim;
use std::borrow::Cow;
use std::sync::LazyLock;

/// A file of the page, as it is in the repository.
#[derive(Debug, Clone, Copy)]
pub struct Asset {
    /// Name below `/assets/`.
    pub name: &'static str,
    /// Content.
    pub bytes: &'static [u8],
}

macro_rules! assets {
    ($($name:literal),* $(,)?) => {
        [$(Asset { name: $name, bytes: include_bytes!(concat!("../page/", $name)) }),*]
    };
}

/// The page itself.
pub const INDEX: &str = include_str!("../page/index.html");
/// Its style.
pub const STYLE: &str = include_str!("../page/view.css");

/// All files that the page loads.
pub const ASSETS: &[Asset] = &assets![
    "view.css",
    "app.js",
    "camera.js",
    "colors.js",
    "cull.js",
    "cull_worker.js",
    "dom.js",
    "embedded.js",
    "fallback.js",
    "filters.js",
    "follow.js",
    "frames.js",
    "gl.js",
    "inspect.js",
    "keys.js",
    "light.js",
    "main.js",
    "matrix.js",
    "overlay.js",
    "panel.js",
    "plots.js",
    "quantities.js",
    "record.js",
    "release.js",
    "renderer.js",
    "ruler.js",
    "shaders.js",
    "source.js",
    "state.js",
    "tables.js",
    "timeline.js",
    "tubes.js",
    "view.js",
    "walls.js",
    "vendor/uPlot.js",
    "vendor/mediabunny.js",
];

/// Name and content as sent.
type Sent = (&'static str, Cow<'static, [u8]>);

/// The files as sent.
static SENT: LazyLock<Vec<Sent>> = LazyLock::new(|| {
    let sent = |asset: &Asset| {
        let is_ours = asset.name.ends_with(".js") && !asset.name.starts_with("vendor/");
        match std::str::from_utf8(asset.bytes).ok().filter(|_| is_ours) {
            Some(text) => (asset.name, Cow::Owned(trim(text).into_bytes())),
            None => (asset.name, Cow::Borrowed(asset.bytes)),
        }
    };
    ASSETS.iter().map(sent).collect()
});

/// The content of the file of this name, as sent.
pub fn find(name: &str) -> Option<&'static [u8]> {
    SENT.iter().find(|(known, _)| *known == name).map(|(_, bytes)| &**bytes)
}

/// Type of a file by its ending.
pub fn media_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("html") => "text/html; charset=utf-8",
        Some("png") => "image/png",
        _ => "application/octet-stream",
    }
}

/// Identifies the page of this program: its version and a checksum of its files.
pub fn version() -> String {
    let mut hash = crc32fast::Hasher::new();
    hash.update(INDEX.as_bytes());
    ASSETS.iter().for_each(|asset| hash.update(asset.bytes));
    format!("{}-{:08x}", env!("CARGO_PKG_VERSION"), hash.finalize())
}

/// The page with its version. It lists all modules, so that the browser loads them at once and not one after the other
/// as it finds their imports.
pub fn index() -> String {
    let on_demand = ["cull_worker.js", "vendor/mediabunny.js"];
    let scripts = ASSETS.iter().map(|asset| asset.name).filter(|name| name.ends_with(".js"));
    let links: String = scripts
        .filter(|name| !on_demand.contains(name))
        .map(|name| format!("<link rel=\"modulepreload\" href=\"assets/{name}\">"))
        .collect();
    INDEX
        .replace("{{version}}", &version())
        .replace("<!-- script -->", &format!("<!-- script -->{links}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_without_the_encoder_of_videos_has_at_most_200_kilobytes() {
        let loaded = ASSETS.iter().filter(|asset| asset.name != "vendor/mediabunny.js");
        let sizes = loaded.map(|asset| find(asset.name).unwrap().len());
        let total = index().len() + sizes.sum::<usize>();
        assert!(total <= 200_000, "{total} bytes");
    }
}
