// SPDX-License-Identifier: GPL-3.0-or-later
//! Files that are named by their contents: nothing is ever replaced by something else.

use std::io;
use std::path::PathBuf;

use super::digest;
use halfply_engine::base::replace;

/// Writes a file where `path` puts one of that name, which is the SHA-256 of its contents, and returns the name. That it is
/// there already is as good.
///
/// # Errors
/// If it cannot be written, or something else has its place.
pub fn write_named(bytes: &[u8], path: impl FnOnce(&str) -> PathBuf) -> io::Result<String> {
    let name = digest(bytes);
    replace::replace(&path(&name), bytes, &|contents| digest(contents) == name)?;
    Ok(name)
}
