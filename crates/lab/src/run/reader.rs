// SPDX-License-Identifier: GPL-3.0-or-later
//! Journals, read line by line: of one of many gigabytes only the results are in memory.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::path::Path;
use std::time::Duration;

use flate2::read::MultiGzDecoder;
use serde::de::DeserializeOwned;

use super::error::{JournalError, Remedies};
use super::header::Header;
use super::line::decode;
use halfply_engine::base::files;

/// The most bytes of a line. A file without line feeds is no journal.
const LONGEST_LINE: u64 = 256 << 20;

/// Reads the whole lines of a journal. Text after the last line feed is a line that is being written, or that a kill left
/// incomplete.
pub(super) struct Reader<'a> {
    input: Box<dyn BufRead + 'a>,
    path: &'a Path,
    remedies: &'a Remedies,
    /// The line that was read last.
    line: Vec<u8>,
    /// Its number, from 1.
    number: usize,
    /// Bytes of the lines so far, with their line feeds.
    length: u64,
}

impl<'a> Reader<'a> {
    /// Reads the text of a journal; the path and the remedies are for errors.
    pub(super) fn new(input: impl Read + 'a, path: &'a Path, remedies: &'a Remedies) -> Self {
        Self { input: Box::new(BufReader::new(input)), path, remedies, line: Vec::new(), number: 0, length: 0 }
    }

    /// Reads a file, decompressed if its name ends in `.gz`.
    ///
    /// # Errors
    /// If it cannot be opened, or is no regular file.
    pub(super) fn of_file(path: &'a Path, remedies: &'a Remedies) -> Result<Self, JournalError> {
        let file = files::open_at(path, 0).map_err(|cause| unreadable(path, remedies, &cause))?;
        let is_packed = path.extension().is_some_and(|extension| extension == "gz");
        if !is_packed {
            return Ok(Self::new(file, path, remedies));
        }
        // A small file may unpack to more than any disk holds.
        let length = files::length(path).map_err(|cause| unreadable(path, remedies, &cause))?;
        Ok(Self::new(Bounded { input: MultiGzDecoder::new(file), left: files::most_unpacked(length) }, path, remedies))
    }

    /// The header in the first line, none if there is no whole line.
    ///
    /// # Errors
    /// If the file cannot be read, or its first line is not a header.
    pub(super) fn header(&mut self) -> Result<Option<Header>, JournalError> {
        if !self.next()? {
            return Ok(None);
        }
        Header::parse(&self.line).map(Some).map_err(|reason| self.no_header(&reason))
    }

    /// Gives the results in the lines after the header, with the time that each took, in their order. A unit may have several.
    ///
    /// # Errors
    /// If the file cannot be read, or a line is damaged.
    pub(super) fn results<R: DeserializeOwned>(
        &mut self,
        header: &Header,
        mut take: impl FnMut(String, R, Duration),
    ) -> Result<(), JournalError> {
        while self.next()? {
            let (key, result, time) = decode(&self.line, header).map_err(|reason| JournalError::Damaged {
                path: self.path.to_owned(),
                line: self.number,
                reason,
                remedy: self.remedies.damaged,
            })?;
            take(key, result, time);
        }
        Ok(())
    }

    /// Bytes of the whole lines that were read.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// The text after the last whole line, once the end was reached.
    pub(super) fn rest(&self) -> &[u8] {
        &self.line
    }

    /// Says that this is not a journal.
    pub(super) fn no_header(&self, reason: &str) -> JournalError {
        JournalError::NoHeader {
            path: self.path.to_owned(),
            reason: reason.to_owned(),
            remedy: self.remedies.no_header,
        }
    }

    /// Reads the next line; false if no whole one is left.
    fn next(&mut self) -> Result<bool, JournalError> {
        self.line.clear();
        let read = self.input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut self.line);
        let read = read.map_err(|cause| unreadable(self.path, self.remedies, &cause))? as u64;
        if read == LONGEST_LINE && self.line.last() != Some(&b'\n') {
            let reason = format!("it has more than {} MiB in line {}", LONGEST_LINE >> 20, self.number + 1);
            return Err(unreadable(self.path, self.remedies, &io::Error::new(ErrorKind::FileTooLarge, reason)));
        }
        let is_whole = self.line.last() == Some(&b'\n');
        if is_whole {
            self.number += 1;
            self.length += read;
        }
        Ok(is_whole)
    }
}

fn unreadable(path: &Path, remedies: &Remedies, cause: &io::Error) -> JournalError {
    JournalError::Unusable {
        path: path.to_owned(),
        reason: format!("cannot be read ({cause})"),
        remedy: remedies.unreadable,
    }
}

/// An input that may have so many bytes.
struct Bounded<I> {
    input: I,
    left: u64,
}

impl<I: Read> Read for Bounded<I> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        let too_large = || io::Error::new(ErrorKind::FileTooLarge, "unpacked, it is much larger than journals are");
        self.left = self.left.checked_sub(read as u64).ok_or_else(too_large)?;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::super::error::LOOK;
    use super::*;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn a_packed_file_is_read_as_far_as_it_may_be_large() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl.gz");
        let header = Header::new("test", &0, 0);
        let text = serde_json::to_string(&header).unwrap() + "\n";
        fs::write(&path, packed(text.as_bytes())).unwrap();
        let mut reader = Reader::of_file(&path, &LOOK).unwrap();
        assert_eq!(reader.header().unwrap(), Some(header));
        assert_eq!(reader.length(), text.len() as u64);

        // Four kilobytes that unpack to four megabytes.
        fs::write(&path, packed(&vec![b' '; 4 << 20])).unwrap();
        let error = Reader::of_file(&path, &LOOK).unwrap().header().unwrap_err().to_string();
        assert!(error.contains("unpacked, it is much larger than journals are"), "{error}");
    }
}
