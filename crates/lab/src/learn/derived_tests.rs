// SPDX-License-Identifier: GPL-3.0-or-later

use super::*;
use halfply_engine::base::bundled::BREAKTHROUGH_DERIVED;
use halfply_engine::features::file;
use halfply_engine::games::{Breakthrough, Othello, RegisteredGame};
use halfply_engine::search::Profile;

fn column(place: usize, moves: &[u64]) -> Column {
    let count = moves.iter().map(|word| word.count_ones() as usize).sum();
    let kept = Kept { name: format!("A{place}"), meaning: String::new(), frequency: 0.0 };
    Column { place, kept, bits: moves.to_vec(), count }
}

#[test]
fn what_excludes_or_implies_is_never_combined() {
    // The low and the high half of the moves, the low quarter, and every other move.
    let columns = [
        column(0, &[0xFFFF_FFFF, 0xFFFF_FFFF]),
        column(1, &[0xFFFF_FFFF << 32, 0xFFFF_FFFF << 32]),
        column(2, &[0xFFFF_FFFF, 0]),
        column(3, &[0x5555_5555_5555_5555; 2]),
    ];
    let pairs = |all, proved| Pairs { all, proved };
    let unrelated =
        ":- atom A if protects(_, From, Us). :- atom B if before blank(To). :- atom E if protects(_, To, Us).
                     :- atom F if before protects(_, From, Them).";
    let unrelated = Breakthrough::move_atoms(unrelated, "test").unwrap();
    let nothing = Proofs::new(&unrelated);
    assert_eq!(groups(&columns, 128, &nothing), (vec![vec![0, 1, 2]], pairs(2, 0), pairs(1, 0)));
    // Two rare ones may exclude each other by chance, unless the rules prove it.
    let rare = [column(0, &[0xF, 0]), column(1, &[0xF0, 0])];
    assert_eq!(groups(&rare, 128, &nothing), (Vec::new(), pairs(0, 0), pairs(0, 0)));
    let opposite = Breakthrough::move_atoms(":- atom A if blank(To). :- atom B if not blank(To).", "test").unwrap();
    assert_eq!(groups(&rare, 128, &Proofs::new(&opposite)), (vec![vec![0, 1]], pairs(1, 1), pairs(0, 0)));
}

#[test]
fn moves_of_games_have_nothing_that_the_rules_exclude() {
    check_proofs::<Breakthrough>(&Breakthrough::hand_made(), 24, 10);
    check_proofs::<Othello>(&Othello::default_evaluation(Profile::Plain), 10, 2);
}

/// Proves what can be proved of the atoms that follow from a game's rules, and looks for moves that disagree.
fn check_proofs<G: RegisteredGame>(evaluation: &Evaluator<G>, most: usize, fewest: usize) {
    let rules = G::THEORY.unwrap();
    let derived = halfply_engine::patterns::derive(None, rules.text, rules.name).unwrap();
    let moves = moves(Games { count: 5, nodes: 50, seed: 2 }, evaluation);
    let places: Vec<usize> = (0..derived.atoms.len()).step_by(derived.atoms.len().div_ceil(most)).collect();
    let mut columns = Vec::new();
    measure(&derived, &places, &moves, &mut columns);
    let directives: Vec<String> = columns.iter().map(|column| derived.atoms[column.place].clone()).collect();
    let atoms = read(&derived, &directives).unwrap();
    let proofs = Proofs::new(&atoms);
    let mut proved = [0, 0];
    for (one, first) in columns.iter().enumerate() {
        for (other, second) in columns.iter().enumerate().filter(|&(other, _)| other != one) {
            if proofs.exclude(one, other) {
                assert_eq!(shared(first, second), 0, "{} and {}", first.kept.name, second.kept.name);
                proved[0] += 1;
            }
            if proofs.implies(one, other) {
                assert_eq!(shared(first, second), first.count, "{} has {}", first.kept.name, second.kept.name);
                proved[1] += 1;
            }
        }
    }
    assert!(proved.iter().all(|&proved| proved >= fewest), "{proved:?} of {}", columns.len());
}

#[test]
fn the_later_of_two_that_are_alike_is_left_out() {
    let mut columns =
        vec![column(0, &[0xFFFF]), column(1, &[!0xFFFF]), column(2, &[0x1_FFFF]), column(3, &[0x00FF_FF00])];
    reduce(&mut columns, 3, 64);
    assert_eq!(columns.iter().map(|column| column.place).collect::<Vec<_>>(), [0, 1, 3]);
}

#[test]
fn a_selection_repeats_and_can_be_read() {
    let rules = Breakthrough::THEORY.unwrap();
    let derived = halfply_engine::patterns::derive(None, rules.text, rules.name).unwrap();
    let games = Games { count: 3, nodes: 50, seed: 1 };
    let selection = select(&derived, 20, games, &Breakthrough::hand_made()).unwrap();
    assert_eq!(select(&derived, 20, games, &Breakthrough::hand_made()).unwrap(), selection);
    let Selection { too_large, constant, equal, similar, kept, .. } = &selection;
    assert_eq!((kept.len(), too_large + constant + equal + similar + 20), (20, selection.derived));
    let read = Breakthrough::move_atoms(&selection.text, "derived").unwrap();
    assert!(read.atoms().iter().map(|atom| &atom.name).eq(kept.iter().map(|kept| &kept.name)));
    assert!(!read.never().is_empty());
}

#[test]
fn the_bundled_table_of_derived_atoms_defines_what_is_derived() {
    let rules = Breakthrough::THEORY.unwrap();
    let derived = halfply_engine::patterns::derive(None, rules.text, rules.name).unwrap();
    let table = BREAKTHROUGH_DERIVED.text;
    let atoms: Vec<&str> = table.lines().filter(|line| line.starts_with(":- atom")).collect();
    assert_eq!(atoms.len(), 3);
    for atom in atoms {
        assert!(derived.atoms.iter().any(|line| line == atom), "{atom}");
    }
    for clause in table.lines().filter(|line| line.contains(") :- ")) {
        assert!(derived.clauses.contains(clause) || rules.text.contains(clause), "{clause}");
    }
    let table = file::parse(table, BREAKTHROUGH_DERIVED.name, &Breakthrough::VOCABULARY).unwrap();
    assert_eq!(table.rows().len(), 2);
}
