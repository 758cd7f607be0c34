// SPDX-License-Identifier: GPL-3.0-or-later
//! One game of the session: its position, the files read for it, and the searches in it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::clock::{self, DEFAULT_MOVE};
use super::command::{Go, Start};
use super::count;
use super::options::UciSettings;
use super::output::Output;
use super::search::Search;
use super::task::Job;
use super::thinker::Place;
use crate::base::digest::digest;
use crate::base::endings::Endings;
use crate::base::mix::derive;
use crate::bench;
use crate::book::OpeningBook;
use crate::features::{ExtensionTable, file};
use crate::game::{Outcome, Side, legal_moves, outcome};
use crate::games::{GameName, RegisteredGame, strength};
use crate::history::History;
use crate::protocol::uci_score::{centipawns, in_units};
use crate::search::{Evaluator, Limits, Profile, Searcher, Setup};
use crate::with_game;

/// A game as the session sees it. Errors are reported and otherwise ignored.
pub(super) trait Variant: Send {
    /// Another game begins.
    fn new_game(&mut self);

    /// Forgets what earlier searches learned. Not during a search.
    fn forget(&self) -> Job;

    /// Sets the position. Moves from the first illegal one on are ignored.
    fn set_position(&mut self, start: &Start, moves: &[String], chess960: bool);

    /// Reads the files that the settings name.
    fn read_files(&mut self, settings: &UciSettings);

    /// Creates the thinker, so that the next search begins at once. Not during a search.
    fn prepare(&mut self, settings: &UciSettings) -> Job;

    /// A search of the position.
    fn search(&mut self, go: &Go, settings: &UciSettings, arrival: Instant) -> Job;

    /// A count of lines of so many plies.
    fn perft(&self, depth: u32) -> Job;

    /// The benchmark.
    fn bench(&self) -> Job;

    /// The position, drawn.
    fn draw(&self) -> String;

    /// Some legal move, `(none)` if the game is over.
    fn any_move(&self) -> String;

    /// The evaluation of the position.
    fn evaluate(&mut self, settings: &UciSettings) -> String;
}

/// The game of that name, at its start.
pub(super) fn new(game: GameName, output: Output) -> Box<dyn Variant> {
    with_game!(game, G => Box::new(Played::<G>::new(output)))
}

/// A file that an option names.
struct Known<T> {
    /// Its path; none if not set.
    path: Option<PathBuf>,
    /// Its contents; none if it could not be read.
    contents: Option<T>,
}

impl<T> Default for Known<T> {
    fn default() -> Self {
        Self { path: None, contents: None }
    }
}

impl<T> Known<T> {
    /// Reads the file if one is set and it has not been read yet, or always if `again`. The result of `read` is
    /// reported.
    fn read(
        &mut self,
        path: Option<&PathBuf>,
        again: bool,
        output: &Output,
        read: impl FnOnce(&Path) -> Result<(T, String), String>,
    ) {
        if !again && self.path.as_ref() == path && (path.is_none() || self.contents.is_some()) {
            return;
        }
        self.path = path.cloned();
        self.contents = None;
        match path.map(|path| read(path)) {
            None => {}
            Some(Ok((contents, message))) => {
                self.contents = Some(contents);
                output.say(message);
            }
            Some(Err(reason)) => output.say(reason),
        }
    }
}

/// A game that is being played.
struct Played<G: RegisteredGame> {
    game: History<G>,
    extensions: Known<ExtensionTable>,
    evaluation: Known<Evaluator<G>>,
    /// The evaluation used without a file, and what it was chosen by: to read a network takes milliseconds.
    built_in: Option<(Profile, Option<String>, Evaluator<G>)>,
    endings: Known<Arc<Endings>>,
    book: Known<OpeningBook>,
    place: Place<G>,
    output: Output,
    /// Makes two sessions choose different moves from the book.
    seed: u64,
    /// Searches so far: each has another choice.
    searches: u64,
}

impl<G: RegisteredGame> Played<G> {
    fn new(output: Output) -> Self {
        let since_epoch = std::time::UNIX_EPOCH.elapsed().unwrap_or_default();
        Self {
            game: History::new(G::start()),
            extensions: Known::default(),
            evaluation: Known::default(),
            built_in: None,
            endings: Known::default(),
            book: Known::default(),
            place: Place::new(output.clone()),
            output,
            // The lower digits are what differs.
            seed: since_epoch.as_nanos() as u64,
            searches: 0,
        }
    }

    /// The search asked for.
    fn searcher(&mut self, settings: &UciSettings) -> Searcher<G> {
        let evaluation = self.evaluation(settings);
        let usual = settings.setup(self.table(), G::parameters(evaluation.identity()));
        let Setup { control, logit, .. } = G::usual_setup(&evaluation);
        let setup = Setup { control, logit, endings: self.endings.contents.clone(), ..usual };
        Searcher { evaluation, setup }
    }

    /// The evaluation asked for: the one in the file that is named, else the one of that name, else the default one.
    fn evaluation(&mut self, settings: &UciSettings) -> Evaluator<G> {
        if let Some(evaluation) = &self.evaluation.contents {
            return evaluation.clone();
        }
        let (profile, name) = (settings.search.profile, &settings.evaluation);
        if let Some((of, named, evaluation)) = &self.built_in
            && (of, named) == (&profile, name)
        {
            return evaluation.clone();
        }
        let evaluation = name.as_ref().and_then(|name| G::built_in(name));
        let evaluation = evaluation.unwrap_or_else(|| {
            let used = G::default_evaluation(profile);
            if let Some(name) = name {
                self.output.say(format_args!("{} has no evaluation {name}, {} is used", G::NAME, used.name()));
            }
            used
        });
        self.built_in = Some((profile, name.clone(), evaluation.clone()));
        evaluation
    }

    fn read(&mut self, settings: &UciSettings, again: bool) {
        self.extensions.read(settings.extensions.as_ref(), again, &self.output, read_extensions::<G>);
        self.evaluation.read(settings.eval_file.as_ref(), again, &self.output, read_evaluation::<G>);
        let endings = settings.endings.as_ref().filter(|_| G::ENDINGS);
        self.endings.read(endings, again, &self.output, |path| {
            let endings = Endings::load(path).map_err(|error| error.to_string())?;
            let message = format!("{}: {}, up to {} pieces", path.display(), endings.identity(), endings.most_pieces());
            Ok((Arc::new(endings), message))
        });
        let book = settings.book.as_ref().filter(|_| settings.own_book);
        self.book.read(book, again, &self.output, |path| {
            let book = OpeningBook::load(path)?;
            let message = format!("book {}: {} entries", path.display(), book.len());
            Ok((book, message))
        });
    }

    fn table(&self) -> ExtensionTable {
        self.extensions.contents.clone().unwrap_or_default()
    }

    /// The legal ones among the moves that the search is restricted to.
    fn search_moves(&self, go: &Go) -> Vec<G::Move> {
        let mut moves = Vec::new();
        for text in &go.search_moves {
            match G::parse_move(self.game.position(), text) {
                Ok(mv) if moves.contains(&mv) => {}
                Ok(mv) => moves.push(mv),
                Err(error) => self.output.say(format_args!("searchmoves: {error}")),
            }
        }
        if moves.is_empty() && !go.search_moves.is_empty() {
            self.output.say("searchmoves: none of them is legal, so all moves are searched");
        }
        moves
    }

    /// A move from the book, if the search is for a game and not for pondering.
    fn book_move(&self, go: &Go, settings: &UciSettings) -> Option<G::Move> {
        if is_analysis(go, settings) || go.ponder || !settings.own_book {
            return None;
        }
        let own = settings.book.is_none().then(G::book).flatten();
        let book = self.book.contents.as_ref().or(own.as_ref())?;
        book.choose::<G>(self.game.position(), derive(self.seed, self.searches))
    }
}

/// Whether only `stop` ends the search: UCI has `infinite` for that, and no limit at all means the same.
pub(super) fn is_endless(go: &Go) -> bool {
    let limits = Go { search_moves: Vec::new(), ponder: false, ..go.clone() };
    go.infinite || limits == Go::default()
}

/// Whether the client analyses and does not play a game.
fn is_analysis(go: &Go, settings: &UciSettings) -> bool {
    settings.analyse || is_endless(go) || go.mate.is_some() || !go.search_moves.is_empty()
}

/// The table in a file, and what to say of it.
fn read_extensions<G: RegisteredGame>(path: &Path) -> Result<(ExtensionTable, String), String> {
    // Read once, so that the confirmed table is the one that is used.
    let text = file::read(path).map_err(|error| error.to_string())?;
    let table = file::parse(&text, &path.display().to_string(), &G::VOCABULARY).map_err(|error| error.to_string())?;
    let hash = digest(&text);
    let rows = table.rows().len();
    let summary = table.summary(&G::VOCABULARY);
    Ok((table, format!("extensions {} sha256 {hash} rows {rows}: {summary}", path.display())))
}

/// The evaluation in a file, and what to say of it.
fn read_evaluation<G: RegisteredGame>(path: &Path) -> Result<(Evaluator<G>, String), String> {
    let evaluation = G::evaluation_of_file(path).map_err(|error| error.to_string())?;
    let message = format!("evaluation {}: {}", path.display(), evaluation.identity());
    Ok((evaluation, message))
}

impl<G: RegisteredGame> Variant for Played<G> {
    fn new_game(&mut self) {
        self.game = History::new(G::start());
    }

    fn forget(&self) -> Job {
        let place = self.place.clone();
        Box::new(move |_| place.forget())
    }

    fn set_position(&mut self, start: &Start, moves: &[String], chess960: bool) {
        let position = match start {
            Start::StartPos => G::start(),
            Start::Fen(fen) => match G::parse_position(fen) {
                Ok(position) => position,
                Err(error) => {
                    self.output.say(format_args!("position: {error}; the position before it is kept"));
                    return;
                }
            },
        };
        let mut game = History::new(if chess960 { G::as_chess960(position) } else { position });
        for (index, text) in moves.iter().enumerate() {
            match G::parse_move(game.position(), text) {
                Ok(mv) => game.play(mv),
                Err(error) => {
                    self.output.say(format_args!(
                        "position: move {}: {error}; it and the moves behind it are ignored",
                        index + 1
                    ));
                    break;
                }
            }
        }
        self.game = game;
    }

    fn read_files(&mut self, settings: &UciSettings) {
        self.read(settings, true);
        let Some(elos) = strength::elos(G::STRENGTHS).filter(|_| settings.strength().is_some()) else { return };
        let (low, high, elo) = (elos.start(), elos.end(), settings.elo);
        if !elos.contains(&elo) {
            let nearest = elo.clamp(*low, *high);
            self.output.say(format_args!("UCI_Elo {elo}: {} is played at {low} to {high}, now at {nearest}", G::NAME));
        }
    }

    fn prepare(&mut self, settings: &UciSettings) -> Job {
        let (place, searcher) = (self.place.clone(), self.searcher(settings));
        Box::new(move |_| place.put(place.take(&searcher)))
    }

    fn search(&mut self, go: &Go, settings: &UciSettings, arrival: Instant) -> Job {
        self.read(settings, false);
        self.searches += 1;
        let side = G::to_move(self.game.position());
        let endless = is_endless(go);
        if !endless && clock::clock_is_missing(go, side) {
            let seconds = DEFAULT_MOVE.as_secs();
            self.output.say(format_args!("go: no time for {side}, who is to move; it takes {seconds} s"));
        }
        let moves = self.search_moves(go);
        let legal = legal_moves::<G>(self.game.position());
        let mut searcher = self.searcher(settings);
        searcher.setup.strength = searcher.setup.strength.filter(|_| !is_analysis(go, settings));
        let candidates = if moves.is_empty() { legal.len() } else { moves.len() };
        let search = Search::<G> {
            game: self.game.clone(),
            lines: settings.lines.min(candidates).max(1),
            // Less than a ply or a node is no search.
            limits: Limits {
                nodes: go.nodes.map(|nodes| nodes.max(1)),
                depth: go.depth.map(|depth| depth.max(1)),
                time: None,
            },
            budget: clock::budget(go, side, settings.overhead).filter(|_| !endless),
            mate: go.mate,
            start: arrival,
            pondering: go.ponder,
            tell_expected: settings.ponder,
            book_move: self.book_move(go, settings),
            searcher,
            place: self.place.clone(),
            output: self.output.clone(),
            moves,
        };
        Box::new(move |signals| search.run(signals))
    }

    fn perft(&self, depth: u32) -> Job {
        let (position, output) = (self.game.position().clone(), self.output.clone());
        Box::new(move |signals| count::run::<G>(&position, depth, signals, &output))
    }

    fn bench(&self) -> Job {
        let output = self.output.clone();
        Box::new(move |signals| {
            let mut all = Vec::new();
            for profile in Profile::ALL {
                let bench = bench::run_while::<G>(profile, &|| !signals.stopped());
                if signals.stopped() {
                    output.say("the benchmark was stopped");
                    return;
                }
                output.line(format_args!("{}, {}: {bench}", G::NAME, profile.name()));
                all.push(bench);
            }
            output.line(all.into_iter().sum::<bench::Bench>());
        })
    }

    fn any_move(&self) -> String {
        let position = self.game.position();
        let first = legal_moves::<G>(position).first().copied();
        first.map_or_else(|| "(none)".to_owned(), |mv| G::format_move(position, mv))
    }

    fn draw(&self) -> String {
        let position = self.game.position();
        let fen = G::format_position(position);
        format!("{}\n\nFen: {fen}\nKey: {:016X}", G::draw(position), G::key(position))
    }

    fn evaluate(&mut self, settings: &UciSettings) -> String {
        self.read(settings, false);
        let evaluation = self.evaluation(settings);
        let position = self.game.position();
        let name = |side: Side| G::SIDE_NAMES[side.index()];
        match outcome::<G>(position) {
            None => {
                let value = in_units::<G>(centipawns(evaluation.judge(position), evaluation.unit()));
                format!("evaluation {value} for {} ({})", name(G::to_move(position)), evaluation.name())
            }
            Some(Outcome::Draw) => "evaluation: the game is over, it is drawn".to_owned(),
            Some(Outcome::Win) => format!("evaluation: the game is over, {} has won", name(G::to_move(position))),
            Some(Outcome::Loss) => {
                format!("evaluation: the game is over, {} has won", name(G::to_move(position).other()))
            }
        }
    }
}
