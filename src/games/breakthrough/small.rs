// SPDX-License-Identifier: GPL-3.0-or-later
//! The games on smaller boards, named as in Fairy-Stockfish's `variants.ini`.

use super::{BreakthroughOn, Rectangle, SafeAdvancement, solve};
use crate::base::bundled::{self, Bundled};
use crate::game::Notation;
use crate::games::{BenchDepths, BuiltIn, Furnished, GameName, Level};
use crate::search::Evaluator;
use crate::solve::Solver;

/// What a board of one size has of its own.
macro_rules! small_board {
    ($size:literal, $game:ident, $suite:ident, $openings:ident, $bench:expr) => {
        impl Furnished for BreakthroughOn<$size> {
            const GAME: GameName = GameName::$game;

            const UCI_VARIANT: &'static str = super::name($size);

            /// A board of this size without kings.
            fn may_be_position(fen: &str) -> bool {
                !crate::games::chess::has_king(fen) && Rectangle::is_square(fen, $size)
            }

            const EVALUATIONS: &'static [BuiltIn<Self>] =
                &[BuiltIn { name: "safe-advancement", make: |name| Evaluator::built_in(name, SafeAdvancement) }];

            const NETWORK: Option<&'static [u8]> = None;

            const SUITE: Bundled = bundled::$suite;

            const OPENINGS: Bundled = bundled::$openings;

            /// Positions on boards of this size only.
            const SOLVER: Option<Solver> = Some(|text| {
                Self::parse_position(text)?;
                solve::problem(text)
            });

            const BENCH: &'static [&'static str] = &$bench;

            const BENCH_DEPTHS: BenchDepths = BenchDepths { plain: 5, full: 7 };

            /// Nobody has measured any.
            const STRENGTHS: &'static [Level] = &[];
        }
    };
}

small_board!(
    5,
    Breakthrough5,
    BREAKTHROUGH5_SUITE,
    BREAKTHROUGH5_OPENINGS,
    ["ppppp/ppppp/5/PPPPP/PPPPP w - - 0 1", "pp1pp/1p2p/p1P2/P2PP/PP1P1 b - - 0 5",]
);
small_board!(
    6,
    Breakthrough6,
    BREAKTHROUGH6_SUITE,
    BREAKTHROUGH6_OPENINGS,
    ["pppppp/pppppp/6/6/PPPPPP/PPPPPP w - - 0 1", "p1pp1p/pp2p1/2p2p/P2P2/1PP1PP/P1PP1P w - - 0 5",]
);
small_board!(
    7,
    Breakthrough7,
    BREAKTHROUGH7_SUITE,
    BREAKTHROUGH7_OPENINGS,
    ["ppppppp/ppppppp/7/7/7/PPPPPPP/PPPPPPP w - - 0 1", "pp1pp1p/p1pp2p/1p3p1/3P3/P1P2P1/1PP1P1P/PP1PP1P b - - 0 7",]
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Score;
    use crate::base::mix::mix;
    use crate::evaluation::Evaluation;
    use crate::evaluation::network::Inputs;
    use crate::evaluation::piece_squares::PieceSquares;
    use crate::features::AtomSet;
    use crate::game::{Game, MoveContext, Proof, Side, Tactics, after, legal_moves};
    use crate::games::breakthrough::Advancement;
    use crate::suite::Suite;

    /// The positions of the suite and of the benchmark.
    fn positions<G: Furnished>() -> Vec<G::Position> {
        let suite = Suite::<G>::bundled(G::SUITE).unwrap();
        let bench = G::BENCH.iter().map(|fen| G::parse_position(fen).unwrap());
        suite.problems.into_iter().map(|problem| problem.position).chain(bench).collect()
    }

    /// The atoms of all moves, in no order.
    fn atoms<G: Game>(position: &G::Position) -> Vec<u64> {
        let of = |&mv: &G::Move| {
            let next = after::<G>(position, mv);
            G::atoms(&MoveContext::new(position, &next, mv, None), G::VOCABULARY.all()).0
        };
        let mut atoms: Vec<u64> = legal_moves::<G>(position).iter().map(of).collect();
        atoms.sort_unstable();
        atoms
    }

    /// What a network sees, in no order.
    fn seen<G: Inputs>(position: &G::Position, side: Side) -> Vec<u32> {
        let mut inputs = G::active(&G::boards(position), side).to_vec();
        inputs.sort_unstable();
        inputs
    }

    /// Whatever is computed of a position is the same of its images.
    fn images_are_alike<G: Furnished>()
    where
        SafeAdvancement: Evaluation<G>,
        Advancement: Evaluation<G>,
    {
        // Weights that are the same on mirrored squares; those beside the board must not matter.
        let weight = |square: usize| match (square % 8, G::SIZE as usize) {
            (file, files) if file < files => (mix((square / 8 * 8 + file.min(files - 1 - file)) as u64) % 100) as Score,
            _ => 10_000,
        };
        let squares = PieceSquares::new::<G>(vec![std::array::from_fn(weight)]).unwrap();
        let judge = |position: &G::Position| -> [Score; 3] {
            let squares = Evaluation::<G>::judge(&squares, position);
            [SafeAdvancement.judge(position), Advancement.judge(position), squares]
        };
        for position in positions::<G>() {
            let images = G::images(&position);
            for image in &images {
                assert_eq!(judge(image), judge(&position));
                assert_eq!(G::proved(image), G::proved(&position));
                assert_eq!(G::is_calm(image), G::is_calm(&position));
                assert_eq!(atoms::<G>(image), atoms::<G>(&position));
            }
            let mut mirrored: Vec<u32> =
                seen::<G>(&position, Side::White).into_iter().map(<G as Inputs>::mirrored).collect();
            mirrored.sort_unstable();
            assert!(mirrored.iter().all(|&input| (input as usize) < G::INPUTS));
            assert_eq!(seen::<G>(&images[1], Side::White), mirrored);
            assert_eq!(seen::<G>(&images[2], Side::Black), seen::<G>(&position, Side::White));
        }
    }

    #[test]
    fn no_side_and_no_wing_is_favoured() {
        images_are_alike::<BreakthroughOn<5>>();
        images_are_alike::<BreakthroughOn<6>>();
        images_are_alike::<BreakthroughOn<7>>();
    }

    #[test]
    fn atoms_follow_the_size_of_the_board() {
        type On5 = BreakthroughOn<5>;
        for (board, mv, atoms) in [
            ("4p/5/5/P4/5 w", "a2a3", "Ud-PP-Edg-Rdb-RdBt-PPm-PPf-PPf7"),
            ("4p/5/5/P4/5 w", "a2b3", "Ud-PP-Edg-Rdb-RdBt-PPm-PPf-PPf7"),
            ("4p/5/5/5/2P2 w", "c1c2", "Ud-PP-Mr-Rdb-RdBb-PPm-PPf-PPf7"),
            ("p4/5/2P2/5/5 w", "c3d4", "Ud-PP-Edg-Rdt-RdTt-PPm-PPf-PPf7"),
            // The diagonal behind e4 leaves the board; the file is free.
            ("p4/5/3P1/5/5 w", "d3e4", "Ud-Edg-Rdt-RdTt-PPf-PPf7"),
            ("p4/4P/5/5/5 w", "e4e5", "Ud-Edg-Rdt-RdTt-PPm-PPf"),
            // Four of the five squares around e2 are own ones.
            ("p4/5/3PP/3P1/3PP w", "e1e2", "Ud-Ms-Edg-Rdb-RdBb"),
        ] {
            let position = On5::parse_position(board).unwrap();
            let mv = On5::parse_move(&position, mv).unwrap();
            let next = after::<On5>(&position, mv);
            let all = On5::VOCABULARY.all();
            let found: AtomSet = On5::atoms(&MoveContext::new(&position, &next, mv, None), all);
            assert_eq!(Ok(found), On5::VOCABULARY.parse(atoms), "{board}");
        }
        assert!(On5::VOCABULARY.atoms.iter().all(|atom| !atom.description.contains('8')));
        assert_eq!(BreakthroughOn::<8>::VOCABULARY.atoms.len(), On5::VOCABULARY.atoms.len());
    }

    #[test]
    fn races_are_read_off_the_small_board() {
        let proved = |fen: &str| {
            let proof = BreakthroughOn::<5>::proved(&BreakthroughOn::<5>::parse_position(fen).unwrap());
            proof.map(|Proof { plies, .. }| plies)
        };
        assert_eq!(proved("5/2P2/4p/5/5 w"), Some(1));
        assert_eq!(proved("5/5/P4/4p/5 w"), Some(2));
        assert_eq!(proved("4p/5/P4/5/5 w"), Some(3));
    }
}
