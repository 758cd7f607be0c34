// SPDX-License-Identifier: GPL-3.0-or-later
//! Exact answers to "does the side to move win by force within `n` plies?", for suites whose answers must be certain.
//!
//! A depth-first AND/OR search with a table. It shares only the rules with the searches under test: no evaluation, no
//! extensions, no window.

use rustc_hash::FxHashMap;

use crate::game::{Game, Outcome, Undecided, after, legal_moves};

/// The solver with its tables. One solver can solve many positions.
#[derive(Debug)]
pub struct Prover<G: Game> {
    /// What is known of each position, for the side to move.
    known: FxHashMap<u64, Known>,
    /// By plies left: the reply that last refuted an attack, tried first the next time.
    refuters: FxHashMap<u32, G::Move>,
    /// Positions that may still be searched.
    budget: u64,
}

/// What is known of one position.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// It is won within this many plies.
    won_within: u32,
    /// It is not won within this many plies.
    not_within: u32,
}

impl<G: Game> Prover<G> {
    /// A solver that searches no more than `budget` positions in all.
    pub fn new(budget: u64) -> Self {
        Self { known: FxHashMap::default(), refuters: FxHashMap::default(), budget }
    }

    /// The only move that wins by force within `plies`, if there is exactly one and no move wins within fewer.
    ///
    /// # Errors
    /// If the budget runs out first.
    pub fn unique_win(&mut self, position: &G::Position, plies: u32) -> Result<Option<G::Move>, Undecided> {
        if plies == 0 || (plies > 2 && self.wins_within(position, plies - 2)?) {
            return Ok(None);
        }
        let mut found = None;
        for &mv in legal_moves::<G>(position).iter() {
            if self.loses_within(&after::<G>(position, mv), plies - 1)? && found.replace(mv).is_some() {
                return Ok(None);
            }
        }
        Ok(found)
    }

    /// Whether the side to move can force a win within `plies` plies, its own first.
    ///
    /// # Errors
    /// If the budget runs out first.
    pub fn wins_within(&mut self, position: &G::Position, plies: u32) -> Result<bool, Undecided> {
        if let Some(outcome) = G::decided(position) {
            return Ok(outcome == Outcome::Win);
        }
        if plies == 0 || !G::may_win_within(position, plies) {
            return Ok(false);
        }
        let key = G::key(position);
        let known = self.known.get(&key).copied().unwrap_or(Known { won_within: u32::MAX, not_within: 0 });
        if known.won_within <= plies {
            return Ok(true);
        }
        if known.not_within >= plies {
            return Ok(false);
        }
        self.budget = self.budget.checked_sub(1).ok_or(Undecided)?;
        let mut won = false;
        for &mv in legal_moves::<G>(position).iter() {
            if self.loses_within(&after::<G>(position, mv), plies - 1)? {
                won = true;
                break;
            }
        }
        let known = self.known.entry(key).or_insert(known);
        if won {
            known.won_within = known.won_within.min(plies);
        } else {
            known.not_within = known.not_within.max(plies);
        }
        Ok(won)
    }

    /// Whether the side to move loses by force within `plies` plies, whatever it plays.
    ///
    /// # Errors
    /// If the budget runs out first.
    pub fn loses_within(&mut self, position: &G::Position, plies: u32) -> Result<bool, Undecided> {
        if let Some(outcome) = G::decided(position) {
            return Ok(outcome == Outcome::Loss);
        }
        let mut moves = G::generate(position);
        if moves.is_empty() {
            return Ok(G::stuck(position) == Outcome::Loss);
        }
        if plies == 0 {
            return Ok(false);
        }
        if let Some(place) = self.refuters.get(&plies).and_then(|refuter| moves.iter().position(|mv| mv == refuter)) {
            moves.swap(0, place);
        }
        for &mv in moves.iter() {
            if !self.wins_within(&after::<G>(position, mv), plies - 1)? {
                self.refuters.insert(plies, mv);
                return Ok(false);
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;
    use crate::games::Breakthrough;
    use proptest::prelude::*;

    /// The same question, asked of the definition.
    fn wins(position: &<Breakthrough as Game>::Position, plies: u32) -> bool {
        if let Some(outcome) = Breakthrough::decided(position) {
            return outcome == Outcome::Win;
        }
        plies > 0
            && legal_moves::<Breakthrough>(position)
                .iter()
                .any(|&mv| loses(&after::<Breakthrough>(position, mv), plies - 1))
    }

    fn loses(position: &<Breakthrough as Game>::Position, plies: u32) -> bool {
        if let Some(outcome) = Breakthrough::decided(position) {
            return outcome == Outcome::Loss;
        }
        plies > 0
            && legal_moves::<Breakthrough>(position)
                .iter()
                .all(|&mv| wins(&after::<Breakthrough>(position, mv), plies - 1))
    }

    proptest! {
        #[test]
        fn agrees_with_the_definition(
            white in prop::collection::vec(0_u32..48, 1..4),
            black in prop::collection::vec(16_u32..64, 1..4),
            turn in prop::sample::select(vec!['w', 'b']),
        ) {
            // Bit by bit onto an 8x8 board as a FEN; a square that both want is Black's.
            let at = |squares: &[u32], square| squares.contains(&square);
            let rows: Vec<String> = (0..8).rev().map(|rank| (0..8).map(|file| {
                let square = rank * 8 + file;
                if at(&black, square) { 'p' } else if at(&white, square) { 'P' } else { '1' }
            }).collect()).collect();
            let Ok(position) = Breakthrough::parse_position(&format!("{} {turn}", rows.join("/"))) else { return Ok(()) };
            let mut prover = Prover::<Breakthrough>::new(u64::MAX);
            for plies in 0..=5 {
                prop_assert_eq!(prover.wins_within(&position, plies), Ok(wins(&position, plies)), "{} plies", plies);
                let unique: Vec<_> = legal_moves::<Breakthrough>(&position).iter().copied()
                    .filter(|&mv| plies > 0 && loses(&after::<Breakthrough>(&position, mv), plies - 1)).collect();
                let expected = (unique.len() == 1 && (plies < 2 || !wins(&position, plies - 2))).then(|| unique[0]);
                prop_assert_eq!(prover.unique_win(&position, plies), Ok(expected), "{} plies", plies);
            }
        }
    }

    #[test]
    fn a_budget_ends_the_search() {
        let mut prover = Prover::<Breakthrough>::new(10);
        let position = Breakthrough::parse_position("8/1p1p4/p7/2p5/5P2/P1PP4/3P4/8 w").unwrap();
        assert_eq!(prover.wins_within(&position, 9), Err(Undecided));
    }
}
