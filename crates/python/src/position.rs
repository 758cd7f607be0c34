// SPDX-License-Identifier: GPL-3.0-or-later
//! Positions.

use std::any::Any;
use std::path::Path;
use std::time::{Duration, Instant};

use halfply_engine::features::ExtensionTable;
use halfply_engine::game::{Game, Notation, after, legal_moves, outcome, perft};
use halfply_engine::games::{GameName, RegisteredGame};
use halfply_engine::history::History;
use halfply_engine::search::explain::explain;
use halfply_engine::search::{Limits, Profile, Searcher};
use halfply_engine::with_game;
use halfply_lab::players::SearchSpec;
use halfply_lab::tournament::pgn;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::search::{Follower, Search};
use crate::table::Table;
use crate::{game_of, refused};

/// The deepest count of lines.
const DEEPEST_PERFT: u32 = 20;

/// The most threads of a search, as in UCI.
const MOST_THREADS: usize = 256;

/// The plies that are counted without a look whether somebody wants to stop: less than a second in every game.
const PERFT_AT_ONCE: u32 = 4;

/// A position, and the moves that led to it.
///
/// It begins at the start of the game or at `fen`; `moves` are played from there. Positions do not change: `play` returns
/// another one. They are equal if game and FEN are, whatever moves led to them. A move is the text that UCI has for it;
/// wherever one is expected, other notations of the game are read too. With `chess960` castling is the king taking its rook.
#[pyclass(frozen, module = "halfply")]
pub struct Position {
    game: GameName,
    /// A `History` of that game.
    history: Box<dyn Any + Send + Sync>,
}

/// Runs the body with the history of a position; `$game` is the type of its game.
macro_rules! with_history {
    ($position:expr, $game:ident, $history:ident => $body:expr) => {
        with_game!($position.game, $game => {
            let $history = $position.history::<$game>();
            $body
        })
    };
}

impl Position {
    /// The position at the end of a history.
    pub fn new<G: RegisteredGame>(history: History<G>) -> Self {
        Self { game: G::GAME, history: Box::new(history) }
    }

    fn history<G: RegisteredGame>(&self) -> &History<G> {
        self.history.downcast_ref().expect("`new` has both from one game")
    }

    /// The atoms of a move, and its cost in plies.
    pub fn explain(&self, mv: &str, table: &ExtensionTable) -> PyResult<(Vec<String>, f64)> {
        with_history!(self, G, history => {
            let mv = legal(history, mv).map_err(refused)?;
            let all = explain::<G>(history.position(), history.root().previous, table);
            let explained = all.into_iter().find(|explained| explained.mv == mv);
            let explained = explained.ok_or_else(|| refused("the move is not legal"))?;
            let vocabulary = table.vocabulary(&G::VOCABULARY);
            let names = vocabulary.names(explained.atoms).into_iter().map(str::to_owned).collect();
            Ok((names, f64::from(explained.cost().as_hundredths()) / 100.0))
        })
    }

    /// Whether a table is for the game.
    ///
    /// # Errors
    /// If not.
    pub fn accepts(&self, table: &Table) -> PyResult<()> {
        let (of, wanted) = (table.game.name(), self.game());
        if of == wanted { Ok(()) } else { Err(refused(format!("the table is for {of}, the position is of {wanted}"))) }
    }

    /// The first position, and whether its castling is written as in Chess960.
    fn start(&self) -> (String, bool) {
        with_history!(self, G, history => {
            let start = &history.positions()[0];
            (G::format_position(start), G::is_chess960(start))
        })
    }
}

/// The legal move that a text means. A draw that a rule allows need not have been claimed.
fn legal<G: Notation>(history: &History<G>, text: &str) -> Result<G::Move, String> {
    if outcome::<G>(history.position()).is_some() {
        return Err(format!("{text:?} cannot be played: the game is over"));
    }
    G::parse_move(history.position(), text).map_err(|error| error.to_string())
}

/// Counts lines. Ctrl-C ends it.
fn count<G: Game>(position: &G::Position, depth: u32) -> PyResult<u64> {
    Python::attach(|py| py.check_signals())?;
    if depth <= PERFT_AT_ONCE {
        return Ok(perft::<G>(position, depth));
    }
    legal_moves::<G>(position).iter().map(|&mv| count::<G>(&after::<G>(position, mv), depth - 1)).sum()
}

/// A whole number; too large or too small a one is as wrong as any other value, not an `OverflowError`.
fn number(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    value.extract().map_err(|error: PyErr| match error.is_instance_of::<PyOverflowError>(value.py()) {
        true => refused(format!("expected a number from 0 to 2^64 - 1, not {value}")),
        false => error,
    })
}

/// A limit of a search.
fn limit(value: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    match if value.is_none() { None } else { Some(number(value)?) } {
        Some(0) => Err(refused("a limit is at least 1, or None")),
        limit => Ok(limit),
    }
}

fn duration(seconds: f64) -> PyResult<Duration> {
    let positive = Some(seconds).filter(|&seconds| seconds > 0.0);
    let duration = positive.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| refused(format!("seconds: a time above 0, not {seconds:?}")))
}

/// The description of a search, which Python's keyword arguments are but for the few that are not in it.
fn spec(settings: Option<&Bound<'_, PyDict>>) -> PyResult<SearchSpec> {
    let Some(settings) = settings else { return Ok(SearchSpec { profile: Profile::Full, ..SearchSpec::default() }) };
    let settings = settings.copy()?;
    if !settings.contains("profile")? {
        settings.set_item("profile", Profile::Full.name())?;
    }
    let options = PyDict::new(settings.py());
    // Paths become texts.
    options.set_item("default", settings.py().get_type::<pyo3::types::PyString>())?;
    let text: String = settings.py().import("json")?.call_method("dumps", (settings,), Some(&options))?.extract()?;
    // Where in the text means nothing to the reader.
    let reason =
        |error: serde_json::Error| error.to_string().split(" at line ").next().map_or_else(String::new, str::to_owned);
    serde_json::from_str(&text).map_err(|error| refused(reason(error)))
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (game, fen = None, moves = Vec::new(), chess960 = false), text_signature = "(game, fen=None, moves=(), chess960=False)")]
    fn begin(game: &str, fen: Option<&str>, moves: Vec<String>, chess960: bool) -> PyResult<Self> {
        with_game!(game_of(game)?, G => {
            let start = fen.map_or_else(|| Ok(<G as Game>::start()), G::parse_position).map_err(refused)?;
            let mut history = History::<G>::new(if chess960 { G::as_chess960(start) } else { start });
            for (index, mv) in (1..).zip(&moves) {
                let mv = legal(&history, mv).map_err(|error| refused(format!("move {index}: {error}")))?;
                history.play(mv);
            }
            Ok(Self::new(history))
        })
    }

    /// The position of a FEN, or another notation of the game.
    #[staticmethod]
    fn parse(game: &str, fen: &str) -> PyResult<Self> {
        Self::begin(game, Some(fen), Vec::new(), false)
    }

    /// The position of a `chess.Board` of python-chess, with its moves.
    #[staticmethod]
    fn from_board(board: &Bound<'_, PyAny>) -> PyResult<Self> {
        let variant: String = board.getattr("uci_variant")?.extract()?;
        if variant != "chess" {
            return Err(refused(format!("a board of chess is expected, not of {variant}")));
        }
        let chess960: bool = board.getattr("chess960")?.extract()?;
        let fen = if chess960 { "shredder_fen" } else { "fen" };
        let fen: String = board.call_method0("root")?.call_method0(fen)?.extract()?;
        let moves = board.getattr("move_stack")?.try_iter()?;
        let moves = moves.map(|mv| mv?.call_method0("uci")?.extract()).collect::<PyResult<_>>()?;
        Self::begin("chess", Some(&fen), moves, chess960)
    }

    /// A `chess.Board` of python-chess with the same moves.
    fn to_board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if self.game() != "chess" {
            return Err(refused(format!("python-chess has no boards of {}", self.game())));
        }
        let ((fen, chess960), options) = (self.start(), PyDict::new(py));
        options.set_item("chess960", chess960)?;
        let board = py.import("chess")?.call_method("Board", (fen,), Some(&options))?;
        for mv in self.moves_played() {
            board.call_method1("push_uci", (mv,))?;
        }
        Ok(board)
    }

    /// The name of the game.
    #[getter]
    fn game(&self) -> &'static str {
        self.game.name()
    }

    /// The position as text, which `parse` reads.
    #[getter]
    fn fen(&self) -> String {
        with_history!(self, G, history => G::format_position(history.position()))
    }

    /// The moves since the first position.
    #[getter(history)]
    pub fn moves_played(&self) -> Vec<String> {
        with_history!(self, G, history => history.move_texts())
    }

    /// The side to move, "white" or "black". Black begins in Othello.
    #[getter]
    fn turn(&self) -> &'static str {
        with_history!(self, G, history => G::SIDE_NAMES[<G as Game>::to_move(history.position()).index()])
    }

    /// Whether the game is over. A draw that a rule of chess allows to be claimed counts; its moves stay legal.
    #[getter]
    fn is_over(&self) -> bool {
        self.ending().is_some()
    }

    /// "1-0" if White has won, "0-1", "1/2-1/2", or "*" during the game.
    #[getter]
    fn result(&self) -> &'static str {
        with_history!(self, G, history => match history.outcome() {
            Some(_) => pgn::result::<G>(history.winner()),
            None => "*",
        })
    }

    /// The side that has won; None after a draw and during the game.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        with_history!(self, G, history => Some(G::SIDE_NAMES[history.winner()?.index()]))
    }

    /// Why the game is over, in a few words: "checkmate"; None during the game.
    #[getter]
    fn ending(&self) -> Option<&'static str> {
        with_history!(self, G, history => history.ending())
    }

    /// The legal moves.
    fn moves(&self) -> Vec<String> {
        with_history!(self, G, history => {
            let position = history.position();
            legal_moves::<G>(position).iter().map(|&mv| G::format_move(position, mv)).collect()
        })
    }

    /// The position after a move.
    pub fn play(&self, r#move: &str) -> PyResult<Self> {
        with_history!(self, G, history => {
            let mut next = history.clone();
            next.play(legal(history, r#move).map_err(refused)?);
            Ok(Self::new(next))
        })
    }

    /// A move as game records write it: "Nf3" in chess, "d3" in Othello.
    fn san(&self, r#move: &str) -> PyResult<String> {
        with_history!(self, G, history => Ok(G::record_move(history.position(), legal(history, r#move).map_err(refused)?)))
    }

    /// The names of the atoms that a move has.
    fn atoms(&self, r#move: &str) -> PyResult<Vec<String>> {
        Ok(self.explain(r#move, &ExtensionTable::default())?.0)
    }

    /// The number of lines of `depth` plies.
    fn perft(&self, py: Python<'_>, #[pyo3(from_py_with = number)] depth: u64) -> PyResult<u64> {
        let depth = u32::try_from(depth).ok().filter(|&depth| depth <= DEEPEST_PERFT);
        let depth = depth.ok_or_else(|| refused(format!("lines are counted to {DEEPEST_PERFT} plies at most")))?;
        py.detach(|| with_history!(self, G, history => count::<G>(history.position(), depth)))
    }

    /// Starts a search of the position: an iterator of `Info`.
    ///
    /// The first limit that is reached ends it; without one it runs until it is stopped. `settings` are those that
    /// describe a player in a tournament: `profile` ("full" or "plain"), `evaluation`, `hash`, `realization`, `control`,
    /// `parameters`. Each search begins with an empty memory, so that its result depends on its arguments alone, unless it
    /// has a limit of seconds or several threads.
    #[pyo3(signature = (*, nodes = None, depth = None, seconds = None, table = None, seed = 1, threads = 1, **settings))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn search(
        &self,
        #[pyo3(from_py_with = limit)] nodes: Option<u64>,
        #[pyo3(from_py_with = limit)] depth: Option<u64>,
        seconds: Option<f64>,
        table: Option<&Bound<'_, Table>>,
        #[pyo3(from_py_with = number)] seed: u64,
        #[pyo3(from_py_with = number)] threads: u64,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Search> {
        let time = seconds.map(duration).transpose()?;
        // Beyond the longest line there is nothing to search.
        let depth = depth.map(|depth| u32::try_from(depth).unwrap_or(u32::MAX));
        let threads = usize::try_from(threads).ok().filter(|threads| (1..=MOST_THREADS).contains(threads));
        let threads = threads.ok_or_else(|| refused(format!("threads: 1 to {MOST_THREADS}")))?;
        let (limits, spec) = (Limits { nodes, depth, time }, spec(settings)?);
        with_history!(self, G, history => {
            if legal_moves::<G>(history.position()).is_empty() {
                return Err(refused("there is nothing to search: the game is over"));
            }
            let mut searcher: Searcher<G> = spec.searcher(seed, Path::to_owned).map_err(refused)?;
            searcher.setup.threads = threads;
            if let Some(table) = table.map(Bound::get) {
                self.accepts(table)?;
                searcher.setup.table = table.table.clone();
            }
            let history = history.clone();
            Search::start(move |stop, tell| {
                let (start, unit) = (Instant::now(), searcher.evaluation.unit());
                let mut follower = Follower { history: &history, unit, start, stop, tell };
                let report = searcher.engine().thinker().search(history.root(), limits, &mut follower);
                follower.result(&report)
            })
        })
    }

    /// The move that a search finds; its arguments are those of `search`, with one limit at least.
    #[pyo3(signature = (**settings))]
    fn best_move(this: &Bound<'_, Self>, settings: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
        let is_given = |name: &str| {
            settings.is_some_and(|settings| {
                settings.get_item(name).is_ok_and(|limit| limit.is_some_and(|limit| !limit.is_none()))
            })
        };
        if !["nodes", "depth", "seconds"].into_iter().any(is_given) {
            return Err(PyTypeError::new_err("best_move() needs a limit: nodes, depth or seconds"));
        }
        this.call_method("search", (), settings)?.getattr("best_move")?.extract()
    }

    fn __str__(&self) -> String {
        with_history!(self, G, history => G::draw(history.position()))
    }

    fn __repr__(&self) -> String {
        format!("Position({:?}, {:?})", self.game(), self.fen())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| other.get().game == self.game && other.get().fen() == self.fen())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyTuple::new(py, [self.game(), &self.fen()])?.hash()
    }

    fn __getnewargs__(&self) -> (&'static str, String, Vec<String>, bool) {
        let (fen, chess960) = self.start();
        (self.game(), fen, self.moves_played(), chess960)
    }
}
