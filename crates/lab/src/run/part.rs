// SPDX-License-Identifier: GPL-3.0-or-later
//! Parts of a journal, read while a run writes it. The file is opened for reading only and never locked, so the run does not
//! notice it.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use serde::de::DeserializeOwned;

use super::header::Header;
use super::line::decode;
use halfply_engine::base::files;

/// The most bytes of a journal that is read by parts, unpacked.
const LARGEST: u64 = 1 << 30;

/// The most bytes of a header.
const LONGEST_HEADER: u64 = 8 << 20;

/// Some results of a journal.
#[derive(Debug)]
pub struct Part<R> {
    /// The header of the journal.
    pub header: Header,
    /// The results in the order of the file. A unit may occur twice, and then its first result counts.
    pub results: Vec<Placed<R>>,
    /// Lines that are damaged. They are left out.
    pub damaged: u64,
    /// Where the next part begins. It is where this one begins if there is nothing more yet.
    pub next: u64,
}

/// A result and its place.
#[derive(Debug)]
pub struct Placed<R> {
    /// Where its line begins, in bytes.
    pub at: u64,
    /// The key of its unit.
    pub key: String,
    /// The result.
    pub result: R,
}

/// The results whose lines begin at a place, 0 for the first of all, and end within so many bytes from there. The journal is of
/// this kind of run, and may be compressed with gzip. A line that has no end yet is left for later.
///
/// # Errors
/// If the file cannot be read, is no regular file or no journal of this kind, or the place is beyond what is read of it.
pub fn part<R: DeserializeOwned>(path: &Path, experiment: &str, from: u64, most: u64) -> io::Result<Part<R>> {
    files::ensure_regular(path)?;
    let is_packed = path.extension().is_some_and(|extension| extension == "gz");
    // Packed, what takes long to read is small.
    let largest = if is_packed { LARGEST.min(files::most_unpacked(files::length(path)?)) } else { LARGEST };
    let too_large = || io::Error::new(ErrorKind::FileTooLarge, format!("it has more than {} MiB", largest >> 20));
    if from > largest {
        let reason = format!("at most {} MiB are read of it, and this part begins beyond", largest >> 20);
        return Err(io::Error::new(ErrorKind::InvalidInput, reason));
    }
    let plain = |at: u64| files::open_at(path, at).map(BufReader::new);
    let mut reader: Box<dyn BufRead> =
        if is_packed { Box::new(BufReader::new(MultiGzDecoder::new(plain(0)?))) } else { Box::new(plain(0)?) };
    let mut first = Vec::new();
    reader.by_ref().take(LONGEST_HEADER).read_until(b'\n', &mut first)?;
    let no_header = |reason: String| {
        io::Error::new(ErrorKind::InvalidData, format!("the first line is no header of a journal ({reason})"))
    };
    let header = Header::parse(&first).map_err(no_header)?;
    if header.experiment != experiment {
        return Err(no_header(format!("it is one of {:?}", header.experiment)));
    }
    let mut at = from.max(first.len() as u64);
    if is_packed {
        io::copy(&mut reader.by_ref().take(at - first.len() as u64), &mut io::sink())?;
    } else {
        reader = Box::new(plain(at)?);
    }
    let mut bytes = Vec::new();
    reader.take(most).read_to_end(&mut bytes)?;
    if at + bytes.len() as u64 > largest {
        return Err(too_large());
    }
    let (mut results, mut damaged) = (Vec::new(), 0);
    let end = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    for line in bytes[..end].split_inclusive(|&byte| byte == b'\n') {
        match decode(line, &header) {
            Ok((key, result, _)) => results.push(Placed { at, key, result }),
            Err(_) => damaged += 1,
        }
        at += line.len() as u64;
    }
    Ok(Part { header, results, damaged, next: at })
}

#[cfg(test)]
mod tests {
    use std::fs::{self, OpenOptions};
    use std::io::Write;
    use std::time::Duration;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use serde_json::json;

    use super::*;
    use crate::run::Journal;

    #[test]
    fn a_journal_is_read_by_parts_while_it_is_open() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let header = Header::new("test", &json!({}), 1);
        let mut journal = Journal::<u32>::open(&path, &header, false).unwrap();
        let read = |from| part::<u32>(&path, "test", from, 1 << 20).unwrap();
        let values = |part: &Part<u32>| part.results.iter().map(|placed| placed.result).collect::<Vec<_>>();
        let mut next = read(0).next;
        for number in 0..3 {
            // The journal checks before each line that nobody else has changed its file.
            journal.append(&number.to_string(), number, Duration::ZERO).unwrap();
            let found = read(next);
            assert_eq!((values(&found), &found.header), (vec![number], &header));
            next = found.next;
        }
        assert_eq!((values(&read(0)), read(next).next), (vec![0, 1, 2], next));
        let second = read(0).results[1].at;
        assert_eq!(values(&read(second)), [1, 2]);
        assert_eq!(values(&part(&path, "test", 0, next - second - 1).unwrap()), [0], "whole lines");
        drop(journal);
        // Half of a line is left for later, and a damaged one is counted.
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"{\"key\":").unwrap();
        assert_eq!(read(next).next, next);
        file.write_all(b"\n").unwrap();
        assert_eq!((values(&read(0)), read(0).damaged), (vec![0, 1, 2], 1));
        // The same, packed.
        let packed = folder.path().join("journal.jsonl.gz");
        let mut writer = GzEncoder::new(fs::File::create(&packed).unwrap(), Compression::fast());
        writer.write_all(&fs::read(&path).unwrap()).unwrap();
        writer.finish().unwrap();
        let found = part::<u32>(&packed, "test", second, 1 << 20).unwrap();
        assert_eq!((values(&found), found.next), (vec![1, 2], read(0).next));
        let refused = |path: &Path, from| part::<u32>(path, "other", from, 100).unwrap_err().to_string();
        assert!(refused(&path, 0).contains("it is one of \"test\""));
        assert!(refused(&path, u64::MAX).contains("at most 1024 MiB are read of it, and this part begins beyond"));
        fs::write(&path, "no journal\n").unwrap();
        assert!(refused(&path, 0).contains("no header"));
        assert!(refused(folder.path(), 0).contains("folder"));
    }
}
