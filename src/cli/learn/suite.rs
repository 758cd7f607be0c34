// SPDX-License-Identifier: GPL-3.0-or-later
//! Methods that learn by searches of a suite: what their studies have in common.

use anyhow::Result;
use serde::Serialize;

use super::arguments::RunArgs;
use crate::cli::output::command_line;
use crate::cli::study::{self, Document, Plan, Watch};
use crate::cli::{Verdict, load_suite};
use halfply_engine::base::figures::{quantity, thousands};
use halfply_engine::games::RegisteredGame;
use halfply_lab::learn::files::{self, Origin};
use halfply_lab::learn::searches::{Scope, TestBed};
use halfply_lab::run::events::RunKind;
use halfply_lab::run::{Runner, Stop};
use halfply_lab::suite::Suite;
use halfply_lab::suite::trial::TrialResult;

/// Learns by a runner, while somebody watches; the last argument is for its files.
type Learn<'a> = dyn FnMut(&mut Runner<TrialResult>, &mut Watch, Origin<'_>) -> Result<Document<'a>> + 'a;

impl RunArgs {
    /// The positions, and the search without extensions.
    pub fn bed<G: RegisteredGame>(&self) -> Result<TestBed<G>> {
        let suite = load_suite::<G>(self.suite.as_ref())?;
        let searcher = self.common.setup.searcher::<G>(&self.common.evaluation, None, self.seed)?;
        Ok(TestBed { suite, searcher, nodes: self.nodes })
    }

    /// Runs a method by searches of that scope. What its results depend on `besides` changes no search.
    pub fn study<G: RegisteredGame>(
        &self,
        (kind, method): (RunKind, &str),
        (bed, scope): (&TestBed<G>, impl Into<Scope>),
        besides: &impl Serialize,
        stop: &Stop,
        learn: &mut Learn<'_>,
    ) -> Result<Verdict> {
        let scope = scope.into();
        let header = bed.header(scope);
        let seed = if self.seed == 1 { String::new() } else { format!(", seed {}", self.seed) };
        let plan = Plan {
            command: "learn",
            kind: Some(kind),
            game: G::NAME,
            title: format!("{method} on {}, {} nodes{seed}", bed.suite.name, thousands(self.nodes)),
            header: &header,
            besides: Some(serde_json::to_value(besides)?),
            files: &files::ALL,
            threads: self.common.threads.count(),
            description: &|_| {
                serde_json::to_value(bed.description(self.common.game.game, self.suite.as_deref(), scope))
            },
            watched: ().into(),
            unit: "search",
        };
        let origin = Origin { options: &self.common.setup.options(), command: &command_line(), header: &header };
        study::run(&self.common.study, &plan, stop, &mut |runner, watch| learn(runner, watch, origin))
    }
}

/// Of which positions a method learns, in words.
pub fn positions<G: RegisteredGame>(suite: &str, learned_from: &Suite<G>, held_out: &Suite<G>) -> String {
    let held_out = match held_out.problems.len() {
        0 => String::new(),
        count => format!(" ({count} held out)"),
    };
    format!("on {} of {suite}{held_out}", quantity(learned_from.problems.len() as u64, "position"))
}
