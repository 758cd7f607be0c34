// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply evaluation patterns theory`, `unfold` and `generate`: patterns from the rules of a game.

use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};
use clap::Args;

use crate::cli::Verdict;
use crate::cli::count::count;
use crate::cli::output::{WidthArg, print, print_json, tell};
use crate::cli::progress::Progress;
use halfply_engine::base::figures::thousands;
use halfply_engine::patterns::generate::{Counts, Fate, GenerateSettings, Generated, generate};
use halfply_engine::patterns::symmetry::{Symmetry, representative};
use halfply_engine::patterns::unfold::{Limits, unfold};
use halfply_engine::patterns::{Pattern, Theory};
use halfply_lab::report::{Cell, Column, Listing, data, terminal};

/// Check a domain theory, and list its predicates and symmetries
#[derive(Debug, Args)]
pub struct TheoryCommand {
    /// The domain theory, such as theories/othello.theory
    theory: PathBuf,
    #[command(flatten)]
    output: OutputArgs,
}

/// Unfold a feature to its patterns
#[derive(Debug, Args)]
pub struct Unfold {
    /// The domain theory, such as theories/othello.theory
    theory: PathBuf,
    /// The feature: atoms joined by commas, such as "legal_move(S, x)"
    feature: String,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    draw: DrawArg,
    #[command(flatten)]
    output: OutputArgs,
}

/// Derive features by transformations, unfold them, and count their patterns
#[derive(Debug, Args)]
pub struct Generate {
    /// The domain theory, such as theories/othello.theory
    theory: PathBuf,
    #[command(flatten)]
    generate: GenerateArgs,
    #[command(flatten)]
    draw: DrawArg,
    #[command(flatten)]
    output: OutputArgs,
}

/// Which patterns are generated.
#[derive(Clone, Copy, Debug, Args)]
pub struct GenerateArgs {
    /// Transformations one after another
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = count::<u32>(0..=100))]
    steps: u32,
    /// The most features to try
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = count::<u32>(1..=10_000_000))]
    features: u32,
    /// The most facts of a pattern; longer ones are left out
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = count::<u32>(1..=64))]
    longest: u32,
    #[command(flatten)]
    limits: LimitArgs,
}

impl GenerateArgs {
    /// The same, for the generator.
    pub fn settings(&self) -> GenerateSettings {
        GenerateSettings {
            steps: self.steps,
            features: self.features as usize,
            limits: Limits::of_patterns(self.limits.most as usize),
            longest: self.longest,
        }
    }

    /// The most features that are tried.
    pub fn features(&self) -> u64 {
        self.features.into()
    }

    /// The same as options.
    pub fn text(&self) -> String {
        let Self { steps, features, longest, limits: LimitArgs { most } } = self;
        format!("--steps {steps} --features {features} --longest {longest} --most {most}")
    }
}

#[derive(Clone, Copy, Debug, Args)]
struct LimitArgs {
    /// The most patterns of one feature; a feature with more is reported and left out
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = count::<u32>(1..=100_000_000))]
    most: u32,
}

#[derive(Clone, Copy, Debug, Args)]
struct DrawArg {
    /// Draw this many of the patterns as boards
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = count::<u32>(0..=1000))]
    draw: u32,
}

#[derive(Clone, Copy, Debug, Args)]
struct OutputArgs {
    /// Print one JSON object instead of tables
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    width: WidthArg,
}

pub fn theory(command: &TheoryCommand) -> Result<Verdict> {
    let theory = Theory::load(&command.theory)?;
    let mut listing = Listing::new([
        Column::words("predicate"),
        Column::figures("facts"),
        Column::figures("rules"),
        Column::words("depends on the position"),
    ]);
    for predicate in &theory.predicates {
        listing.push([
            Cell::text(format!("{}/{}", predicate.name, predicate.arity)),
            Cell::count(predicate.facts.len() as u64),
            Cell::count(predicate.rules.len() as u64),
            Cell::text(if predicate.is_static { "no" } else { "yes" }),
        ]);
    }
    let symmetries = Symmetry::all(&theory).len();
    if command.output.json {
        print_json(&serde_json::json!({ "predicates": data::json(&listing), "symmetries": symmetries }))?;
        return Ok(Verdict::Good);
    }
    print(command.output.width.fit(&listing))?;
    let (columns, rows) = (theory.board.columns, theory.board.rows);
    print(format_args!("a board of {columns}x{rows}; {symmetries} symmetries, players exchanged or not"))?;
    Ok(Verdict::Good)
}

pub fn unfold_one(command: &Unfold) -> Result<Verdict> {
    let theory = Theory::load(&command.theory)?;
    let what = || format!("feature {:?}", command.feature);
    let feature = theory.feature(&command.feature).map_err(|reason| anyhow!(reason)).with_context(what)?;
    let limits = Limits::of_patterns(command.limits.most as usize);
    let unfolded = unfold(&theory, &feature, limits).with_context(what)?;
    let symmetries = Symmetry::all(&theory);
    let images = |&pattern: &Pattern| representative(&symmetries, pattern);
    let representatives: std::collections::HashSet<_> = unfolded.patterns.iter().map(images).collect();
    let listing = stages(&[
        ("conjunctions of facts", unfolded.solutions),
        ("patterns: equal ones merged", unfolded.patterns.len() as u64),
        ("symmetric images merged", representatives.len() as u64),
    ]);
    if command.output.json {
        print_json(&serde_json::json!({ "feature": theory.text(&feature), "counts": data::json(&listing) }))?;
        return Ok(Verdict::Good);
    }
    print(theory.text(&feature))?;
    print(terminal::markdown(&listing))?;
    draw(&theory, &unfolded.patterns.into_iter().collect::<Vec<_>>(), command.draw)?;
    Ok(Verdict::Good)
}

pub fn generate_all(command: &Generate) -> Result<Verdict> {
    let theory = Theory::load(&command.theory)?;
    let settings = command.generate.settings();
    let progress = Progress::new(command.generate.features());
    let generated = generate(&theory, &settings, &mut |so_far| {
        progress.step();
        progress.message(format!("{} patterns", thousands(so_far.patterns.len() as u64)));
    });
    progress.finish();
    let counts = generated.counts(&Symmetry::all(&theory));
    let (features, counted) = (features(&theory, &generated), listing_of(&counts));
    if command.output.json {
        print_json(&serde_json::json!({ "features": data::json(&features), "counts": data::json(&counted) }))?;
    } else {
        print(command.output.width.fit(&features))?;
        print(terminal::markdown(&counted))?;
        let mut patterns: Vec<_> = generated.patterns.iter().copied().collect();
        patterns.sort_unstable_by_key(|pattern| (pattern.length(), *pattern));
        draw(&theory, &patterns, command.draw)?;
    }
    if generated.is_cut {
        tell(&format!("there are more features than {}; --features allows more", counts.features));
    }
    Ok(Verdict::Good)
}

/// All features that have patterns of their own, or were too large.
fn features(theory: &Theory, generated: &Generated) -> Listing {
    let mut listing = Listing::new([
        Column::figures("feature"),
        Column::figures("steps").rank(2),
        Column::words("made by").rank(1),
        Column::figures("of").rank(1),
        Column::figures("conjunctions").rank(3),
        Column::figures("patterns"),
        Column::figures("new"),
        Column::prose("atoms"),
    ]);
    for (place, feature) in generated.features.iter().enumerate() {
        let figures = match feature.fate {
            Fate::Kept { solutions, patterns, new } => {
                [Cell::count(solutions), Cell::count(patterns as u64), Cell::count(new as u64)]
            }
            Fate::TooLarge(_) => [Cell::blank(), Cell::blank().shown("too large"), Cell::blank()],
            Fate::Repeats(_) | Fate::Empty => continue,
        };
        let mut cells = vec![
            Cell::count(place as u64 + 1),
            Cell::count(feature.steps.into()),
            feature.origin.map(|(transformation, _)| transformation.name()).into(),
            feature.origin.map(|(_, parent)| Cell::count(parent as u64 + 1)).into(),
        ];
        cells.extend(figures);
        cells.push(theory.text(&feature.conjunction).into());
        listing.push(cells);
    }
    listing
}

fn listing_of(counts: &Counts) -> Listing {
    stages(&[
        ("features tried", counts.features as u64),
        ("  without patterns", counts.empty as u64),
        ("  with the patterns of another one", counts.repeats as u64),
        ("  too large", counts.too_large as u64),
        ("  kept", counts.kept as u64),
        ("conjunctions of facts", counts.solutions),
        ("equal ones in a feature merged", counts.patterns),
        ("patterns: equal ones in all features merged", counts.unique as u64),
        ("symmetric images merged", counts.representatives as u64),
    ])
}

fn stages(rows: &[(&'static str, u64)]) -> Listing {
    let mut listing = Listing::new([Column::words("stage"), Column::figures("count")]);
    for &(stage, count) in rows {
        listing.push([Cell::text(stage), Cell::count(count)]);
    }
    listing
}

/// Draws some patterns, evenly spread over all.
fn draw(theory: &Theory, patterns: &[Pattern], wanted: DrawArg) -> Result<()> {
    let shown = patterns.len().min(wanted.draw as usize);
    for place in 0..shown {
        let pattern = patterns[place * patterns.len() / shown];
        print(format_args!("\n{}", pattern.draw(theory.board, theory.letters())))?;
    }
    Ok(())
}
