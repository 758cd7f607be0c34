// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply bench`: the behaviour signature and the speed.

use anyhow::Result;
use clap::Args;

use super::Verdict;
use super::output::print;
use halfply_engine::bench;
use halfply_engine::bench::Bench;
use halfply_engine::game::Game;
use halfply_engine::games::GameName;
use halfply_engine::search::Profile;
use halfply_engine::with_game;

/// Search fixed positions to fixed depths; the node counts show whether a search has changed
///
/// Prints one line for each game and search, and a total.
#[derive(Debug, Args)]
pub struct Command {
    /// The game [default: every game]
    #[arg(long, value_enum)]
    game: Option<GameName>,
    /// The search [default: both]
    #[arg(long, value_enum)]
    profile: Option<Profile>,
}

pub fn run(command: &Command) -> Result<Verdict> {
    let mut benches: Vec<Bench> = Vec::new();
    for game in command.game.map_or(GameName::all().to_vec(), |game| vec![game]) {
        for profile in command.profile.map_or(Profile::ALL.to_vec(), |profile| vec![profile]) {
            let (name, bench) = with_game!(game, G => (G::NAME, bench::run::<G>(profile)));
            print(format_args!("{name}, {}: {bench}", profile.name()))?;
            benches.push(bench);
        }
    }
    print(benches.into_iter().sum::<Bench>())?;
    Ok(Verdict::Good)
}
