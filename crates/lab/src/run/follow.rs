// SPDX-License-Identifier: GPL-3.0-or-later
//! Files of a run, read while the run writes them. They are opened for reading only and never locked, so the run does not
//! notice it.

use std::collections::HashSet;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use serde::de::DeserializeOwned;

use super::header::Header;
use super::line::decode;
use halfply_engine::base::files;

/// The most bytes of a file that is followed.
const LARGEST: u64 = 1 << 30;

/// The most bytes that are read at a time.
const CHUNK: u64 = 16 << 20;

/// The most bytes of a line. A file with longer ones is no journal.
const LONGEST_LINE: usize = 8 << 20;

/// The lines of a file that grows.
#[derive(Debug)]
pub struct Lines {
    path: PathBuf,
    /// Bytes read so far.
    offset: u64,
    /// What follows the last line feed.
    rest: Vec<u8>,
}

/// What is new in a file.
#[derive(Debug, Default)]
pub struct News {
    /// Whether the file has begun anew: what was read before does not count.
    pub is_anew: bool,
    /// The whole lines, without line feeds.
    pub lines: Vec<Vec<u8>>,
}

impl Lines {
    /// The lines of this file, which need not exist yet.
    #[must_use]
    pub fn of(path: &Path) -> Self {
        Self { path: path.to_owned(), offset: 0, rest: Vec::new() }
    }

    /// The lines since the last look. An incomplete last line is left for the next look. A file that has become shorter has
    /// begun anew.
    ///
    /// # Errors
    /// If the file cannot be read, is no regular file, or is too large, or a line is too long.
    pub fn look(&mut self) -> io::Result<News> {
        let mut news = News::default();
        let length = files::length(&self.path)?;
        if length > LARGEST {
            return Err(too_large("the file", LARGEST));
        }
        if length < self.offset {
            *self = Self::of(&self.path);
            news.is_anew = true;
        }
        if self.path.extension().is_some_and(|extension| extension == "gz") {
            if length != self.offset {
                let packed = files::read(&self.path, LARGEST)?;
                self.offset = packed.len() as u64;
                self.rest.clear();
                news.is_anew = true;
                self.take(&files::read_all(MultiGzDecoder::new(&packed[..]), LARGEST)?, &mut news.lines)?;
            }
            return Ok(news);
        }
        while self.offset < length {
            let bytes = files::read_from(&self.path, self.offset, CHUNK.min(length - self.offset))?;
            if bytes.is_empty() {
                break;
            }
            self.offset += bytes.len() as u64;
            self.take(&bytes, &mut news.lines)?;
        }
        Ok(news)
    }

    /// Reads the file from its beginning at the next look.
    pub fn rewind(&mut self) {
        *self = Self::of(&self.path);
    }

    fn take(&mut self, bytes: &[u8], lines: &mut Vec<Vec<u8>>) -> io::Result<()> {
        let mut parts = bytes.split(|&byte| byte == b'\n');
        // There is always a part after the last line feed; it may be empty.
        let last = parts.next_back().unwrap_or_default();
        for part in parts {
            let mut line = std::mem::take(&mut self.rest);
            line.extend_from_slice(part);
            lines.push(line);
        }
        self.rest.extend_from_slice(last);
        let longest = lines.iter().chain([&self.rest]).map(Vec::len).max().unwrap_or_default();
        if longest > LONGEST_LINE { Err(too_large("a line", LONGEST_LINE as u64)) } else { Ok(()) }
    }
}

fn too_large(what: &str, most: u64) -> io::Error {
    io::Error::new(ErrorKind::FileTooLarge, format!("{what} has more than {} MiB", most >> 20))
}

/// The results of a journal that grows.
#[derive(Debug)]
pub struct JournalFollower {
    lines: Lines,
    header: Option<Header>,
    keys: HashSet<String>,
    damaged: usize,
}

/// What is new in a journal.
#[derive(Debug)]
pub struct JournalNews<R> {
    /// Whether the journal has begun anew: what was read before does not count.
    pub is_anew: bool,
    /// The results, each with the key of its unit. A unit occurs once: its first line counts here.
    pub results: Vec<(String, R)>,
}

impl JournalFollower {
    /// The journal at this path, which may be compressed with gzip.
    #[must_use]
    pub fn of(path: &Path) -> Self {
        Self { lines: Lines::of(path), header: None, keys: HashSet::new(), damaged: 0 }
    }

    /// Its header; none before the first line has been read.
    #[must_use]
    pub fn header(&self) -> Option<&Header> {
        self.header.as_ref()
    }

    /// How many lines are damaged. They are left out.
    #[must_use]
    pub fn damaged(&self) -> usize {
        self.damaged
    }

    /// Reads the journal from its beginning at the next look.
    pub fn rewind(&mut self) {
        self.lines.rewind();
        *self = Self { lines: std::mem::replace(&mut self.lines, Lines::of(Path::new(""))), ..Self::of(Path::new("")) };
    }

    /// The results since the last look.
    ///
    /// # Errors
    /// As [`Lines::look`], and if the first line is no header.
    pub fn look<R: DeserializeOwned>(&mut self) -> io::Result<JournalNews<R>> {
        let News { is_anew, lines } = self.lines.look()?;
        if is_anew {
            (self.header, self.damaged) = (None, 0);
            self.keys.clear();
        }
        let mut lines = lines.iter();
        if self.header.is_none()
            && let Some(first) = lines.next()
        {
            let header = serde_json::from_slice(first);
            self.header = Some(header.map_err(|error| {
                io::Error::new(ErrorKind::InvalidData, format!("the first line is no header of a journal ({error})"))
            })?);
        }
        let mut results = Vec::new();
        for line in lines {
            match decode(line) {
                Ok((key, result, _)) if self.keys.insert(key.clone()) => results.push((key, result)),
                Ok(_) => {}
                Err(_) => self.damaged += 1,
            }
        }
        Ok(JournalNews { is_anew, results })
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, OpenOptions};
    use std::io::Write;
    use std::time::Duration;

    use serde_json::json;

    use super::*;
    use crate::run::Journal;

    #[test]
    fn lines_appear_when_they_are_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut lines = Lines::of(&path);
        assert_eq!(lines.look().unwrap_err().kind(), ErrorKind::NotFound);
        let append = |text: &str| {
            let mut file = OpenOptions::new().create(true).append(true).open(&path).unwrap();
            file.write_all(text.as_bytes()).unwrap();
        };
        let mut look = || {
            let News { is_anew, lines } = lines.look().unwrap();
            (is_anew, lines.into_iter().map(|line| String::from_utf8(line).unwrap()).collect::<Vec<_>>())
        };
        let none: Vec<String> = Vec::new();
        append("one\ntw");
        assert_eq!(look(), (false, vec!["one".to_owned()]));
        assert_eq!(look(), (false, none.clone()));
        append("o");
        assert_eq!(look(), (false, none));
        append("\n\nfour\n");
        assert_eq!(look(), (false, ["two", "", "four"].map(str::to_owned).to_vec()));
        fs::write(&path, "new\n").unwrap();
        assert_eq!(look(), (true, vec!["new".to_owned()]));
    }

    #[test]
    fn what_is_too_large_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, vec![b'x'; LONGEST_LINE + 1]).unwrap();
        assert!(Lines::of(&path).look().unwrap_err().to_string().contains("a line has more than 8 MiB"));
        // Sparse: nothing of it is read.
        fs::File::create(&path).unwrap().set_len(LARGEST + 1).unwrap();
        assert!(Lines::of(&path).look().unwrap_err().to_string().contains("the file has more than 1024 MiB"));
        assert!(Lines::of(folder.path()).look().is_err());
    }

    #[test]
    fn a_journal_is_followed_while_it_is_open() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let header = Header::new("test", &json!({}), 1);
        let mut journal = Journal::<u32>::open(&path, &header, false).unwrap();
        let mut follower = JournalFollower::of(&path);
        let results = |follower: &mut JournalFollower| follower.look::<u32>().unwrap().results;
        assert_eq!(results(&mut follower), []);
        assert_eq!(follower.header(), Some(&header));
        for number in 0..3 {
            // The journal checks before each line that nobody else has changed its file.
            journal.append(&number.to_string(), &number, Duration::ZERO).unwrap();
            assert_eq!(results(&mut follower), [(number.to_string(), number)]);
        }
        // Another run can open it while it is followed.
        drop(journal);
        let mut journal = Journal::<u32>::open(&path, &header, false).unwrap();
        journal.append("2", &7, Duration::ZERO).unwrap();
        assert_eq!(results(&mut follower), [], "a unit counts once");
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"{\"key\":\n").unwrap();
        assert_eq!((results(&mut follower), follower.damaged()), (vec![], 1));
        follower.rewind();
        assert_eq!(results(&mut follower).len(), 3);
        fs::write(&path, "no journal\n").unwrap();
        follower.rewind();
        assert!(follower.look::<u32>().unwrap_err().to_string().contains("no header"));
    }
}
