// SPDX-License-Identifier: GPL-3.0-or-later
//! One `go`: its answer, its limits of time.

use std::time::{Duration, Instant};

use super::fault::Fault;
use super::process::Event;
use super::reply::{Best, Info, Reply};
use super::session::{Client, POLL};
use crate::search::Limits;

/// An engine that has not answered so long after its time was up is not late: it hangs.
pub const GRACE: Duration = Duration::from_secs(5);

/// How long an engine that hangs has to answer `stop`.
const LAST_CHANCE: Duration = Duration::from_secs(1);

/// How long an engine has to answer `stop` if nobody waits for its move any more. Whoever interrupts waits for this.
const SHORT_GRACE: Duration = Duration::from_millis(300);

/// What an engine that was given so many nodes may tell of at most before it counts as one that does not care: ten times
/// as many, and as many again as one that looks at its counter seldom searches meanwhile.
const fn overrun(nodes: u64) -> u64 {
    nodes.saturating_mul(10).saturating_add(1_000_000)
}

/// How long an engine may take before it counts as hanging. It is then told to `stop`, and has one second more to say
/// its move. Both limits may be given; without any, an engine is waited for until it answers, dies or is interrupted.
///
/// These are no clocks: whether an answer came too late is for the caller to say, who knows its
/// [elapsed time](Answer::elapsed). They only end the waiting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allowance {
    /// Since `go`, whatever the engine says meanwhile: for searches by the clock.
    pub total: Option<Duration>,
    /// Since the engine last said how its search is going (or since `go`): for searches of so many nodes or plies, of
    /// which nobody knows how long they take. Text (`info string`) and what is no UCI do not count, or an engine that
    /// babbles would be waited for without end. Some engines say nothing for minutes: be generous.
    pub silence: Option<Duration>,
    /// The nodes that `go` gives it. An engine that tells of many more, and still searches, does not know of such limits,
    /// and would never end: that is a [fault](Fault::Overrun) of its own.
    pub nodes: Option<u64>,
    /// The nodes at which the engine is told to `stop`, for engines that do not know limits of nodes. What it says of more
    /// nodes than these counts for nothing.
    pub stop_at: Option<u64>,
}

/// What limits a search, as it follows `go`, a blank before each; times are at least a millisecond.
#[must_use]
pub fn limits(limits: Limits) -> String {
    let parts = [
        limits.time.map(|time| format!(" movetime {}", time.as_millis().max(1))),
        limits.nodes.map(|nodes| format!(" nodes {nodes}")),
        limits.depth.map(|depth| format!(" depth {depth}")),
    ];
    parts.into_iter().flatten().collect()
}

/// What an engine answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What it said behind `bestmove`, whatever it is.
    pub best: String,
    /// The answer that it would ponder on.
    pub ponder: Option<String>,
    /// From when `go` was in the pipe until `bestmove` had been read.
    pub elapsed: Duration,
    /// The last that it told about its best move with an exact score; bounds are none.
    pub last: Option<Info>,
    /// The most nodes that it told; 0 if it told none.
    pub nodes: u64,
    /// The deepest search of which it told an exact score of its best move, in plies; 0 if it told none.
    pub depth: u32,
    /// The longest line that it told to have looked at (`seldepth`), in plies; 0 if it told none.
    pub height: u32,
    /// Whether it answered only when it was told to `stop`, its allowance being over or the nodes of
    /// [`stop_at`](Allowance::stop_at) reached. Its move is then that of a longer search than was wanted.
    pub stopped: bool,
}

impl Client {
    /// Has the engine search: `position` is a whole line (`position startpos moves e2e4`), and so is `go` (`go nodes
    /// 5000`). What it tells is handed to `follow`, bounds and all; `interrupted` is asked at least every 20 ms. Whatever
    /// the engine said before does not count.
    ///
    /// # Errors
    /// - [`Fault::Hung`] if the allowance is over and `stop` does not help either; an answer to `stop` counts as an
    ///   answer, with the time that it took;
    /// - [`Fault::Interrupted`] if `interrupted` turns true, after the engine has been stopped;
    /// - [`Fault::Overrun`] if it does not end at the nodes that it was given;
    /// - [`Fault::Crashed`], [`Fault::ClosedPipe`], [`Fault::Unreadable`].
    pub fn go(
        &mut self,
        position: &str,
        go: &str,
        allowance: Allowance,
        interrupted: &dyn Fn() -> bool,
        follow: &mut dyn FnMut(&Info),
    ) -> Result<Answer, Fault> {
        if !self.process.forget_replies() {
            return self.die(interrupted);
        }
        // Both lines at once, so that the engine is not woken twice.
        let ticket = self.process.send(&[position, go]);
        let mut search = Search::new(allowance);
        let mut stopped: Option<Stopped> = None;
        loop {
            if interrupted() && !stopped.as_ref().is_some_and(Stopped::for_good) {
                stopped = Some(self.stop(SHORT_GRACE, Fault::Interrupted));
            }
            // A moment is judged by the stamp of what happened then, so that nothing is late because we were.
            let now = match self.process.next(POLL) {
                Some(Event::Reply { reply, arrival }) => {
                    search.hear(reply, arrival, follow);
                    arrival
                }
                Some(Event::Written { ticket: written, at }) => {
                    if written == ticket {
                        search.written = Some(at);
                    }
                    at
                }
                Some(Event::End) if search.best.is_some() => {
                    // It ended after its answer, before the other thread said that the question was written.
                    self.process.end();
                    search.written.get_or_insert(search.handed_over);
                    search.handed_over
                }
                Some(Event::Refused | Event::End) => return self.die(interrupted),
                None => Instant::now(),
            };
            if let Some(answer) = search.answer() {
                return match answer {
                    _ if stopped.as_ref().is_some_and(Stopped::for_good) => self.fail(Fault::Interrupted, interrupted),
                    Ok(answer) => Ok(Answer { stopped: stopped.is_some(), ..answer }),
                    Err(fault) => self.fail(fault, interrupted),
                };
            }
            if let Some(fault) = search.overrun() {
                return self.fail(fault, interrupted);
            }
            match stopped {
                None if search.reached => stopped = Some(self.stop(GRACE, Fault::Hung { after: GRACE })),
                None => stopped = search.exceeded(now).map(|after| self.stop(LAST_CHANCE, Fault::Hung { after })),
                Some(Stopped { until, fault }) if now >= until => return self.fail(fault, interrupted),
                Some(_) => {}
            }
        }
    }

    /// Tells the engine to stop; the fault is what it is if it does not.
    fn stop(&mut self, grace: Duration, fault: Fault) -> Stopped {
        self.process.send(&["stop"]);
        Stopped { until: Instant::now() + grace, fault }
    }
}

/// The engine has been told to stop.
struct Stopped {
    /// So long it is waited for.
    until: Instant,
    /// What it is if it has not answered by then.
    fault: Fault,
}

impl Stopped {
    /// Whether its answer is of no interest any more.
    const fn for_good(&self) -> bool {
        matches!(self.fault, Fault::Interrupted)
    }
}

/// What is known of a search under way.
struct Search {
    allowance: Allowance,
    /// When it was handed over, for as long as it is not written.
    handed_over: Instant,
    /// Since when the engine can read it.
    written: Option<Instant>,
    /// When the engine last said how it is going.
    last_sign: Option<Instant>,
    best: Option<(Best, Instant)>,
    last: Option<Info>,
    nodes: u64,
    depth: u32,
    height: u32,
    /// The engine has told of the nodes at which it is to stop.
    reached: bool,
}

impl Search {
    fn new(allowance: Allowance) -> Self {
        Self {
            allowance,
            handed_over: Instant::now(),
            written: None,
            last_sign: None,
            best: None,
            last: None,
            nodes: 0,
            depth: 0,
            height: 0,
            reached: false,
        }
    }

    fn hear(&mut self, reply: Reply, arrival: Instant, follow: &mut dyn FnMut(&Info)) {
        match reply {
            Reply::Info(info) => {
                self.last_sign = Some(arrival);
                let stop_at = self.allowance.stop_at;
                self.reached |= stop_at.is_some_and(|limit| info.nodes.is_some_and(|nodes| nodes > limit));
                if self.reached {
                    return;
                }
                self.reached = stop_at.is_some() && stop_at == info.nodes;
                self.nodes = self.nodes.max(info.nodes.unwrap_or(0));
                self.height = self.height.max(info.height.unwrap_or(0));
                follow(&info);
                if info.exact().is_some() {
                    self.depth = self.depth.max(info.depth.unwrap_or(0));
                    self.last = Some(info);
                }
            }
            Reply::Best(best) if self.best.is_none() => self.best = Some((best, arrival)),
            _ => {}
        }
    }

    /// What the engine answered, once it has and the question is in the pipe: the two are told by different threads,
    /// in either order.
    fn answer(&mut self) -> Option<Result<Answer, Fault>> {
        let written = self.written?;
        let (Best { best, ponder }, arrival) = self.best.take()?;
        let Some(best) = best else {
            return Some(Err(Fault::Unreadable { line: "bestmove".to_owned() }));
        };
        Some(Ok(Answer {
            best,
            ponder,
            elapsed: arrival.saturating_duration_since(written),
            last: self.last.take(),
            nodes: self.nodes,
            depth: self.depth,
            height: self.height,
            stopped: false,
        }))
    }

    /// Whether it does not care how many nodes it was given.
    fn overrun(&self) -> Option<Fault> {
        let (given, told) = (self.allowance.nodes?, self.nodes);
        (told > overrun(given)).then_some(Fault::Overrun { given, told })
    }

    /// The limit of time that is over, if one is.
    fn exceeded(&self, now: Instant) -> Option<Duration> {
        let start = self.written.unwrap_or(self.handed_over);
        let over =
            |limit: Option<Duration>, since| limit.filter(|&limit| now.saturating_duration_since(since) >= limit);
        over(self.allowance.total, start)
            .or_else(|| over(self.allowance.silence, self.last_sign.map_or(start, |sign| sign.max(start))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Value;
    use crate::protocol::client::parse;

    /// A search that has heard these lines, one each second, from its beginning on.
    fn heard(allowance: Allowance, lines: &[&str]) -> (Search, Instant, usize) {
        let (mut search, mut followed) = (Search::new(allowance), 0);
        let start = search.handed_over;
        search.written = Some(start);
        for (line, second) in lines.iter().zip(1..) {
            if let Some(reply) = parse(line) {
                search.hear(reply, start + Duration::from_secs(second), &mut |_| followed += 1);
            }
        }
        (search, start, followed)
    }

    #[test]
    fn the_last_exact_score_of_the_best_move_counts() {
        let lines = [
            "info depth 3 seldepth 9 score cp 10 nodes 500 pv e2e4",
            "info depth 3 multipv 2 score cp -5 nodes 700",
            "info depth 4 score cp 3000 lowerbound nodes 600",
            "info depth 5 seldepth 4 currmove e2e4",
            "info string depth 9 score cp 1",
            "bestmove e2e4 ponder e7e5",
            "bestmove a2a3",
        ];
        let (mut search, _, followed) = heard(Allowance::default(), &lines);
        let answer = search.answer().unwrap().unwrap();
        assert_eq!((answer.best.as_str(), answer.ponder.as_deref()), ("e2e4", Some("e7e5")));
        assert_eq!(answer.elapsed, Duration::from_secs(6));
        assert_eq!((answer.nodes, answer.depth, answer.height, followed), (700, 3, 9, 4));
        assert_eq!(answer.last.and_then(|info| info.score), Some(Value::Centipawns(10)));
    }

    #[test]
    fn an_answer_waits_for_the_question_and_must_hold_a_move() {
        let (mut search, start, _) = heard(Allowance::default(), &["bestmove"]);
        search.written = None;
        assert!(search.answer().is_none());
        search.written = Some(start);
        assert_eq!(search.answer().unwrap().unwrap_err().kind(), "unreadable");
    }

    #[test]
    fn whoever_tells_of_many_more_nodes_than_it_was_given_does_not_care() {
        for (given, told, is_overrun) in [
            (Some(1000), 1_010_000, false),
            (Some(1000), 1_010_001, true),
            (Some(u64::MAX), u64::MAX, false),
            (None, u64::MAX, false),
        ] {
            let allowance = Allowance { nodes: given, ..Allowance::default() };
            let line = format!("info depth 3 nodes {told}");
            let (search, ..) = heard(allowance, &[&line, "info depth 4 nodes 5"]);
            assert_eq!(search.overrun().is_some(), is_overrun, "{given:?} {told}");
        }
    }

    #[test]
    fn what_is_said_beyond_the_nodes_to_stop_at_counts_for_nothing() {
        let allowance = Allowance { stop_at: Some(1000), ..Allowance::default() };
        let lines =
            ["info depth 1 score cp 1 nodes 900", "info depth 2 seldepth 2", "info depth 3 score cp 3 nodes 1001"];
        let (search, _, followed) = heard(allowance, &lines[..2]);
        assert!(!search.reached && followed == 2);
        let (search, _, followed) = heard(allowance, &[&lines[..], &["info depth 4 score cp 4"]].concat());
        assert!(search.reached);
        assert_eq!((search.nodes, search.depth, search.height, followed), (900, 1, 2, 2));
        // Exactly the limit is no more than the limit, but enough.
        let (search, _, followed) =
            heard(allowance, &["info depth 5 score cp 1 nodes 1000", "info depth 6 score cp 1"]);
        assert!(search.reached);
        assert_eq!((search.depth, followed), (5, 1));
    }

    #[test]
    fn limits_run_from_the_question_and_from_the_last_sign() {
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        let lines = ["info depth 1", "info nodes 5", "info string alive"];
        for (total, silence, at, over) in [
            (None, None, 1000, None),
            (seconds(5), None, 4, None),
            (seconds(5), None, 5, seconds(5)),
            (None, seconds(3), 4, None),
            (None, seconds(3), 5, seconds(3)),
            (seconds(9), seconds(3), 9, seconds(9)),
        ] {
            let (search, start, _) = heard(Allowance { total, silence, ..Allowance::default() }, &lines);
            assert_eq!(search.exceeded(start + Duration::from_secs(at)), over, "{total:?} {silence:?} {at}");
        }
    }
}
