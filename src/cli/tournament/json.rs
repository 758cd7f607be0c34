// SPDX-License-Identifier: GPL-3.0-or-later
//! What programs read of a tournament: its events, and its result. `docs/formats.md` describes both for users.

use serde::Serialize;
use serde_json::Value;

use halfply_engine::games::GameName;
use halfply_lab::tournament::entrant::EntrantRecord;
use halfply_lab::tournament::record::FaultRecord;
use halfply_lab::tournament::schedule::Schedule;
use halfply_lab::tournament::scoreboard::{Performance, Scoreboard};
use halfply_lab::tournament::statistics::{Figures, Sprt};

/// The form of these objects.
pub const FORMAT: u32 = 1;

/// A line of `tournament run --json`.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum EventLine<'a> {
    /// Before the first game.
    Start(StartLine<'a>),
    /// After each game.
    Game(GameLine<'a>),
    /// After the last game.
    End(ResultObject<'a>),
}

/// What is played.
#[derive(Serialize)]
pub struct StartLine<'a> {
    /// [`FORMAT`].
    pub format: u32,
    /// The game.
    pub game: GameName,
    /// Who meets whom.
    pub kind: Schedule,
    /// The number of games to play.
    pub games: usize,
    /// The seed of openings and of the plain search.
    pub seed: u64,
    /// The name of the book.
    pub openings: &'a str,
    /// Games at a time.
    pub concurrency: usize,
    /// The run's folder.
    pub folder: String,
    /// Everything that the games depend on, for each player.
    pub players: Vec<EntrantRecord>,
}

/// One game.
#[derive(Serialize)]
pub struct GameLine<'a> {
    /// [`FORMAT`].
    pub format: u32,
    /// The number of its pair, from 0.
    pub pair: u64,
    /// The name of White.
    pub white: &'a str,
    /// The name of Black.
    pub black: &'a str,
    /// The result as in PGN.
    pub result: &'static str,
    /// Why it ended.
    pub end: &'a str,
    /// The fault that ended it, if one did.
    pub fault: Option<&'a FaultRecord>,
    /// Plies, those of the opening included.
    pub plies: usize,
    /// Nodes that White and Black searched.
    pub nodes: [u64; 2],
    /// How long it took; none for a game of the journal.
    pub seconds: Option<f64>,
    /// Whether it is from the journal.
    pub resumed: bool,
    /// Games that count so far.
    pub played: u64,
}

/// The result of a tournament: the last event, `result.json`, and `tournament stats --json`.
#[derive(Serialize)]
pub struct ResultObject<'a> {
    /// [`FORMAT`].
    pub format: u32,
    /// Games that count.
    pub games: u64,
    /// Games that were planned.
    pub of: u64,
    /// The players in the order of the definition.
    pub players: Vec<PlayerObject<'a>>,
    /// Wins, draws and losses of each player (the row) against each (the column); none if they have not met.
    pub crosstable: Vec<Vec<Option<[u64; 3]>>>,
    /// The run, for `tournament stats` of a journal.
    #[serde(flatten)]
    pub run: Option<JournalObject<'a>>,
}

/// A player's results.
#[derive(Serialize)]
pub struct PlayerObject<'a> {
    #[serde(flatten)]
    performance: &'a Performance,
    /// Extended moves as a share of all searched.
    frequency: f64,
    #[serde(flatten)]
    figures: Figures,
}

/// The run that a journal is of.
#[derive(Serialize)]
pub struct JournalObject<'a> {
    /// The configuration, as the journal's first line has it.
    pub config: &'a Value,
    /// The version of the program that began the journal.
    pub version: &'a str,
    /// The behaviour signature.
    pub signature: u64,
}

impl<'a> ResultObject<'a> {
    /// The result so far of a tournament that is to have `of` games. The test is that of the first of two players.
    pub fn new(board: &'a Scoreboard, of: u64, sprt: Option<&Sprt>) -> Self {
        let players = board.players();
        let sprt = sprt.filter(|_| players.len() == 2);
        let player = |(index, performance): (usize, &'a Performance)| {
            let figures = performance.figures(sprt.filter(|_| index == 0));
            PlayerObject { performance, frequency: performance.frequency(), figures }
        };
        let against = |one: usize, other: usize| {
            let (tally, _) = board.meeting(one, other).filter(|_| one != other)?;
            Some([tally.wins, tally.draws, tally.losses])
        };
        let row = |one| (0..players.len()).map(|other| against(one, other)).collect();
        Self {
            format: FORMAT,
            games: board.games(),
            of,
            players: players.iter().enumerate().map(player).collect(),
            crosstable: (0..players.len()).map(row).collect(),
            run: None,
        }
    }
}
