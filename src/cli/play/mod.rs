// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply play`: a game in the terminal.

mod session;

use std::env;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::UNIX_EPOCH;

use anyhow::{Result, bail, ensure};
use clap::{Args, ValueEnum};

use self::session::{Session, Settings};
use super::count::count;
use super::output::WidthArg;
use super::setup::SetupArgs;
use super::{EvaluationArg, GameArg, Verdict, position_of, run_file};
use halfply_engine::game::Side;
use halfply_engine::games::{RegisteredGame, strength};
use halfply_engine::history::History;
use halfply_engine::with_game;

/// Play in the terminal, with hints and the reasons of costs
///
/// Type a move in coordinates, such as e2e3, or `help`.
#[derive(Debug, Args)]
#[command(mut_arg("profile", |profile| profile.default_value("full")))]
pub struct Command {
    /// Which side you play
    #[arg(long, value_enum, default_value = "first")]
    side: Person,
    /// The first position [default: the start of the game]
    #[arg(long, value_name = "FEN", allow_hyphen_values = true)]
    fen: Option<String>,
    /// The extension table [default: none]
    #[arg(long, value_name = "FILE", value_parser = run_file::table)]
    extensions: Option<PathBuf>,
    /// Nodes a move
    #[arg(long, value_name = "N", default_value = "200k", value_parser = count::<u64>(1..))]
    nodes: u64,
    /// Play at about this Elo, on the game's scale [default: full strength]
    #[arg(long, value_name = "N")]
    elo: Option<u32>,
    #[command(flatten)]
    evaluation: EvaluationArg,
    #[command(flatten)]
    search: SetupArgs,
    #[command(flatten)]
    width: WidthArg,
    #[command(flatten)]
    game: GameArg,
}

/// Which sides a person plays; whoever begins is the first player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Person {
    /// The first player.
    First,
    /// The second player.
    Second,
    /// Both; the program gives hints.
    Both,
    /// None: the program plays against itself.
    None,
}

pub fn run(command: &Command) -> Result<Verdict> {
    with_game!(command.game.game, G => run_game::<G>(command))
}

/// Checks that the game is played at that Elo.
fn check_elo<G: RegisteredGame>(elo: u32) -> Result<()> {
    let Some(elos) = strength::elos(G::STRENGTHS) else {
        bail!("--elo: no strength of {} was measured; limit it by --nodes", G::NAME);
    };
    ensure!(elos.contains(&elo), "--elo {elo}: {} is played at {} to {}", G::NAME, elos.start(), elos.end());
    Ok(())
}

fn run_game<G: RegisteredGame>(command: &Command) -> Result<Verdict> {
    let start = position_of::<G>(command.fen.as_ref())?;
    let plays = |side: Side| match command.side {
        Person::First => side == Side::White,
        Person::Second => side == Side::Black,
        Person::Both => true,
        Person::None => false,
    };
    command.elo.map(check_elo::<G>).transpose()?;
    // A weak player makes other mistakes in another game.
    let seed = command.elo.map_or(1, |_| UNIX_EPOCH.elapsed().unwrap_or_default().as_nanos() as u64);
    let settings = Settings {
        searcher: command.search.searcher::<G>(&command.evaluation, command.extensions.as_ref(), seed)?,
        nodes: command.nodes,
        elo: command.elo,
        people: Side::BOTH.map(plays),
        coloured: io::stdout().is_terminal() && env::var_os("NO_COLOR").is_none(),
        width: command.width,
    };
    Session::new(History::new(start), settings, io::stdout().lock()).run(io::stdin().lock()).or_else(|error| {
        // Whoever closes the pipe has read enough.
        if error.kind() == io::ErrorKind::BrokenPipe { Ok(()) } else { Err(error) }
    })?;
    Ok(Verdict::Good)
}
