// SPDX-License-Identifier: GPL-3.0-or-later
//! How an engine is started.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use thiserror::Error;

/// An engine that can be started, and its options.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineCommand {
    /// The program. A bare name is searched for in the system's path. Any other path is relative to our working folder,
    /// even if the engine runs in another one.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The folder that it runs in; ours if none is given.
    pub directory: Option<PathBuf>,
    /// Names and values of options, set in this order. Names and choices are case-insensitive; the value of a button is
    /// ignored.
    pub options: Vec<(String, String)>,
}

/// A text that is not a command line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CommandError {
    /// There is no word in it.
    #[error("the engine's command is empty: give its program, such as stockfish or \"/my engines/x\" --flag")]
    Empty,
    /// A quotation mark is not closed, or nothing follows a backslash.
    #[error("the engine's command {0:?} ends within quotation marks or after a backslash: close them or double it")]
    Unbalanced(String),
    /// Two options have one name, apart from upper and lower case, which UCI does not tell apart.
    #[error("the option {0:?} is set twice: leave one out")]
    Twice(String),
}

impl EngineCommand {
    /// Splits a command line into a program and its arguments, at blanks outside single or double quotation marks. A
    /// backslash escapes the next character, as in a POSIX shell; on Windows, where it separates folders, it is an
    /// ordinary character. A word that begins with `#` ends the line.
    ///
    /// # Errors
    /// If the line is empty or unbalanced.
    pub fn parse(text: &str) -> Result<Self, CommandError> {
        let mut words = split(text, cfg!(windows)).ok_or_else(|| CommandError::Unbalanced(text.to_owned()))?;
        if words.first().is_none_or(String::is_empty) {
            return Err(CommandError::Empty);
        }
        let arguments = words.split_off(1);
        Ok(Self { program: words.concat().into(), arguments, ..Self::default() })
    }

    /// The program's file name, for people.
    pub fn file_name(&self) -> String {
        self.program.file_name().unwrap_or(self.program.as_os_str()).to_string_lossy().into_owned()
    }

    /// The system's command, with pipes for stdin and stdout. stderr is discarded: an engine could block on a full
    /// pipe.
    pub(super) fn prepare(&self) -> io::Result<Command> {
        let mut command = Command::new(located(&self.program)?);
        command.args(&self.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        if let Some(directory) = &self.directory {
            // The system would report a missing folder as if the program were missing.
            if !directory.is_dir() {
                let reason = format!("there is no folder {} to run it in", directory.display());
                return Err(io::Error::new(io::ErrorKind::NotFound, reason));
            }
            command.current_dir(directory);
        }
        apart(&mut command);
        Ok(command)
    }
}

/// Keeps Ctrl-C at our terminal from the engine, which would otherwise end before we know why.
#[cfg(unix)]
fn apart(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

/// Keeps Ctrl-C in our console from the engine, which would otherwise end before we know why.
#[cfg(windows)]
fn apart(command: &mut Command) {
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;
    std::os::windows::process::CommandExt::creation_flags(command, CREATE_NEW_PROCESS_GROUP);
}

/// Other systems have no process groups.
#[cfg(not(any(unix, windows)))]
fn apart(_: &mut Command) {}

/// Where the program is, whichever folder it will run in.
fn located(program: &Path) -> io::Result<PathBuf> {
    let bare = program.components().count() == 1 && program.file_name() == Some(program.as_os_str());
    if bare { Ok(program.to_owned()) } else { std::path::absolute(program) }
}

/// The words of a command line; none if it is unbalanced.
fn split(text: &str, backslashes_are_literal: bool) -> Option<Vec<String>> {
    if !backslashes_are_literal {
        return shlex::split(text);
    }
    // Within single quotation marks backslashes are literal anyway; elsewhere two of them stand for one.
    let (mut escaped, mut quote) = (String::with_capacity(text.len()), None);
    for symbol in text.chars() {
        match (symbol, quote) {
            ('\'' | '"', None) => quote = Some(symbol),
            (_, Some(open)) if open == symbol => quote = None,
            ('\\', None | Some('"')) => escaped.push('\\'),
            _ => {}
        }
        escaped.push(symbol);
    }
    shlex::split(&escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str, backslashes_are_literal: bool) -> Vec<String> {
        split(text, backslashes_are_literal).unwrap()
    }

    #[test]
    fn a_command_line_is_split_as_in_a_shell() {
        let command = EngineCommand::parse("'/my engines/x' --flag \"a b\" c").unwrap();
        assert_eq!(command.program, Path::new("/my engines/x"));
        assert_eq!(command.arguments, ["--flag", "a b", "c"]);
        assert_eq!(command.file_name(), "x");
        assert_eq!((command.directory, command.options), (None, Vec::new()));
        assert_eq!(EngineCommand::parse(" stockfish ").unwrap().program, Path::new("stockfish"));
        assert_eq!(words(r"/my\ engines/x", false), ["/my engines/x"]);
    }

    #[test]
    fn backslashes_survive_where_they_separate_folders() {
        for (text, expected) in [
            (r"C:\engines\x.exe -a", vec![r"C:\engines\x.exe", "-a"]),
            (r#""C:\my engines\" 'D:\it "is"' \\server\x"#, vec![r"C:\my engines\", r#"D:\it "is""#, r"\\server\x"]),
            (r#""it's \n" b"#, vec![r"it's \n", "b"]),
        ] {
            assert_eq!(words(text, true), expected);
        }
    }

    #[test]
    fn what_is_no_command_is_refused() {
        for text in ["", "  \t", "''", "'' x"] {
            assert_eq!(EngineCommand::parse(text), Err(CommandError::Empty), "{text}");
        }
        for text in ["'x", "\"x", "x 'y"] {
            assert_eq!(EngineCommand::parse(text), Err(CommandError::Unbalanced(text.to_owned())));
            assert_eq!(split(text, true), None);
        }
    }

    #[test]
    fn only_bare_names_are_looked_up() {
        assert_eq!(located(Path::new("stockfish")).unwrap(), Path::new("stockfish"));
        for text in ["./stockfish", "engines/stockfish", "../stockfish"] {
            assert!(located(Path::new(text)).unwrap().is_absolute(), "{text}");
        }
    }
}
