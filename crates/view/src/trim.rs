//! Removes comments and spaces from the scripts of the page: a quarter of their bytes, without a minifier.
//!
//! The scripts follow three rules, so that no parser is needed: `/**` occurs only at the beginning of comments, a
//! comment at the end of a line follows no quotation mark of that line, and multi-line texts are shaders. The tests in
//! the browser run the trimmed scripts.

/// Characters that need no space beside them.
const SIGNS: &str = "=,;:?{}()<>&|*[]!";

/// A script without comments, indentation, empty lines and most spaces.
pub fn trim(script: &str) -> String {
    let mut out = String::with_capacity(script.len());
    let mut rest = script;
    while let Some((before, comment)) = rest.split_once("/**") {
        out.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    let lines = out.lines().map(|line| without_comment(line).trim());
    lines.filter(|line| !line.is_empty()).map(|line| compact(line) + "\n").collect()
}

/// A line without the spaces beside these characters, except inside quotation marks. Lines with a slash may contain a
/// regular expression, those with a backtick a template: they are not changed, and neither are directives of shaders.
fn compact(line: &str) -> String {
    if line.contains(['/', '`']) || line.starts_with('#') {
        return line.to_owned();
    }
    let mut out = String::with_capacity(line.len());
    let mut quote = None;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        if quote.is_none() && letter == ' ' {
            let beside = |other: Option<char>| other.is_some_and(|c| SIGNS.contains(c));
            if beside(out.chars().last()) || beside(letters.peek().copied()) {
                continue;
            }
        }
        out.push(letter);
        match (quote, letter) {
            (Some(_), '\\') => out.extend(letters.next()),
            (Some(open), _) if open == letter => quote = None,
            (None, '\'' | '"') => quote = Some(letter),
            _ => {}
        }
    }
    out
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
            "export const f=(a)=>{\nconst b=(a);\nreturn 'http://x' + b; // 'stays'\n};\n"
        );
        let line = "if (a < b && c !== 'x , \\' y') { d = [e, f - -g]; }";
        assert_eq!(compact(line), "if(a<b&&c!=='x , \\' y'){d=[e,f - -g];}");
    }
}
