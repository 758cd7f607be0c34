// SPDX-License-Identifier: GPL-3.0-or-later
//! The games, and the only place where one is chosen at run time.

mod board_text;
pub mod breakthrough;
pub mod chess;
mod name;
pub mod othello;
pub mod records;
pub mod strength;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::base::bundled::Bundled;
use crate::base::data_file::{self, DataFileError};
use crate::base::files;
use crate::book::OpeningBook;
use crate::evaluation::Boxed;
use crate::evaluation::network::{self, Inputs, Network};
use crate::evaluation::patterns::{self, PatternEvaluation};
use crate::game::{Game, Notation, Symmetry, Tactics};
use crate::patterns::MoveAtoms;
use crate::search::control::Control;
use crate::search::{Evaluator, Parameters, Profile, Setup};
use crate::solve::Solver;

pub use name::UnclearGame;
use records::RecordFormat;
pub use strength::Level;

/// Runs the body with the type alias `$game` set to the game of that name: everything behind it is compiled for the
/// game.
///
/// It has the registry, one line a game and its description: every list of the games is made from it.
#[macro_export]
macro_rules! with_game {
    (@registry [$($then:tt)+] [$($given:tt)*]) => {
        $($then)+! {
            [$($given)*]
            /// Breakthrough on the 8x8 board.
            #[default]
            Breakthrough in breakthrough;
            /// Chess and Chess960.
            Chess in chess;
            /// Othello.
            Othello in othello;
        }
    };
    ([$name:expr, $game:ident, $body:expr] $($(#[$attribute:meta])+ $of:ident in $module:ident;)+) => {
        match $name {
            $($crate::games::GameName::$of => {
                type $game = $crate::games::$of;
                $body
            })+
        }
    };
    ($name:expr, $game:ident => $body:expr) => {
        $crate::with_game!(@registry [$crate::with_game] [$name, $game, $body])
    };
}

/// What UCI calls the game that needs no variant.
const CHESS: &str = "chess";

/// What the learned network that is part of the program is called.
const NETWORK_NAME: &str = "network";

/// A game with everything that the commands need besides its rules.
pub trait RegisteredGame: Notation + Inputs + Symmetry + Tactics {
    /// Its name in the registry.
    const GAME: GameName;
    /// Its rules in three sentences, for those who do not know it.
    const RULES: &'static str;
    /// What UCI's option `UCI_Variant` calls it, as Fairy-Stockfish does. Programs that play it must have that option,
    /// unless it is `chess`, which every one plays.
    const UCI_VARIANT: &'static str = Self::NAME;
    /// The hand-crafted evaluations that are part of the program, the default one of the plain search first.
    const EVALUATIONS: &'static [BuiltIn<Self>];
    /// The file of the learned network that is part of the program, if there is one: the default of the full search.
    const NETWORK: Option<&'static [u8]> = None;
    /// The full search's parameters for play with the network: those that games with it found to be best (`halfply learn
    /// spsa`), and the defaults of all games for the others. Margins are in the units of the evaluation, so other
    /// evaluations do not get these.
    const TUNED: Parameters = Parameters::DEFAULT;
    /// The file of the learned model of search control that is part of the program, for play with the network.
    const CONTROL: Option<&'static str> = None;
    /// Test positions to learn on.
    const SUITE: &'static Bundled;
    /// Positions to start matches from.
    const OPENINGS: &'static Bundled;
    /// The file of the opening book that is part of the program, if there is one.
    const BOOK: Option<&'static [u8]> = None;
    /// Positions (FEN) of the benchmark whose node count is the behaviour signature.
    const BENCH: &'static [&'static str];
    /// How deep the benchmark searches them. So few plies that it takes a moment: every journal begins with it.
    const BENCH_DEPTHS: BenchDepths = BenchDepths { plain: 5, full: 8 };
    /// Measured strengths, from the weakest to the strongest, for players that are to be weaker than they could be; none
    /// if nobody has measured any.
    const STRENGTHS: &'static [Level] = &[];

    /// The rules as clauses, which definitions of atoms are read behind.
    const THEORY: Option<&'static Bundled> = None;

    /// The atoms of moves in a text; errors call it `name`.
    ///
    /// # Errors
    /// As [`MoveAtoms::parse`].
    fn move_atoms(text: &str, name: &str) -> Result<MoveAtoms, DataFileError> {
        let vocabulary = Self::VOCABULARY;
        let taken: Vec<&str> = vocabulary.atoms.iter().map(|atom| &*atom.name).collect();
        MoveAtoms::parse(Self::THEORY.map(|file| file.text), text, name, &taken)
    }

    /// Makes a problem of a position (FEN) that is to be solved exactly; none if the game has no solver.
    const SOLVER: Option<Solver> = None;

    /// Formats in which players of the game exchange game records, besides PGN.
    const RECORDS: &'static [RecordFormat] = &[];

    /// Whether a text may be a position (FEN) of this game rather than of another one. The game's notation says whether it
    /// really is one, which is all by default.
    fn may_be_position(fen: &str) -> bool {
        Self::parse_position(fen).is_ok()
    }

    /// The UCI options without which another program would play another game.
    fn required_options() -> Vec<(String, String)> {
        let variant = (Self::UCI_VARIANT != CHESS).then(|| ("UCI_Variant".to_owned(), Self::UCI_VARIANT.to_owned()));
        variant.into_iter().collect()
    }

    /// What the tag `Variant` of a game record (PGN) says; nothing for chess from a position of chess.
    fn record_variant(chess960: bool) -> Option<&'static str> {
        match Self::UCI_VARIANT {
            CHESS => chess960.then_some("chess960"),
            other => Some(other),
        }
    }

    /// The evaluation that a search has unless another is asked for: the plain search is the papers' program and has an
    /// hand-crafted evaluation, the full one has the network if there is one.
    fn default_evaluation(profile: Profile) -> Evaluator<Self> {
        let network = if profile == Profile::Full { Self::network() } else { None };
        network.unwrap_or_else(Self::hand_made)
    }

    /// What the full search's parameters are with the evaluation of that identity, unless they are set.
    fn parameters(evaluation: &str) -> Parameters {
        if evaluation.starts_with(network::MARK) { Self::TUNED } else { Parameters::DEFAULT }
    }

    /// The full search with that evaluation, and nothing set.
    fn usual_setup(evaluation: &Evaluator<Self>) -> Setup {
        let parameters = Self::parameters(evaluation.identity());
        let (control, logit) = (Self::control(), Self::LOGIT.round() as i32);
        Setup { defaults: Box::new(parameters.clone()), parameters, control, logit, ..Setup::full() }
    }

    /// The model of search control that is part of the program.
    fn control() -> Option<Arc<Control>> {
        // The file is part of the program, and a test reads it.
        Control::parse(Self::CONTROL?, "control", Self::NAME, &Self::VOCABULARY).ok().map(Arc::new)
    }

    /// The opening book that is part of the program.
    fn book() -> Option<OpeningBook> {
        // The file is part of the program, and a test reads it.
        OpeningBook::new(Self::BOOK?).ok()
    }

    /// The first of the hand-crafted evaluations.
    fn hand_made() -> Evaluator<Self> {
        let first = &Self::EVALUATIONS[0];
        (first.make)(first.name)
    }

    /// The network that is part of the program.
    fn network() -> Option<Evaluator<Self>> {
        // The file is part of the program, and a test reads it.
        let network = Network::read::<Self>(Self::NETWORK?).ok()?;
        let identity = network.identity().to_owned();
        Some(Self::evaluator_of(NETWORK_NAME, &identity, EvaluationData::Network(network)))
    }

    /// An evaluation with data: its name, its identity, and the data ([`Evaluator::with_data`]).
    ///
    /// Each game has this function of its own, and not a default one, so that its searches are compiled once, with this
    /// crate, and not again in each crate that names an evaluation.
    fn evaluator_of(name: &str, identity: &str, data: EvaluationData) -> Evaluator<Self>;

    /// The names of the built-in evaluations.
    fn evaluation_names() -> Vec<&'static str> {
        let network = Self::NETWORK.map(|_| NETWORK_NAME);
        Self::EVALUATIONS.iter().map(|entry| entry.name).chain(network).collect()
    }

    /// The built-in evaluation of that name.
    fn built_in(name: &str) -> Option<Evaluator<Self>> {
        if name == NETWORK_NAME {
            return Self::network();
        }
        Self::EVALUATIONS.iter().find(|entry| entry.name == name).map(|entry| (entry.make)(entry.name))
    }

    /// The evaluation that somebody has named: a built-in one, else one in a file. `path` finds the file.
    ///
    /// # Errors
    /// If there is no such evaluation and no such file, or the file holds no evaluation of this game.
    fn evaluator(named: &str, path: impl FnOnce(&Path) -> PathBuf) -> Result<Evaluator<Self>, EvaluationError> {
        if let Some(built_in) = Self::built_in(named) {
            return Ok(built_in);
        }
        let path = path(Path::new(named));
        // Whoever writes a name without a dot or a slash means no file.
        if !path.exists() && Path::new(named).components().count() == 1 && !named.contains('.') {
            let names = Self::evaluation_names().join(", ");
            return Err(EvaluationError::Unknown { game: Self::NAME, name: named.to_owned(), names });
        }
        Ok(Self::evaluation_of_file(&path)?)
    }

    /// The name of that evaluation in every folder: one that is built in keeps its name, a file gets its absolute path.
    fn located_evaluation(named: &str) -> String {
        match Self::built_in(named) {
            Some(_) => named.to_owned(),
            None => files::located(Path::new(named)).display().to_string(),
        }
    }

    /// The evaluation in a file: a network, or patterns with weights.
    ///
    /// # Errors
    /// If it cannot be read, or holds no evaluation of this game.
    fn evaluation_of_file(path: &Path) -> Result<Evaluator<Self>, DataFileError> {
        let begins =
            |start: &str| files::read_beginning(path, start.len() as u64).is_ok_and(|bytes| bytes == start.as_bytes());
        if begins(network::MAGIC) {
            let name = path.display().to_string();
            let wrong = |reason: String| DataFileError::Whole { name: name.clone(), reason };
            let bytes = files::read(path, network::LARGEST).map_err(|error| wrong(error.to_string()))?;
            let network = Network::read::<Self>(&bytes).map_err(|error| wrong(error.to_string()))?;
            let identity = network.identity().to_owned();
            return Ok(Self::evaluator_of(&name, &identity, EvaluationData::Network(network)));
        }
        if begins(patterns::file::MAGIC) {
            let evaluation = patterns::file::evaluation::<Self>(path)?;
            let identity = evaluation.identity().to_owned();
            let name = path.display().to_string();
            return Ok(Self::evaluator_of(&name, &identity, EvaluationData::Patterns(evaluation)));
        }
        data_file::read(path, "an evaluation: a network, or patterns with weights")?;
        let reason = if begins("halfply network ") || begins("halfply patterns ") {
            "its format is newer; use a newer halfply"
        } else {
            "it is neither a network nor patterns with weights; docs/formats.md describes both"
        };
        Err(DataFileError::Whole { name: path.display().to_string(), reason: reason.to_owned() })
    }
}

/// The data of an evaluation that was read from a file.
#[derive(Clone, Debug)]
pub enum EvaluationData {
    /// A learned network.
    Network(Network),
    /// Patterns with weights.
    Patterns(PatternEvaluation),
}

impl EvaluationData {
    /// What [`RegisteredGame::evaluator_of`] returns.
    fn evaluator<G: RegisteredGame>(self, name: &str, identity: &str) -> Evaluator<G> {
        match self {
            Self::Network(network) => Evaluator::with_data(name, identity, network),
            Self::Patterns(patterns) => Evaluator::with_data(name, identity, Boxed::new(patterns)),
        }
    }
}

/// Why there is no such evaluation.
#[derive(Debug, Error)]
pub enum EvaluationError {
    /// There is none of that name.
    #[error("{game} has no evaluation {name:?}; it has {names}, or give the file of one")]
    Unknown {
        /// The game.
        game: &'static str,
        /// What was asked for.
        name: String,
        /// What there is.
        names: String,
    },
    /// The file is none.
    #[error(transparent)]
    File(#[from] DataFileError),
}

/// How deep the benchmark positions are searched, in plies.
#[derive(Clone, Copy, Debug)]
pub struct BenchDepths {
    /// By the plain search without extensions; with extensions two fewer. At least 3.
    pub plain: u32,
    /// By the full search without extensions; with extensions three fewer, and two fewer with a learned evaluation. At
    /// least 6.
    pub full: u32,
}

/// A static evaluation that is part of the program.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn<G: Game> {
    /// Its name in commands and files.
    pub name: &'static str,
    /// Makes it; it is given its name.
    pub make: fn(&'static str) -> Evaluator<G>,
}

/// Makes the names of the games from the registry.
macro_rules! name_games {
    ([] $($(#[$attribute:meta])+ $game:ident in $module:ident;)+) => {
        $(pub use $module::$game;)+

        /// A game by name, as commands and files have it.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
        #[serde(rename_all = "lowercase")]
        pub enum GameName {
            $($(#[$attribute])+ $game,)+
        }
    };
}

with_game!(@registry [name_games] []);

/// The positions of a bundled file of EPD lines, for tests of this crate.
#[cfg(test)]
fn bundled_positions<G: Notation>(file: &Bundled) -> Vec<G::Position> {
    let lines = file.text.lines().filter(|line| !line.starts_with('#'));
    let fields = |line: &str| line.split(' ').take(4).collect::<Vec<_>>().join(" ");
    lines.map(|line| G::parse_position(&fields(line)).unwrap()).collect()
}

/// A game from the start to its end in which every move is played by chance, for tests of this crate.
#[cfg(test)]
pub(crate) fn random_game<G: Game>(seed: u64) -> crate::history::History<G> {
    let mut game = crate::history::History::new(G::start());
    while game.outcome().is_none() {
        let moves: G::Moves = game.legal_moves();
        let random = crate::base::mix::derive(seed, game.moves().len() as u64);
        game.play(moves[(random % moves.len() as u64) as usize]);
    }
    game
}
