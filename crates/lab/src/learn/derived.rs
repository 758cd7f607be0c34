// SPDX-License-Identifier: GPL-3.0-or-later
//! Which derived atoms are worth learning with, and which of them are never combined: measured on the moves of games.

use halfply_engine::base::data_file::DataFileError;
use halfply_engine::base::mix::derive as derived_seed;
use halfply_engine::features::ExtensionTable;
use halfply_engine::game::{Game, MoveContext, after, legal_moves, outcome};
use halfply_engine::patterns::{Derived, MoveAtoms, Proofs, Seen};
use halfply_engine::search::extend::seen;
use halfply_engine::search::{Evaluator, Limits, Root, Setup};

/// Atoms that are evaluated together: one bit each.
const TOGETHER: usize = 64;
/// Atoms that fewer moves have than one in so many say nothing.
const RARE: usize = 500;
/// Nor do atoms that more than this share of the moves have: to extend these is to extend everything.
const FREQUENT: f64 = 0.9;
/// Two atoms exclude each other if no move has both, though so many would if they were independent.
const EXPECTED: f64 = 10.0;
/// Random moves from a position of a game to the one whose moves are looked at.
const ASIDE: u64 = 2;
/// Random moves at the beginning of a game.
const RANDOM_PLIES: u64 = 6;

/// The games whose moves are looked at.
#[derive(Clone, Copy, Debug)]
pub struct Games {
    /// How many.
    pub count: u64,
    /// Nodes of the plain search a move.
    pub nodes: u64,
    /// The seed.
    pub seed: u64,
}

/// An atom that was kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// Its name.
    pub name: String,
    /// What it says.
    pub meaning: String,
    /// The share of the moves that have it.
    pub frequency: f64,
}

/// How many pairs of atoms were found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// All, on moves or by the rules.
    pub all: usize,
    /// Those that the rules prove.
    pub proved: usize,
}

impl Pairs {
    fn count(&mut self, is_measured: bool, is_proved: bool) -> bool {
        self.all += usize::from(is_measured || is_proved);
        self.proved += usize::from(is_proved);
        is_measured || is_proved
    }
}

/// The atoms that were kept, and why the others were not.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// The atoms that were derived.
    pub derived: usize,
    /// Those that unfold to too much.
    pub too_large: usize,
    /// Those that hardly any move has, or nearly all have: to extend these would be to extend nothing or everything.
    pub constant: usize,
    /// Those that the same moves have as a simpler one.
    pub equal: usize,
    /// Those most like simpler ones, of which there would have been too many.
    pub similar: usize,
    /// The moves that were looked at.
    pub moves: usize,
    /// Those that are left.
    pub kept: Vec<Kept>,
    /// Pairs of them that exclude each other.
    pub excluded: Pairs,
    /// Pairs of which one implies the other.
    pub implied: Pairs,
    /// The theory of those that are left, with the groups that were found.
    pub text: String,
}

/// A derived atom, and which moves have it.
struct Column {
    place: usize,
    kept: Kept,
    bits: Vec<u64>,
    count: usize,
}

/// Keeps at most `most` of the atoms, by moves of games that are played with that evaluation.
///
/// # Errors
/// If a derived atom cannot be used: it unfolds to too much.
pub fn select<G: Game>(
    derived: &Derived,
    most: usize,
    games: Games,
    evaluation: &Evaluator<G>,
) -> Result<Selection, DataFileError> {
    let moves = moves(games, evaluation);
    let mut columns = Vec::new();
    let places: Vec<usize> = (0..derived.atoms.len()).collect();
    for together in places.chunks(TOGETHER) {
        measure(derived, together, &moves, &mut columns);
    }
    let too_large = derived.atoms.len() - columns.len();
    let (rare, frequent) = (moves.len().div_ceil(RARE), (FREQUENT * moves.len() as f64) as usize);
    columns.retain(|column| (rare..=frequent).contains(&column.count));
    let constant = derived.atoms.len() - too_large - columns.len();
    let mut different: Vec<Column> = Vec::new();
    for column in columns {
        if different.iter().all(|other| other.bits != column.bits) {
            different.push(column);
        }
    }
    let equal = derived.atoms.len() - too_large - constant - different.len();
    let before = different.len();
    reduce(&mut different, most, moves.len());
    let similar = before - different.len();
    let mut directives: Vec<String> = different.iter().map(|column| derived.atoms[column.place].clone()).collect();
    let atoms = read(derived, &directives)?;
    let (never, excluded, implied) = groups(&different, moves.len(), &Proofs::new(&atoms));
    let names =
        |set: &Vec<usize>| set.iter().map(|&place| &different[place].kept.name[..]).collect::<Vec<_>>().join(", ");
    directives.extend(never.iter().map(|set| format!(":- never {}.", names(set))));
    let text = read(derived, &directives)?.text(u64::MAX);
    let kept = different.into_iter().map(|column| column.kept).collect();
    let (derived, moves) = (derived.atoms.len(), moves.len());
    Ok(Selection { derived, too_large, constant, equal, similar, moves, kept, excluded, implied, text })
}

/// Finds out which moves have these atoms. Those that cannot be unfolded, together or alone, are left out.
fn measure(derived: &Derived, places: &[usize], moves: &[Seen], columns: &mut Vec<Column>) {
    let directives: Vec<String> = places.iter().map(|&place| derived.atoms[place].clone()).collect();
    let Ok(atoms) = read(derived, &directives) else {
        if places.len() > 1 {
            let (first, second) = places.split_at(places.len() / 2);
            measure(derived, first, moves, columns);
            measure(derived, second, moves, columns);
        }
        return;
    };
    let mut bits = vec![vec![0_u64; moves.len().div_ceil(64)]; places.len()];
    for (index, seen) in moves.iter().enumerate() {
        let found = atoms.of(seen).found(u64::MAX);
        for (place, bits) in bits.iter_mut().enumerate() {
            bits[index / 64] |= (found >> place & 1) << (index % 64);
        }
    }
    for ((&place, atom), bits) in places.iter().zip(atoms.atoms()).zip(bits) {
        let count = bits.iter().map(|word| word.count_ones() as usize).sum();
        let frequency = count as f64 / moves.len().max(1) as f64;
        let kept = Kept { name: atom.name.clone(), meaning: atom.meaning.clone(), frequency };
        columns.push(Column { place, kept, bits, count });
    }
}

fn read(derived: &Derived, directives: &[String]) -> Result<MoveAtoms, DataFileError> {
    MoveAtoms::parse(None, &format!("{}{}", derived.clauses, directives.join("\n")), "the derived atoms", &[])
}

/// What atoms depend on, of all legal moves of positions that are near those of games.
fn moves<G: Game>(games: Games, evaluation: &Evaluator<G>) -> Vec<Seen> {
    let mut all = Vec::new();
    for game in 0..games.count {
        let seed = derived_seed(games.seed, game);
        let mut thinker = evaluation.engine(&Setup::plain(ExtensionTable::default(), seed)).thinker();
        let mut position = G::start();
        for ply in 0..G::MAX_PLY as u64 {
            if outcome::<G>(&position).is_some() {
                break;
            }
            look::<G>(&position, derived_seed(seed, ply), &mut all);
            let chosen = if ply < RANDOM_PLIES {
                any::<G>(&position, derived_seed(seed, ply))
            } else {
                thinker.search(Root::bare(&position), Limits::nodes(games.nodes), &mut ()).best
            };
            let Some(mv) = chosen else { break };
            G::play(&mut position, mv);
        }
    }
    all
}

/// Looks at the moves of a position a few random moves further on: most of what a search meets are bad moves and the answers
/// to them.
fn look<G: Game>(position: &G::Position, seed: u64, all: &mut Vec<Seen>) {
    let (mut position, mut previous) = (position.clone(), None);
    for ply in 0..ASIDE {
        let Some(mv) = any::<G>(&position, derived_seed(!seed, ply)) else { return };
        G::play(&mut position, mv);
        previous = Some(mv);
    }
    for &mv in legal_moves::<G>(&position).iter() {
        let next = after::<G>(&position, mv);
        all.extend(seen(&MoveContext::<G>::new(&position, &next, mv, previous)));
    }
}

/// A random move.
fn any<G: Game>(position: &G::Position, seed: u64) -> Option<G::Move> {
    let moves = legal_moves::<G>(position);
    moves.get(seed as usize % moves.len().max(1)).copied()
}

/// Leaves out the later one of the two that are most alike, until there are few enough.
fn reduce(columns: &mut Vec<Column>, most: usize, moves: usize) {
    let likeness = |one: &Column, other: &Column| {
        let (a, b, both) = (one.count as f64, other.count as f64, shared(one, other) as f64);
        let n = moves as f64;
        (n * both - a * b) / (a * (n - a) * b * (n - b)).sqrt()
    };
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    if columns.len() > most {
        for later in 0..columns.len() {
            pairs.extend((0..later).map(|first| (likeness(&columns[first], &columns[later]), first, later)));
        }
        pairs.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.2.cmp(&other.2)));
    }
    let mut is_out = vec![false; columns.len()];
    let mut left = columns.len();
    for (_, first, later) in pairs {
        if left > most && !is_out[first] && !is_out[later] {
            is_out[later] = true;
            left -= 1;
        }
    }
    let mut place = 0;
    columns.retain(|_| {
        place += 1;
        !is_out[place - 1]
    });
    columns.truncate(most);
}

/// The moves that have both.
fn shared(one: &Column, other: &Column) -> usize {
    one.bits.iter().zip(&other.bits).map(|(one, other)| (one & other).count_ones() as usize).sum()
}

/// Sets of atoms of which no two are worth combining, and the numbers of pairs that exclude and imply each other. Together
/// they would be true of no move, or of the same moves as one of them alone.
fn groups(columns: &[Column], moves: usize, proofs: &Proofs<'_>) -> (Vec<Vec<usize>>, Pairs, Pairs) {
    let (mut excluded, mut implied) = (Pairs::default(), Pairs::default());
    let mut apart = vec![vec![false; columns.len()]; columns.len()];
    for (place, one) in columns.iter().enumerate() {
        for (further, other) in columns.iter().enumerate().skip(place + 1) {
            let both = shared(one, other);
            let expected = one.count as f64 * other.count as f64 / moves as f64;
            let is_excluded =
                excluded.count(both == 0 && expected >= EXPECTED, both == 0 && proofs.exclude(place, further));
            // As many moves have one without the other as would have, if they were independent.
            let (fewer, more) = (one.count.min(other.count), one.count.max(other.count));
            let outside = fewer as f64 * (moves - more) as f64 / moves as f64;
            let by_rules = |one: usize, other: usize, count| both == count && proofs.implies(one, other);
            let is_proved = by_rules(place, further, one.count) || by_rules(further, place, other.count);
            let is_implied = implied.count(both == fewer && outside >= EXPECTED, is_proved);
            apart[place][further] = is_excluded || is_implied;
            apart[further][place] = apart[place][further];
        }
    }
    // Greedy: each pair is the beginning of a set, unless it is in one.
    let mut sets: Vec<Vec<usize>> = Vec::new();
    for one in 0..columns.len() {
        for other in one + 1..columns.len() {
            if !apart[one][other] || sets.iter().any(|set| set.contains(&one) && set.contains(&other)) {
                continue;
            }
            let mut set = vec![one, other];
            for (further, apart_from) in apart.iter().enumerate() {
                // No atom is apart from itself.
                if set.iter().all(|&member| apart_from[member]) {
                    set.push(further);
                }
            }
            sets.push(set);
        }
    }
    (sets, excluded, implied)
}

#[cfg(test)]
#[path = "derived_tests.rs"]
mod tests;
