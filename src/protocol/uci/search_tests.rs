// SPDX-License-Identifier: GPL-3.0-or-later
//! Searches that go wrong, or not at all.

use std::io::{self, Write};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};

use super::*;
use crate::features::ExtensionTable;
use crate::game::{Game, Notation};
use crate::games::Breakthrough;
use crate::games::breakthrough::{Move, SafeAdvancement};
use crate::search::{Engine, Player, Report};

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

/// How a player may fail: after that many iterations, each of which finds the same line.
struct Failing {
    iterations: u32,
    panics: bool,
}

impl Player<Breakthrough> for Failing {
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
    fn player(&self) -> Box<dyn Player<Breakthrough>> {
        Box::new(Failing { iterations: ITERATIONS, panics: PANICS })
    }
}

static PANICS_AT_ONCE: Judge<Breakthrough> = failing::<0, true>();
static PANICS_LATER: Judge<Breakthrough> = failing::<2, true>();
static FINDS_NOTHING: Judge<Breakthrough> = failing::<0, false>();

const fn failing<const ITERATIONS: u32, const PANICS: bool>() -> Judge<Breakthrough> {
    Judge { engine: |_| Box::new(Make::<ITERATIONS, PANICS>), ..Judge::of::<SafeAdvancement>() }
}

/// What is said in a search of the position.
fn said(fen: &str, judge: &'static Judge<Breakthrough>, pondering: bool) -> String {
    let written = Written::default();
    let position = Breakthrough::parse_position(fen).unwrap();
    let start = Instant::now();
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
        judge,
        setup: Setup::plain(ExtensionTable::default(), 1),
        place: Place::default(),
        output: Output::new(written.clone(), channel().0),
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
    for judge in [&PANICS_AT_ONCE, &FINDS_NOTHING] {
        let text = said(&start, judge, false);
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.iter().any(|line| line.contains("the search failed")), std::ptr::eq(judge, &PANICS_AT_ONCE));
        let best = lines.last().unwrap().strip_prefix("bestmove ").unwrap();
        assert!(Breakthrough::parse_move(&Breakthrough::start(), best).is_ok(), "{text}");
        let told = lines[lines.len() - 2];
        assert!(told.starts_with("info depth 1 ") && told.contains(" score cp ") && told.ends_with(best), "{text}");
        // A win is found even so.
        let text = said("8/2P5/8/8/8/8/5p2/8 w", judge, false);
        assert!(text.contains(" score mate 1 ") && text.contains("\nbestmove c7"), "{text}");
    }
    // What it had found is not lost.
    let text = said(&start, &PANICS_LATER, false);
    assert!(text.ends_with("please report it\nbestmove e2e3\n"), "{text}");
}

#[test]
fn a_move_that_was_pondered_on_comes_with_its_score() {
    let start = Breakthrough::format_position(&Breakthrough::start());
    let text = said(&start, &PANICS_LATER, true);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.iter().filter(|line| line.starts_with("info depth 2 ")).count(), 2, "{text}");
    assert!(lines[lines.len() - 2].starts_with("info depth 2 "), "{text}");
}
