// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply tournament run`: the games.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::Args;
use serde::Serialize;
use serde_json::{Value, json};

use super::show::{self, FORMAT};
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::output::{print, tell, write_file};
use crate::cli::progress::Progress;
use crate::cli::run_folder::RunFolderArgs;
use crate::cli::setup::SetupArgs;
use crate::cli::{EvaluationArg, Verdict, assignment};
use crate::experiment::{Header, Runner, Unit, default_threads};
use crate::figures::{percent, thousands};
use crate::games::{Furnished, GameName};
use crate::search::Profile;
use crate::tournament::definition::{Definition, PlayerDefinition, SprtDefinition};
use crate::tournament::entrant::{Entrant, EntrantConfig};
use crate::tournament::fault::Policy;
use crate::tournament::hall::{Appointment, Hall};
use crate::tournament::ledger::Ledger;
use crate::tournament::openings::Book;
use crate::tournament::pgn;
use crate::tournament::record::GameRecord;
use crate::tournament::schedule::{Kind, pairings};
use crate::tournament::scoreboard::Scoreboard;
use crate::tournament::statistics::{Decision, Model, Sprt};
use crate::{bench, with_game};

/// The games in the run's folder that other programs and people read.
const GAMES: &str = "games.pgn";
/// What they have come to.
const RESULT: &str = "result.json";

/// Nodes a move unless something else is said.
const NODES: u64 = 100_000;

/// Play games between players: two extension tables, or whoever a file names, other programs among them
#[derive(Debug, Args)]
#[command(
    after_help = "Every opening is played twice with colours swapped. A run that is stopped, by Ctrl-C or a kill, \
    goes on when the same command is given again; more --games make it longer."
)]
pub struct Command {
    /// A tournament's definition, a TOML file; what is given besides goes before it. Without one, A plays B
    file: Option<PathBuf>,
    /// The extension table of player A, a file
    #[arg(long, value_name = "FILE", conflicts_with = "file")]
    a: Option<PathBuf>,
    /// The extension table of player B, a file [default: none]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["file", "engine_b"])]
    b: Option<PathBuf>,
    /// Player B is this program, which speaks UCI: its command line
    #[arg(long, value_name = "COMMAND", conflicts_with = "file")]
    engine_b: Option<String>,
    /// Sets a UCI option of that program; as often as there are options to set
    #[arg(long, value_name = "NAME=VALUE", requires = "engine_b")]
    option_b: Vec<String>,
    /// The game [default: breakthrough]
    #[arg(long, value_enum, conflicts_with = "file")]
    game: Option<GameName>,
    /// Of the file's players, only these; the order stays
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', requires = "file")]
    players: Vec<String>,
    /// Games of every two players who meet, an even number [default: 400]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=10_000_000))]
    games: Option<u64>,
    /// Nodes a move [default: 100000, if nothing else limits the search]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds a move
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    movetime: Option<u64>,
    /// A clock, in seconds: 10+0.1, or 40/60+0.6 for sixty seconds every forty moves
    #[arg(long, value_name = "TIME")]
    clock: Option<String>,
    /// Openings, EPD or lines of moves [default: the file's, else the book bundled for the game]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Openings of the shuffled book to pass over
    #[arg(long, value_name = "N")]
    start: Option<u64>,
    /// Decides the order of openings, and of moves in the plain search [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Stop when a sequential probability ratio test of A against B has decided between these Elo differences
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true, value_parser = super::stats::hypotheses)]
    sprt: Option<(f64, f64)>,
    /// What Elo means in the test
    #[arg(long, value_enum)]
    model: Option<Model>,
    /// How often the test may err, either way [default: 0.05]
    #[arg(long, value_name = "SHARE")]
    error: Option<f64>,
    /// What is done after a fault [default: restart]
    #[arg(long, value_enum)]
    on_fault: Option<Policy>,
    /// Milliseconds by which a move may come too late [default: 50]
    #[arg(long, value_name = "MS")]
    margin: Option<u32>,
    /// Keep no score, depth, nodes and time of each move: smaller journals
    #[arg(long)]
    no_comments: bool,
    /// Games at a time [default: one a core]
    #[arg(long, visible_alias = "threads", value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    /// Tell what happens as JSON, an object a line, and print no table
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    setup: SetupArgs,
    #[command(flatten)]
    evaluation: EvaluationArg,
    /// The static evaluation of player B [default: that of A]
    #[arg(long, value_name = "NAME", conflicts_with = "file")]
    evaluation_b: Option<String>,
    #[command(flatten)]
    folder: RunFolderArgs,
}

pub fn run(command: &Command) -> Result<Verdict> {
    let definition = command.definition()?;
    with_game!(definition.game, G => run_game::<G>(command, &definition))
}

/// Everything that a game depends on. The number of games is not in it, so that a finished tournament can be made longer;
/// nor are test and policy, which only end it earlier.
#[derive(Serialize)]
struct Config<'a> {
    game: &'a str,
    kind: Kind,
    players: Vec<EntrantConfig>,
    openings: &'a str,
    start: u64,
    seed: u64,
    adjudication: Value,
    margin: u32,
    patience: u32,
    comments: bool,
}

fn run_game<G: Furnished>(command: &Command, definition: &Definition) -> Result<Verdict> {
    definition.check().map_err(anyhow::Error::msg)?;
    let mut entrants = Entrant::<G>::all(definition)?;
    let sprt = definition.sprt.as_ref().map(sprt).transpose()?;
    ensure!(sprt.is_none() || entrants.len() == 2, "a sequential test is of two players; here are {}", entrants.len());
    let book = match &definition.openings.file {
        Some(path) => Book::<G>::load(&definition.path(path))?,
        None => Book::bundled(G::OPENINGS)?,
    };
    let is_chess960 = book.is_chess960();
    let book = if is_chess960 { book.as_chess960() } else { book };
    let stop = stop_on_ctrl_c();
    for entrant in &mut entrants {
        if is_chess960 {
            entrant.play_chess960();
        }
        let outcome = entrant.try_out(&stop);
        if stop.is_raised() {
            tell("stopped before the first game");
            return Ok(Verdict::Interrupted);
        }
        outcome?;
    }
    let concurrency = definition.concurrency.map_or_else(default_threads, usize::from);
    let header = header(definition, &entrants, &book)?;
    let (folder, journal) = command.folder.open(G::NAME, &header, &[GAMES, RESULT])?;
    let resumed = !journal.is_empty();
    let mut runner = Runner::with_journal(concurrency, journal).stopped_by(&stop);

    let hall = Hall::new(definition, entrants, book, concurrency);
    let appointments = hall.appointments(definition);
    let board = Scoreboard::new(hall.entrants().iter().map(|entrant| entrant.name.clone()));
    let mut teller = Teller {
        progress: Progress::new(appointments.len() as u64),
        json: command.json,
        start: Instant::now(),
        played: 0,
        ledger: Ledger::new(board, appointments.len(), sprt, definition.on_fault),
    };
    teller.begin(&hall, definition, appointments.len(), concurrency, &folder)?;
    let outcome = runner.run_while(&appointments, |place, game, time| teller.ended(place, game, time));
    hall.close();
    teller.progress.finish();
    let results = outcome?;

    let Teller { ledger, .. } = &teller;
    let of = appointments.len() as u64;
    let object = show::summary(ledger.board(), of, ledger.sprt());
    write_file(&folder.join(GAMES), &games_as_pgn::<G>(definition, &hall, &appointments, &results)?)?;
    write_file(&folder.join(RESULT), &format!("{}\n", serde_json::to_string_pretty(&object)?))?;
    if command.json {
        event("end", object)?;
    } else {
        let descriptions: Vec<String> = hall.entrants().iter().map(Entrant::description).collect();
        show::print_all(ledger.board(), of, ledger.sprt(), &descriptions)?;
    }
    let played = runner.computed() as u64;
    let is_whole = results.iter().all(Option::is_some);
    let kept = format!("kept in {}", folder.display());
    if ledger.stopped_by_fault() {
        bail!("stopped by a fault, as --on-fault stop asks; {kept}; the same command with --on-fault restart goes on");
    }
    let seconds = teller.start.elapsed().as_secs_f64();
    if ledger.decision().is_none() && !is_whole {
        tell(&format!("stopped after {} of {of} games; {kept}; the same command goes on", ledger.board().games()));
        return Ok(Verdict::Interrupted);
    }
    tell(&match (played, resumed) {
        (0, true) => "this run was complete already; --fresh repeats it, more --games go on".to_owned(),
        _ => format!("{} games played in {seconds:.1} s; {kept}", thousands(played)),
    });
    Ok(if ledger.decision() == Some(Decision::H0) { Verdict::Short } else { Verdict::Good })
}

fn header<G: Furnished>(definition: &Definition, entrants: &[Entrant<G>], book: &Book<G>) -> Result<Header> {
    // Of the searches that play: a change to one that does not is of no concern.
    let plays = |&profile: &Profile| entrants.iter().any(|entrant| entrant.profile() == Some(profile));
    let signature = Profile::ALL.into_iter().filter(plays).map(|profile| bench::run::<G>(profile).nodes).sum();
    let config = Config {
        game: G::NAME,
        kind: definition.kind,
        players: entrants.iter().map(Entrant::config).collect(),
        openings: &book.digest,
        start: definition.openings.start,
        seed: definition.seed,
        adjudication: serde_json::to_value(&definition.adjudication)?,
        margin: definition.margin,
        patience: definition.patience,
        comments: definition.comments,
    };
    Ok(Header::new("tournament", &config, signature))
}

fn games_as_pgn<G: Furnished>(
    definition: &Definition,
    hall: &Hall<G>,
    appointments: &[Appointment<'_, G>],
    results: &[Option<GameRecord>],
) -> Result<String> {
    let event = pgn::Event {
        name: format!("halfply tournament, seed {}", definition.seed),
        variant: match definition.game {
            GameName::Chess if hall.book().is_chess960() => Some("chess960"),
            GameName::Chess => None,
            GameName::Breakthrough => Some(G::NAME),
        },
        limits: hall.entrants().iter().map(|player| (player.name.clone(), player.allowance.to_string())).collect(),
    };
    let mut text = String::new();
    for (appointment, record) in appointments.iter().zip(results) {
        if let Some(record) = record {
            text += &pgn::game::<G>(&event, &appointment.round(), record)
                .map_err(|reason| anyhow!("the journal's game {}: {reason}", appointment.key()))?;
        }
    }
    Ok(text)
}

fn sprt(definition: &SprtDefinition) -> Result<Sprt> {
    let SprtDefinition { elo0, elo1, alpha, beta, model } = *definition;
    Sprt::new(elo0, elo1, alpha, beta, model).context("sprt")
}

/// Prints an object as one line of the stream of events.
fn event(name: &str, mut object: Value) -> Result<()> {
    object["event"] = json!(name);
    object["format"] = json!(FORMAT);
    print(object)
}

/// Tells whoever looks on how the tournament goes.
struct Teller {
    progress: Progress,
    json: bool,
    start: Instant,
    /// Games played now, not those of the journal.
    played: u64,
    ledger: Ledger,
}

impl Teller {
    fn begin<G: Furnished>(
        &self,
        hall: &Hall<G>,
        definition: &Definition,
        games: usize,
        concurrency: usize,
        folder: &Path,
    ) -> Result<()> {
        let pairs = pairings(definition.kind, hall.entrants().len()).len();
        let book = hall.book();
        let note = format!(
            "{} games of {}, {} for each of {pairs} pairings, {concurrency} at a time; seed {}, {} openings of {}; kept in {}",
            thousands(games as u64),
            definition.game.name(),
            definition.games,
            definition.seed,
            book.openings.len(),
            book.name,
            folder.display()
        );
        self.progress.note(&note);
        for entrant in hall.entrants() {
            self.progress.note(&format!("{}: {}", entrant.name, entrant.description()));
        }
        if !self.json {
            return Ok(());
        }
        event(
            "start",
            json!({
                "game": definition.game,
                "kind": definition.kind,
                "games": games,
                "seed": definition.seed,
                "openings": book.name,
                "concurrency": concurrency,
                "folder": folder.display().to_string(),
                "players": hall.entrants().iter().map(Entrant::config).collect::<Vec<_>>(),
            }),
        )
    }

    fn ended(&mut self, place: usize, game: &GameRecord, time: Option<Duration>) -> ControlFlow<()> {
        let flow = self.ledger.enter(place, game);
        self.played += u64::from(time.is_some());
        self.progress.step();
        if let Some(fault) = &game.fault {
            let [white, black] = &game.players;
            let who = &game.players[fault.side.index()];
            self.progress.note(&format!("game {}, {white} - {black}: {who}: {}", game.pair + 1, fault.fault));
        }
        self.progress.message(self.standing());
        if self.json {
            let [white, black] = &game.players;
            let told = event(
                "game",
                json!({
                    "pair": game.pair,
                    "white": white,
                    "black": black,
                    "result": game.result(),
                    "end": game.end,
                    "fault": game.fault,
                    "plies": game.plies(),
                    "nodes": game.nodes,
                    "seconds": time.map(|time| time.as_secs_f64()),
                    "resumed": time.is_none(),
                    "played": self.ledger.board().games(),
                }),
            );
            if told.is_err() {
                return ControlFlow::Break(());
            }
        }
        flow
    }

    /// The score so far in a line.
    fn standing(&self) -> String {
        let board = self.ledger.board();
        let leader = if board.players().len() == 2 { 0 } else { board.ranking()[0] };
        let player = &board.players()[leader];
        let figures = player.figures(self.ledger.sprt());
        let minutes = self.start.elapsed().as_secs_f64() / 60.0;
        let mut text = format!(
            "{} +{} ={} −{}, {} ± {}",
            player.name,
            player.tally.wins,
            player.tally.draws,
            player.tally.losses,
            percent(figures.score),
            percent(figures.margin)
        );
        if let Some(sprt) = &figures.sprt {
            text += &format!(", LLR {:.2} [{:.2}, {:.2}]", sprt.llr, sprt.lower, sprt.upper);
        }
        text += &format!(", {:.0} games a minute", self.played as f64 / minutes.max(1e-9));
        match board.faults() {
            0 => text,
            faults => format!("{text}, {faults} faults"),
        }
    }
}

impl Command {
    /// The tournament that is asked for: the file's, or A against B, and what the other arguments change of it.
    fn definition(&self) -> Result<Definition> {
        let mut definition = match &self.file {
            Some(path) => {
                ensure!(
                    self.setup.options().is_empty() && self.evaluation.evaluation.is_none(),
                    "--profile, --hash, --set, --parameters and --evaluation are of A and B; in a file they stand with \
                     each player, or under [defaults]"
                );
                Definition::load(path)?
            }
            None => self.match_of_two()?,
        };
        self.choose_players(&mut definition)?;
        let limited = self.nodes.is_some() || self.movetime.is_some() || self.clock.is_some();
        if limited {
            for player in definition.players.iter_mut().chain([&mut definition.defaults]) {
                (player.nodes, player.depth, player.movetime) = (self.nodes, None, self.movetime);
                player.clock.clone_from(&self.clock);
            }
        }
        definition.games = self.games.unwrap_or(definition.games);
        definition.seed = self.seed.unwrap_or(definition.seed);
        definition.openings.start = self.start.unwrap_or(definition.openings.start);
        if let Some(path) = &self.openings {
            // What is given here is relative to where we are, and not to the file.
            definition.openings.file = Some(std::path::absolute(path)?);
        }
        if let Some((elo0, elo1)) = self.sprt {
            let usual = SprtDefinition { elo0, elo1, alpha: 0.05, beta: 0.05, model: Model::default() };
            definition.sprt = Some(SprtDefinition { elo0, elo1, ..definition.sprt.unwrap_or(usual) });
        }
        if let Some(sprt) = &mut definition.sprt {
            sprt.model = self.model.unwrap_or(sprt.model);
            sprt.alpha = self.error.unwrap_or(sprt.alpha);
            sprt.beta = self.error.unwrap_or(sprt.beta);
        } else {
            ensure!(self.model.is_none() && self.error.is_none(), "--model and --error are of a test: add --sprt");
        }
        definition.on_fault = self.on_fault.unwrap_or(definition.on_fault);
        definition.margin = self.margin.unwrap_or(definition.margin);
        definition.comments &= !self.no_comments;
        definition.concurrency = self.concurrency.or(definition.concurrency);
        Ok(definition)
    }

    fn choose_players(&self, definition: &mut Definition) -> Result<()> {
        if self.players.is_empty() {
            return Ok(());
        }
        let known: Vec<String> = definition.players.iter().filter_map(|player| player.name.clone()).collect();
        if let Some(stranger) = self.players.iter().find(|&name| !known.contains(name)) {
            bail!("--players {stranger}: the file has no such player; it has {}", known.join(", "));
        }
        definition.players.retain(|player| player.name.as_ref().is_some_and(|name| self.players.contains(name)));
        Ok(())
    }

    /// A against B.
    fn match_of_two(&self) -> Result<Definition> {
        let mut definition = Definition::of(self.game.unwrap_or(GameName::Breakthrough));
        definition.defaults.nodes = Some(NODES);
        let setup = self.setup.player()?;
        let ours = |name: &str, table: &Option<PathBuf>, evaluation: Option<&String>| PlayerDefinition {
            name: Some(name.to_owned()),
            extensions: table.clone(),
            evaluation: evaluation.cloned(),
            ..setup.clone()
        };
        let evaluation = self.evaluation.evaluation.as_ref();
        let a = ours("A", &self.a, evaluation);
        let b = match &self.engine_b {
            None => ours("B", &self.b, self.evaluation_b.as_ref().or(evaluation)),
            Some(engine) => PlayerDefinition {
                name: Some("B".to_owned()),
                command: Some(engine.clone()),
                options: self.options_of_b()?,
                ..PlayerDefinition::default()
            },
        };
        definition.players = vec![a, b];
        Ok(definition)
    }

    fn options_of_b(&self) -> Result<std::collections::BTreeMap<String, toml::Value>> {
        let option = |text: &String| {
            let (name, value) = assignment("option-b", text)?;
            Ok((name, toml::Value::String(value)))
        };
        self.option_b.iter().map(option).collect()
    }
}
