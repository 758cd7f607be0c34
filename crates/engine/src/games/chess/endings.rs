// SPDX-License-Identifier: GPL-3.0-or-later
//! What Syzygy's tables say of a position of chess.
//!
//! They count plies to the next capture or move of a pawn (distance to zeroing), after which the fifty moves begin anew. So
//! a table alone gives the outcome right after such a move; later the fifty moves may be short, and the distance decides.

use shakmaty::{MoveList, Position as _};
use shakmaty_syzygy::{SyzygyError, Wdl};

use super::{Move, Position};
use crate::base::Outcome;
use crate::base::endings::Endings;
use crate::game::Game as _;
use crate::games::Chess;

/// Plies without a capture or a pawn's move after which a game is drawn.
const FIFTY_MOVES: u32 = 100;

/// Distances are rounded by a ply in some tables: so many plies without a capture are no risk.
const SAFE: u32 = FIFTY_MOVES - 2;

/// Whether a position may be in the tables.
fn may_be_in(endings: &Endings, position: &Position) -> bool {
    position.board().occupied().count() as u32 <= endings.most_pieces() && position.castles().is_empty()
}

/// The outcome of a position right after a capture or a pawn's move. A win that takes more than fifty moves is a draw.
#[inline]
pub(super) fn outcome(endings: &Endings, position: &Position) -> Option<Outcome> {
    if position.halfmoves() > 0 || !may_be_in(endings, position) {
        return None;
    }
    match endings.tables().probe_wdl_after_zeroing(position).ok()? {
        Wdl::Win => Some(Outcome::Win),
        Wdl::Loss => Some(Outcome::Loss),
        Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => Some(Outcome::Draw),
    }
}

/// Whether a position since the last capture or pawn's move has been repeated, this one included.
pub(super) fn is_repeated(position: &Position, earlier: &[u64]) -> bool {
    let since = earlier.len().saturating_sub(position.halfmoves() as usize);
    let key = Chess::key(position);
    let keys: Vec<u64> = earlier[since..].iter().copied().chain([key]).collect();
    (1..keys.len()).any(|place| keys[..place].contains(&keys[place]))
}

/// The outcome of any position, and the moves that keep it, those that are nearest to the next capture or pawn's move first.
/// Of winning moves all are kept that win safely before the fifty moves are over, so that the search may choose the one that
/// mates soonest, unless a position was repeated: then the nearest ones, with which none is repeated again. Of losing moves
/// those are kept that are farthest from it.
pub(super) fn moves(endings: &Endings, position: &Position, is_repeated: bool) -> Option<(Outcome, MoveList)> {
    if !may_be_in(endings, position) {
        return None;
    }
    let moves = position.legal_moves();
    let judged: Result<Vec<_>, _> = moves.iter().map(|&mv| judge(endings, position, mv)).collect();
    let judged = judged.ok()?;
    let order = [Outcome::Win, Outcome::Draw, Outcome::Loss];
    let best = order.into_iter().find(|&best| judged.iter().any(|&(outcome, _)| outcome == best))?;
    let clocks = || judged.iter().filter(|&&(outcome, _)| outcome == best).map(|&(_, clock)| clock);
    let kept = match best {
        Outcome::Win if is_repeated => 0..=clocks().min()?,
        Outcome::Win => 0..=clocks().min()?.max(SAFE),
        Outcome::Draw => 0..=u32::MAX,
        Outcome::Loss => clocks().max()?..=u32::MAX,
    };
    let kept = |&(_, &(outcome, ref clock)): &(_, &(Outcome, u32))| outcome == best && kept.contains(clock);
    let mut kept: Vec<_> = moves.iter().zip(&judged).filter(kept).collect();
    kept.sort_by_key(|&(_, &(_, clock))| clock);
    Some((best, kept.into_iter().map(|(&mv, _)| mv).collect()))
}

/// The outcome if that move is played, for its side, and the number of plies without a capture or a pawn's move at the next
/// such move or at the mate.
fn judge(endings: &Endings, position: &Position, mv: Move) -> Result<(Outcome, u32), SyzygyError> {
    let mut after = position.clone();
    after.play_unchecked(mv);
    let clock = position.halfmoves() + 1;
    if after.is_checkmate() {
        return Ok((Outcome::Win, clock));
    }
    if mv.is_zeroing() {
        let outcome = match endings.tables().probe_wdl_after_zeroing(&after)? {
            Wdl::Loss => Outcome::Win,
            Wdl::Win => Outcome::Loss,
            Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => Outcome::Draw,
        };
        return Ok((outcome, clock));
    }
    let distance = endings.tables().probe_dtz(&after)?.ignore_rounding().0;
    let clock = clock + distance.unsigned_abs();
    let outcome = if distance == 0 || clock > FIFTY_MOVES {
        Outcome::Draw
    } else if distance < 0 {
        Outcome::Win
    } else {
        Outcome::Loss
    };
    Ok((outcome, clock))
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use super::*;
    use crate::base::score::LEAST_WIN;
    use crate::game::{Notation, Side};
    use crate::games::RegisteredGame;
    use crate::history::History;
    use crate::search::{Limits, Profile, Root, Setup};

    /// All tables with three pieces.
    fn tables() -> Endings {
        Endings::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/syzygy")).unwrap()
    }

    fn parse(fen: &str) -> Position {
        Chess::parse_position(fen).unwrap()
    }

    #[test]
    fn what_textbooks_say_of_a_pawn_is_in_the_tables() {
        let tables = tables();
        assert_eq!(tables.most_pieces(), 3);
        for (fen, expected) in [
            // The king stands on the sixth rank, in front of the pawn; the same for who defends.
            ("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1", Some(Outcome::Win)),
            ("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", Some(Outcome::Loss)),
            // A rook's pawn with the defender in the corner, and a stalemate.
            ("k7/8/K7/P7/8/8/8/8 w - - 0 1", Some(Outcome::Draw)),
            ("k7/P7/K7/8/8/8/8/8 b - - 0 1", Some(Outcome::Draw)),
            // Some of the fifty moves are over; a fourth piece; castling.
            ("4k3/8/4K3/4P3/8/8/8/8 w - - 1 1", None),
            ("4k3/8/4K3/4P3/8/8/7p/8 w - - 0 1", None),
            ("8/8/8/8/8/8/k7/4K2R w K - 0 1", None),
        ] {
            assert_eq!(outcome(&tables, &parse(fen)), expected, "{fen}");
        }
    }

    #[test]
    fn the_moves_that_keep_the_outcome_are_left() {
        let tables = tables();
        for (fen, outcome, expected) in [
            // Only this square holds the draw.
            ("8/8/8/8/4k3/4p3/8/4K3 w - - 0 1", Outcome::Draw, "e1e2"),
            // At the end of the fifty moves only mate wins.
            ("k7/8/1K6/8/8/8/8/6Q1 w - - 99 80", Outcome::Win, "g1g8"),
            ("8/1P6/8/8/8/8/7k/K7 w - - 99 80", Outcome::Win, "b7b8q b7b8r"),
        ] {
            let position = parse(fen);
            let (found, kept) = moves(&tables, &position, false).unwrap();
            let mut kept: Vec<String> = kept.iter().map(|&mv| Chess::format_move(&position, mv)).collect();
            kept.sort_unstable();
            assert_eq!((found, kept.join(" ").as_str()), (outcome, expected), "{fen}");
        }
        // Most moves of the queen win; if the position is repeated, only those that are nearest to mate do.
        let position = parse("8/8/8/4k3/8/8/8/KQ6 w - - 10 40");
        let [free, repeated] = [false, true].map(|is_repeated| moves(&tables, &position, is_repeated).unwrap().1);
        assert!(repeated.len() < free.len() && repeated.iter().all(|mv| free.contains(mv)), "{repeated:?} {free:?}");
    }

    /// However little time there is, a win is won: no position occurs three times.
    #[test]
    fn a_win_is_won_without_a_search() {
        let setup = Setup { endings: Some(Arc::new(tables())), hash: 1, ..Setup::full() };
        let engine = Chess::default_evaluation(Profile::Full).engine(&setup);
        for (fen, nodes) in [
            ("8/Q7/8/2K5/8/8/8/4k3 w - - 0 1", 1),
            ("6k1/8/8/8/K6R/8/8/8 b - - 0 1", 1),
            ("6k1/8/8/8/K6R/8/8/8 b - - 0 1", 30),
        ] {
            let mut game = History::<Chess>::new(parse(fen));
            let mut thinker = engine.thinker();
            while game.outcome().is_none() {
                let best =
                    thinker.search(game.root(), Limits { nodes: Some(nodes), ..Limits::default() }, &mut ()).best;
                game.play(best.unwrap());
            }
            assert_eq!(game.winner(), Some(Side::White), "{fen}, {nodes} nodes: {} plies", game.moves().len());
        }
    }

    #[test]
    fn the_search_believes_them() {
        let search = |fen: &str, endings: Option<Arc<Endings>>| {
            let position = parse(fen);
            let setup = Setup { endings, hash: 1, ..Setup::full() };
            let engine = Chess::default_evaluation(Profile::Full).engine(&setup);
            let limits = Limits { nodes: Some(2_000), ..Limits::default() };
            engine.thinker().search(Root::bare(&position), limits, &mut ()).score
        };
        let tables = Some(Arc::new(tables()));
        for (fen, expected) in [
            // In the tables; and four pieces, of which a move leaves three.
            ("8/8/8/8/8/4k3/4P3/4K3 w - - 0 1", 0),
            ("8/8/8/8/3k4/8/3P4/3K4 b - - 0 1", 0),
            ("1k6/8/8/8/8/1K6/Pr6/8 w - - 0 1", 0),
        ] {
            assert_eq!(search(fen, tables.clone()), expected, "{fen}");
            assert_ne!(search(fen, None), expected, "{fen}: the search alone does not know it");
        }
        for fen in ["8/8/8/8/8/3K4/3P4/7k w - - 0 1", "8/8/8/8/8/1K6/1P1k4/8 w - - 0 1"] {
            assert!(search(fen, tables.clone()) > LEAST_WIN, "{fen}");
        }
    }
}
