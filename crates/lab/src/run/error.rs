// SPDX-License-Identifier: GPL-3.0-or-later
//! Why a journal cannot be used, and what to do about it.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The file system refused an operation.
    #[error("{}: {action} ({cause}); {}", path.display(), remedy(cause))]
    File {
        /// The file.
        path: PathBuf,
        /// What failed.
        action: &'static str,
        /// The cause.
        cause: io::Error,
    },
    /// Another process has it open.
    #[error("{}: another halfply is writing this run; wait for it, or choose another folder with --out", .0.display())]
    InUse(PathBuf),
    /// It is of another run.
    #[error("{}: this folder holds another run: {difference}; choose another folder with --out, or start over with --fresh", path.display())]
    OtherRun {
        /// The file.
        path: PathBuf,
        /// What differs.
        difference: String,
    },
    /// It is a worker's file of results, and of another run.
    #[error("{}: holds results of another run: {difference}; move it out of this folder", path.display())]
    OtherResults {
        /// The file.
        path: PathBuf,
        /// What differs.
        difference: String,
    },
    /// It cannot be read, or is a folder, a pipe or a device.
    #[error("{}: {reason}; {remedy}", path.display())]
    Unusable {
        /// The path.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
        /// What to do.
        remedy: &'static str,
    },
    /// Its first line is not a header.
    #[error("{}:1: this is not a journal of halfply ({reason}); {remedy}", path.display())]
    NoHeader {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
        /// What to do.
        remedy: &'static str,
    },
    /// A whole line is not a result.
    #[error("{}:{line}: this line is damaged ({reason}); {remedy}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
        /// What to do.
        remedy: &'static str,
    },
    /// Another program removed, moved or changed it during the run. Its results have been written again.
    #[error("{}: was removed, moved or changed by another program during the run; {}", path.display(), kept(path, to, *results))]
    Taken {
        /// The file.
        path: PathBuf,
        /// The new file with the results.
        to: PathBuf,
        /// The number of results.
        results: usize,
    },
    /// Another program removed, moved or changed it during the run, and its results cannot be written again.
    #[error(
        "{}: was removed, moved or changed by another program during the run, and its {results} results cannot be \
         written again ({cause}); if you have moved it, move it back, and run the same command again",
        path.display()
    )]
    Lost {
        /// The file.
        path: PathBuf,
        /// The number of results that are lost.
        results: usize,
        /// The cause.
        cause: io::Error,
    },
}

/// What to do when the file system refuses an operation.
fn remedy(cause: &io::Error) -> &'static str {
    match cause.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            "make room, and run the same command again: finished results are kept"
        }
        ErrorKind::AlreadyExists => "move it away, or choose another folder",
        _ => "choose a folder that can be written with --out",
    }
}

/// Where the results have been written again, and what to do with them.
fn kept(path: &Path, to: &Path, results: usize) -> String {
    if path == to {
        format!("its {results} results have been written there again; run the same command again to continue")
    } else {
        let to = to.display();
        format!(
            "its {results} results are in {to}; to continue, move this file as journal.jsonl into a new folder, and run \
             the same command with --out and that folder"
        )
    }
}

/// What to do with files that are not journals, or are damaged.
pub(super) struct Remedies {
    pub(super) unreadable: &'static str,
    pub(super) no_header: &'static str,
    pub(super) damaged: &'static str,
}

/// For runs.
pub(super) const RUN: Remedies = Remedies {
    unreadable: "choose another folder with --out",
    no_header: "move it away, or choose another folder with --out",
    damaged: "remove it to run its unit again, or start over with --fresh",
};

/// For commands that only read.
pub(super) const LOOK: Remedies = Remedies {
    unreadable: "name a run's folder, its journal, or another file that can be read",
    no_header: "name a run's folder or its journal",
    damaged: "remove it from a copy, and name the copy",
};

/// For the results of workers.
pub(super) const RESULTS: Remedies = Remedies {
    unreadable: "name a run's folder, its journal, or another file that can be read",
    no_header: "move it out of the folder of results",
    damaged: "delete the file, and run the same command again",
};
