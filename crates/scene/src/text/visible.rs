//! Text for a terminal: control characters of the input are shown, never sent.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The text with control characters, except line breaks and tabs, written as `\u{1b}`; likewise characters that change
/// the direction of the text, which can change the meaning of a message.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_hidden(character) {
            let _ = write!(shown, "\\u{{{:x}}}", u32::from(character));
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

/// True if a character controls a terminal instead of being displayed.
pub(crate) fn is_hidden(character: char) -> bool {
    let changes_direction = matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    changes_direction || character.is_control() && !matches!(character, '\n' | '\t')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_terminal_obeys_is_replaced() {
        assert_eq!(visible("plain ±µ\n\ttext"), "plain ±µ\n\ttext");
        assert_eq!(visible("a\u{1b}[2Jb\r\u{7f}\u{9b}"), "a\\u{1b}[2Jb\\u{d}\\u{7f}\\u{9b}");
        assert_eq!(visible("\u{202e}abc"), "\\u{202e}abc");
    }
}
