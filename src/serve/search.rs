// SPDX-License-Identifier: GPL-3.0-or-later
//! A search that the page asks for, and what it reports while it runs.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use serde::Deserialize;

use super::event::{Audience, Event, Finding, LONGEST, Prepared, Worth};
use super::game::{GameSoFar, shown_move};
use super::refusal::Refusal;
use super::table;
use halfply_engine::game::{Game, line_texts};
use halfply_engine::games::{RegisteredGame, strength};
use halfply_engine::history::History;
use halfply_engine::search::clock::{self, Clock};
use halfply_engine::search::{DEFAULT_HASH, Iteration, Limits, Profile, Root, Searcher, Setup, Watcher};
use halfply_engine::with_game;

/// The largest transposition table of a search, in MiB.
pub const MOST_HASH: usize = 256;

/// The most lines of a search.
pub const MOST_LINES: usize = 8;

/// The time between two reports of nodes.
const BETWEEN_TICKS: Duration = Duration::from_millis(200);

/// A search of the position after a game so far.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SearchRequest {
    /// The game so far.
    pub game: GameSoFar,
    /// Search as if the side to move had passed: what does the opponent threaten?
    #[serde(default)]
    pub threat: bool,
    /// How to search.
    #[serde(default)]
    pub player: PlayerRequest,
    /// When to stop.
    #[serde(default)]
    pub limits: LimitsRequest,
}

/// A search as the page describes it. It cannot name files: what a page says must not decide which files are read.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlayerRequest {
    /// The search.
    pub profile: Profile,
    /// The name of a built-in evaluation.
    pub evaluation: Option<String>,
    /// The extension table: rows such as `Ud-Rdt@0.5`, or the text of a file.
    pub table: String,
    /// The transposition table of the full search, in MiB.
    pub hash: Option<usize>,
    /// Play at about this Elo, on the game's scale.
    pub elo: Option<u32>,
    /// Which mistakes it makes at that Elo.
    pub seed: u64,
    /// How many best lines to report; only the full search has more than one.
    pub lines: Option<usize>,
}

/// When a search stops.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LimitsRequest {
    /// Nodes.
    pub nodes: Option<u64>,
    /// Plies.
    pub depth: Option<u32>,
    /// Time in milliseconds.
    pub milliseconds: Option<u64>,
    /// The clock that the time is a share of, if no other is given.
    pub clock: Option<ClockRequest>,
}

/// A side's clock, in milliseconds.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClockRequest {
    /// Time left.
    pub left: u64,
    /// Time gained by each move.
    pub increment: u64,
}

impl ClockRequest {
    /// The time for a move.
    fn share(self) -> Duration {
        let [left, increment] = [self.left, self.increment].map(Duration::from_millis);
        clock::share(Clock { left, increment, moves_to_go: None }, Duration::ZERO).optimum
    }
}

/// Checks a request.
///
/// # Errors
/// If the game is not valid or over, or a setting is not valid.
pub fn prepare(request: SearchRequest) -> Result<Prepared, Refusal> {
    with_game!(request.game.game, G => prepare_game::<G>(&request))
}

fn prepare_game<G: RegisteredGame>(request: &SearchRequest) -> Result<Prepared, Refusal> {
    let history = request.game.history::<G>()?;
    if history.outcome().is_some() {
        return Err(Refusal::Invalid("the game is over".to_owned()));
    }
    let history = if request.threat { threatened(history.position())? } else { history };
    let searcher = searcher::<G>(&request.player)?;
    let lines = request.player.lines.unwrap_or(1);
    if !(1..=MOST_LINES).contains(&lines) {
        return Err(Refusal::Invalid(format!("lines: 1 to {MOST_LINES}, not {lines}")));
    }
    let LimitsRequest { nodes, depth, milliseconds, clock } = request.limits;
    // No search can play without a node.
    if [nodes, depth.map(u64::from), milliseconds].contains(&Some(0)) {
        return Err(Refusal::Invalid("a limit is at least 1".to_owned()));
    }
    let time = milliseconds.map(Duration::from_millis).or_else(|| clock.map(ClockRequest::share));
    let time = Some(time.map_or(LONGEST, |time| time.min(LONGEST)));
    let search = Search { history, searcher, lines, limits: Limits { nodes, depth, time } };
    Ok(Box::new(move |audience| search.run(audience)))
}

/// The position in which the opponent may carry out what it threatens. What was there before cannot be repeated in it.
fn threatened<G: RegisteredGame>(position: &G::Position) -> Result<History<G>, Refusal> {
    let turned = G::turned(position)
        .ok_or_else(|| Refusal::Invalid("a check must be answered, so nobody can pass".to_owned()))?;
    let history = History::new(turned);
    if history.outcome().is_some() {
        return Err(Refusal::Invalid("the opponent has no move".to_owned()));
    }
    Ok(history)
}

fn searcher<G: RegisteredGame>(player: &PlayerRequest) -> Result<Searcher<G>, Refusal> {
    let evaluation = match &player.evaluation {
        None => G::default_evaluation(player.profile),
        Some(name) => G::built_in(name).ok_or_else(|| {
            Refusal::Invalid(format!(
                "{} has no evaluation {name:?}; it has {}",
                G::NAME,
                G::evaluation_names().join(", ")
            ))
        })?,
    };
    let hash = player.hash.unwrap_or(DEFAULT_HASH);
    if !(1..=MOST_HASH).contains(&hash) {
        return Err(Refusal::Invalid(format!("hash: 1 to {MOST_HASH} MiB, not {hash}")));
    }
    let table = table::read(&player.table, &G::VOCABULARY)?;
    let strength = player.elo.and_then(|elo| strength::of(G::STRENGTHS, elo));
    let (profile, seed) = (player.profile, player.seed);
    let setup = Setup { profile, table, hash, seed, strength, ..G::usual_setup(&evaluation) };
    Ok(Searcher { evaluation, setup })
}

/// A search and the game that it searches.
struct Search<G: RegisteredGame> {
    history: History<G>,
    searcher: Searcher<G>,
    lines: usize,
    limits: Limits,
}

impl<G: RegisteredGame> Search<G> {
    fn run(&self, audience: &mut dyn Audience) {
        let mut watch = Watch { search: self, audience, start: Instant::now(), told: Duration::ZERO, last: None };
        let root = Root { lines: self.lines, ..self.history.root() };
        let report = self.searcher.engine().thinker().search(root, self.limits, &mut watch);
        let (last, milliseconds) = (watch.last.take(), watch.milliseconds());
        audience.hear(Event::Done {
            best: report.best.map(|mv| shown_move::<G>(self.history.position(), mv)),
            finding: last,
            nodes: report.nodes,
            extended: report.extended,
            milliseconds,
            depth: report.depth,
        });
    }
}

/// Reports a search to its audience, and stops it if nobody listens.
struct Watch<'a, G: RegisteredGame> {
    search: &'a Search<G>,
    audience: &'a mut dyn Audience,
    start: Instant,
    /// When the last report was made, from the start.
    told: Duration,
    /// What the last iteration found for the best line.
    last: Option<Finding>,
}

impl<G: RegisteredGame> Watch<'_, G> {
    fn milliseconds(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn go_on(&self) -> ControlFlow<()> {
        if self.audience.is_gone() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl<G: RegisteredGame> Watcher<G::Move> for Watch<'_, G> {
    fn iteration(&mut self, iteration: &Iteration<'_, G::Move>) -> ControlFlow<()> {
        let position = self.search.history.position();
        let unit = self.search.searcher.evaluation.unit();
        let finding = Finding {
            depth: iteration.depth,
            height: iteration.height,
            rank: iteration.rank,
            worth: Worth::of::<G>(iteration.score, unit, <G as Game>::to_move(position)),
            nodes: iteration.nodes,
            milliseconds: self.milliseconds(),
            line: line_texts::<G>(position, iteration.line, G::record_move),
            first: iteration.line.first().map(|&mv| shown_move::<G>(position, mv)),
        };
        if finding.rank == 1 {
            self.last = Some(finding.clone());
        }
        // More nodes would not change a game that is decided; but further lines may follow.
        let is_decided = finding.worth.end.is_some() && self.search.lines == 1;
        self.told = self.start.elapsed();
        self.audience.hear(Event::Iteration(finding));
        if is_decided { ControlFlow::Break(()) } else { self.go_on() }
    }

    fn look(&mut self, nodes: u64) -> ControlFlow<()> {
        if self.start.elapsed() >= self.told + BETWEEN_TICKS {
            self.told = self.start.elapsed();
            let milliseconds = self.milliseconds();
            self.audience.hear(Event::Progress { nodes, milliseconds });
        }
        self.go_on()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::game::Side;
    use halfply_engine::games::{Chess, GameName};
    use std::collections::BTreeSet;

    /// Keeps what it hears, and leaves after a number of events.
    struct Listener {
        heard: Vec<Event>,
        patience: usize,
    }

    impl Audience for Listener {
        fn hear(&mut self, event: Event) {
            self.heard.push(event);
        }

        fn is_gone(&self) -> bool {
            self.heard.len() >= self.patience
        }
    }

    fn request(text: &str) -> SearchRequest {
        serde_json::from_str(text).unwrap()
    }

    fn heard(text: &str, patience: usize) -> Vec<Event> {
        let mut listener = Listener { heard: Vec::new(), patience };
        prepare(request(text)).unwrap()(&mut listener);
        listener.heard
    }

    fn refusal(text: &str) -> String {
        prepare(request(text)).err().unwrap().to_string()
    }

    #[test]
    fn every_game_is_searched_with_both_searches() {
        for &game in GameName::all() {
            for profile in Profile::ALL {
                let text = format!(
                    r#"{{"game": {{"game": "{}"}}, "player": {{"profile": "{}", "hash": 1}}, "limits": {{"nodes": 3000}}}}"#,
                    game.name(),
                    profile.name()
                );
                let events = heard(&text, usize::MAX);
                let Some(Event::Done { best: Some(best), finding: Some(finding), nodes: 3000, .. }) = events.last()
                else {
                    panic!("{text}: {events:?}");
                };
                assert_eq!(finding.rank, 1);
                assert!(!best.name.is_empty() && !finding.line.is_empty());
                assert!(events.len() > 1, "no iteration was reported");
            }
        }
    }

    #[test]
    fn a_search_without_an_audience_stops() {
        let before = Instant::now();
        let events = heard(r#"{"game": {"game": "breakthrough"}, "player": {"hash": 1}}"#, 2);
        assert!(before.elapsed() < LONGEST / 10);
        assert!(matches!(events[..], [.., Event::Done { .. }]));
    }

    #[test]
    fn a_search_ends_when_the_game_is_decided() {
        let text = r#"{"game": {"game": "breakthrough", "start": "8/2P5/8/8/8/8/5p2/8 w"}, "player": {"hash": 1}}"#;
        let events = heard(text, usize::MAX);
        let Some(Event::Done { finding: Some(finding), .. }) = events.last() else { panic!("{events:?}") };
        assert_eq!((finding.worth.end, &finding.worth.text[..]), (Some(1), "white wins in 1 ply"));
    }

    #[test]
    fn a_weak_player_plays_several_moves_and_shows_what_it_thinks() {
        let Some(weakest) = Chess::STRENGTHS.first() else { return };
        let best = |seed: u64| {
            let player = format!(r#"{{"profile": "full", "hash": 1, "elo": {}, "seed": {seed}}}"#, weakest.elo);
            let events = heard(&format!(r#"{{"game": {{"game": "chess"}}, "player": {player}}}"#), usize::MAX);
            let Some(Event::Done { best: Some(best), finding: Some(finding), .. }) = events.last() else {
                panic!("{events:?}")
            };
            assert_eq!(finding.line.first(), Some(&best.name));
            best.name.clone()
        };
        let moves: BTreeSet<String> = (0..8).map(best).collect();
        assert!(moves.len() > 2, "{moves:?}");
    }

    #[test]
    fn a_search_takes_its_share_of_a_clock() {
        let before = Instant::now();
        let text = r#"{"game": {"game": "chess"}, "player": {"hash": 1}, "limits": {"clock": {"left": 3000, "increment": 100}}}"#;
        let events = heard(text, usize::MAX);
        assert!(matches!(events.last(), Some(Event::Done { best: Some(_), .. })), "{events:?}");
        // About 2.9 s / 30 + 50 ms; the rest is for a busy machine.
        assert!((100..2000).contains(&before.elapsed().as_millis()), "{:?}", before.elapsed());
    }

    #[test]
    fn a_threat_is_the_opponents_best_move_if_nobody_stops_it() {
        let best = |game: &str| {
            let events = heard(
                &format!(
                    r#"{{"game": {game}, "threat": true, "player": {{"profile": "full", "hash": 1}}, "limits": {{"nodes": 20000}}}}"#
                ),
                usize::MAX,
            );
            let Some(Event::Done { best: Some(best), .. }) = events.last() else { panic!("{events:?}") };
            (best.name.clone(), best.side)
        };
        let mate = r#"{"game": "chess", "moves": ["e4", "e5", "Bc4", "Nc6", "Qh5"]}"#;
        assert_eq!(best(mate), ("Qxf7#".to_owned(), Side::White));
        assert_eq!(best(r#"{"game": "breakthrough", "start": "8/8/2P5/8/8/3p4/8/4P3 w"}"#).1, Side::Black);
        assert_eq!(best(r#"{"game": "othello"}"#).1, Side::Black);
        let refused = |game: &str| refusal(&format!(r#"{{"game": {game}, "threat": true}}"#));
        assert!(refused(r#"{"game": "chess", "moves": ["e4", "e5", "Qh5", "a6", "Qxf7+"]}"#).contains("check"));
        assert!(
            refused(r#"{"game": "chess", "start": "7k/5Q2/8/8/8/8/8/K7 w - - 0 1"}"#)
                .contains("the opponent has no move")
        );
    }

    #[test]
    fn settings_that_are_not_valid_are_refused() {
        let player = |player: &str| format!(r#"{{"game": {{"game": "chess"}}, "player": {player}}}"#);
        assert!(refusal(&player(r#"{"table": "Xx@0.5"}"#)).contains("there is no atom \"Xx\""));
        assert!(refusal(&player(r#"{"hash": 100000}"#)).contains("hash: 1 to 256 MiB"));
        assert!(refusal(&player(r#"{"lines": 0}"#)).contains("lines: 1 to 8"));
        // A file that is there is no evaluation for a page.
        assert!(refusal(&player(r#"{"evaluation": "Cargo.toml"}"#)).contains("has no evaluation \"Cargo.toml\""));
        assert!(refusal(r#"{"game": {"game": "chess"}, "limits": {"nodes": 0}}"#).contains("at least 1"));
        assert!(refusal(r#"{"game": {"game": "chess", "moves": ["f3", "e5", "g4", "Qh4"]}}"#).contains("over"));
        assert!(
            serde_json::from_str::<SearchRequest>(r#"{"game": {"game": "chess"}, "player": {"extensions": "x"}}"#)
                .is_err()
        );
    }
}
