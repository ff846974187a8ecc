//! The syntax of expressions in scene files and in the formulas of cases: a recursive-descent parser for sums,
//! products, signs, powers, names and calls. Formulas also have comparisons, `and`, quoted texts and paths `a.b.c`. The
//! caller traverses the tree and defines the meaning of names.

use std::ops::Range;

/// Largest depth of nested parentheses; it bounds the use of the stack.
const DEEPEST: usize = 200;

/// Longest text of an expression [bytes]: a tree with this many nodes can be traversed within any stack.
const LONGEST: usize = 2000;

/// Elements of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grammar {
    /// Numbers, names, functions and arithmetic operators.
    Arithmetic,
    /// Also comparisons, `and`, texts and paths.
    Formula,
}

/// An operator between two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `^`
    Power,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `==`
    Equal,
    /// `and`
    And,
}

impl Operator {
    /// The value of `a operator b`; 1 or 0 for a comparison. The bits are the same on every platform.
    pub fn value(self, a: f64, b: f64) -> f64 {
        let truth = |holds: bool| if holds { 1.0 } else { 0.0 };
        match self {
            Self::Add => a + b,
            Self::Subtract => a - b,
            Self::Multiply => a * b,
            Self::Divide => a / b,
            Self::Power => libm::pow(a, b),
            Self::Less => truth(a < b),
            Self::LessOrEqual => truth(a <= b),
            Self::Greater => truth(a > b),
            Self::GreaterOrEqual => truth(a >= b),
            Self::Equal => truth(a == b),
            Self::And => truth(a != 0.0 && b != 0.0),
        }
    }
}

/// A parsed expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Tree {
    /// A number.
    Number(f64),
    /// A text in quotes.
    Text(String),
    /// A name, or the parts of a path.
    Name(Vec<String>, Range<usize>),
    /// `-a`
    Negative(Box<Tree>),
    /// `a operator b`
    Binary(Operator, Box<Tree>, Box<Tree>),
    /// `name(arguments)`, with the position of the name.
    Call(String, Vec<Tree>, Range<usize>),
}

/// A problem of an expression, and its position in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpressionError {
    /// The problem.
    pub message: String,
    /// Bytes of the expression.
    pub span: Range<usize>,
    /// Help: the expected value.
    pub help: Option<String>,
}

impl ExpressionError {
    /// An error without help.
    pub fn new(message: impl Into<String>, span: Range<usize>) -> Self {
        Self { message: message.into(), span, help: None }
    }
}

type Parsed = Result<Tree, ExpressionError>;

/// Parses a text.
pub fn parse(text: &str, grammar: Grammar) -> Parsed {
    if text.len() > LONGEST {
        let message = format!("the expression is longer than {LONGEST} bytes");
        return Err(ExpressionError::new(message, 0..text.len()));
    }
    Parser { text, grammar, position: 0, depth: 0 }.whole()
}

struct Parser<'a> {
    text: &'a str,
    grammar: Grammar,
    position: usize,
    depth: usize,
}

fn binary(operator: Operator, left: Tree, right: Tree) -> Tree {
    Tree::Binary(operator, Box::new(left), Box::new(right))
}

impl Parser<'_> {
    /// The whole text as one expression.
    fn whole(mut self) -> Parsed {
        let tree = self.conjunction()?;
        match self.peek() {
            None => Ok(tree),
            Some(found) => Err(self.unexpected(found, "an operator")),
        }
    }

    fn is_formula(&self) -> bool {
        self.grammar == Grammar::Formula
    }

    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.position..];
        self.position += rest.len() - rest.trim_start().len();
        self.text[self.position..].chars().next()
    }

    fn take(&mut self, wanted: &str) -> bool {
        self.peek();
        let found = self.text[self.position..].starts_with(wanted);
        if found {
            self.position += wanted.len();
        }
        found
    }

    fn unexpected(&self, found: char, wanted: &str) -> ExpressionError {
        let span = self.position..self.position + found.len_utf8();
        ExpressionError::new(format!("found `{found}` where {wanted} was expected"), span)
    }

    fn conjunction(&mut self) -> Parsed {
        let mut left = self.comparison()?;
        while self.is_formula() && self.take("and ") {
            left = binary(Operator::And, left, self.comparison()?);
        }
        Ok(left)
    }

    fn comparison(&mut self) -> Parsed {
        const SIGNS: [(&str, Operator); 5] = [
            ("<=", Operator::LessOrEqual),
            (">=", Operator::GreaterOrEqual),
            ("==", Operator::Equal),
            ("<", Operator::Less),
            (">", Operator::Greater),
        ];
        let left = self.sum()?;
        for (sign, operator) in SIGNS {
            if self.is_formula() && self.take(sign) {
                return Ok(binary(operator, left, self.sum()?));
            }
        }
        Ok(left)
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
            left = binary(operator, left, self.product()?);
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
            left = binary(operator, left, self.signed()?);
        }
    }

    /// A minus binds less than a power: -2^2 is -4. The depth is counted here, since every recursion passes through
    /// this function.
    fn signed(&mut self) -> Parsed {
        self.depth += 1;
        if self.depth > DEEPEST {
            let here = self.position..self.position;
            return Err(ExpressionError::new("the expression is nested too deeply", here));
        }
        let tree = if self.take("-") {
            Tree::Negative(Box::new(self.signed()?))
        } else if self.take("+") {
            self.signed()?
        } else {
            self.power()?
        };
        self.depth -= 1;
        Ok(tree)
    }

    fn power(&mut self) -> Parsed {
        let base = self.atom()?;
        if self.take("^") {
            return Ok(binary(Operator::Power, base, self.signed()?));
        }
        Ok(base)
    }

    fn atom(&mut self) -> Parsed {
        match self.peek() {
            None => {
                let end = self.text.len();
                Err(ExpressionError::new(
                    "the expression ends where a value was expected",
                    end..end,
                ))
            }
            Some('(') => {
                self.position += 1;
                let tree = self.conjunction()?;
                self.close()?;
                Ok(tree)
            }
            Some('\'') if self.is_formula() => self.quoted(),
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() => self.named(),
            Some(c) => Err(self.unexpected(c, "a value")),
        }
    }

    fn close(&mut self) -> Result<(), ExpressionError> {
        if self.take(")") {
            return Ok(());
        }
        let end = self.position;
        match self.peek() {
            Some(found) => Err(self.unexpected(found, "`)`")),
            None => Err(ExpressionError::new("a parenthesis is not closed", end..end)),
        }
    }

    fn quoted(&mut self) -> Parsed {
        let start = self.position;
        let rest = &self.text[start + 1..];
        match rest.find('\'') {
            Some(end) => {
                self.position += end + 2;
                Ok(Tree::Text(rest[..end].to_owned()))
            }
            None => Err(ExpressionError::new("a quote is not closed", start..start + 1)),
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
            // Without digits the `e` is not an exponent but a name where an operator was expected.
            if exponent > 0 {
                length += 1 + sign + exponent;
            }
        }
        let span = self.position..self.position + length;
        self.position = span.end;
        match self.text[span.clone()].parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Tree::Number(number)),
            _ => Err(ExpressionError::new("this is not a number", span)),
        }
    }

    fn name(&mut self) -> String {
        let rest = &self.text[self.position..];
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        self.position += end;
        rest[..end].to_owned()
    }

    fn named(&mut self) -> Parsed {
        let start = self.position;
        let mut parts = vec![self.name()];
        while self.is_formula() && self.text[self.position..].starts_with('.') {
            self.position += 1;
            parts.push(self.name());
        }
        let span = start..self.position;
        if parts.len() > 1 || !self.take("(") {
            return Ok(Tree::Name(parts, span));
        }
        let mut arguments = vec![self.conjunction()?];
        while self.take(",") {
            arguments.push(self.conjunction()?);
        }
        self.close()?;
        Ok(Tree::Call(parts.swap_remove(0), arguments, span))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_texts_and_paths_belong_to_formulas_alone() {
        for text in ["1 < 2", "f('a')", "a.b.c", "1 and 2"] {
            assert!(parse(text, Grammar::Formula).is_ok(), "{text}");
            assert!(parse(text, Grammar::Arithmetic).is_err(), "{text}");
        }
    }

    #[test]
    fn comparisons_bind_less_than_sums_and_and_less_than_comparisons() {
        let tree = parse("1 + 1 > 1 and 2 < 3", Grammar::Formula).unwrap();
        let Tree::Binary(Operator::And, left, right) = tree else { panic!("{tree:?}") };
        assert!(matches!(*left, Tree::Binary(Operator::Greater, ..)));
        assert!(matches!(*right, Tree::Binary(Operator::Less, ..)));
    }
}
