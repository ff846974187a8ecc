//! The points of a sweep and its runs.

use super::vary::{Parameter, Wrong};
use super::{grid, latin, morris, saltelli};
use esker_draw::rounded;
use std::collections::BTreeMap;
use std::fmt;

/// Sampling and ranking method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Every combination of values.
    Grid,
    /// Sobol' indices.
    Sobol,
    /// Elementary effects.
    Morris,
    /// A Latin hypercube.
    Latin,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Grid => "grid",
            Self::Sobol => "sobol",
            Self::Morris => "morris",
            Self::Latin => "latin",
        })
    }
}

/// Largest number of runs; more are considered a mistake.
pub(super) const MOST_RUNS: usize = 1_000_000;

/// The definition of a sweep.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The varied parameters.
    pub parameters: Vec<Parameter>,
    /// The sampling method.
    pub method: Method,
    /// Rows of A and B, trajectories or points; unused for a grid.
    pub samples: usize,
    /// Number of runs of each point, with consecutive seeds.
    pub seeds: usize,
    /// Seed of the sampling.
    pub seed: u64,
    /// The points: a fraction of a range, or the index of a value, for each parameter.
    pub points: Vec<Vec<f64>>,
}

/// A run of a sweep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedRun {
    /// Its name, derived from its changes: runs of the same name are identical.
    pub name: String,
    /// Index of its point.
    pub point: usize,
    /// Values of the parameters.
    pub settings: Vec<String>,
    /// Its seed, if seeds vary.
    pub seed: Option<u64>,
    /// Overrides of the scene, `KEY=VALUE`.
    pub changes: Vec<String>,
}

impl Plan {
    /// Samples the points. `method` and `samples` are those given by the user.
    pub fn new(
        parameters: Vec<Parameter>,
        method: Option<Method>,
        samples: Option<usize>,
        seeds: usize,
        seed: u64,
    ) -> Result<Self, Wrong> {
        check_keys(&parameters, seeds)?;
        let method = chosen_method(&parameters, method)?;
        let count = parameters.len();
        let each = match method {
            Method::Grid => 1,
            Method::Sobol => count + 2,
            Method::Morris => count + 1,
            Method::Latin => 1,
        };
        let levels: Vec<usize> = parameters.iter().filter_map(Parameter::levels).collect();
        let samples = match (method, samples) {
            (Method::Grid, None) => levels.iter().copied().fold(1, usize::saturating_mul),
            (Method::Grid, Some(_)) => {
                let help = "`--samples` is for --method sobol, morris and latin";
                return Err(Wrong::new("a grid has no samples: its values are listed", help));
            }
            (_, Some(samples)) if samples > 0 => samples,
            _ => {
                let help = format!(
                    "`--samples N` makes N rows of {count} + 2 runs (sobol), N trajectories of \
                     {count} + 1 runs (morris) or N runs (latin)"
                );
                return Err(Wrong::new("the number of samples is missing", help));
            }
        };
        let runs = samples.saturating_mul(each).saturating_mul(seeds);
        if runs > MOST_RUNS {
            let message = format!("that would be more than {MOST_RUNS} runs");
            return Err(Wrong::new(message, "fewer values, samples or seeds"));
        }
        let points = match method {
            Method::Grid => grid::points(&levels),
            Method::Sobol => saltelli::points(samples, count, seed),
            Method::Morris => morris::points(samples, count, seed),
            Method::Latin => latin::points(samples, count, seed),
        };
        Ok(Self { parameters, method, samples, seeds, seed, points })
    }

    /// The runs in order of their points, those of a point one after another. `common` overrides the scene first; seeds
    /// start at that of the scene.
    pub fn runs(&self, common: &[String], first_seed: u64) -> Vec<PlannedRun> {
        let mut runs = Vec::with_capacity(self.points.len() * self.seeds);
        for (point, coordinates) in self.points.iter().enumerate() {
            let settings: Vec<String> = self
                .parameters
                .iter()
                .zip(coordinates)
                .map(|(parameter, coordinate)| parameter.text(*coordinate))
                .collect();
            let varied: Vec<String> = self
                .parameters
                .iter()
                .zip(coordinates)
                .flat_map(|(parameter, coordinate)| parameter.changes(*coordinate))
                .collect();
            for repeat in 0..self.seeds as u64 {
                let seed = (self.seeds > 1).then(|| first_seed.saturating_add(repeat));
                let mut changes: Vec<String> = common.iter().chain(&varied).cloned().collect();
                changes.extend(seed.map(|seed| format!("seed={seed}")));
                let name = self.name(&settings, seed, &changes);
                runs.push(PlannedRun { name, point, settings: settings.clone(), seed, changes });
            }
        }
        runs
    }

    /// The name of a run: its varied values, and a hash of all its changes, so that a longer sweep reuses the runs of a
    /// shorter one and runs of the same name are identical.
    fn name(&self, settings: &[String], seed: Option<u64>, changes: &[String]) -> String {
        let keys = self.parameters.iter().map(|parameter| last_key(&parameter.key));
        let mut parts: Vec<String> =
            keys.zip(settings).map(|(key, value)| format!("{key}={}", short(value))).collect();
        parts.extend(seed.map(|seed| format!("seed={seed}")));
        let mut name: String = parts.join("_").chars().map(plain).collect();
        name.truncate(LONGEST_NAME);
        format!("{name}-{:08x}", hash(changes))
    }

    /// Remarks on the sampling.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        if self.method == Method::Sobol && !self.samples.is_power_of_two() {
            let [below, above] =
                [self.samples.next_power_of_two() / 2, self.samples.next_power_of_two()];
            remarks.push(format!(
                "{} rows: a Sobol' sequence is most uniform with a power of two, {below} or \
                 {above}",
                self.samples
            ));
        }
        remarks
    }
}

/// For each run, the first with the same name: points of a path or a grid may coincide.
pub fn firsts(runs: &[PlannedRun]) -> Vec<usize> {
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    let first = |(index, run)| *known.entry(PlannedRun::name(run)).or_insert(index);
    runs.iter().enumerate().map(first).collect()
}

impl PlannedRun {
    fn name(&self) -> &str {
        &self.name
    }
}

/// Number of characters of a name before its hash: folder names have at most 255 bytes.
const LONGEST_NAME: usize = 120;

/// The last part of a key: `contact.pairs[*].friction` is `friction`.
fn last_key(key: &str) -> &str {
    key.rsplit('.').next().unwrap_or(key)
}

/// A value in a name: a number with four digits, or a word.
fn short(value: &str) -> String {
    match value.parse::<f64>() {
        Ok(number) if value.len() > 6 => rounded(number, 4),
        _ => value.to_owned(),
    }
}

/// Replaces characters that file systems or tables without quotes do not accept.
fn plain(letter: char) -> char {
    match letter {
        '−' => '-',
        '=' | '.' | '+' | '-' => letter,
        _ if letter.is_ascii_alphanumeric() => letter,
        _ => '_',
    }
}

/// A hash of all changes of a run: that of Fowler, Noll and Vo (FNV-1a), folded to 32 bits.
fn hash(changes: &[String]) -> u32 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in changes.iter().flat_map(|change| change.bytes().chain([b'\n'])) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    (hash ^ (hash >> 32)) as u32
}

fn check_keys(parameters: &[Parameter], seeds: usize) -> Result<(), Wrong> {
    if parameters.is_empty() {
        let help = "for example `--vary contact.pairs[0].friction=0.2,0.4,0.6`";
        return Err(Wrong::new("nothing varies", help));
    }
    for (index, parameter) in parameters.iter().enumerate() {
        if parameters[..index].iter().any(|other| other.key == parameter.key) {
            let message = format!("`{}` is varied twice", parameter.key);
            return Err(Wrong::new(message, "one `--vary` for each key"));
        }
    }
    if seeds == 0 {
        return Err(Wrong::new("`--seeds 0` makes no runs", "`--seeds 3` repeats each point"));
    }
    if seeds > 1 && parameters.iter().any(|parameter| parameter.key == "seed") {
        let help = "leave out one of them";
        return Err(Wrong::new("`--seeds` and `--vary seed=…` are both given", help));
    }
    Ok(())
}

fn chosen_method(parameters: &[Parameter], given: Option<Method>) -> Result<Method, Wrong> {
    let lists = parameters.iter().find(|parameter| parameter.levels().is_some());
    let ranges = parameters.iter().find(|parameter| parameter.levels().is_none());
    match (given, lists, ranges) {
        (None | Some(Method::Grid), _, None) => Ok(Method::Grid),
        (Some(Method::Grid), _, Some(range)) => Err(Wrong::new(
            format!("`{}` is a range, and a grid needs values", range.key),
            "a list a,b,c, or `lo..hi in N`",
        )),
        (None, _, Some(range)) => Err(Wrong::new(
            format!("`{}` is a range and needs a sampling method", range.key),
            "`--method sobol`, `morris` or `latin` with `--samples N`; or `lo..hi in N` for a grid",
        )),
        (Some(method), None, _) => {
            if method == Method::Sobol && parameters.len() > saltelli::MOST_PARAMETERS {
                let most = saltelli::MOST_PARAMETERS;
                let message = format!("{} parameters are more than {most}", parameters.len());
                return Err(Wrong::new(
                    message,
                    "select the important ones by `--method morris` first",
                ));
            }
            Ok(method)
        }
        (Some(method), Some(list), _) => Err(Wrong::new(
            format!("`{}` is a list of values, and --method {method} needs a range", list.key),
            "`lo..hi`, or `lo..hi whole` for whole numbers",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(texts: &[&str]) -> Vec<Parameter> {
        texts.iter().map(|text| Parameter::parse(text).expect("it is good")).collect()
    }

    fn plan(texts: &[&str], method: Option<Method>, samples: Option<usize>) -> Result<Plan, Wrong> {
        Plan::new(parameters(texts), method, samples, 1, 1)
    }

    #[test]
    fn every_method_makes_as_many_runs_as_it_says() {
        let ranges = ["a=0..1", "b=0..1", "c=0..1"];
        for (method, runs) in [(Method::Sobol, 40), (Method::Morris, 32), (Method::Latin, 8)] {
            let plan = plan(&ranges, Some(method), Some(8)).expect("good");
            assert_eq!(plan.runs(&[], 1).len(), runs, "{method}");
        }
        let grid = plan(&["a=1,2,3", "b=x,y"], None, None).expect("good");
        assert_eq!(grid.runs(&[], 1).len(), 6);
    }

    #[test]
    fn a_longer_sweep_holds_the_runs_of_a_shorter_one() {
        for method in [Method::Sobol, Method::Morris] {
            let names = |samples| -> Vec<String> {
                let plan = plan(&["a=0..1", "b=0..1"], Some(method), Some(samples)).expect("good");
                plan.runs(&[], 1).into_iter().map(|run| run.name).collect()
            };
            let (short, long) = (names(8), names(16));
            assert_eq!(short, long[..short.len()], "{method}");
        }
    }

    #[test]
    fn runs_are_named_by_what_they_vary() {
        let texts = ["contact.pairs[*].friction=0.2,0.123456789", "time.integrator=a b,c"];
        let plan = Plan::new(parameters(&texts), None, None, 2, 1).expect("good");
        let names: Vec<String> = plan.runs(&[], 7).into_iter().map(|run| run.name).collect();
        for (name, start) in names.iter().zip([
            "friction=0.2_integrator=a_b_seed=7-",
            "friction=0.2_integrator=a_b_seed=8-",
            "friction=0.2_integrator=c_seed=7-",
        ]) {
            assert!(name.starts_with(start), "{name}");
        }
        assert!(names[4].starts_with("friction=0.1235_"), "{}", names[4]);
        let different: std::collections::BTreeSet<&String> = names.iter().collect();
        assert_eq!(different.len(), 8);
        // common overrides distinguish the runs from those of another sweep
        let other = plan.runs(&["a=1".to_owned()], 7);
        assert!(other[0].name != names[0] && other[0].name.starts_with("friction=0.2_"));
    }

    #[test]
    fn seeds_repeat_each_point() {
        let plan = Plan::new(parameters(&["a=1,2"]), None, None, 3, 1).expect("good");
        let runs = plan.runs(&["b=5".to_owned()], 40);
        assert_eq!(runs.len(), 6);
        assert_eq!(runs[4].changes, ["b=5", "a=2", "seed=41"]);
        assert_eq!((runs[4].point, runs[4].seed), (1, Some(41)));
    }

    #[test]
    fn coinciding_points_are_one_run() {
        let plan = plan(&["a=0..2 whole"], Some(Method::Latin), Some(20)).expect("good");
        let firsts = firsts(&plan.runs(&[], 1));
        let different: std::collections::BTreeSet<usize> = firsts.iter().copied().collect();
        assert_eq!((firsts.len(), different.len()), (20, 3));
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        let message = |texts: &[&str], method, samples| {
            plan(texts, method, samples).expect_err("it is wrong").message
        };
        assert_eq!(message(&[], None, None), "nothing varies");
        assert_eq!(message(&["a=1,2", "a=3,4"], None, None), "`a` is varied twice");
        assert!(message(&["a=0..1"], None, None).contains("needs a sampling method"));
        assert!(message(&["a=0..1"], Some(Method::Sobol), None).contains("samples is missing"));
        assert!(message(&["a=0..1"], Some(Method::Sobol), Some(0)).contains("samples is missing"));
        assert!(message(&["a=0..1"], Some(Method::Grid), None).contains("a grid needs values"));
        assert!(message(&["a=1,2"], Some(Method::Latin), Some(4)).contains("needs a range"));
        assert!(message(&["a=1,2"], None, Some(4)).contains("a grid has no samples"));
        assert!(message(&["a=0..1"], Some(Method::Latin), Some(1 << 40)).contains("more than"));
        let seeds = |seeds| Plan::new(parameters(&["seed=1,2"]), None, None, seeds, 1);
        assert!(seeds(2).expect_err("both").message.contains("both given"));
        assert!(seeds(1).is_ok());
    }
}
