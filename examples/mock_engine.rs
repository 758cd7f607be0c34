// SPDX-License-Identifier: GPL-3.0-or-later
//! An engine that misbehaves on demand, for testing match runners.
//!
//! `mock_engine BEHAVIOUR [NUMBER]` speaks just enough UCI for chess and Breakthrough (`UCI_Variant`). Arguments after
//! these are ignored; they can mark a process. The behaviours are listed in [`Behaviour`]; whatever is not mentioned
//! there is done well: the answer to each `go` comes at once, is legal, and depends on nothing but the position; only
//! after `go infinite` it waits for `stop`.
//!
//! Two options help to see what a runner does: `Score` is the score that the engine claims, in hundredths of a pawn, and
//! `Log` a file to which every line that it is sent is appended from then on.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, Write};
use std::process::exit;
use std::thread::sleep;
use std::time::Duration;

use clap::ValueEnum;
use halfply_engine::game::{Game, Notation, after, legal_moves};
use halfply_engine::games::GameName;
use halfply_engine::with_game;

/// How it ends when it crashes on purpose.
const CRASHED: i32 = 3;

/// The default of its option `Score`.
const SCORE: i64 = 10;

/// What is not meant to end by itself ends all the same after this long, so that nothing is left behind by a runner that
/// did not kill it.
const LONGEST_LIFE: Duration = Duration::from_secs(120);

/// What it does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Behaviour {
    /// Nothing.
    Well,
    /// Ends before it has said anything, with exit status 3.
    CrashAtStart,
    /// Ends at the NUMBERth `go` (1), with exit status 3.
    CrashOnGo,
    /// Ends at each `go`, and as soon as it is shown a `Log` with two of them: it cannot be started any more.
    CrashForGood,
    /// Answers its first `go`, and ends at once, with exit status 3.
    OneAnswer,
    /// Says nothing more after `go`, whatever it is told.
    Hang,
    /// Reads nothing more after `go`, and says nothing.
    DeafOnGo,
    /// Never says `uciok`.
    DeafAtStart,
    /// Plays a move that no game allows.
    Illegal,
    /// Writes bytes that are no text, and plays something that is no move.
    Garbage,
    /// Says `bestmove` and no move.
    NoMove,
    /// Closes its stdout at `go` and lives on. Only on Unix.
    ClosesPipe,
    /// Takes NUMBER milliseconds (1000) for each move, whatever the clock says.
    Slow,
    /// Tells an exact score and then wild bounds.
    Bounds,
    /// Writes a megabyte of text at each `go`, then a move.
    Flood,
    /// Writes scores and nonsense without end after `go`.
    Babble,
    /// Tells of more and more nodes after `go`, without end.
    Overrun,
    /// Knows no limit of nodes: at once it tells of searches of 1000, 2000, 4000 nodes and so on, up to NUMBER (10,000,000),
    /// each with the next of the legal moves as the best, and then waits for `stop`, unless it was given time.
    IgnoresNodes,
    /// Writes text for people without end after `go`.
    BabbleText,
    /// Does not answer `isready` once it has been told of a new game.
    NoReadyok,
    /// Does not obey `quit`, nor the end of its input.
    NoQuit,
    /// Offers no variant but chess until its option `Score` is set.
    LateVariant,
    /// For `closes-pipe`: what it becomes.
    Zombie,
}

struct Mock {
    behaviour: Behaviour,
    number: Option<u64>,
    variant: GameName,
    /// Whether castling is written as the king taking its rook.
    chess960: bool,
    score: i64,
    log: Option<File>,
    /// What follows `position`.
    position: String,
    /// How many times it was told to `go`.
    searches: u64,
    /// It was told `go infinite`.
    searching: bool,
    new_game: bool,
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let behaviour = match arguments.next().map(|name| Behaviour::from_str(&name, false)) {
        Some(Ok(behaviour)) => behaviour,
        _ => {
            let names: Vec<String> = Behaviour::value_variants()
                .iter()
                .filter_map(|behaviour| Some(behaviour.to_possible_value()?.get_name().to_owned()))
                .collect();
            eprintln!("usage: mock_engine BEHAVIOUR [NUMBER], where BEHAVIOUR is one of {}", names.join(", "));
            exit(2);
        }
    };
    let number = arguments.next().and_then(|number| number.parse().ok());
    match behaviour {
        Behaviour::CrashAtStart => exit(CRASHED),
        Behaviour::Zombie => sleep(LONGEST_LIFE),
        _ => {}
    }
    let mut mock = Mock {
        behaviour,
        number,
        variant: GameName::Chess,
        chess960: false,
        score: SCORE,
        log: None,
        position: "startpos".to_owned(),
        searches: 0,
        searching: false,
        new_game: false,
    };
    for line in io::stdin().lock().lines() {
        // Nobody listens any more, or nobody talks.
        if line.and_then(|line| mock.obey(&line)).is_err() {
            break;
        }
    }
    if behaviour == Behaviour::NoQuit {
        sleep(LONGEST_LIFE);
    }
}

impl Mock {
    fn obey(&mut self, line: &str) -> io::Result<()> {
        if let Some(log) = &mut self.log {
            writeln!(log, "{line}")?;
        }
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        match command {
            "uci" if self.behaviour != Behaviour::DeafAtStart => {
                let is_late = self.behaviour == Behaviour::LateVariant && self.score == SCORE;
                let variants = if is_late { "var chess" } else { "var chess var breakthrough" };
                say(format!(
                    "id name Mock engine\nid author the Halfply developers\n\
                 option name Hash type spin default 16 min 1 max 1024\n\
                 option name Clear Hash type button\n\
                 option name Log type string default <empty>\n\
                 option name Ponder type check default false\n\
                 option name Score type spin default 10 min -30000 max 30000\n\
                 option name UCI_Chess960 type check default false\n\
                 option name UCI_Variant type combo default chess {variants}\n\
                 uciok"
                ))
            }
            "isready" if !(self.new_game && self.behaviour == Behaviour::NoReadyok) => say("readyok"),
            "ucinewgame" => {
                self.new_game = true;
                Ok(())
            }
            "setoption" => self.set_option(rest),
            "position" => {
                rest.clone_into(&mut self.position);
                Ok(())
            }
            "go" => self.go(rest),
            "stop" if self.searching => {
                self.searching = false;
                self.answer()
            }
            "quit" if self.behaviour != Behaviour::NoQuit => exit(0),
            _ => Ok(()),
        }
    }

    fn set_option(&mut self, text: &str) -> io::Result<()> {
        let text = text.trim_start_matches("name ");
        let (name, value) = text.split_once(" value ").unwrap_or((text, ""));
        match name {
            "UCI_Variant" => self.variant = GameName::from_str(value, true).unwrap_or(self.variant),
            "UCI_Chess960" => self.chess960 = value == "true",
            "Score" => self.score = value.parse().unwrap_or(self.score),
            "Log" if self.behaviour == Behaviour::CrashForGood && has_two_searches(value) => exit(CRASHED),
            "Log" => self.log = Some(OpenOptions::new().create(true).append(true).open(value)?),
            _ => {}
        }
        Ok(())
    }

    fn go(&mut self, limits: &str) -> io::Result<()> {
        self.searches += 1;
        match self.behaviour {
            Behaviour::CrashOnGo if self.searches >= self.number.unwrap_or(1) => exit(CRASHED),
            Behaviour::CrashForGood => exit(CRASHED),
            Behaviour::OneAnswer => {
                self.answer()?;
                exit(CRASHED)
            }
            Behaviour::Hang => {
                for _ in io::stdin().lock().lines() {}
                exit(0);
            }
            Behaviour::DeafOnGo => {
                sleep(LONGEST_LIFE);
                Ok(())
            }
            Behaviour::Illegal => say("info depth 1 score cp 0\nbestmove a1a1"),
            Behaviour::Garbage => {
                io::stdout().write_all(b"\xff\xfe\x00\x80info depth 1\ninfo depth \xc3 score cp\n\0\n\n")?;
                say("bestmove banana")
            }
            Behaviour::NoMove => say("bestmove"),
            Behaviour::ClosesPipe => close_pipe(),
            Behaviour::Slow => {
                sleep(Duration::from_millis(self.number.unwrap_or(1000)));
                self.answer()
            }
            Behaviour::Bounds => {
                say(format!("info depth 1 score cp {} nodes 20", self.score))?;
                say("info depth 2 score cp 3000 lowerbound nodes 30\ninfo depth 2 score upperbound cp -3000 nodes 40")?;
                say(format!("bestmove {}", self.choice()))
            }
            Behaviour::Flood => {
                for _ in 0..1 << 10 {
                    say(format!("info string {}", "flood ".repeat(170)))?;
                }
                self.answer()
            }
            Behaviour::Babble => loop {
                say("info depth 1 score cp 1 nodes 7 pv e2e4\nbla bla\ninfo bestmove e2e4")?;
            },
            Behaviour::Overrun => {
                for step in 1_u64.. {
                    say(format!("info depth 1 score cp 1 nodes {} pv e2e4", step * 400_000))?;
                    sleep(Duration::from_millis(10));
                }
                Ok(())
            }
            Behaviour::IgnoresNodes => {
                for step in 0..64 {
                    let nodes = 1000 << step;
                    if nodes > self.number.unwrap_or(10_000_000) {
                        break;
                    }
                    let mv = self.choice_after(step);
                    say(format!("info depth {} score cp 1 nodes {nodes} pv {mv}", step + 1))?;
                }
                self.searching = !limits.contains("movetime");
                if self.searching { Ok(()) } else { self.answer() }
            }
            Behaviour::BabbleText => loop {
                say("info string depth 1 score cp 1\nbla bla")?;
            },
            _ if limits.split(' ').any(|word| word == "infinite") => {
                self.searching = true;
                Ok(())
            }
            _ => self.answer(),
        }
    }

    fn answer(&self) -> io::Result<()> {
        let mv = self.choice();
        say(format!("info depth 1 seldepth 2 score cp {} nodes 20 time 0 pv {mv}\nbestmove {mv}", self.score))
    }

    /// The move that it plays; `(none)` where there is none.
    fn choice(&self) -> String {
        self.choice_after(0)
    }

    /// So many legal moves after that one, as if it had changed its mind so often.
    fn choice_after(&self, steps: u64) -> String {
        with_game!(self.variant, G => choose::<G>(&self.position, self.chess960, steps))
            .unwrap_or_else(|| "(none)".to_owned())
    }
}

/// Some legal move of a position, as UCI writes it, always the same one; or the one that is so many `steps` after it.
fn choose<G: Notation>(text: &str, chess960: bool, steps: u64) -> Option<String> {
    let (start, moves) = text.split_once("moves ").unwrap_or((text, ""));
    let mut position = match start.trim().strip_prefix("fen ") {
        Some(fen) => G::parse_position(fen).ok()?,
        None => G::start(),
    };
    if chess960 {
        position = G::as_chess960(position);
    }
    for mv in moves.split_whitespace() {
        position = after::<G>(&position, G::parse_move(&position, mv).ok()?);
    }
    let moves = legal_moves::<G>(&position);
    let index = <G as Game>::key(&position).wrapping_add(steps) % (moves.len() as u64).max(1);
    moves.get(index as usize).map(|&mv| G::format_move(&position, mv))
}

/// Becomes the same program without an stdout: to do it otherwise takes unsafe code.
#[cfg(unix)]
fn close_pipe() -> io::Result<()> {
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};
    Err(Command::new(std::env::current_exe()?).arg("zombie").stdout(Stdio::null()).exec())
}

#[cfg(not(unix))]
fn close_pipe() -> io::Result<()> {
    Err(io::Error::other("stdout cannot be closed on this system"))
}

/// Whether the log tells of two searches.
#[allow(clippy::disallowed_methods, reason = "the log is its own")]
fn has_two_searches(log: &str) -> bool {
    std::fs::read_to_string(log).is_ok_and(|text| text.lines().filter(|line| line.starts_with("go")).count() >= 2)
}

fn say(text: impl AsRef<str>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", text.as_ref())?;
    out.flush()
}
