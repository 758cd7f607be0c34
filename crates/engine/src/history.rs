// SPDX-License-Identifier: GPL-3.0-or-later
//! A game so far: what a search needs from it, and whether it is over.

use crate::game::{Game, Notation, NotationError, Outcome, Side, after, legal_moves, outcome, recorded_moves};
use crate::search::Root;

/// The positions of a game, the moves between them, and their keys.
#[derive(Clone, Debug)]
pub struct History<G: Game> {
    /// All positions, the present one last; never empty.
    positions: Vec<G::Position>,
    /// The moves between them: one fewer.
    moves: Vec<G::Move>,
    /// The keys of all positions but the present one.
    earlier: Vec<u64>,
}

impl<G: Game> History<G> {
    /// A game that begins here.
    pub fn new(start: G::Position) -> Self {
        Self { positions: vec![start], moves: Vec::new(), earlier: Vec::new() }
    }

    /// The present position.
    pub fn position(&self) -> &G::Position {
        // There is always a first position: `undo` does not remove it.
        &self.positions[self.positions.len() - 1]
    }

    /// All positions, the present one last.
    pub fn positions(&self) -> &[G::Position] {
        &self.positions
    }

    /// The moves played.
    pub fn moves(&self) -> &[G::Move] {
        &self.moves
    }

    /// What a search of the present position starts from.
    pub fn root(&self) -> Root<'_, G> {
        Root { previous: self.moves.last().copied(), earlier: &self.earlier, ..Root::bare(self.position()) }
    }

    /// What a search of the position after so many moves starts from; none if there were fewer.
    pub fn root_at(&self, ply: usize) -> Option<Root<'_, G>> {
        let previous = ply.checked_sub(1).and_then(|ply| self.moves.get(ply)).copied();
        Some(Root { previous, earlier: self.earlier.get(..ply)?, ..Root::bare(self.positions.get(ply)?) })
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: G::Move) {
        let next = after::<G>(self.position(), mv);
        self.earlier.push(G::key(self.position()));
        self.positions.push(next);
        self.moves.push(mv);
    }

    /// Takes the last move back, if there is one.
    pub fn undo(&mut self) -> Option<G::Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        self.earlier.pop();
        Some(mv)
    }

    /// The outcome for the side to move, draws by rule included; none during the game.
    pub fn outcome(&self) -> Option<Outcome> {
        let position = self.position();
        outcome::<G>(position).or_else(|| {
            G::rule_draw(position, G::key(position), &self.earlier, self.earlier.len()).then_some(Outcome::Draw)
        })
    }

    /// Why the game is over, in a few words; none during the game.
    pub fn ending(&self) -> Option<&'static str>
    where
        G: Notation,
    {
        self.outcome().map(|_| G::ending(self.position()))
    }

    /// The legal moves; none if the game is over.
    pub fn legal_moves(&self) -> G::Moves {
        if self.outcome().is_some() { G::Moves::default() } else { legal_moves::<G>(self.position()) }
    }

    /// The winner of a game that is over, if it has one.
    pub fn winner(&self) -> Option<Side> {
        match self.outcome()? {
            Outcome::Win => Some(G::to_move(self.position())),
            Outcome::Draw => None,
            Outcome::Loss => Some(G::to_move(self.position()).other()),
        }
    }
}

impl<G: Notation> History<G> {
    /// Plays what a word of a game record stands for.
    ///
    /// # Errors
    /// If it is no legal move.
    pub fn play_recorded(&mut self, word: &str) -> Result<(), NotationError> {
        recorded_moves::<G>(self.position(), word)?.into_iter().for_each(|mv| self.play(mv));
        Ok(())
    }

    /// The moves so far, in the notation of protocols.
    pub fn move_texts(&self) -> Vec<String> {
        self.moves().iter().zip(self.positions()).map(|(&mv, position)| G::format_move(position, mv)).collect()
    }
}
