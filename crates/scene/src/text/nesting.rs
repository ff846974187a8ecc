//! Nesting depth of brackets, checked before the text is parsed.
//!
//! The parser is recursive. It bounds the depth of matching brackets, but not that of a text in which `{` and `]`
//! alternate: 20 000 such lines overflowed the stack and ended the program.

use toml_parser::Source;
use toml_parser::lexer::TokenKind;

/// Largest number of open brackets; scenes have about ten.
const DEEPEST: usize = 80;

/// The text up to the position at which too many brackets are open. The part that is cut off cannot change the outcome:
/// the open brackets are an error in any case.
pub fn bounded(text: &str) -> &str {
    let (mut square, mut curly) = (0_usize, 0_usize);
    for token in Source::new(text).lex() {
        match token.kind() {
            TokenKind::LeftSquareBracket => square += 1,
            TokenKind::RightSquareBracket => square = square.saturating_sub(1),
            TokenKind::LeftCurlyBracket => curly += 1,
            TokenKind::RightCurlyBracket => curly = curly.saturating_sub(1),
            _ => {}
        }
        if square + curly > DEEPEST {
            return text.get(..token.span().start()).unwrap_or(text);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::bounded;
    use toml::de::DeTable;

    #[test]
    fn a_text_that_is_toml_is_left_whole() {
        let quoted = format!("a = \"{}\" # {}\n", "{".repeat(200), "[".repeat(200));
        let many = "[[t]]\na = [{ b = [1, 2] }]\n".repeat(200);
        let deep = format!("a = {}{}", "[".repeat(70), "]".repeat(70));
        for text in [quoted, many, deep] {
            assert_eq!(bounded(&text), text);
            assert!(DeTable::parse(&text).is_ok());
        }
    }

    #[test]
    fn brackets_that_do_not_match_are_an_error_however_many_there_are() {
        for part in ["a = { 0, 1]\n[t]\n", "a = [", "a = { b = ", "[{", "a = [ }\n"] {
            let text = part.repeat(100_000);
            let (_, errors) = DeTable::parse_recoverable(bounded(&text));
            assert!(!errors.is_empty(), "{part}");
        }
    }
}
