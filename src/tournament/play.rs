// SPDX-License-Identifier: GPL-3.0-or-later
//! One game, from its opening to its end.

use std::time::Duration;

use super::adjudication::{Adjudication, Arbiter};
use super::allowance::{Allowance, GameClock};
use super::contestant::{Contestant, Thought, Turn};
use super::fault::{FaultKind, GameFault, MoveFailure};
use super::openings::Opening;
use super::record::{FaultRecord, GameRecord, Times};
use crate::game::{Notation, Side};
use crate::protocol::UciScore;
use crate::run::Stop;

/// What holds for every game of a tournament.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// When games are ended early.
    pub adjudication: Adjudication,
    /// How much later than its clock allows a move may come.
    pub margin: Duration,
    /// Whether it is kept what was said of each move.
    pub comments: bool,
}

/// A contestant at the board.
pub struct Seat<'a, G: Notation> {
    /// What it is called in records.
    pub name: &'a str,
    /// Who it is.
    pub contestant: &'a mut dyn Contestant<G>,
    /// What it may use.
    pub allowance: Allowance,
}

/// Plays the game number `pair` of a tournament from its opening to its end. None if it was given up, or
/// somebody cannot play.
pub fn play<G: Notation>(
    pair: u64,
    opening: &Opening<G>,
    mut seats: [Seat<'_, G>; 2],
    rules: &Rules,
    stop: &Stop,
) -> Option<GameRecord> {
    let mut game = opening.history();
    let mut clocks = seats.each_ref().map(|seat| GameClock::new(seat.allowance));
    let mut record = GameRecord {
        players: seats.each_ref().map(|seat| seat.name.to_owned()),
        pair,
        opening: G::format_position(&opening.start),
        winner: None,
        end: String::new(),
        fault: None,
        book: opening.moves.len(),
        moves: String::new(),
        nodes: [0; 2],
        extended: [0; 2],
        comments: Vec::new(),
        times: Times::default(),
    };
    let mut thinking = Duration::ZERO;
    let mut arbiter = Arbiter::new(&rules.adjudication);
    let sides = [Side::White, Side::Black];
    let begin = |side: Side| seats[side.index()].contestant.begin().err().map(|failure| (side, failure));
    let fault = match sides.into_iter().find_map(begin) {
        Some((_, MoveFailure::Interrupted | MoveFailure::Withdrawn)) => return None,
        Some((side, MoveFailure::GameFault(fault))) => Some((side, fault)),
        None => loop {
            if let Some(end) = game.ending() {
                record.winner = game.winner();
                record.end = end.to_owned();
                break None;
            }
            let side = G::to_move(game.position());
            let seat = &mut seats[side.index()];
            let turn = Turn { allowance: &seat.allowance, clocks: &clocks, margin: rules.margin, stop };
            let thought = match seat.contestant.think(&game, &turn) {
                Ok(thought) => thought,
                Err(MoveFailure::Interrupted | MoveFailure::Withdrawn) => return None,
                Err(MoveFailure::GameFault(fault)) => break Some((side, fault)),
            };
            thinking += thought.elapsed;
            let nodes = &mut record.nodes[side.index()];
            // What a program says of itself may be anything.
            *nodes = nodes.saturating_add(thought.nodes);
            record.extended[side.index()] += thought.extended;
            let limit = clocks[side.index()].until_flag();
            if !clocks[side.index()].punch(thought.elapsed, rules.margin) {
                break Some((side, too_late(&thought, limit.unwrap_or_default(), rules.margin)));
            }
            if rules.comments {
                record.comments.push(comment(&thought));
                record.times.moves.push(u64::try_from(thought.elapsed.as_millis()).unwrap_or(u64::MAX));
            }
            game.play(thought.mv);
            // A game that is over on the board has its result from there.
            if game.outcome().is_none()
                && let Some(decision) = arbiter.moved(side, thought.value)
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
    record.times.thinking = thinking.as_secs_f64();
    Some(record)
}

fn too_late<M>(thought: &Thought<M>, limit: Duration, margin: Duration) -> GameFault {
    let (used, limit, margin) = (thought.elapsed.as_millis(), limit.as_millis(), margin.as_millis());
    GameFault::new(FaultKind::Time, format!("{used} ms used of {limit} ms, {margin} ms being forgiven"))
}

/// What is kept of a thought: score, depth and nodes.
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
    use crate::games::Breakthrough;
    use crate::history::History;

    /// What a contestant of these tests does when it is its turn: a move with its score and milliseconds, or a fault.
    enum Act {
        Play(&'static str, i32, u64),
        Fail(FaultKind),
    }

    struct Script(std::vec::IntoIter<Act>, u32);

    impl Contestant<Breakthrough> for Script {
        fn begin(&mut self) -> Result<(), MoveFailure> {
            self.1 += 1;
            Ok(())
        }

        fn think(
            &mut self,
            game: &History<Breakthrough>,
            _turn: &Turn<'_>,
        ) -> Result<Thought<<Breakthrough as crate::game::Game>::Move>, MoveFailure> {
            match self.0.next().expect("the script is long enough") {
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
        let mut players = [white, black].map(|acts| Script(acts.into_iter(), 0));
        let [first, second] = &mut players;
        let allowance = Allowance { control: Some("1+0".parse().unwrap()), ..Allowance::default() };
        let seats = [
            Seat { name: "first", contestant: first as &mut dyn Contestant<Breakthrough>, allowance },
            Seat { name: "second", contestant: second, allowance },
        ];
        let record = play(7, &opening, seats, rules, &Stop::default()).unwrap();
        assert!(players.iter().all(|player| player.1 <= 1), "each game begins once");
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
        assert_eq!(record.comments, ["+1.50/3 10n", "-0.25/3 10n", "+0.00/3 10n"]);
        assert_eq!(record.times.moves, [20, 40, 30]);
        assert!((record.times.thinking - 0.09).abs() < 1e-9);
    }

    #[test]
    fn faults_lose_the_game_for_whoever_made_them() {
        let record = game(vec![Act::Play("a6a7", 0, 0)], vec![Act::Fail(FaultKind::Crash)], &Rules::default());
        let fault = record.fault.as_ref().unwrap();
        assert_eq!((record.winner, fault.side, fault.fault.kind), (Some(Side::White), Side::Black, FaultKind::Crash));
        assert_eq!((record.end.as_str(), record.moves.as_str()), ("crash", "a6a7"));
        // The move that came too late is not on record.
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
