// SPDX-License-Identifier: GPL-3.0-or-later
//! The result files in a run's folder: replaced together once all of them are complete, never replacing a file that the
//! program did not write.
//!
//! A list beside them, `halfply-results.json`, holds a checksum of each. A file that is not in the list, or has been
//! changed, is not ours, and the run is refused before it begins. New results are written under temporary names first.
//! Then the list names the old and the new checksums, the files are renamed, and the list names only the new ones. So
//! after a kill at any moment every file is complete, old or new, and in the list.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use super::output::replaced;
use halfply_engine::base::replace::{self, IsOwn, Replacement};
use halfply_engine::base::{digest, files};

/// The list's file.
const LIST: &str = "halfply-results.json";

/// The newest format of the list that this program reads, and the one it writes.
const FORMAT: u32 = 1;

/// A note in the list for the reader.
const ABOUT: &str = "Files here that halfply wrote and may replace. One that has been changed since is left alone.";

/// What to do if a file that is not ours is in the way.
const REMEDY: &str = "move it away, or choose another folder with --out";

/// The list.
#[derive(Debug, Serialize, Deserialize)]
struct List {
    format: u32,
    about: String,
    files: BTreeMap<String, Entry>,
}

/// A file in the list.
#[derive(Debug, Serialize, Deserialize)]
struct Entry {
    /// The command that wrote it.
    command: String,
    /// SHA-256 of its contents; two while it is being replaced.
    sha256: Vec<String>,
}

/// What a result file contains.
pub enum Contents<'a> {
    /// These bytes.
    Whole(Vec<u8>),
    /// What this writes, piece by piece: together it may not fit into memory.
    Written(Box<Writing<'a>>),
}

/// Whether a run has written a result of that name in the folder of the path.
pub fn is_listed(path: &Path) -> bool {
    let list = List::load(&path.with_file_name(LIST)).ok();
    let name = path.file_name().and_then(OsStr::to_str);
    list.zip(name).is_some_and(|(list, name)| list.files.contains_key(name))
}

/// Writes a file from its beginning to its end.
pub type Writing<'a> = dyn Fn(&mut dyn Write) -> Result<()> + 'a;

impl From<Vec<u8>> for Contents<'_> {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Whole(bytes)
    }
}

impl From<String> for Contents<'_> {
    fn from(text: String) -> Self {
        Self::Whole(text.into_bytes())
    }
}

impl Contents<'_> {
    fn write(&self, file: &mut dyn Write) -> Result<()> {
        let mut file = BufWriter::new(file);
        match self {
            Self::Whole(bytes) => file.write_all(bytes)?,
            Self::Written(write) => write(&mut file)?,
        }
        Ok(file.flush()?)
    }
}

/// The result files of a run.
#[derive(Debug)]
pub struct Results {
    folder: PathBuf,
    command: &'static str,
    list: List,
}

impl Results {
    /// The results of a command that may write files of those names. The folder need not exist, and nothing is written.
    ///
    /// # Errors
    /// If a file with one of the names is not ours.
    pub fn find(folder: &Path, command: &'static str, names: &[&str]) -> Result<Self> {
        let list = List::load(&folder.join(LIST))?;
        let results = Self { folder: folder.to_owned(), command, list };
        for name in names {
            results.ensure_ours(name)?;
        }
        Ok(results)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Creates the folder, and checks that it can be written.
    pub fn claim(&self) -> Result<()> {
        fs::create_dir_all(&self.folder).with_context(|| {
            format!("{}: cannot be created; choose a folder that can be written with --out", self.folder.display())
        })?;
        self.save()
    }

    /// Writes files with those names and contents, replacing those that the command has written before.
    pub fn publish<'a, N: Into<String>, C: Into<Contents<'a>>>(
        mut self,
        files: impl IntoIterator<Item = (N, C)>,
    ) -> Result<()> {
        let mut whole = BTreeMap::new();
        for (name, contents) in files {
            let name: String = name.into();
            // It may have appeared during the run.
            self.ensure_ours(&name)?;
            let path = self.folder.join(&name);
            let is_own = |digest: &str| self.has_written(&name, digest);
            let mut file = replaced(&path, Replacement::begin(&path, IsOwn::Digest(&is_own)))?;
            match contents.into().write(file.file()).map_err(anyhow::Error::downcast::<io::Error>) {
                Err(Ok(error)) => replaced(&path, Err(error))?,
                Err(Err(error)) => return Err(error),
                Ok(()) => {}
            }
            let digest = replaced(&path, file.digest())?;
            whole.insert(name, (path, file, digest));
        }
        for (name, (_, _, digest)) in &whole {
            let entry = Entry { command: self.command.to_owned(), sha256: Vec::new() };
            let entry = self.list.files.entry(name.clone()).or_insert(entry);
            self.command.clone_into(&mut entry.command);
            entry.sha256.push(digest.clone());
        }
        self.save()?;
        let mut written = BTreeMap::new();
        for (name, (path, file, digest)) in whole {
            let is_own = |digest: &str| self.has_written(&name, digest);
            replaced(&path, file.appear(IsOwn::Digest(&is_own)))?;
            written.insert(name, digest);
        }
        self.remove_others(&written)?;
        for (name, digest) in written {
            if let Some(entry) = self.list.files.get_mut(&name) {
                entry.sha256 = vec![digest];
            }
        }
        self.save()
    }

    /// Removes files that an earlier run of the command has written and this one has not, because they would look like
    /// results of this run.
    fn remove_others(&mut self, written: &BTreeMap<String, String>) -> Result<()> {
        let is_old = |name: &String, entry: &Entry| entry.command == self.command && !written.contains_key(name);
        let old: Vec<String> =
            self.list.files.iter().filter(|(name, entry)| is_old(name, entry)).map(|(name, _)| name.clone()).collect();
        for name in old {
            let path = self.folder.join(&name);
            if self.is_ours(&name)? {
                replace::remove(&path, IsOwn::Digest(&|digest| self.has_written(&name, digest)))
                    .with_context(|| format!("{}: is of an earlier run and cannot be removed", path.display()))?;
            }
            self.list.files.remove(&name);
        }
        Ok(())
    }

    fn ensure_ours(&self, name: &str) -> Result<()> {
        let path = self.folder.join(name);
        ensure!(
            self.is_ours(name)?,
            "{}: halfply has not written this file as it is now, and its results would replace it; {REMEDY}",
            path.display()
        );
        Ok(())
    }

    /// Whether a file of that name may be replaced: there is none, or it is as we wrote it.
    fn is_ours(&self, name: &str) -> Result<bool> {
        let path = self.folder.join(name);
        let Some(is_file) = is_plain_file(&path)? else { return Ok(true) };
        if !is_file {
            return Ok(false);
        }
        let digest = digest::of_file(&path).with_context(|| format!("{}: cannot be read; {REMEDY}", path.display()))?;
        Ok(self.has_written(name, &digest))
    }

    /// Whether the list has a file of that name with contents of this digest.
    fn has_written(&self, name: &str, digest: &str) -> bool {
        self.list.files.get(name).is_some_and(|entry| entry.sha256.iter().any(|known| known == digest))
    }

    fn save(&self) -> Result<()> {
        let (path, text) = (self.folder.join(LIST), serde_json::to_string_pretty(&self.list)? + "\n");
        replaced(&path, replace::replace(&path, text, &|found: &[u8]| List::parse(found).is_some()))
    }
}

impl List {
    fn load(path: &Path) -> Result<Self> {
        let refused = || format!("{}: is not a list of results that this halfply can read; {REMEDY}", path.display());
        match is_plain_file(path)? {
            None => Ok(Self { format: FORMAT, about: ABOUT.to_owned(), files: BTreeMap::new() }),
            Some(false) => bail!(refused()),
            Some(true) => {
                let text = files::read(path, files::LARGEST_TEXT).with_context(refused)?;
                Self::parse(&text).with_context(refused)
            }
        }
    }

    /// The list in a file; none if it is no list, or names files outside of its folder.
    fn parse(text: &[u8]) -> Option<Self> {
        let list: Self = serde_json::from_slice(text).ok()?;
        let is_name = |name: &String| {
            let mut components = Path::new(name).components();
            matches!((components.next(), components.next()), (Some(Component::Normal(only)), None) if only == name.as_str())
                && name != LIST
        };
        (list.format == FORMAT && list.files.keys().all(is_name)).then_some(list)
    }
}

/// Whether the path is a plain file and not a link; none if it does not exist.
fn is_plain_file(path: &Path) -> Result<Option<bool>> {
    match fs::symlink_metadata(path) {
        Ok(metadata) => Ok(Some(metadata.is_file())),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(error).with_context(|| format!("{}: cannot be examined; {REMEDY}", path.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 2] = ["one.txt", "two.txt"];

    fn find(folder: &Path) -> Result<Results> {
        let results = Results::find(folder, "learn", &NAMES)?;
        results.claim()?;
        Ok(results)
    }

    fn publish(folder: &Path, files: &[(&str, &str)]) {
        let files: Vec<(&str, String)> = files.iter().map(|&(name, text)| (name, text.to_owned())).collect();
        find(folder).unwrap().publish(files).unwrap();
    }

    /// The folder's files with their contents, but for the list.
    fn contents(folder: &Path) -> Vec<(String, String)> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let read = |path: PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read_to_string(&path).unwrap_or_default())
        };
        let mut files: Vec<_> = entries.map(read).filter(|(name, _)| name != LIST).collect();
        files.sort();
        files
    }

    fn owned(files: &[(&str, &str)]) -> Vec<(String, String)> {
        files.iter().map(|&(name, text)| (name.to_owned(), text.to_owned())).collect()
    }

    #[test]
    fn files_of_others_are_refused_and_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let refused = || {
            let before = contents(folder.path());
            let reason = find(folder.path()).unwrap_err().to_string();
            assert!(reason.contains("one.txt") && reason.contains("--out"), "{reason}");
            assert_eq!(contents(folder.path()), before);
        };
        fs::write(folder.path().join("one.txt"), "mine").unwrap();
        refused();
        assert!(!folder.path().join(LIST).exists(), "nothing is written before it is refused");
        fs::remove_file(folder.path().join("one.txt")).unwrap();
        fs::create_dir(folder.path().join("one.txt")).unwrap();
        refused();
        fs::remove_dir(folder.path().join("one.txt")).unwrap();
        // A result of ours that somebody has edited.
        publish(folder.path(), &[("one.txt", "first")]);
        assert!(find(folder.path()).is_ok());
        fs::write(folder.path().join("one.txt"), "edited").unwrap();
        refused();
        #[cfg(unix)]
        {
            fs::rename(folder.path().join("one.txt"), folder.path().join("mine.txt")).unwrap();
            for target in ["mine.txt", "nowhere"] {
                std::os::unix::fs::symlink(target, folder.path().join("one.txt")).unwrap();
                refused();
                fs::remove_file(folder.path().join("one.txt")).unwrap();
            }
        }
        // And one that is no list of ours.
        let entry = r#"{"command": "learn", "sha256": []}"#;
        let outside = ["../one.txt", "/one.txt", "a/one.txt", ".", "", LIST];
        let outside = outside.map(|name| format!(r#"{{"format": 1, "about": "", "files": {{"{name}": {entry}}}}}"#));
        for text in outside.iter().map(String::as_str).chain(["{\"my\": \"list\"}"]) {
            fs::write(folder.path().join(LIST), text).unwrap();
            assert!(find(folder.path()).unwrap_err().to_string().contains("not a list of results"), "{text}");
        }
    }

    #[test]
    fn a_file_that_appears_during_the_run_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let results = find(folder.path()).unwrap();
        fs::write(folder.path().join("two.txt"), "mine").unwrap();
        let files = [("one.txt", "1".to_owned()), ("two.txt", "2".to_owned())];
        assert!(results.publish(files).unwrap_err().to_string().contains("two.txt"));
        assert_eq!(contents(folder.path()), owned(&[("two.txt", "mine")]));
    }

    #[test]
    fn results_that_cannot_be_written_to_their_end_replace_nothing() {
        let folder = tempfile::tempdir().unwrap();
        publish(folder.path(), &[("one.txt", "1"), ("two.txt", "2")]);
        let endings: [fn() -> Result<()>; 2] = [|| bail!("no such move"), || Err(io::Error::other("disk full").into())];
        for (ending, reason) in endings.into_iter().zip(["no such move", "two.txt: cannot be written: disk full"]) {
            let write = move |file: &mut dyn Write| {
                file.write_all(b"a game")?;
                ending()
            };
            let two = Contents::Written(Box::new(write));
            let files = [("one.txt", Contents::from("new".to_owned())), ("two.txt", two)];
            let error = find(folder.path()).unwrap().publish(files).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
            assert_eq!(contents(folder.path()), owned(&[("one.txt", "1"), ("two.txt", "2")]));
        }
    }

    #[test]
    fn results_replace_those_of_the_same_command_alone() {
        let folder = tempfile::tempdir().unwrap();
        publish(folder.path(), &[("one.txt", "1"), ("two.txt", "2")]);
        let other = Results::find(folder.path(), "experiment", &["three.txt"]).unwrap();
        other.publish([("three.txt", "3".to_owned())]).unwrap();
        publish(folder.path(), &[("one.txt", "new")]);
        assert_eq!(contents(folder.path()), owned(&[("one.txt", "new"), ("three.txt", "3")]));
        // What has been edited stays, and is nobody's from then on.
        publish(folder.path(), &[("one.txt", "1"), ("two.txt", "2")]);
        let results = find(folder.path()).unwrap();
        fs::write(folder.path().join("two.txt"), "edited").unwrap();
        results.publish([("one.txt", "1".to_owned())]).unwrap();
        assert_eq!(contents(folder.path()), owned(&[("one.txt", "1"), ("three.txt", "3"), ("two.txt", "edited")]));
    }

    /// At each moment of a replacement at which a kill may come, the next run finds files that it knows.
    #[test]
    fn a_kill_between_two_writes_leaves_nothing_unknown() {
        let [old, new] = [[("one.txt", "old 1"), ("two.txt", "old 2")], [("one.txt", "new 1"), ("two.txt", "new 2")]];
        for renamed in 0..=2 {
            for listed in [false, true] {
                let folder = tempfile::tempdir().unwrap();
                publish(folder.path(), &old);
                if listed {
                    let mut results = find(folder.path()).unwrap();
                    for (name, text) in new {
                        results.list.files.get_mut(name).unwrap().sha256.push(digest::digest(text));
                    }
                    results.save().unwrap();
                }
                for (place, (name, text)) in new.into_iter().enumerate() {
                    let file = Replacement::new(&folder.path().join(name), text, &|_: &[u8]| true).unwrap();
                    if listed && place < renamed { drop(file.appear(&|_: &[u8]| true).unwrap()) } else { drop(file) }
                }
                publish(folder.path(), &new);
                assert_eq!(contents(folder.path()), owned(&new), "{renamed} {listed}");
            }
        }
    }
}
