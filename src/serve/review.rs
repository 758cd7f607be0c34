// SPDX-License-Identifier: GPL-3.0-or-later
//! A game gone through for the page: `halfply review` with fewer nodes, on one thread.

use std::time::Instant;

use serde::Deserialize;

use super::event::{Audience, Event, LONGEST, Prepared, ReviewedGame, ReviewedMove, ReviewedPosition};
use super::game::{GameSoFar, shown_move};
use super::refusal::Refusal;
use halfply_engine::game::line_texts;
use halfply_engine::games::RegisteredGame;
use halfply_engine::search::{Limits, Profile, Searcher, Setup};
use halfply_engine::with_game;
use halfply_lab::review::judgement::{Judged, Reviewed};
use halfply_lab::review::listing::{headline, turning_point};
use halfply_lab::review::played::Played;
use halfply_lab::review::run::Review;
use halfply_lab::review::value::Value;
use halfply_lab::run::{Event as RunEvent, Runner, Stop};
use halfply_lab::tournament::pgn::colours;
use halfply_lab::tournament::record::GameRecord;

/// The most nodes a position.
pub const MOST_NODES: u64 = 200_000;

/// The most nodes of a solver a position: half a second.
const MOST_EXACT: u64 = 10_000_000;

/// Moves of a better line.
const SHOWN: usize = 8;

/// A game to go through.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewRequest {
    /// The game.
    pub game: GameSoFar,
    /// Nodes a position.
    pub nodes: u64,
}

/// Checks a request.
///
/// # Errors
/// If the game is not valid, too long or has no move, or there are too many nodes.
pub fn prepare(request: ReviewRequest) -> Result<Prepared, Refusal> {
    with_game!(request.game.game, G => prepare_game::<G>(&request))
}

fn prepare_game<G: RegisteredGame>(request: &ReviewRequest) -> Result<Prepared, Refusal> {
    let ReviewRequest { game, nodes } = request;
    if !(1..=MOST_NODES).contains(nodes) {
        return Err(Refusal::Invalid(format!("nodes: 1 to {MOST_NODES}, not {nodes}")));
    }
    let history = game.history::<G>()?;
    let players = game.names.clone().unwrap_or_default();
    let start = G::format_position(&history.positions()[0]);
    let record = GameRecord::to_replay(players, start, history.move_texts().join(" "));
    let played = Played::new(&record, Vec::new()).map_err(Refusal::invalid)?;
    if played.plies() == 0 {
        return Err(Refusal::Invalid("there is no move to review yet".to_owned()));
    }
    let evaluation = G::default_evaluation(Profile::Full);
    let setup = Setup { profile: Profile::Full, ..G::usual_setup(&evaluation) };
    let searcher = Searcher { evaluation, setup };
    let exact = Review::<G>::usual_exact().min(MOST_EXACT);
    let review = Review { games: vec![played], searcher, limits: Limits::nodes(*nodes), exact };
    Ok(Box::new(move |audience| run(&review, audience)))
}

fn run<G: RegisteredGame>(review: &Review<G>, audience: &mut dyn Audience) {
    let (start, stop) = (Instant::now(), Stop::default());
    let (mut done, mut of) = (0, 0);
    let result = review.run(&mut Runner::new(1).stopped_by(&stop), &mut |event| {
        match event {
            RunEvent::Stage { units, .. } => of += units,
            RunEvent::Unit { .. } => done += 1,
            _ => {}
        }
        audience.hear(Event::Reviewing { done, of });
        // A unit has a bounded number of nodes.
        if audience.is_gone() || start.elapsed() >= LONGEST {
            stop.raise();
        }
    });
    let event = match result.as_deref() {
        Ok([reviewed]) => Event::Reviewed(reviewed_game(reviewed)),
        _ => Event::Failed { reason: format!("the review was stopped after {} s", start.elapsed().as_secs()) },
    };
    audience.hear(event);
}

fn reviewed_game<G: RegisteredGame>(reviewed: &Reviewed<'_, G>) -> ReviewedGame {
    let history = &reviewed.played.history;
    let [(_, white), _] = colours::<G>();
    let over = history.outcome().map(|_| reviewed.played.plies());
    let position = |(ply, (value, expected)): (usize, (&Value, f64))| ReviewedPosition {
        expected,
        text: value.text::<G>(),
        eval: (over != Some(ply)).then(|| value.in_pgn(white)),
    };
    let judged = |judged: &Judged<G::Move>| {
        let before = &history.positions()[judged.ply];
        let best = judged.better.first().copied().unwrap_or(history.moves()[judged.ply]);
        ReviewedMove {
            class: judged.class.name(),
            sign: judged.class.sign(),
            before: judged.before,
            after: judged.after,
            best: shown_move::<G>(before, best),
            better: line_texts::<G>(before, &judged.better[..judged.better.len().min(SHOWN)], G::record_move),
        }
    };
    ReviewedGame {
        summary: [headline(reviewed)].into_iter().chain(turning_point(reviewed)).collect(),
        positions: reviewed.values.iter().zip(reviewed.expected()).enumerate().map(position).collect(),
        moves: reviewed.moves.iter().map(judged).collect(),
    }
}
