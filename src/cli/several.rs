// SPDX-License-Identifier: GPL-3.0-or-later
//! Patterns that the shell has expanded. After the second run, `--extensions runs/learn-*/extensions.toml` becomes
//! several arguments, and all but the first would be mistaken for other arguments.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::{Arg, ArgAction, Command};

/// An error for several files in place of one: if the arguments (without the program's name) contain consecutive files
/// or folders of one kind, and the command takes no list of them.
pub fn refusal(program: &Command, arguments: &[OsString]) -> Option<String> {
    let (mut command, mut arguments) = (program, arguments);
    while let Some((first, rest)) = arguments.split_first()
        && let Some(inner) = first.to_str().and_then(|word| command.find_subcommand(word))
    {
        (command, arguments) = (inner, rest);
    }
    let takes_list = |argument: &Arg| matches!(argument.get_action(), ArgAction::Append);
    if command.get_positionals().any(takes_list) {
        return None;
    }
    let files = arguments.chunk_by(|a, b| is_alike(a, b)).find(|files| files.len() > 1)?;
    let all: Vec<_> = files.iter().map(|file| format!("  {}", Path::new(file).display())).collect();
    Some(format!(
        "one file is wanted instead of {}:\n{}\nIf the shell has made them of a pattern, name one of them, or runs/latest for the \
         newest run",
        files.len(),
        all.join("\n")
    ))
}

/// Whether both are files with the same extension, or both folders.
fn is_alike(a: &OsStr, b: &OsStr) -> bool {
    let (a, b) = (Path::new(a), Path::new(b));
    a.exists() && b.exists() && a.is_dir() == b.is_dir() && a.extension() == b.extension()
}
