// SPDX-License-Identifier: GPL-3.0-or-later
//! Breakthrough (Dan Troyka, 2001).
//!
//! Pieces step one square straight or diagonally forward onto an empty square and capture diagonally forward. Who
//! first reaches the far row, or leaves the opponent without pieces, wins. There are no draws, and a side that has
//! pieces always has a move.

mod atoms;
mod blocks;
mod board;
mod evaluation;
mod fen;
mod notation;
mod races;
mod shape;
mod solve;
mod tactics;

pub use board::{Move, MoveList, Position};
pub use evaluation::{Advancement, PieceCount, SafeAdvancement};
pub use solve::Rectangle;

use super::{BuiltIn, EvaluationData, GameName, Level, RegisteredGame};
use crate::base::bundled::{self, Bundled, bundled_bytes};
use crate::evaluation::Boxed;
use crate::features::{AtomSet, Vocabulary};
use crate::game::{Game, MoveContext, Outcome, Pieces, Side, Symmetry};
use crate::search::{Evaluator, Parameters};
use crate::solve::Solver;
use shape::Shape;

/// Columns and rows of the board.
const SIZE: u32 = 8;

/// The rules on the 8x8 board. The solver knows boards of other sizes ([`Rectangle`]).
#[derive(Clone, Copy, Debug, Default)]
pub struct Breakthrough;

impl Shape for Breakthrough {
    #[inline(always)]
    fn columns(self) -> u32 {
        SIZE
    }

    #[inline(always)]
    fn rows(self) -> u32 {
        SIZE
    }
}

impl Game for Breakthrough {
    type Position = Position;
    type Move = Move;
    type Moves = MoveList;

    const NAME: &'static str = "breakthrough";

    /// No line gets that long: every ply moves a piece one row forward, and on 8x8 a side has 8 x 6 + 8 x 5 = 88 steps
    /// before the winning one, so no game is longer than 177 plies.
    const MAX_PLY: usize = 210;

    const VOCABULARY: Vocabulary = atoms::VOCABULARY;

    fn start() -> Position {
        Position::start(Self, 2)
    }

    fn to_move(position: &Position) -> Side {
        position.turn
    }

    #[inline]
    fn decided(position: &Position) -> Option<Outcome> {
        position.decided(Self)
    }

    #[inline]
    fn generate(position: &Position) -> MoveList {
        position.generate(Self)
    }

    #[inline]
    fn play(position: &mut Position, mv: Move) {
        position.play(mv);
    }

    fn key(position: &Position) -> u64 {
        position.key()
    }

    #[inline]
    fn known_key(before: &Position, key: u64, mv: Move) -> Option<u64> {
        Some(before.key_after(key, mv))
    }

    /// A piece one step from its goal must be captured at once, or the race is over.
    #[inline]
    fn in_check(position: &Position) -> bool {
        let (us, them) = (position.turn, position.turn.other());
        position.opposing & Self.before_goal(them) != 0 && position.own & Self.before_goal(us) == 0
    }

    /// Captures and the step onto the goal.
    fn noisy(position: &Position) -> MoveList {
        let decisive = position.opposing | Self.goal(position.turn);
        position.generate(Self).into_iter().filter(|mv| decisive >> mv.to() & 1 == 1).collect()
    }

    #[inline]
    fn occupied(position: &Position) -> [u64; 2] {
        position.pieces()
    }

    #[inline]
    fn squares(mv: Move) -> Option<[u8; 2]> {
        Some([mv.from() as u8, mv.to() as u8])
    }

    #[inline(always)]
    fn atoms(context: &MoveContext<'_, Self>, wanted: AtomSet) -> AtomSet {
        atoms::atoms(context, wanted)
    }

    /// The side to move has `(plies + 1) / 2` moves. It wins by walking, for which its foremost piece must be that
    /// near, or by capturing everything, for which there must be no more pieces than moves.
    fn may_win_within(position: &Position, plies: u32) -> bool {
        let Position { own, opposing, turn: side, .. } = *position;
        let moves = plies.div_ceil(2);
        if moves == 0 || own == 0 {
            return false;
        }
        let foremost = match side {
            Side::White => 63 - own.leading_zeros(),
            Side::Black => own.trailing_zeros(),
        };
        SIZE - 1 - Self.row(foremost, side) <= moves || opposing.count_ones() <= moves
    }
}

impl Symmetry for Breakthrough {
    /// The mirror image left to right, and either with the sides and the direction exchanged.
    fn images(position: &Position) -> Vec<Position> {
        let exchanged = |[white, black]: [u64; 2]| [Self.upside_down(black), Self.upside_down(white)];
        let image = |pieces, turn| Position::new(pieces, turn, position.clock, position.number);
        let (turn, pieces) = (position.turn, position.pieces());
        let mirror = pieces.map(|board| Self.mirror_image(board));
        vec![
            *position,
            image(mirror, turn),
            image(exchanged(pieces), turn.other()),
            image(exchanged(mirror), turn.other()),
        ]
    }
}

impl Pieces for Breakthrough {
    const SIZE: u32 = SIZE;

    const KINDS: &'static [&'static str] = &["piece"];

    type Boards = [u64; 2];

    #[inline]
    fn boards(position: &Position) -> [u64; 2] {
        position.pieces()
    }

    fn position(boards: &[u64; 2], side: Side) -> Option<Position> {
        Some(Position::new(*boards, side, 0, 1))
    }
}

// Functions and not closures, which would be compiled, with their searches, in each crate that uses them.

fn safe_advancement(name: &'static str) -> Evaluator<Breakthrough> {
    Evaluator::built_in(name, SafeAdvancement)
}

fn advancement(name: &'static str) -> Evaluator<Breakthrough> {
    Evaluator::built_in(name, Boxed::new(Advancement))
}

fn piece_count(name: &'static str) -> Evaluator<Breakthrough> {
    Evaluator::built_in(name, Boxed::new(PieceCount))
}

bundled_bytes!(NETWORK: "../../../../../networks/breakthrough.network");
bundled_bytes!(BOOK: "../../../../../books/breakthrough/self-play.bin");

impl RegisteredGame for Breakthrough {
    const GAME: GameName = GameName::Breakthrough;

    const RULES: &'static str = "Each side begins with two rows of pieces and moves one of them a square ahead, straight or \
                                diagonally. A piece captures diagonally only, and cannot go straight where another piece \
                                stands. Who reaches the opponent's first row, or captures all of its pieces, wins.";

    /// A board without kings and without discs in hand.
    fn may_be_position(fen: &str) -> bool {
        !super::chess::has_king(fen) && !super::othello::is_othello(fen)
    }

    const EVALUATIONS: &'static [BuiltIn<Self>] = &[
        BuiltIn { name: "safe-advancement", make: safe_advancement },
        BuiltIn { name: "advancement", make: advancement },
        BuiltIn { name: "piece-count", make: piece_count },
    ];

    const NETWORK: Option<&'static [u8]> = Some(&NETWORK);
    const BOOK: Option<&'static [u8]> = Some(&BOOK);

    const CONTROL: Option<&'static str> = Some(include_str!("../../../../../control/breakthrough.toml"));

    /// From 6,000 games at 2,000 nodes a move (research/spsa.md), and learned control (research/learned-control.md).
    const TUNED: Parameters = Parameters {
        learned_reductions: true,
        learned_pruning: true,
        null_move_reduction: 253,
        reverse_futility_margin: 31,
        futility_base: 50,
        futility_margin: 169,
        late_move_base: 8,
        exchange_quiet: 49,
        reduction_base: 96,
        reduction_slope: 98,
        reduction_history: 177,
        reduction_special: 55,
        ..Parameters::DEFAULT
    };

    fn evaluator_of(name: &str, identity: &str, data: EvaluationData) -> Evaluator<Self> {
        data.evaluator(name, identity)
    }

    const THEORY: Option<&'static Bundled> = Some(&bundled::BREAKTHROUGH_THEORY);

    const SUITE: &'static Bundled = &bundled::BREAKTHROUGH_7PLY;

    const OPENINGS: &'static Bundled = &bundled::BREAKTHROUGH_OPENINGS;

    /// It reads positions on boards of any size.
    const SOLVER: Option<Solver> = Some(solve::problem);

    const BENCH: &'static [&'static str] = &[
        "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1",
        "1p2pp1p/2p2ppp/2P5/8/8/3P2P1/1p1P2PP/1PP1PP1P w - - 0 1",
        "p1p2ppp/1p2p1p1/2pp4/1P3p2/P1p1P1P1/3P4/PP3P1P/1P1PP1PP b - - 0 1",
        "2p1p3/p4p1p/1p1P2p1/4P3/pP1p3P/6P1/P4P2/1PP1P3 w - - 0 1",
        "8/1pp3p1/5p2/2P1p2P/p3P3/1P3p2/6P1/2P5 b - - 0 1",
    ];

    /// Measured by games between neighbouring levels. The Elo of Breakthrough is comparable with no other scale: the
    /// highest level was set to 2720, which chess had with the same limits and its seventh network.
    const STRENGTHS: &'static [Level] = &[
        Level::new(1, 100, 3_500),
        Level::new(140, 100, 2_000),
        Level::new(270, 100, 1_500),
        Level::new(460, 100, 1_200),
        Level::new(650, 100, 850),
        Level::new(810, 150, 500),
        Level::new(1030, 300, 280),
        Level::new(1330, 500, 150),
        Level::new(1460, 800, 110),
        Level::new(1610, 1_000, 80),
        Level::new(1830, 1_500, 50),
        Level::new(1980, 2_000, 20),
        Level::new(2280, 3_000, 0),
        Level::new(2480, 8_000, 0),
        Level::new(2720, 25_000, 0),
    ];
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Notation, legal_moves};

    #[test]
    fn images_have_as_many_moves_and_undo_themselves() {
        let position = Breakthrough::parse_position("1p2pp1p/2p2ppp/2P5/8/8/3P2P1/1p1P2PP/1PP1PP1P w - - 0 1").unwrap();
        let images = Breakthrough::images(&position);
        for image in &images {
            assert_eq!(legal_moves::<Breakthrough>(image).len(), 21);
        }
        assert_eq!(
            Breakthrough::format_position(&images[1]),
            "p1pp2p1/ppp2p2/5P2/8/8/1P2P3/PP2P1p1/P1PP1PP1 w - - 0 1"
        );
        assert_eq!(Breakthrough::images(&images[3])[3], position);
    }

    #[test]
    fn a_side_without_pieces_has_lost() {
        let position = Breakthrough::parse_position("8/8/8/3p4/2P5/8/8/8 w").unwrap();
        let mv = Breakthrough::parse_move(&position, "c4d5").unwrap();
        let after = crate::game::after::<Breakthrough>(&position, mv);
        assert_eq!(Breakthrough::decided(&after), Some(Outcome::Loss));
    }
}
