// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply tournament run`: plays a tournament.
//!
//! | file | idea |
//! |---|---|
//! | `options` | the arguments, and the definition that they make, with a file or without |
//! | `observer` | reports of the progress |

mod observer;
mod options;

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, anyhow};

use self::observer::Observer;
pub use self::options::{Command, clock, program};
use super::json::{EventLine, ResultObject};
use super::show;
use crate::cli::Verdict;
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::output::{command_line, json, json_line, tell};
use crate::cli::results::Contents;
use crate::cli::study::{self, Closing, Document, Plan};
use halfply_engine::base::figures::quantity;
use halfply_engine::games::RegisteredGame;
use halfply_engine::with_game;
use halfply_lab::run::Runner;
use halfply_lab::run::events::{Ending, RunKind};
use halfply_lab::tournament::course::{Course, Planned};
use halfply_lab::tournament::definition::Definition;
use halfply_lab::tournament::description::TournamentDescription;
use halfply_lab::tournament::entrant::Entrant;
use halfply_lab::tournament::error::TournamentError;
use halfply_lab::tournament::page::{Page, Record};
use halfply_lab::tournament::record::GameRecord;
use halfply_lab::tournament::run::{Ready, TournamentEvent, TournamentOutcome};
use halfply_lab::tournament::statistics::Decision;

/// The games as PGN, in the run's folder.
const GAMES: &str = "games.pgn";
/// The result.
const RESULT: &str = "result.json";
/// The page.
const PAGE: &str = "report.html";

pub fn run(command: &Command) -> Result<Verdict> {
    let definition = command.definition()?;
    with_game!(definition.game, G => run_game::<G>(command, &definition))
}

fn run_game<G: RegisteredGame>(command: &Command, definition: &Definition) -> Result<Verdict> {
    let entrants = Entrant::<G>::all(definition)?;
    if let Some([one, other]) = Entrant::twins(&entrants) {
        let [one_name, other_name] = [one, other].map(|place| match &entrants[place].name[..] {
            "" if definition.source.is_none() => ["A", "B"][place.min(1)].to_owned(),
            "" => (place + 1).to_string(),
            name => format!("{name:?}"),
        });
        let reason = format!(
            "players {one_name} and {other_name} are the same ({}), so games between them show nothing; {}",
            entrants[one].description(),
            command.remedy_for_twins()
        );
        // The players are in the order of the definition.
        let index = definition.players[other].index.to_string();
        return Err(definition.wrong(&["player", &index], reason).into());
    }
    let stop = stop_on_ctrl_c();
    let ready = match Ready::new(definition, entrants, &stop) {
        _ if stop.is_raised() => {
            tell("stopped before the first game");
            return Ok(Verdict::Interrupted);
        }
        ready => ready?,
    };
    let concurrency = ready.concurrency;
    let header = ready.header.clone();
    let planned = Planned {
        games: ready.tournament().scheduled(definition).len() as u64,
        pairs: definition.pairs(),
        sprt: definition.sprt,
    };
    let plan = Plan {
        command: "tournament",
        kind: Some(RunKind::Tournament),
        game: G::NAME,
        title: title(ready.tournament().entrants()),
        header: &header,
        besides: None,
        files: &[GAMES, RESULT, PAGE],
        threads: concurrency,
        description: &|_| serde_json::to_value(TournamentDescription::of(definition)),
        watched: serde_json::to_value(planned)?,
        unit: "game",
    };
    let mut ready = Some(ready);
    study::run(&command.study, &plan, &stop, &mut |runner, watch| {
        // It is run once.
        let ready = ready.take().context("the tournament has been played")?;
        let start = Instant::now();
        let mut observer = Observer::new(command.json, start);
        let mut told = Ok(());
        let outcome = ready.play(runner, |event| {
            told = match event {
                TournamentEvent::Start { tournament, games } => {
                    observer.begin(tournament, definition, games, concurrency, watch)
                }
                TournamentEvent::Game { ledger, withdrawn, game, time } => {
                    observer.ended(ledger, withdrawn, game, time, watch)
                }
            };
            if told.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        let outcome = outcome.map_err(|error| match error {
            TournamentError::Run(error) => error.into(),
            error => anyhow::Error::from(error),
        })?;
        told?;
        let ending = ending(&outcome, runner, &watch.folder, start.elapsed().as_secs_f64());
        Ok(Document { ending: Some(ending), ..document(command, definition, outcome)? })
    })
}

/// What came of a tournament.
fn document<'a, G: RegisteredGame>(
    command: &Command,
    definition: &'a Definition,
    outcome: TournamentOutcome<G>,
) -> Result<Document<'a>> {
    let TournamentOutcome { tournament, ledger, games } = &outcome;
    let of = games.len() as u64;
    let result = ResultObject::new(ledger.board(), of, ledger.sprt());
    let descriptions: Vec<String> = tournament.entrants().iter().map(Entrant::description).collect();
    let mut course = Course::new(ledger.board().names(), ledger.sprt().copied());
    games.iter().flatten().for_each(|game| course.enter(game));
    let counted: Vec<&GameRecord> = outcome.counted().collect();
    let page = Page { game: G::NAME, descriptions: &descriptions, course: &course, of };
    let record = Record { games: &counted, sides: G::SIDE_NAMES, pgn: GAMES, command: &command_line() };
    let texts = [(RESULT, format!("{}\n", json(&result)?)), (PAGE, page.render(&record))];
    let mut document = Document::new(texts, page.headline());
    document.text = if command.json {
        vec![json_line(&EventLine::End(result))?]
    } else {
        show::results(ledger.board(), of, ledger.sprt(), command.study.width)
    };
    let write =
        move |file: &mut dyn Write| outcome.pgn(definition).try_for_each(|game| Ok(file.write_all(game?.as_bytes())?));
    document.files.push((GAMES.to_owned(), Contents::Written(Box::new(write))));
    Ok(document)
}

/// How a tournament has ended.
fn ending<G: RegisteredGame>(
    TournamentOutcome { tournament, ledger, games }: &TournamentOutcome<G>,
    runner: &Runner<GameRecord>,
    folder: &Path,
    seconds: f64,
) -> Closing {
    let (of, kept) = (games.len(), format!("kept in {}", folder.display()));
    let left = games.iter().filter(|game| game.is_none()).count();
    let is_over = left == 0 || ledger.decision().is_some();
    let withdrawn: Vec<String> =
        tournament.withdrawn().iter().map(|(name, reason)| format!("{name} cannot be restarted: {reason}")).collect();
    let verdict = if ledger.stopped_by_fault() {
        Err(anyhow!(
            "stopped by a fault (--on-fault stop); {kept}; run the same command again to continue to the next fault, or with \
             --on-fault restart to the end"
        ))
    } else if is_over {
        let played = runner.computed() as u64;
        let said = match (played, runner.resumed()) {
            (0, true) => "this run was complete already; --fresh repeats it, more --games extend it".to_owned(),
            _ => format!("{} played in {seconds:.1} s; {kept}", quantity(played, "game")),
        };
        Ok((if ledger.decision() == Some(Decision::H0) { Verdict::Short } else { Verdict::Good }, said))
    } else if withdrawn.is_empty() {
        let games = ledger.board().games();
        let said = format!("stopped after {games} of {of} games; {kept}; run the same command again to continue");
        Ok((Verdict::Interrupted, said))
    } else {
        let withdrawn = withdrawn.join("; ");
        Err(anyhow!(
            "{withdrawn}; {left} of {of} games are left; {kept}; repair it, and run the same command again to play them"
        ))
    };
    Closing { ending: if is_over { Ending::Complete } else { Ending::Interrupted }, verdict }
}

/// What is played, in a line that tells it apart from other runs: the players, and their limits if all have the same.
fn title<G: RegisteredGame>(entrants: &[Entrant<G>]) -> String {
    /// The most players whose names are in the line.
    const MOST: usize = 4;
    let names: Vec<&str> = entrants.iter().take(MOST).map(|entrant| entrant.name.as_str()).collect();
    let players = match names[..] {
        [first, second] => format!("{first} against {second}"),
        _ => names.join(", "),
    };
    let others = match entrants.len().saturating_sub(MOST) {
        0 => String::new(),
        others => format!(" and {others} others"),
    };
    let limits = entrants[0].allowance.to_string();
    let is_common = entrants.iter().all(|entrant| entrant.allowance.to_string() == limits);
    let limits = if is_common { format!(", {limits}") } else { String::new() };
    players + &others + &limits
}
