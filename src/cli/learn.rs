// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply learn`: Gradual Focus from a suite to an extension table.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use serde_json::json;

use super::interrupt::stop_on_ctrl_c;
use super::output::{percent, print, table, tell, thousands, write_file};
use super::progress::Progress;
use super::run_folder::RunFolderArgs;
use super::setup::SetupArgs;
use super::{EvaluationArg, GameArg, ThreadsArg, Verdict, load_suite};
use crate::experiment::{Header, RunError, Runner};
use crate::features::{ExtensionTable, Vocabulary};
use crate::games::Furnished;
use crate::learn::fitness::Conditions;
use crate::learn::page::Page;
use crate::learn::{Event, Judged, Method, Outcome, Recipe, Settings, SuiteFitness, kinds, report};
use crate::search::{Depth, FullSettings, Profile};
use crate::{bench, with_game};

/// The files of results in a run's folder.
const FEATURES: &str = "features.csv";
const EXTENSIONS: &str = "extensions.toml";
const PAGE: &str = "report.html";

/// How many features the table at the end shows.
const SHOWN: usize = 25;

/// Discover search extensions: which moves are worth looking deeper behind
#[derive(Debug, Args)]
#[command(after_help = "Without options it learns Breakthrough on the bundled suite, in about a minute on two cores. \
                        A run that is stopped goes on when the same command is given again.")]
pub struct Command {
    /// How to learn
    #[arg(value_enum, default_value = "gradual-focus")]
    method: Method,
    /// Test positions to learn on, an EPD file [default: the suite bundled for the game]
    #[arg(long, value_name = "FILE")]
    suite: Option<PathBuf>,
    /// Nodes a position
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// What a move with the feature costs, in plies
    #[arg(long, value_name = "PLY", default_value = "0.5")]
    ply: Depth,
    /// How many positions more than its first parent a combination must solve to be kept
    #[arg(long, value_name = "N", default_value_t = 3)]
    epsilon: u32,
    /// Atoms to start from [default: those of the game's papers]
    #[arg(long, value_name = "ATOM,...", value_delimiter = ',')]
    atoms: Vec<String>,
    /// Groups of atoms that are never combined [default: the game's first]
    #[arg(long, value_name = "NAME")]
    groups: Option<String>,
    /// Do not ban the combinations with the children of a pruned one's second parent
    #[arg(long)]
    no_linear_tree_pruning: bool,
    /// Do not drop the atoms that solve fewer positions than delta
    #[arg(long)]
    no_threshold_pruning: bool,
    /// The threshold of threshold pruning [default: what the search without extensions solves]
    #[arg(long, value_name = "N", conflicts_with = "no_threshold_pruning")]
    delta: Option<i64>,
    /// Atoms that threshold pruning must not drop
    #[arg(long, value_name = "ATOM,...", value_delimiter = ',', conflicts_with = "no_threshold_pruning")]
    unsafe_to_prune: Vec<String>,
    /// Let threshold pruning spare the atoms that the game's authors mark as unsafe to prune
    #[arg(long, conflicts_with = "no_threshold_pruning")]
    domain_knowledge: bool,
    /// Features never to be tried, nor anything that contains them; "none" if everything is to be tried
    /// [default: what the game's papers leave out]
    #[arg(long, value_name = "FEATURE,...", value_delimiter = ',')]
    blacklist: Vec<String>,
    /// Prune combinations that solve just epsilon more than their parent, too
    #[arg(long)]
    strictly_better: bool,
    /// Stop searching for a combination once it can no longer be kept: the same features are put out, with less work; of
    /// what is pruned only a bound of its value becomes known
    #[arg(long)]
    early_rejection: bool,
    /// For brute force: the most atoms of a feature
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=32))]
    max_atoms: u32,
    /// Stop after so many features
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_evaluations: Option<u32>,
    /// Decides the order of moves in every search
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    setup: SetupArgs,
    #[command(flatten)]
    evaluation: EvaluationArg,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    folder: RunFolderArgs,
    #[command(flatten)]
    game: GameArg,
}

/// Everything that the search of a position with a table depends on. How it was chosen which tables to try is not in it:
/// whoever tries the same ones finds them in the journal.
#[derive(Serialize)]
pub struct SearchConfig<'a> {
    pub game: &'a str,
    pub suite: &'a str,
    pub evaluation: &'a str,
    pub nodes: u64,
    pub seed: u64,
    /// Nothing for the plain search, which has no settings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full: Option<FullSettings>,
}

impl SearchConfig<'_> {
    /// The header of a journal of such searches by that profile.
    pub fn header<G: Furnished>(&self, profile: Profile) -> Header {
        Header::new("learn", self, bench::run::<G>(profile).nodes)
    }
}

/// What a run of that name in the same journal is: names its folder.
#[derive(Serialize)]
struct RunConfig<'a> {
    ply: f64,
    recipe: &'a Recipe,
}

pub fn run(command: &Command) -> Result<Verdict> {
    with_game!(command.game.game, G => run_game::<G>(command))
}

fn run_game<G: Furnished>(command: &Command) -> Result<Verdict> {
    let vocabulary = G::VOCABULARY;
    let suite = load_suite::<G>(command.suite.as_ref())?;
    let evaluation = command.evaluation.name::<G>()?;
    let recipe = command.recipe();
    let settings = recipe.settings(&vocabulary)?;
    let setup = command.setup.setup(ExtensionTable::default(), command.seed)?;
    let searches = SearchConfig {
        game: G::NAME,
        suite: &suite.digest,
        evaluation,
        nodes: command.nodes,
        seed: command.seed,
        full: FullSettings::of(&setup),
    };
    let header = searches.header::<G>(setup.profile);
    let run = RunConfig { ply: f64::from(command.ply.as_hundredths()) / 100.0, recipe: &recipe };
    let (folder, journal) = command.folder.open_sharing(G::NAME, &header, &run, &[FEATURES, EXTENSIONS, PAGE])?;
    let resumed = !journal.is_empty();
    let mut runner = Runner::with_journal(command.threads.count(), journal).stopped_by(&stop_on_ctrl_c());

    let start = Instant::now();
    let progress = Progress::new(0);
    progress.note(&format!(
        "learning on {} positions of {}, {} nodes each, seed {}; kept in {}",
        suite.problems.len(),
        suite.name,
        thousands(command.nodes),
        command.seed,
        folder.display()
    ));
    if !settings.blacklist.is_empty() {
        let names: Vec<_> = settings.blacklist.iter().map(|&feature| vocabulary.format(feature)).collect();
        progress.note(&format!("not tried: {}, nor what contains them (--blacklist)", names.join(", ")));
    }
    let conditions = Conditions { ply: command.ply, nodes: command.nodes, setup };
    let mut fitness = SuiteFitness::new(&suite, evaluation, conditions, &mut runner, |_| progress.step());
    let mut narrator =
        Narrator { vocabulary, progress: &progress, positions: suite.problems.len(), settings: &settings, number: 0 };
    let outcome = recipe.learn(&vocabulary, &settings, &mut fitness, |event| narrator.tell(event));
    progress.finish();
    if let Err(RunError::Stopped) = outcome {
        tell(&format!("stopped; kept in {}; the same command goes on", folder.display()));
        return Ok(Verdict::Interrupted);
    }
    let outcome = outcome?;

    let origin = format!(
        "learned by {} from {}, seed {}, {} nodes a position{}; halfply {}",
        recipe.method,
        suite.name,
        command.seed,
        command.nodes,
        command.setup.options(),
        header.version
    );
    write_file(&folder.join(FEATURES), &report::features_csv(&outcome, &suite)?)?;
    let extensions = folder.join(EXTENSIONS);
    write_file(&extensions, &report::extensions_toml::<G>(&outcome, command.ply, &origin))?;
    let positions: Vec<String> = suite.problems.iter().map(|problem| problem.id.clone()).collect();
    let page = Page {
        title: &format!("{}: {} on {}", G::NAME, recipe.method, suite.name),
        settings: &shown(&searches, &run, header.signature)?,
        command: &command_line(),
        vocabulary: &vocabulary,
        options: &settings,
        outcome: &outcome,
        positions: &positions,
    };
    write_file(&folder.join(PAGE), &page.render())?;
    print_outcome(&vocabulary, &outcome, &suite.name)?;
    let [features, page] = [FEATURES, PAGE].map(|name| folder.join(name));
    print(format_args!(
        "to look at:    {}\nevery feature: {}\nthe best one:  {}",
        page.display(),
        features.display(),
        extensions.display()
    ))?;
    let seconds = start.elapsed().as_secs_f64();
    let done = match (runner.computed(), resumed) {
        (0, true) => "this run was complete already: all its searches are known; --fresh repeats them".to_owned(),
        (searches, true) => {
            format!("went on where it was stopped: {} searches in {seconds:.1} s", thousands(searches as u64))
        }
        (searches, false) => format!("{} searches in {seconds:.1} s", thousands(searches as u64)),
    };
    tell(&done);
    Ok(Verdict::Good)
}

impl Command {
    fn recipe(&self) -> Recipe {
        let blacklist = match &self.blacklist[..] {
            [] => None,
            [none] if none.is_empty() || none == "none" => Some(Vec::new()),
            names => Some(names.to_vec()),
        };
        Recipe {
            method: self.method,
            atoms: self.atoms.clone(),
            groups: self.groups.clone(),
            epsilon: self.epsilon,
            strictly_better: self.strictly_better,
            early_rejection: self.early_rejection,
            linear_tree_pruning: !self.no_linear_tree_pruning,
            threshold_pruning: !self.no_threshold_pruning,
            delta: self.delta,
            unsafe_to_prune: self.unsafe_to_prune.clone(),
            domain_knowledge: self.domain_knowledge,
            blacklist,
            max_evaluations: self.max_evaluations,
            max_atoms: self.max_atoms,
        }
    }
}

/// Settings by name, for the page.
fn shown(searches: &SearchConfig<'_>, run: &RunConfig<'_>, signature: u64) -> Result<Vec<(String, String)>> {
    let mut shown = Vec::new();
    for value in [serde_json::to_value(searches)?, serde_json::to_value(run.recipe)?, json!({ "ply": run.ply })] {
        for (name, value) in value.as_object().into_iter().flatten() {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            shown.push((name.replace('_', " "), text));
        }
    }
    shown.push(("version".to_owned(), env!("CARGO_PKG_VERSION").to_owned()));
    shown.push(("bench signature".to_owned(), signature.to_string()));
    Ok(shown)
}

/// The command that we were started by, as a shell reads it.
fn command_line() -> String {
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let words = shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "));
    format!("halfply {words}")
}

/// Tells a run as it goes: a line for each feature, and how much there is left.
pub struct Narrator<'a> {
    pub vocabulary: Vocabulary,
    pub progress: &'a Progress,
    pub positions: usize,
    pub settings: &'a Settings,
    /// Features judged so far.
    pub number: usize,
}

impl Narrator<'_> {
    pub fn tell(&mut self, event: Event<'_>) {
        match event {
            Event::Level { features, .. } => self.progress.add((features * self.positions) as u64),
            Event::Evaluating(feature) => self.progress.message(self.vocabulary.format(feature)),
            Event::Judged(judged) => {
                self.number += 1;
                self.progress.drop_steps(judged.evaluation.unsearched as u64);
                self.tell_of(&format!("{:>4}", self.number), judged);
            }
            Event::Dropped(judged) => self.tell_of("   -", judged),
            Event::Skipped(feature) => {
                self.progress.drop_steps(self.positions as u64);
                let name = self.vocabulary.format(feature);
                self.progress.note(&format!("   -  {name:<20}      skipped, banned before its turn"));
            }
        }
    }

    fn tell_of(&self, mark: &str, judged: &Judged) {
        let name = self.vocabulary.format(judged.feature);
        let verdict = report::verdict(&self.vocabulary, judged, self.settings);
        let bound = if judged.evaluation.is_bound() { '≤' } else { ' ' };
        self.progress.note(&format!("{mark}  {name:<20}{bound}{:>4}  {verdict}", judged.evaluation.value));
    }
}

fn print_outcome(vocabulary: &Vocabulary, outcome: &Outcome, suite: &str) -> Result<()> {
    let output = outcome.output();
    let header = ["feature", "like", "parent", "solved", "gain", "p", "frequency", "mean depth", "mean height"];
    let mut list = table(&header, 3);
    let solved: Vec<&[usize]> = output.iter().map(|judged| &judged.evaluation.solved[..]).collect();
    let leaders = kinds::leaders(&solved);
    for (place, judged) in output.iter().enumerate().take(SHOWN) {
        let summary = &judged.evaluation.summary;
        let (parent, gain, p) = outcome.compared_with(judged).map_or_else(Default::default, |(parent, differences)| {
            let gain = judged.evaluation.value - parent.evaluation.value;
            let parent = judged.parents.map_or_else(String::new, |_| vocabulary.format(parent.feature));
            (parent, format!("{gain:+}"), format!("{:.3}", differences.p_value()))
        });
        let leader = leaders[place];
        list.add_row([
            vocabulary.format(judged.feature),
            if leader == place { String::new() } else { vocabulary.format(output[leader].feature) },
            parent,
            judged.evaluation.value.to_string(),
            gain,
            p,
            percent(summary.frequency),
            format!("{:.2}", summary.mean_depth),
            format!("{:.2}", summary.mean_height),
        ]);
    }
    print(list)?;
    let positions = outcome.judged.first().map_or(0, |judged| judged.evaluation.summary.positions);
    let more = output.len().saturating_sub(SHOWN);
    let more = if more > 0 { format!(", {more} of them not shown") } else { String::new() };
    let capped = if outcome.capped { "; stopped by --max-evaluations" } else { "" };
    print(format_args!(
        "{} features evaluated on the {positions} positions of {suite}, {} in the output{more}{capped}",
        outcome.judged.len(),
        output.len()
    ))?;
    print(format_args!(
        "gain: on the parent, of atoms on Neutral; p: how likely so one-sided a difference is if neither is better (exact \
         McNemar test, and these are the best of many); like: {} % or more of what either solves is what both solve",
        100.0 * kinds::ALIKE
    ))?;
    match outcome.saved() {
        (0, _) => Ok(()),
        (unsearched, all) => print(format_args!(
            "early rejection left {} of {} searches undone: {}",
            thousands(unsearched as u64),
            thousands(all as u64),
            percent(unsearched as f64 / all.max(1) as f64)
        )),
    }
}
