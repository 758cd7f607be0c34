// SPDX-License-Identifier: GPL-3.0-or-later
//! `halfply serve`: a page in the browser.

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;

use super::interrupt::stop_on_ctrl_c;
use super::output::tell;
use super::{Verdict, describe, run_file};
use crate::serve::{GivenTable, Server, ServerSettings, check_name};
use halfply_engine::features::file;
use halfply_engine::game::Game;
use halfply_engine::with_game;
use halfply_lab::run::default_threads;

/// The folder of runs, unless another one is named.
const RUNS: &str = "runs";

/// Play in the browser, see what the search sees, and watch runs
///
/// The page is part of the program and needs no connection to the internet. Ctrl-C ends the server.
#[derive(Debug, Args)]
pub struct Command {
    /// The port; 0 takes a free one
    #[arg(long, value_name = "N", default_value_t = 8425)]
    port: u16,
    /// The address to listen on; any other than the default lets other machines use this server
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    address: IpAddr,
    /// A name by which browsers know this server, besides localhost and its address; can be repeated
    #[arg(long, value_name = "NAME", value_parser = host)]
    allow_host: Vec<String>,
    /// An extension table for the page to choose from; can be repeated
    #[arg(long, value_name = "FILE", value_parser = run_file::table)]
    extensions: Vec<PathBuf>,
    /// The folder whose runs are shown: tournaments, learning, experiments [default: runs, if it exists]
    #[arg(long, value_name = "DIR", value_parser = folder)]
    runs: Option<PathBuf>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
}

pub fn run(command: &Command) -> Result<Verdict> {
    let tables = command.extensions.iter().map(|path| given_table(path)).collect::<Result<_>>()?;
    let runs = command.runs.clone().or_else(|| Some(PathBuf::from(RUNS)).filter(|runs| runs.is_dir()));
    let settings = ServerSettings { names: command.allow_host.clone(), tables, searches: default_threads(), runs };
    let address = SocketAddr::new(command.address, command.port);
    let server = Server::bind(address)
        .with_context(|| format!("cannot listen on {address}; choose another port with --port, 0 for a free one"))?;
    let page = format!("http://{}/", server.address());
    tell(&format!("{page} is the page; Ctrl-C ends the server"));
    if let Some(runs) = &settings.runs {
        tell(&format!("{page}runs shows the runs of {}", runs.display()));
    }
    if !command.address.is_loopback() {
        tell("warning: every machine that reaches this address can use the page, and let this machine think");
    }
    if command.open {
        open::that_detached(&page).unwrap_or_else(|error| tell(&format!("warning: no browser was opened: {error}")));
    }
    server.run(&settings, &stop_on_ctrl_c()).context("the server cannot continue")?;
    Ok(Verdict::Good)
}

/// A value parser for folders.
fn folder(text: &str) -> Result<PathBuf, String> {
    match std::fs::read_dir(text) {
        Ok(_) => Ok(PathBuf::from(text)),
        Err(error) => Err(format!("{error}; name a folder that has runs, such as runs")),
    }
}

/// A value parser for names of this server.
fn host(text: &str) -> Result<String, String> {
    check_name(text).map(|()| text.to_owned())
}

/// The table in a file, for whatever game it is.
fn given_table(path: &Path) -> Result<GivenTable> {
    let text = file::read(path)?;
    let name = path.display().to_string();
    let game = describe::game_of_table(&text).with_context(|| name.clone())?;
    let table = with_game!(game, G => file::parse(&text, &name, &<G as Game>::VOCABULARY))?;
    Ok((game, name, table))
}
