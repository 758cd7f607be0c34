// SPDX-License-Identifier: GPL-3.0-or-later
//! What a player's games depend on, as the header of a journal has it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::search::{FullSettings, Profile};

/// A player in the configuration of a tournament.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum EntrantConfig {
    /// One of our searches.
    Internal {
        /// What it is called.
        name: String,
        /// What it may use.
        limits: String,
        /// Which search.
        profile: Profile,
        /// Its extension table in a line.
        extensions: String,
        /// Its evaluation.
        evaluation: String,
        /// Settings of the full search.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        full: Option<FullSettings>,
    },
    /// Another program.
    External {
        /// What it is called.
        name: String,
        /// What it may use.
        limits: String,
        /// The program and its arguments, as they were given.
        command: String,
        /// The folder it runs in, as it was given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        directory: Option<PathBuf>,
        /// Its UCI options.
        options: Vec<(String, String)>,
        /// What it calls itself: another version is another player.
        title: String,
    },
}

impl EntrantConfig {
    /// What the player is called.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Internal { name, .. } | Self::External { name, .. } => name,
        }
    }

    /// The same player without its name.
    #[must_use]
    pub fn unnamed(mut self) -> Self {
        match &mut self {
            Self::Internal { name, .. } | Self::External { name, .. } => name.clear(),
        }
        self
    }

    /// The player in a line; its evaluation is left out if it is the default for its search.
    #[must_use]
    pub fn description(&self, default_evaluation: impl Fn(Profile) -> String) -> String {
        let setting = |(name, value): (&String, &String)| format!("{name}={value}");
        let mut parts = Vec::new();
        let limits = match self {
            Self::Internal { limits, profile, extensions, evaluation, full, .. } => {
                parts.push(format!("{} search", profile.name()));
                parts.push(format!("extensions {extensions}"));
                if *evaluation != default_evaluation(*profile) {
                    parts.push(format!("evaluation {evaluation}"));
                }
                if let Some(FullSettings { hash, parameters }) = full {
                    parts.push(format!("{hash} MiB"));
                    parts.extend(parameters.iter().map(setting));
                }
                limits
            }
            Self::External { limits, title, options, .. } => {
                parts.push(title.clone());
                parts.extend(options.iter().map(|(name, value)| setting((name, value))));
                limits
            }
        };
        parts.push(limits.clone());
        parts.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_described_with_all_their_settings() {
        for (text, expected) in [
            (
                r#"{"name":"a","limits":"5 nodes a move","profile":"plain","extensions":"none","evaluation":"usual"}"#,
                "plain search, extensions none, 5 nodes a move",
            ),
            (
                r#"{"name":"b","limits":"10+0.1 s","profile":"full","extensions":"C@0.5","evaluation":"other",
                    "full":{"hash":4,"parameters":{"null_move":"false"}}}"#,
                "full search, extensions C@0.5, evaluation other, 4 MiB, null_move=false, 10+0.1 s",
            ),
            (
                r#"{"name":"c","limits":"1 s a move","command":"x","options":[["Hash","16"],["Skill Level","3"]],"title":"X 1"}"#,
                "X 1, Hash=16, Skill Level=3, 1 s a move",
            ),
        ] {
            let config: EntrantConfig = serde_json::from_str(text).unwrap();
            assert_eq!(config.description(|_| "usual".to_owned()), expected);
            // What is read is written again as it was, or a journal would not be recognised.
            let written = serde_json::to_value(&config).unwrap();
            assert_eq!(written, serde_json::from_str::<serde_json::Value>(text).unwrap());
        }
    }
}
