// SPDX-License-Identifier: GPL-3.0-or-later
//! Another program as a file or a command describes it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::client::{Client, CommandError, EngineCommand, EngineFault};
use halfply_engine::games::RegisteredGame;

/// Another program with its options, as a file or a command describes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramSpec {
    /// The program and its arguments, as for a shell.
    pub command: String,
    /// The folder it runs in; by default the working folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<PathBuf>,
    /// Names and values of its UCI options, set in this order.
    #[serde(default)]
    pub options: Vec<(String, String)>,
}

/// Another program, prepared for a game.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its description.
    pub spec: ProgramSpec,
    /// How it is started.
    pub command: EngineCommand,
    /// Options that the game requires.
    pub required: Vec<(String, String)>,
    /// The name that it reports; empty before [`try_out`](Self::try_out).
    pub title: String,
}

/// What the results of another program depend on. Journals store it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramRecord {
    /// The program and its arguments, as given.
    pub command: String,
    /// The folder it runs in, as given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<PathBuf>,
    /// Its UCI options.
    pub options: Vec<(String, String)>,
    /// The name that it reports, with its version: another version is another player.
    pub title: String,
}

impl ProgramSpec {
    /// The program, prepared for the game `G`. `path` locates the named files.
    ///
    /// # Errors
    /// If the command is empty or has unbalanced quotation marks, or if an option is set twice.
    pub fn program<G: RegisteredGame>(&self, path: impl Fn(&Path) -> PathBuf) -> Result<Program, CommandError> {
        let mut command = EngineCommand::parse(&self.command)?;
        // The system searches for bare names.
        if command.program.components().count() > 1 {
            command.program = path(&command.program);
        }
        command.directory = self.directory.as_deref().map(path);
        check_names(&self.options)?;
        command.options.clone_from(&self.options);
        Ok(Program { spec: self.clone(), command, required: G::required_options(), title: String::new() })
    }
}

/// Checks that each option is set once.
///
/// # Errors
/// If two names differ at most in upper and lower case.
pub fn check_names(options: &[(String, String)]) -> Result<(), CommandError> {
    let mut seen = HashSet::new();
    match options.iter().find(|(name, _)| !seen.insert(name.to_ascii_lowercase())) {
        Some((name, _)) => Err(CommandError::Twice(name.clone())),
        None => Ok(()),
    }
}

impl Program {
    /// Sets it for Chess960.
    pub fn play_chess960(&mut self) {
        self.required.push(("UCI_Chess960".to_owned(), "true".to_owned()));
    }

    /// Starts it once, to check that it runs, has the options, and plays the game, and to get its name. It has `patience` to
    /// get ready.
    ///
    /// # Errors
    /// As [`Client::start`].
    pub fn try_out(&mut self, patience: Duration, interrupted: &dyn Fn() -> bool) -> Result<Client, EngineFault> {
        let client = Client::start(&self.command, &self.required, patience, interrupted)?;
        client.name().clone_into(&mut self.title);
        Ok(client)
    }

    /// What its results depend on.
    pub fn record(&self) -> ProgramRecord {
        let ProgramSpec { command, directory, options } = self.spec.clone();
        ProgramRecord { command, directory, options, title: self.title.clone() }
    }
}

impl ProgramRecord {
    /// The program in one line: the name that it gave itself, or its command if it was not started.
    pub fn description(&self) -> String {
        let name = if self.title.is_empty() { &self.command } else { &self.title };
        let options = self.options.iter().map(|(name, value)| format!("{name}={value}"));
        std::iter::once(name.clone()).chain(options).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::games::{Breakthrough, Chess};

    #[test]
    fn named_files_are_found_and_bare_names_are_left_to_the_system() {
        let program = |command: &str| {
            let spec = ProgramSpec {
                command: command.to_owned(),
                directory: Some("home".into()),
                options: vec![("Hash".to_owned(), "1".to_owned())],
            };
            spec.program::<Breakthrough>(|path| Path::new("/folder").join(path))
        };
        let (near, bare) = (program("./x --flag").unwrap(), program("x").unwrap());
        assert_eq!(near.command.program, Path::new("/folder/./x"));
        assert_eq!((&bare.command.program, near.command.arguments), (&PathBuf::from("x"), vec!["--flag".to_owned()]));
        assert_eq!(bare.command.directory, Some(PathBuf::from("/folder/home")));
        assert_eq!(bare.command.options, bare.spec.options);
        // Records do not depend on the folder of the description.
        assert_eq!(bare.record().directory, Some(PathBuf::from("home")));
        assert_eq!(bare.required, Breakthrough::required_options());
        assert_eq!(bare.record().description(), "x, Hash=1", "it was not started");
        assert!(program("'x").is_err() && program("").is_err());
    }

    #[test]
    fn no_option_is_set_twice() {
        let options = ["Hash", "Threads", "hash"].map(|name| (name.to_owned(), "1".to_owned()));
        let spec = ProgramSpec { command: "x".to_owned(), options: options.to_vec(), ..ProgramSpec::default() };
        let error = spec.program::<Chess>(Path::to_owned).unwrap_err();
        assert_eq!(error, CommandError::Twice("hash".to_owned()));
        assert_eq!(check_names(&options[..2]), Ok(()));
    }

    #[test]
    fn chess960_is_a_required_option() {
        let spec = ProgramSpec { command: "x".to_owned(), ..ProgramSpec::default() };
        let mut program = spec.program::<Chess>(Path::to_owned).unwrap();
        program.play_chess960();
        assert_eq!(program.required, [("UCI_Chess960".to_owned(), "true".to_owned())]);
    }
}
