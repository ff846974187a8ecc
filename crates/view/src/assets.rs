//! The files of the page, as they are in the repository. They are part of the program.

/// A file of the page.
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
    "dom.js",
    "embedded.js",
    "fallback.js",
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
    "renderer.js",
    "ruler.js",
    "shaders.js",
    "source.js",
    "state.js",
    "timeline.js",
    "tubes.js",
    "view.js",
    "walls.js",
    "vendor/uPlot.js",
    "vendor/mediabunny.js",
];

/// The file of this name.
pub fn find(name: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.name == name)
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

/// Tells the page of this program from any other: its version and a checksum of its files.
pub fn version() -> String {
    let mut hash = crc32fast::Hasher::new();
    hash.update(INDEX.as_bytes());
    ASSETS.iter().for_each(|asset| hash.update(asset.bytes));
    format!("{}-{:08x}", env!("CARGO_PKG_VERSION"), hash.finalize())
}

/// The page with its version in it.
pub fn index() -> String {
    INDEX.replace("{{version}}", &version())
}
