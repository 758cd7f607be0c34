// SPDX-License-Identifier: GPL-3.0-or-later
//! A run of a suite as a page: what was solved, and pictures of the positions that were gained and lost, or missed.

use maud::{Markup, html};

use super::baseline::BaselineComparison;
use super::epd::{Problem, Suite};
use super::trial::{Summary, TrialResult};
use crate::report::board::{Arrow, Squares, with_moves};
use crate::report::html::{note, table};
use crate::report::page::{Part, page, repeated_by};
use crate::report::{Cell, Column, Listing};
use halfply_engine::base::figures::thousands;
use halfply_engine::game::Notation;

/// The most pictures of a part. A file with more would be slow to open.
const MOST_PICTURES: usize = 48;

/// What the colours of the moves in the pictures mean.
const COLOURS: &str = "Green: the right move. Red: the move that was played instead.";

/// Positions in a row of the overview.
const IN_ROW: usize = 40;

/// A run of a suite and the contents of its page.
#[derive(Debug)]
pub struct SuitePage<'a, G: Notation> {
    /// The suite.
    pub suite: &'a Suite<G>,
    /// The result of each problem.
    pub results: &'a [TrialResult],
    /// The results together.
    pub summary: &'a Summary,
    /// The baseline's name, and what has changed since.
    pub comparison: Option<(&'a str, &'a BaselineComparison)>,
    /// What ran, and its figures.
    pub figures: &'a Listing,
    /// The command that repeats it.
    pub command: &'a str,
}

impl<G: Notation> SuitePage<'_, G> {
    /// The page's HTML.
    pub fn render(&self) -> String {
        let mut parts = vec![Part::new("Result", table(self.figures)), Part::new("All positions", self.overview())];
        match self.comparison {
            Some((_, comparison)) => {
                parts.push(self.pictures("Gained", &comparison.gained));
                parts.push(self.pictures("Lost", &comparison.lost));
            }
            None => {
                parts.push(self.pictures("Missed", &self.places(false)));
                parts.push(self.pictures("Solved", &self.places(true)));
            }
        }
        let list = html! {
            details {
                summary { "All positions as a table" }
                (table(&self.listing()))
            }
        };
        parts.push(Part::new("Position by position", list));
        parts.push(repeated_by(self.command));
        page(&format!("{}: {}", G::NAME, self.suite.name), &self.headline(), &parts)
    }

    fn headline(&self) -> String {
        let Summary { solved, positions, .. } = self.summary;
        let found = format!("{} of {} positions are solved", thousands(*solved as u64), thousands(*positions as u64));
        match self.comparison {
            Some((name, comparison)) => format!(
                "{found}, {} gained and {} lost since {name}, which solves {}.",
                comparison.gained.len(),
                comparison.lost.len(),
                thousands(comparison.before as u64)
            ),
            None => format!("{found}."),
        }
    }

    /// The positions that are solved, or those that are not.
    fn places(&self, solved: bool) -> Vec<usize> {
        (0..self.results.len()).filter(|&place| self.results[place].solved == solved).collect()
    }

    /// What became of a position, in a word that is its class, too.
    fn fate(&self, place: usize) -> &'static str {
        let comparison = self.comparison.map(|(_, comparison)| comparison);
        let is_among = |places: Option<&Vec<usize>>| places.is_some_and(|places| places.contains(&place));
        if is_among(comparison.map(|comparison| &comparison.gained)) {
            return "gained";
        }
        if is_among(comparison.map(|comparison| &comparison.lost)) {
            return "lost";
        }
        if self.results[place].solved { "solved" } else { "missed" }
    }

    /// A square for each position, in the order of the suite.
    fn overview(&self) -> Markup {
        const SIDE: usize = 16;
        let rows = self.results.len().div_ceil(IN_ROW).max(1);
        let (width, height) = (IN_ROW * SIDE, rows * SIDE);
        let changes = if self.comparison.is_some() { ", gained blue, lost red" } else { "" };
        html! {
            figure.plot.fates {
                figcaption { "The positions in the order of the suite: solved green, missed hollow" (changes) }
                svg viewBox=(format_args!("0 0 {width} {height}")) role="img" aria-label=(self.headline()) {
                    @for (place, problem) in self.suite.problems.iter().enumerate().take(self.results.len()) {
                        @let fate = self.fate(place);
                        @let (x, y) = (place % IN_ROW * SIDE + 1, place / IN_ROW * SIDE + 1);
                        rect class=(fate) x=(x) y=(y) width=(SIDE - 2) height=(SIDE - 2) rx="2" {
                            title { (problem.id) ": " (fate) }
                        }
                    }
                }
            }
        }
    }

    /// Pictures of these positions, each with the right move and the one that was played.
    fn pictures(&self, title: &str, places: &[usize]) -> Part {
        let shown = &places[..places.len().min(MOST_PICTURES)];
        let more = (places.len() - shown.len()) as u64;
        let body = html! {
            @if shown.is_empty() {
                (note("None."))
            } @else {
                (note(COLOURS))
                div.boards { @for &place in shown { (self.picture(place)) } }
            }
            @if more > 0 { (note(&format!("{} more are in the table below.", thousands(more)))) }
        };
        Part::new(format!("{title}: {}", thousands(places.len() as u64)), body)
    }

    fn picture(&self, place: usize) -> Markup {
        let (problem, result) = (&self.suite.problems[place], &self.results[place]);
        let arrow = |mv: &str, class| Arrow { squares: Squares::of_move(mv), class };
        let mut arrows: Vec<Arrow> =
            problem.best.iter().map(|&mv| arrow(&G::format_move(&problem.position, mv), "good")).collect();
        if !result.solved {
            arrows.push(arrow(&result.mv, "bad"));
        }
        let nodes = result.nodes_found_and_kept.map(|nodes| format!(" after {} nodes", thousands(nodes)));
        let mv = recorded(problem, &result.mv);
        let played = match result.solved {
            true => format!("plays {mv}{}", nodes.unwrap_or_default()),
            false => format!("plays {mv}, right: {}", right(problem, G::record_move)),
        };
        let side = G::SIDE_NAMES[G::to_move(&problem.position).index()];
        html! {
            figure {
                (with_moves(&G::format_position(&problem.position), &Squares::default(), &arrows))
                figcaption { b { (problem.id) } ", " (side) " to move" br; (played) }
            }
        }
    }

    fn listing(&self) -> Listing {
        let mut listing = Listing::new([
            Column::words("position"),
            Column::words("result"),
            Column::words("plays"),
            Column::words("right"),
            Column::figures("nodes until found and kept"),
        ]);
        for (place, (problem, result)) in self.suite.problems.iter().zip(self.results).enumerate() {
            listing.push([
                Cell::text(&*problem.id),
                Cell::text(self.fate(place)),
                Cell::text(recorded(problem, &result.mv)),
                Cell::text(right(problem, G::record_move)),
                result.nodes_found_and_kept.map(Cell::count).into(),
            ]);
        }
        listing
    }
}

/// A move of a result as in game records. An answer that is no legal move stays as it is.
fn recorded<G: Notation>(problem: &Problem<G>, mv: &str) -> String {
    G::parse_move(&problem.position, mv).map_or_else(|_| mv.to_owned(), |mv| G::record_move(&problem.position, mv))
}

/// What solves a problem, in one of the game's notations.
pub fn right<G: Notation>(problem: &Problem<G>, write: fn(&G::Position, G::Move) -> String) -> String {
    let names = |moves: &[G::Move]| {
        let names: Vec<_> = moves.iter().map(|&mv| write(&problem.position, mv)).collect();
        names.join(" ")
    };
    match (&problem.best[..], &problem.avoid[..]) {
        ([], avoid) => format!("not {}", names(avoid)),
        (best, _) => names(best),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::games::{Breakthrough, Othello, RegisteredGame};
    use halfply_engine::search::Limits;

    fn result(solved: bool) -> TrialResult {
        TrialResult {
            solved,
            mv: "a2a3".to_owned(),
            nodes: 10,
            nodes_first_found: None,
            nodes_found_and_kept: solved.then_some(1234),
            depth: 1,
            height: 1,
            extended: 0,
            fault: None,
        }
    }

    #[test]
    fn moves_are_written_as_in_game_records() {
        let mut suite = Suite::<Othello>::bundled(Othello::SUITE).unwrap();
        let problem = suite.problems.remove(0);
        let best = problem.best[0];
        let uci = Othello::format_move(&problem.position, best);
        let (file, rank) = (&uci[2..3], uci[3..4].parse::<usize>().unwrap());
        assert_eq!(recorded(&problem, &uci), format!("{file}{}", 9 - rank), "rows are counted from the top");
        assert!(
            right(&problem, Othello::record_move).starts_with(file)
                && right(&problem, Othello::format_move).starts_with("P@")
        );
        assert_eq!(recorded(&problem, "resign"), "resign");
    }

    #[test]
    fn gains_and_losses_are_shown_or_else_what_was_missed() {
        let mut suite = Suite::<Breakthrough>::bundled(Breakthrough::SUITE).unwrap();
        suite.problems.truncate(60);
        suite.problems[0].id = "<one>".to_owned();
        let results: Vec<TrialResult> = (0..60).map(|place| result(place < 3)).collect();
        let summary = Summary::of(&results, Limits { nodes: Some(10), time: None, depth: None });
        let figures = Listing::new([Column::words("suite"), Column::figures("")]);
        let (suite, summary, results) = (&suite, &summary, &results[..]);
        let plain = SuitePage { suite, results, summary, comparison: None, figures: &figures, command: "halfply <x>" };
        let html = plain.render();
        for expected in [
            "3 of 60 positions are solved.",
            "<h2>Missed: 57</h2>",
            "9 more are in the table below",
            "<b>&lt;one&gt;</b>",
            "plays a2a3 after 1,234 nodes",
            "halfply &lt;x&gt;",
        ] {
            assert!(html.contains(expected), "{expected}");
        }
        assert_eq!(html.matches("<rect class=\"missed\"").count(), 57);
        let comparison = BaselineComparison {
            before: 4,
            nodes_first_found: None,
            nodes_found_and_kept: None,
            gained: vec![1],
            lost: vec![7, 9],
        };
        let html = SuitePage { comparison: Some(("base.toml", &comparison)), ..plain }.render();
        assert!(html.contains("1 gained and 2 lost since base.toml, which solves 4."), "{html}");
        assert!(html.contains("<h2>Gained: 1</h2>") && html.contains("<h2>Lost: 2</h2>"));
        assert_eq!(html.matches("<figure><svg class=\"board\"").count(), 3);
        for asked in ["http", "<script", "<link", "<img", "url(", "@import", "javascript:"] {
            assert!(!html.contains(asked), "{asked}");
        }
    }
}
