// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply suite judge`: positions of games, and what their moves are worth.

use anyhow::{Context, Result, ensure};
use clap::Args;
use serde::Serialize;

use crate::cli::count::count;
use crate::cli::interrupt::stop_on_ctrl_c;
use crate::cli::output::{command_line, print, tell};
use crate::cli::progress::Progress;
use crate::cli::recorded::{Recorded, RecordedArgs};
use crate::cli::run_folder::RunFolderArgs;
use crate::cli::setup::SetupArgs;
use crate::cli::study::ended;
use crate::cli::{EvaluationArg, ThreadsArg, Verdict};
use halfply_engine::base::mix::derive;
use halfply_engine::bench;
use halfply_engine::features::AtomSet;
use halfply_engine::games::Furnished;
use halfply_engine::history::History;
use halfply_engine::search::{Limits, Profile, SearchRecord};
use halfply_engine::with_game;
use halfply_lab::run::{Header, Runner};
use halfply_lab::suite::Distinct;
use halfply_lab::suite::distinct::first_four_fields;
use halfply_lab::suite::judge::{Judge, Judgement, Judging, judged_line};

/// The suite that is written.
const JUDGED: &str = "judged.epd";

/// Draw positions from games, and judge their best moves by a deep search
///
/// The positions are drawn at random, and not chosen by what happens in them. Forced moves and moves of the book are left out.
/// `learn --fitness regret` learns from such a suite, and `suite run --points` counts its points: thousandths of the
/// probability of winning.
#[derive(Debug, Args)]
#[command(mut_arg("profile", |profile| profile.default_value("full")))]
pub struct Command {
    #[command(flatten)]
    recorded: RecordedArgs,
    /// Positions to draw
    #[arg(long, value_name = "N", default_value_t = 6000, value_parser = count::<u32>(1..=10_000_000))]
    count: u32,
    /// Nodes a position, for all moves together
    #[arg(long, value_name = "N", default_value_t = 500_000, value_parser = count::<u64>(1..))]
    nodes: u64,
    /// How many of the best moves of a position are judged
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = count::<u32>(2..=100))]
    moves: u32,
    /// The seed of the draw
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    evaluation: EvaluationArg,
    #[command(flatten)]
    setup: SetupArgs,
    #[command(flatten)]
    folder: RunFolderArgs,
    #[command(flatten)]
    threads: ThreadsArg,
}

/// What a judgement depends on. Positions are not in it, so more of them can be judged later.
#[derive(Serialize)]
struct JudgeConfig<'a> {
    game: &'a str,
    search: SearchRecord,
    nodes: u64,
    moves: u32,
}

pub fn run(command: &Command) -> Result<Verdict> {
    ensure!(command.setup.profile() == Profile::Full, "only the full search judges several moves: leave out --profile");
    let recorded = command.recorded.load()?;
    with_game!(recorded.game, G => run_game::<G>(command, &recorded))
}

fn run_game<G: Furnished>(command: &Command, recorded: &Recorded) -> Result<Verdict> {
    let stop = stop_on_ctrl_c();
    let searcher = command.setup.searcher::<G>(&command.evaluation, None, 1)?;
    let Command { nodes, moves, .. } = *command;
    let config = JudgeConfig { game: G::NAME, search: searcher.record(), nodes, moves };
    let signature = bench::signature(&searcher.setup, &searcher.evaluation, AtomSet::EMPTY);
    let positions = draw::<G>(command, recorded)?;

    let header = Header::new("judge", &config, signature);
    let (results, journal) = command.folder.open::<Judgement>(G::NAME, &header, None, "suite judge", &[JUDGED])?;
    let folder = results.folder().to_owned();
    let mut runner = Runner::with_journal(command.threads.count(), journal).stopped_by(&stop);
    let engine = searcher.engine();
    let judge = Judge {
        engine: engine.as_ref(),
        limits: Limits::nodes(nodes),
        moves: moves as usize,
        unit: searcher.evaluation.unit(),
    };
    let units: Vec<Judging<'_, G>> =
        positions.iter().map(|(position, fen)| Judging { judge: &judge, position, fen }).collect();
    let progress = Progress::new(units.len() as u64);
    let judged = runner.run(&units, |_, _, time| progress.unit(time.is_some()));
    progress.finish();
    let judged = match judged {
        Ok(judged) => judged,
        Err(error) => return ended(error, &folder),
    };

    let mut lines = vec![format!("# {}", command_line())];
    for (index, ((position, _), judgement)) in positions.iter().zip(&judged).enumerate() {
        // Without a whole iteration nothing is known of the moves.
        if !judgement.moves.is_empty() {
            lines.push(judged_line::<G>(position, judgement, format!("judged.{:04}", index + 1))?);
        }
    }
    let left_out = positions.len() + 1 - lines.len();
    if left_out > 0 {
        tell(&format!("{left_out} positions have no whole iteration of {moves} moves: give them more --nodes"));
    }
    results.publish(&[(JUDGED, lines.join("\n") + "\n")])?;
    print(format_args!("{} positions: {}", lines.len() - 1, folder.join(JUDGED).display()))?;
    Ok(Verdict::Good)
}

/// Positions of the games in which a player that counts had a choice, at random, with their texts. Images of a position are
/// the same.
fn draw<G: Furnished>(command: &Command, recorded: &Recorded) -> Result<Vec<(G::Position, String)>> {
    let players = &command.recorded.players;
    let mut distinct = Distinct::<G>::default();
    let mut candidates = Vec::new();
    for game in &recorded.games {
        let record = &game.record;
        let start = G::parse_position(&record.opening).with_context(|| game.origin.clone())?;
        let mut history = History::<G>::new(start);
        for (index, text) in record.moves.split_whitespace().enumerate() {
            let position = history.position();
            let mv = G::parse_move(position, text).with_context(|| game.origin.clone())?;
            let counts = players.is_empty() || players.contains(&record.players[G::to_move(position).index()]);
            if counts && index >= record.book && history.legal_moves().len() > 1 && distinct.insert(position) {
                candidates.push((derive(command.seed, G::key(position)), position.clone()));
            }
            history.play(mv);
        }
    }
    candidates.sort_by_key(|&(lot, _)| lot);
    let wanted = command.count as usize;
    ensure!(
        candidates.len() >= wanted,
        "these games have {} different positions with a choice; --count {wanted} asks for more",
        candidates.len()
    );
    candidates.truncate(wanted);
    let with_text = |(_, position): (u64, G::Position)| {
        let fen = first_four_fields(&G::format_position(&position));
        (position, fen)
    };
    Ok(candidates.into_iter().map(with_text).collect())
}
