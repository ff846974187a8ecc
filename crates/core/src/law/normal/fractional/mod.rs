//! A spring-pot: a repulsion with power-law memory, between a spring and a dashpot.
//!
//! `F = c D^α δ`, `c = C^α K^{1-α}`, with Caputo's derivative from the beginning of the contact, `D^α δ = 1/Γ(1-α) ∫
//! δ'(τ) (t-τ)^{-α} dτ`; L(3), whose upper limit is printed as the end of the contact and must be the current time
//! (docs/errata.md L-E2). α = 0 is a spring K, α = 1 a dashpot C. A parallel spring k_∞ can be added, since the
//! spring-pot alone creeps under load without bound.
//!
//! The last two intervals of the motion are integrated with the exact kernel; the older history is a sum of
//! exponentials, each with one number per contact, or, for comparison, a list of intervals. A contact that begins
//! within a step starts with an interval of length δ/δ'; one that begins with an overlap starts with a ramp of the
//! length of a step.
//!
//! Valid for contacts no longer than the horizon. Checked by the free impact in Mittag-Leffler
//! functions, creep under a constant load, both limits and long direct sums (`tests/fractional`).

mod convolution;
mod exponentials;
mod interval;
mod law;
mod mittag_leffler;

use super::Area;
use crate::error::Problem;
use crate::law::{ContactModel, Law, Model, PairContext, TensileCutoff};
use convolution::Convolution;
use exponentials::{Exponentials, MOST};
use law::SpringPot;
use mittag_leffler::{End, order_of};

/// A spring-pot with `normal_stiffness` K [N/m], `normal_viscosity` C [N s/m] and optionally
/// `parallel_stiffness` k_∞ [N/m] of the pair. The pair may also have its own order, by
/// `fractional_order` or `restitution`, which take precedence over the options below.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::contact_after;
/// use esker::law::normal::{Interpolation, MemoryKind};
/// use esker::prelude::*;
///
/// let law = Fractional {
///     order: Some(0.1),
///     memory: MemoryKind::Direct,
///     interpolation: Interpolation::Linear,
///     intervals: Some(200),
///     ..Fractional::default()
/// };
/// let pair = Pair::new().normal_stiffness(1e4).normal_viscosity(0.5);
/// let contact = contact_after(1e-5, ContactModel::normal(law), pair, [Vec3::X * -0.1, Vec3::ZERO]);
/// assert!(contact.elastic > 0.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Fractional {
    /// Order α of the derivative, from 0 (a spring) to 1 (a dashpot), for pairs without an order.
    pub order: Option<f64>,
    /// Restitution of a free impact, which determines the order, for pairs without an order.
    pub restitution: Option<f64>,
    /// Representation of the deformation history of a contact.
    pub memory: MemoryKind,
    /// Interpolation of the speed within a step.
    pub interpolation: Interpolation,
    /// Relative error of the kernel approximated by a sum of exponentials, default 1e-6.
    pub accuracy: Option<f64>,
    /// Longest memory of a contact [s]; default: the length of the run, if all stages have an end
    /// time.
    pub horizon: Option<f64>,
    /// Shortest time step for which the exponentials are fitted [s]; default: the time step if
    /// given, else 10⁻⁷ of the horizon.
    pub shortest_step: Option<f64>,
    /// Number of intervals that a direct sum stores, default 1000; if there are more, the two
    /// oldest are merged.
    pub intervals: Option<u32>,
    /// The contact area used by other laws.
    pub area: Area,
    /// Treatment of tensile forces at the end of a contact.
    pub tension: TensileCutoff,
}

/// Representation of the deformation history of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum MemoryKind {
    /// A sum of exponentials: some thirty numbers, independent of the duration of the contact.
    #[default]
    Exponentials,
    /// A list of all intervals: exact, and expensive.
    Direct,
}

/// Interpolation of the speed within a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Interpolation {
    /// From the cubic through overlaps and speeds at both ends.
    #[default]
    Cubic,
    /// Constant, the change of the overlap divided by the step: the L1 scheme.
    Linear,
}

/// Orders within this distance of 0 or 1 are a spring or a dashpot, since the kernel is singular there.
const LIMIT: f64 = 1e-9;

/// Default number of intervals of a direct sum.
const INTERVALS: u32 = 1000;

/// Default relative error of the kernel.
const ACCURACY: f64 = 1e-6;

/// Default shortest step as a fraction of the horizon, if the time step is not given.
const SHORTEST: f64 = 1e-7;

/// Overlap under load at the end of a run, as a multiple of that of the spring, above which there is a warning.
const MUCH_CREEP: f64 = 10.0;

/// Parameters of a pair: `normal_stiffness`, `normal_viscosity`.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/grains.rs")); }
/// # use doc::{contact_after, OVERLAP};
/// use esker::prelude::*;
///
/// // of order 0 it is a spring
/// let spring = Fractional { order: Some(0.0), ..Fractional::default() };
/// let pair = Pair::new().normal_stiffness(2e4);
/// let contact = contact_after(1e-5, ContactModel::normal(spring), pair, [Vec3::ZERO; 2]);
/// assert!(contact.overlap < OVERLAP && contact.elastic > 0.0);
/// ```
impl Model for Fractional {
    fn name(&self) -> &'static str {
        "fractional"
    }

    fn for_pair(&self, context: &mut PairContext<'_>) -> Option<Box<dyn Law>> {
        let order = self.order(context);
        let positive = f64::MIN_POSITIVE..=f64::MAX;
        // in the limits one of the two has no effect and may be omitted
        let [stiffness, viscosity] = if order < LIMIT {
            let stiffness = context.require("normal_stiffness", positive.clone());
            [stiffness, context.optional("normal_viscosity", positive).or(stiffness)]
        } else if 1.0 - order < LIMIT {
            let viscosity = context.require("normal_viscosity", positive.clone());
            [context.optional("normal_stiffness", positive).or(viscosity), viscosity]
        } else {
            ["normal_stiffness", "normal_viscosity"]
                .map(|name| context.require(name, positive.clone()))
        };
        let parallel = context.optional("parallel_stiffness", 0.0..=f64::MAX).unwrap_or(0.0);
        let (stiffness, viscosity) = (stiffness?, viscosity?);
        self.remark_on_creep(context, order, viscosity / stiffness, parallel);
        let convolution = self.convolution(context, order);
        Some(Box::new(SpringPot::new(self, order, [stiffness, viscosity, parallel], convolution)))
    }

    fn conflict(&self, contact: &ContactModel) -> Option<Problem> {
        contact.damping.as_ref()?;
        let message = "the normal law `fractional` is dissipative and takes no damping law";
        Some(
            Problem::at("contact.damping", message)
                .help("remove `damping`, or choose another normal law"),
        )
    }
}

/// Help if the order is given twice.
const ONE_OF_THEM: &str =
    "give one of them: the restitution of a free impact follows from the order";

/// Path of the options of this law in a scene.
const LAW_PATH: &str = "contact.normal";

/// Path of an option.
fn option_path(option: &str) -> String {
    format!("{LAW_PATH}.fractional.{option}")
}

impl Fractional {
    /// The order of the pair, or that of the law for pairs without an order: given directly or by the restitution.
    fn order(&self, context: &mut PairContext<'_>) -> f64 {
        let end = if self.tension == TensileCutoff::Keep { End::Overlap } else { End::Force };
        let of_pair = [
            context.optional("fractional_order", 0.0..=1.0),
            context.optional("restitution", f64::MIN_POSITIVE..=1.0),
        ];
        match of_pair {
            [Some(_), Some(_)] => {
                let message = "both `fractional_order` and `restitution` are given";
                context.problem(message, Some(ONE_OF_THEM.to_owned()));
            }
            [Some(order), None] => return order.clamp(0.0, 1.0),
            [None, Some(restitution)] => return order_of(restitution.clamp(1e-9, 1.0), end),
            [None, None] => return self.common_order(context, end),
        }
        0.5
    }

    /// The order of pairs without their own order.
    fn common_order(&self, context: &mut PairContext<'_>, end: End) -> f64 {
        match (self.order, self.restitution) {
            (Some(order), None) if (0.0..=1.0).contains(&order) => return order,
            (Some(order), None) => context.problem_at(
                &option_path("order"),
                format!("`order` is {order}"),
                "the law `fractional` takes orders from 0, a spring, to 1, a dashpot",
            ),
            (None, Some(restitution)) if restitution > 0.0 && restitution <= 1.0 => {
                return order_of(restitution, end);
            }
            (None, Some(restitution)) => context.problem_at(
                &option_path("restitution"),
                format!("`restitution` is {restitution}"),
                "it must be above 0 and at most 1",
            ),
            (Some(_), Some(_)) => context.problem_at(
                LAW_PATH,
                "both `order` and `restitution` are given",
                ONE_OF_THEM,
            ),
            (None, None) => context.problem_at(
                LAW_PATH,
                "the law `fractional` needs an `order` or a `restitution`",
                "write normal = { fractional = { order = 0.1 } }, or give every pair a \
                 `fractional_order`",
            ),
        }
        0.5
    }

    /// Representation of the history; reports options that do not apply to it.
    fn convolution(&self, context: &mut PairContext<'_>, order: f64) -> Convolution {
        let foreign: &[(&str, bool)] = match self.memory {
            MemoryKind::Exponentials => &[("intervals", self.intervals.is_some())],
            MemoryKind::Direct => &[
                ("accuracy", self.accuracy.is_some()),
                ("horizon", self.horizon.is_some()),
                ("shortest_step", self.shortest_step.is_some()),
            ],
        };
        for (name, _) in foreign.iter().filter(|(_, is_given)| *is_given) {
            let message = format!("`{name}` is not an option of this kind of `memory`");
            let help = "`accuracy`, `horizon` and `shortest_step` are for \"exponentials\", \
                        `intervals` for \"direct\"";
            context.problem_at(&option_path(name), message, help);
        }
        if !(LIMIT..1.0 - LIMIT).contains(&order) {
            return Convolution::NoHistory;
        }
        match self.memory {
            MemoryKind::Exponentials => self.exponentials(context, order),
            MemoryKind::Direct => {
                let intervals = self.intervals.unwrap_or(INTERVALS);
                if !(2..=100_000).contains(&intervals) {
                    let message = format!("`intervals` is {intervals}");
                    context.problem_at(
                        &option_path("intervals"),
                        message,
                        "it must be from 2 to 100000",
                    );
                }
                Convolution::Direct(intervals.clamp(2, 100_000) as usize)
            }
        }
    }

    fn exponentials(&self, context: &mut PairContext<'_>, order: f64) -> Convolution {
        let mut wrong = |name: &str, value: f64, help: &str| {
            context.problem_at(&option_path(name), format!("`{name}` is {value}"), help);
        };
        let accuracy = self.accuracy.unwrap_or(ACCURACY);
        if !(1e-10..=0.1).contains(&accuracy) {
            wrong("accuracy", accuracy, "it must be from 1e-10 to 0.1");
            return Convolution::NoHistory;
        }
        for (name, value) in [("horizon", self.horizon), ("shortest_step", self.shortest_step)] {
            if let Some(value) = value.filter(|value| !(*value > 0.0 && value.is_finite())) {
                wrong(name, value, "it must be a positive time in seconds");
                return Convolution::NoHistory;
            }
        }
        let Some(horizon) = self.horizon.or(context.duration) else {
            let message = "the law `fractional` needs a `horizon`, the longest memory of a contact";
            let direct = context.choice("memory", "Direct");
            let help =
                format!("give it in seconds, or give every stage an end time, or choose {direct}");
            context.problem_at(LAW_PATH, message, &help);
            return Convolution::NoHistory;
        };
        let shortest = self.shortest_step.or(context.step).unwrap_or(SHORTEST * horizon);
        let shortest = shortest.min(0.5 * horizon);
        let sum = Exponentials::new(order, shortest, horizon, accuracy);
        if sum.rates.len() > MOST {
            let message = format!(
                "{} exponentials are needed from {shortest:e} s to {horizon:e} s",
                sum.rates.len()
            );
            let help = "the maximum is 64: shorten the `horizon`, or lengthen the `shortest_step`";
            context.problem_at(LAW_PATH, message, help);
            return Convolution::NoHistory;
        }
        Convolution::exponentials(
            sum,
            order,
            [shortest, horizon, accuracy],
            context.step.unwrap_or(0.0),
        )
    }

    /// Under a constant load f the overlap creeps as `(f/c) t^α/Γ(1+α)`.
    fn remark_on_creep(
        &self,
        context: &mut PairContext<'_>,
        order: f64,
        relaxation_time: f64,
        parallel: f64,
    ) {
        let Some(duration) = context.duration.filter(|_| parallel == 0.0) else { return };
        let factor = libm::pow(duration / relaxation_time, order) / libm::tgamma(1.0 + order);
        let text = format!(
            "under a constant load the overlap creeps to {factor:.3} times that of the spring in \
             {duration} s"
        );
        if factor > MUCH_CREEP && order > LIMIT {
            context.warn(&format!("{text}; `parallel_stiffness` ends the creep"));
        } else {
            context.remark(&text);
        }
    }
}
