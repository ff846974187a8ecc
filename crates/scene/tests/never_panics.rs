//! Whatever is done to a scene file, reading it ends in a scene or in messages.

use proptest::prelude::*;
use std::path::Path;

const GOOD: &str = include_str!("good/everything.toml");

/// Pieces that are likely to hurt.
const PIECES: [&str; 24] = [
    "nan",
    "inf",
    "-1",
    "1e999",
    "0",
    "\"",
    "'",
    "[",
    "]",
    "{",
    "}",
    "=",
    ",",
    "\n",
    "[[walls]]\n",
    "{}",
    "[]",
    "true",
    "99999999999999999999",
    "ü",
    "\u{0}",
    "#",
    "\"x\"",
    "t^",
];

fn read(text: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good");
    match esker_scene::load_text("a.toml", text, folder) {
        Ok(loaded) => drop(loaded.render_warnings(true)),
        Err(errors) => drop((errors.render(true), errors.to_string())),
    }
}

fn boundary(text: &str, share: f64) -> usize {
    let mut at = (share * text.len() as f64) as usize;
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Replaces one whole value on one line.
fn replace_value(text: &str, line: usize, piece: &str) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let line = line % lines.len();
    if let Some((key, _)) = lines[line].split_once('=') {
        lines[line] = format!("{key}= {piece}");
    }
    lines.join("\n")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn cut_and_patched_scenes(edits in prop::collection::vec((0.0..1.0, 0usize..30, 0usize..24), 1..4)) {
        let mut text = GOOD.to_owned();
        for (share, length, piece) in edits {
            let start = boundary(&text, share);
            let mut end = (start + length).min(text.len());
            while !text.is_char_boundary(end) {
                end += 1;
            }
            text.replace_range(start..end, PIECES[piece]);
        }
        read(&text);
    }

    #[test]
    fn values_of_another_kind(edits in prop::collection::vec((0usize..300, 0usize..24), 1..6)) {
        let mut text = GOOD.to_owned();
        for (line, piece) in edits {
            text = replace_value(&text, line, PIECES[piece]);
        }
        read(&text);
    }

    #[test]
    fn overrides(path in "[a-z_.\\[\\]0-9]{0,20}", value in "[a-z0-9\\[\\]{}='\", .-]{0,12}") {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good");
        for path in [path.as_str(), "walls[2].motion", "outputs.final", "contact.pairs[0].friction"] {
            let changes = [(path, value.as_str()), ("time.step", value.as_str())];
            if let Err(errors) = esker_scene::load_text_with("a.toml", GOOD, &folder, &changes) {
                drop(errors.render(false));
            }
        }
    }

    #[test]
    fn expressions(text in "[-+*/^(),. a-z0-9é]{0,40}") {
        if let Ok(expression) = esker_scene::expression::Expression::parse(&text) {
            let _ = expression.at(0.5);
        }
    }
}
