// SPDX-License-Identifier: GPL-3.0-or-later
//! One game between two engines.

use serde::{Deserialize, Serialize};

use crate::game::{Notation, Side};
use crate::history::History;
use crate::search::{Engine, Limits};

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Game {
    /// Who won; none for a draw.
    pub winner: Option<Side>,
    /// The moves, in coordinates, with spaces between.
    pub moves: String,
    /// Nodes that White and Black searched.
    pub nodes: [u64; 2],
    /// How many of them matched a row of the player's extension table.
    pub extended: [u64; 2],
}

/// Plays a game from a position to its end; the engines are White's and Black's, and each has the same limits for each
/// move.
pub fn play<G: Notation>(opening: &G::Position, engines: [&dyn Engine<G>; 2], limits: Limits) -> Game {
    let mut players = engines.map(Engine::player);
    let mut game = History::<G>::new(opening.clone());
    let mut moves = Vec::new();
    let (mut nodes, mut extended) = ([0; 2], [0; 2]);
    while game.outcome().is_none() {
        let side = G::to_move(game.position()).index();
        let report = players[side].search(game.root(), limits, &mut ());
        nodes[side] += report.nodes;
        extended[side] += report.extended;
        // An engine has a move wherever there is one.
        let Some(mv) = report.best else { break };
        moves.push(G::format_move(game.position(), mv));
        game.play(mv);
    }
    Game { winner: game.winner(), moves: moves.join(" "), nodes, extended }
}
