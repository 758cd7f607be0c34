// SPDX-License-Identifier: GPL-3.0-or-later
//! SHA-256 in hexadecimal: it identifies contents in configurations, journals and lists.

use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::files;

/// Digits of a [`short`] digest.
const SHORT: usize = 16;

/// The bytes of a file that are read at a time.
const PART: usize = 64 << 10;

/// All 64 digits.
pub fn digest(contents: impl AsRef<[u8]>) -> String {
    digits(Sha256::digest(contents.as_ref()))
}

/// The first 16 digits: they tell evaluations, models and definitions apart.
pub fn short(contents: impl AsRef<[u8]>) -> String {
    let mut digits = digest(contents);
    digits.truncate(SHORT);
    digits
}

/// All digits of a regular file's contents, however many these are.
///
/// # Errors
/// If it cannot be read, or is a folder, a pipe or a device.
pub fn of_file(path: &Path) -> io::Result<String> {
    let mut file = files::open_at(path, 0)?;
    let (mut hash, mut part) = (Sha256::new(), vec![0; PART]);
    loop {
        match file.read(&mut part)? {
            0 => return Ok(digits(hash.finalize())),
            count => hash.update(&part[..count]),
        }
    }
}

fn digits(digest: impl AsRef<[u8]>) -> String {
    digest.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_the_digest_of_its_contents() {
        // FIPS 180-4's example.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(digest("abc"), abc);
        assert_eq!(short("abc"), abc[..SHORT]);
        let file = tempfile::NamedTempFile::new().unwrap();
        let contents: Vec<u8> = (0..3 * PART + 1).map(|place| (place % 251) as u8).collect();
        std::fs::write(&file, &contents).unwrap();
        assert_eq!(of_file(file.path()).unwrap(), digest(&contents));
    }
}
