// SPDX-License-Identifier: GPL-3.0-or-later
//! Names the commit that the program is built from: `HALFPLY_VERSION` is what `--version` prints.
//!
//! Where there is no repository (a published crate, a tarball) or no git, it is the version alone; nothing here makes a
//! build fail.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    // Without a repository, nothing else decides what is printed.
    println!("cargo::rerun-if-changed=build.rs");
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let folder = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
    let commit = commit(&folder);
    for file in commit.iter().flat_map(|_| files_of_head(&folder)) {
        println!("cargo::rerun-if-changed={}", file.display());
    }
    println!(
        "cargo::rustc-env=HALFPLY_VERSION={version}{}",
        commit.map(|hash| format!(" ({hash})")).unwrap_or_default()
    );
}

/// The commit checked out in the folder, shortened; none unless the folder is the top of a repository: a crate unpacked
/// somewhere in another project's repository is not built from that project's commit.
pub fn commit(folder: &Path) -> Option<String> {
    let top = PathBuf::from(git(folder, &["rev-parse", "--show-toplevel"])?);
    let is_top = top.canonicalize().ok()? == folder.canonicalize().ok()?;
    is_top.then(|| git(folder, &["rev-parse", "--short=9", "HEAD"]))?
}

/// The files of which one changes whenever HEAD moves: HEAD itself with a checkout, the branch's with a commit, and the
/// log of HEAD with either. Those that do not exist are left out, for cargo would build anew each time.
pub fn files_of_head(folder: &Path) -> Vec<PathBuf> {
    let branch = git(folder, &["symbolic-ref", "HEAD"]);
    let names = [Some("HEAD"), Some("logs/HEAD"), Some("packed-refs"), branch.as_deref()];
    let path = |name| git(folder, &["rev-parse", "--git-path", name]).map(|path| folder.join(path));
    names.into_iter().flatten().filter_map(path).filter(|path| path.exists()).collect()
}

/// What git prints, if there is git and it succeeds.
fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    // Set in hooks, where they may name another repository.
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX"] {
        command.env_remove(variable);
    }
    let output = command.current_dir(folder).args(arguments).output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}
