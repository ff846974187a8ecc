//! A sweep as JSON, for other programs.

use super::ranking::{Estimate, Ranking};
use super::results::Results;
use serde_json::{Value, json};

/// Parameters, number of runs, and the rankings, in order of decreasing effect. Missing numbers are `null`.
pub fn json(results: &Results<'_>, rankings: &[(usize, Ranking)], constant: &[&str]) -> Value {
    let plan = &results.prepared.sweep.plan;
    let parameters: Vec<Value> = plan
        .parameters
        .iter()
        .map(|parameter| json!({ "key": parameter.key, "values": parameter.shown() }))
        .collect();
    let different = results.prepared.different();
    let failed =
        different.iter().filter(|index| results.outcomes[**index].failure().is_some()).count();
    let effects: Vec<Value> =
        rankings.iter().map(|(_, ranking)| effect(results, ranking)).collect();
    json!({
        "method": plan.method.to_string(),
        "samples": plan.samples,
        "seeds": plan.seeds,
        "seed": plan.seed,
        "parameters": parameters,
        "points": plan.points.len(),
        "runs": different.len(),
        "failed": failed,
        "effects": effects,
        "without_a_ranking": constant,
    })
}

fn effect(results: &Results<'_>, ranking: &Ranking) -> Value {
    let plan = &results.prepared.sweep.plan;
    let number = |estimate: &Estimate| {
        let [low, high] = estimate.interval.map_or([None; 2], |ends| ends.map(Some));
        json!({ "value": estimate.value, "low": low, "high": high })
    };
    let row = |(parameter, numbers): &(usize, Vec<Estimate>)| {
        let mut row = serde_json::Map::new();
        row.insert("parameter".to_owned(), json!(plan.parameters[*parameter].key));
        for (head, estimate) in ranking.heads.iter().zip(numbers) {
            row.insert((*head).to_owned(), number(estimate));
        }
        Value::Object(row)
    };
    let rows: Vec<Value> = ranking.rows.iter().map(row).collect();
    json!({
        "result": ranking.column,
        "unit": ranking.unit,
        "parameters": rows,
        "remarks": ranking.remarks,
    })
}
