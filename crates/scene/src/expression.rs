//! Expressions in a scene file: of time, such as `0.01*sin(2*pi*5*t)`, with exact derivatives, and of position and
//! time, such as `0.2*y*cos(t)`.
//!
//! The syntax ([`syntax`]) is shared with the formulas of cases. It is hand-written, although the crate exmex parses
//! and differentiates expressions: exmex calls the mathematical functions of the system, which differ in the last bit
//! between machines. The functions of `libm` are the same on every machine, and so is a driven wall. Derivatives are
//! propagated as dual numbers.

mod program;
mod resolve;
pub mod syntax;

pub use program::Program;
pub use syntax::ExpressionError;

use resolve::resolve;

/// A value and its derivative with respect to time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dual {
    /// The value.
    pub value: f64,
    /// Its rate.
    pub rate: f64,
}

impl Dual {
    fn constant(value: f64) -> Self {
        Self { value, rate: 0.0 }
    }

    /// `f(self)`, given the value of f and its slope there.
    fn chain(self, value: f64, slope: f64) -> Self {
        // A constant has no rate, even where the slope is infinite (sqrt(0), say).
        Self { value, rate: if self.rate == 0.0 { 0.0 } else { slope * self.rate } }
    }
}

/// A function of one argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Function {
    Sin,
    Cos,
    Tan,
    Tanh,
    Exp,
    Ln,
    Sqrt,
    Abs,
    Step,
}

/// An operator, or a function of two arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Min,
    Max,
    Atan2,
}

#[derive(Debug, Clone, PartialEq)]
enum Node {
    Number(f64),
    /// Index in [`VARIABLES`].
    Variable(usize),
    Negative(Box<Node>),
    Unary(Function, Box<Node>),
    Binary(Operator, Box<Node>, Box<Node>),
}

/// The variables.
const VARIABLES: [&str; 4] = ["x", "y", "z", "t"];

/// The variables that an expression may contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Variables {
    Time,
    PlaceAndTime,
}

impl Variables {
    fn words(self) -> &'static [&'static str] {
        match self {
            Self::Time => &VARIABLES[3..],
            Self::PlaceAndTime => &VARIABLES,
        }
    }
}

impl Node {
    /// The value of a constant expression.
    fn constant(&self) -> Option<f64> {
        match self {
            Self::Number(value) => Some(*value),
            Self::Variable(_) => None,
            Self::Negative(inner) => inner.constant().map(|value| -value),
            Self::Unary(function, inner) => inner.constant().map(|value| function.value(value)),
            Self::Binary(operator, left, right) => {
                Some(operator.value(left.constant()?, right.constant()?))
            }
        }
    }
}

impl Function {
    fn value(self, x: f64) -> f64 {
        match self {
            Self::Sin => libm::sin(x),
            Self::Cos => libm::cos(x),
            Self::Tan => libm::tan(x),
            Self::Tanh => libm::tanh(x),
            Self::Exp => libm::exp(x),
            Self::Ln => libm::log(x),
            Self::Sqrt => libm::sqrt(x),
            Self::Abs => libm::fabs(x),
            Self::Step => {
                if x < 0.0 {
                    0.0
                } else {
                    1.0
                }
            }
        }
    }
}

impl Operator {
    fn value(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Add => a + b,
            Self::Subtract => a - b,
            Self::Multiply => a * b,
            Self::Divide => a / b,
            Self::Power => libm::pow(a, b),
            Self::Min => {
                if b < a {
                    b
                } else {
                    a
                }
            }
            Self::Max => {
                if b > a {
                    b
                } else {
                    a
                }
            }
            Self::Atan2 => libm::atan2(a, b),
        }
    }
}

const UNARY: [(&str, Function); 9] = [
    ("sin", Function::Sin),
    ("cos", Function::Cos),
    ("tan", Function::Tan),
    ("tanh", Function::Tanh),
    ("exp", Function::Exp),
    ("ln", Function::Ln),
    ("sqrt", Function::Sqrt),
    ("abs", Function::Abs),
    ("step", Function::Step),
];

const BINARY: [(&str, Operator); 3] =
    [("min", Operator::Min), ("max", Operator::Max), ("atan2", Operator::Atan2)];

const CONSTANTS: [(&str, f64); 2] = [("pi", std::f64::consts::PI), ("e", std::f64::consts::E)];

/// An expression of the time `t`.
#[derive(Debug, Clone, PartialEq)]
pub struct Expression(Node);

impl Expression {
    /// Reads an expression.
    pub fn parse(text: &str) -> Result<Self, ExpressionError> {
        resolve(text, Variables::Time).map(Self)
    }

    /// The same value at all times.
    pub fn constant(value: f64) -> Self {
        Self(Node::Number(value))
    }

    /// Value and rate at a time [s].
    pub fn at(&self, time: f64) -> Dual {
        evaluate(&self.0, time)
    }
}

fn evaluate(node: &Node, time: f64) -> Dual {
    match node {
        Node::Number(value) => Dual::constant(*value),
        // the only variable of an expression of time
        Node::Variable(_) => Dual { value: time, rate: 1.0 },
        Node::Negative(inner) => {
            let inner = evaluate(inner, time);
            Dual { value: -inner.value, rate: -inner.rate }
        }
        Node::Unary(function, inner) => apply(*function, evaluate(inner, time)),
        Node::Binary(operator, left, right) => {
            combine(*operator, evaluate(left, time), evaluate(right, time))
        }
    }
}

fn apply(function: Function, a: Dual) -> Dual {
    let x = a.value;
    let value = function.value(x);
    let slope = match function {
        Function::Sin => libm::cos(x),
        Function::Cos => -libm::sin(x),
        Function::Tan => 1.0 + value * value,
        Function::Tanh => 1.0 - value * value,
        Function::Exp => value,
        Function::Ln => 1.0 / x,
        Function::Sqrt => 0.5 / value,
        Function::Abs => {
            if x < 0.0 {
                -1.0
            } else {
                1.0
            }
        }
        Function::Step => return Dual::constant(value),
    };
    a.chain(value, slope)
}

fn combine(operator: Operator, a: Dual, b: Dual) -> Dual {
    match operator {
        Operator::Add => Dual { value: a.value + b.value, rate: a.rate + b.rate },
        Operator::Subtract => Dual { value: a.value - b.value, rate: a.rate - b.rate },
        Operator::Multiply => {
            Dual { value: a.value * b.value, rate: a.rate * b.value + a.value * b.rate }
        }
        Operator::Divide => {
            let value = a.value / b.value;
            Dual { value, rate: (a.rate - value * b.rate) / b.value }
        }
        Operator::Power => power(a, b),
        Operator::Min => {
            if b.value < a.value {
                b
            } else {
                a
            }
        }
        Operator::Max => {
            if b.value > a.value {
                b
            } else {
                a
            }
        }
        Operator::Atan2 => {
            let square = a.value * a.value + b.value * b.value;
            Dual {
                value: libm::atan2(a.value, b.value),
                rate: (a.rate * b.value - a.value * b.rate) / square,
            }
        }
    }
}

/// a^b; the logarithm of a negative base is needed only if the exponent varies.
fn power(a: Dual, b: Dual) -> Dual {
    let value = libm::pow(a.value, b.value);
    let by_base = if a.rate == 0.0 || b.value == 0.0 {
        0.0
    } else {
        b.value * libm::pow(a.value, b.value - 1.0) * a.rate
    };
    let by_exponent = if b.rate == 0.0 { 0.0 } else { value * libm::log(a.value) * b.rate };
    Dual { value, rate: by_base + by_exponent }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, time: f64) -> f64 {
        Expression::parse(text).expect("the expression is good").at(time).value
    }

    #[test]
    fn operators_bind_as_in_mathematics() {
        assert_eq!(value("1 + 2*3", 0.0), 7.0);
        assert_eq!(value("-2^2", 0.0), -4.0);
        assert_eq!(value("2^3^2", 0.0), 512.0);
        assert_eq!(value("8/4/2", 0.0), 1.0);
        assert_eq!(value("2^-1", 0.0), 0.5);
        assert_eq!(value("(1+2)*-3", 0.0), -9.0);
        assert_eq!(value("1e-3*t + .5", 2.0), 0.502);
        assert_eq!(value("min(t, 3) + max(t, 3) + step(t-1)", 5.0), 9.0);
    }

    #[test]
    fn the_rate_is_the_derivative() {
        let texts = [
            "0.01*sin(2*pi*5*t)",
            "cos(t)/t",
            "tan(t)",
            "tanh(t^2)",
            "exp(-t)",
            "ln(t)",
            "sqrt(t)",
            "abs(-t)",
            "atan2(t, 2)",
            "t^t",
            "min(t, 5)",
            "max(t, t^2)",
            "e^t",
            "(t-3)^3",
        ];
        for text in texts {
            let expression = Expression::parse(text).expect("good");
            let (time, h) = (0.7, 1e-6);
            let slope = (expression.at(time + h).value - expression.at(time - h).value) / (2.0 * h);
            let rate = expression.at(time).rate;
            // The error of a central difference is h² plus the rounding error of its terms over h.
            assert!((rate - slope).abs() < 1e-8 * (1.0 + slope.abs()), "{text}: {rate} {slope}");
        }
    }

    #[test]
    fn errors_have_their_position() {
        let error = |text: &str| Expression::parse(text).expect_err("the expression is bad");
        assert_eq!(error("1 + sinus(t)").span, 4..9);
        assert!(error("1 + sinus(t)").help.is_some_and(|help| help.contains("`sin`")));
        assert_eq!(error("2 * (t + 1").span, 10..10);
        assert_eq!(error("").message, "the expression ends where a value was expected");
        assert_eq!(error("sin(t, 2)").message, "`sin` takes 1 argument, found 2");
        assert_eq!(error("2 t").span, 2..3);
        assert_eq!(error("sin").message, "`sin` needs its argument in parentheses");
        assert!(Expression::parse(&"(".repeat(100_000)).is_err());
        assert!(Expression::parse(&"-".repeat(100_000)).is_err());
    }
}
