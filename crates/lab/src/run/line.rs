// SPDX-License-Identifier: GPL-3.0-or-later
//! A line of a journal: a unit with its result.

use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::header::Header;
use halfply_engine::base::digest::digest;

/// The field of a result that holds times. It differs from run to run, so the checksum does not cover it.
const TIMES: &str = "times";

#[derive(Serialize, Deserialize)]
struct Line<K, R> {
    key: K,
    result: R,
    /// The checksum of key and result; lines of format 1 may have none.
    check: Option<String>,
    /// The time that the unit took. It differs from run to run, too.
    seconds: f64,
}

/// The line of a unit, with its line feed.
pub(super) fn encode(key: &str, result: &impl Serialize, time: Duration) -> serde_json::Result<String> {
    // The value as a reader of the line gets it.
    let value: Value = serde_json::from_str(&serde_json::to_string(result)?)?;
    let line = Line { key, check: Some(check(key, &value)), result, seconds: time.as_secs_f64() };
    Ok(serde_json::to_string(&line)? + "\n")
}

/// Key, result and time of a line, or the reason why it is damaged. The header says whether every line has a checksum.
pub(super) fn decode<R: DeserializeOwned>(line: &[u8], header: &Header) -> Result<(String, R, Duration), String> {
    let line: Line<String, Value> = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    match line.check {
        Some(expected) if expected != check(&line.key, &line.result) => {
            return Err("it was changed: its checksum does not match".to_owned());
        }
        None if header.has_checks() => return Err("it was changed: it has no checksum".to_owned()),
        _ => {}
    }
    let result = serde_json::from_value(line.result).map_err(|error| error.to_string())?;
    // An invalid time does not invalidate the result.
    let time = Duration::try_from_secs_f64(line.seconds).unwrap_or_default();
    Ok((line.key, result, time))
}

/// The first 16 digits of the SHA-256 of the key, a line feed, and the result without its times, its keys sorted.
fn check(key: &str, result: &Value) -> String {
    let mut result = result.clone();
    if let Some(fields) = result.as_object_mut() {
        fields.remove(TIMES);
    }
    digest(format!("{key}\n{result}"))[..16].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_changed_line_is_detected() {
        let result = json!({"nodes": 12, "share": 0.1, "winner": null, "times": {"thinking": 1.5}});
        let line = encode("a b", &result, Duration::from_millis(250)).unwrap();
        let header = Header::new("test", &0, 0);
        let read = |line: &str| decode::<Value>(line.as_bytes(), &header);
        assert_eq!(read(&line), Ok(("a b".to_owned(), result.clone(), Duration::from_millis(250))));
        for (old, new) in [("12", "13"), ("a b", "a c"), ("null", "\"white\""), ("0.1", "0.2")] {
            assert!(read(&line.replacen(old, new, 1)).unwrap_err().contains("checksum"), "{old}");
        }
        // Times are not covered: the same game played again has the same checksum.
        assert!(read(&line.replace("1.5", "2.5").replace("0.25", "9.0")).is_ok());
    }
}
