// SPDX-License-Identifier: GPL-3.0-or-later
//! What the board shows of a race without any search: wins in one and three plies, losses in two, and the only moves that
//! do not lose at once.

use super::board::{Position, forward};
use super::shape::Shape;
use super::{MoveList, Outcome};
use crate::base::bits::ones;
use crate::game::{Proof, Side};

/// The pieces of either side that stand one step before their goal, the mover's first.
fn before_goal(shape: impl Shape, position: &Position) -> [u64; 2] {
    let (us, them) = (position.turn, position.turn.other());
    [position.own & shape.before_goal(us), position.opposing & shape.before_goal(them)]
}

/// A win or loss that the board shows:
///
/// - a piece one step before its goal gets there, for one of the squares before it is always free or can be captured on;
///   so it wins in one ply, and so does whoever captures the last piece;
/// - two opposing pieces there, or one that cannot be captured, win in two plies;
/// - if there is none, a step onto the row before the goal that cannot be captured wins in three.
pub(super) fn proved(shape: impl Shape, position: &Position) -> Option<Proof> {
    let Position { own, opposing, turn: us, .. } = *position;
    let [ours, theirs] = before_goal(shape, position);
    let targets = shape.attacks(own, us);
    if ours != 0 || (opposing.count_ones() == 1 && opposing & targets != 0) {
        return Some(Proof { outcome: Outcome::Win, plies: 1 });
    }
    if theirs != 0 {
        let is_lost = theirs.count_ones() > 1 || theirs & targets == 0;
        return is_lost.then_some(Proof { outcome: Outcome::Loss, plies: 2 });
    }
    let steps = (forward(own, us) & !opposing | targets) & !own;
    let safe = steps & shape.before_goal(us) & !shape.attacks(opposing, us.other());
    (safe != 0).then_some(Proof { outcome: Outcome::Win, plies: 3 })
}

/// The winner of a race that nobody can stop any more. A *runner* is a piece with at most one opposing piece in the triangle
/// of squares that it can still reach; the opponent, to move, cannot capture it with that one. It arrives: an opposing piece
/// outside the triangle never gets in, and a single one inside can be passed.
///
/// - The side to move wins if it has a runner that is as near to its goal as any opposing piece is, or nearer.
/// - It loses if the opponent has a runner that is nearer than all of its own pieces.
///
/// This is what deeper searches would find: `plies` is how long the runner takes. A faster way may exist.
pub(super) fn runner(shape: impl Shape, position: &Position) -> Option<Proof> {
    let Position { own, opposing, turn: us, .. } = *position;
    let them = us.other();
    let (our_distance, their_distance) = (distance(shape, own, us), distance(shape, opposing, them));
    if our_distance <= their_distance {
        let distance = runs(shape, [own, opposing], us, their_distance)?;
        return Some(Proof { outcome: Outcome::Win, plies: 2 * distance as usize - 1 });
    }
    // What the side to move can capture does not run.
    let safe = opposing & !shape.attacks(own, us);
    let distance = runs(shape, [safe, own], them, our_distance - 1)?;
    Some(Proof { outcome: Outcome::Loss, plies: 2 * distance as usize })
}

/// Rows between the goal of a side and its foremost piece.
fn distance(shape: impl Shape, pieces: u64, side: Side) -> u32 {
    let row = match side {
        Side::White => pieces.leading_zeros() / 8 - (8 - shape.rows()),
        Side::Black => pieces.trailing_zeros() / 8,
    };
    row.min(shape.rows())
}

/// The distance of the nearest of a side's pieces to which nothing but one of the others stands in the way, if it is no
/// more than `most`.
fn runs(shape: impl Shape, [pieces, others]: [u64; 2], side: Side, most: u32) -> Option<u32> {
    (1..=most.min(shape.rows() - 1)).find(|&distance| {
        let row = shape.rank(match side {
            Side::White => shape.rows() - 1 - distance,
            Side::Black => distance,
        });
        ones(pieces & row).any(|square| {
            let (mut reach, mut met) = (1 << square, 0);
            for _ in 0..distance {
                let (west, east) = shape.forward_diagonals(reach, side);
                reach = forward(reach, side) | west | east;
                met |= reach & others;
            }
            met & met.wrapping_sub(1) == 0
        })
    })
}

/// The captures of an opposing piece one step before its goal: whatever else is played loses, unless it wins at once.
pub(super) fn forced(shape: impl Shape, position: &Position) -> Option<MoveList> {
    let [ours, theirs] = before_goal(shape, position);
    (ours == 0 && theirs.count_ones() == 1)
        .then(|| position.generate(shape).into_iter().filter(|mv| theirs >> mv.to() & 1 == 1).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Notation, Tactics, after, legal_moves};
    use crate::games::{Breakthrough, random_game};
    use crate::solve::prove::Prover;

    fn proof(fen: &str) -> Option<(Outcome, usize)> {
        let proof = Breakthrough::proved(&Breakthrough::parse_position(fen).unwrap());
        proof.map(|Proof { outcome, plies }| (outcome, plies))
    }

    #[test]
    fn each_rule_on_a_board() {
        use Outcome::{Loss, Win};
        for (fen, expected) in [
            ("8/2P5/8/8/8/8/5p2/8 w", Some((Win, 1))),
            ("1ppp4/2P5/8/8/8/8/5p2/8 w", Some((Win, 1))),
            // The last piece can be captured, and cannot.
            ("8/8/8/3p4/4P3/8/8/8 w", Some((Win, 1))),
            ("8/8/8/3p4/3P4/8/8/8 w", None),
            // Two threats; one that nobody attacks; one that can be captured.
            ("8/8/8/8/8/8/2p2p2/1P6 w", Some((Loss, 2))),
            ("8/8/8/8/8/P7/5p2/8 w", Some((Loss, 2))),
            ("7p/8/8/8/8/P7/5p2/4P3 w", None),
            // A step onto the row before the goal: safe, attacked, straight onto a piece, and by capture.
            ("7p/8/2P5/8/8/7p/8/8 w", Some((Win, 3))),
            ("1p1p4/8/2P5/8/8/7p/8/8 w", Some((Win, 3))),
            ("ppp5/2p5/P7/8/8/7p/8/8 w", None),
            ("7p/1p6/2P5/8/8/7p/8/8 w", Some((Win, 3))),
        ] {
            assert_eq!(proof(fen), expected, "{fen}");
        }
    }

    /// Positions of games in which all moves are played by chance, which end in races.
    fn random_positions(count: usize) -> Vec<Position> {
        let positions = (0..).flat_map(|seed| random_game::<Breakthrough>(seed).positions().to_vec());
        positions.filter(|position| Breakthrough::decided(position).is_none()).take(count).collect()
    }

    #[test]
    fn runners_on_a_board() {
        use Outcome::{Loss, Win};
        let runner = |fen: &str| {
            let proof = runner(Breakthrough, &Breakthrough::parse_position(fen).unwrap());
            proof.map(|Proof { outcome, plies }| (outcome, plies))
        };
        for (fen, expected) in [
            // As near as the opponent, and to move; the opponent is nearer.
            ("8/8/8/2P5/5p2/8/8/8 w", Some((Win, 5))),
            ("8/8/8/2P5/8/5p2/8/8 w", Some((Loss, 4))),
            // One piece in the triangle is passed, two are not.
            ("2p5/8/2P5/7p/8/8/8/8 w", Some((Win, 3))),
            ("1pp5/8/2P5/8/7p/8/8/8 w", None),
            // The runner can be captured at once.
            ("8/1p6/2P5/7p/8/8/8/8 b", None),
            ("8/2p5/2P5/7p/8/8/8/8 b", Some((Loss, 4))),
        ] {
            assert_eq!(runner(fen), expected, "{fen}");
        }
    }

    /// The exact solver knows none of these rules.
    #[test]
    fn runners_arrive() {
        let (mut wins, mut losses) = (0, 0);
        for position in random_positions(30_000) {
            let mut prover = Prover::<Breakthrough>::new(u64::MAX);
            let fen = || Breakthrough::format_position(&position);
            match runner(Breakthrough, &position) {
                Some(Proof { outcome: Outcome::Win, plies }) if plies <= 5 => {
                    assert_eq!(prover.wins_within(&position, plies as u32), Ok(true), "{}", fen());
                    wins += 1;
                }
                Some(Proof { outcome: Outcome::Loss, plies }) if plies <= 6 => {
                    assert_eq!(prover.loses_within(&position, plies as u32), Ok(true), "{}", fen());
                    losses += 1;
                }
                _ => {}
            }
        }
        assert!(wins > 1_000 && losses > 1_000, "{wins} {losses}");
    }

    /// The exact solver knows none of these rules.
    #[test]
    fn what_is_proved_is_what_the_solver_proves() {
        let (mut wins, mut losses, mut forced_moves) = (0, 0, 0);
        for position in random_positions(100_000) {
            let mut prover = Prover::<Breakthrough>::new(u64::MAX);
            let fen = || Breakthrough::format_position(&position);
            match Breakthrough::proved(&position) {
                Some(Proof { outcome: Outcome::Win, plies }) => {
                    assert_eq!(prover.wins_within(&position, plies as u32), Ok(true), "{}", fen());
                    assert!(plies == 1 || prover.wins_within(&position, 1) == Ok(false), "{}", fen());
                    wins += 1;
                }
                Some(Proof { outcome: Outcome::Loss, plies: 2 }) => {
                    assert_eq!(prover.loses_within(&position, 2), Ok(true), "{}", fen());
                    losses += 1;
                }
                Some(other) => panic!("{other:?} in {}", fen()),
                // Nothing is overlooked of what takes one ply or two.
                None => {
                    assert_eq!(prover.wins_within(&position, 1), Ok(false), "{}", fen());
                    assert_eq!(prover.loses_within(&position, 2), Ok(false), "{}", fen());
                }
            }
            if let Some(moves) = Breakthrough::forced(&position) {
                for &mv in legal_moves::<Breakthrough>(&position).iter().filter(|mv| !moves.contains(mv)) {
                    let next = after::<Breakthrough>(&position, mv);
                    assert_eq!(prover.wins_within(&next, 1), Ok(true), "{}", fen());
                }
                forced_moves += 1;
            }
        }
        assert!(wins > 5_000 && losses > 500 && forced_moves > 500, "{wins} {losses} {forced_moves}");
    }
}
