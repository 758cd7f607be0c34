// SPDX-License-Identifier: GPL-3.0-or-later
//! One game, from its opening to its end.

use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::adjudication::{Adjudication, Arbiter, EarlyEnd};
use super::allowance::{Allowance, GameClock};
use super::contestant::{Contestant, Thought, Turn};
use super::fault::{FaultKind, GameFault, MoveFailure};
use super::openings::Opening;
use super::record::{FaultRecord, GameRecord};
use crate::run::Stop;
use halfply_engine::base::endings::Endings;
use halfply_engine::game::{Notation, Outcome, Side, Tactics};
use halfply_engine::protocol::UciScore;

/// The rules of every game of a tournament.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// When games are ended early.
    pub adjudication: Adjudication,
    /// Tables of endings that end games early.
    pub endings: Option<Arc<Endings>>,
    /// How late a move may be without losing the game.
    pub margin: Duration,
    /// Whether score, depth, nodes and time of each move are recorded.
    pub comments: bool,
}

/// Plays a game of the pair with this number. White and Black have names, what limits their moves, and contestants. None if
/// the game was abandoned, or a contestant cannot play.
pub fn play<G: Notation + Tactics>(
    pair: u64,
    opening: &Opening<G>,
    players: [(&str, Allowance); 2],
    contestants: [&mut dyn Contestant<G>; 2],
    rules: &Rules,
    stop: &Stop,
) -> Option<GameRecord> {
    let mut game = opening.history();
    let mut clocks = players.map(|(_, allowance)| GameClock::new(allowance));
    let players = players.map(|(name, _)| name.to_owned());
    let mut record = GameRecord {
        pair,
        book: opening.moves.len(),
        ..GameRecord::to_replay(players, G::format_position(&opening.start), String::new())
    };
    let mut thinking = Duration::ZERO;
    let mut arbiter = Arbiter::new(&rules.adjudication);
    let sides = Side::BOTH;
    let mut begin = |side: Side| contestants[side.index()].begin().err().map(|failure| (side, failure));
    let fault = match sides.into_iter().find_map(&mut begin) {
        Some((_, MoveFailure::Interrupted | MoveFailure::Withdrawn)) => return None,
        Some((side, MoveFailure::GameFault(fault))) => Some((side, fault)),
        None => loop {
            if let Some(end) = game.ending() {
                record.winner = game.winner();
                record.end = end.to_owned();
                break None;
            }
            let side = G::to_move(game.position());
            let turn = Turn { clocks: &clocks, margin: rules.margin, stop };
            let thought = match contestants[side.index()].think(&game, &turn) {
                Ok(thought) => thought,
                Err(MoveFailure::Interrupted | MoveFailure::Withdrawn) => return None,
                Err(MoveFailure::GameFault(fault)) => break Some((side, fault)),
            };
            thinking += thought.elapsed;
            let nodes = &mut record.nodes[side.index()];
            // A program may report any number.
            *nodes = nodes.saturating_add(thought.nodes);
            record.extended[side.index()] += thought.extended;
            let limit = clocks[side.index()].until_flag();
            if !clocks[side.index()].punch(thought.elapsed, rules.margin) {
                break Some((side, too_late(&thought, limit.unwrap_or_default(), rules.margin)));
            }
            if rules.comments {
                record.comments.push(&comment(&thought));
                record.times.moves.push(u32::try_from(thought.elapsed.as_millis()).unwrap_or(u32::MAX));
            }
            game.play(thought.mv);
            // The board's result overrides adjudication.
            if game.outcome().is_none()
                && let Some(decision) =
                    arbiter.moved(side, thought.value).or_else(|| by_tables::<G>(rules, game.position()))
            {
                record.winner = decision.winner;
                record.end = decision.reason.to_owned();
                break None;
            }
        },
    };
    if let Some((side, fault)) = fault {
        record.winner = Some(side.other());
        record.end = fault.kind.to_string();
        record.fault = Some(FaultRecord { side, fault });
    }
    record.moves = game.move_texts().join(" ");
    // Of many games, all are kept.
    record.comments = record.comments.iter().collect();
    record.times.moves.shrink_to_fit();
    record.times.thinking = thinking.as_secs_f64();
    record.times.ended = SystemTime::now().duration_since(UNIX_EPOCH).ok().map(|time| time.as_secs());
    Some(record)
}

/// The end of a game that is in the tables of endings.
fn by_tables<G: Tactics>(rules: &Rules, position: &G::Position) -> Option<EarlyEnd> {
    let outcome = rules.endings.as_deref().and_then(|endings| G::in_tables(endings, position))?;
    let side = G::to_move(position);
    let winner = match outcome {
        Outcome::Win => Some(side),
        Outcome::Draw => None,
        Outcome::Loss => Some(side.other()),
    };
    Some(EarlyEnd { winner, reason: "adjudication: by tables of endings" })
}

fn too_late<M>(thought: &Thought<M>, limit: Duration, margin: Duration) -> GameFault {
    let (used, limit, margin) = (thought.elapsed.as_millis(), limit.as_millis(), margin.as_millis());
    GameFault::new(FaultKind::Time, format!("{used} ms used of {limit} ms, {margin} ms being forgiven"))
}

/// Score, depth and nodes of a move, for the record.
fn comment<M>(thought: &Thought<M>) -> String {
    let value = match thought.value {
        Some(UciScore::Centipawns(centipawns)) => format!("{:+.2}", f64::from(centipawns) / 100.0),
        Some(UciScore::Mate(moves)) => format!("{}M{}", if moves > 0 { '+' } else { '-' }, moves.unsigned_abs()),
        None => "?".to_owned(),
    };
    format!("{value}/{} {}n", thought.depth, thought.nodes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::games::Breakthrough;
    use halfply_engine::history::History;

    /// What a contestant of these tests does at its turn: make a move with a score in so many milliseconds, or fail.
    enum Act {
        Play(&'static str, i32, u64),
        Fail(FaultKind),
    }

    struct Script {
        acts: std::vec::IntoIter<Act>,
        games: u32,
    }

    impl Contestant<Breakthrough> for Script {
        fn begin(&mut self) -> Result<(), MoveFailure> {
            self.games += 1;
            Ok(())
        }

        fn think(
            &mut self,
            game: &History<Breakthrough>,
            _turn: &Turn<'_>,
        ) -> Result<Thought<<Breakthrough as halfply_engine::game::Game>::Move>, MoveFailure> {
            match self.acts.next().expect("the script is long enough") {
                Act::Play(mv, centipawns, millis) => Ok(Thought {
                    mv: Breakthrough::parse_move(game.position(), mv).unwrap(),
                    value: Some(UciScore::Centipawns(centipawns)),
                    depth: 3,
                    nodes: 10,
                    extended: 1,
                    elapsed: Duration::from_millis(millis),
                }),
                Act::Fail(kind) => Err(GameFault::new(kind, "by the script").into()),
            }
        }
    }

    fn game(white: Vec<Act>, black: Vec<Act>, rules: &Rules) -> GameRecord {
        let start = Breakthrough::parse_position("8/8/P7/8/8/7p/8/8 w").unwrap();
        let opening = Opening { start, moves: Vec::new() };
        let [mut first, mut second] = [white, black].map(|acts| Script { acts: acts.into_iter(), games: 0 });
        let allowance = Allowance { control: Some("1+0".parse().unwrap()), ..Allowance::default() };
        let players = ["first", "second"].map(|name| (name, allowance));
        let record = play(7, &opening, players, [&mut first, &mut second], rules, &Stop::default()).unwrap();
        assert_eq!((first.games, second.games), (1, 1));
        assert_eq!(record.players, ["first", "second"]);
        record
    }

    #[test]
    fn a_game_is_recorded_as_it_was() {
        let rules = Rules { comments: true, ..Rules::default() };
        let record =
            game(vec![Act::Play("a6a7", 150, 20), Act::Play("a7a8", 0, 30)], vec![Act::Play("h3h2", -25, 40)], &rules);
        assert_eq!(
            (record.winner, record.end.as_str(), record.moves.as_str()),
            (Some(Side::White), "goal reached", "a6a7 h3h2 a7a8")
        );
        assert_eq!((record.nodes, record.extended, record.pair, record.result()), ([20, 10], [2, 1], 7, "1-0"));
        assert!(record.comments.iter().eq(["+1.50/3 10n", "-0.25/3 10n", "+0.00/3 10n"]));
        assert_eq!(record.times.moves, [20, 40, 30]);
        assert!((record.times.thinking - 0.09).abs() < 1e-9);
    }

    #[test]
    fn faults_lose_the_game_for_whoever_made_them() {
        let record = game(vec![Act::Play("a6a7", 0, 0)], vec![Act::Fail(FaultKind::Crash)], &Rules::default());
        let fault = record.fault.as_ref().unwrap();
        assert_eq!((record.winner, fault.side, fault.fault.kind), (Some(Side::White), Side::Black, FaultKind::Crash));
        assert_eq!((record.end.as_str(), record.moves.as_str()), ("crash", "a6a7"));
        // A move that comes too late is not recorded.
        let rules = Rules { margin: Duration::from_millis(50), ..Rules::default() };
        let record = game(vec![Act::Play("a6a7", 0, 1051)], Vec::new(), &rules);
        assert_eq!(
            (record.winner, record.end.as_str(), record.moves.as_str()),
            (Some(Side::Black), "loss on time", "")
        );
        assert_eq!(record.fault.unwrap().fault.detail, "1051 ms used of 1000 ms, 50 ms being forgiven");
        let late = vec![Act::Play("a6a7", 0, 1050), Act::Play("a7a8", 0, 50)];
        assert_eq!(game(late, vec![Act::Play("h3h2", 0, 0)], &rules).end, "goal reached");
    }

    #[test]
    fn the_arbiter_ends_games_but_not_those_that_are_over() {
        let adjudication = Adjudication { max_plies: Some(3), ..Adjudication::default() };
        let moves = || vec![Act::Play("a6a7", 0, 0), Act::Play("a7a8", 0, 0)];
        let rules = Rules { adjudication, ..Rules::default() };
        assert_eq!(game(moves(), vec![Act::Play("h3h2", 0, 0)], &rules).end, "goal reached");
        let rules = Rules { adjudication: Adjudication { max_plies: Some(2), ..Adjudication::default() }, ..rules };
        let record = game(moves(), vec![Act::Play("h3h2", 0, 0)], &rules);
        assert_eq!((record.winner, record.end.as_str()), (None, "adjudication: too many plies"));
    }
}
