// SPDX-License-Identifier: GPL-3.0-or-later
//! Files of earlier runs, as the command line names them: the file itself, the run's folder, or `runs/latest`.
//!
//! Here `latest` always means the newest run that has the file: `runs/latest` is the last `learn` for `--extensions`, and
//! the last tournament for `tournament stats`. The link of that name, for other programs, leads to the last run of all.

use std::fs;
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use super::output::tell;
use halfply_engine::base::files;
use halfply_engine::games::{GameName, RegisteredGame};
use halfply_engine::with_game;
use halfply_lab::run::Header;

/// The folder name that stands for the newest run beside it.
pub const LATEST: &str = "latest";

/// The greatest length of a journal's header, in bytes.
const LONGEST_HEADER: u64 = 1 << 20;

/// A value parser for extension tables: a folder means its `extensions.toml`.
pub fn table(text: &str) -> Result<PathBuf, String> {
    let path = find(Path::new(text), "extensions.toml", "`halfply learn`", |_| true)?;
    if text.contains('@') && !path.exists() {
        let example = "`halfply bundled tables/breakthrough-learned.toml` prints one";
        return Err(format!("there is no such file; name a file that has these rows: {example}"));
    }
    Ok(path)
}

/// A value parser for definitions of tournaments: a folder means its `match.toml`, which `learn` writes.
pub fn definition(text: &str) -> Result<PathBuf, String> {
    find(Path::new(text), "match.toml", "`halfply learn` (with --rows, genetic, gradient, spsa or control)", |_| true)
}

/// A value parser for parameters: a folder means its `parameters.toml`.
pub fn parameters(text: &str) -> Result<PathBuf, String> {
    find(Path::new(text), "parameters.toml", "`halfply learn` (genetic, gradient or spsa)", |_| true)
}

/// A value parser for evaluations, which are names or files: a folder without such a name means its `evaluation.network`.
pub fn evaluation(text: &str) -> Result<String, String> {
    let is_name = |game: GameName| with_game!(game, G => <G as RegisteredGame>::evaluation_names()).contains(&text);
    if GameName::all().iter().copied().any(is_name) {
        return Ok(text.to_owned());
    }
    let file = find(Path::new(text), "evaluation.network", "`halfply evaluation learn`", |_| true)?;
    file.into_os_string().into_string().map_err(|_| "its path has characters that are not Unicode".to_owned())
}

/// A value parser for journals of tournaments: a folder means its `journal.jsonl`.
pub fn journal(text: &str) -> Result<PathBuf, String> {
    find(Path::new(text), "journal.jsonl", "`halfply tournament run`", is_tournament)
}

/// The file that a path means: the path itself, or `wanted` in it if it is a folder. If the path does not exist and has
/// `latest` as a part, that part stands for the folder beside it with the newest file that counts.
fn find(path: &Path, wanted: &str, maker: &str, counts: impl Fn(&Path) -> bool) -> Result<PathBuf, String> {
    let components: Vec<Component<'_>> = path.components().collect();
    let place = components.iter().rposition(|component| component.as_os_str() == LATEST).filter(|&place| {
        let latest: PathBuf = components[..=place].iter().collect();
        latest.is_symlink() || !path.exists()
    });
    let Some(place) = place else {
        let file = path.join(wanted);
        return match path.is_dir() {
            false => Ok(path.to_owned()),
            true if file.is_file() => Ok(file),
            true => Err(format!("the folder has no {wanted}, which {maker} writes")),
        };
    };
    let parent: PathBuf = components[..place].iter().collect();
    let rest: PathBuf = components[place + 1..].iter().collect();
    let rest = if rest.as_os_str().is_empty() { PathBuf::from(wanted) } else { rest };
    let listed = if parent.as_os_str().is_empty() { Path::new(".") } else { &parent };
    let newest = fs::read_dir(listed)
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let entry = entry.ok().filter(|entry| entry.file_name() != LATEST)?;
            let file = parent.join(entry.file_name()).join(&rest);
            let modified = fs::metadata(&file).ok().filter(fs::Metadata::is_file)?.modified();
            // With equal or unknown times, the last by name.
            counts(&file).then_some((modified.unwrap_or(SystemTime::UNIX_EPOCH), file))
        })
        .max();
    let Some((_, file)) = newest else {
        return Err(format!("no folder in {} has the file {}, which {maker} writes", listed.display(), rest.display()));
    };
    tell(&format!("{}: {}", path.display(), file.display()));
    Ok(file)
}

/// Whether a journal is that of a tournament.
fn is_tournament(path: &Path) -> bool {
    let beginning = files::read_beginning(path, LONGEST_HEADER).unwrap_or_default();
    let line = beginning.split(|&byte| byte == b'\n').next().unwrap_or_default();
    serde_json::from_slice::<Header>(line).is_ok_and(|header| header.experiment == "tournament")
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::time::Duration;

    use super::*;

    /// Writes a file that was last changed so many seconds after the epoch.
    fn write(path: &Path, seconds: u64) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
    }

    #[test]
    fn latest_is_the_newest_run_that_has_what_is_wanted() {
        let folder = tempfile::tempdir().unwrap();
        let runs = folder.path().join("runs");
        let table = |path: PathBuf| table(path.to_str().unwrap());
        assert!(
            table(runs.join(LATEST))
                .unwrap_err()
                .contains("has the file extensions.toml, which `halfply learn` writes")
        );
        write(&runs.join("b/extensions.toml"), 100);
        write(&runs.join("a/extensions.toml"), 200);
        // Newer, and without a table.
        write(&runs.join("c/journal.jsonl"), 300);
        write(&runs.join("b/disjunction.toml"), 50);
        assert_eq!(table(runs.join(LATEST)), Ok(runs.join("a/extensions.toml")));
        assert_eq!(table(runs.join("latest/disjunction.toml")), Ok(runs.join("b/disjunction.toml")));
        assert_eq!(table(runs.join("b")), Ok(runs.join("b/extensions.toml")));
        assert!(table(runs.join("c")).unwrap_err().contains("the folder has no extensions.toml"));
        assert_eq!(
            parameters(runs.to_str().unwrap()).unwrap_err().split(" (").next(),
            Some("the folder has no parameters.toml, which `halfply learn`")
        );
        write(&runs.join("d/evaluation.network"), 400);
        let network = runs.join("d/evaluation.network").to_str().map(str::to_owned);
        assert_eq!(evaluation(runs.join(LATEST).to_str().unwrap()).ok(), network);
        assert_eq!(evaluation(runs.join("d").to_str().unwrap()).ok(), network);
        // Whatever else is named stays as it is.
        for named in ["network", "mine.network"] {
            assert_eq!(evaluation(named).as_deref(), Ok(named));
        }
        assert_eq!(table(runs.join("mine.toml")), Ok(runs.join("mine.toml")));
        // The link leads to the last run of all, which may have other files.
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("c", runs.join(LATEST)).unwrap();
            assert_eq!(table(runs.join(LATEST)), Ok(runs.join("a/extensions.toml")));
            assert_eq!(table(runs.join("latest/disjunction.toml")), Ok(runs.join("b/disjunction.toml")));
            fs::remove_file(runs.join(LATEST)).unwrap();
        }
        write(&runs.join("latest/extensions.toml"), 1);
        assert_eq!(table(runs.join(LATEST)), Ok(runs.join("latest/extensions.toml")));
    }
}
