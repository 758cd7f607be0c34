// SPDX-License-Identifier: GPL-3.0-or-later
//! A sample of a game: Connect Four. Two players drop discs into seven columns of six squares; four in a line win.
//! `cargo run --release --example connect_four` plays it and learns on it. docs/adding-a-game.md explains this file.

use std::error::Error;

use halfply_engine::base::mix::derive;
use halfply_engine::features::{Atom, AtomSet, ExtensionTable, Vocabulary};
use halfply_engine::game::{Game, MoveContext, Notation, NotationError, Outcome, Side, Symmetry, Tactics};
use halfply_engine::history::History;
use halfply_engine::search::{Evaluator, Limits, Root, Score, Searcher, Setup};
use halfply_lab::learn::{Findings, Recipe, listing, searches::TestBed};
use halfply_lab::report::terminal;
use halfply_lab::suite::{Suite, generate, generate::Source};

/// The discs of both players. a1 is bit 0 and a2 is bit 8; bit 7 of each row is never set, so that no line leaves a side
/// and comes back on the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position([u64; 2]);

/// All squares.
const BOARD: u64 = 0x7F7F_7F7F_7F7F;
/// Nodes of each search.
const NODES: u64 = 500;

/// Lines of four in a set of squares: to the right, up, and aslant.
fn lines(squares: u64) -> u32 {
    let starts = |step: u32| squares & squares >> step & squares >> (2 * step) & squares >> (3 * step);
    [1, 8, 7, 9].into_iter().map(|step| starts(step).count_ones()).sum()
}

/// Whether the player's next disc could complete a line.
fn threatens(position: &Position, player: Side) -> bool {
    ConnectFour::generate(position).iter().any(|square| lines(position.0[player.index()] | 1 << square) > 0)
}

/// The evaluation, in hundredths for the side to move: the lines that the opponent has not blocked yet.
fn open_lines(position: &Position) -> Score {
    let [first, second] = position.0.map(|discs| lines(BOARD & !discs) as Score);
    if ConnectFour::to_move(position) == Side::White { 10 * (second - first) } else { 10 * (first - second) }
}

/// What is true of a move or not.
const ATOMS: &[Atom] = &[
    Atom::new("Thr", "threatens to complete a line with the next disc"),
    Atom::new("Blk", "takes a square on which the opponent would have completed a line"),
    Atom::new("Top", "lands on the opponent's last disc"),
    Atom::new("Mid", "in one of the three columns in the middle"),
];

/// The game.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConnectFour;

impl Game for ConnectFour {
    type Position = Position;
    /// The square on which the disc lands.
    type Move = u8;
    type Moves = Vec<u8>;

    const NAME: &'static str = "connect-four";
    const VOCABULARY: Vocabulary = Vocabulary::new(Self::NAME, ATOMS);

    fn start() -> Position {
        Position::default()
    }

    fn to_move(position: &Position) -> Side {
        let [first, second] = position.0.map(u64::count_ones);
        if first == second { Side::White } else { Side::Black }
    }

    /// Only the last disc can have completed a line.
    fn decided(position: &Position) -> Option<Outcome> {
        let opponent = Self::to_move(position).other();
        (lines(position.0[opponent.index()]) > 0).then_some(Outcome::Loss)
    }

    fn generate(position: &Position) -> Vec<u8> {
        let discs = position.0[0] | position.0[1];
        let open = !discs & BOARD & (discs << 8 | 0x7F);
        (0..48).filter(|square| open >> square & 1 == 1).collect()
    }

    /// The board is full.
    fn stuck(_position: &Position) -> Outcome {
        Outcome::Draw
    }

    fn play(position: &mut Position, square: u8) {
        position.0[Self::to_move(position).index()] |= 1 << square;
    }

    fn key(position: &Position) -> u64 {
        derive(position.0[0], position.0[1])
    }

    fn squares(square: u8) -> Option<[u8; 2]> {
        Some([square, square])
    }

    /// For atoms that are written as clauses.
    fn occupied(position: &Position) -> [u64; 2] {
        position.0
    }

    /// An atom's number is its place in the vocabulary.
    fn atoms(context: &MoveContext<'_, Self>, wanted: AtomSet) -> AtomSet {
        let (us, square) = (Self::to_move(context.before), context.mv);
        let holds = |atom: &usize| match atom {
            0 => threatens(context.after, us) && !threatens(context.before, us),
            1 => lines(context.before.0[us.other().index()] | 1 << square) > 0,
            2 => context.previous.is_some_and(|previous| previous + 8 == square),
            _ => (2..5).contains(&(square % 8)),
        };
        wanted.indices().filter(holds).map(AtomSet::single).collect()
    }
}

/// Nothing more is known of the game.
impl Tactics for ConnectFour {}
impl Symmetry for ConnectFour {}

impl Notation for ConnectFour {
    /// Six rows, the highest first, and who is to move; the other fields of a FEN are empty.
    fn format_position(position: &Position) -> String {
        let rows = Self::draw(position).replace(' ', "").replace('\n', "/");
        format!("{rows} {} - -", &Self::to_move(position).to_string()[..1])
    }

    fn parse_position(text: &str) -> Result<Position, NotationError> {
        let rows: Vec<&[u8]> = text.split([' ', '/']).take(6).map(str::as_bytes).collect();
        let at = |square: usize| rows.get(5 - square / 8).and_then(|row| row.get(square % 8));
        let discs = |symbol| (0..48).map(|square| u64::from(at(square) == Some(&symbol)) << square).sum();
        let position = Position([discs(b'x'), discs(b'o')]);
        let all = position.0[0] | position.0[1];
        let is_right = Self::format_position(&position) == text && all & !(all << 8 | 0x7F) == 0;
        is_right.then_some(position).ok_or_else(|| NotationError(format!("{text:?} is not a position of Connect Four")))
    }

    /// The column.
    fn format_move(_position: &Position, square: u8) -> String {
        char::from(b'a' + square % 8).to_string()
    }

    fn draw(position: &Position) -> String {
        let player = |square| position.0.iter().position(|discs| discs >> square & 1 == 1);
        let symbol = |square| player(square).map_or(".", |player| ["x", "o"][player]);
        let row = |row: u32| (8 * row..8 * row + 7).map(symbol).collect::<Vec<_>>().join(" ");
        (0..6).rev().map(row).collect::<Vec<_>>().join("\n")
    }
}

/// Who plays, and evaluates what is searched.
pub fn evaluation() -> Evaluator<ConnectFour> {
    Evaluator::built_in("open-lines", open_lines)
}

/// The best move by a search.
pub fn best(position: &Position, setup: &Setup) -> Option<u8> {
    evaluation().engine(setup).thinker().search(Root::bare(position), Limits::nodes(NODES), &mut ()).best
}

/// Positions of games in which one move alone wins, in seven plies, and in which the plain search chooses another one.
pub fn problems(count: u32) -> Result<Suite<ConnectFour>, Box<dyn Error>> {
    let source = Source { seed: 1, nodes: 100, plies: 7, budget: 20_000 };
    let lines = generate::run(&source, &[evaluation()], count, 1, |_| ())?;
    let mut suite = Suite::<ConnectFour>::parse(&lines.join("\n"), "own games")?;
    let plain = Setup::plain(ExtensionTable::default(), 1);
    suite.problems.retain(|problem| best(&problem.position, &plain).is_some_and(|mv| !problem.is_solved_by(mv)));
    Ok(suite)
}

/// Gradual Focus: which moves should cost half a ply? The table is empty, but may define atoms.
pub fn learn(suite: Suite<ConnectFour>, table: ExtensionTable) -> Result<Findings, Box<dyn Error>> {
    let searcher = Searcher { evaluation: evaluation(), setup: Setup::plain(table, 1) };
    Ok(halfply_lab::learn::run(&TestBed { suite, searcher, nodes: NODES }, &Recipe::default(), |_| ())?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut game = History::<ConnectFour>::new(ConnectFour::start());
    while let Some(mv) = best(game.position(), &Setup::full()) {
        game.play(mv);
    }
    println!("A game of the full search:\n{}\n", ConnectFour::draw(game.position()));
    let suite = problems(200)?;
    let findings = learn(suite.clone(), ExtensionTable::default())?;
    println!("{}\n", terminal::markdown(&listing::features(&findings, &ConnectFour::VOCABULARY)));
    let learned = findings.outcome.output()[0];
    let Some(problem) = learned.worth.solved.first().map(|&place| &suite.problems[place]) else { return Ok(()) };
    println!("{}", ConnectFour::draw(&problem.position));
    for setup in [Setup::plain(ExtensionTable::default(), 1), Setup::plain(learned.table.clone(), 1), Setup::full()] {
        let table = setup.table.summary(&ConnectFour::VOCABULARY);
        let solved = best(&problem.position, &setup).is_some_and(|mv| problem.is_solved_by(mv));
        let verdict = if solved { "solved" } else { "not solved" };
        println!("{} search, extensions {table}: {verdict}", setup.profile.name());
    }
    Ok(())
}
