// SPDX-License-Identifier: GPL-3.0-or-later
//! How a network was learned, as a page: loss, matches, and what it says of some positions.

use maud::{Markup, html};

use super::logistic::probability;
use super::made::Report;
use crate::report::html::table;
use crate::report::page::{Part, page, repeated_by};
use crate::report::plot::{Axis, Plot};
use crate::report::{Listing, board};
use halfply_engine::base::figures::thousands;
use halfply_engine::evaluation::Evaluation;
use halfply_engine::evaluation::network::Network;
use halfply_engine::games::RegisteredGame;

/// The page of a run: what came of its generations, of which there is at least one, the same as a table, the last
/// network, and the command that repeats the run.
pub fn render<G: RegisteredGame>(reports: &[Report], listing: &Listing, network: &Network, command: &str) -> String {
    let games: u64 = reports.iter().flat_map(|report| report.results).sum();
    let positions: u64 = reports.iter().map(|report| report.positions).sum();
    let weights = network.weights();
    let widths: Vec<String> = weights.layers.iter().map(|layer| layer.biases.len().to_string()).collect();
    let summary = format!(
        "{} generations, {} games, {} positions; {} units for each side, then layers of {}",
        reports.len(),
        thousands(games),
        thousands(positions),
        weights.units,
        widths.join(" and ")
    );
    let mut parts = vec![Part::new("Generations", table(listing))];
    if reports.iter().any(|report| report.match_result.is_some()) {
        parts.push(Part::new("Score against the generation before, with its 95 % interval", matches(reports)));
    }
    parts.push(Part::new("Loss in the epochs of each generation", losses(reports)));
    parts.push(Part::new("What the network says", boards::<G>(network)));
    parts.push(repeated_by(command));
    page(&format!("{}: an evaluation learned from its own games", G::NAME), &summary, &parts)
}

/// A bar of the interval and a dot for each generation's match.
fn matches(reports: &[Report]) -> Markup {
    let (first, last) = generations(reports);
    let (x, y) = (Axis::steps("generation", first, last), Axis::shares("score", 0.0, 1.0));
    let mut plot = Plot::new("score of each generation against the one before", x, y);
    plot.level(0.5, "equally strong");
    for report in reports {
        let Some(result) = &report.match_result else { continue };
        let generation = report.generation as f64;
        let (low, high) = (result.score - result.margin, result.score + result.margin);
        plot.interval("interval", generation, low, high);
        plot.point("kept", generation, result.score, &format!("{:.1} %", 100.0 * result.score));
    }
    plot.explain_point("kept", "score");
    plot.explain_line("interval", "its 95 % interval");
    plot.render()
}

/// The first and the last generation, half a step apart from the ends of the axis.
fn generations(reports: &[Report]) -> (f64, f64) {
    let number = |report: Option<&Report>| report.map_or(0.0, |report| report.generation as f64);
    (number(reports.first()) - 0.5, number(reports.last()) + 0.5)
}

/// Two lines a generation.
fn losses(reports: &[Report]) -> Markup {
    // The first training loss is not known: it stands for that of the games held out.
    let all = || reports.iter().flat_map(|report| report.losses.iter().skip(1).flatten().copied());
    let (low, high) = (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
    let (first, last) = generations(reports);
    let x = Axis::steps("generation", first, last);
    let mut plot = Plot::new("loss by epoch", x, Axis::numbers("loss", low, high));
    for (which, class) in [(0, "training"), (1, "held-out")] {
        for report in reports {
            let epochs = report.losses.len().saturating_sub(1).max(1) as f64;
            let begin = report.generation as f64 - 0.5;
            let point = |(epoch, loss): (usize, &[f64; 2])| (begin + (epoch as f64 - 0.5) / epochs, loss[which]);
            plot.line(class, report.losses.iter().enumerate().skip(1).map(point));
        }
    }
    plot.explain_line("training", "in training");
    plot.explain_line("held-out", "on games held out");
    plot.render()
}

/// Boards with the network's value.
fn boards<G: RegisteredGame>(network: &Network) -> Markup {
    let picture = |fen: &&str| {
        let position = G::parse_position(fen).ok()?;
        let value = Evaluation::<G>::judge(network, &position);
        let mover = G::SIDE_NAMES[G::to_move(&position).index()];
        let chance = probability(f64::from(value) / G::LOGIT);
        let caption = format!("{mover} to move: {:+.2}, wins {:.0} %", f64::from(value) / 100.0, 100.0 * chance);
        Some(html! {
            figure {
                (board::svg(&G::format_position(&position)))
                figcaption { (caption) }
            }
        })
    };
    html! { div.boards { @for board in G::BENCH.iter().filter_map(picture) { (board) } } }
}
