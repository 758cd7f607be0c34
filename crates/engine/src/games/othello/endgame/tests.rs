// SPDX-License-Identifier: GPL-3.0-or-later
use super::*;
use crate::base::bundled;
use crate::base::mix::derive;
use crate::game::{Notation, after, legal_moves};
use crate::games::{Othello, bundled_positions, random_game};
use crate::history::History;

/// The table of a test.
const BITS: u32 = 14;

/// The definition: every line is played to its end.
fn definition(position: &Position) -> Discs {
    if position.decided().is_some() {
        let empty = position.empty().count_ones() as Discs;
        return position.difference() + position.difference().signum() * empty;
    }
    let value = |mv: Move| {
        let mut next = *position;
        next.play(mv);
        -definition(&next)
    };
    position.generate().into_iter().map(value).max().unwrap()
}

/// Positions of random games with so many empty squares, finished ones too.
fn random_positions(empty: u32, count: usize) -> Vec<Position> {
    let games = (0..).map(|number| random_game::<Othello>(derive(u64::from(empty), number)));
    let position = |game: History<Othello>| {
        game.positions().iter().find(|position| position.empty().count_ones() == empty).copied()
    };
    games.filter_map(position).take(count).collect()
}

fn text(position: &Position) -> String {
    Othello::format_position(position)
}

#[test]
fn values_are_those_of_the_definition() {
    for (empty, count) in
        [(0, 20), (1, 300), (2, 300), (3, 300), (4, 300), (5, 300), (6, 200), (7, 100), (8, 30), (9, 8)]
    {
        let mut solver = Solver::new(BITS, u64::MAX);
        for position in random_positions(empty, count) {
            let expected = definition(&position);
            let (discs, best) = solver.best(&position).unwrap();
            assert_eq!(discs, expected, "{}", text(&position));
            assert_eq!(
                solver.outcome(&position),
                Ok(crate::games::othello::board::outcome(expected)),
                "{}",
                text(&position)
            );
            assert_eq!(last_squares(&position), crate::games::othello::board::outcome(expected), "{}", text(&position));
            let winning: Vec<Move> = legal_moves::<Othello>(&position)
                .into_iter()
                .filter(|&mv| definition(&after::<Othello>(&position, mv)) < 0)
                .collect();
            let only = if let [mv] = winning[..] { Some(mv) } else { None };
            assert_eq!(solver.only_win(&position), Ok(only), "{}", text(&position));
            let line = solver.line(&position).unwrap();
            let end = line.into_iter().fold(position, |position, mv| after::<Othello>(&position, mv));
            let sign = if end.turn == position.turn { 1 } else { -1 };
            assert_eq!(sign * definition(&end), expected, "{}", text(&position));
            assert!(end.decided().is_some());
            for (mv, outcome) in solver.outcomes(&position).unwrap() {
                let value = -definition(&after::<Othello>(&position, mv));
                assert_eq!(best.contains(&mv), value == expected, "{}", text(&position));
                assert_eq!(outcome, crate::games::othello::board::outcome(value), "{}", text(&position));
            }
        }
    }
}

#[test]
fn empty_squares_count_for_the_winner() {
    let value = |text: &str| Solver::new(BITS, u64::MAX).discs(&Othello::parse_position(text).unwrap()).unwrap();
    let wiped_out = "---------------------------XX------XX---------------------------";
    assert_eq!((value(&format!("{wiped_out} X")), value(&format!("{wiped_out} O"))), (64, -64));
    let nobody_moves = "X--------------------------XX------XX--------------------------O";
    assert_eq!((value(&format!("{nobody_moves} X")), value(&format!("{nobody_moves} O"))), (62, -62));
}

/// The endgames of FFO with these numbers.
fn solve_ffo(numbers: std::ops::RangeInclusive<u32>, bits: u32) {
    let lines = bundled::OTHELLO_FFO.text.lines().filter(|line| !line.starts_with('#'));
    for (line, position) in lines.zip(bundled_positions::<Othello>(&bundled::OTHELLO_FFO)) {
        let operands = |name: &str| line.split_once(&format!(" {name} ")).unwrap().1.split(';').next().unwrap();
        let id = operands("id").trim_matches('"');
        if !numbers.contains(&id.trim_start_matches("FFO.").parse().unwrap()) {
            continue;
        }
        let mut solver = Solver::new(bits, u64::MAX);
        let begun = std::time::Instant::now();
        let (discs, mut best) = solver.best(&position).unwrap();
        let (nodes, seconds) = (solver.nodes(), begun.elapsed().as_secs_f64());
        println!("{id}: {} empty, {discs:+}, {nodes} nodes, {seconds:.2} s", position.empty().count_ones());
        assert_eq!(discs, operands("ce").parse::<Discs>().unwrap(), "{id}");
        let read = |text: &str| Othello::parse_move(&position, text).unwrap();
        let mut expected: Vec<Move> = operands("bm").split(' ').map(read).collect();
        best.sort_unstable_by_key(|mv| mv.index());
        expected.sort_unstable_by_key(|mv| mv.index());
        assert_eq!(best, expected, "{id}");
        assert_eq!(
            Solver::new(bits, u64::MAX).outcome(&position),
            Ok(crate::games::othello::board::outcome(discs)),
            "{id}"
        );
    }
}

#[test]
fn the_endgames_of_ffo_with_fourteen_to_sixteen_empty_squares() {
    solve_ffo(1..=19, 16);
}

/// `cargo test --release --lib -- --ignored --nocapture twenty_to_twenty_three`
#[test]
#[ignore = "a minute of computing, optimised"]
fn the_endgames_of_ffo_with_twenty_to_twenty_three_empty_squares() {
    solve_ffo(40..=44, 22);
}

#[test]
fn a_budget_ends_the_search() {
    let position =
        Othello::parse_position("--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X").unwrap();
    let mut solver = Solver::new(BITS, 1_000);
    assert_eq!((solver.outcome(&position), solver.discs(&position)), (Err(Undecided), Err(Undecided)));
    assert!(solver.nodes() < 10_000, "{}", solver.nodes());
    // So does whoever watches, who is asked in time.
    let (mut calls, mut told) = (0, 0);
    let mut watch = |nodes| {
        (calls, told) = (calls + 1, nodes);
        if calls == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let deep = bundled::OTHELLO_FFO.text.lines().find(|line| line.contains("FFO.58")).unwrap();
    let deep = Othello::parse_position(&deep.split(' ').take(4).collect::<Vec<_>>().join(" ")).unwrap();
    assert_eq!(Solver::new(BITS, u64::MAX).watched(&mut watch).outcome(&deep), Err(Undecided));
    assert!(calls == 2 && told < 4 * NODES_A_LOOK, "{calls} calls, {told} nodes");
    let mut solver = Solver::new(BITS, u64::MAX);
    assert_eq!(solver.discs(&position), Ok(18));
}
