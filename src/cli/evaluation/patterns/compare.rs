// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply evaluation patterns compare`: ways to choose patterns, on the same positions.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;

use super::rules::GenerateArgs;
use super::select::{CommonArgs, candidates, check_board, frame, game_of, positive};
use crate::cli::count::count;
use crate::cli::output::{WidthArg, command_line, print, tell};
use crate::cli::results::Results;
use crate::cli::{ThreadsArg, Verdict};
use halfply_engine::base::figures::thousands;
use halfply_engine::evaluation::patterns::stage::Stage;
use halfply_engine::evaluation::patterns::{StageWeights, Weights, file};
use halfply_engine::games::Furnished;
use halfply_engine::patterns::diagram::Edges;
use halfply_engine::patterns::generate::GenerateSettings;
use halfply_engine::patterns::{Frame, Pattern, Theory, View};
use halfply_engine::with_game;
use halfply_lab::report::data::csv;
use halfply_lab::report::{Cell, Column, Listing};
use halfply_lab::tune::patterns::arms::{
    Arm, Sample, Samples, WINDOW, arm, efficiency, has_constant, histogram, visited,
};
use halfply_lab::tune::patterns::candidates::{of_facts, of_rules, of_shapes};
use halfply_lab::tune::patterns::columns::Features;
use halfply_lab::tune::patterns::labelled::{self, Kind, Labelled};
use halfply_lab::tune::patterns::page::{Contents, Drawn, Frequencies, efficiency_listing, published_for, render};
use halfply_lab::tune::patterns::select::{LARGEST_SET, Order, Priority, SelectSettings, select};

/// The files of results.
const TABLE: &str = "arms.csv";
const PAGE: &str = "report.html";

/// Powers of two of the drawing of frequencies.
const BINS: usize = 20;

/// What speed is measured on: a tree of so many plies behind each test position.
const PLIES: u32 = 3;
/// So many positions are visited.
const VISITED: usize = 20_000;
/// Random sets of a size.
const SETS: u64 = 5;

/// Compare ways to choose patterns: forward selection, all patterns of rules, facts, fixed shapes
#[derive(Debug, Args)]
#[command(
    after_help = "The tables and figures are those of the paper (research/patterns.md). The folder gets a page, a table \
                        and each way's evaluation as a file."
)]
pub struct Compare {
    /// The domain theory, such as theories/othello.theory
    theory: PathBuf,
    /// The folder of positions that `data` has made
    data: PathBuf,
    /// A stage: as `data` had it; may be given several times
    #[arg(long = "pieces", value_name = "N[-N]", default_values = ["60", "55"])]
    stages: Vec<Stage>,
    /// Whose pieces facts speak of: players, as in the paper, or mover; may be given several times
    #[arg(long = "view", value_name = "VIEW", default_values = ["players", "mover"])]
    views: Vec<View>,
    /// Thresholds of forward selection, in points
    #[arg(long = "threshold", value_name = "X", value_parser = positive,
          default_values = ["0.01", "0.005", "0.0025", "0.00125", "0.0005", "0.000125"])]
    thresholds: Vec<f64>,
    /// Patterns that are selected together, images counted as one
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = count::<u32>(1..=LARGEST_SET as u64))]
    set: u32,
    #[command(flatten)]
    common: CommonArgs,
    /// Sizes of random sets of patterns whose diagrams are measured; 0 for none
    #[arg(long = "size", value_name = "N", default_values = ["1000", "5000", "20000", "50000"],
          value_parser = count::<u32>(0..=10_000_000))]
    sizes: Vec<u32>,
    #[command(flatten)]
    generate: GenerateArgs,
    /// Folder for the results
    #[arg(long, value_name = "DIR", default_value = "runs/patterns-compare")]
    out: PathBuf,
    #[command(flatten)]
    threads: ThreadsArg,
    #[command(flatten)]
    width: WidthArg,
}

/// What has come out so far.
#[derive(Default)]
struct Found {
    /// Stage, view, and what came of it.
    arms: Vec<(Stage, View, Arm)>,
    drawn: Vec<Drawn>,
    files: Vec<(String, String)>,
}

pub fn run(command: &Compare) -> Result<Verdict> {
    let first = command.data.join(format!("{}.training", command.stages[0]));
    with_game!(game_of(&first)?, G => run_game::<G>(command))
}

fn run_game<G: Furnished>(command: &Compare) -> Result<Verdict> {
    let theory = Theory::load(&command.theory)?;
    check_board::<G>(&theory, &command.theory)?;
    let results = Results::find(&command.out, "evaluation patterns compare", &[TABLE, PAGE])?;
    results.claim()?;
    let mut thresholds = command.thresholds.clone();
    thresholds.sort_by(|left, right| right.total_cmp(left));
    let files = |stage: &Stage| ["training", "test"].map(|kind| command.data.join(format!("{stage}.{kind}")));
    let files: Vec<PathBuf> = command.stages.iter().flat_map(files).collect();
    let positions = labelled::load_all::<G>(&files)?;
    // There is at least one stage, and all files are of one kind.
    let kind = positions[0].kind;
    let mut found = Found::default();
    for &view in &command.views {
        let frame = frame(&theory, view)?;
        let rules = candidates(&theory, &frame, &command.generate);
        let simple = GenerateSettings { steps: 0, ..command.generate.settings() };
        let basic = of_rules(&theory, &frame, &simple, &mut |_| ());
        tell(&format!("view {view}: {} classes of patterns of rules", thousands(rules.len() as u64)));
        for (&stage, positions) in command.stages.iter().zip(positions.chunks(2)) {
            let sample = |labelled: &Labelled<G::Position>| sample::<G>(&frame, stage, labelled);
            let roots: Vec<G::Position> =
                positions[1].positions.iter().map(|labelled| labelled.position.clone()).collect();
            let samples = Samples {
                stage,
                training: sample(&positions[0])?,
                test: sample(&positions[1])?,
                visited: visited::<G>(&frame, &roots, PLIES, VISITED),
            };
            let ways = Ways { command, frame: &frame, samples: &samples, rules: &rules, basic: &basic };
            ways.measure::<G>(&theory, &thresholds, &mut found);
        }
    }
    let efficiency = measure_diagrams::<G>(command, &theory)?;
    let listing = listing(&found.arms, kind);
    let contents = Contents {
        game: G::NAME,
        errors: error_text(kind),
        arms: &listing,
        drawn: &found.drawn,
        efficiency: &efficiency,
        command: &command_line(),
    };
    let page = render(&contents);
    let mut files: Vec<(&str, String)> = vec![(TABLE, csv(&listing)?), (PAGE, page)];
    files.extend(found.files.iter().map(|(name, text)| (name.as_str(), text.clone())));
    results.publish(&files)?;
    print(command.width.fit(&listing))?;
    for note in &listing.notes {
        print(note)?;
    }
    if !efficiency.is_empty() {
        print(command.width.fit(&efficiency_listing(&efficiency)))?;
    }
    print(format_args!("to look at: {}", command.out.join(PAGE).display()))?;
    Ok(Verdict::Good)
}

/// Positions of a file, which must be of the stage.
fn sample<G: Furnished>(frame: &Frame, stage: Stage, labelled: &Labelled<G::Position>) -> Result<Sample> {
    let Labelled { name, stage: found, .. } = labelled;
    ensure!(*found == stage, "{name}: its positions have {found} pieces, not {stage}; name that with --pieces");
    Ok(Sample::new::<G>(frame, labelled))
}

/// What errors are.
const fn error_text(kind: Kind) -> &'static str {
    match kind {
        Kind::Score => "root mean squares in points",
        Kind::Probability => "log losses of the probability of winning",
    }
}

/// All ways for one stage and view.
struct Ways<'a> {
    command: &'a Compare,
    frame: &'a Frame,
    samples: &'a Samples,
    rules: &'a [Pattern],
    basic: &'a [Pattern],
}

impl Ways<'_> {
    fn measure<G: Furnished>(&self, theory: &Theory, thresholds: &[f64], found: &mut Found) {
        let Self { command, frame, samples, rules, basic } = *self;
        let CommonArgs { least, facts } = command.common;
        let training = &samples.training;
        let everything = [0.0, 1.0];
        let of = |patterns: &[Pattern], window| Features::new(frame, &training.columns, patterns, window);
        let features = of(rules, WINDOW);
        let settings = SelectSettings {
            thresholds,
            set: command.set as usize,
            priority: Priority::default(),
            order: Order::default(),
            intercept: has_constant(frame),
            threads: command.threads.count(),
        };
        let selections = select(&features, &training.targets.linear(), &settings, &mut |_| ());
        let (mut errors, mut speeds) = (Vec::new(), Vec::new());
        for selection in &selections {
            let places: Vec<usize> = selection.picked.iter().map(|picked| picked.class).collect();
            let threshold = selection.threshold;
            let arm = self.add::<G>("selected", Some(threshold), &features.of(&places), found);
            errors.push((threshold, [arm.training, arm.test]));
            speeds.push((arm.figures.patterns, arm.speed));
        }
        self.add::<G>("all in the window", None, &features, found);
        drop(features);
        self.add::<G>("all of rules", None, &of(rules, everything), found);
        self.add::<G>("basic", None, &of(basic, everything), found);
        let board = theory.board;
        let pairs = of_facts(board, frame, &training.columns, facts, least.into());
        self.add::<G>("facts (GLEM)", None, &of(&pairs, everything), found);
        let shapes = of_shapes(board, frame, &training.facts, least.into());
        self.add::<G>("shapes (Buro)", None, &of(&shapes, everything), found);
        let frequencies = |name, patterns: &[Pattern]| Frequencies {
            name,
            counts: histogram(frame, &training.columns, patterns, BINS),
        };
        found.drawn.push(Drawn {
            stage: samples.stage,
            view: frame.view(),
            frequencies: vec![frequencies("patterns of rules", rules), frequencies("fixed shapes", &shapes)],
            picked: selections.into_iter().next_back().map(|selection| selection.picked).unwrap_or_default(),
            errors,
            speeds,
        });
    }

    /// Weighs patterns, measures and keeps them.
    fn add<G: Furnished>(&self, name: &str, threshold: Option<f64>, features: &Features, found: &mut Found) -> Arm {
        let (stage, view) = (self.samples.stage, self.frame.view());
        let (arm, weights) = arm(self.frame, self.samples, name, threshold, features);
        let what = threshold.map_or_else(|| name.to_owned(), |threshold| format!("{name} at {threshold}"));
        tell(&format!(
            "{stage} pieces, {view}: {what}: {} patterns, error {:.3} in training, {:.3} in the test",
            thousands(arm.figures.patterns),
            arm.training,
            arm.test
        ));
        found.files.push(self.file::<G>(&what, weights));
        found.arms.push((stage, view, arm.clone()));
        arm
    }

    /// The evaluation as a file: its name and its text.
    fn file<G: Furnished>(&self, what: &str, weights: StageWeights) -> (String, String) {
        let letters = |symbol: char| symbol.is_ascii_alphanumeric() || symbol == '.';
        let name: String = what.chars().map(|symbol| if letters(symbol) { symbol } else { '-' }).collect();
        let name = name.trim_end_matches('-').replace("--", "-");
        let name = format!("{}-{}-{name}.patterns", self.samples.stage, self.frame.view()).to_lowercase();
        let weights = Weights { frame: self.frame.clone(), stages: vec![weights] };
        (name, file::text::<G>(&weights, &command_line()))
    }
}

/// Diagrams of random patterns of rules, without and with cubes.
fn measure_diagrams<G: Furnished>(
    command: &Compare,
    theory: &Theory,
) -> Result<Vec<[halfply_lab::tune::patterns::arms::Efficiency; 2]>> {
    let sizes: Vec<usize> = command.sizes.iter().filter(|&&size| size > 0).map(|&size| size as usize).collect();
    if sizes.is_empty() {
        return Ok(Vec::new());
    }
    let frame = frame(theory, command.views[0])?;
    let mut all: Vec<Pattern> = candidates(theory, &frame, &command.generate)
        .into_iter()
        .flat_map(|pattern| frame.images(pattern).unwrap_or_default())
        .map(|(image, _)| image)
        .collect();
    all.sort_unstable();
    let roots = labelled::load::<G>(&command.data.join(format!("{}.test", command.stages[0])))?;
    let roots: Vec<G::Position> = roots.positions.into_iter().map(|position| position.position).collect();
    let visited = visited::<G>(&frame, &roots, PLIES, VISITED);
    let kinds = [Edges::Needed, Edges::Cubes];
    let measured = sizes.into_iter().filter(|&size| size <= all.len()).map(|size| {
        tell(&format!("diagrams of {} random patterns", thousands(size as u64)));
        efficiency(&all, &visited, size, SETS, kinds)
    });
    Ok(measured.collect())
}

/// Tables 2 to 4, beside the paper's figures.
fn listing(arms: &[(Stage, View, Arm)], kind: Kind) -> Listing {
    let decimals = match kind {
        Kind::Score => 2,
        Kind::Probability => 4,
    };
    let mut listing = Listing::new([
        Column::figures("pieces"),
        Column::words("view"),
        Column::words("way"),
        Column::figures("threshold"),
        Column::figures("patterns"),
        Column::figures("length").rank(1),
        Column::figures("match"),
        Column::figures("training").rank(3),
        Column::figures("error"),
        Column::figures("positions/s").rank(5),
        Column::words("paper").rank(1),
        Column::figures("its patterns").rank(4),
        Column::figures("its error").rank(2),
    ]);
    for (stage, view, arm) in arms {
        let paper = arm.threshold.and_then(|threshold| published_for(*stage, threshold));
        listing.push([
            Cell::text(stage.to_string()),
            Cell::text(view.name()),
            Cell::text(arm.name.as_str()),
            arm.threshold.map(|threshold| Cell::text(threshold.to_string())).into(),
            Cell::count(arm.figures.patterns),
            Cell::decimal(arm.figures.length, 2),
            Cell::decimal(arm.figures.matches, 1),
            Cell::decimal(arm.training, decimals),
            Cell::decimal(arm.test, decimals),
            Cell::count(arm.speed as u64),
            paper.map(|row| Cell::text(format!("({})", row.letter))).into(),
            paper.map(|row| Cell::count(row.patterns)).into(),
            paper.and_then(|row| row.error).map(|error| Cell::decimal(error, 2)).into(),
        ]);
    }
    let errors = error_text(kind);
    listing.notes.push(format!(
        "training, error: {errors}, in training and in the test; paper: the row of its Tables 2 and 3 with this threshold"
    ));
    listing
}
