// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply experiment`: several ways to learn, compared with each other and with what was published.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;

use super::interrupt::stop_on_ctrl_c;
use super::learn::{Narrator, SearchConfig};
use super::output::{percent, print, table, tell, thousands, write_file};
use super::progress::Progress;
use super::run_folder::RunFolderArgs;
use super::{ThreadsArg, Verdict, load_suite};
use crate::experiment::{RunError, Runner};
use crate::features::{AtomSet, ExtensionTable, Vocabulary};
use crate::games::Furnished;
use crate::learn::comparison::{self, Agreement};
use crate::learn::fitness::Conditions;
use crate::learn::plan::{Plan, PlannedRun};
use crate::learn::{Method, Outcome, SuiteFitness};
use crate::search::{Depth, Setup};
use crate::with_game;

/// The tables in the run's folder.
const REPORT: &str = "report.md";

/// Compare ways to learn on the same positions, as a file describes them
#[derive(Debug, Args)]
#[command(
    after_help = "The runs share their searches: what one has tried costs the others nothing. experiments/ holds those \
    of the papers."
)]
pub struct Command {
    /// The experiment, a TOML file
    file: PathBuf,
    /// Nodes a position [default: the file's]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    folder: RunFolderArgs,
}

pub fn run(command: &Command) -> Result<Verdict> {
    let plan = Plan::load(&command.file)?;
    with_game!(plan.game, G => run_game::<G>(command, &plan))
}

fn run_game<G: Furnished>(command: &Command, plan: &Plan) -> Result<Verdict> {
    let vocabulary = G::VOCABULARY;
    ensure!(!plan.runs.is_empty(), "{}: add a [[run]]", command.file.display());
    let suite = load_suite::<G>(plan.suite.as_ref().map(|path| plan.folder.join(path)).as_ref())?;
    let nodes = command.nodes.unwrap_or(plan.nodes);
    let ply = Depth::from_cost(plan.ply).context("ply")?;
    let evaluation = G::EVALUATIONS[0].name;
    let settings = plan.runs.iter().map(|run| run.recipe.settings(&vocabulary).with_context(|| run.name.clone()));
    let settings: Vec<_> = settings.collect::<Result<_>>()?;
    let setup = Setup::plain(ExtensionTable::default(), plan.seed);
    let searches = SearchConfig { game: G::NAME, suite: &suite.digest, evaluation, nodes, seed: plan.seed, full: None };
    let header = searches.header::<G>(setup.profile);
    let (folder, journal) = command.folder.open_sharing(G::NAME, &header, &plan.title, &[REPORT])?;
    let mut runner = Runner::with_journal(command.threads.count(), journal).stopped_by(&stop_on_ctrl_c());

    let mut outcomes = Vec::new();
    for (run, settings) in plan.runs.iter().zip(&settings) {
        let progress = Progress::new(0);
        progress.note(&format!(
            "{}: {} on {} positions of {}, {} nodes each, seed {}; kept in {}",
            run.name,
            run.recipe.method,
            suite.problems.len(),
            suite.name,
            thousands(nodes),
            plan.seed,
            folder.display()
        ));
        let conditions = Conditions { ply, nodes, setup: setup.clone() };
        let mut fitness = SuiteFitness::new(&suite, evaluation, conditions, &mut runner, |_| progress.step());
        let mut narrator =
            Narrator { vocabulary, progress: &progress, positions: suite.problems.len(), settings, number: 0 };
        let outcome = run.recipe.learn(&vocabulary, settings, &mut fitness, |event| narrator.tell(event));
        progress.finish();
        match outcome {
            Ok(outcome) => outcomes.push(outcome),
            Err(RunError::Stopped) => {
                tell(&format!("stopped; kept in {}; the same command goes on", folder.display()));
                return Ok(Verdict::Interrupted);
            }
            Err(error) => bail!(error),
        }
    }
    let positions = suite.problems.len();
    let report = Report { plan, vocabulary: &vocabulary, outcomes: &outcomes, positions, nodes };
    let text = report.text();
    write_file(&folder.join(REPORT), &text)?;
    print(text.trim_end())?;
    tell(&format!("{} searches done now; kept in {}", thousands(runner.computed() as u64), folder.display()));
    Ok(Verdict::Good)
}

/// The runs beside each other.
struct Report<'a> {
    plan: &'a Plan,
    vocabulary: &'a Vocabulary,
    outcomes: &'a [Outcome],
    positions: usize,
    nodes: u64,
}

impl Report<'_> {
    fn text(&self) -> String {
        let Self { plan, positions, nodes, .. } = *self;
        let mut text = format!(
            "# {}\n\n{positions} positions, {} nodes each, seed {}, {} ply\n\n{}",
            plan.title,
            thousands(nodes),
            plan.seed,
            plan.ply,
            self.evaluations()
        );
        let brute_force = self.runs().find(|(run, _)| run.recipe.method == Method::BruteForce);
        if let Some((_, brute_force)) = brute_force {
            text += &format!("\n## The best features by brute force\n\n{}", self.features(brute_force));
            text += &format!("\n## Precision and recall\n\n{}", self.agreement(brute_force));
        }
        text
    }

    fn runs(&self) -> impl Iterator<Item = (&PlannedRun, &Outcome)> {
        self.plan.runs.iter().zip(self.outcomes)
    }

    fn names(&self, features: &[AtomSet]) -> String {
        features.iter().map(|&feature| self.vocabulary.format(feature)).collect::<Vec<_>>().join(", ")
    }

    /// What each run evaluated, and what it overlooked (thesis, Table 4.3).
    fn evaluations(&self) -> String {
        let by = &self.plan.published_by;
        let header =
            ["run", "evaluations", by, "of the power set", "searches saved", "overlooked", &format!("{by} overlooked")];
        let mut list = table(&header, 1);
        let reference = self.runs().find(|(run, _)| run.is_reference).map(|(_, outcome)| outcome);
        for (run, outcome) in self.runs() {
            let published = |figure: Option<u64>| figure.map_or_else(String::new, |figure| figure.to_string());
            let (unsearched, all) = outcome.saved();
            let power_set = 2_f64.powi(self.vocabulary.base().len() as i32);
            let overlooked = reference.map(|reference| comparison::overlooked(reference, outcome)).unwrap_or_default();
            let capped = if outcome.capped { " (stopped)" } else { "" };
            list.add_row([
                run.name.clone(),
                format!("{}{capped}", outcome.judged.len()),
                published(run.published_evaluations),
                percent(outcome.judged.len() as f64 / power_set),
                percent(unsearched as f64 / all.max(1) as f64),
                if overlooked.is_empty() {
                    "none".to_owned()
                } else {
                    format!("{}: {}", overlooked.len(), self.names(&overlooked))
                },
                published(run.published_overlooked),
            ]);
        }
        format!("{list}\n")
    }

    /// The best features of all (thesis, Table 4.4); a star for those among the best of the run that comes first.
    fn features(&self, brute_force: &Outcome) -> String {
        let first = self.runs().find(|(run, _)| run.recipe.method == Method::GradualFocus);
        let stars: Vec<AtomSet> = first.map_or_else(Vec::new, |(_, outcome)| {
            let found = outcome.output().into_iter().filter(|judged| !judged.feature.is_empty());
            found.take(comparison::INTERESTING).map(|judged| judged.feature).collect()
        });
        let published: BTreeMap<&String, u64> =
            self.plan.runs.iter().flat_map(|run| &run.published_features).map(|(name, &value)| (name, value)).collect();
        let relevant = comparison::relevant(brute_force);
        let by = &self.plan.published_by;
        let mut list = table(&["", "feature", "parent", "relevant", "solved", by], 4);
        for judged in comparison::top(brute_force) {
            let name = self.vocabulary.format(judged.feature);
            let parent = comparison::best_parent(brute_force, judged.feature);
            list.add_row([
                if stars.contains(&judged.feature) { "★" } else { "" }.to_owned(),
                name.clone(),
                parent.map(|parent| self.vocabulary.format(parent)).unwrap_or_default(),
                if relevant.contains(&judged.feature) { "yes" } else { "" }.to_owned(),
                judged.evaluation.value.to_string(),
                published.get(&name).map(u64::to_string).unwrap_or_default(),
            ]);
        }
        let stars = first.map_or_else(String::new, |(run, _)| {
            format!("\n★: among the {} best that \"{}\" puts out.\n", comparison::INTERESTING, run.name)
        });
        format!("{list}\n{stars}")
    }

    fn agreement(&self, brute_force: &Outcome) -> String {
        let relevant = comparison::relevant(brute_force);
        let mut list = table(&["run", "precision", "recall", "missed"], 1);
        for (run, outcome) in self.runs().filter(|(run, _)| run.recipe.method != Method::BruteForce) {
            let agreement = Agreement::of(&relevant, outcome);
            list.add_row([
                run.name.clone(),
                format!("{} ({} of {})", percent(agreement.precision()), agreement.correct, agreement.relevant),
                percent(agreement.recall()),
                self.names(&agreement.missed),
            ]);
        }
        format!(
            "{} of the {} best features are relevant: no proper part of them solves as many. Precision: how many of as many \
             best features of a run are. Recall: how many of them are anywhere in its output.\n\n{list}\n",
            relevant.len(),
            comparison::TOP
        )
    }
}
