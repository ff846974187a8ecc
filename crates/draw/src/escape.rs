//! Text in XML and SVG.

/// Text inside an attribute or an element of XML.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // XML cannot represent these characters.
            control if control.is_control() && !matches!(control, '\n' | '\t') => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    escaped
}
