// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply evaluation patterns select`, `fit` and `measure`: evaluations made of patterns, step by step.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, ValueEnum};

use super::rules::GenerateArgs;
use crate::cli::count::count;
use crate::cli::output::{WidthArg, print, tell};
use crate::cli::own_file::OutFile;
use crate::cli::progress::Progress;
use crate::cli::{ThreadsArg, Verdict};
use halfply_engine::base::data_file;
use halfply_engine::base::figures::thousands;
use halfply_engine::base::files::shown;
use halfply_engine::evaluation::patterns::{StageWeights, Weights, file};
use halfply_engine::games::{GameName, RegisteredGame};
use halfply_engine::patterns::symmetry::Symmetry;
use halfply_engine::patterns::{Frame, Pattern, Theory, View};
use halfply_engine::with_game;
use halfply_lab::report::{Cell, Column, Listing};
use halfply_lab::tune::patterns::candidates::{of_facts, of_rules, of_shapes};
use halfply_lab::tune::patterns::columns::Features;
use halfply_lab::tune::patterns::labelled::{self, Kind, Labelled};
use halfply_lab::tune::patterns::sample::{Sample, WINDOW, has_constant};
use halfply_lab::tune::patterns::select::{LARGEST_SET, Order, Priority, SelectSettings};
use halfply_lab::tune::patterns::{self, weights};

/// Select patterns of a theory that say something about the value of positions
#[derive(Debug, Args)]
#[command(after_help = "The file is an evaluation already, with the weights that selection has found. `fit` finds \
                        better ones for the same patterns.")]
pub struct Select {
    /// The domain theory, such as theories/othello.theory
    theory: PathBuf,
    /// Positions with values, a file for each stage, in the order of their pieces
    #[arg(required = true)]
    training: Vec<PathBuf>,
    /// The least priority of a pattern that is selected, in points: its covariance with what the others leave unexplained
    #[arg(long, value_name = "X", default_value_t = 0.005, value_parser = positive)]
    threshold: f64,
    /// Keep all patterns of these frequencies; they get their weights by `fit`
    #[arg(long, conflicts_with = "threshold")]
    all: bool,
    /// What patterns are selected from
    #[arg(long, value_name = "SOURCE", value_enum, default_value_t)]
    from: Source,
    #[command(flatten)]
    how: HowArgs,
    #[command(flatten)]
    generate: GenerateArgs,
    #[command(flatten)]
    common: CommonArgs,
    /// Where to write the patterns [default: stdout]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadsArg,
}

/// What patterns are selected from.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Source {
    /// The features of the theory
    #[default]
    Rules,
    /// Conjunctions of facts that are common in the positions (GLEM)
    Facts,
    /// What is common on rows, columns, diagonals and corners of the positions (Buro)
    Shapes,
}

/// What is common enough to be a pattern without rules.
#[derive(Clone, Copy, Debug, Args)]
pub struct CommonArgs {
    /// Conjunctions of facts and configurations of shapes match at least so many training positions
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = count::<u32>(1..))]
    pub least: u32,
    /// The most facts of a conjunction
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = count::<u32>(1..=8))]
    pub facts: u32,
}

/// How patterns are selected.
#[derive(Clone, Debug, Args)]
pub struct HowArgs {
    /// Whose pieces facts name: those of the two players, as in the paper, or those of the mover and its opponent
    #[arg(long, value_name = "VIEW", default_value = "mover")]
    pub view: View,
    /// The lowest frequency of a pattern, as a share of all positions
    #[arg(long, value_name = "X", default_value_t = WINDOW[0], value_parser = share)]
    pub rare: f64,
    /// The highest frequency of a pattern
    #[arg(long, value_name = "X", default_value_t = WINDOW[1], value_parser = share)]
    pub frequent: f64,
    /// Patterns that are selected together, images counted as one
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = count::<u32>(1..=LARGEST_SET as u64))]
    pub set: u32,
    /// Which patterns are selected together first
    #[arg(long, value_name = "ORDER", value_enum, default_value_t)]
    pub order: Order,
    /// What decides which pattern of a set is selected next
    #[arg(long, value_name = "FUNCTION", value_enum, default_value_t)]
    pub priority: Priority,
}

/// Fit the weights of patterns by least mean squares, or to probabilities by logistic regression
#[derive(Debug, Args)]
pub struct Fit {
    /// The patterns
    patterns: PathBuf,
    /// Positions with values, a file for each stage of the patterns
    #[arg(required = true)]
    training: Vec<PathBuf>,
    /// Where to write the evaluation [default: stdout]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Measure the error of an evaluation of patterns
#[derive(Debug, Args)]
pub struct Measure {
    /// The patterns with their weights
    patterns: PathBuf,
    /// Positions with values, of the stages of the patterns
    #[arg(required = true)]
    test: Vec<PathBuf>,
    #[command(flatten)]
    width: WidthArg,
}

/// A number greater than 0.
fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if number > 0.0 && f64::is_finite(number) => Ok(number),
        _ => Err("a number greater than 0".to_owned()),
    }
}

/// A share, from 0 to 1.
pub fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (0.0..=1.0).contains(&number) => Ok(number),
        _ => Err("a number from 0 to 1".to_owned()),
    }
}

/// The game of a file of positions with values, as its line `game` has it.
fn game_of(path: &Path) -> Result<GameName> {
    let text = data_file::read(path, "positions with values, which `halfply evaluation patterns data` makes")?;
    for (index, line) in text.lines().enumerate() {
        if let Some(name) = line.trim().strip_prefix("game ") {
            let (line, path) = (index + 1, path.display());
            return GameName::from_str(name.trim(), false)
                .map_err(|_| anyhow::anyhow!("{path}:{line}: {name:?} is not a game: `halfply --help` lists them"));
        }
    }
    bail!("{}:1: a line \"game …\" is missing; name positions with values", path.display())
}

/// The comment of what these commands write begins with one of these.
const MARKS: &[&str] = &["halfply evaluation patterns select ", "halfply evaluation patterns fit "];

/// The frame of a theory.
fn frame(theory: &Theory, view: View) -> Result<Frame> {
    let frame = Frame::new(view, &Symmetry::all(theory));
    frame.context("--view mover needs a symmetry that exchanges the players, and the theory has none; use players")
}

/// The patterns of a theory, with a bar.
fn candidates(theory: &Theory, frame: &Frame, generate: &GenerateArgs) -> Vec<Pattern> {
    let progress = Progress::new(generate.features());
    let patterns = of_rules(theory, frame, &generate.settings(), &mut |so_far| {
        progress.step();
        progress.message(format!("{} patterns", thousands(so_far.patterns.len() as u64)));
    });
    progress.finish();
    patterns
}

pub fn select(command: &Select) -> Result<Verdict> {
    with_game!(game_of(&command.training[0])?, G => select_for::<G>(command))
}

fn select_for<G: RegisteredGame>(command: &Select) -> Result<Verdict> {
    let theory = Theory::load(&command.theory)?;
    check_board::<G>(&theory, &command.theory)?;
    let frame = frame(&theory, command.how.view)?;
    let out = OutFile::begin(command.out.as_deref(), MARKS, &[])?;
    let training: Vec<Labelled<G::Position>> = labelled::load_all::<G>(&command.training)?;
    for pair in training.windows(2) {
        ensure!(
            pair[0].stage.most < pair[1].stage.least,
            "{} and {}: name stages in the order of their pieces, without a piece in common",
            pair[0].name,
            pair[1].name
        );
    }
    let rules = match command.from {
        Source::Rules => candidates(&theory, &frame, &command.generate),
        Source::Facts | Source::Shapes => Vec::new(),
    };
    let (how, CommonArgs { least, facts }) = (&command.how, command.common);
    let mut stages = Vec::new();
    for labelled in &training {
        let sample = Sample::new::<G>(&frame, labelled);
        let common = match command.from {
            Source::Rules => Vec::new(),
            Source::Facts => of_facts(theory.board, &frame, &sample.columns, facts, least.into()),
            Source::Shapes => of_shapes(theory.board, &frame, &sample.facts, least.into()),
        };
        let patterns = [&rules[..], &common[..]].concat();
        let features = Features::new(&frame, &sample.columns, &patterns, [how.rare, how.frequent]);
        if command.all {
            tell(&format!(
                "{} pieces: {} classes of patterns",
                labelled.stage,
                thousands(features.classes.len() as u64)
            ));
            let patterns = features.classes.iter().map(|class| (class.pattern, 0.0)).collect();
            stages.push(StageWeights { stage: labelled.stage, constant: 0.0, patterns });
            continue;
        }
        let settings = SelectSettings {
            threshold: command.threshold,
            set: how.set as usize,
            priority: how.priority,
            order: how.order,
            intercept: has_constant(&frame),
            threads: command.threads.count(),
        };
        let selection = patterns::select::select(&features, &sample.targets.linear(), &settings, &mut |_| ());
        let last = selection.picked.last().map_or(0.0, |picked| picked.error);
        tell(&format!(
            "{} pieces: {} of {} classes of patterns selected, error {last:.3}",
            labelled.stage,
            thousands(selection.picked.len() as u64),
            thousands(features.classes.len() as u64)
        ));
        let weighted = selection.picked.iter().map(|picked| (features.classes[picked.class].pattern, picked.weight));
        stages.push(StageWeights { stage: labelled.stage, constant: selection.constant, patterns: weighted.collect() });
    }
    let weights = Weights { frame, stages };
    let source = match command.from {
        Source::Rules => command.generate.text(),
        Source::Facts => format!("--from facts --least {least} --facts {facts}"),
        Source::Shapes => format!("--from shapes --least {least}"),
    };
    let selection = if command.all {
        "--all".to_owned()
    } else {
        let (order, priority) = (named(how.order), named(how.priority));
        format!("--threshold {} --set {} --order {order} --priority {priority}", command.threshold, how.set)
    };
    let comment = format!(
        "halfply evaluation patterns select {} {} {selection} --view {} --rare {} --frequent {} {source}",
        shown(&command.theory),
        names(&command.training),
        how.view,
        how.rare,
        how.frequent,
    );
    write::<G>(out, &weights, &comment)
}

/// The board of a theory must be that of the game.
fn check_board<G: RegisteredGame>(theory: &Theory, path: &Path) -> Result<()> {
    let (columns, rows) = (theory.board.columns, theory.board.rows);
    ensure!(
        u32::from(columns) == G::SIZE && u32::from(rows) == G::SIZE,
        "{}: its board has {columns}x{rows} squares, that of {} {size}x{size}; change its line \":- board(…)\"",
        path.display(),
        G::NAME,
        size = G::SIZE
    );
    Ok(())
}

/// A value as the command line has it.
fn named(value: impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

fn names(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| shown(path)).collect::<Vec<_>>().join(" ")
}

fn write<G: RegisteredGame>(out: OutFile, weights: &Weights, comment: &str) -> Result<Verdict> {
    let text = file::text::<G>(weights, comment);
    let classes: usize = weights.stages.iter().map(|stage| stage.patterns.len()).sum();
    let what = format!(
        "{} patterns in {} classes, {} stages",
        thousands(weights.count() as u64),
        thousands(classes as u64),
        weights.stages.len()
    );
    out.finish(text.trim_end(), &what)?;
    Ok(Verdict::Good)
}

/// The stage of the patterns that positions are of.
fn stage_of<'a, P>(weights: &'a Weights, patterns: &Path, labelled: &Labelled<P>) -> Result<&'a StageWeights> {
    let has = || weights.stages.iter().map(|stage| stage.stage.to_string()).collect::<Vec<_>>().join(", ");
    weights.stages.iter().find(|stage| stage.stage == labelled.stage).with_context(|| {
        format!(
            "{}: these positions have {} pieces, and {} is of {}; name positions of that",
            labelled.name,
            labelled.stage,
            patterns.display(),
            has()
        )
    })
}

pub fn fit(command: &Fit) -> Result<Verdict> {
    with_game!(game_of(&command.training[0])?, G => fit_for::<G>(command))
}

fn fit_for<G: RegisteredGame>(command: &Fit) -> Result<Verdict> {
    let mut weights = file::load::<G>(&command.patterns)?;
    let out = OutFile::begin(command.out.as_deref(), MARKS, &[&command.patterns])?;
    let mut fitted = Vec::new();
    for labelled in labelled::load_all::<G>(&command.training)? {
        let stage = stage_of(&weights, &command.patterns, &labelled)?;
        let sample = Sample::new::<G>(&weights.frame, &labelled);
        let patterns: Vec<Pattern> = stage.patterns.iter().map(|&(pattern, _)| pattern).collect();
        let features = Features::new(&weights.frame, &sample.columns, &patterns, [0.0, 1.0]);
        let found = weights::fit(&features, &sample.targets, has_constant(&weights.frame));
        let (stage, what) = (labelled.stage, error_name(labelled.kind));
        tell(&format!("{stage} pieces: {what} {:.3} in training, after {} steps", found.error, found.steps));
        let patterns = features.classes.iter().map(|class| class.pattern).zip(found.weights).collect();
        fitted.push(StageWeights { stage: labelled.stage, constant: found.constant, patterns });
    }
    for stage in &mut weights.stages {
        let found = fitted.iter().find(|found| found.stage == stage.stage).with_context(|| {
            format!(
                "{}: has patterns of {} pieces; name positions of that too",
                command.patterns.display(),
                stage.stage
            )
        })?;
        stage.clone_from(found);
    }
    let comment = format!("halfply evaluation patterns fit {} {}", shown(&command.patterns), names(&command.training));
    write::<G>(out, &weights, &comment)
}

pub fn measure(command: &Measure) -> Result<Verdict> {
    with_game!(game_of(&command.test[0])?, G => measure_for::<G>(command))
}

fn measure_for<G: RegisteredGame>(command: &Measure) -> Result<Verdict> {
    let weights = file::load::<G>(&command.patterns)?;
    let test = labelled::load_all::<G>(&command.test)?;
    // There is at least one file, and all are of one kind.
    let kind = test[0].kind;
    let errors: &[&str] = match kind {
        Kind::Score => &["error"],
        Kind::Probability => &["log loss", "least", "error"],
    };
    let columns = ["pieces", "positions", "patterns", "length", "match"];
    let mut listing = Listing::new(columns.iter().chain(errors).copied().map(Column::figures));
    for labelled in &test {
        let stage = stage_of(&weights, &command.patterns, labelled)?;
        let sample = Sample::new::<G>(&weights.frame, labelled);
        let patterns: Vec<Pattern> = stage.patterns.iter().map(|&(pattern, _)| pattern).collect();
        let figures = Features::new(&weights.frame, &sample.columns, &patterns, [0.0, 1.0]).figures();
        let errors = sample.errors(&weights.frame, stage);
        let mut row = vec![
            Cell::text(labelled.stage.to_string()),
            Cell::count(labelled.positions.len() as u64),
            Cell::count(figures.patterns),
            Cell::decimal(figures.length, 2),
            Cell::decimal(figures.matches, 1),
        ];
        match errors.log_loss {
            None => row.push(Cell::decimal(errors.root_mean_square, 2)),
            Some([found, least]) => {
                row.extend([found, least, errors.root_mean_square].map(|figure| Cell::decimal(figure, 4)));
            }
        }
        listing.push(row);
    }
    listing.notes.push("length: facts of a pattern; match: patterns that match a position; both on average".to_owned());
    listing.notes.push(match kind {
        Kind::Score => "error: root mean square, in points".to_owned(),
        Kind::Probability => {
            "log loss: of the probability of winning; least: what no evaluation could be below, because \
                              values are uncertain; error: root mean square of the probability"
                .to_owned()
        }
    });
    print(command.width.fit(&listing))?;
    for note in &listing.notes {
        print(note)?;
    }
    Ok(Verdict::Good)
}

/// What fitting makes small.
const fn error_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Score => "error",
        Kind::Probability => "log loss",
    }
}
