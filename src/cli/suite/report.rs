// SPDX-License-Identifier: GPL-3.0-or-later
//! What `halfply suite run` reports: a table or JSON, and the exit status.

use anyhow::Result;

use super::options::Command;
use crate::cli::Verdict;
use crate::cli::output::{WidthArg, command_line, print, tell};
use halfply_engine::base::figures::{percent, thousands};
use halfply_engine::games::RegisteredGame;
use halfply_lab::players::Player;
use halfply_lab::report::{Cell, Column, Listing};
use halfply_lab::suite::page::{SuitePage, right};
use halfply_lab::suite::run::{NodeLimit, Ready};
use halfply_lab::suite::{BaselineComparison, Score, Summary, TrialResult};

/// The report of a run.
pub(super) struct Report<'a, G: RegisteredGame> {
    pub ready: &'a Ready<'a, G>,
    pub results: &'a [TrialResult],
    pub summary: Summary,
    /// Points, with `--points`.
    pub score: Option<Score>,
    pub comparison: Option<BaselineComparison>,
}

impl<G: RegisteredGame> Report<'_, G> {
    /// Prints it.
    pub fn print(&self, command: &Command) -> Result<()> {
        if command.verbose {
            print(command.width.fit(&self.positions()))?;
        }
        print(command.width.fit(&self.listing()))?;
        let faults: Vec<_> =
            self.ready.suite.problems.iter().zip(self.results).filter(|(_, result)| result.fault.is_some()).collect();
        for (problem, result) in &faults {
            print(format_args!("{}: {}", problem.id, result.fault.as_deref().unwrap_or_default()))?;
        }
        if !faults.is_empty() {
            print(format_args!("{} positions without an answer, counted as unsolved", faults.len()))?;
        }
        let node_limit = self.ready.node_limit;
        if matches!(self.ready.player, Player::Program(_)) && node_limit != NodeLimit::Kept {
            let why = if node_limit == NodeLimit::Ignored { "it ignores `go nodes`: it " } else { "it " };
            print(format_args!("{why}searched without a limit of nodes and was stopped when it reported so many;"))?;
            print("its last best line of no more nodes counts as its answer")?;
        }
        if self.ready.limits.time.is_some() {
            print("searched by the clock: another run may solve others")?;
        }
        match &self.comparison {
            Some(comparison) => self.print_comparison(comparison, &command.baseline_name(), command.width),
            None => Ok(()),
        }
    }

    /// A row for each position.
    fn positions(&self) -> Listing {
        let mut listing = Listing::new([
            Column::words("position"),
            Column::words("solved"),
            Column::words("move"),
            Column::figures("depth").rank(2),
            Column::figures("height").rank(3),
            Column::figures("first found").rank(1),
            Column::figures("found and kept"),
        ]);
        if self.score.is_some() {
            listing.columns.push(Column::figures("points"));
        }
        for (index, (problem, result)) in self.ready.suite.problems.iter().zip(self.results).enumerate() {
            listing.push([
                problem.id.as_str().into(),
                if result.solved { "yes" } else { "no" }.into(),
                result.mv.as_str().into(),
                Cell::number(result.depth.into()),
                Cell::number(result.height.into()),
                count(result.nodes_first_found),
                count(result.nodes_found_and_kept),
                self.score.as_ref().map(|score| Cell::count(score.each[index].into())).into(),
            ]);
        }
        listing
    }

    /// What ran, and the figures of all positions together.
    fn listing(&self) -> Listing {
        let summary = &self.summary;
        let mut listing = Listing::new([Column::words(self.ready.suite.name.clone()), Column::figures("").wrapping()]);
        listing.push(["search", &self.search()]);
        if let Player::Search(searcher) = &self.ready.player {
            listing.push(["evaluation", searcher.evaluation.name()]);
            listing.push(["extensions", &searcher.record().extensions]);
        }
        listing.push(["solved", &format!("{} of {}", summary.solved, summary.positions)]);
        if let Some(Score { total, possible, .. }) = self.score {
            let share = percent(total as f64 / possible.max(1) as f64);
            listing.push(["points", &format!("{} of {} ({share})", thousands(total), thousands(possible))]);
        }
        listing.push(["mean iteration depth".into(), Cell::decimal(summary.mean_depth, 2)]);
        listing.push(["mean height".into(), Cell::decimal(summary.mean_height, 2)]);
        if let Player::Search(_) = self.ready.player {
            listing.push(["frequency of extended moves".into(), Cell::share(summary.frequency)]);
        }
        listing.push(["nodes".into(), Cell::count(summary.nodes)]);
        listing.push(["nodes until first found".into(), count(summary.nodes_first_found)]);
        listing.push(["nodes until found and kept".into(), Cell::count(summary.nodes_found_and_kept)]);
        listing
    }

    /// The search and its limits, in one line.
    fn search(&self) -> String {
        let mut parts = Vec::new();
        match &self.ready.player {
            Player::Search(searcher) => {
                let record = searcher.record();
                parts.push(record.profile.name().to_owned());
                parts.extend(record.settings(G::parameters));
            }
            Player::Program(program) => parts.push(program.record().description()),
        }
        parts.extend(self.ready.limits.nodes.map(|nodes| format!("{} nodes", thousands(nodes))));
        parts.extend(self.ready.limits.time.map(|time| format!("{} ms", thousands(time.as_millis() as u64))));
        parts.join(", ")
    }

    fn print_comparison(&self, comparison: &BaselineComparison, name: &str, width: WidthArg) -> Result<()> {
        let BaselineComparison { before, gained, lost, nodes_first_found, nodes_found_and_kept } = comparison;
        if !gained.is_empty() || !lost.is_empty() {
            let columns = ["", "position", "plays", "best"];
            let mut listing = Listing::new(columns.map(Column::words));
            for (what, places) in [("gained", gained), ("lost", lost)] {
                for &place in places {
                    let problem = &self.ready.suite.problems[place];
                    listing.push([what, &problem.id, &self.results[place].mv, &right(problem, G::format_move)]);
                }
            }
            print(format_args!("\n{}", width.fit(&listing)))?;
        }
        if nodes_first_found.or(*nodes_found_and_kept).is_some() {
            let [first, kept] = [*nodes_first_found, *nodes_found_and_kept].map(count);
            print(format_args!("nodes in {name}: {first} until first found, {kept} until found and kept"))?;
        }
        print(format_args!("{} gained, {} lost; {name} solves {before}", gained.len(), lost.len()))
    }

    /// The run as a page.
    pub fn page(&self, command: &Command) -> String {
        let baseline = command.baseline_name();
        SuitePage {
            suite: self.ready.suite,
            results: self.results,
            summary: &self.summary,
            comparison: self.comparison.as_ref().map(|comparison| (&baseline[..], comparison)),
            figures: &self.listing(),
            command: &command_line(),
        }
        .render()
    }

    pub fn verdict(&self, command: &Command) -> Verdict {
        let solved = self.summary.solved;
        let mut verdict = Verdict::Good;
        if let Some(least) = command.min_solved.filter(|&least| solved < least) {
            tell(&format!("halfply: {solved} solved, fewer than --min-solved {least}"));
            verdict = Verdict::Short;
        }
        if let Some(comparison) = self.comparison.as_ref().filter(|comparison| !comparison.is_within(command.tolerance))
        {
            tell(&format!(
                "halfply: {solved} solved, {} fewer than the baseline; --tolerance is {}",
                -comparison.net(),
                command.tolerance
            ));
            verdict = Verdict::Short;
        }
        verdict
    }
}

/// A count of nodes; a dash if there is none.
fn count(nodes: Option<u64>) -> Cell {
    nodes.map_or_else(|| Cell::blank().shown("-"), Cell::count)
}
