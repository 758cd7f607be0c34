// SPDX-License-Identifier: GPL-3.0-or-later
//! Play below full strength: a search of few nodes, and mistakes as people make them, small ones often and large ones
//! seldom. `research/strength.md` says how levels of it were measured.

use std::fmt;
use std::ops::ControlFlow;
use std::time::Instant;

use serde::{Deserialize, Deserializer, Serialize, de};

use super::{Engine, Failure, Iteration, Limits, Report, Root, Score, Thinker, Watcher};
use crate::base::mix::derive;
use crate::game::{Game, after};

/// The most logits that a mistake is taken for: whoever plays badly enough overlooks a win that is proved.
const GREATEST_LOSS: f64 = 6.0;

/// The limits of a player who is to be weaker than it could be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Strength {
    /// Nodes in which the best move is searched, at least 1.
    #[serde(deserialize_with = "at_least_one")]
    pub nodes: u64,
    /// How carelessly another one is played, in thousandths of a logit: a move that loses so much of the log odds of
    /// winning is played e times more seldom than the best one. 0 for never.
    pub temperature: u32,
}

fn at_least_one<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let nodes = u64::deserialize(deserializer)?;
    if nodes == 0 { Err(de::Error::custom("expected an integer from 1")) } else { Ok(nodes) }
}

impl fmt::Display for Strength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "strength {} nodes, temperature {}", self.nodes, self.temperature)
    }
}

/// Another search at a limited strength. The profile `plain`, which has no scores of other moves, is limited by nodes alone.
pub(super) struct Weaker<E> {
    /// The other search.
    pub engine: E,
    /// The strength.
    pub strength: Strength,
    /// A logit in the scores of the search.
    pub logit: Score,
    /// Which mistakes are made.
    pub seed: u64,
}

impl<G: Game> Engine<G> for Weaker<Box<dyn Engine<G>>> {
    fn thinker(&self) -> Box<dyn Thinker<G>> {
        let &Self { strength, logit, seed, .. } = self;
        Box::new(Weaker { engine: self.engine.thinker(), strength, logit, seed })
    }
}

impl<G: Game> Thinker<G> for Weaker<Box<dyn Thinker<G>>> {
    fn search(&mut self, root: Root<'_, G>, limits: Limits, watcher: &mut dyn Watcher<G::Move>) -> Report<G::Move> {
        let nodes = limits.nodes.unwrap_or(u64::MAX);
        let for_best = Limits { nodes: Some(nodes.min(self.strength.nodes)), ..limits };
        if self.strength.temperature == 0 {
            return self.engine.search(root, for_best, watcher);
        }
        let deadline = limits.time.and_then(|time| Instant::now().checked_add(time));
        let mut silent = Survey::new(u64::MAX, watcher);
        let root = Root { lines: 1, ..root };
        let mut report = self.engine.search(root, for_best, &mut silent);
        if report.line.first().copied() != report.best
            && let Some(Line { score, line }) = silent.better
        {
            (report.score, report.line) = (score, line);
        }
        // All moves are seen as far as the best one, so the iteration that is under way then is completed.
        let mut survey = Survey::new(self.strength.nodes, watcher);
        let time = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let for_others = Limits { nodes: Some(nodes - report.nodes.min(nodes)), time, ..limits };
        let others = self.engine.search(Root { lines: usize::MAX, ..root }, for_others, &mut survey);
        report.nodes += others.nodes;
        report.extended += others.extended;
        report.height = report.height.max(others.height);
        if let Some(Line { score, line }) = report.best.and_then(|best| self.choose(&root, best, &survey.lines)) {
            (report.best, report.score, report.depth) = (line.first().copied(), *score, others.depth);
            report.line.clone_from(line);
        }
        if !report.line.is_empty() {
            let Report { score, depth, nodes, height, .. } = report;
            let told = Iteration { depth, height, rank: 1, score, nodes, hash_full: None, line: &report.line };
            // There is nothing left that it could end.
            let _ = watcher.iteration(&told);
        }
        report
    }

    fn forget(&mut self) {
        self.engine.forget();
    }

    fn hash(&self) -> Option<usize> {
        self.engine.hash()
    }
}

impl<T> Weaker<T> {
    /// The line to play, which may begin with a mistake; none if no move but the best one is known.
    ///
    /// Each move's loss is compared with a random number of the Gumbel distribution, and the least difference wins: so
    /// each is played with a probability in proportion to exp(-loss / temperature).
    fn choose<'l, G: Game>(
        &self,
        root: &Root<'_, G>,
        best: G::Move,
        lines: &'l [Line<G::Move>],
    ) -> Option<&'l Line<G::Move>> {
        let most = lines.iter().map(|line| line.score).max()?;
        let moment = derive(self.seed, root.earlier.len() as u64);
        let luck = |line: &Line<G::Move>| {
            let mv = line.line[0];
            // The longer search knows better.
            let loss = if mv == best { 0 } else { most - line.score };
            let loss = (f64::from(loss) / f64::from(self.logit)).min(GREATEST_LOSS);
            // The same in the same game, whatever else the search remembers; another one where the position is repeated.
            let random = derive(moment, G::key(&after::<G>(root.position, mv)));
            -loss * 1000.0 / f64::from(self.strength.temperature) - libm::log(-libm::log(chance(random)))
        };
        lines.iter().max_by(|one, other| luck(one).total_cmp(&luck(other)))
    }
}

/// A chance between 0 and 1, and neither of them, from the upper half of a random number.
fn chance(random: u64) -> f64 {
    ((random >> 32) as f64 + 0.5) / (1_u64 << 32) as f64
}

/// What is known of a move.
struct Line<M> {
    score: Score,
    /// The move, and what may follow it.
    line: Vec<M>,
}

/// Keeps the lines of the last iteration, and ends the search after that of so many nodes. Whoever watches hears of the end only.
struct Survey<'w, M> {
    enough: u64,
    lines: Vec<Line<M>>,
    /// The line that an iteration which was not completed found better than those before.
    better: Option<Line<M>>,
    watcher: &'w mut dyn Watcher<M>,
}

impl<'w, M> Survey<'w, M> {
    fn new(enough: u64, watcher: &'w mut dyn Watcher<M>) -> Self {
        Self { enough, lines: Vec::new(), better: None, watcher }
    }
}

impl<M: Copy> Watcher<M> for Survey<'_, M> {
    fn iteration(&mut self, iteration: &Iteration<'_, M>) -> ControlFlow<()> {
        if iteration.rank == 1 {
            self.lines.clear();
        }
        self.lines.push(Line { score: iteration.score, line: iteration.line.to_vec() });
        if iteration.nodes >= self.enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn improvement(&mut self, iteration: &Iteration<'_, M>) {
        self.better = Some(Line { score: iteration.score, line: iteration.line.to_vec() });
    }

    fn outside_window(&mut self, iteration: &Iteration<'_, M>, failure: Failure) {
        if failure == Failure::High {
            self.improvement(iteration);
        }
    }

    fn look(&mut self, nodes: u64) -> ControlFlow<()> {
        self.watcher.look(nodes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::score::WIN;
    use crate::game::{Notation, legal_moves};
    use crate::games::{Chess, RegisteredGame};
    use crate::search::{Profile, Setup};

    #[test]
    fn a_strength_of_no_nodes_is_refused() {
        let read = |nodes: u64| toml::from_str::<Strength>(&format!("nodes = {nodes}\ntemperature = 0"));
        assert_eq!(read(1), Ok(Strength { nodes: 1, temperature: 0 }));
        assert!(read(0).unwrap_err().to_string().contains("nodes = 0"));
    }

    /// How often each of the first moves is played at that temperature, of a thousand times, if they have these scores and
    /// the first is the best by a longer search.
    fn played(temperature: u32, scores: &[Score]) -> Vec<usize> {
        let start = Chess::start();
        let moves = legal_moves::<Chess>(&start);
        let line = |(&mv, &score): (_, &Score)| Line { score, line: vec![mv] };
        let lines: Vec<_> = moves.iter().zip(scores).map(line).collect();
        let mut counts = vec![0; scores.len()];
        for seed in 0..1000 {
            let weaker = Weaker { engine: (), strength: Strength { nodes: 1, temperature }, logit: 100, seed };
            let chosen = weaker.choose::<Chess>(&Root::bare(&start), moves[0], &lines).unwrap();
            counts[lines.iter().position(|line| line.line == chosen.line).unwrap()] += 1;
        }
        counts
    }

    #[test]
    fn no_chance_is_0_or_1() {
        assert!(chance(0) > 0.0);
        assert!(chance(u64::MAX) < 1.0);
    }

    #[test]
    fn small_mistakes_are_common_and_large_ones_rare() {
        // As often as exp(0), exp(-1), exp(-2), exp(-5) say: 66.3 %, 24.4 %, 9.0 % and 0.4 %.
        let counts = played(1000, &[0, -100, -200, -500]);
        for (count, expected) in counts.iter().zip([620..700, 200..290, 60..120, 0..15]) {
            assert!(expected.contains(count), "{counts:?}");
        }
        assert_eq!(played(10, &[0, -100, -200, -500]), [1000, 0, 0, 0]);
        // What the shorter search likes better is not better.
        assert!((400..600).contains(&played(10, &[0, 300])[0]));
        // Who plays badly enough overlooks a win.
        assert!((1..200).contains(&played(2000, &[WIN - 1, -100])[1]));
        assert_eq!(played(500, &[WIN - 1, -100])[1], 0);
    }

    #[test]
    fn a_weak_search_is_repeated_and_keeps_its_limits() {
        let position =
            Chess::parse_position("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3").unwrap();
        let evaluation = Chess::default_evaluation(Profile::Full);
        let search = |temperature: u32, limits: Limits| {
            let strength = Some(Strength { nodes: 300, temperature });
            let setup = Setup { strength, hash: 1, ..Chess::usual_setup(&evaluation) };
            evaluation.engine(&setup).thinker().search(Root::bare(&position), limits, &mut ())
        };
        let weak = search(500, Limits::default());
        assert_eq!(search(500, Limits::default()), weak);
        assert_eq!(weak.best, weak.line.first().copied());
        assert!((300..20_000).contains(&weak.nodes), "{}", weak.nodes);
        for nodes in [1, 5, 200, 400] {
            let report = search(500, Limits::nodes(nodes));
            assert!(report.nodes <= nodes && report.best.is_some(), "{nodes}");
        }
        assert_eq!(search(0, Limits::default()).nodes, 300);
    }
}
