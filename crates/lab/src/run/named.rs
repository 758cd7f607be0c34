// SPDX-License-Identifier: GPL-3.0-or-later
//! Files that are named by their contents: nothing is ever replaced by something else.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::Stop;
use halfply_engine::base::digest::digest;
use halfply_engine::base::files;
use halfply_engine::base::replace::{IsOwn, Replacement};

/// Writes a file where `path` puts one of that name, which is the SHA-256 of its contents, and returns the name. That it is
/// there already is as good. It is on the disk when this returns, so that a journal that names it is right after a loss of
/// power, too.
///
/// # Errors
/// If it cannot be written, or something else has its place.
pub fn write_named(bytes: &[u8], path: impl FnOnce(&str) -> PathBuf) -> io::Result<String> {
    let name = digest(bytes);
    let is_own = IsOwn::Digest(&|digest| digest == name);
    Replacement::new(&path(&name), bytes, is_own)?.appear(is_own)?.sync_all()?;
    Ok(name)
}

/// The same for games of the run in `folder`. If they cannot be written, that is logged, and the run is stopped: others could
/// not be written either.
pub fn keep_named(bytes: &[u8], folder: &Path, path: fn(&Path, &str) -> PathBuf, stop: &Stop) -> Option<String> {
    let written = write_named(bytes, |name| path(folder, name));
    let failed = |error| {
        log::error!("{}: games cannot be written: {error}", folder.display());
        stop.raise();
    };
    written.map_err(failed).ok()
}

/// The bytes of a file that is named by their SHA-256, of at most `largest`.
///
/// # Errors
/// If it cannot be read, or has other contents.
pub fn read_named(path: &Path, name: &str, largest: u64) -> io::Result<Vec<u8>> {
    let bytes = files::read(path, largest)?;
    if digest(&bytes) == name {
        Ok(bytes)
    } else {
        Err(io::Error::new(ErrorKind::InvalidData, "it was changed: its name is not the SHA-256 of its contents"))
    }
}
