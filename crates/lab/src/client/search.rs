// SPDX-License-Identifier: GPL-3.0-or-later
//! One `go`: its answer, its time limits.

use std::time::{Duration, Instant};

use super::fault::EngineFault;
use super::process::ProcessEvent;
use super::reply::{Info, Reply};
use super::session::{Client, POLL};
use halfply_engine::search::Limits;

/// The time after its limit at which an engine counts as hanging, not as late.
pub const GRACE: Duration = Duration::from_secs(5);

/// How long an engine that hangs has to answer `stop`.
const LAST_CHANCE: Duration = Duration::from_secs(1);

/// How long an engine has to answer `stop` after an interruption. The caller who interrupts waits for this long.
const SHORT_GRACE: Duration = Duration::from_millis(300);

/// The most nodes that an engine with this limit may report before it counts as ignoring the limit: ten times as many,
/// plus a million for engines that check their counter rarely.
const fn overrun(nodes: u64) -> u64 {
    nodes.saturating_mul(10).saturating_add(1_000_000)
}

/// How long an engine may take before it counts as hanging. It is then sent `stop`, and has one more second to answer.
/// Both limits may be given. Without any, the client waits until the engine answers, dies or is interrupted.
///
/// These are not clocks. They only end the waiting; the caller decides by the [elapsed time](Answer::elapsed) whether
/// an answer was late.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnswerLimits {
    /// Since `go`, regardless of output: for searches by the clock.
    pub total: Option<Duration>,
    /// Since the last report of the search's progress (or since `go`): for searches by nodes or depth, whose time is
    /// unknown. `info string` and lines that are not UCI do not count, since an engine could output them without end.
    /// Some engines are silent for minutes, so be generous.
    pub silence: Option<Duration>,
    /// The node limit of `go`. An engine that reports far more nodes and still searches ignores the limit and might
    /// never end: that is a [fault](EngineFault::Overrun).
    pub nodes: Option<u64>,
    /// The nodes at which the engine is sent `stop`, for engines that ignore node limits. Reports with more nodes do
    /// not count.
    pub stop_at: Option<u64>,
}

/// The limits of a search as text after `go`, each after a space; times are at least a millisecond.
pub fn limits(limits: Limits) -> String {
    let parts = [
        limits.time.map(|time| format!(" movetime {}", time.as_millis().max(1))),
        limits.nodes.map(|nodes| format!(" nodes {nodes}")),
        limits.depth.map(|depth| format!(" depth {depth}")),
    ];
    parts.into_iter().flatten().collect()
}

/// What an engine answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The word after `bestmove`, of any form.
    pub best: String,
    /// From when `go` was in the pipe until `bestmove` had been read.
    pub elapsed: Duration,
    /// The last report about its best move with an exact score.
    pub last: Option<Info>,
    /// The most nodes that it reported, or 0.
    pub nodes: u64,
    /// The greatest depth with an exact score of its best move, in plies, or 0.
    pub depth: u32,
    /// The greatest `seldepth` that it reported, in plies, or 0.
    pub height: u32,
    /// Whether it answered only after `stop`, because its allowance was over or it had reached
    /// [`stop_at`](AnswerLimits::stop_at). Its move is then from a longer search than requested.
    pub stopped: bool,
}

impl Client {
    /// Has the engine search: `position` is a whole line (`position startpos moves e2e4`), and so is `go` (`go nodes
    /// 5000`). Its reports, including bounds, are passed to `follow`; `interrupted` is called at least every 20 ms.
    /// Earlier output of the engine does not count.
    ///
    /// # Errors
    /// - [`EngineFault::Hung`] if the allowance is over and `stop` does not help either; an answer to `stop` counts as an
    ///   answer, with the time that it took;
    /// - [`EngineFault::Interrupted`] if `interrupted` turns true, after the engine has been stopped;
    /// - [`EngineFault::Overrun`] if it does not end at the nodes that it was given;
    /// - [`EngineFault::Crashed`], [`EngineFault::ClosedPipe`], [`EngineFault::Unreadable`].
    pub fn go(
        &mut self,
        position: &str,
        go: &str,
        allowance: AnswerLimits,
        interrupted: &dyn Fn() -> bool,
        follow: &mut dyn FnMut(&Info),
    ) -> Result<Answer, EngineFault> {
        if !self.process.forget_replies() {
            return self.die(interrupted);
        }
        // Both lines at once, so that the engine wakes only once.
        let ticket = self.process.send(&[position, go]);
        let mut search = PendingSearch::new(allowance);
        let mut stopped: Option<Stopped> = None;
        loop {
            if interrupted() && !stopped.as_ref().is_some_and(Stopped::for_good) {
                stopped = Some(self.stop(SHORT_GRACE, EngineFault::Interrupted));
            }
            // Limits are compared with the timestamp of the event, so that our own delays do not count.
            let now = match self.process.next(POLL) {
                Some(ProcessEvent::Reply { reply, arrival }) => {
                    search.hear(reply, arrival, follow);
                    arrival
                }
                Some(ProcessEvent::Written { ticket: written, at }) => {
                    if written == ticket {
                        search.written = Some(at);
                    }
                    at
                }
                Some(ProcessEvent::End) if search.best.is_some() => {
                    // It ended after its answer, but before the other thread reported that the question was written.
                    self.process.end();
                    search.written.get_or_insert(search.handed_over);
                    search.handed_over
                }
                Some(ProcessEvent::Refused | ProcessEvent::End) => return self.die(interrupted),
                None => Instant::now(),
            };
            if let Some(answer) = search.answer() {
                return match answer {
                    _ if stopped.as_ref().is_some_and(Stopped::for_good) => {
                        self.fail(EngineFault::Interrupted, interrupted)
                    }
                    Ok(answer) => Ok(Answer { stopped: stopped.is_some(), ..answer }),
                    Err(fault) => self.fail(fault, interrupted),
                };
            }
            if let Some(fault) = search.overrun() {
                return self.fail(fault, interrupted);
            }
            match stopped {
                None if search.reached => stopped = Some(self.stop(GRACE, EngineFault::Hung { after: GRACE })),
                None => stopped = search.exceeded(now).map(|after| self.stop(LAST_CHANCE, EngineFault::Hung { after })),
                Some(Stopped { until, fault }) if now >= until => return self.fail(fault, interrupted),
                Some(_) => {}
            }
        }
    }

    /// Sends `stop`; the fault is the result if the engine does not obey.
    fn stop(&mut self, grace: Duration, fault: EngineFault) -> Stopped {
        self.process.send(&["stop"]);
        Stopped { until: Instant::now() + grace, fault }
    }
}

/// `stop` has been sent.
struct Stopped {
    /// How long to wait.
    until: Instant,
    /// The fault if it has not answered by then.
    fault: EngineFault,
}

impl Stopped {
    /// Whether its answer is no longer needed.
    const fn for_good(&self) -> bool {
        matches!(self.fault, EngineFault::Interrupted)
    }
}

/// The state of a running search.
struct PendingSearch {
    allowance: AnswerLimits,
    /// When the question was handed over; used until it is in the pipe.
    handed_over: Instant,
    /// Since when the engine can read it.
    written: Option<Instant>,
    /// When the engine last reported its progress.
    last_sign: Option<Instant>,
    /// What followed `bestmove`, and when.
    best: Option<(Option<String>, Instant)>,
    /// What its reports say of the answer.
    so_far: Answer,
    /// Whether the engine has reported the nodes at which to stop.
    reached: bool,
}

impl PendingSearch {
    fn new(allowance: AnswerLimits) -> Self {
        Self {
            allowance,
            handed_over: Instant::now(),
            written: None,
            last_sign: None,
            best: None,
            so_far: Answer::default(),
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
                let so_far = &mut self.so_far;
                so_far.nodes = so_far.nodes.max(info.nodes.unwrap_or(0));
                so_far.height = so_far.height.max(info.height.unwrap_or(0));
                follow(&info);
                if info.exact().is_some() {
                    so_far.depth = so_far.depth.max(info.depth.unwrap_or(0));
                    so_far.last = Some(info);
                }
            }
            Reply::Best(best) if self.best.is_none() => self.best = Some((best, arrival)),
            _ => {}
        }
    }

    /// The engine's answer, once it has arrived and the question is in the pipe. Different threads report the two, in
    /// either order.
    fn answer(&mut self) -> Option<Result<Answer, EngineFault>> {
        let written = self.written?;
        let (best, arrival) = self.best.take()?;
        let Some(best) = best else {
            return Some(Err(EngineFault::Unreadable { line: "bestmove".to_owned() }));
        };
        let elapsed = arrival.saturating_duration_since(written);
        Some(Ok(Answer { best, elapsed, ..std::mem::take(&mut self.so_far) }))
    }

    /// Whether it ignores its node limit.
    fn overrun(&self) -> Option<EngineFault> {
        let (given, told) = (self.allowance.nodes?, self.so_far.nodes);
        (told > overrun(given)).then_some(EngineFault::Overrun { given, told })
    }

    /// The time limit that has passed, if any.
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
    use crate::client::parse;
    use halfply_engine::protocol::UciScore;

    /// A search that has received these lines, one each second from its beginning.
    fn heard(allowance: AnswerLimits, lines: &[&str]) -> (PendingSearch, Instant, usize) {
        let (mut search, mut followed) = (PendingSearch::new(allowance), 0);
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
        let (mut search, _, followed) = heard(AnswerLimits::default(), &lines);
        let answer = search.answer().unwrap().unwrap();
        assert_eq!(answer.best, "e2e4");
        assert_eq!(answer.elapsed, Duration::from_secs(6));
        assert_eq!((answer.nodes, answer.depth, answer.height, followed), (700, 3, 9, 4));
        assert_eq!(answer.last.and_then(|info| info.score), Some(UciScore::Centipawns(10)));
    }

    #[test]
    fn an_answer_waits_for_the_question_and_must_hold_a_move() {
        let (mut search, start, _) = heard(AnswerLimits::default(), &["bestmove"]);
        search.written = None;
        assert!(search.answer().is_none());
        search.written = Some(start);
        assert!(matches!(search.answer().unwrap().unwrap_err(), EngineFault::Unreadable { .. }));
    }

    #[test]
    fn an_engine_that_reports_many_more_nodes_than_its_limit_ignores_it() {
        for (given, told, is_overrun) in [
            (Some(1000), 1_010_000, false),
            (Some(1000), 1_010_001, true),
            (Some(u64::MAX), u64::MAX, false),
            (None, u64::MAX, false),
        ] {
            let allowance = AnswerLimits { nodes: given, ..AnswerLimits::default() };
            let line = format!("info depth 3 nodes {told}");
            let (search, ..) = heard(allowance, &[&line, "info depth 4 nodes 5"]);
            assert_eq!(search.overrun().is_some(), is_overrun, "{given:?} {told}");
        }
    }

    #[test]
    fn reports_beyond_the_nodes_to_stop_at_do_not_count() {
        let allowance = AnswerLimits { stop_at: Some(1000), ..AnswerLimits::default() };
        let lines =
            ["info depth 1 score cp 1 nodes 900", "info depth 2 seldepth 2", "info depth 3 score cp 3 nodes 1001"];
        let (search, _, followed) = heard(allowance, &lines[..2]);
        assert!(!search.reached && followed == 2);
        let (search, _, followed) = heard(allowance, &[&lines[..], &["info depth 4 score cp 4"]].concat());
        assert!(search.reached);
        let Answer { nodes, depth, height, .. } = search.so_far;
        assert_eq!((nodes, depth, height, followed), (900, 1, 2, 2));
        // A report with exactly the limit counts, and is enough to stop.
        let (search, _, followed) =
            heard(allowance, &["info depth 5 score cp 1 nodes 1000", "info depth 6 score cp 1"]);
        assert!(search.reached);
        assert_eq!((search.so_far.depth, followed), (5, 1));
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
            let (search, start, _) = heard(AnswerLimits { total, silence, ..AnswerLimits::default() }, &lines);
            assert_eq!(search.exceeded(start + Duration::from_secs(at)), over, "{total:?} {silence:?} {at}");
        }
    }
}
