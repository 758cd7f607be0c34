// SPDX-License-Identifier: GPL-3.0-or-later
//! One way to run a study: what `learn`, `experiment`, `evaluation learn`, `evaluation patterns data`,
//! `tournament run` and `review` have in common.
//!
//! A command says what is to be run ([`Plan`]), how (a function of a runner and a [`Watch`]) and what came of it
//! ([`Document`]). Everything else is here, once: the folder is opened, and one of another run refused; what the journal has
//! is not run again; progress is shown to the terminal and to watchers; a run that was stopped or waits says how it
//! continues; results appear together when all are complete.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Result, bail};
use clap::Args;
use serde_json::Value;

use super::Verdict;
use super::output::{WidthArg, exact_command_line, print, tell};
use super::progress::Progress;
use super::results::Contents;
use super::run_folder::{RunFolderArgs, completed};
use super::spool::{SpoolArgs, tell_waiting};
use halfply_engine::base::process::ProcessId;
use halfply_lab::report::Listing;
use halfply_lab::run::events::{Begin, Ending, EventFile, FORMAT, RunEvent, RunKind};
use halfply_lab::run::live::LiveReport;
use halfply_lab::run::{Event, Header, Output, RunError, Runner, Stop};

/// What every study takes.
#[derive(Clone, Debug, Args)]
pub struct StudyArgs {
    #[command(flatten)]
    spool: SpoolArgs,
    #[command(flatten)]
    pub width: WidthArg,
    #[command(flatten)]
    folder: RunFolderArgs,
}

impl StudyArgs {
    /// Those of a study whose units are computed here.
    pub fn kept_in(folder: RunFolderArgs) -> Self {
        Self { spool: SpoolArgs::default(), width: WidthArg::default(), folder }
    }
}

/// What is to be run.
pub struct Plan<'a> {
    /// The command, as the list of results names it.
    pub command: &'static str,
    /// What watchers see; none if it cannot be watched.
    pub kind: Option<RunKind>,
    /// The game's name.
    pub game: &'static str,
    /// What it does, in a line that tells it apart from others.
    pub title: String,
    /// What its journal belongs to.
    pub header: &'a Header,
    /// What its results depend on besides. Runs that differ only in this share a journal, unless a folder is named.
    pub besides: Option<Value>,
    /// The files that it may write.
    pub files: &'a [&'a str],
    /// Units at a time.
    pub threads: usize,
    /// From what workers make its units, by the folder of the run.
    pub description: &'a dyn Fn(&Path) -> serde_json::Result<Value>,
    /// What watchers need besides.
    pub watched: Value,
    /// What a unit is called.
    pub unit: &'static str,
}

/// Where a study reports its progress: the terminal, and for watchers the events and the report in its folder.
pub struct Watch {
    pub progress: Progress,
    events: EventFile,
    live: LiveReport,
    /// The folder of the results.
    pub folder: PathBuf,
}

/// What came of a study.
#[derive(Default)]
pub struct Document<'a> {
    /// The files of results with their names.
    pub files: Vec<(String, Contents<'a>)>,
    /// The result in a sentence.
    pub headline: String,
    /// What is printed.
    pub text: Vec<String>,
    /// What to look at and what to do next, each with what it is for.
    pub next: Vec<(&'static str, String)>,
    /// How it ends, if not complete and good.
    pub ending: Option<Closing>,
}

/// An ending of its own: what watchers are told, and what the command says.
pub struct Closing {
    pub ending: Ending,
    pub verdict: Result<(Verdict, String)>,
}

impl Watch {
    /// Tells of an event.
    pub fn tell<S>(&mut self, event: Event<'_, S>) {
        match event {
            Event::Stage { name, units } => self.progress.stage(&name, units),
            Event::Unit { is_new } => self.progress.unit(is_new),
            Event::Doing(text) => self.progress.message(text),
            Event::Note(line) => self.progress.note(&line),
            Event::Step { figures, .. } => self.events.tell(&RunEvent::Step { figures }),
        }
    }

    /// Shows watchers what was found so far: the report, and in a sentence. Most calls do nothing: the last ones are not old.
    pub fn show(&mut self, report: impl FnOnce() -> String, headline: impl FnOnce() -> String) {
        if self.live.show(report) {
            self.events.tell(&RunEvent::Found { headline: headline() });
        }
    }

    /// Says what begins, and where it is kept.
    pub fn begin(&self, what: impl fmt::Display) {
        self.progress.note(&format!("{what}; kept in {}", self.folder.display()));
    }

    /// A file of results, as it is shown.
    pub fn path(&self, name: &str) -> String {
        self.folder.join(name).display().to_string()
    }
}

impl<'a> Document<'a> {
    /// A document of these files.
    pub fn new<N: Into<String>, C: Into<Contents<'a>>>(
        files: impl IntoIterator<Item = (N, C)>,
        headline: impl Into<String>,
    ) -> Self {
        let files = files.into_iter().map(|(name, contents)| (name.into(), contents.into())).collect();
        Self { files, headline: headline.into(), ..Self::default() }
    }

    /// Prints a line.
    pub fn line(&mut self, line: impl Into<String>) {
        self.text.push(line.into());
    }

    /// Prints a table with its notes.
    pub fn table(&mut self, listing: &Listing, width: WidthArg) {
        self.text.push(width.fit(listing));
        self.text.extend(listing.notes.iter().cloned());
    }

    /// Names what to look at, or to do, next.
    pub fn next(&mut self, what_for: &'static str, what: impl Into<String>) {
        self.next.push((what_for, what.into()));
    }
}

/// Does what a plan says.
pub type Work<'a, O> = dyn FnMut(&mut Runner<O>, &mut Watch) -> Result<Document<'a>> + 'a;

/// Runs a study from its folder to its results.
pub fn run<O: Output + fmt::Debug + 'static>(
    args: &StudyArgs,
    plan: &Plan<'_>,
    stop: &Stop,
    work: &mut Work<'_, O>,
) -> Result<Verdict> {
    let Plan { header, .. } = *plan;
    let (results, journal) = args.folder.open(plan.game, header, plan.besides.as_ref(), plan.command, plan.files)?;
    let folder = results.folder().to_owned();
    let runner = Runner::with_journal(plan.threads, journal).stopped_by(stop);
    let mut runner = args.spool.place(runner, &folder, header, || (plan.description)(&folder))?;
    let start = Instant::now();
    let begin = |kind| Begin {
        format: FORMAT,
        kind,
        game: plan.game.to_owned(),
        title: plan.title.clone(),
        // A page of this machine shows it, to be run again.
        command: exact_command_line(),
        process: ProcessId::this(),
        plan: plan.watched.clone(),
    };
    let events = plan.kind.map_or_else(EventFile::default, |kind| EventFile::begin(&folder, begin(kind)));
    let live = plan.kind.map_or_else(LiveReport::default, |_| LiveReport::of(&folder));
    let mut watch = Watch { progress: Progress::new(0), events, live, folder };
    let document = work(&mut runner, &mut watch);
    let Watch { progress, events, live, folder } = watch;
    progress.finish();
    let document = match document.map_err(anyhow::Error::downcast::<RunError>) {
        Ok(document) => document,
        Err(Ok(error)) => {
            match error {
                RunError::Stopped => events.end(Ending::Interrupted, ""),
                RunError::Waiting(_) => events.end(Ending::Waiting, ""),
                // Without a last line: something is broken.
                RunError::Journal(_) | RunError::Failed => {}
            }
            return ended(error, &folder);
        }
        Err(Err(error)) => return Err(error),
    };
    args.spool.close(&folder, header)?;
    let Document { files, headline, text, next, ending } = document;
    results.publish(files)?;
    live.end();
    events.end(ending.as_ref().map_or(Ending::Complete, |early| early.ending), headline);
    text.iter().try_for_each(print)?;
    let width = next.iter().map(|(what_for, _)| what_for.len()).max().unwrap_or_default() + 1;
    next.iter().try_for_each(|(what_for, what)| print(format_args!("{:width$} {what}", format!("{what_for}:"))))?;
    if let Some(early) = ending {
        let (verdict, said) = early.verdict?;
        tell(&said);
        return Ok(verdict);
    }
    completed(runner.computed() as u64, plan.unit, runner.resumed(), start);
    Ok(Verdict::Good)
}

/// Reports why a run ended early. It is no error that it was stopped or waits for workers.
fn ended(error: RunError, folder: &Path) -> Result<Verdict> {
    match error {
        RunError::Stopped => {
            tell(&format!("stopped; kept in {}; the same command resumes it", folder.display()));
            Ok(Verdict::Interrupted)
        }
        RunError::Waiting(waiting) => Ok(tell_waiting(&waiting)),
        error => bail!(error),
    }
}
