// SPDX-License-Identifier: GPL-3.0-or-later
//! Chess and Chess960. The rules are `shakmaty`'s; keys, rule draws and features are ours.

mod atoms;
mod checks;
mod endings;
pub mod evaluation;
mod exchange;
mod notation;
mod placement;
mod stages;
mod tactics;

pub use evaluation::{Classical, Material};

use std::cmp::Reverse;

use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess as Rules, Color, EnPassantMode, Position as _, Role};

use super::{BenchDepths, BuiltIn, EvaluationData, GameName, Level, RegisteredGame};
use crate::base::bundled::{self, Bundled, bundled_bytes};
use crate::evaluation::Boxed;
use crate::features::{AtomSet, Vocabulary};
use crate::game::{Game, MoveContext, Outcome, Pieces, Side, Symmetry};
use crate::search::{Evaluator, Parameters};

/// A position of chess: board, side to move, castling rights, en passant square and the two counters.
pub type Position = Rules;
/// A move of chess.
pub type Move = shakmaty::Move;

/// The rules of chess; a position knows by its castling rights whether it is of Chess960.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chess;

/// Keys tell positions apart as the repetition rule does: an en passant square counts only if a pawn can really
/// capture there.
const EN_PASSANT: EnPassantMode = EnPassantMode::Legal;

impl Game for Chess {
    type Position = Position;
    type Move = Move;
    type Moves = shakmaty::MoveList;

    const NAME: &'static str = "chess";

    /// Games may be longer; lines of search are not.
    const MAX_PLY: usize = 128;

    const VOCABULARY: Vocabulary = atoms::VOCABULARY;

    fn start() -> Position {
        Position::default()
    }

    fn to_move(position: &Position) -> Side {
        side(position.turn())
    }

    /// Never: it takes the legal moves to see a mate, and draws by rule take the game so far.
    #[inline]
    fn decided(_position: &Position) -> Option<Outcome> {
        None
    }

    #[inline]
    fn generate(position: &Position) -> shakmaty::MoveList {
        position.legal_moves()
    }

    fn stuck(position: &Position) -> Outcome {
        if position.is_check() { Outcome::Loss } else { Outcome::Draw }
    }

    #[inline]
    fn play(position: &mut Position, mv: Move) {
        position.play_unchecked(mv);
    }

    /// The Polyglot key, but that an en passant square counts only where the capture is legal.
    fn key(position: &Position) -> u64 {
        position.zobrist_hash::<Zobrist64>(EN_PASSANT).0
    }

    /// None where castling rights or the en passant square change.
    #[inline]
    fn known_key(before: &Position, key: u64, mv: Move) -> Option<u64> {
        before.update_zobrist_hash(Zobrist64(key), mv, EN_PASSANT).map(|key| key.0)
    }

    const RULE_DRAWS: bool = true;

    /// Fifty moves by each side, material that cannot mate, and repetition: once within the search, twice on the board.
    fn rule_draw(position: &Position, key: u64, earlier: &[u64], at_root: usize) -> bool {
        let clock = position.halfmoves() as usize;
        if clock >= 100 {
            // A mate on the last move counts.
            return !position.is_checkmate();
        }
        // Nothing is repeated within four plies, nor across a capture or a pawn's move.
        let reach = clock.min(earlier.len());
        let mut on_board = 0;
        for back in (4..=reach).step_by(2) {
            let index = earlier.len() - back;
            if earlier[index] == key {
                on_board += 1;
                if index >= at_root || on_board == 2 {
                    return true;
                }
            }
        }
        position.is_insufficient_material()
    }

    const QUIESCENCE: bool = true;

    #[inline]
    fn in_check(position: &Position) -> bool {
        position.is_check()
    }

    fn checks(position: &Position) -> impl Fn(Move) -> bool {
        checks::checks(position)
    }

    /// Captures, the most valuable victim first and by the least valuable attacker, and promotions to a queen.
    fn noisy(position: &Position) -> shakmaty::MoveList {
        let mut moves = shakmaty::MoveList::new();
        stages::fill_noisy(position, &mut moves);
        let worth = |role: Option<Role>| role.map_or(0, |role| role as u32);
        // Squares make the order whole, so that it is the same whatever sorts it.
        moves.sort_unstable_by_key(|&mv| {
            let gain = worth(mv.capture()) + worth(mv.promotion());
            (Reverse(gain), mv.role() as u32, mv.from().map(u32::from), u32::from(mv.to()))
        });
        moves
    }

    #[inline]
    fn occupied(position: &Position) -> [u64; 2] {
        let board = position.board();
        [Color::White, Color::Black].map(|color| board.by_color(color).into())
    }

    #[inline]
    fn squares(mv: Move) -> Option<[u8; 2]> {
        Some([mv.from().unwrap_or(mv.to()).into(), mv.to().into()])
    }

    #[inline]
    fn atoms(context: &MoveContext<'_, Self>, wanted: AtomSet) -> AtomSet {
        atoms::atoms(context, wanted)
    }
}

impl Symmetry for Chess {
    /// The position itself and the one with the colours exchanged; castling rights know no other symmetry.
    fn images(position: &Position) -> Vec<Position> {
        let setup = position.to_setup(EnPassantMode::Always).into_mirrored();
        let exchanged = setup.position(position.castles().mode());
        [Some(position.clone()), exchanged.ok()].into_iter().flatten().collect()
    }
}

impl Pieces for Chess {
    const KINDS: &'static [&'static str] = &["pawn", "knight", "bishop", "rook", "queen", "king"];

    type Boards = [u64; 12];

    fn boards(position: &Position) -> [u64; 12] {
        let board = position.board();
        let mut boards = [0; 12];
        for (index, squares) in boards.iter_mut().enumerate() {
            let color = if index < 6 { Color::White } else { Color::Black };
            *squares = (board.by_role(Role::ALL[index % 6]) & board.by_color(color)).into();
        }
        boards
    }
}

// Functions and not closures, which would be compiled, with their searches, in each crate that uses them.

fn classical(name: &'static str) -> Evaluator<Chess> {
    Evaluator::built_in(name, Classical)
}

fn material(name: &'static str) -> Evaluator<Chess> {
    Evaluator::built_in(name, Boxed::new(Material))
}

bundled_bytes!(NETWORK: "../../../../../networks/chess.network");

impl RegisteredGame for Chess {
    const GAME: GameName = GameName::Chess;

    const RULES: &'static str = "Rooks move along rows and files, bishops along diagonals, queens along both, kings one square \
                                 in any direction, knights jump two squares and one aside, and pawns step forward and capture \
                                 diagonally. A king that is attacked must be made safe at once; if it cannot be, that is \
                                 checkmate, and the attacker wins. It is a draw if a side that is not attacked has no move, if \
                                 a position occurs three times, or after fifty moves without a capture or a pawn's move.";

    fn may_be_position(fen: &str) -> bool {
        has_king(fen)
    }

    const EVALUATIONS: &'static [BuiltIn<Self>] =
        &[BuiltIn { name: "classical", make: classical }, BuiltIn { name: "material", make: material }];

    const NETWORK: Option<&'static [u8]> = Some(&NETWORK);

    const CONTROL: Option<&'static str> = Some(include_str!("../../../../../control/chess.toml"));

    /// From 6,000 games at 2,000 nodes a move (research/spsa.md), and techniques that gained games (research/strength.md).
    const TUNED: Parameters = Parameters {
        null_move_reduction: 370,
        reverse_futility_margin: 33,
        futility_base: 34,
        futility_margin: 186,
        late_move_base: 6,
        exchange_quiet: 16,
        reduction_base: 75,
        reduction_slope: 63,
        reduction_history: 80,
        reduction_special: 235,
        counter_move_history: 200,
        follow_up_history: 100,
        danger_history: 30,
        correction_history: true,
        razoring: true,
        singular_extensions: true,
        history_pruning: true,
        history_pruning_margin: 5_300,
        ..Parameters::DEFAULT
    };

    fn evaluator_of(name: &str, identity: &str, data: EvaluationData) -> Evaluator<Self> {
        data.evaluator(name, identity)
    }

    const SUITE: &'static Bundled = &bundled::ECM_THESIS;

    const OPENINGS: &'static Bundled = &bundled::CHESS_OPENINGS;

    const BENCH: &'static [&'static str] = &[
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "4k2r/1p3p2/2n1b3/3q4/8/2N2B2/1P3Q2/R3K3 w Qk - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "r4rk1/5ppp/1bn5/8/8/1BN5/5PPP/R4RK1 b - - 0 10",
        "6k1/P4ppp/8/8/8/3r4/5PPP/2R3K1 w - - 0 1",
        "4k3/2p5/3n4/4P3/1b6/2P5/4N3/4K2R w K - 0 1",
    ];

    const BENCH_DEPTHS: BenchDepths = BenchDepths { plain: 4, full: 9 };

    /// By games against Stockfish 15.1 with its strength limited, those below 1300 by games between levels. The lowest was
    /// measured at -10, where no client can set it.
    const STRENGTHS: &'static [Level] = &[
        Level::new(1, 200, 800),
        Level::new(230, 300, 550),
        Level::new(510, 400, 380),
        Level::new(790, 600, 270),
        Level::new(1090, 800, 200),
        Level::new(1350, 900, 150),
        Level::new(1590, 1_200, 110),
        Level::new(1810, 1_600, 80),
        Level::new(2000, 2_200, 60),
        Level::new(2220, 3_000, 40),
        Level::new(2400, 4_000, 10),
        Level::new(2520, 4_000, 0),
        Level::new(2710, 10_000, 0),
        Level::new(2820, 25_000, 0),
    ];
}

/// Whether the board of a FEN has a king.
pub(super) fn has_king(fen: &str) -> bool {
    fen.split_whitespace().next().is_some_and(|board| board.contains(['k', 'K']))
}

/// Our name for a colour.
pub(crate) const fn side(color: Color) -> Side {
    match color {
        Color::White => Side::White,
        Color::Black => Side::Black,
    }
}
