//! Lists of names in messages, and the nearest name to a misspelt one.

use super::synonyms;

/// Smallest similarity of two names (Jaro–Winkler, 0 to 1) for a suggestion.
/// `sinus` and `sin` reach 0.91, `mass` and `name` 0.67.
const ALIKE: f64 = 0.8;

/// The entry of a list that is most similar to this word, if any is similar enough; or the entry that corresponds to
/// this name of another code.
pub fn nearest<'a>(word: &str, words: &[&'a str]) -> Option<&'a str> {
    if let Some(same) = synonyms::of(word, words) {
        return Some(same);
    }
    let word = word.to_lowercase();
    // A part of a name, such as `verlet`, matches like a misspelt name.
    let part = |candidate: &str| word.len() > 2 && candidate.contains(&word);
    // In a short word, two changed letters are too many.
    let slip =
        |candidate: &str| word.len() > 2 && strsim::damerau_levenshtein(&word, candidate) == 1;
    let likeness = |candidate: &str| {
        let by_letters = strsim::jaro_winkler(&word, candidate);
        let at_least = if part(candidate) || slip(candidate) { 0.9 } else { 0.0 };
        by_letters.max(at_least)
    };
    words
        .iter()
        .map(|candidate| (likeness(candidate), *candidate))
        .filter(|(likeness, _)| *likeness > ALIKE)
        .max_by(|one, other| one.0.total_cmp(&other.0))
        .map(|(_, candidate)| candidate)
}

/// The same, but only for typing errors: at most two wrong letters. For names that may be valid elsewhere, such as a
/// parameter of another law.
pub fn misspelt<'a>(word: &str, words: &[&'a str]) -> Option<&'a str> {
    synonyms::of(word, words).or_else(|| {
        nearest(word, words).filter(|near| strsim::damerau_levenshtein(word, near) <= 2)
    })
}

/// `did you mean …? <introduction>: a, b, c`.
pub fn suggestion(word: &str, words: &[&str], introduction: &str) -> String {
    let list = if words.is_empty() { "nothing".to_owned() } else { words.join(", ") };
    match nearest(word, words) {
        Some(candidate) => format!("did you mean `{candidate}`? {introduction}: {list}"),
        None => format!("{introduction}: {list}"),
    }
}

/// `a`, `b` or `c`.
pub fn alternatives(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_of_another_law_is_not_misspelt() {
        let known = ["friction", "rolling_arm", "smoothing_speed"];
        assert_eq!(misspelt("frictoin", &known), Some("friction"));
        assert_eq!(misspelt("rolling_friction", &known), None);
    }

    #[test]
    fn a_misspelt_word_finds_its_neighbour() {
        assert_eq!(nearest("grian", &["floor", "grain"]), Some("grain"));
        assert_eq!(nearest("sinus", &["cos", "sin", "sqrt"]), Some("sin"));
        assert_eq!(nearest("banana", &["floor", "grain"]), None);
        assert_eq!(nearest("lgo", &["in", "log", "whole"]), Some("log"));
        let long = ["campello-incline", "bandeira-unloading", "bandeira-incline"];
        assert_eq!(nearest("bandeira-inclin", &long), Some("bandeira-incline"));
    }

    #[test]
    fn alternatives_read_as_english() {
        assert_eq!(alternatives(&["a", "b", "c"]), "`a`, `b` or `c`");
        assert_eq!(alternatives(&["a"]), "`a`");
    }
}
