// SPDX-License-Identifier: GPL-3.0-or-later

use std::time::{Duration, Instant};

use super::*;
use crate::base::Depth;
use crate::features::{AtomSet, ExtensionTable, Row, file};
use crate::game::{Game, MoveContext, after, legal_moves};
use crate::games::{Breakthrough, Othello, RegisteredGame, random_game};
use crate::search::extend::{cost, own_atoms};

/// Atoms of the papers, each in a line or two of clauses.
const PAPERS: &str = r#"
:- atom Safe "nothing attacks the piece" if not protects(_, To, Them).
:- atom Takes if before owns(Them, To).
same(S, S) :- square(S).
:- atom Retakes if before owns(Them, To), same(To, Last).
near(P, S) :- last_row(P, S).
near(P, S) :- ahead(P, D), neighbor(S, D, T), last_row(P, T).
:- atom Near if near(Us, To).
onward(P, D) :- ahead(P, D).
onward(P, D) :- aslant(P, D).
clear(P, S, D) :- last_row(P, S), onward(P, D).
clear(P, S, D) :- neighbor(S, D, T), blank(T), clear(P, T, D).
free(From, To, P) :- owns(P, To), neighbor(From, D, To), clear(P, To, D).
:- atom Free if free(From, To, Us).
faces(P, S) :- ahead(P, D), neighbor(S, D, T), opponent(P, Opp), owns(Opp, T).
:- atom RoundIt if not protects(_, To, Them), faces(Us, To).
"#;

fn read<G: RegisteredGame>(text: &str) -> Result<MoveAtoms, String> {
    G::move_atoms(text, "mine").map_err(|error| error.to_string())
}

/// Calls a function with all moves of the positions of random games.
fn on_moves_of_games<G: Game>(games: u64, mut look: impl FnMut(&MoveContext<'_, G>)) {
    for seed in 0..games {
        let game = random_game::<G>(seed);
        let previous = [None].into_iter().chain(game.moves().iter().copied().map(Some));
        for (position, previous) in game.positions().iter().zip(previous).take(100) {
            for &mv in legal_moves::<G>(position).iter() {
                look(&MoveContext::new(position, &after::<G>(position, mv), mv, previous));
            }
        }
    }
}

/// What the text's atoms, and the game's of these names, say of the moves of random games.
fn compare<G: RegisteredGame>(text: &str, names: &[&str]) {
    let own = read::<G>(text).unwrap();
    let same: Vec<AtomSet> = names.iter().map(|name| G::VOCABULARY.parse(name).unwrap()).collect();
    let mut times = vec![[0; 2]; names.len()];
    on_moves_of_games::<G>(40, |context| {
        let (found, game) = (own_atoms(&own, context, AtomSet(u64::MAX)), G::atoms(context, G::VOCABULARY.all()));
        for (place, &atom) in same.iter().enumerate() {
            let has = game.contains(atom);
            let is_found = found.contains(AtomSet::single(own.first() + place));
            assert_eq!(is_found, has, "{} {:?}", names[place], context.mv);
            times[place][usize::from(has)] += 1;
        }
    });
    assert!(times.iter().flatten().all(|&times| times > 10), "{times:?}");
}

/// The table of all features of one atom of the game and one of the text, each at a cost of its own.
fn mixed_table(own: &MoveAtoms) -> ExtensionTable {
    let of_game: Vec<AtomSet> = (0..own.first()).map(AtomSet::single).collect();
    let of_file: Vec<AtomSet> = (0..own.atoms().len()).map(|place| AtomSet::single(own.first() + place)).collect();
    let pairs = of_game.iter().flat_map(|&first| of_file.iter().map(move |&second| first | second));
    let row = |(number, feature)| Row { feature, cost: Depth::hundredths(number) };
    let rows = (1..).zip(pairs.chain(of_file.iter().copied()).chain(of_game.iter().copied())).map(row).collect();
    ExtensionTable::new(rows).with_own(Some(std::sync::Arc::new(own.clone())))
}

#[test]
fn a_row_is_decided_as_if_all_atoms_were_known() {
    fn try_game<G: RegisteredGame>(text: &str) {
        let own = read::<G>(text).unwrap();
        let table = mixed_table(&own);
        let mut costs = BTreeSet::new();
        on_moves_of_games::<G>(20, |context| {
            let row = table.deciding_row(own_atoms(&own, context, table.wanted()));
            let expected = row.map_or((Depth::PLY, false), |row| (row.cost, true));
            assert_eq!(cost::<G>(&table, context), expected, "{:?}", context.mv);
            costs.insert(expected.0);
        });
        assert!(costs.len() > 5, "{costs:?}");
    }
    try_game::<Breakthrough>(PAPERS);
    try_game::<Othello>("corner(a1). corner(h8).\n:- atom Ends if corner(To).\n:- atom Held if owns(Us, To).");
}

#[test]
fn a_line_of_clauses_says_what_an_atom_in_code_says() {
    compare::<Breakthrough>(PAPERS, &["Ud", "C", "Rc", "RdTt", "PPm", "Udp"]);
    let corners = "at(a1). at(a8). at(h1). at(h8).\n:- atom Corner if at(To).";
    compare::<Othello>(corners, &["Cor"]);
}

#[test]
fn what_is_wrong_is_named_with_its_line_within_a_second() {
    for (text, expected) in [
        ("\n:- atom Safe if not attacked(To).", "mine:2: the theory has no predicate \"attacked\"; it has owns, blank"),
        ("same(S, T) :- square(S).\n", "mine:1: the variable T is in the head and not in the body"),
        ("near(S) :- nearer(S).\n:- atom Near if near(To).", "mine:1: nearer is not defined"),
        (":- atom Safe if not protects(To, Them).", "mine:1: protects has 2 arguments here and 3 elsewhere"),
        (":- atom Safe if not protects(_, To, From).", "mine:1: protects(_, To, From): From is a square"),
        (":- atom Ud if owns(Us, To).", "mine:1: there is an atom Ud already"),
        (":- atom A_B if owns(Us, To).", "mine:1: \"A_B\" is not a name"),
        (":- atom A if owns(Us, To).\n:- atom A if owns(Us, To).", "mine:2: there is an atom A already"),
        (":- atom A if owns(Us, S), blank(S).", "mine:1: S is in two conditions"),
        (
            "three(A, B, C) :- neighbor(A, _, B), neighbor(B, _, C).\n:- atom A if three(From, To, Last).",
            "mine:2: a condition",
        ),
        (":- atom A if owns(Us, To).\n:- never A, B.", "mine:2: there is no atom B"),
        (":- atom A \"a\tb\" if owns(Us, To).", "mine:1: what an atom means is said in printable"),
        ("near(a1).", "mine:1: there is no atom in this text"),
        ("again(S) :- again(S).\n:- atom A if again(To).", "mine:2: again(To): its unfolding has a chain"),
        ("many(A) :- owns(_, A), owns(_, _), owns(_, _), owns(_, _).\n:- atom A if many(To).", "mine:2: many(To): "),
        ("walk(A) :- neighbor(A, _, B), walk(B).\nwalk(a1).\n\n:- atom A if walk(To).", "mine:4: walk(To): "),
    ] {
        let start = Instant::now();
        let error = read::<Breakthrough>(text).expect_err(text);
        assert!(error.starts_with(expected), "{text}\n{error}");
        // In a build without optimization, on a machine that does other things too.
        assert!(start.elapsed() < Duration::from_secs(20), "{text}");
    }
    // Nearly as many patterns as a condition may have.
    let large = "any(P) :- owns(P, A), owns(P, B), blank(C).\n:- atom Many if any(Us).";
    let start = Instant::now();
    assert!(read::<Breakthrough>(large).is_ok());
    assert!(start.elapsed() < Duration::from_secs(20));
    let many = |count| (0..count).map(|number| format!(":- atom A{number} if owns(Us, To).\n")).collect::<String>();
    assert!(read::<Breakthrough>(&many(65)).unwrap_err().starts_with("mine:65: there are more than 64 atoms"));
    assert_eq!([46, 47, 64].map(|count| read::<Breakthrough>(&many(count)).unwrap().first()), [18, 0, 0]);
    let error = read::<crate::games::Chess>(":- atom A if owns(Us, To).").unwrap_err();
    assert!(error.contains("begin with `:- board(8, 8, n).`"), "{error}");
}

#[test]
fn a_text_says_all_that_an_atom_needs_and_nothing_else() {
    let own = read::<Breakthrough>(&format!("{PAPERS}:- never Safe, RoundIt.\n:- never Takes, Safe.\n")).unwrap();
    assert_eq!(own.never(), [1 << 18 | 1 << 23, 1 << 18 | 1 << 19]);
    let whole = own.text(u64::MAX);
    assert_eq!(read::<Breakthrough>(&whole).unwrap(), own);
    let part = own.text(1 << 18 | 1 << 19);
    let expected = ":- board(8, 8, n).\nplayer(white). player(black). aslant(white, nw). aslant(white, ne). \
                    aslant(black, sw). aslant(black, se).\nprotects(From, To, P) :- owns(P, From), aslant(P, D), \
                    neighbor(From, D, To).\n:- atom Safe \"nothing attacks the piece\" if not protects(_, To, Them).\n\
                    :- atom Takes if before owns(Them, To).\n:- never Takes, Safe.\n";
    assert_eq!(part, expected);
    // The text alone is enough, in a game that has no rules as clauses too.
    assert_eq!(read::<crate::games::Chess>(&part).unwrap().text(u64::MAX), part);
}

#[test]
fn a_table_carries_the_definitions_of_its_atoms() {
    let game = Breakthrough::VOCABULARY;
    let known = game.with_own(&std::sync::Arc::new(read::<Breakthrough>(PAPERS).unwrap()));
    let table = file::parse_line("Takes-Safe@0.5 Near@0.25", &known).unwrap();
    let text = file::render(&table, &[], &known);
    assert!(text.contains("\n:- atom Safe \"nothing") && !text.contains(":- atom Free"), "{text}");
    let parse = |text: &str, vocabulary| file::parse(text, "t.toml", vocabulary).map_err(|error| error.to_string());
    let alone = parse(&text, &game).unwrap();
    assert_eq!(alone.summary(&game), "Near@0.25 Safe-Takes@0.5");
    assert_eq!(file::render(&alone, &[], &game), text);
    assert_eq!(parse(&text, &known).unwrap(), table, "the definitions are those that are known");

    let start = text.find("definitions").unwrap();
    let without = format!("{}{}", &text[..start], &text[text.find("\n[[extension]]").unwrap()..]);
    assert!(parse(&without, &game).unwrap_err().starts_with("t.toml:5: there is no atom \"Near\""));
    let other = text.replace("not protects(_, To, Them)", "protects(_, To, Us)");
    assert_ne!(parse(&other, &game).unwrap(), alone);
    let error = parse(&other, &known).unwrap_err();
    assert!(error.starts_with("t.toml:3: the definitions of Safe Takes Near are not those"), "{error}");
    let wrong = text.replace("not protects(_, To, Them)", "not protect(_, To, Them)");
    let line = text.lines().position(|line| line.contains(":- atom Safe")).unwrap() + 1;
    let error = parse(&wrong, &game).unwrap_err();
    assert!(error.starts_with(&format!("t.toml:{line}: the theory has no predicate \"protect\"")), "{error}");
    assert_eq!(ExtensionTable::default().vocabulary(&game).atoms.len(), game.atoms.len());
}
