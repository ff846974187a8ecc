//! Formulas of case files, which compute quantities from the tables of a run.
//!
//! `last(frozen.ball.velocity_x)`, `event('frozen', 'stick', 1)`, `(1 - v_x)/mu`. A path with two points is a column of
//! a table of a run, over time; a single name is a definition of the case; functions reduce columns to numbers.
//! Comparisons give 1 or 0.

mod functions;
mod list;
mod series;

pub(super) use list::matches;
pub use series::Series;

use esker_scene::expression::ExpressionError;
use esker_scene::expression::syntax::{self, Grammar, Operator, Tree};
use std::rc::Rc;

/// Value of a formula or of a part of it.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A column over time.
    Series(Rc<Series>),
    /// A number for each of several runs.
    List(Rc<[f64]>),
    /// A word in quotes.
    Text(String),
}

impl Value {
    fn kind(&self) -> &'static str {
        match self {
            Self::Number(_) => "a number",
            Self::Series(_) => "a column",
            Self::List(_) => "a list of numbers",
            Self::Text(_) => "a text",
        }
    }

    /// The value as a number; an error if it is not one.
    pub fn number(&self) -> Result<f64, String> {
        match self {
            Self::Number(number) => Ok(*number),
            other => Err(format!("this is {}, not a number", other.kind())),
        }
    }
}

/// Resolves the names of a formula.
pub trait Scope {
    /// The column of a table of a run.
    fn column(&self, run: &str, table: &str, column: &str) -> Result<Rc<Series>, String>;
    /// The value of a definition.
    fn word(&self, word: &str) -> Result<Value, String>;
    /// Times of the events of a kind in a run; with partners, only those of that contact.
    fn events(&self, run: &str, kind: &str, partners: &[String]) -> Result<Vec<f64>, String>;
    /// A value of the final state of a particle.
    fn last_state(&self, run: &str, particle: u64, column: &str) -> Result<f64, String>;
    /// A number of the summary, by its path in the JSON.
    fn summary(&self, run: &str, path: &str) -> Result<f64, String>;
    /// Names of the completed runs that match the pattern.
    fn runs(&self, pattern: &str) -> Vec<String>;
}

#[derive(Debug, Clone, PartialEq)]
enum Node {
    Number(f64),
    Text(String),
    Word(String),
    Column([String; 3]),
    Negative(Box<Node>),
    Binary(Operator, Box<Node>, Box<Node>),
    Call(String, Vec<Node>),
}

/// Names become definitions and columns; the numbers of arguments are checked.
fn resolve(tree: Tree) -> Result<Node, ExpressionError> {
    let boxed = |tree: Box<Tree>| resolve(*tree).map(Box::new);
    Ok(match tree {
        Tree::Number(number) => Node::Number(number),
        Tree::Text(text) => Node::Text(text),
        Tree::Negative(inner) => Node::Negative(boxed(inner)?),
        Tree::Binary(operator, left, right) => Node::Binary(operator, boxed(left)?, boxed(right)?),
        Tree::Name(mut parts, _) if parts.len() == 1 => Node::Word(parts.swap_remove(0)),
        Tree::Name(parts, span) => <[String; 3]>::try_from(parts)
            .map(Node::Column)
            .map_err(|_| ExpressionError::new("a column is `run.table.column`", span))?,
        Tree::Call(name, arguments, span) => {
            functions::check(&name, arguments.len())
                .map_err(|what| ExpressionError::new(what, span))?;
            let arguments = arguments.into_iter().map(resolve).collect::<Result<_, _>>()?;
            Node::Call(name, arguments)
        }
    })
}

/// A parsed formula.
#[derive(Debug, Clone, PartialEq)]
pub struct Formula {
    text: String,
    node: Node,
}

impl Formula {
    /// Reads a formula.
    pub fn parse(text: &str) -> Result<Self, String> {
        let node = syntax::parse(text, Grammar::Formula).and_then(resolve).map_err(|error| {
            let character = text[..error.span.start].chars().count() + 1;
            format!("`{text}`, character {character}: {}", error.message)
        })?;
        Ok(Self { text: text.to_owned(), node })
    }

    /// A formula that is a constant.
    pub fn constant(number: f64) -> Self {
        Self { text: number.to_string(), node: Node::Number(number) }
    }

    /// Its text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its value.
    pub fn value(&self, scope: &dyn Scope) -> Result<Value, String> {
        evaluate(&self.node, scope).map_err(|what| {
            if what.contains(&self.text) { what } else { format!("`{}`: {what}", self.text) }
        })
    }

    /// Its value as a number.
    pub fn number(&self, scope: &dyn Scope) -> Result<f64, String> {
        let value = self.value(scope)?;
        let number = value.number().map_err(|what| format!("`{}`: {what}", self.text))?;
        if number.is_finite() {
            return Ok(number);
        }
        Err(format!("`{}`: the value is {number}", self.text))
    }

    /// Its value as a number, or as the numbers of several runs.
    pub fn sample(&self, scope: &dyn Scope) -> Result<Sample, String> {
        let numbers = match self.value(scope)? {
            Value::List(list) => list.to_vec(),
            _ => vec![self.number(scope)?],
        };
        if let Some(wrong) = numbers.iter().find(|number| !number.is_finite()) {
            return Err(format!("`{}`: a value is {wrong}", self.text));
        }
        let mean = list::mean(&numbers).map_err(|what| format!("`{}`: {what}", self.text))?;
        Ok(Sample { mean, deviation: list::deviation(&numbers).ok(), count: numbers.len() })
    }

    /// Names of the runs and definitions to which it refers.
    pub fn references(&self) -> References {
        let mut found = References::default();
        collect(&self.node, &mut found);
        found
    }
}

/// Mean and spread of a value over several runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// The mean.
    pub mean: f64,
    /// Standard deviation of the sample; none for a single value.
    pub deviation: Option<f64>,
    /// Number of values.
    pub count: usize,
}

/// References of a formula.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct References {
    /// Runs, by name.
    pub runs: Vec<String>,
    /// Patterns of names: at least one such run.
    pub patterns: Vec<String>,
    /// Words.
    pub words: Vec<String>,
}

fn collect(node: &Node, found: &mut References) {
    match node {
        Node::Number(_) | Node::Text(_) => {}
        Node::Word(word) if constant(word).is_some() => {}
        Node::Word(word) => found.words.push(word.clone()),
        Node::Column([run, ..]) => found.runs.push(run.clone()),
        Node::Negative(inner) => collect(inner, found),
        Node::Binary(_, left, right) => {
            collect(left, found);
            collect(right, found);
        }
        Node::Call(name, arguments) if name == list::EACH => {
            let mut inner = References::default();
            arguments.iter().for_each(|argument| collect(argument, &mut inner));
            inner.runs.retain(|run| run != list::RUN);
            found.runs.append(&mut inner.runs);
            found.words.append(&mut inner.words);
            found.patterns.append(&mut inner.patterns);
            if let Some(Node::Text(pattern)) = arguments.first() {
                found.patterns.push(pattern.clone());
            }
        }
        Node::Call(name, arguments) => {
            if functions::names_run(name)
                && let Some(Node::Text(run)) = arguments.first()
            {
                found.runs.push(run.clone());
            }
            arguments.iter().for_each(|argument| collect(argument, found));
        }
    }
}

fn evaluate(node: &Node, scope: &dyn Scope) -> Result<Value, String> {
    Ok(match node {
        Node::Number(number) => Value::Number(*number),
        Node::Text(text) => Value::Text(text.clone()),
        Node::Word(word) => match constant(word) {
            Some(number) => Value::Number(number),
            None => scope.word(word)?,
        },
        Node::Column([run, table, column]) => Value::Series(scope.column(run, table, column)?),
        Node::Negative(inner) => map(&evaluate(inner, scope)?, |x| -x)?,
        Node::Binary(operator, left, right) => {
            let (left, right) = (evaluate(left, scope)?, evaluate(right, scope)?);
            combine(*operator, &left, &right)?
        }
        Node::Call(name, arguments) if name == list::EACH => list::each(arguments, scope)?,
        Node::Call(name, arguments) => {
            let values: Vec<Value> = arguments
                .iter()
                .map(|argument| evaluate(argument, scope))
                .collect::<Result<_, _>>()?;
            functions::call(name, &values, scope)?
        }
    })
}

fn constant(word: &str) -> Option<f64> {
    match word {
        "pi" => Some(std::f64::consts::PI),
        _ => None,
    }
}

/// A function of one number, of each value of a column.
fn map(value: &Value, of: impl Fn(f64) -> f64) -> Result<Value, String> {
    match value {
        Value::Number(number) => Ok(Value::Number(of(*number))),
        Value::Series(series) => Ok(Value::Series(Rc::new(series.map(of)))),
        Value::List(list) => Ok(Value::List(list.iter().map(|number| of(*number)).collect())),
        Value::Text(_) => Err("a text is not a number".to_owned()),
    }
}

fn combine(operator: Operator, left: &Value, right: &Value) -> Result<Value, String> {
    let of = |a: f64, b: f64| operator.value(a, b);
    Ok(match (left, right) {
        (Value::Number(a), Value::Number(b)) => Value::Number(of(*a, *b)),
        (Value::Series(a), Value::Number(b)) => Value::Series(Rc::new(a.map(|a| of(a, *b)))),
        (Value::Number(a), Value::Series(b)) => Value::Series(Rc::new(b.map(|b| of(*a, b)))),
        (Value::Series(a), Value::Series(b)) => Value::Series(Rc::new(a.zip(b, of)?)),
        (Value::List(a), Value::Number(b)) => Value::List(a.iter().map(|a| of(*a, *b)).collect()),
        (Value::Number(a), Value::List(b)) => Value::List(b.iter().map(|b| of(*a, *b)).collect()),
        (Value::List(a), Value::List(b)) => Value::List(list::zip(a, b, of)?),
        (Value::List(_), Value::Series(_)) | (Value::Series(_), Value::List(_)) => {
            return Err("a list of numbers and a column cannot be combined".to_owned());
        }
        _ => return Err("a text is not a number".to_owned()),
    })
}

#[cfg(test)]
mod tests;
