// SPDX-License-Identifier: GPL-3.0-or-later
//! A tournament as workers receive it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::definition::Definition;
use halfply_engine::base::files;
use halfply_engine::games::GameName;

/// A tournament as workers receive it: they make the same games from it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TournamentDescription {
    /// The definition; paths in it are relative to the folder.
    definition: Definition,
    /// The folder, for a process in any working folder.
    folder: PathBuf,
}

impl TournamentDescription {
    /// The description of a tournament.
    pub fn of(definition: &Definition) -> Self {
        // Without a file, paths are relative to the working folder.
        let here = definition.folder.as_os_str().is_empty();
        let folder = if here { PathBuf::from(".") } else { definition.folder.clone() };
        Self { definition: definition.clone(), folder: files::located(&folder) }
    }

    /// The game.
    pub fn game(&self) -> GameName {
        self.definition.game
    }

    /// The definition of the tournament.
    pub fn definition(self) -> Definition {
        let Self { mut definition, folder } = self;
        definition.folder = folder;
        definition
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::base::bundled::{self, Bundled};

    /// Every bundled tournament, written as a manifest has it and read again, is the same one.
    #[test]
    fn a_description_is_read_as_it_was_written() {
        let mut described = 0;
        let is_definition = |file: &&Bundled| file.name.starts_with("tournament/") && file.name.ends_with(".toml");
        for file in bundled::ALL.iter().copied().filter(is_definition) {
            let definition = Definition::parse(file.text, file.name).unwrap();
            let written = serde_json::to_string(&TournamentDescription::of(&definition)).unwrap();
            let mut read = serde_json::from_str::<TournamentDescription>(&written).unwrap().definition();
            read.folder = PathBuf::new();
            assert_eq!(serde_json::to_string(&read).unwrap(), serde_json::to_string(&definition).unwrap());
            assert_eq!((read.pairs(), read.players.len()), (definition.pairs(), definition.players.len()));
            described += 1;
        }
        assert!(described > 5);
    }
}
