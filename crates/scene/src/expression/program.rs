//! Expressions of position and time as a flat list of operations, for expressions that are evaluated for every particle
//! in every step: no recursion, no allocation, values without derivatives.

use super::{ExpressionError, Function, Node, Operator, Variables, resolve};
use std::ops::Range;

/// Depth of the evaluation stack; expressions written by hand need less.
const STACK: usize = 32;

/// An expression of the position `x`, `y`, `z` [m] and the time `t` [s].
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    operations: Vec<Operation>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Operation {
    Number(f64),
    /// Index in `x, y, z, t`.
    Variable(usize),
    Negative,
    /// Square: `^2`.
    Square,
    Unary(Function),
    Binary(Operator),
}

impl Program {
    /// Reads an expression of `x`, `y`, `z` and `t`.
    pub fn parse(text: &str) -> Result<Self, ExpressionError> {
        let node = resolve(text, Variables::PlaceAndTime)?;
        let mut operations = Vec::new();
        push(&node, &mut operations);
        let program = Self { operations };
        if program.deepest() > STACK {
            let span: Range<usize> = 0..text.len();
            let message = "the expression is nested too deeply".to_owned();
            return Err(ExpressionError { message, span, help: None });
        }
        Ok(program)
    }

    /// A constant.
    pub fn constant(value: f64) -> Self {
        Self { operations: vec![Operation::Number(value)] }
    }

    /// The value at a position and time.
    pub fn at(&self, [x, y, z]: [f64; 3], time: f64) -> f64 {
        let variables = [x, y, z, time];
        let mut stack = [0.0; STACK];
        let mut top = 0;
        for operation in &self.operations {
            match *operation {
                Operation::Number(value) => {
                    stack[top] = value;
                    top += 1;
                }
                Operation::Variable(index) => {
                    stack[top] = variables[index];
                    top += 1;
                }
                Operation::Negative => stack[top - 1] = -stack[top - 1],
                Operation::Square => stack[top - 1] *= stack[top - 1],
                Operation::Unary(function) => stack[top - 1] = function.value(stack[top - 1]),
                Operation::Binary(operator) => {
                    top -= 1;
                    stack[top - 1] = operator.value(stack[top - 1], stack[top]);
                }
            }
        }
        stack[0]
    }

    /// Largest number of values on the stack.
    fn deepest(&self) -> usize {
        let (mut top, mut deepest) = (0, 0);
        for operation in &self.operations {
            match operation {
                Operation::Number(_) | Operation::Variable(_) => top += 1,
                Operation::Binary(_) => top -= 1,
                _ => {}
            }
            deepest = deepest.max(top);
        }
        deepest
    }
}

/// Operands first, then the operation; constant subexpressions are evaluated once.
fn push(node: &Node, operations: &mut Vec<Operation>) {
    if let Some(value) = node.constant() {
        return operations.push(Operation::Number(value));
    }
    match node {
        Node::Number(value) => operations.push(Operation::Number(*value)),
        Node::Variable(index) => operations.push(Operation::Variable(*index)),
        Node::Negative(inner) => {
            push(inner, operations);
            operations.push(Operation::Negative);
        }
        Node::Unary(function, inner) => {
            push(inner, operations);
            operations.push(Operation::Unary(*function));
        }
        Node::Binary(Operator::Power, base, exponent) if exponent.constant() == Some(2.0) => {
            push(base, operations);
            operations.push(Operation::Square);
        }
        Node::Binary(operator, left, right) => {
            push(left, operations);
            push(right, operations);
            operations.push(Operation::Binary(*operator));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, position: [f64; 3], time: f64) -> f64 {
        Program::parse(text).expect("the expression is good").at(position, time)
    }

    #[test]
    fn an_expression_of_position_and_time_has_its_value() {
        assert_eq!(value("2*x - y^2 + z*t", [1.0, 3.0, 5.0], 7.0), 28.0);
        assert_eq!(value("max(x, -y) - (2 + 3)*(4 - 1)", [1.0, -8.0, 0.0], 0.0), -7.0);
        assert_eq!(value("1.5*(1 - (x^2 + y^2)/4)", [1.0, 1.0, 9.0], 0.0), 0.75);
        let position = [0.3, -0.2, 0.9];
        let expected = libm::sin(2.0 * std::f64::consts::PI * 0.4) * libm::exp(-0.3 / 2.0);
        assert_eq!(value("sin(2*pi*t)*exp(-x/2)", position, 0.4), expected);
        assert_eq!(Program::constant(4.0).at(position, 1.0), 4.0);
    }

    #[test]
    fn what_does_not_vary_is_worked_out_once() {
        let program = Program::parse("sin(pi/6)*2 + x").expect("good");
        assert_eq!(program.operations.len(), 3, "a number, a variable, a sum");
    }

    #[test]
    fn names_of_coordinates_are_unknown_in_expressions_of_time_alone() {
        assert!(super::super::Expression::parse("x + t").is_err());
        let error = Program::parse("w + t").expect_err("no such variable");
        assert!(error.help.is_some_and(|help| help.contains("z")));
    }

    #[test]
    fn what_is_nested_too_deeply_is_refused() {
        let text = format!("{}x{}", "(x+".repeat(60), ")".repeat(60));
        assert!(Program::parse(&text).is_err());
        // evaluated from left to right without intermediate values on the stack
        assert!(Program::parse(&vec!["x"; 300].join("+")).is_ok());
    }
}
