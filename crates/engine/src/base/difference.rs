// SPDX-License-Identifier: GPL-3.0-or-later
//! What differs between two configurations, in words.

use serde_json::{Map, Value};

use super::echo::shortened;

/// The most characters of a value.
const SHOWN: usize = 60;

/// The most differences that are listed.
const MOST: usize = 8;

/// Where two objects differ: `nodes was 100 and is 200; hash was 16 and is not set`. Empty if they are the same.
pub fn in_words(before: &Map<String, Value>, now: &Map<String, Value>) -> String {
    let mut all = Vec::new();
    of_objects("", before, now, &mut all);
    // The outermost first: they say most.
    let depth = |text: &String| text.split(" was ").next().unwrap_or_default().matches(['.', '[']).count();
    all.sort_by_key(depth);
    let more = all.len().saturating_sub(MOST);
    all.truncate(MOST);
    if more > 0 {
        all.push(format!("and {more} more differences"));
    }
    all.join("; ")
}

fn of_objects(path: &str, before: &Map<String, Value>, now: &Map<String, Value>, all: &mut Vec<String>) {
    let mut names: Vec<&String> = before.keys().chain(now.keys()).collect();
    names.sort();
    names.dedup();
    for name in names {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        of_values(&path, before.get(name), now.get(name), all);
    }
}

fn of_values(path: &str, before: Option<&Value>, now: Option<&Value>, all: &mut Vec<String>) {
    let none = Map::new();
    match (before.unwrap_or(&Value::Null), now.unwrap_or(&Value::Null)) {
        (before, now) if before == now => {}
        (Value::Object(before), Value::Object(now)) => of_objects(path, before, now, all),
        (Value::Object(before), Value::Null) if !before.is_empty() => of_objects(path, before, &none, all),
        (Value::Null, Value::Object(now)) if !now.is_empty() => of_objects(path, &none, now, all),
        (Value::Array(before), Value::Array(now)) if before.len() == now.len() => {
            for (index, (before, now)) in before.iter().zip(now).enumerate() {
                of_values(&format!("{path}[{index}]"), Some(before), Some(now), all);
            }
        }
        (before, now) => {
            let [before, now] = [before, now].map(|value| shortened(&value_in_words(value), SHOWN).into_owned());
            all.push(format!("{path} was {before} and is {now}"));
        }
    }
}

fn value_in_words(value: &Value) -> String {
    let list = |items: Vec<String>| if items.is_empty() { "empty".to_owned() } else { items.join(", ") };
    match value {
        Value::Null => "not set".to_owned(),
        Value::String(text) if text.is_empty() => "empty".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(values) => list(values.iter().map(value_in_words).collect()),
        Value::Object(fields) => {
            list(fields.iter().map(|(name, value)| format!("{name} {}", value_in_words(value))).collect())
        }
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn differences(before: Value, now: Value) -> String {
        match (before, now) {
            (Value::Object(before), Value::Object(now)) => in_words(&before, &now),
            _ => String::new(),
        }
    }

    #[test]
    fn what_differs_is_named_by_its_place_and_never_as_json() {
        for (before, now, expected) in [
            (json!({"a": 1}), json!({"a": 1}), ""),
            (json!({"a": 1, "b": "x"}), json!({"a": 2}), "a was 1 and is 2; b was x and is not set"),
            (
                json!({"players": [{"a": 1, "b": [1, 2]}]}),
                json!({"players": [{"a": 1, "b": [1, 3]}]}),
                "players[0].b[1] was 2 and is 3",
            ),
            (json!({"a": [1]}), json!({"a": [1, {"b": ""}]}), "a was 1 and is 1, b empty"),
            (json!({"a": []}), json!({"a": [1]}), "a was empty and is 1"),
            (
                json!({"set": {"x": "1", "y": "2"}}),
                json!({"set": {"y": "3"}}),
                "set.x was 1 and is not set; set.y was 2 and is 3",
            ),
            (json!({}), json!({"set": {"x": true}}), "set.x was not set and is true"),
        ] {
            assert_eq!(differences(before, now), expected);
        }
        let many = |value: u32| Value::Object((0..20).map(|name| (format!("{name:02}"), json!(value))).collect());
        let all = differences(many(1), many(2));
        assert!(all.starts_with("00 was 1 and is 2; ") && all.ends_with("; and 12 more differences"), "{all}");
        let long = differences(json!({"a": "x".repeat(1000)}), json!({"a": 1}));
        assert!(long.len() < 150, "{long}");
    }
}
