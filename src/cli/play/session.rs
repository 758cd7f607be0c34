// SPDX-License-Identifier: GPL-3.0-or-later
//! A game between a person, who types moves and commands, and a search.

use std::io::{self, BufRead, Write};
use std::ops::ControlFlow;

use crate::cli::explain::explain;
use crate::cli::output::WidthArg;
use halfply_engine::base::figures::thousands;
use halfply_engine::base::line::next_line;
use halfply_engine::game::{Side, legal_moves, line_texts};
use halfply_engine::games::{RegisteredGame, strength};
use halfply_engine::history::History;
use halfply_engine::protocol::UciScore;
use halfply_engine::protocol::uci_score::in_units;
use halfply_engine::search::{Iteration, Limits, Report, Searcher, Setup, Thinker, Watcher, score};
use halfply_lab::report::board::{self, Squares};
use halfply_lab::report::coloured;

/// The most bytes of a line that are read; no move and no command is as long.
const LONGEST_LINE: usize = 1000;

/// What can be entered besides a move.
const COMMANDS: &str = "  hint     what the search would play
  why      each legal move: its atoms, the row of the table that decides, its cost
  moves    the legal moves
  undo     take your last move back, and the answer to it
  go       the program plays this side from now on; you play the other
  flip     show the board from the other side
  fen      the position
  new      another game
  quit     the end";

/// How to play.
pub struct Settings<G: RegisteredGame> {
    /// The search.
    pub searcher: Searcher<G>,
    /// Nodes a move.
    pub nodes: u64,
    /// The Elo of its moves, if its strength is limited; hints are of full strength.
    pub elo: Option<u32>,
    /// Whether a person plays White, and Black.
    pub people: [bool; 2],
    /// Whether the board has colours.
    pub coloured: bool,
    /// The width of tables.
    pub width: WidthArg,
}

/// A game under way.
pub struct Session<G: RegisteredGame, W: Write> {
    history: History<G>,
    settings: Settings<G>,
    /// What plays, and what gives hints.
    player: Box<dyn Thinker<G>>,
    adviser: Box<dyn Thinker<G>>,
    flipped: bool,
    output: W,
}

impl<G: RegisteredGame, W: Write> Session<G, W> {
    /// A game that continues from here.
    pub fn new(history: History<G>, settings: Settings<G>, output: W) -> Self {
        let Searcher { evaluation, setup } = &settings.searcher;
        let thinker = |strength| evaluation.engine(&Setup { strength, ..setup.clone() }).thinker();
        let strength = settings.elo.and_then(|elo| strength::of(G::STRENGTHS, elo));
        let (player, adviser) = (thinker(strength), thinker(None));
        let flipped = settings.people == [false, true];
        Self { history, settings, player, adviser, flipped, output }
    }

    /// Plays until `quit` or the end of the input.
    ///
    /// # Errors
    /// If the input cannot be read or the output cannot be written.
    pub fn run(mut self, mut input: impl BufRead) -> io::Result<()> {
        self.introduce()?;
        self.show()?;
        loop {
            while self.history.outcome().is_none() && !self.settings.people[self.side().index()] {
                self.answer()?;
            }
            write!(self.output, "> ")?;
            self.output.flush()?;
            let Some(line) = read_line(&mut input)? else { return writeln!(self.output) };
            if self.obey(line.trim())?.is_break() {
                return Ok(());
            }
        }
    }

    fn side(&self) -> Side {
        G::to_move(self.history.position())
    }

    /// Says who plays what, who begins and what to enter.
    fn introduce(&mut self) -> io::Result<()> {
        let [first, second] = G::SIDE_NAMES;
        let begins = self.name(self.side());
        if let Some(elo) = self.settings.elo {
            writeln!(self.output, "The program plays at about {elo} Elo: {}.", strength::title(elo))?;
        }
        match self.settings.people {
            [true, true] => writeln!(self.output, "You play both sides; {begins} is to move.")?,
            [false, false] => return writeln!(self.output, "The program plays both sides; {begins} is to move."),
            [is_first, _] => {
                let (yours, other) = if is_first { (first, second) } else { (second, first) };
                writeln!(self.output, "You play {yours}, the program plays {other}; {begins} is to move.")?;
            }
        }
        let example = self.example();
        writeln!(self.output, "Enter a move, such as {example}, or help for a list of commands.")
    }

    /// A move that can be entered here, or one of the first position.
    fn example(&self) -> String {
        let start = G::start();
        let positions = [self.history.position(), &start];
        let name = |position: &G::Position| Some(G::text_move(position, *legal_moves::<G>(position).first()?));
        positions.into_iter().find_map(name).unwrap_or_default()
    }

    /// What people call a side.
    fn name(&self, side: Side) -> &'static str {
        G::SIDE_NAMES[side.index()]
    }

    /// Does what a line says.
    fn obey(&mut self, line: &str) -> io::Result<ControlFlow<()>> {
        match line {
            "" => {}
            "quit" | "exit" => return Ok(ControlFlow::Break(())),
            "help" | "?" => writeln!(self.output, "Enter a move, such as {}, or one of\n{COMMANDS}", self.example())?,
            "fen" => writeln!(self.output, "{}", G::format_position(self.history.position()))?,
            "moves" => self.list_moves()?,
            "hint" => self.hint()?,
            "why" => self.explain()?,
            "undo" => self.undo()?,
            "go" => self.change_sides(),
            "flip" => {
                self.flipped = !self.flipped;
                self.show()?;
            }
            "new" => {
                self.history = History::new(self.history.positions()[0].clone());
                self.player.forget();
                self.adviser.forget();
                self.show()?;
            }
            text => self.play(text)?,
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Plays the person's move.
    fn play(&mut self, text: &str) -> io::Result<()> {
        if self.history.outcome().is_some() {
            return writeln!(self.output, "the game is over: undo, new, or quit");
        }
        match G::parse_move(self.history.position(), text) {
            Ok(mv) => {
                self.history.play(mv);
                self.show()
            }
            Err(error) => writeln!(self.output, "{error} (or type help)"),
        }
    }

    /// Plays the program's move.
    fn answer(&mut self) -> io::Result<()> {
        let report = search(&mut *self.player, &self.history, self.settings.nodes);
        // A search finds a move in every position that has one.
        let mv = report.best.unwrap_or_else(|| self.history.legal_moves()[0]);
        let (name, thought) = (G::record_move(self.history.position(), mv), self.thought(&report));
        writeln!(self.output, "{} plays {name} ({thought})", self.name(self.side()))?;
        self.history.play(mv);
        self.show()
    }

    /// What a search found, seen by the side to move.
    fn thought(&self, report: &Report<G::Move>) -> String {
        let value = match UciScore::of(report.score, self.settings.searcher.evaluation.unit()) {
            UciScore::Centipawns(hundredths) => in_units::<G>(hundredths),
            UciScore::Mate(moves) if moves > 0 => format!("wins in {moves}"),
            UciScore::Mate(moves) => format!("loses in {}", -moves),
        };
        format!("{value}, depth {}, {} nodes", report.depth, thousands(report.nodes))
    }

    fn hint(&mut self) -> io::Result<()> {
        if self.history.outcome().is_some() {
            return self.tell_end();
        }
        let report = search(&mut *self.adviser, &self.history, self.settings.nodes);
        let line = line_texts::<G>(self.history.position(), &report.line, G::record_move).join(" ");
        writeln!(self.output, "{line} ({})", self.thought(&report))
    }

    fn explain(&mut self) -> io::Result<()> {
        if self.history.outcome().is_some() {
            return self.tell_end();
        }
        let previous = self.history.moves().last().copied();
        let listing = explain::<G>(self.history.position(), previous, &self.settings.searcher.setup.table);
        writeln!(self.output, "{}", self.settings.width.fit(&listing))
    }

    fn list_moves(&mut self) -> io::Result<()> {
        let position = self.history.position();
        let names: Vec<_> = self.history.legal_moves().iter().map(|&mv| G::text_move(position, mv)).collect();
        writeln!(self.output, "{}", names.join(" "))
    }

    /// Takes moves back until a person is to move before them.
    fn undo(&mut self) -> io::Result<()> {
        if self.history.undo().is_none() {
            return writeln!(self.output, "no move has been played");
        }
        while self.settings.people != [false; 2] && !self.settings.people[self.side().index()] {
            if self.history.undo().is_none() {
                break;
            }
        }
        self.show()
    }

    /// Gives the side to move to the program and the other one to the person.
    fn change_sides(&mut self) {
        let own = self.side().index();
        self.settings.people = [own != 0, own != 1];
    }

    /// Shows the board, and the result if the game is over.
    fn show(&mut self) -> io::Result<()> {
        let position = self.history.position();
        let drawing = G::draw(position);
        if self.settings.coloured {
            let fen = G::format_position(position);
            let ranks = board::ranks(&drawing, board::rows(&fen).len());
            writeln!(self.output, "\n{}", coloured::board(&fen, &ranks, &self.last_squares(), self.flipped))?;
            let turn = self.name(self.side());
            match G::counts(position) {
                Some(counts) => {
                    let [first, second] = G::SIDE_NAMES;
                    writeln!(self.output, "{first} {}, {second} {}, {turn} to move", counts[0], counts[1])?;
                }
                None => writeln!(self.output, "{turn} to move")?,
            }
        } else {
            let drawing = if self.flipped { turned(&drawing) } else { drawing };
            writeln!(self.output, "\n{drawing}")?;
        }
        self.tell_end()
    }

    /// The squares of the last move.
    fn last_squares(&self) -> Vec<String> {
        let Some((mv, before)) = self.history.moves().iter().zip(self.history.positions()).last() else {
            return Vec::new();
        };
        let Squares { from, to } = Squares::of_move(&G::format_move(before, *mv));
        [from, to].into_iter().flatten().collect()
    }

    fn tell_end(&mut self) -> io::Result<()> {
        let Some(reason) = self.history.ending() else { return Ok(()) };
        let winner = self.history.winner();
        let counts = G::counts(self.history.position()).map_or_else(String::new, |[first, second]| {
            let [more, less] = if winner == Some(Side::Black) { [second, first] } else { [first, second] };
            format!(" {more}–{less}")
        });
        match winner {
            Some(winner) => writeln!(self.output, "{} wins{counts}: {reason}", self.name(winner)),
            None => writeln!(self.output, "a draw{counts}: {reason}"),
        }
    }
}

fn search<G: RegisteredGame>(thinker: &mut dyn Thinker<G>, history: &History<G>, nodes: u64) -> Report<G::Move> {
    thinker.search(history.root(), Limits::nodes(nodes), &mut UntilDecided)
}

/// Ends a search when the game is decided: more nodes would not change that.
struct UntilDecided;

impl<M> Watcher<M> for UntilDecided {
    fn iteration(&mut self, iteration: &Iteration<'_, M>) -> ControlFlow<()> {
        if score::plies_to_end(iteration.score).is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// The next line of the input, without what is beyond the longest; none at its end.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    Ok(next_line(input, LONGEST_LINE)?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

/// A board drawn as a text, from the other side. Its lines begin with a number, or with nothing before the names of files, and
/// two blanks.
fn turned(drawing: &str) -> String {
    let is_rank = |line: &&str| line.starts_with(|c: char| c.is_ascii_digit());
    let backwards = |(rank, cells): (&str, &str)| {
        let cells: Vec<&str> = cells.split_whitespace().rev().collect();
        format!("{rank:1}  {}", cells.join(" "))
    };
    let mut ranks = drawing.lines().filter(is_rank).rev();
    let lines = drawing.lines().map(|line| {
        let shown = if is_rank(&line) { ranks.next().unwrap_or_default() } else { line };
        shown.split_once("  ").map_or_else(|| line.to_owned(), backwards)
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::game::{Game, Notation};
    use halfply_engine::games::{Breakthrough, Othello};

    #[test]
    fn a_drawing_is_turned() {
        let drawing = Breakthrough::draw(&Breakthrough::parse_position("8/6p1/8/8/8/8/1P6/8 w").unwrap());
        let turned = turned(&drawing);
        let lines: Vec<&str> = turned.lines().collect();
        assert_eq!((lines[1], lines[6]), ("2  . . . . . . P .", "7  . p . . . . . ."), "{turned}");
        assert_eq!(lines[8..], ["   h g f e d c b a", "white to move"]);
        assert_eq!(super::turned(&turned), drawing);
        let othello = Othello::draw(&Othello::start());
        assert_eq!(super::turned(&super::turned(&othello)), othello);
    }
}
