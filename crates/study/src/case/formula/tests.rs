use super::*;

/// A table with a parabola: t = 0, 0.1 … 1, y = t² − 0.25.
struct Parabola;

impl Scope for Parabola {
    fn column(&self, run: &str, table: &str, column: &str) -> Result<Rc<Series>, String> {
        assert!((run == "run" || run.starts_with("seed_")) && table == "table");
        let time: Rc<[f64]> = (0..=10).map(|row| f64::from(row) / 10.0).collect();
        let seed = run.strip_prefix("seed_").and_then(|seed| seed.parse().ok());
        let of = |t: &f64| match column {
            "seed" => seed.unwrap_or(f64::NAN) * t,
            "y" => t * t - 0.25,
            "gone_half_way" if *t > 0.55 => f64::NAN,
            _ => *t,
        };
        let values = time.iter().map(of).collect();
        Ok(Rc::new(Series { time, values }))
    }

    fn word(&self, word: &str) -> Result<Value, String> {
        if word == "two" { Ok(Value::Number(2.0)) } else { Err(format!("unknown word `{word}`")) }
    }

    fn events(&self, _: &str, kind: &str, partners: &[String]) -> Result<Vec<f64>, String> {
        let all = if kind == "slip" { vec![0.25, 0.75] } else { Vec::new() };
        Ok(if partners.is_empty() { all } else { all[..1].to_vec() })
    }

    fn last_state(&self, _: &str, particle: u64, column: &str) -> Result<f64, String> {
        assert_eq!(column, "velocity_x");
        Ok(particle as f64 + 0.5)
    }

    fn summary(&self, _: &str, path: &str) -> Result<f64, String> {
        if path == "steps" { Ok(100.0) } else { Err("no".to_owned()) }
    }

    fn runs(&self, pattern: &str) -> Vec<String> {
        let all = ["seed_1", "seed_2", "seed_4", "other"];
        all.into_iter().filter(|name| matches(pattern, name)).map(str::to_owned).collect()
    }
}

fn number(text: &str) -> f64 {
    Formula::parse(text).and_then(|formula| formula.number(&Parabola)).unwrap()
}

fn wrong(text: &str) -> String {
    match Formula::parse(text) {
        Err(what) => what,
        Ok(formula) => formula.number(&Parabola).unwrap_err(),
    }
}

fn near(text: &str, expected: f64, tolerance: f64) {
    assert!((number(text) - expected).abs() <= tolerance, "{text}: {}", number(text));
}

#[test]
fn operators_bind_as_in_mathematics() {
    near("1 + two*3 - 8/4/2", 6.0, 0.0);
    near("-2^2 + 2^-1", -3.5, 0.0);
    near("1 < 2 and 3 >= 3", 1.0, 0.0);
    near("1 + 1 == 3", 0.0, 0.0);
    near("if(1 > 2, 5, 6e-1)", 0.6, 0.0);
    near("min(3, 1, 2) + max(3, 1, 2)", 4.0, 0.0);
}

#[test]
fn columns_are_read_by_time_extreme_and_crossing() {
    near("last(run.table.y)", 0.75, 1e-15);
    near("first(run.table.y) + min(run.table.y)", -0.5, 1e-15);
    // linear between 0.4 (−0.09) and 0.5 (0)
    near("at(run.table.y, 0.45)", -0.045, 1e-15);
    near("when(run.table.y, -0.045)", 0.45, 1e-15);
    near("when(run.table.y, 0.2, 0.5)", 0.6 + 0.1 * 0.09 / 0.13, 1e-14);
    near("max(between(run.table.y, 0.15, 0.55))", 0.0, 1e-15);
    near("time_of_max(-run.table.y)", 0.0, 0.0);
    near("count(run.table.gone_half_way)", 6.0, 0.0);
    near("last(run.table.gone_half_way)", 0.5, 0.0);
    near("sign_changes(run.table.y + 0.001)", 1.0, 0.0);
    near("largest_step(run.table.y)", 0.19, 1e-15);
    near("max(run.table.y - before(run.table.y))", 0.19, 1e-15);
    near("count(before(run.table.y))", 10.0, 0.0);
    // from -1/4 up to 3/4; an angle with three revolutions
    near("turning(run.table.y)", 1.0, 1e-15);
    near("turning(atan2(sin(20*time(run.table.y)), cos(20*time(run.table.y))))", 20.0, 1e-13);
}

#[test]
fn means_and_slopes_are_those_of_the_parabola() {
    // the mean of t² by trapezoids of width h is 1/3 + h²/6
    near("mean(run.table.y)", 1.0 / 3.0 + 0.01 / 6.0 - 0.25, 1e-14);
    // the straight line through a parabola on an even grid from 0 to 1 has slope 1
    near("slope(run.table.y)", 1.0, 1e-12);
    near("max(run.table.y - time(run.table.y)^2)", -0.25, 1e-15);
}

#[test]
fn events_final_states_and_summaries_are_found() {
    near("event('run', 'slip', 2) - event('run', 'slip', 1)", 0.5, 0.0);
    near("event('run', 'slip', -1)", 0.75, 0.0);
    near("events('run', 'slip', 0, 'floor') + events('run', 'stick')", 1.0, 0.0);
    near("final('run', 3, 'velocity_x')", 3.5, 0.0);
    near("summary('run', 'steps')", 100.0, 0.0);
    let references =
        Formula::parse("last(a.b.c) + event('d', 'slip', 1)*two").unwrap().references();
    assert_eq!(references.runs, ["a", "d"]);
    assert_eq!(references.words, ["two"]);
}

#[test]
fn the_mittag_leffler_function_has_its_closed_forms() {
    // E_{1,1}(x) = eˣ, E_{2,1}(−x²) = cos x, E_{2,2}(−x²) = sin x / x
    near("mittag_leffler(1, 1, -3)", libm::exp(-3.0), 1e-14);
    near("mittag_leffler(2, 1, -36)", libm::cos(6.0), 1e-12);
    near("mittag_leffler(2, 2, -36)", libm::sin(6.0) / 6.0, 1e-12);
}

#[test]
fn runs_of_one_kind_give_a_list_with_mean_and_deviation() {
    // 1, 2, 4: mean 7/3, squares 16/9 + 1/9 + 25/9 = 42/9 over n − 1 = 2
    near("mean_of(each('seed_*', last(run.table.seed)))", 7.0 / 3.0, 1e-15);
    near("deviation_of(each('seed_*', last(run.table.seed)))", libm::sqrt(7.0 / 3.0), 1e-15);
    near("deviation_of(1, 2, 4)", libm::sqrt(7.0 / 3.0), 1e-15);
    near("mean_of(1, each('s*_4', last(run.table.seed)))", 2.5, 0.0);
    near("sum(each('seed_*', last(run.table.seed)) > 1.5)", 2.0, 0.0);
    near("max(2*each('seed_*', last(run.table.seed)))", 8.0, 0.0);
    near("min(each('seed_*', last(run.table.seed)) - each('seed_*', 1))", 0.0, 0.0);
    near("count(each('*', summary('run', 'steps')))", 4.0, 0.0);
    let references = Formula::parse("each('seed_*', last(run.a.b)/last(c.a.b) + two)").unwrap();
    let references = references.references();
    assert_eq!(references.runs, ["c"]);
    assert_eq!(references.patterns, ["seed_*"]);
    assert_eq!(references.words, ["two"]);
    assert!(wrong("mean_of(each('sed_*', 1))").contains("no run has a name like `sed_*`"));
    assert!(wrong("deviation_of(1)").contains("two values"));
    assert!(wrong("each('seed_*', 1)").contains("a list of numbers, not a number"));
    assert!(wrong("mean_of(each(two, 1))").contains("in quotes"));
}

#[test]
fn the_sample_of_a_list_is_its_mean_and_spread() {
    let sample = |text: &str| Formula::parse(text).unwrap().sample(&Parabola);
    let many = sample("each('seed_*', last(run.table.seed))").unwrap();
    assert_eq!((many.mean, many.count), (7.0 / 3.0, 3));
    assert!((many.deviation.unwrap() - libm::sqrt(7.0 / 3.0)).abs() < 1e-15);
    let one = sample("last(seed_2.table.seed)").unwrap();
    assert_eq!((one.mean, one.deviation, one.count), (2.0, None, 1));
    assert!(sample("1/each('seed_*', 0)").unwrap_err().contains("inf"));
}

#[test]
fn a_star_stands_for_any_letters() {
    assert!(matches("nut_*", "nut_1") && matches("*", "nut") && matches("n*t*", "nut"));
    assert!(matches("nut", "nut") && matches("nut*", "nut") && matches("*_1", "a_2_1"));
    assert!(!matches("nut_*", "nut") && !matches("nut", "nuts") && !matches("*_1", "nut_12"));
}

#[test]
fn mistakes_are_named() {
    assert!(wrong("1 + ").contains("ends where a value was expected"));
    assert!(wrong("lst(run.table.y)").contains("did you mean `last`"));
    assert!(wrong("run.table").contains("a column is `run.table.column`"));
    assert!(wrong("run.table.y").contains("this is a column, not a number"));
    assert!(wrong("at(run.table.y, 2)").contains("has no result"));
    assert!(wrong("event('run', 'slip', 3)").contains("there are 2 events `slip`"));
    assert!(wrong("1/0").contains("inf"));
    assert!(Formula::parse(&"(".repeat(10_000)).is_err());
}
