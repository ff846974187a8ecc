//! Recursive descent: and, comparison, sum, product, sign, power, value.

use super::{Node, Operator, functions};

/// How deep formulas may be nested.
const DEEPEST: usize = 100;

/// Where and what.
type Wrong = (usize, String);
type Parsed = Result<Node, Wrong>;

pub(super) struct Parser<'a> {
    text: &'a str,
    position: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, position: 0, depth: 0 }
    }

    /// The whole text as one formula.
    pub(super) fn whole(mut self) -> Parsed {
        let node = self.conjunction()?;
        match self.peek() {
            None => Ok(node),
            Some(found) => Err(self.wrong(format!("found `{found}` where an operator should be"))),
        }
    }

    fn wrong(&self, what: impl Into<String>) -> Wrong {
        (self.position, what.into())
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

    fn conjunction(&mut self) -> Parsed {
        let mut left = self.comparison()?;
        while self.take("and ") {
            left = binary(Operator::And, left, self.comparison()?);
        }
        Ok(left)
    }

    fn comparison(&mut self) -> Parsed {
        const WORDS: [(&str, Operator); 5] = [
            ("<=", Operator::LessOrEqual),
            (">=", Operator::GreaterOrEqual),
            ("==", Operator::Equal),
            ("<", Operator::Less),
            (">", Operator::Greater),
        ];
        let left = self.sum()?;
        for (word, operator) in WORDS {
            if self.take(word) {
                return Ok(binary(operator, left, self.sum()?));
            }
        }
        Ok(left)
    }

    fn sum(&mut self) -> Parsed {
        let mut left = self.product()?;
        loop {
            if self.take("+") {
                left = binary(Operator::Add, left, self.product()?);
            } else if self.take("-") {
                left = binary(Operator::Subtract, left, self.product()?);
            } else {
                return Ok(left);
            }
        }
    }

    fn product(&mut self) -> Parsed {
        let mut left = self.signed()?;
        loop {
            if self.take("*") {
                left = binary(Operator::Multiply, left, self.signed()?);
            } else if self.take("/") {
                left = binary(Operator::Divide, left, self.signed()?);
            } else {
                return Ok(left);
            }
        }
    }

    /// Every way down passes here, so the depth is counted here. -2^2 is -4.
    fn signed(&mut self) -> Parsed {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.wrong("the formula is nested too deeply"));
        }
        let node = if self.take("-") {
            Node::Negative(Box::new(self.signed()?))
        } else {
            let base = self.atom()?;
            if self.take("^") { binary(Operator::Power, base, self.signed()?) } else { base }
        };
        self.depth -= 1;
        Ok(node)
    }

    fn atom(&mut self) -> Parsed {
        match self.peek() {
            None => Err(self.wrong("the formula ends where a value should be")),
            Some('(') => {
                self.position += 1;
                let node = self.conjunction()?;
                if self.take(")") {
                    return Ok(node);
                }
                Err(self.wrong("a parenthesis is not closed"))
            }
            Some('\'') => self.quoted(),
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() => self.named(),
            Some(c) => Err(self.wrong(format!("found `{c}` where a value should be"))),
        }
    }

    fn quoted(&mut self) -> Parsed {
        let rest = &self.text[self.position + 1..];
        match rest.find('\'') {
            Some(end) => {
                self.position += end + 2;
                Ok(Node::Text(rest[..end].to_owned()))
            }
            None => Err(self.wrong("a quote is not closed")),
        }
    }

    fn number(&mut self) -> Parsed {
        let rest = &self.text[self.position..];
        let bytes = rest.as_bytes();
        let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
        let mut end = digits(0);
        if bytes.get(end) == Some(&b'.') {
            end += 1;
            end += digits(end);
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let exponent = digits(end + 1 + sign);
            if exponent > 0 {
                end += 1 + sign + exponent;
            }
        }
        let number =
            rest[..end].parse().map_err(|_| self.wrong(format!("`{rest}` is no number")))?;
        self.position += end;
        Ok(Node::Number(number))
    }

    fn name(&mut self) -> String {
        let rest = &self.text[self.position..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        self.position += end;
        rest[..end].to_owned()
    }

    fn named(&mut self) -> Parsed {
        let start = self.position;
        let mut parts = vec![self.name()];
        while self.text[self.position..].starts_with('.') {
            self.position += 1;
            parts.push(self.name());
        }
        if let [name] = parts.as_slice() {
            let name = name.clone();
            return if self.take("(") { self.call(name) } else { Ok(Node::Word(name)) };
        }
        <[String; 3]>::try_from(parts)
            .map(Node::Column)
            .map_err(|_| (start, "a column is `run.table.column`".to_owned()))
    }

    fn call(&mut self, name: String) -> Parsed {
        let start = self.position;
        let mut arguments = Vec::new();
        loop {
            arguments.push(self.conjunction()?);
            if self.take(")") {
                functions::check(&name, arguments.len()).map_err(|what| (start, what))?;
                return Ok(Node::Call(name, arguments));
            }
            if !self.take(",") {
                return Err(self.wrong("a comma or `)` should be here"));
            }
        }
    }
}

fn binary(operator: Operator, left: Node, right: Node) -> Node {
    Node::Binary(operator, Box::new(left), Box::new(right))
}
