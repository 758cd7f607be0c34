// SPDX-License-Identifier: GPL-3.0-or-later
//! A game that is written down in clauses and nowhere else: nothing below knows a rule of Knightthrough, of
//! `knightthrough.theory`. `cargo run --release --example knightthrough` plays it, derives atoms of its moves from the clauses,
//! learns with them which moves deserve a deeper look, and plays what it found against the same search without it.
//!
//! A theory is a game if it says where pieces stand at first, `begins(Player, Square)`, what is legal, `legal_move`, what a
//! move changes, `:- after`, and who has won, `goal(Player)`. Who cannot move has lost.

use std::error::Error;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::sync::{Arc, LazyLock};

use halfply_engine::base::bits::ones;
use halfply_engine::base::mix::derive;
use halfply_engine::features::{ExtensionTable, Vocabulary};
use halfply_engine::game::{Game, Notation, NotationError, Outcome, Side, Symmetry, Tactics};
use halfply_engine::history::History;
use halfply_engine::patterns::board::square_name;
use halfply_engine::patterns::clauses::{Rule, Term};
use halfply_engine::patterns::unfold::{Limits as Unfolding, unfold};
use halfply_engine::patterns::{self, Content, MoveAtoms, Pattern, Theory};
use halfply_engine::search::{Evaluator, Limits, Root, Score, Searcher, Setup};
use halfply_lab::learn::derived::{Games, Selection, select};
use halfply_lab::learn::{Findings, Recipe, listing, searches::TestBed};
use halfply_lab::report::terminal;
use halfply_lab::suite::{Problem, Suite, generate, generate::Source};

/// Nodes of each search.
const NODES: u64 = 20_000;

/// What a theory says of its game, unfolded.
#[derive(Debug)]
pub struct Rules {
    theory: Theory,
    start: Pattern,
    /// By player, as all below: the moves that may be legal somewhere, by the square they start from.
    moves: [Vec<Origin>; 2],
    /// Who has one of these has won.
    goals: [Vec<Pattern>; 2],
}

/// The moves from a square, each with the patterns in which it is legal.
#[derive(Debug)]
struct Origin {
    /// What all of these patterns say of the square.
    needed: Pattern,
    moves: Vec<(Move, Vec<Pattern>)>,
}

impl Rules {
    /// The rules in a text.
    pub fn parse(text: &str) -> Result<Self, Box<dyn Error>> {
        let theory = Theory::parse(text, "the rules")?;
        let arity = |name: &str| Some(theory.predicates.iter().find(|predicate| predicate.name == name)?.arity);
        let puts = arity("legal_move").ok_or("there is no legal_move")? == 2;
        let (mut moves, mut goals, mut start) =
            ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()], Pattern::default());
        for (side, player) in theory.players.map(|number| &theory.constants[usize::from(number)]).iter().enumerate() {
            for from in theory.board.squares() {
                let begins = format!("begins({player}, {})", square_name(from));
                if arity("begins").is_some() && !unfolded(&theory, &begins)?.is_empty() {
                    let content = [Content::First, Content::Second][side];
                    start = start.with(content, from).ok_or("both players begin on one square")?;
                }
                moves[side].extend(Origin::of(&theory, player, from, puts)?);
            }
            goals[side] = unfolded(&theory, &format!("goal({player})"))?;
        }
        let blank = theory.board.squares().filter(|square| start.squares() >> square & 1 == 0);
        let start = blank.fold(start, |start, square| start.with(Content::Blank, square).unwrap_or(start));
        Ok(Self { theory, start, moves, goals })
    }
}

impl Origin {
    /// The moves of a player from a square; none if there are none. A piece that is put starts where it lands.
    fn of(theory: &Theory, player: &str, from: u8, puts: bool) -> Result<Option<Self>, Box<dyn Error>> {
        let mut moves = Vec::new();
        for to in theory.board.squares().filter(|&to| !puts || to == from) {
            let squares = [from, to].map(square_name);
            let mut words: Vec<&str> = squares[usize::from(puts)..].iter().map(String::as_str).collect();
            words.push(player);
            let when = unfolded(theory, &format!("legal_move({})", words.join(", ")))?;
            if !when.is_empty() {
                let then = effects(theory, &words).ok_or("a move has contradictory effects")?;
                moves.push((Move { squares: [from, to], then }, when));
            }
        }
        let says = moves.iter().flat_map(|(_, when)| when).map(|pattern| pattern.on(1 << from));
        let needed = says.reduce(|one, other| if one == other { one } else { Pattern::default() });
        Ok(needed.map(|needed| Self { needed, moves }))
    }
}

/// The patterns in which a feature is true.
fn unfolded(theory: &Theory, feature: &str) -> Result<Vec<Pattern>, Box<dyn Error>> {
    Ok(unfold(theory, &theory.feature(feature)?, Unfolding::of_patterns(10_000))?.patterns.into_iter().collect())
}

/// What is on the board after the legal move with these arguments; none if two effects contradict each other.
fn effects(theory: &Theory, move_words: &[&str]) -> Option<Pattern> {
    let mut then = Pattern::default();
    for Rule { head, body, .. } in &theory.effects {
        let [cause] = &body[..] else { continue };
        let is_it = |(term, word): (&Term, &&str)| match *term {
            Term::Constant(number) => theory.constants[usize::from(number)] == **word,
            Term::Variable(_) => true,
        };
        if theory.predicates[cause.predicate].name != "legal_move" || !cause.terms.iter().zip(move_words).all(is_it) {
            continue;
        }
        let word = |term: &Term| match *term {
            Term::Constant(number) => Some(&theory.constants[usize::from(number)][..]),
            Term::Variable(_) => Some(move_words[cause.terms.iter().position(|other| other == term)?]),
        };
        let words: Vec<&str> = head.terms.iter().map(word).collect::<Option<_>>()?;
        let square = patterns::board::square_named(words.last()?)?;
        let is_first = |word: &str| word == theory.constants[usize::from(theory.players[0])];
        let content = match words[..] {
            [player, _] if is_first(player) => Content::First,
            [_, _] => Content::Second,
            _ => Content::Blank,
        };
        then = then.with(content, square)?;
    }
    Some(then)
}

/// A game with its rules.
pub trait Clauses: Copy + Debug + Default + Send + Sync + 'static {
    /// Its name.
    const TITLE: &'static str;

    /// Its rules.
    fn rules() -> &'static Rules;
}

/// The game of these clauses.
#[derive(Clone, Copy, Debug, Default)]
pub struct InClauses<C>(PhantomData<C>);

/// What is on each square, and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    facts: Pattern,
    side: Side,
}

/// A move: its squares, and what is on the squares that it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    squares: [u8; 2],
    then: Pattern,
}

fn is_any_there(patterns: &[Pattern], facts: Pattern) -> bool {
    patterns.iter().any(|pattern| pattern.is_part_of(facts))
}

impl<C: Clauses> Game for InClauses<C> {
    type Position = Position;
    type Move = Move;
    type Moves = Vec<Move>;

    const NAME: &'static str = C::TITLE;
    const VOCABULARY: Vocabulary = Vocabulary::new(Self::NAME, &[]);

    fn start() -> Position {
        Position { facts: C::rules().start, side: Side::White }
    }

    fn to_move(position: &Position) -> Side {
        position.side
    }

    fn decided(position: &Position) -> Option<Outcome> {
        let has_won = |side: Side| is_any_there(&C::rules().goals[side.index()], position.facts);
        let lost = has_won(position.side.other()).then_some(Outcome::Loss);
        lost.or_else(|| has_won(position.side).then_some(Outcome::Win))
    }

    fn generate(position: &Position) -> Vec<Move> {
        let mut moves = Vec::with_capacity(64);
        for origin in &C::rules().moves[position.side.index()] {
            if !origin.needed.is_part_of(position.facts) {
                continue;
            }
            for (mv, when) in &origin.moves {
                if is_any_there(when, position.facts) {
                    moves.push(*mv);
                }
            }
        }
        moves
    }

    fn play(position: &mut Position, mv: Move) {
        let left = position.facts.on(!mv.then.squares());
        *position = Position { facts: left.and(mv.then).unwrap_or(left), side: position.side.other() };
    }

    fn key(position: &Position) -> u64 {
        let [first, second] = Self::occupied(position);
        derive(derive(first, second), position.side.index() as u64)
    }

    fn squares(mv: Move) -> Option<[u8; 2]> {
        Some(mv.squares)
    }

    fn occupied(position: &Position) -> [u64; 2] {
        [Content::First, Content::Second].map(|content| position.facts.set(content))
    }
}

/// Nothing more is known of the game.
impl<C: Clauses> Tactics for InClauses<C> {}
impl<C: Clauses> Symmetry for InClauses<C> {}

impl<C: Clauses> Notation for InClauses<C> {
    /// The squares of the first player, those of the second, and who is to move.
    fn format_position(position: &Position) -> String {
        let list = |set| ones(set).map(|square| square_name(square as u8)).collect::<String>();
        let [first, second] = Self::occupied(position).map(list);
        format!("{first}/{second} {} - -", &position.side.to_string()[..1])
    }

    fn parse_position(text: &str) -> Result<Position, NotationError> {
        let (board, side) = (C::rules().theory.board, if text.contains(" b ") { Side::Black } else { Side::White });
        let lists: Vec<&str> = text.split([' ', '/']).take(2).collect();
        let has = |list: usize, square| {
            let word = square_name(square).into_bytes();
            lists.get(list).is_some_and(|list| list.as_bytes().chunks(2).any(|other| other == word))
        };
        let content = |square| match [has(0, square), has(1, square)] {
            [true, _] => Content::First,
            [false, true] => Content::Second,
            [false, false] => Content::Blank,
        };
        let with = |facts: Pattern, square| facts.with(content(square), square).unwrap_or(facts);
        let position = Position { facts: board.squares().fold(Pattern::default(), with), side };
        let is_right = Self::format_position(&position) == text;
        is_right.then_some(position).ok_or_else(|| NotationError(format!("{text:?} is no position of {}", C::TITLE)))
    }

    fn format_move(_position: &Position, mv: Move) -> String {
        mv.squares.map(square_name).concat()
    }

    fn draw(position: &Position) -> String {
        let theory = &C::rules().theory;
        position.facts.draw(theory.board, theory.letters())
    }
}

/// The evaluation: a hundred for each piece, the only thing that clauses say of every position.
pub fn evaluation<C: Clauses>() -> Evaluator<InClauses<C>> {
    Evaluator::built_in("pieces", |position: &Position| {
        let [own, other] = [position.side, position.side.other()]
            .map(|side| InClauses::<C>::occupied(position)[side.index()].count_ones() as Score);
        100 * (own - other)
    })
}

/// Atoms that follow from the clauses.
pub fn atoms<C: Clauses>(text: &str) -> Result<(Selection, ExtensionTable), Box<dyn Error>> {
    let derived = patterns::derive(None, text, C::TITLE)?;
    let selection = select(&derived, 40, Games { count: 60, nodes: 300, seed: 1 }, &evaluation::<C>())?;
    let atoms = MoveAtoms::parse(None, &selection.text, C::TITLE, &[])?;
    let table = ExtensionTable::default().with_own(Some(Arc::new(atoms)));
    Ok((selection, table))
}

/// Positions of its own games in which one move alone wins, in five plies, and in which the search without a table chooses
/// another one.
pub fn problems<C: Clauses>(count: u32) -> Result<Suite<InClauses<C>>, Box<dyn Error>> {
    let source = Source { seed: 1, nodes: 100, plies: 5, budget: 20_000 };
    let lines = generate::run(&source, &[evaluation::<C>()], count, 1, |_| ())?;
    let mut suite = Suite::<InClauses<C>>::parse(&lines.join("\n"), "own games")?;
    suite.problems.retain(|problem| !solves(&ExtensionTable::default(), problem));
    Ok(suite)
}

/// Whether the search with a table solves a problem.
pub fn solves<C: Clauses>(table: &ExtensionTable, problem: &Problem<InClauses<C>>) -> bool {
    let mut thinker = evaluation::<C>().engine(&Setup::plain(table.clone(), 1)).thinker();
    let best = thinker.search(Root::bare(&problem.position), Limits::nodes(NODES), &mut ()).best;
    best.is_some_and(|mv| problem.is_solved_by(mv))
}

/// Gradual Focus: which moves should cost half a ply? The table is empty and defines the atoms.
pub fn learn<C: Clauses>(suite: Suite<InClauses<C>>, table: ExtensionTable) -> Result<Findings, Box<dyn Error>> {
    let searcher = Searcher { evaluation: evaluation::<C>(), setup: Setup::plain(table, 1) };
    Ok(halfply_lab::learn::run(&TestBed { suite, searcher, nodes: NODES }, &Recipe::default(), |_| ())?)
}

/// The games that a table wins and loses against none, with the same nodes, from random openings with either side.
pub fn games<C: Clauses>(table: &ExtensionTable, pairs: u64) -> [u32; 2] {
    let mut results = [0; 2];
    for game in 0..2 * pairs {
        let engine = |table: &ExtensionTable| evaluation::<C>().engine(&Setup::plain(table.clone(), game)).thinker();
        let mut players = [engine(table), engine(&ExtensionTable::default())];
        let mut history = History::<InClauses<C>>::new(InClauses::<C>::start());
        while history.outcome().is_none() {
            let ply = history.moves().len() as u64;
            let moves = history.legal_moves();
            let player = &mut players[(ply + game) as usize % 2];
            let best = (ply >= 6).then(|| player.search(history.root(), Limits::nodes(NODES), &mut ()).best).flatten();
            history.play(best.unwrap_or(moves[derive(game / 2, ply) as usize % moves.len()]));
        }
        if let Some(winner) = history.winner() {
            results[(winner.index() + game as usize) % 2] += 1;
        }
    }
    results
}

/// The theory.
pub const THEORY: &str = include_str!("knightthrough.theory");

/// Knightthrough.
#[derive(Clone, Copy, Debug, Default)]
pub struct Knightthrough;

impl Clauses for Knightthrough {
    const TITLE: &'static str = "knightthrough";

    fn rules() -> &'static Rules {
        static RULES: LazyLock<Rules> =
            LazyLock::new(|| Rules::parse(THEORY).expect("the theory is part of the example"));
        &RULES
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{}\n", InClauses::<Knightthrough>::draw(&InClauses::<Knightthrough>::start()));
    let (selection, table) = atoms::<Knightthrough>(THEORY)?;
    println!("{} atoms follow from the rules, {} are kept", selection.derived, selection.kept.len());
    let findings = learn(problems::<Knightthrough>(120)?, table.clone())?;
    let vocabulary = table.vocabulary(&InClauses::<Knightthrough>::VOCABULARY);
    println!("{}\n", terminal::markdown(&listing::features(&findings, &vocabulary)));
    let output = findings.outcome.output();
    let most = output[0].worth.value;
    for best in output.iter().take_while(|feature| feature.worth.value == most) {
        let learned = best.table.clone().with_own(table.own().cloned());
        let [won, lost] = games::<Knightthrough>(&learned, 200);
        println!("{}: won {won}, lost {lost} games against no extensions", learned.summary(&vocabulary));
    }
    Ok(())
}
