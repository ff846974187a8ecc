//! Options of a law, read by its `Deserialize`, with messages in the style of the reader.

use super::value::Value;
use super::words;
use crate::diagnostic::Diagnostic;
use schemars::{JsonSchema, SchemaGenerator};
use serde::de::DeserializeOwned;
use toml::de::ValueDeserializer;

/// Reads a table of options; each invalid one is reported at its location.
pub(crate) fn read<T: DeserializeOwned + JsonSchema>(value: &Value<'_>) -> Option<T> {
    let table = value.table()?;
    let schema = T::json_schema(&mut SchemaGenerator::default());
    let properties = schema.get("properties").and_then(|all| all.as_object());
    let known: Vec<&str> =
        properties.map(|all| all.keys().map(String::as_str).collect()).unwrap_or_default();
    let mut good = true;
    for (name, span, _) in table.entries() {
        if !known.contains(&name.as_str()) {
            good = false;
            value.context.report(
                Diagnostic::error(format!("unknown option `{name}`"), span)
                    .label(format!("not an option of `{}`", value.key()))
                    .help(words::suggestion(&name, &known, "options here")),
            );
        }
    }
    if !good {
        return None;
    }
    let required = schema.get("required").and_then(|all| all.as_array());
    let required: Vec<&str> =
        required.map(|all| all.iter().filter_map(|one| one.as_str()).collect()).unwrap_or_default();
    let missing: Vec<&str> = required.into_iter().filter(|key| !table.has(key)).collect();
    for key in &missing {
        table.report(format!("`{}` needs `{key}`", value.path), None);
    }
    if missing.is_empty() { deserialize(value) } else { None }
}

/// Reads a value by its `Deserialize`; problems are reported at its location.
pub(crate) fn deserialize<T: DeserializeOwned>(value: &Value<'_>) -> Option<T> {
    T::deserialize(ValueDeserializer::from(value.value.clone()))
        .map_err(|error| {
            let span = error.span().unwrap_or_else(|| value.span());
            value.context.report(in_our_words(error.message(), span));
        })
        .ok()
}

/// Translates a message of serde into the style of the reader.
fn in_our_words(message: &str, span: std::ops::Range<usize>) -> Diagnostic {
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    if message.starts_with("unknown variant") && quoted.len() > 1 {
        let (found, valid) = (quoted[0], &quoted[1..]);
        return Diagnostic::error(format!("unknown option `{found}`"), span)
            .label("not a value of this option")
            .help(words::suggestion(found, valid, "options here"));
    }
    if message.starts_with("unknown field") && quoted.len() > 1 {
        let (found, valid) = (quoted[0], &quoted[1..]);
        return Diagnostic::error(format!("unknown key `{found}`"), span)
            .label("not a key of this option")
            .help(words::suggestion(found, valid, "keys here"));
    }
    if message.starts_with("missing field") && quoted.len() == 1 {
        return Diagnostic::error(format!("this option needs `{}`", quoted[0]), span);
    }
    if message == "wanted string or table" {
        return Diagnostic::error("this option takes a name", span).label("not a word");
    }
    let plain = message.replace("expected f64", "expected a number");
    let plain = plain.replace("expected usize", "expected a whole number");
    let plain = plain.replace("expected u64", "expected a whole number, zero or more");
    let plain = plain.replace("expected an array of length 3", "expected a list of three numbers");
    let plain = plain.replace("expected a string", "expected a text in quotes");
    let plain = plain.replace("invalid type: ", "wrong type: ");
    Diagnostic::error(plain, span).label("wrong value for this option")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::value::Context;
    use esker::law::tangential::Mindlin;
    use toml::de::DeTable;

    fn messages(text: &str) -> Vec<(String, String)> {
        let document = DeTable::parse(text).expect("the text is TOML");
        let context = Context::new(document.get_ref(), std::path::Path::new(""));
        let value = document.get_ref().get("law").expect("the key is there");
        let _ = read::<Mindlin>(&Value { context: &context, value, path: "law".to_owned() });
        let remarks = context.remarks.take();
        remarks
            .into_iter()
            .map(|one| (one.message, text[one.span.expect("a span")].to_owned()))
            .collect()
    }

    #[test]
    fn a_wrong_option_points_at_its_location() {
        assert!(messages("law = { stiffness = 'exact' }").is_empty());
        let found = messages("law = { stifness = 'exact' }");
        assert_eq!(found, [("unknown option `stifness`".to_owned(), "stifness".to_owned())]);
        let found = messages("law = { stiffness = 'exat' }");
        assert_eq!(found, [("unknown option `exat`".to_owned(), "'exat'".to_owned())]);
    }
}
