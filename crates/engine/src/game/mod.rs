// SPDX-License-Identifier: GPL-3.0-or-later
//! What a game offers to the other modules.
//!
//! [`Game`] is all the search and the learners see. [`Notation`] and [`Symmetry`] serve files, protocols and people.
//! Implementations live on empty tag types, so that every call is resolved at compile time.

mod notation;
mod tactics;

use std::fmt::Debug;
use std::ops::DerefMut;

pub use crate::base::{Outcome, Side};
pub use notation::{Notation, NotationError, line_texts, recorded_moves};
pub use tactics::{MOVED, Proof, Tactics};

use crate::features::{AtomSet, Vocabulary};

/// A two-player, zero-sum, perfect-information game. Positions are copied; moves are never undone.
pub trait Game: Copy + Debug + Default + Send + Sync + 'static {
    /// The state of the game.
    type Position: Clone + Debug + PartialEq + Send + Sync;
    /// A move, meaningful only with the position it is played in.
    type Move: Copy + Debug + Eq + Send + Sync;
    /// The legal moves of one position: a list on the stack, because the search allocates nothing.
    type Moves: Clone + Default + DerefMut<Target = [Self::Move]> + FromIterator<Self::Move>;

    /// The game's name in commands and files: lower case, one word.
    const NAME: &'static str;

    /// The longest line of a search in plies. It ends lines in which moves cost nothing.
    const MAX_PLY: usize = 128;

    /// The basic features of this game's moves, and how they may be grouped; by default there are none.
    const VOCABULARY: Vocabulary = Vocabulary::new(Self::NAME, &[]);

    /// The position every game starts from.
    fn start() -> Self::Position;

    /// The side to move.
    fn to_move(position: &Self::Position) -> Side;

    /// The outcome, if the game is over and the board alone shows it. Must be cheap: it is called at every leaf. An end
    /// that depends on the legal moves (checkmate) is reported by [`stuck`](Game::stuck) instead.
    fn decided(position: &Self::Position) -> Option<Outcome>;

    /// The legal moves of a position that is not [decided](Game::decided), in an order that depends on the position
    /// alone.
    fn generate(position: &Self::Position) -> Self::Moves;

    /// The outcome of an undecided position in which [`generate`](Game::generate) found no move. By default who cannot move
    /// has lost.
    fn stuck(_position: &Self::Position) -> Outcome {
        Outcome::Loss
    }

    /// Plays a legal move.
    fn play(position: &mut Self::Position, mv: Self::Move);

    /// Zobrist key, from scratch: equal for equal positions, different (except for collisions) for others.
    fn key(position: &Self::Position) -> u64;

    /// The key of the position after a move, from the key of the position `before` it, if that is all it takes: then a
    /// search asks for the entry of that position before it plays the move.
    #[inline]
    fn known_key(_before: &Self::Position, _key: u64, _mv: Self::Move) -> Option<u64> {
        None
    }

    /// The key of the position after a move. The search keeps the keys, and calls this only where it needs one: most
    /// positions are leaves and need none.
    #[inline]
    fn key_after(before: &Self::Position, key: u64, mv: Self::Move, after: &Self::Position) -> u64 {
        Self::known_key(before, key, mv).unwrap_or_else(|| Self::key(after))
    }

    /// The squares of the first player's pieces, and of the second's. Bit 0 is a1, bit 63 is h8. Only atoms that are written
    /// as clauses look at it; by default they see an empty board.
    fn occupied(_position: &Self::Position) -> [u64; 2] {
        [0, 0]
    }

    /// The squares that a move starts from and ends on, 0 to 63; equal if it only puts something there. None for a pass.
    fn squares(mv: Self::Move) -> Option<[u8; 2]>;

    /// Which of the `wanted` atoms of the game the move has. Other atoms are neither computed nor reported. A game that has
    /// atoms in its [`VOCABULARY`](Game::VOCABULARY) implements it.
    fn atoms(_context: &MoveContext<'_, Self>, _wanted: AtomSet) -> AtomSet {
        AtomSet::EMPTY
    }

    /// Whether [`rule_draw`](Game::rule_draw) can ever be true. If not, the plain search keeps no keys.
    const RULE_DRAWS: bool = false;

    /// Whether the game is drawn by rule in this position (repetition, counters, material), provided that it is not
    /// [decided](Game::decided) and has a legal move. `earlier` are the keys of the positions before it, the latest
    /// last; `at_root` of them were on the board when the search began, if one is under way.
    ///
    /// In a search, one repetition of a position from the search itself is enough, because the moves could be repeated
    /// again.
    fn rule_draw(_position: &Self::Position, _key: u64, _earlier: &[u64], _at_root: usize) -> bool {
        false
    }

    /// Whether the plain search's leaves are quiet positions only, [`noisy`](Game::noisy) moves being searched first.
    const QUIESCENCE: bool = false;

    /// Whether the side to move is in check or an equivalent, so that it cannot stand pat.
    fn in_check(_position: &Self::Position) -> bool {
        false
    }

    /// Whether a legal move of the position gives check: whether it leads to a position that is
    /// [`in_check`](Game::in_check). The full search asks it of all moves that it would skip, so a game with checks answers
    /// faster than by playing the move.
    #[inline]
    fn checks(position: &Self::Position) -> impl Fn(Self::Move) -> bool {
        move |mv| {
            let mut next = position.clone();
            Self::play(&mut next, mv);
            Self::in_check(&next)
        }
    }

    /// The moves of quiescence (captures and promotions), the most promising first.
    fn noisy(_position: &Self::Position) -> Self::Moves {
        Self::Moves::default()
    }

    /// False if the side to move certainly cannot force a win within `plies` plies, its own first. A hint that saves
    /// work in the exact solver. A wrong `false` would make its proofs wrong; `true` is always safe.
    fn may_win_within(_position: &Self::Position, _plies: u32) -> bool {
        true
    }

    /// Whether [`only_win`](Game::only_win) answers: a game that is decided by counting at its end is solved otherwise
    /// than one that is won by a move.
    const COUNTS_AT_END: bool = false;

    /// The only winning move in a position that is `plies` from the end of the game if nobody passes; none if it is nearer
    /// or farther, and if no move or several win. Proved by the game's own solver within so many nodes.
    ///
    /// # Errors
    /// If the budget runs out first.
    fn only_win(_position: &Self::Position, _plies: u32, _budget: u64) -> Result<Option<Self::Move>, Undecided> {
        Ok(None)
    }
}

/// The budget of an exact solver ran out before the answer was certain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undecided;

/// What is known about a move when its atoms are computed.
#[derive(Clone, Copy, Debug)]
pub struct MoveContext<'a, G: Game> {
    /// The position before the move.
    pub before: &'a G::Position,
    /// The position after it.
    pub after: &'a G::Position,
    /// The move.
    pub mv: G::Move,
    /// The opponent's move that led to `before`; none after a null move, and if the root has no history.
    pub previous: Option<G::Move>,
    /// Whether there is no other legal move.
    pub only_move: bool,
    /// Whether the search has found that the opponent would mate if it were to move in `before`.
    pub mate_threat: bool,
    /// The atoms of the search's [state](crate::features::state) that hold, as far as somebody asks for them.
    pub state: AtomSet,
}

impl<'a, G: Game> MoveContext<'a, G> {
    /// A move without the facts that only a search can know.
    pub fn new(before: &'a G::Position, after: &'a G::Position, mv: G::Move, previous: Option<G::Move>) -> Self {
        Self { before, after, mv, previous, only_move: false, mate_threat: false, state: AtomSet::EMPTY }
    }

    /// Which of the `wanted` atoms the move has, of the game's and of the search's state.
    #[inline]
    pub fn atoms(&self, wanted: AtomSet) -> AtomSet {
        G::atoms(self, wanted) | AtomSet(self.state.0 & wanted.0)
    }
}

/// A game of pieces on a square board of at most 8x8 squares. They are numbered from a1, which is 0; a2 is 8 on every
/// board.
pub trait Pieces: Game {
    /// Files and ranks of the board.
    const SIZE: u32 = 8;

    /// The kinds of pieces, in lower case.
    const KINDS: &'static [&'static str];

    /// One bitboard a kind of White's pieces, then the same of Black's.
    type Boards: AsRef<[u64]> + AsMut<[u64]> + Copy + Debug + Default + PartialEq + Send;

    /// Which piece stands where.
    fn boards(position: &Self::Position) -> Self::Boards;

    /// A position with these pieces and this side to move; none if a position of the game is more than that.
    fn position(_boards: &Self::Boards, _side: Side) -> Option<Self::Position> {
        None
    }
}

/// The positions that are the same problem seen from another side.
pub trait Symmetry: Game {
    /// All images of a position under the game's symmetries, itself included; by default there is no other.
    fn images(position: &Self::Position) -> Vec<Self::Position> {
        vec![position.clone()]
    }
}

/// The legal moves of a position; none if it is finished.
pub fn legal_moves<G: Game>(position: &G::Position) -> G::Moves {
    if G::decided(position).is_some() { G::Moves::default() } else { G::generate(position) }
}

/// The position after a move; the given one is unchanged.
pub fn after<G: Game>(position: &G::Position, mv: G::Move) -> G::Position {
    let mut next = position.clone();
    G::play(&mut next, mv);
    next
}

/// The outcome, for the side to move, that the position alone shows: no draws by rule. None while there are moves.
pub fn outcome<G: Game>(position: &G::Position) -> Option<Outcome> {
    G::decided(position).or_else(|| legal_moves::<G>(position).is_empty().then(|| G::stuck(position)))
}

/// Counts the lines of exactly `depth` plies from a position; finished positions have no continuation.
/// The last ply is counted without being played.
pub fn perft<G: Game>(position: &G::Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    // Not `legal_moves` and `after`: returned lists and positions are copied, which takes a tenth of the time.
    if G::decided(position).is_some() {
        return 0;
    }
    let moves = G::generate(position);
    if depth == 1 {
        return moves.len() as u64;
    }
    let behind = |&mv: &G::Move| {
        let mut next = position.clone();
        G::play(&mut next, mv);
        perft::<G>(&next, depth - 1)
    };
    moves.iter().map(behind).sum()
}
