//! Recursive descent: sum, product, sign, power, value.

use super::{
    BINARY, CONSTANTS, ExpressionError, Node, Operator, UNARY, VARIABLES, Variables, unknown_word,
};
use std::ops::Range;

/// How deep parentheses may be nested: far more than anyone writes, far less than the stack.
const DEEPEST: usize = 200;

/// Longest text of an expression: a tree of that many nodes is walked within any stack.
const LONGEST: usize = 2000;

/// Reads an expression of these variables.
pub(super) fn read(text: &str, variables: Variables) -> Parsed {
    if text.len() > LONGEST {
        let message = format!("the expression is longer than {LONGEST} bytes");
        return Err(error(message, 0..text.len()));
    }
    Parser { text, variables, position: 0, depth: 0 }.whole()
}

struct Parser<'a> {
    text: &'a str,
    variables: Variables,
    position: usize,
    depth: usize,
}

type Parsed = Result<Node, ExpressionError>;

fn error(message: impl Into<String>, span: Range<usize>) -> ExpressionError {
    ExpressionError { message: message.into(), span, help: None }
}

impl Parser<'_> {
    /// The whole text as one expression.
    fn whole(mut self) -> Parsed {
        let node = self.sum()?;
        match self.peek() {
            None => Ok(node),
            Some(found) => Err(self.unexpected(found, "an operator")),
        }
    }

    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.position..];
        self.position += rest.len() - rest.trim_start().len();
        self.text[self.position..].chars().next()
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.position += wanted.len_utf8();
        }
        found
    }

    fn unexpected(&self, found: char, wanted: &str) -> ExpressionError {
        let span = self.position..self.position + found.len_utf8();
        error(format!("found `{found}` where {wanted} should be"), span)
    }

    fn sum(&mut self) -> Parsed {
        let mut left = self.product()?;
        loop {
            let operator = match self.peek() {
                Some('+') => Operator::Add,
                Some('-') => Operator::Subtract,
                _ => return Ok(left),
            };
            self.position += 1;
            left = Node::Binary(operator, Box::new(left), Box::new(self.product()?));
        }
    }

    fn product(&mut self) -> Parsed {
        let mut left = self.signed()?;
        loop {
            let operator = match self.peek() {
                Some('*') => Operator::Multiply,
                Some('/') => Operator::Divide,
                _ => return Ok(left),
            };
            self.position += 1;
            left = Node::Binary(operator, Box::new(left), Box::new(self.signed()?));
        }
    }

    /// A minus binds less than a power: -2^2 is -4. Every way down passes here, so the depth is
    /// counted here.
    fn signed(&mut self) -> Parsed {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(error("the expression is nested too deeply", self.position..self.position));
        }
        let node = if self.take('-') {
            Node::Negative(Box::new(self.signed()?))
        } else if self.take('+') {
            self.signed()?
        } else {
            self.power()?
        };
        self.depth -= 1;
        Ok(node)
    }

    fn power(&mut self) -> Parsed {
        let base = self.atom()?;
        if self.take('^') {
            let exponent = self.signed()?;
            return Ok(Node::Binary(Operator::Power, Box::new(base), Box::new(exponent)));
        }
        Ok(base)
    }

    fn atom(&mut self) -> Parsed {
        match self.peek() {
            None => {
                let end = self.text.len();
                Err(error("the expression ends where a value should be", end..end))
            }
            Some('(') => {
                self.position += 1;
                let node = self.sum()?;
                self.close()?;
                Ok(node)
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() => self.word(),
            Some(c) => Err(self.unexpected(c, "a value")),
        }
    }

    fn close(&mut self) -> Result<(), ExpressionError> {
        if self.take(')') {
            return Ok(());
        }
        let end = self.position;
        match self.peek() {
            Some(found) => Err(self.unexpected(found, "`)`")),
            None => Err(error("a parenthesis is not closed", end..end)),
        }
    }

    fn number(&mut self) -> Parsed {
        let rest = &self.text.as_bytes()[self.position..];
        let digits = |from: usize| rest[from..].iter().take_while(|b| b.is_ascii_digit()).count();
        let mut length = digits(0);
        if rest.get(length) == Some(&b'.') {
            length += 1 + digits(length + 1);
        }
        if matches!(rest.get(length), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(rest.get(length + 1), Some(b'+' | b'-')));
            let exponent = digits((length + 1 + sign).min(rest.len()));
            // Without digits the `e` is not an exponent but a word where an operator should be.
            if exponent > 0 {
                length += 1 + sign + exponent;
            }
        }
        let span = self.position..self.position + length;
        self.position = span.end;
        match self.text[span.clone()].parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Node::Number(number)),
            _ => Err(error("this is not a number", span)),
        }
    }

    fn word(&mut self) -> Parsed {
        let start = self.position;
        let rest = &self.text[start..];
        let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (word, span) = (&rest[..length], start..start + length);
        self.position = span.end;
        let variable = VARIABLES.iter().position(|name| *name == word);
        if let Some(index) = variable.filter(|_| self.variables.words().contains(&word)) {
            return Ok(Node::Variable(index));
        }
        if let Some((_, value)) = CONSTANTS.iter().find(|(name, _)| *name == word) {
            return Ok(Node::Number(*value));
        }
        let unary = UNARY.iter().find(|(name, _)| *name == word);
        let binary = BINARY.iter().find(|(name, _)| *name == word);
        if unary.is_none() && binary.is_none() {
            return Err(unknown_word(word, span, self.variables));
        }
        let mut arguments = self.arguments(word, &span)?;
        let wanted = if unary.is_some() { 1 } else { 2 };
        let found = arguments.len();
        match (arguments.pop(), arguments.pop(), unary, binary) {
            (Some(only), None, Some((_, function)), _) => {
                Ok(Node::Unary(*function, Box::new(only)))
            }
            (Some(second), Some(first), None, Some((_, operator))) if found == 2 => {
                Ok(Node::Binary(*operator, Box::new(first), Box::new(second)))
            }
            _ => {
                let plural = if wanted == 1 { "" } else { "s" };
                let message = format!("`{word}` takes {wanted} argument{plural}, found {found}");
                Err(error(message, span))
            }
        }
    }

    fn arguments(&mut self, word: &str, span: &Range<usize>) -> Result<Vec<Node>, ExpressionError> {
        if !self.take('(') {
            let message = format!("`{word}` needs its argument in parentheses");
            return Err(error(message, span.clone()));
        }
        let mut arguments = vec![self.sum()?];
        while self.take(',') {
            arguments.push(self.sum()?);
        }
        self.close()?;
        Ok(arguments)
    }
}
