//! Removes comments and indentation from the scripts of the page: a third of their bytes, without a minifier.
//!
//! The scripts keep two rules, so that no parser is needed: `/**` begins only comments, and a comment at the end
//! of a line follows no quotation mark of that line. The tests in the browser run the trimmed scripts.

/// A script without comments, indentation and empty lines.
pub fn trim(script: &str) -> String {
    let mut out = String::with_capacity(script.len());
    let mut rest = script;
    while let Some((before, comment)) = rest.split_once("/**") {
        out.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    let lines = out.lines().map(|line| without_comment(line).trim());
    lines.filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect()
}

/// A line without `// …`.
fn without_comment(line: &str) -> &str {
    let starts = |code: &str| code.is_empty() || code.ends_with(' ');
    match line.split_once("//") {
        Some((code, _)) if starts(code) && !code.contains(['\'', '"', '`']) => code,
        _ => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_indentation_go_and_texts_stay() {
        let script = "// @ts-check\n/** @param {any} a\n * @returns {any} */\nexport const f = (a) => {\n  \
            const b = /** @type {number} */ (a);    // why\n\n  return 'http://x' + b; // 'stays'\n};\n";
        assert_eq!(
            trim(script),
            "export const f = (a) => {\nconst b =  (a);\nreturn 'http://x' + b; // 'stays'\n};\n"
        );
    }
}
