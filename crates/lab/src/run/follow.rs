// SPDX-License-Identifier: GPL-3.0-or-later
//! Files of a run, read while the run writes them. They are opened for reading only and never locked, so the run does not
//! notice it.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use serde::de::DeserializeOwned;

use super::header::Header;
use super::line::decode;
use halfply_engine::base::files;

/// The most bytes of a journal that is followed, unpacked.
const LARGEST_JOURNAL: u64 = 1 << 30;

/// The most results of a journal that are followed.
const MOST_RESULTS: usize = 1_000_000;

/// Bytes that are read at a time.
const CHUNK: usize = 64 << 10;

/// The most bytes of a line. A file with longer ones is no journal.
const LONGEST_LINE: usize = 8 << 20;

/// The lines of a file that grows. Whatever the file is, one line of it is in memory at a time.
#[derive(Debug)]
pub struct Lines {
    path: PathBuf,
    /// The most bytes of the file, unpacked.
    largest: u64,
    /// Bytes of the file read so far.
    offset: u64,
    /// What follows the last line feed.
    rest: Vec<u8>,
}

impl Lines {
    /// The lines of this file, which need not exist yet and has at most so many bytes.
    #[must_use]
    pub fn of(path: &Path, largest: u64) -> Self {
        Self { path: path.to_owned(), largest, offset: 0, rest: Vec::new() }
    }

    /// Whether the file has begun anew: it is shorter than before, or it is packed and has changed. Then what was read
    /// before does not count, and the next look reads from the beginning.
    ///
    /// # Errors
    /// If the file is no regular file or is too large.
    pub fn is_anew(&mut self) -> io::Result<bool> {
        let length = files::length(&self.path)?;
        if length > self.largest {
            return Err(too_large("the file", self.largest));
        }
        let is_anew = length < self.offset || (self.is_packed() && length != self.offset);
        if is_anew {
            self.rewind();
        }
        Ok(is_anew)
    }

    /// Reads the lines since the last look, without line feeds. An incomplete last line is left for the next look.
    ///
    /// # Errors
    /// If the file cannot be read, is no regular file, or is too large, if a line is too long, or if `take` fails.
    pub fn look(&mut self, mut take: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let length = files::length(&self.path)?;
        if !self.is_packed() {
            let file = files::open_at(&self.path, self.offset)?;
            return self.read(file.take(length.saturating_sub(self.offset)), self.largest, &mut take);
        }
        if length == self.offset {
            return Ok(());
        }
        self.rewind();
        let packed = BufReader::new(files::open_at(&self.path, 0)?);
        let most = self.largest.min(files::most_unpacked(length));
        let read = self.read(MultiGzDecoder::new(packed), most, &mut take);
        // Even if it is damaged, it is not read again before it changes.
        self.offset = length;
        read
    }

    /// Reads the file from its beginning at the next look.
    pub fn rewind(&mut self) {
        *self = Self::of(&self.path, self.largest);
    }

    fn is_packed(&self) -> bool {
        self.path.extension().is_some_and(|extension| extension == "gz")
    }

    /// Takes the whole lines of a reader, up to so many bytes of the file.
    fn read(
        &mut self,
        mut reader: impl Read,
        most: u64,
        take: &mut impl FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut chunk = vec![0; CHUNK];
        loop {
            let length = match reader.read(&mut chunk) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                length => length?,
            };
            if length == 0 {
                return Ok(());
            }
            self.offset += length as u64;
            if self.offset > most {
                return Err(too_large("the file", most));
            }
            let mut parts = chunk[..length].split(|&byte| byte == b'\n');
            // There is always a part after the last line feed; it may be empty.
            let last = parts.next_back().unwrap_or_default();
            for part in parts {
                self.rest.extend_from_slice(part);
                self.check_line()?;
                take(&self.rest)?;
                self.rest.clear();
            }
            self.rest.extend_from_slice(last);
            self.check_line()?;
        }
    }

    fn check_line(&self) -> io::Result<()> {
        if self.rest.len() > LONGEST_LINE { Err(too_large("a line", LONGEST_LINE as u64)) } else { Ok(()) }
    }
}

fn too_large(what: &str, most: u64) -> io::Error {
    io::Error::new(ErrorKind::FileTooLarge, format!("{what} has more than {} MiB", most >> 20))
}

/// The results of a journal that grows.
#[derive(Debug)]
pub struct JournalFollower {
    lines: Lines,
    /// The kind of run whose results are read. Those of others are not.
    experiment: &'static str,
    /// The header; none before it has been read.
    found: Option<Header>,
    /// Hashes of the keys of units. Keys are as long as whoever wrote the file liked.
    keys: HashSet<u64>,
    hasher: RandomState,
    damaged: usize,
    left_out: usize,
}

/// What is new in a journal.
#[derive(Debug)]
pub enum JournalNews<R> {
    /// The journal has begun, or has begun anew: what was read before does not count.
    Begun(Header),
    /// A result. A unit occurs once: its first line counts here.
    Result(R),
}

impl JournalFollower {
    /// The journal at this path, which may be compressed with gzip, of a run of this kind.
    #[must_use]
    pub fn of(path: &Path, experiment: &'static str) -> Self {
        Self {
            lines: Lines::of(path, LARGEST_JOURNAL),
            experiment,
            found: None,
            keys: HashSet::new(),
            hasher: RandomState::new(),
            damaged: 0,
            left_out: 0,
        }
    }

    /// How many lines are damaged. They are left out.
    #[must_use]
    pub fn damaged(&self) -> usize {
        self.damaged
    }

    /// How many results are left out because there are more than can be followed.
    #[must_use]
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// Reads the journal from its beginning at the next look.
    pub fn rewind(&mut self) {
        self.lines.rewind();
        self.keys.clear();
        (self.found, self.damaged, self.left_out) = (None, 0, 0);
    }

    /// Reads what is new since the last look.
    ///
    /// # Errors
    /// As [`Lines::look`], and if the first line is no header.
    pub fn look<R: DeserializeOwned>(
        &mut self,
        mut hear: impl FnMut(JournalNews<R>) -> io::Result<()>,
    ) -> io::Result<()> {
        if self.lines.is_anew()? {
            self.rewind();
        }
        let Self { lines, experiment, found, keys, hasher, damaged, left_out } = self;
        lines.look(|line| {
            let Some(found) = found else {
                let header = Header::parse(line).map_err(|error| {
                    io::Error::new(
                        ErrorKind::InvalidData,
                        format!("the first line is not a header of a journal ({error})"),
                    )
                })?;
                *found = Some(header.clone());
                return if header.experiment == *experiment { hear(JournalNews::Begun(header)) } else { Ok(()) };
            };
            if found.experiment != *experiment {
                return Ok(());
            }
            match decode(line, found) {
                Ok((key, result, _)) => {
                    let key = hasher.hash_one(&key);
                    if keys.len() >= MOST_RESULTS && !keys.contains(&key) {
                        *left_out += 1;
                    } else if keys.insert(key) {
                        return hear(JournalNews::Result(result));
                    }
                }
                Err(_) => *damaged += 1,
            }
            Ok(())
        })
    }
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
    fn lines_appear_when_they_are_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut lines = Lines::of(&path, 100);
        assert_eq!(lines.is_anew().unwrap_err().kind(), ErrorKind::NotFound);
        assert_eq!(lines.look(|_| Ok(())).unwrap_err().kind(), ErrorKind::NotFound);
        let append = |text: &str| {
            let mut file = OpenOptions::new().create(true).append(true).open(&path).unwrap();
            file.write_all(text.as_bytes()).unwrap();
        };
        let mut look = || {
            let (is_anew, mut read) = (lines.is_anew().unwrap(), Vec::new());
            let take = |line: &[u8]| {
                read.push(String::from_utf8(line.to_vec()).unwrap());
                Ok(())
            };
            lines.look(take).unwrap();
            (is_anew, read)
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
        let refusal = |path: &Path| {
            let mut lines = Lines::of(path, 16 << 20);
            lines.is_anew().and_then(|_| lines.look(|_| Ok(()))).unwrap_err().to_string()
        };
        fs::write(&path, vec![b'x'; LONGEST_LINE + 1]).unwrap();
        assert!(refusal(&path).contains("a line has more than 8 MiB"));
        // Sparse: nothing of it is read.
        fs::File::create(&path).unwrap().set_len((16 << 20) + 1).unwrap();
        assert!(refusal(&path).contains("the file has more than 16 MiB"));
        assert!(refusal(folder.path()).contains("folder"));
        // Packed, it is small: what takes long to read is refused before.
        let packed = folder.path().join("file.gz");
        let mut writer = GzEncoder::new(fs::File::create(&packed).unwrap(), Compression::fast());
        (0..15).for_each(|_| writer.write_all(&vec![b'\n'; 1 << 20]).unwrap());
        let length = writer.finish().unwrap().metadata().unwrap().len();
        let most = files::most_unpacked(length) >> 20;
        assert!(most < 15, "{length} bytes");
        let used = allocation_counter::measure(|| {
            assert!(refusal(&packed).contains(&format!("the file has more than {most} MiB")));
        });
        assert!(used.bytes_max < 1 << 20, "{used:?}");
    }

    #[test]
    fn a_journal_is_followed_while_it_is_open() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let header = Header::new("test", &json!({}), 1);
        let mut journal = Journal::<u32>::open(&path, &header, false).unwrap();
        let mut follower = JournalFollower::of(&path, "test");
        let results = |follower: &mut JournalFollower| {
            let mut results = Vec::new();
            let hear = |news| {
                match news {
                    JournalNews::Begun(begun) => assert_eq!(begun, header),
                    JournalNews::Result(result) => results.push(result),
                }
                Ok(())
            };
            follower.look::<u32>(hear).unwrap();
            results
        };
        assert_eq!(results(&mut follower), Vec::<u32>::new());
        for number in 0..3 {
            // The journal checks before each line that nobody else has changed its file.
            journal.append(&number.to_string(), &number, Duration::ZERO).unwrap();
            assert_eq!(results(&mut follower), [number]);
        }
        // Another run can open it while it is followed.
        drop(journal);
        let mut journal = Journal::<u32>::open(&path, &header, false).unwrap();
        journal.append("2", &7, Duration::ZERO).unwrap();
        assert_eq!(results(&mut follower), Vec::<u32>::new(), "a unit counts once");
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"{\"key\":\n").unwrap();
        assert_eq!((results(&mut follower), follower.damaged()), (vec![], 1));
        follower.rewind();
        assert_eq!(results(&mut follower).len(), 3);
        // Results of another kind of run are none of this one.
        let mut other = JournalFollower::of(&path, "other");
        other.look::<u32>(|news| panic!("{news:?}")).unwrap();
        assert_eq!(other.damaged(), 0);
        fs::write(&path, "no journal\n").unwrap();
        let refused = follower.look::<u32>(|_| Ok(())).unwrap_err();
        assert!(refused.to_string().contains("not a header"));
    }
}
