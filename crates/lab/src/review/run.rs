// SPDX-License-Identifier: GPL-3.0-or-later
//! All positions of some games: searched, and solved from the end of each game backwards as far as a solver reaches.

use serde::Serialize;

use super::judgement::{Known, Reviewed};
use super::played::Played;
use super::units::{Found, Search, Searched, Solve};
use crate::run::{Event, Header, RunError, Runner};
use halfply_engine::base::digest::digest;
use halfply_engine::base::score::plies_to_end;
use halfply_engine::bench::signature;
use halfply_engine::features::AtomSet;
use halfply_engine::games::RegisteredGame;
use halfply_engine::search::{Limits, SearchRecord, Searcher};

/// What the header of a review's journal calls it.
pub const EXPERIMENT: &str = "review";

/// Positions of a game that are solved at a time. The work on the first that is too hard, and on those of its batch that are
/// nearer to the start, is lost.
const BATCH: usize = 3;

/// Where the end is counted, positions with so many empty squares or fewer are tried; elsewhere those with so few pieces.
const MOST_EMPTY: u32 = 24;
const MOST_PIECES: u32 = 12;

/// Some games, and how they are reviewed.
#[derive(Debug)]
pub struct Review<G: RegisteredGame> {
    /// The games.
    pub games: Vec<Played<G>>,
    /// Who searches.
    pub searcher: Searcher<G>,
    /// How long a position is searched.
    pub limits: Limits,
    /// The most nodes of the solver for a position; 0 if nothing is solved.
    pub exact: u64,
}

/// What the journal belongs to.
#[derive(Serialize)]
struct Config<'a> {
    game: &'a str,
    games: String,
    search: SearchRecord,
    nodes: Option<u64>,
    depth: Option<u32>,
    milliseconds: Option<u64>,
    exact: u64,
}

impl<G: RegisteredGame> Review<G> {
    /// The most nodes of the solver for a position, unless it is set. Where the end is counted, solving is fast, some twenty
    /// million nodes a second; elsewhere a search that plays well proves most wins itself.
    pub const fn usual_exact() -> u64 {
        if G::COUNTS_AT_END { 50_000_000 } else { 200_000 }
    }

    /// The header of its journal.
    pub fn header(&self) -> Header {
        let Limits { nodes, depth, time } = self.limits;
        let Searcher { setup, evaluation } = &self.searcher;
        let text = |played: &Played<G>| {
            let start = played.history.positions().first().map(G::format_position).unwrap_or_default();
            format!("{start}: {}\n", played.history.move_texts().join(" "))
        };
        let config = Config {
            game: G::NAME,
            games: digest(self.games.iter().map(text).collect::<String>()),
            search: self.searcher.record(),
            nodes,
            depth,
            milliseconds: time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
            exact: G::SOLVER.map_or(0, |_| self.exact),
        };
        Header::new(EXPERIMENT, &config, signature::<G>(setup, evaluation, AtomSet::EMPTY))
    }

    /// The number of positions in all games.
    pub fn positions(&self) -> usize {
        self.games.iter().map(|played| played.plies() + 1).sum()
    }

    /// Searches and solves what the journal lacks, and judges all moves.
    ///
    /// # Errors
    /// If the run is stopped, or the journal cannot be written.
    pub fn run(
        &self,
        runner: &mut Runner<Found>,
        observe: &mut dyn FnMut(Event),
    ) -> Result<Vec<Reviewed<'_, G>>, RunError> {
        let mut known = self.search(runner, observe)?;
        self.solve(runner, &mut known, observe)?;
        let unit = self.searcher.evaluation.unit();
        let reviewed = |(played, known): (_, &Vec<Known>)| Reviewed::new(played, known, unit);
        // Each position was searched, or its game is over.
        self.games.iter().zip(&known).map(reviewed).collect::<Option<_>>().ok_or(RunError::Failed)
    }

    fn search(&self, runner: &mut Runner<Found>, observe: &mut dyn FnMut(Event)) -> Result<Vec<Vec<Known>>, RunError> {
        let (engine, limits) = (self.searcher.engine(), self.limits);
        let engine = engine.as_ref();
        let mut units = Vec::new();
        for (game, played) in (1..).zip(&self.games) {
            let is_over = played.history.outcome().is_some();
            let plies = 0..played.plies() + usize::from(!is_over);
            units.extend(plies.map(|ply| Search { played, game, ply, engine, limits }));
        }
        observe(Event::Stage { name: "positions".to_owned(), units: units.len() as u64 });
        let results = runner.run(&units, |_, _, time| observe(Event::unit(time)))?;
        let mut known: Vec<Vec<Known>> =
            self.games.iter().map(|played| vec![Known::default(); played.plies() + 1]).collect();
        for (unit, found) in units.iter().zip(results) {
            if let Found::Searched(searched) = found {
                known[unit.game - 1][unit.ply].searched = Some(searched);
            }
        }
        Ok(known)
    }

    /// Solves positions from the end of each game, up to the first that takes too many nodes. Which are tried together does
    /// not depend on the number of threads.
    fn solve(
        &self,
        runner: &mut Runner<Found>,
        known: &mut [Vec<Known>],
        observe: &mut dyn FnMut(Event),
    ) -> Result<(), RunError> {
        let Some(solver) = G::SOLVER.filter(|_| self.exact > 0) else { return Ok(()) };
        // The positions of each game that are to be solved, the next one last.
        let mut open: Vec<Vec<usize>> =
            self.games.iter().zip(known.iter()).map(|(played, known)| to_solve(played, known)).collect();
        loop {
            let mut units = Vec::new();
            for ((game, played), plies) in (1..).zip(&self.games).zip(&open) {
                for &ply in plies.iter().rev().take(BATCH) {
                    // The game has written it, so it can read it.
                    let problem = solver(&G::format_position(&played.history.positions()[ply]));
                    units.extend(problem.map(|problem| Solve { game, ply, problem, nodes: self.exact }));
                }
            }
            if units.is_empty() {
                return Ok(());
            }
            observe(Event::Stage { name: "exact values".to_owned(), units: units.len() as u64 });
            let results = runner.run(&units, |_, _, time| observe(Event::unit(time)))?;
            for (unit, found) in units.iter().zip(results) {
                let place = unit.game - 1;
                match found {
                    Found::Solved(Some(solved)) if open[place].last() == Some(&unit.ply) => {
                        open[place].pop();
                        known[place][unit.ply].solved = Some(solved);
                    }
                    // Those before it are not tried, or do not count.
                    _ => open[place].clear(),
                }
            }
        }
    }
}

/// The positions of a game that a solver may reach, and of which the search does not tell the result already.
fn to_solve<G: RegisteredGame>(played: &Played<G>, known: &[Known]) -> Vec<usize> {
    let is_near = |position: &G::Position| {
        let pieces: u32 = G::boards(position).as_ref().iter().map(|board| board.count_ones()).sum();
        if G::COUNTS_AT_END { G::SIZE * G::SIZE <= pieces + MOST_EMPTY } else { pieces <= MOST_PIECES }
    };
    let is_open = |known: &Known| {
        let is_proved = |searched: &Searched| plies_to_end(searched.score).is_some();
        known.searched.as_ref().is_some_and(|searched| G::COUNTS_AT_END || !is_proved(searched))
    };
    let positions = played.history.positions().iter().zip(known).enumerate();
    positions.filter(|(_, (position, known))| is_near(position) && is_open(known)).map(|(ply, _)| ply).collect()
}
