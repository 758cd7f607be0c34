// SPDX-License-Identifier: GPL-3.0-or-later
//! Searches that go wrong, or not at all.

use std::io::{self, Write};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};

use super::*;
use crate::evaluation::Evaluation;
use crate::features::ExtensionTable;
use crate::game::{Game, Notation};
use crate::games::Breakthrough;
use crate::games::breakthrough::{Move, Position, SafeAdvancement};
use crate::search::{AnyEvaluation, Evaluator, Searcher, Setup};
use crate::search::{Engine, Report, Score, Thinker};

/// Remembers what was written.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// How a thinker may fail: after that many iterations, each of which finds the same line.
struct Failing {
    iterations: u32,
    panics: bool,
}

impl Thinker<Breakthrough> for Failing {
    fn search(
        &mut self,
        root: Root<'_, Breakthrough>,
        _limits: Limits,
        watcher: &mut dyn Watcher<Move>,
    ) -> Report<Move> {
        let line = [Breakthrough::parse_move(root.position, "e2e3").unwrap()];
        for depth in 1..=self.iterations {
            let iteration =
                Iteration { depth, height: depth, rank: 1, score: 10, nodes: 1, hash_full: None, line: &line };
            let _ = watcher.iteration(&iteration);
        }
        assert!(!self.panics, "on purpose");
        Report { best: None, score: 0, line: Vec::new(), depth: 0, height: 0, nodes: 0, extended: 0 }
    }

    fn forget(&mut self) {}
}

struct Make<const ITERATIONS: u32, const PANICS: bool>;

impl<const ITERATIONS: u32, const PANICS: bool> Engine<Breakthrough> for Make<ITERATIONS, PANICS> {
    fn thinker(&self) -> Box<dyn Thinker<Breakthrough>> {
        Box::new(Failing { iterations: ITERATIONS, panics: PANICS })
    }
}

/// An evaluation whose searches fail.
impl<const ITERATIONS: u32, const PANICS: bool> AnyEvaluation<Breakthrough> for Make<ITERATIONS, PANICS> {
    fn unit(&self) -> Score {
        Evaluation::<Breakthrough>::unit(&SafeAdvancement)
    }

    fn judge(&self, position: &Position) -> Score {
        Evaluation::<Breakthrough>::judge(&SafeAdvancement, position)
    }

    fn engine(&self, _: &Setup) -> Box<dyn Engine<Breakthrough>> {
        Box::new(Self)
    }
}

fn panics_at_once() -> Evaluator<Breakthrough> {
    Evaluator::built_in("panics at once", Make::<0, true>)
}

fn panics_later() -> Evaluator<Breakthrough> {
    Evaluator::built_in("panics later", Make::<2, true>)
}

fn finds_nothing() -> Evaluator<Breakthrough> {
    Evaluator::built_in("finds nothing", Make::<0, false>)
}

/// What is said in a search of the position.
fn said(fen: &str, evaluation: &Evaluator<Breakthrough>, pondering: bool) -> String {
    let written = Written::default();
    let position = Breakthrough::parse_position(fen).unwrap();
    let start = Instant::now();
    let output = Output::new(written.clone(), channel().0);
    let search = Search::<Breakthrough> {
        game: History::new(position),
        moves: Vec::new(),
        lines: 1,
        limits: Limits::depth(5),
        budget: None,
        mate: None,
        start,
        pondering,
        tell_expected: true,
        book_move: None,
        searcher: Searcher { evaluation: evaluation.clone(), setup: Setup::plain(ExtensionTable::default(), 1) },
        place: Place::new(output.clone()),
        output,
    };
    let signals = Signals::new(start, pondering, false);
    signals.ponder_hit(start);
    search.run(&signals);
    let bytes = written.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_search_that_fails_still_plays_a_legal_move() {
    let start = Breakthrough::format_position(&Breakthrough::start());
    for evaluation in [&panics_at_once(), &finds_nothing()] {
        let text = said(&start, evaluation, false);
        let lines: Vec<_> = text.lines().collect();
        let failed = lines.iter().any(|line| line.contains("the search failed"));
        assert_eq!(failed, evaluation.name() == "panics at once");
        let best = lines.last().unwrap().strip_prefix("bestmove ").unwrap();
        assert!(Breakthrough::parse_move(&Breakthrough::start(), best).is_ok(), "{text}");
        let told = lines[lines.len() - 2];
        assert!(told.starts_with("info depth 1 ") && told.contains(" score cp ") && told.ends_with(best), "{text}");
        // A win is found even so.
        let text = said("8/2P5/8/8/8/8/5p2/8 w", evaluation, false);
        assert!(text.contains(" score mate 1 ") && text.contains("\nbestmove c7"), "{text}");
    }
    // What it had found is not lost.
    let text = said(&start, &panics_later(), false);
    assert!(text.ends_with("please report it\nbestmove e2e3\n"), "{text}");
}

#[test]
fn a_move_that_was_pondered_on_comes_with_its_score() {
    let start = Breakthrough::format_position(&Breakthrough::start());
    let text = said(&start, &panics_later(), true);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.iter().filter(|line| line.starts_with("info depth 2 ")).count(), 2, "{text}");
    assert!(lines[lines.len() - 2].starts_with("info depth 2 "), "{text}");
}
