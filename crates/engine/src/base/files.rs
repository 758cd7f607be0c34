// SPDX-License-Identifier: GPL-3.0-or-later
//! The one way to read a file: whole, up to a limit, and only if it is a regular file. Pipes and devices may never end,
//! and opening a pipe waits for a writer.

use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;

/// The most bytes of a text file: several million positions.
pub const LARGEST_TEXT: u64 = 1 << 30;

/// How much larger unpacked contents may be: games and journals become at most 20 times as large.
const LARGEST_FACTOR: u64 = 100;

/// The least number of bytes that are always unpacked.
const LEAST_UNPACKED: u64 = 1 << 20;

/// The path for a process in another working folder: absolute, if the file exists. Otherwise it is not changed, because it
/// may be the name of a [bundled](super::bundled) file.
pub fn located(path: &Path) -> PathBuf {
    if path.exists() { std::path::absolute(path).unwrap_or_else(|_| path.to_owned()) } else { path.to_owned() }
}

/// What results call a file: its path in the current folder. Of another absolute path it is the last part, because results
/// are shared, and folders can name the user and the machine.
pub fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let part = match path.strip_prefix(here) {
        _ if path.is_relative() => path,
        Ok(inside) if inside.file_name().is_some() => inside,
        _ => path.file_name().map_or(Path::new("."), Path::new),
    };
    part.display().to_string()
}

/// The bytes of a regular file of at most `most` bytes.
///
/// # Errors
/// If it cannot be read, is a folder, a pipe or a device, is too large, or does not fit into memory.
#[allow(clippy::disallowed_methods, reason = "this is what is to be used instead")]
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    // Before the file is opened: opening a pipe without a writer would block for ever.
    check(&fs::metadata(path)?, most)?;
    let file = File::open(path)?;
    let size = check(&file.metadata()?, most)?;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(size as usize)?;
    read_into(&mut bytes, file, most)?;
    Ok(bytes)
}

/// The first `most` bytes of a regular file, or all if it has fewer.
///
/// # Errors
/// If it cannot be read, or is a folder, a pipe or a device.
pub fn read_beginning(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_from(path, 0, most)
}

/// A regular file, opened to be read from `offset` on: for files that grow while they are read, and for large ones.
///
/// # Errors
/// As [`read_beginning`].
#[allow(clippy::disallowed_methods, reason = "this is what is to be used instead")]
pub fn open_at(path: &Path, offset: u64) -> io::Result<File> {
    check(&fs::metadata(path)?, u64::MAX)?;
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(offset))?;
    Ok(file)
}

/// The bytes of a regular file from `offset` on, at most `most`.
///
/// # Errors
/// As [`read_beginning`].
pub fn read_from(path: &Path, offset: u64, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_at(path, offset)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// As [`read`], but the contents of a file whose name ends in `.gz` are decompressed; `most` is of the result too.
///
/// # Errors
/// As [`read`], and if it is damaged.
pub fn read_unpacked(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let bytes = read(path, most)?;
    let is_packed = path.extension().is_some_and(|extension| extension == "gz");
    if is_packed { unpack(&bytes, most) } else { Ok(bytes) }
}

/// The contents of data that is compressed with gzip. A small file that would fill the memory is refused.
///
/// # Errors
/// If it is damaged, or unpacks to more than `most` bytes or to much more than games and journals do.
pub fn unpack(packed: &[u8], most: u64) -> io::Result<Vec<u8>> {
    let most = most.min(most_unpacked(packed.len() as u64));
    let mut bytes = Vec::new();
    read_into(&mut bytes, MultiGzDecoder::new(packed), most).map_err(|error| match error.kind() {
        io::ErrorKind::FileTooLarge => io::Error::new(error.kind(), format!("unpacked, {error}")),
        _ => error,
    })?;
    Ok(bytes)
}

/// The most bytes that so many bytes are unpacked to.
pub fn most_unpacked(packed: u64) -> u64 {
    packed.saturating_mul(LARGEST_FACTOR).saturating_add(LEAST_UNPACKED)
}

/// The length of a regular file.
///
/// # Errors
/// If it is a folder, a pipe or a device, or cannot be examined.
pub fn length(path: &Path) -> io::Result<u64> {
    check(&fs::metadata(path)?, u64::MAX)
}

/// Refuses a path that exists and is not a regular file.
///
/// # Errors
/// If it is a folder, a pipe or a device, or cannot be examined.
pub fn ensure_regular(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(about) => check(&about, u64::MAX).map(drop),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// The size of a regular file that is not too large.
fn check(about: &Metadata, most: u64) -> io::Result<u64> {
    if about.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    if !about.is_file() {
        return Err(io::Error::other("it is a pipe or a device, not a file"));
    }
    if about.len() > most {
        return Err(too_large(most));
    }
    Ok(about.len())
}

fn read_into(bytes: &mut Vec<u8>, reader: impl Read, most: u64) -> io::Result<()> {
    // A file may grow while it is read, and some files report size 0 but have contents.
    let read = reader.take(most.saturating_add(1)).read_to_end(bytes)?;
    if read as u64 > most { Err(too_large(most)) } else { Ok(()) }
}

fn too_large(most: u64) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {} MiB, which are the most", most >> 20))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_whole_up_to_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "0123456789").unwrap();
        assert_eq!(read(&path, 10).unwrap(), b"0123456789");
        assert_eq!(read_beginning(&path, 4).unwrap(), b"0123");
        assert_eq!((read_from(&path, 4, 3).unwrap(), read_from(&path, 20, 3).unwrap()), (b"456".to_vec(), Vec::new()));
        assert_eq!(read(&path, 9).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(read(folder.path(), 10).unwrap_err().kind(), io::ErrorKind::IsADirectory);
        assert_eq!(read(&folder.path().join("none"), 10).unwrap_err().kind(), io::ErrorKind::NotFound);
        // Sparse: the reported size decides, and nothing is read.
        File::create(&path).unwrap().set_len(1 << 40).unwrap();
        assert_eq!(read(&path, LARGEST_TEXT).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }

    #[test]
    fn results_name_no_folder_outside_of_the_current_one() {
        let here = std::env::current_dir().unwrap();
        for (path, expected) in [
            ("suites/ecm.epd".into(), "suites/ecm.epd"),
            ("../ecm.epd".into(), "../ecm.epd"),
            (here.join("runs").join("ecm.epd"), "runs/ecm.epd"),
            (here.parent().unwrap().join("ecm.epd"), "ecm.epd"),
            (here.ancestors().last().unwrap().to_owned(), "."),
        ] {
            assert_eq!(shown(&path).replace('\\', "/"), expected, "{}", path.display());
        }
    }

    #[test]
    fn a_small_file_does_not_fill_the_memory() {
        use std::io::Write;
        let pack = |bytes: &[u8]| {
            let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
            packer.write_all(bytes).unwrap();
            packer.finish().unwrap()
        };
        assert_eq!(unpack(&pack(&[7; 1 << 20]), LARGEST_TEXT).unwrap().len(), 1 << 20);
        let zeros = pack(&vec![0; 64 << 20]);
        assert!(zeros.len() < 100_000);
        let error = unpack(&zeros, LARGEST_TEXT).unwrap_err().to_string();
        assert!(error.starts_with("unpacked, it has more than "), "{error}");
        assert!(unpack(b"no gzip", LARGEST_TEXT).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [&pipe, Path::new("/dev/zero"), Path::new("/dev/null")] {
            for refused in [read(path, 1 << 20), read_beginning(path, 10)] {
                assert!(refused.unwrap_err().to_string().contains("not a file"), "{}", path.display());
            }
        }
        // A file of the kernel reports size 0.
        assert!(!read(Path::new("/proc/self/status"), 1 << 20).unwrap().is_empty());
        assert!(read(Path::new("/proc/self/status"), 10).is_err());
    }
}
