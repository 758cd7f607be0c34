// SPDX-License-Identifier: GPL-3.0-or-later

use super::*;
use halfply_engine::base::bundled::BREAKTHROUGH_DERIVED;
use halfply_engine::features::file;
use halfply_engine::games::{Breakthrough, RegisteredGame as _};

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
    let (sets, excluded, implied) = groups(&columns, 128);
    assert_eq!((sets, excluded, implied), (vec![vec![0, 1, 2]], 2, 1));
    // Two rare ones may exclude each other by chance.
    let rare = [column(0, &[0xF, 0]), column(1, &[0xF0, 0])];
    assert_eq!(groups(&rare, 128), (Vec::new(), 0, 0));
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
