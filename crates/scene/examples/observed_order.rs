//! Draws the error over the step for every integrator and three problems with closed-form solutions:
//!
//! ```text
//! cargo run --release --package esker-scene --example observed_order -- docs/images
//! ```
//!
//! writes one SVG for each problem into the folder and prints the slopes.

#[path = "../../core/tests/order/mod.rs"]
mod order;

use esker_draw::{Plot, Scale, Series};
use order::{Problem, errors, integrators, slope};

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_owned());
    std::fs::create_dir_all(&folder)?;
    for problem in Problem::ALL {
        println!("{}", problem.title());
        let mut plot = Plot {
            title: problem.title().to_owned(),
            x_label: "step as a fraction of period, contact time or time of the spring".into(),
            y_label: "error".into(),
            x_scale: Scale::Logarithmic,
            y_scale: Scale::Logarithmic,
            ..Plot::default()
        };
        for (name, integration) in integrators() {
            let points = errors(problem, integration);
            println!("  {name:28} slope {:.2}", slope(&points));
            plot.series.push(Series { name: name.to_owned(), points, ..Series::default() });
        }
        let name = format!("{problem:?}").to_lowercase();
        std::fs::write(format!("{folder}/order_{name}.svg"), plot.svg())?;
    }
    Ok(())
}
