// SPDX-License-Identifier: GPL-3.0-or-later
//! Othello (Goro Hasegawa, 1971, after Reversi).
//!
//! A disc must turn over at least one line of opposing discs between itself and another own disc. A player without such a
//! square passes; the game ends when neither side has one, and who has more discs wins. [`Side::White`], the first player
//! everywhere in this program, has the black discs.

mod atoms;
mod board;
pub mod endgame;
mod evaluation;
mod lines;
mod notation;
mod records;
mod solve;
mod stability;
mod tactics;

pub use board::{Move, MoveList, Position};
pub use endgame::Solver;
pub use evaluation::{Classical, DiscCount, WeightedSquares};

use super::records::RecordFormat;
use super::{BenchDepths, BuiltIn, EvaluationData, GameName, Level, RegisteredGame};
use crate::base::bits::ones;
use crate::base::bundled::{self, Bundled, bundled_bytes};
use crate::evaluation::Boxed;
use crate::features::{AtomSet, Vocabulary};
use crate::game::{Game, MoveContext, Outcome, Pieces, Side, Symmetry, Undecided};
use crate::search::{Evaluator, Parameters};

/// The table of the solver that proves suites: `1 << 16` pairs of entries, three megabytes.
const PROOF_TABLE: u32 = 16;

/// The rules on the 8x8 board.
#[derive(Clone, Copy, Debug, Default)]
pub struct Othello;

impl Game for Othello {
    type Position = Position;
    type Move = Move;
    type Moves = MoveList;

    const NAME: &'static str = "othello";

    /// No line gets that long: sixty discs, and at most one pass before each.
    const MAX_PLY: usize = 120;

    const VOCABULARY: Vocabulary = atoms::VOCABULARY;

    fn start() -> Position {
        Position::start()
    }

    fn to_move(position: &Position) -> Side {
        position.turn
    }

    #[inline]
    fn decided(position: &Position) -> Option<Outcome> {
        position.decided()
    }

    #[inline]
    fn generate(position: &Position) -> MoveList {
        position.generate()
    }

    #[inline]
    fn play(position: &mut Position, mv: Move) {
        position.play(mv);
    }

    fn key(position: &Position) -> u64 {
        position.key()
    }

    #[inline]
    fn occupied(position: &Position) -> [u64; 2] {
        position.discs()
    }

    #[inline]
    fn squares(mv: Move) -> Option<[u8; 2]> {
        mv.square().map(|square| [square as u8; 2])
    }

    #[inline(always)]
    fn atoms(context: &MoveContext<'_, Self>, wanted: AtomSet) -> AtomSet {
        atoms::atoms(context, wanted)
    }

    const COUNTS_AT_END: bool = true;

    fn only_win(position: &Position, plies: u32, budget: u64) -> Result<Option<Move>, Undecided> {
        if position.empty().count_ones() != plies {
            return Ok(None);
        }
        Solver::new(PROOF_TABLE, budget).only_win(position)
    }
}

impl Symmetry for Othello {
    /// The eight turned and mirrored boards, and each with exchanged sides.
    fn images(position: &Position) -> Vec<Position> {
        let left_to_right = |board: u64| board.swap_bytes().reverse_bits();
        let image = |turn, map: &dyn Fn(u64) -> u64| Position::new(position.discs().map(map), turn, position.number);
        let exchanged = |turn: Side, map: &dyn Fn(u64) -> u64| {
            let [first, second] = position.discs().map(map);
            Position::new([second, first], turn.other(), position.number)
        };
        let maps: [&dyn Fn(u64) -> u64; 8] = [
            &|board| board,
            &left_to_right,
            &u64::swap_bytes,
            &u64::reverse_bits,
            &transposed,
            &|board| left_to_right(transposed(board)),
            &|board| transposed(board).swap_bytes(),
            &|board| transposed(board).reverse_bits(),
        ];
        let turn = position.turn;
        maps.iter().map(|map| image(turn, map)).chain(maps.iter().map(|map| exchanged(turn, map))).collect()
    }
}

/// A board with files and rows exchanged.
fn transposed(board: u64) -> u64 {
    ones(board).map(|square| 1 << (square % 8 * 8 + square / 8)).sum()
}

impl Pieces for Othello {
    const KINDS: &'static [&'static str] = &["disc"];

    type Boards = [u64; 2];

    #[inline]
    fn boards(position: &Position) -> [u64; 2] {
        position.discs()
    }

    fn position(discs: &[u64; 2], side: Side) -> Option<Position> {
        Some(Position::new(*discs, side, 1))
    }
}

/// Whether a text may be a position of Othello: 64 squares, or a FEN with discs in hand.
pub(super) fn is_othello(text: &str) -> bool {
    let board = text.split_whitespace().next().unwrap_or_default();
    board.contains('[') || (board.len() == 64 && !board.contains('/'))
}

// Functions and not closures, which would be compiled, with their searches, in each crate that uses them.

fn classical(name: &'static str) -> Evaluator<Othello> {
    Evaluator::built_in(name, Classical)
}

fn weighted_squares(name: &'static str) -> Evaluator<Othello> {
    Evaluator::built_in(name, Boxed::new(WeightedSquares))
}

fn disc_count(name: &'static str) -> Evaluator<Othello> {
    Evaluator::built_in(name, Boxed::new(DiscCount))
}

bundled_bytes!(NETWORK: "../../../../../networks/othello.network");
bundled_bytes!(BOOK: "../../../../../books/othello/self-play.bin");

impl RegisteredGame for Othello {
    const GAME: GameName = GameName::Othello;

    const RULES: &'static str = "Black begins; a move puts a disc on an empty square so that opposing discs lie in a straight \
                                 line between it and another own disc, and turns all of these over. Who has no such square \
                                 passes. When neither side has one, the game is over, and more discs win.";

    const UCI_VARIANT: &'static str = "flipello";

    fn may_be_position(fen: &str) -> bool {
        is_othello(fen)
    }

    const EVALUATIONS: &'static [BuiltIn<Self>] = &[
        BuiltIn { name: "classical", make: classical },
        BuiltIn { name: "weighted-squares", make: weighted_squares },
        BuiltIn { name: "disc-count", make: disc_count },
    ];

    const NETWORK: Option<&'static [u8]> = Some(&NETWORK);
    const BOOK: Option<&'static [u8]> = Some(&BOOK);

    /// Learned control (research/learned-control.md).
    const TUNED: Parameters = Parameters {
        learned_reductions: true,
        learned_slope: 50,
        learned_pruning: true,
        learned_skip: 250,
        learned_skip_slope: 90,
        ..Parameters::DEFAULT
    };

    const CONTROL: Option<&'static str> = Some(include_str!("../../../../../control/othello.toml"));

    fn evaluator_of(name: &str, identity: &str, data: EvaluationData) -> Evaluator<Self> {
        data.evaluator(name, identity)
    }

    const THEORY: Option<&'static Bundled> = Some(&bundled::OTHELLO_THEORY);

    const SUITE: &'static Bundled = &bundled::OTHELLO_WINS;

    const OPENINGS: &'static Bundled = &bundled::OTHELLO_OPENINGS;

    /// The start, and endgames of FFO with 34, 24, 15 and 6 empty squares.
    const BENCH: &'static [&'static str] = &[
        "---------------------------OX------XO--------------------------- X",
        "-----------------------O--OOOOO---OOOOOXOOOOXXXX--XXOOXX--XX-O-X X",
        "---XXX----OOOX----OOOXX--OOOOXXX--OOOOXX--OXOXXX--XXOO---XXXX-O- X",
        "OOOOOOOOXOOXXX--XXOOXOO-XOXOOO--XOOOOX--XOOXOO--XOOOOO--XXXX---- O",
        "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X",
    ];

    const BENCH_DEPTHS: BenchDepths = BenchDepths { plain: 6, full: 9 };

    const SOLVER: Option<crate::solve::Solver> = Some(solve::problem);

    const RECORDS: &'static [RecordFormat] = &[
        RecordFormat { ending: "ggf", read: records::ggf::read },
        RecordFormat { ending: "wtb", read: records::wthor::read },
    ];

    /// Measured by games between neighbouring levels. As in Breakthrough, the highest level was set to 2720.
    const STRENGTHS: &'static [Level] = &[
        Level::new(540, 100, 4_000),
        Level::new(660, 100, 2_000),
        Level::new(910, 100, 1_000),
        Level::new(1120, 150, 600),
        Level::new(1300, 200, 400),
        Level::new(1480, 300, 280),
        Level::new(1610, 400, 200),
        Level::new(1820, 600, 140),
        Level::new(1930, 800, 100),
        Level::new(2140, 1_500, 50),
        Level::new(2230, 2_000, 20),
        Level::new(2400, 3_000, 0),
        Level::new(2590, 8_000, 0),
        Level::new(2720, 25_000, 0),
    ];
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Notation, after, legal_moves};

    #[test]
    fn images_are_the_same_problem() {
        let position =
            Othello::parse_position("--O--O--X-OOOOX-XXOOOXOOXXOXOXOOXXOXXOOOXXXXOOOO--OXXX---XXXXX-- O").unwrap();
        let images = Othello::images(&position);
        let moves = |position: &Position, plies| crate::game::perft::<Othello>(position, plies);
        for (place, image) in images.iter().enumerate() {
            assert_eq!(moves(image, 3), moves(&position, 3));
            assert_eq!(image.difference(), position.difference());
            assert_eq!(images.iter().position(|other| other == image), Some(place), "a duplicate image");
            assert!(Othello::images(image).contains(&position));
        }
        assert_eq!(images.len(), 16);
    }

    #[test]
    fn the_shortest_games_end() {
        // Nine discs: White has lost all of its own (a game of the folklore of Othello).
        let mut position = Othello::start();
        for text in ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"] {
            assert_eq!(Othello::decided(&position), None);
            position = after::<Othello>(&position, Othello::parse_move(&position, text).unwrap());
        }
        assert_eq!(Othello::decided(&position), Some(Outcome::Loss));
        assert_eq!(Othello::ending(&position), "all discs turned over");
        assert!(legal_moves::<Othello>(&position).is_empty());
    }
}
