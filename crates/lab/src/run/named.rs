// SPDX-License-Identifier: GPL-3.0-or-later
//! Files that are named by their contents: nothing is ever replaced by something else.

use std::io;
use std::path::PathBuf;

use super::digest;
use halfply_engine::base::replace::Replacement;

/// Writes a file where `path` puts one of that name, which is the SHA-256 of its contents, and returns the name. That it is
/// there already is as good. It is on the disk when this returns, so that a journal that names it is right after a loss of
/// power, too.
///
/// # Errors
/// If it cannot be written, or something else has its place.
pub fn write_named(bytes: &[u8], path: impl FnOnce(&str) -> PathBuf) -> io::Result<String> {
    let name = digest(bytes);
    let is_own = |contents: &[u8]| digest(contents) == name;
    Replacement::new(&path(&name), bytes, &is_own)?.appear(&is_own)?.sync_all()?;
    Ok(name)
}
