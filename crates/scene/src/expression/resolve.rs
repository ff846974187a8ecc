//! From syntax to functions: names become variables, constants and functions.

use super::syntax::{self, ExpressionError, Grammar, Tree};
use super::{BINARY, CONSTANTS, Node, Operator, UNARY, VARIABLES, Variables};
use crate::text::words;
use std::ops::Range;

type Resolved = Result<Node, ExpressionError>;

/// Reads an expression of these variables.
pub(super) fn resolve(text: &str, variables: Variables) -> Resolved {
    node(&syntax::parse(text, Grammar::Arithmetic)?, variables)
}

fn node(tree: &Tree, variables: Variables) -> Resolved {
    Ok(match tree {
        Tree::Number(value) => Node::Number(*value),
        Tree::Negative(inner) => Node::Negative(Box::new(node(inner, variables)?)),
        Tree::Binary(operator, left, right) => Node::Binary(
            arithmetic(*operator)?,
            Box::new(node(left, variables)?),
            Box::new(node(right, variables)?),
        ),
        Tree::Name(parts, span) => return name(&parts.join("."), span, variables),
        Tree::Call(word, arguments, span) => return call(word, arguments, span, variables),
        Tree::Text(_) => return Err(ExpressionError::new("a text is not a number", 0..0)),
    })
}

fn arithmetic(operator: syntax::Operator) -> Result<Operator, ExpressionError> {
    match operator {
        syntax::Operator::Add => Ok(Operator::Add),
        syntax::Operator::Subtract => Ok(Operator::Subtract),
        syntax::Operator::Multiply => Ok(Operator::Multiply),
        syntax::Operator::Divide => Ok(Operator::Divide),
        syntax::Operator::Power => Ok(Operator::Power),
        _ => Err(ExpressionError::new("a comparison is not a number", 0..0)),
    }
}

fn name(word: &str, span: &Range<usize>, variables: Variables) -> Resolved {
    let variable = VARIABLES.iter().position(|name| *name == word);
    if let Some(index) = variable.filter(|_| variables.words().contains(&word)) {
        return Ok(Node::Variable(index));
    }
    if let Some((_, value)) = CONSTANTS.iter().find(|(name, _)| *name == word) {
        return Ok(Node::Number(*value));
    }
    if wanted(word).is_some() {
        let message = format!("`{word}` needs its argument in parentheses");
        return Err(ExpressionError::new(message, span.clone()));
    }
    Err(unknown(word, span, variables))
}

/// The number of arguments of a function.
fn wanted(word: &str) -> Option<usize> {
    let unary = UNARY.iter().any(|(name, _)| *name == word).then_some(1);
    unary.or_else(|| BINARY.iter().any(|(name, _)| *name == word).then_some(2))
}

fn call(word: &str, arguments: &[Tree], span: &Range<usize>, variables: Variables) -> Resolved {
    let Some(wanted) = wanted(word) else { return Err(unknown(word, span, variables)) };
    let unary = UNARY.iter().find(|(name, _)| *name == word);
    let binary = BINARY.iter().find(|(name, _)| *name == word);
    match (arguments, unary, binary) {
        ([only], Some((_, function)), _) => {
            Ok(Node::Unary(*function, Box::new(node(only, variables)?)))
        }
        ([first, second], None, Some((_, operator))) => Ok(Node::Binary(
            *operator,
            Box::new(node(first, variables)?),
            Box::new(node(second, variables)?),
        )),
        _ => {
            let plural = if wanted == 1 { "" } else { "s" };
            let found = arguments.len();
            let message = format!("`{word}` takes {wanted} argument{plural}, found {found}");
            Err(ExpressionError::new(message, span.clone()))
        }
    }
}

fn unknown(word: &str, span: &Range<usize>, variables: Variables) -> ExpressionError {
    let mut known: Vec<&str> = variables.words().to_vec();
    known.extend(CONSTANTS.iter().map(|(word, _)| *word));
    known.extend(UNARY.iter().map(|(word, _)| *word));
    known.extend(BINARY.iter().map(|(word, _)| *word));
    ExpressionError {
        message: format!("unknown name `{word}` in the expression"),
        span: span.clone(),
        help: Some(words::suggestion(word, &known, "names here")),
    }
}
