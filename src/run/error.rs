// SPDX-License-Identifier: GPL-3.0-or-later
//! Why a journal cannot be used, and what to do then.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The file system said no.
    #[error("{}: {action} ({cause}); {}", path.display(), remedy(cause))]
    File {
        /// Which file.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// What it said.
        cause: io::Error,
    },
    /// Another process has it open.
    #[error("{}: another halfply is writing this run; wait for it, or choose another folder with --out", .0.display())]
    InUse(PathBuf),
    /// It belongs to another experiment.
    #[error("{}: this folder holds another run: {difference}; choose another folder with --out, or start over with --fresh", path.display())]
    OtherRun {
        /// Which file.
        path: PathBuf,
        /// What differs.
        difference: String,
    },
    /// It holds results that a worker computed for another run.
    #[error("{}: holds results of another run: {difference}; move it out of this folder", path.display())]
    OtherResults {
        /// Which file.
        path: PathBuf,
        /// What differs.
        difference: String,
    },
    /// It cannot be read.
    #[error("{}: cannot be read ({cause}); name a run's folder or its journal", path.display())]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// It is a folder, a pipe or a device.
    #[error("{}: {cause}; {remedy}", path.display())]
    NotAFile {
        /// Which file.
        path: PathBuf,
        /// What it is.
        cause: io::Error,
        /// What to do.
        remedy: &'static str,
    },
    /// Its first line does not say what run it is of.
    #[error("{}:1: this is no journal of halfply's ({reason}); {remedy}", path.display())]
    NoHeader {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
        /// What to do.
        remedy: &'static str,
    },
    /// A line before the last is no result.
    #[error("{}:{line}: this line is damaged ({reason}); {remedy}", path.display())]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
        /// What to do.
        remedy: &'static str,
    },
    /// Somebody removed, moved or changed it while it was written. Its results have been written once more.
    #[error("{}: was removed, moved or changed by another program while the run went on; {}", path.display(), kept(path, to, *results))]
    Taken {
        /// Which file.
        path: PathBuf,
        /// Where the results are now.
        to: PathBuf,
        /// How many.
        results: usize,
    },
    /// The same, and they could not be written.
    #[error(
        "{}: was removed, moved or changed by another program while the run went on, and its {results} results cannot be \
         written again ({cause}); move it back if you have moved it, and give the same command again",
        path.display()
    )]
    Lost {
        /// Which file.
        path: PathBuf,
        /// How many results are lost.
        results: usize,
        /// What the system said.
        cause: io::Error,
    },
}

/// What to do where the file system said no.
fn remedy(cause: &io::Error) -> &'static str {
    match cause.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            "make room: what was finished is kept, and the same command goes on"
        }
        _ => "choose a folder that can be written with --out",
    }
}

/// Where results were put once more, and what to do with them.
fn kept(path: &Path, to: &Path, results: usize) -> String {
    if path == to {
        format!("its {results} results have been written there again, and the same command goes on")
    } else {
        let to = to.display();
        format!(
            "its {results} results are in {to}: as journal.jsonl in a folder of its own, the same command goes on with --out"
        )
    }
}

/// What to do with files that are no journals, or damaged.
pub(super) struct Remedies {
    pub(super) no_header: &'static str,
    pub(super) damaged: &'static str,
}

/// For runs.
pub(super) const RUN: Remedies = Remedies {
    no_header: "move it away, or choose another folder with --out",
    damaged: "remove it to have its unit run again, or start over with --fresh",
};

/// For those who only look.
pub(super) const LOOK: Remedies =
    Remedies { no_header: "name a run's folder or its journal", damaged: "remove it from a copy, and name that" };

/// For the results of workers.
pub(super) const RESULTS: Remedies = Remedies {
    no_header: "move it out of the folder of results",
    damaged: "delete the file, and give the same command again",
};
