//! Draws a scene at a given time, as the picture in the README was drawn:
//! `cargo run --release --example picture -- scenes/pile.toml 0.6 docs/pile.png`

use esker_draw::{Picture, PictureStyle};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [scene, time, file] = arguments.as_slice() else {
        return Err("usage: picture SCENE TIME FILE".into());
    };
    let time: f64 = time.parse()?;
    let mut loaded = esker_scene::load(scene)?;
    loaded.scene.threads = 0;
    let mut simulation = esker_scene::run::build(&loaded)?;
    while simulation.time() < time && !simulation.is_finished() {
        simulation.step()?;
    }
    let mut snapshot = simulation.snapshot();
    snapshot.walls.retain(|wall| wall.present);
    let style = PictureStyle {
        width: 800,
        height: 330,
        up: -simulation.gravity(),
        ..PictureStyle::default()
    };
    let picture = Picture::draw(&snapshot, &style);
    std::fs::write(file, picture.png()?)?;
    println!("t = {:.4} s, {}", snapshot.time, picture.caption);
    Ok(())
}
