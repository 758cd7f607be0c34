// SPDX-License-Identifier: GPL-3.0-or-later
//! The results of a tournament as a page, at its end or while the games are played.

use maud::{Markup, html};

use super::course::Course;
use super::listing;
use super::record::GameRecord;
use super::statistics::{Decision, Figures, Pentanomial, SprtFigures};
use crate::report::band::{Band, Point};
use crate::report::html::{note, table};
use crate::report::page::{Part, page, repeated_by, settings};
use halfply_engine::base::figures::{percent, quantity, thousands};

/// The most players whose Elo is drawn.
const MOST_DRAWN: usize = 8;

/// The most games that a page lists. A file with more would be slow to open.
const MOST_LISTED: usize = 1000;

/// A tournament and its results so far.
#[derive(Clone, Copy, Debug)]
pub struct Page<'a> {
    /// The name of the game.
    pub game: &'a str,
    /// Each player in a line, in the order of the definition.
    pub descriptions: &'a [String],
    /// The results, and how they went.
    pub course: &'a Course,
    /// The number of games that are planned.
    pub of: u64,
}

/// What the page has besides at the end.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// The games in the order of the schedule.
    pub games: &'a [&'a GameRecord],
    /// The names of the first and the second player of the game.
    pub sides: [&'static str; 2],
    /// The file beside the page with all games.
    pub pgn: &'a str,
    /// The command that repeats the tournament.
    pub command: &'a str,
}

impl Page<'_> {
    /// The page's HTML, as a file.
    pub fn render(&self, record: &Record<'_>) -> String {
        let mut parts = self.parts();
        let listed = &record.games[..record.games.len().min(MOST_LISTED)];
        let more = match record.games.len() - listed.len() {
            0 => "All games with their moves".to_owned(),
            more => format!("{} more games, and the moves of all", thousands(more as u64)),
        };
        let body = html! {
            p.note { (more) ": " a href=(record.pgn) { (record.pgn) } }
            (table(&listing::games(listed.iter().copied(), record.sides)))
        };
        parts.push(Part::new("Games", body));
        parts.push(repeated_by(record.command));
        self.page(&parts)
    }

    /// The page before the last game: without the games themselves. Notes follow the results.
    pub fn so_far(&self, notes: &str) -> String {
        let mut parts = self.parts();
        if !notes.is_empty() {
            parts.push(Part::new("Notes", html! { p { (notes) } }));
        }
        self.page(&parts)
    }

    fn page(&self, parts: &[Part]) -> String {
        page(&self.title(), &self.headline(), parts)
    }

    /// Who plays what, in a line.
    fn title(&self) -> String {
        match self.course.ledger().board().players() {
            [first, second] => format!("{}: {} against {}", self.game, first.name, second.name),
            players => format!("{}: {} players", self.game, players.len()),
        }
    }

    /// What came of it, in a sentence.
    pub fn headline(&self) -> String {
        let ledger = self.course.ledger();
        let board = ledger.board();
        let games = match (board.games(), self.of) {
            (0, _) => return "No game has ended yet.".to_owned(),
            (games, of) if games < of => format!("{} of {} games", thousands(games), thousands(of)),
            (games, _) => quantity(games, "game"),
        };
        let leader = if board.players().len() == 2 { 0 } else { board.ranking()[0] };
        let name = &board.players()[leader].name;
        let figures = board.players()[leader].figures(ledger.sprt());
        let score = format!("{} ± {} of the points", percent(figures.score), percent(figures.margin));
        let elo = format!("{} Elo", listing::interval(figures.elo));
        let verdict = match figures.sprt.and_then(|sprt| sprt.decision) {
            Some(Decision::H1) => ". The sequential test passed.",
            Some(Decision::H0) => ". The sequential test failed.",
            None => ".",
        };
        match board.players().len() {
            2 => format!("{name} has {score} after {games}: {elo}{verdict}"),
            _ => format!("{name} leads with {score} after {games} of all players: {elo}{verdict}"),
        }
    }

    /// The parts of the page that do not need the games themselves.
    fn parts(&self) -> Vec<Part> {
        let ledger = self.course.ledger();
        let board = ledger.board();
        let mut parts = Vec::new();
        match board.players() {
            [first, second] => {
                // The test has a part of its own.
                parts.push(Part::new("Result", table(&listing::duel(first, second, self.of, None))));
            }
            _ => parts.push(Part::new("Standings", table(&listing::standings(board)))),
        }
        if board.games() > 0 {
            parts.push(Part::new("Elo over the games", self.elo()));
            if ledger.sprt().is_some() {
                parts.push(Part::new("The sequential test", self.test()));
            }
            if board.players().len() > 2 {
                let body = html! {
                    (table(&listing::crosstable(board)))
                    (note("Scores of rows against columns in percent, with 95 % intervals."))
                };
                parts.push(Part::new("Crosstable", body));
            }
            parts.push(Part::new("Pairs of games", self.pairs()));
        }
        let faults = listing::faults(board);
        if !faults.is_empty() {
            parts.push(Part::new("Faults", html! { ul { @for line in &faults { li { (line) } } } }));
        }
        let names = board.players().iter().map(|player| player.name.clone());
        let players: Vec<(String, String)> = names.zip(self.descriptions.iter().cloned()).collect();
        parts.push(Part::new("Players", settings(&players)));
        parts
    }

    /// The players whose figures are drawn: the first of two, or the best of many.
    fn drawn(&self) -> Vec<usize> {
        let board = self.course.ledger().board();
        let mut drawn = if board.players().len() == 2 { vec![0] } else { board.ranking() };
        drawn.retain(|&player| board.players()[player].tally.games() > 0);
        drawn.truncate(MOST_DRAWN);
        drawn
    }

    /// A player's figures after some of its games.
    fn figures(&self, player: usize) -> Vec<Figures> {
        let sprt = self.course.ledger().sprt();
        let samples = self.course.samples();
        let with_pairs = samples.iter().map(|sample| sample.players[player]).filter(|(_, pairs)| pairs.pairs() > 0);
        with_pairs.map(|(tally, pairs)| Figures::of(tally, Some(&pairs), sprt)).collect()
    }

    /// The Elo difference over the games, with its interval.
    fn elo(&self) -> Markup {
        let players = self.course.ledger().board().players();
        let plot = |player: usize| {
            let title = match players {
                [first, second] => format!("Elo of {} against {}, with the 95 % interval", first.name, second.name),
                _ => format!("Elo of {} against its opponents, with the 95 % interval", players[player].name),
            };
            let point = |figures: &Figures| {
                let elo = figures.elo;
                Point { after: figures.games as f64, low: elo.low, figure: elo.difference, high: elo.high }
            };
            let points: Vec<Point> = self.figures(player).iter().map(point).collect();
            Band { title: &title, unit: "games", levels: &[] }.figure(&points)
        };
        html! {
            div.plots[players.len() > 2] {
                @for player in self.drawn() { (plot(player)) }
            }
        }
    }

    /// The log-likelihood ratio between its bounds.
    fn test(&self) -> Markup {
        let figures: Vec<(u64, SprtFigures)> =
            self.figures(0).iter().filter_map(|figures| Some((figures.games, figures.sprt?))).collect();
        let Some((_, last)) = figures.last() else {
            return note("No pair is complete yet.");
        };
        let [passed, failed] = [last.elo1, last.elo0].map(|elo| format!("{elo} Elo is accepted"));
        let points: Vec<Point> = figures.iter().map(|(games, sprt)| Point::exact(*games as f64, sprt.llr)).collect();
        let levels = [(last.upper, passed.as_str()), (last.lower, failed.as_str())];
        let title = "Log-likelihood ratio (LLR); the test ends where it meets a bound";
        let plot = Band { title, unit: "games", levels: &levels }.figure(&points);
        html! {
            p { (listing::test(last)) }
            (plot)
        }
    }

    /// How many pairs of games gave how many points.
    fn pairs(&self) -> Markup {
        let players = self.course.ledger().board().players();
        let bars = |player: usize| {
            let title = format!("Pairs by the points of {}", players[player].name);
            bars(&title, players[player].pairs)
        };
        html! {
            div.plots { @for player in self.drawn() { (bars(player)) } }
            (note(
                "Each opening is played twice with colours swapped. Intervals count such pairs and not games, because the two \
                 games depend on each other."
            ))
        }
    }
}

/// A bar for each kind of pair.
fn bars(title: &str, pairs: Pentanomial) -> Markup {
    const WIDTH: f64 = 300.0;
    const HEIGHT: f64 = 160.0;
    const BOTTOM: f64 = 32.0;
    const TOP: f64 = 30.0;
    let most = pairs.0.iter().copied().max().unwrap_or(0).max(1) as f64;
    let column = WIDTH / 5.0;
    let axis = HEIGHT - BOTTOM;
    let kinds = pairs.0.into_iter().zip(["0", "½", "1", "1½", "2"]).enumerate();
    html! {
        figure.plot {
            figcaption { (title) }
            svg viewBox=(format_args!("0 0 {WIDTH} {HEIGHT}")) width=(WIDTH) role="img" aria-label=(title) {
                @for (place, (count, points)) in kinds {
                    @let height = count as f64 / most * (HEIGHT - TOP - BOTTOM);
                    @let (left, middle, top) = (place as f64 * column, (place as f64 + 0.5) * column, axis - height);
                    rect.bar x=(left + 8.0) y=(format_args!("{top:.1}")) width=(column - 16.0) height=(format_args!("{height:.1}")) {}
                    text x=(middle) y=(format_args!("{:.1}", top - 8.0)) text-anchor="middle" { (thousands(count)) }
                    text.tick x=(middle) y=(HEIGHT - 8.0) text-anchor="middle" { (points) }
                }
                line.zero x1="0" y1=(axis) x2=(WIDTH) y2=(axis) {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::course::Planned;
    use super::super::course::tests::{course, game};
    use super::super::definition::SprtDefinition;
    use super::*;

    fn descriptions() -> Vec<String> {
        ["plain <5>", "full"].map(str::to_owned).to_vec()
    }

    #[test]
    fn a_match_is_shown_with_its_test_and_its_games() {
        let sprt = SprtDefinition { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: Default::default() };
        let course = course(40, Planned { games: 100, pairs: 50, sprt: Some(sprt) }.test());
        let descriptions = descriptions();
        let page = Page { game: "breakthrough", descriptions: &descriptions, course: &course, of: 100 };
        let games: Vec<GameRecord> = (0..40).map(game).collect();
        let games: Vec<&GameRecord> = games.iter().collect();
        let record = Record { games: &games, sides: ["white", "black"], pgn: "games.pgn", command: "halfply <x>" };
        let html = page.render(&record);
        for expected in [
            "<title>breakthrough: a against b</title>",
            "a has 80.00% ± ",
            "after 40 of 100 games: +240.8 [",
            "<h2>Elo over the games</h2>",
            "<h2>The sequential test</h2>",
            "5 Elo is accepted",
            "plain &lt;5&gt;",
            "<a href=\"games.pgn\">",
            "halfply &lt;x&gt;",
            // Of every ten games the first and the sixth are lost, in different pairs.
            "Pairs by the points of a",
        ] {
            assert!(html.contains(expected), "{expected}\n{html}");
        }
        assert_eq!(html.matches("<td>reached the last row</td>").count(), 40);
        for asked in ["http", "<script", "<link", "<img", "url(", "@import", "javascript:"] {
            assert!(!html.contains(asked), "{asked}");
        }
    }

    #[test]
    fn many_players_have_a_crosstable_and_nothing_is_drawn_before_the_first_game() {
        let names = ["a", "b", "c"].map(str::to_owned).to_vec();
        let mut course = Course::new(names, None);
        let descriptions = ["1", "2", "3"].map(str::to_owned);
        let titles = |course: &Course| {
            let page = Page { game: "breakthrough", descriptions: &descriptions, course, of: 6 };
            (page.headline(), page.parts().into_iter().map(|part| part.title).collect::<Vec<_>>())
        };
        assert_eq!(titles(&course), ("No game has ended yet.".to_owned(), vec!["Standings".into(), "Players".into()]));
        (0..6).for_each(|number| course.enter(&game(number)));
        let (headline, titles) = titles(&course);
        assert!(headline.starts_with("a leads with 66.67% ± "), "{headline}");
        assert_eq!(titles, ["Standings", "Elo over the games", "Crosstable", "Pairs of games", "Players"]);
    }

    #[test]
    fn a_page_of_many_games_lists_the_first_and_names_the_file_of_all() {
        let course = course(1300, None);
        let games: Vec<GameRecord> = (0..1300).map(game).collect();
        let games: Vec<&GameRecord> = games.iter().collect();
        let record = Record { games: &games, sides: ["white", "black"], pgn: "games.pgn", command: "" };
        let page = Page { game: "breakthrough", descriptions: &descriptions(), course: &course, of: 1300 };
        let html = page.render(&record);
        assert_eq!(html.matches("<td>reached the last row</td>").count(), MOST_LISTED);
        assert!(html.contains("300 more games, and the moves of all: "));
    }
}
