// SPDX-License-Identifier: GPL-3.0-or-later
//! A text protocol in the framing of GTP version 2 (Farnebäck 2002), for games other than Go.
//!
//! `docs/uci.md` describes every command. Moves are those of the game (`e2d3`), and the commands whose names begin with
//! `halfply-` are ours.

mod input;

use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::features::{ExtensionTable, file};
use crate::game::Side;
use crate::games::RegisteredGame;
use crate::history::History;
use crate::search::clock::{Budget, Clock, exactly, share};
use crate::search::{Iteration, Limits, Pace, Searcher, Thinker, Watcher, score};

use input::{Ending, LONGEST_LINE, split_id};

/// The default nodes a move, without any limit.
const DEFAULT_NODES: u64 = 1_000_000;

/// The time lost in the communication with the client.
const OVERHEAD: Duration = Duration::from_millis(50);

/// A client that allows more time than this for a move means no limit.
const LONGEST_MOVE: Duration = Duration::from_secs(60 * 60);

/// The commands, in the order in which `list_commands` names them.
const COMMANDS: &[&str] = &[
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "komi",
    "clear_board",
    "play",
    "genmove",
    "undo",
    "showboard",
    "time_settings",
    "time_left",
    "halfply-fen",
    "halfply-set-fen",
    "halfply-legal-moves",
    "halfply-extensions",
    "halfply-nodes",
    "halfply-movetime",
];

/// What one side has left on its clock.
#[derive(Clone, Copy, Debug)]
struct Time {
    left: Duration,
    /// The moves of the period; 0 in main time, which is for the rest of the game.
    stones: u32,
}

/// The settings of `time_settings`, and the clocks.
#[derive(Clone, Copy, Debug)]
struct TimeSettings {
    overtime: Duration,
    stones: u32,
    clocks: [Time; 2],
}

/// The game and the engine's settings.
struct Session<G: RegisteredGame> {
    /// The search.
    searcher: Searcher<G>,
    /// The thinker of that search; none before the first move, and after the settings have changed.
    thinker: Option<Box<dyn Thinker<G>>>,
    /// Nodes a move.
    nodes: Option<u64>,
    game: History<G>,
    movetime: Option<Duration>,
    time: Option<TimeSettings>,
    /// Whether the session must end. A search may delay that only for a moment.
    ending: Ending,
}

/// The answer to a command, or the reason why it failed.
type Answer = Result<String, String>;

/// Answers the commands on `input` until `quit` or its end, with moves of this search and at most `nodes` nodes a move.
///
/// # Errors
/// If `input` cannot be read or `output` cannot be written. Wrong commands are not errors.
pub fn run<G: RegisteredGame>(
    searcher: Searcher<G>,
    nodes: Option<u64>,
    input: impl Read + Send + 'static,
    mut output: impl Write,
) -> io::Result<()> {
    let (lines, ending) = input::read_lines(input)?;
    let mut session = Session::<G>::new(searcher, nodes, ending);
    for line in lines {
        let line = line?;
        let Some((id, command)) = split_id(&line) else { continue };
        let (name, arguments) = command.split_once(' ').unwrap_or((command, ""));
        let answer = if line.len() > LONGEST_LINE {
            Err(format!("a command has at most {LONGEST_LINE} characters"))
        } else {
            session.answer(name, arguments.trim())
        };
        let (mark, text) = match answer {
            Ok(text) => ('=', text),
            Err(reason) => ('?', reason),
        };
        // An empty line ends an answer, so it must not contain one. A board begins on a new line.
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        let space = match text.chars().next() {
            None => "",
            Some('\n') => "\n",
            Some(_) => " ",
        };
        write!(output, "{mark}{id}{space}{}\n\n", lines.join("\n"))?;
        output.flush()?;
        if name == "quit" {
            break;
        }
    }
    Ok(())
}

impl<G: RegisteredGame> Session<G> {
    fn new(searcher: Searcher<G>, nodes: Option<u64>, ending: Ending) -> Self {
        Self { searcher, thinker: None, nodes, game: History::new(G::start()), movetime: None, time: None, ending }
    }

    fn answer(&mut self, name: &str, arguments: &str) -> Answer {
        let words: Vec<&str> = arguments.split_whitespace().collect();
        let done = Ok(String::new());
        match name {
            "protocol_version" => Ok("2".to_owned()),
            "name" => Ok("Halfply".to_owned()),
            "version" => Ok(env!("CARGO_PKG_VERSION").to_owned()),
            "known_command" => Ok(COMMANDS.contains(&arguments).to_string()),
            "list_commands" => Ok(COMMANDS.join("\n")),
            "quit" => done,
            "boardsize" => match words[..] {
                [size] if size.parse() == Ok(G::SIZE) => done,
                _ => Err(format!("unacceptable size: the board is {}", G::SIZE)),
            },
            "komi" => match number::<f64>(&words, "komi") {
                Ok(_) => done,
                Err(reason) => Err(reason),
            },
            "clear_board" => {
                self.begin(G::start());
                // The clocks keep their times until the next `time_settings`.
                done
            }
            "play" => self.play(&words),
            "genmove" => self.genmove(&words),
            "undo" => match self.game.undo() {
                Some(_) => done,
                None => Err("cannot undo: no move has been played".to_owned()),
            },
            "showboard" => Ok(format!("\n{}", G::draw(self.position()))),
            "time_settings" => self.time_settings(&words),
            "time_left" => self.time_left(&words),
            "halfply-fen" => Ok(G::format_position(self.position())),
            "halfply-set-fen" => match G::parse_position(arguments) {
                Ok(position) => {
                    self.begin(position);
                    done
                }
                Err(error) => Err(error.to_string()),
            },
            "halfply-legal-moves" => {
                let position = self.position();
                let moves = self.game.legal_moves();
                Ok(moves.iter().map(|&mv| G::text_move(position, mv)).collect::<Vec<_>>().join(" "))
            }
            "halfply-extensions" => self.extensions(arguments),
            "halfply-nodes" => {
                let nodes = number(&words, "nodes a move")?;
                self.nodes = (nodes > 0).then_some(nodes);
                done
            }
            "halfply-movetime" => {
                let milliseconds = number(&words, "milliseconds a move")?;
                self.movetime = (milliseconds > 0).then(|| Duration::from_millis(milliseconds));
                done
            }
            "" => Err("no command follows the number".to_owned()),
            _ => Err("unknown command".to_owned()),
        }
    }

    /// Begins a new game, and forgets what was learned in the last one.
    fn begin(&mut self, position: G::Position) {
        self.game = History::new(position);
        if let Some(thinker) = &mut self.thinker {
            thinker.forget();
        }
    }

    fn position(&self) -> &G::Position {
        self.game.position()
    }

    /// The side of this name, which must be the side to move in an unfinished game.
    fn side_to_move(&self, word: Option<&&str>) -> Result<Side, String> {
        let side = colour::<G>(word)?;
        if self.game.outcome().is_some() {
            return Err(match self.game.winner() {
                Some(winner) => format!("the game is over: {} has won", name::<G>(winner)),
                None => "the game is over: it is drawn".to_owned(),
            });
        }
        match G::to_move(self.position()) {
            to_move if to_move == side => Ok(side),
            to_move => Err(format!("it is {}'s move", name::<G>(to_move))),
        }
    }

    fn play(&mut self, words: &[&str]) -> Answer {
        let [_, text] = words else { return Err("write a colour and a move: play white e2e3".to_owned()) };
        self.side_to_move(words.first())?;
        // Capitals mean pieces in chess, and nothing elsewhere.
        let mv = G::parse_move(self.position(), text)
            .or_else(|error| G::parse_move(self.position(), &text.to_lowercase()).map_err(|_| error.to_string()))?;
        self.game.play(mv);
        Ok(String::new())
    }

    fn genmove(&mut self, words: &[&str]) -> Answer {
        let side = self.side_to_move(words.first())?;
        let budget = self.budget(side);
        let nodes = self.nodes.or_else(|| budget.is_none().then_some(DEFAULT_NODES));
        let only_move = self.game.legal_moves().len() == 1;
        let limits = Limits { nodes, depth: only_move.then_some(1), time: None };
        let thinker = self.thinker.get_or_insert_with(|| self.searcher.engine().thinker());
        let start = Instant::now();
        let pace = budget.map(|budget| Pace::new(budget, self.searcher.evaluation.unit()));
        let mut watch = Watch { ending: &self.ending, start, pace };
        let report = thinker.search(self.game.root(), limits, &mut watch);
        self.use_time(side, start.elapsed());
        let mv = report.best.ok_or("the search found no move")?;
        let text = G::text_move(self.position(), mv);
        self.game.play(mv);
        Ok(text)
    }

    /// The time for a move: the fixed time or a share of the clock, whichever is less; none if neither was set.
    fn budget(&self, side: Side) -> Option<Budget> {
        let of_clock = self.time.map(|time| {
            let Time { left, stones } = time.clocks[side.index()];
            share(Clock { left, increment: Duration::ZERO, moves_to_go: (stones > 0).then_some(stones) }, OVERHEAD)
        });
        let of_move = self.movetime.map(exactly);
        let budgets = [of_move, of_clock].into_iter().flatten();
        budgets.min_by_key(|budget| budget.maximum).filter(|budget| budget.optimum <= LONGEST_MOVE)
    }

    /// Updates the clock, for clients that never send `time_left`.
    fn use_time(&mut self, side: Side, used: Duration) {
        let Some(time) = &mut self.time else { return };
        let clock = &mut time.clocks[side.index()];
        let in_overtime = clock.stones > 0;
        clock.left = clock.left.saturating_sub(used);
        clock.stones = clock.stones.saturating_sub(1);
        // All moves of the period have been made, or main time is over: the next period begins.
        let over = if in_overtime { clock.stones == 0 } else { clock.left.is_zero() };
        if over && time.stones > 0 {
            *clock = Time { left: time.overtime, stones: time.stones };
        }
    }

    fn time_settings(&mut self, words: &[&str]) -> Answer {
        let [main, overtime, stones] = words else {
            return Err("write main time, overtime and its stones: time_settings 300 10 5".to_owned());
        };
        let (main, overtime, stones) = (seconds(main)?, seconds(overtime)?, whole(stones, "stones")?);
        // GTP: overtime without stones means no limit at all.
        self.time = if stones == 0 && !overtime.is_zero() {
            None
        } else {
            let clock = if main.is_zero() { Time { left: overtime, stones } } else { Time { left: main, stones: 0 } };
            Some(TimeSettings { overtime, stones, clocks: [clock; 2] })
        };
        Ok(String::new())
    }

    fn time_left(&mut self, words: &[&str]) -> Answer {
        let [_, left, stones] = words else {
            return Err("write colour, seconds and stones: time_left white 120 0".to_owned());
        };
        let side = colour::<G>(words.first())?;
        let clock = Time { left: seconds(left)?, stones: whole(stones, "stones")? };
        let time = self.time.get_or_insert(TimeSettings { overtime: Duration::ZERO, stones: 0, clocks: [clock; 2] });
        time.clocks[side.index()] = clock;
        Ok(String::new())
    }

    fn extensions(&mut self, path: &str) -> Answer {
        match path {
            "" => {}
            "none" => self.set_table(ExtensionTable::default()),
            path => {
                let table = file::load(Path::new(path), &G::VOCABULARY).map_err(|error| error.to_string())?;
                self.set_table(table);
            }
        }
        Ok(self.searcher.setup.table.summary(&G::VOCABULARY))
    }

    fn set_table(&mut self, table: ExtensionTable) {
        self.searcher.setup.table = table;
        self.thinker = None;
    }
}

/// Ends the search when its time is up, when the game is decided (more nodes would not change that), and when the session
/// must end.
struct Watch<'a, M> {
    ending: &'a Ending,
    start: Instant,
    /// None without a limit of time.
    pace: Option<Pace<M>>,
}

impl<M: Copy + Eq> Watcher<M> for Watch<'_, M> {
    fn iteration(&mut self, iteration: &Iteration<'_, M>) -> ControlFlow<()> {
        let decided = score::plies_to_end(iteration.score).is_some();
        let elapsed = self.start.elapsed();
        if decided || self.pace.as_mut().is_some_and(|pace| !pace.allows_iteration(iteration, elapsed)) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn look(&mut self, _nodes: u64) -> ControlFlow<()> {
        let over = self.ending.is_due(self.start)
            || self.pace.as_ref().is_some_and(|pace| pace.is_used_up(self.start.elapsed()));
        if over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// What the players of the game call a side.
fn name<G: RegisteredGame>(side: Side) -> &'static str {
    G::SIDE_NAMES[side.index()]
}

/// The side of that name, or of its first letter.
fn colour<G: RegisteredGame>(word: Option<&&str>) -> Result<Side, String> {
    let word = word.map(|word| word.to_lowercase()).unwrap_or_default();
    let is_named = |side: &Side| !word.is_empty() && (word == name::<G>(*side) || word == name::<G>(*side)[..1]);
    let side = Side::BOTH.into_iter().find(is_named);
    side.ok_or_else(|| "a colour is white or black, w or b".to_owned())
}

fn number<N: std::str::FromStr>(words: &[&str], what: &str) -> Result<N, String> {
    match words {
        [word] => whole(word, what),
        _ => Err(format!("write one number: {what}")),
    }
}

fn whole<N: std::str::FromStr>(word: &str, what: &str) -> Result<N, String> {
    word.parse().map_err(|_| format!("{what}: {word:?} is not a number that fits"))
}

/// A time from a number of seconds. Clients send negative numbers when no time is left.
fn seconds(word: &str) -> Result<Duration, String> {
    let value: f64 = whole(word, "seconds")?;
    if value.is_nan() {
        return Err(format!("seconds: {word:?} is not a number that fits"));
    }
    Ok(Duration::try_from_secs_f64(value.max(0.0)).unwrap_or(Duration::MAX))
}
