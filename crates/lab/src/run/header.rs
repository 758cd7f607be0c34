// SPDX-License-Identifier: GPL-3.0-or-later
//! The header of a journal: its first line, which identifies the run.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use halfply_engine::base::difference;
use halfply_engine::base::digest::digest;

/// The newest format of journals that this program reads, and the one that it writes. Every line has a checksum since
/// format 2.
pub(super) const FORMAT: u32 = 2;

/// Identifies a run: the first line of its journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The format of the journal.
    pub format: u32,
    /// The version of the program that began the journal. Another version with the same signature may continue it.
    pub version: String,
    /// The kind of run, such as `learn` or `tournament`.
    pub experiment: String,
    /// Everything that the results depend on, including the seed.
    pub config: Value,
    /// The behaviour signature, which shows whether the search has changed.
    pub signature: u64,
    /// SHA-256 of experiment, configuration and signature.
    pub hash: String,
}

impl Header {
    /// The header of a run with this configuration.
    ///
    /// # Panics
    /// If the configuration has a map whose keys are not strings.
    pub fn new(experiment: &str, config: &impl Serialize, signature: u64) -> Self {
        let config = serde_json::to_value(config).expect("a configuration is made of plain data");
        let hash = hash(experiment, &config, signature);
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Self { format: FORMAT, version, experiment: experiment.to_owned(), config, signature, hash }
    }

    /// The header in the first line of a journal, or the reason why it is none.
    pub(super) fn parse(line: &[u8]) -> Result<Self, String> {
        let header: Self = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        if !(1..=FORMAT).contains(&header.format) {
            return Err(format!("its format is {}, this program reads 1 to {FORMAT}", header.format));
        }
        if header.hash != hash(&header.experiment, &header.config, header.signature) {
            return Err("it was changed: its hash does not match".to_owned());
        }
        Ok(header)
    }

    /// Whether every line of its journal has a checksum.
    pub(super) const fn has_checks(&self) -> bool {
        self.format >= 2
    }

    /// The first digits of the hash, for the name of a folder.
    pub fn short_hash(&self) -> &str {
        &self.hash[..8]
    }

    /// How it differs from this kind of run, in words; none if it is of it.
    pub(super) fn other_kind(&self, experiment: &str) -> Option<String> {
        let is_other = self.experiment != experiment;
        is_other.then(|| format!("it is a journal of \"{}\", not of \"{experiment}\"", self.experiment))
    }

    /// How another header differs, in words; none if it is of the same run.
    pub(super) fn difference(&self, other: &Self) -> Option<String> {
        if let Some(kind) = other.other_kind(&self.experiment) {
            return Some(kind);
        }
        if other.config != self.config {
            let keys = |value: &Value| value.as_object().cloned().unwrap_or_default();
            let changed = difference::in_words(&keys(&other.config), &keys(&self.config));
            let changed = if changed.is_empty() { "it is written otherwise".to_owned() } else { changed };
            return Some(format!("its configuration differs: {changed}"));
        }
        if other.signature != self.signature {
            return Some(format!(
                "the search has changed since (behaviour signature {} then, {} now)",
                other.signature, self.signature
            ));
        }
        (other.hash != self.hash).then(|| "its hash does not match its configuration".to_owned())
    }
}

/// Maps of `Value` are sorted by key, so equal configurations have equal text.
fn hash(experiment: &str, config: &Value, signature: u64) -> String {
    digest(format!("{experiment}\n{config}\n{signature}"))
}
