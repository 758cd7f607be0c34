// SPDX-License-Identifier: GPL-3.0-or-later
//! Atoms of the search's state: what the search knows when it comes to a move. They are the same in every game, and features
//! combine them with the game's atoms: `Ud-RdTb-Cut` is an unattacked move to rows 5 or 6 where the node is expected to fail
//! high. Only the full search sets them, and learning uses them only where they are named.

use super::AtomSet;
use super::atom::Atom;

macro_rules! state {
    ($( $name:ident $meaning:literal; )+) => {
        /// An atom of the search's state.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum State {
            $( #[doc = $meaning] $name, )+
        }

        impl State {
            /// All of them, in the order of their bits.
            pub const ALL: &[Self] = &[ $( Self::$name ),+ ];
        }

        /// Their names and meanings, in the order of their bits.
        pub static ATOMS: [Atom; State::ALL.len()] = [ $( Atom::new(stringify!($name), $meaning).only_if_named() ),+ ];
    };
}

state! {
    Pv "the node is on the principal variation";
    Cut "the node is expected to fail high";
    Wor "the static evaluation has not risen since two plies ago";
    Pas "the opponent has just passed (null move)";
    Eva "the side to move is in check";
    Unk "the transposition table has no move for the node";
    Shp "the position is not calm: a single quiet move may decide the game";
    Abv "the static evaluation is above alpha";
    Blw "the static evaluation is a pawn or more below alpha";
    Dep "six plies or more are left";
    Lat "it is the fifth move of the node or a later one";
    Hgd "the quiet move failed high elsewhere more often than not";
    Hbd "the quiet move mostly failed elsewhere";
    Kil "the move is a killer";
    Cap "the move is noisy and loses nothing by static exchange";
    Los "the move is noisy and loses material by static exchange";
    Tab "the transposition table says that the move raises alpha";
    Tbl "the transposition table says that the move does not raise alpha";
    Gns "the static evaluation behind the move is above alpha";
}

/// The bit of the first: they are the last bits of an [`AtomSet`].
pub const FIRST: usize = u64::BITS as usize - State::ALL.len();

/// All of them.
pub const SET: AtomSet = AtomSet(u64::MAX << FIRST);

/// Those that depend on the position behind the move, which cost a look into the table and an evaluation.
pub const BEHIND: AtomSet = AtomSet(State::Tab.bit().0 | State::Tbl.bit().0 | State::Gns.bit().0);

/// Sets of them that exclude each other.
pub const GROUPS: &[AtomSet] = &[
    AtomSet(State::Pv.bit().0 | State::Cut.bit().0),
    AtomSet(State::Abv.bit().0 | State::Blw.bit().0),
    AtomSet(State::Hgd.bit().0 | State::Hbd.bit().0 | State::Cap.bit().0 | State::Los.bit().0),
    AtomSet(State::Tab.bit().0 | State::Tbl.bit().0),
];

impl State {
    /// The set of this atom alone.
    pub const fn bit(self) -> AtomSet {
        AtomSet::single(FIRST + self as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::FeatureError;
    use crate::game::Game;
    use crate::games::{Breakthrough, GameName};
    use crate::with_game;

    #[test]
    fn every_game_has_them_under_names_of_their_own() {
        for &game in GameName::all() {
            let vocabulary = with_game!(game, G => <G as Game>::VOCABULARY);
            for (place, atom) in ATOMS.iter().enumerate() {
                assert!(!vocabulary.atoms.iter().any(|other| other.name == atom.name), "{game:?} {}", atom.name);
                assert_eq!(vocabulary.index(&atom.name), Some(FIRST + place));
                assert_eq!(vocabulary.atom(FIRST + place).unwrap().name, atom.name);
            }
            assert!(!vocabulary.all().meets(SET) && !vocabulary.base().meets(SET), "learning does not begin with them");
        }
    }

    #[test]
    fn features_combine_them_with_the_atoms_of_the_game() {
        let vocabulary = Breakthrough::VOCABULARY;
        let feature = vocabulary.parse("Cut-RdTb-Ud").unwrap();
        assert_eq!(vocabulary.format(feature), "Ud-RdTb-Cut");
        assert!(feature.meets(State::Cut.bit()) && vocabulary.check_clash(feature).is_ok());
        let clash = vocabulary.parse("Pv-Ud-Cut").and_then(|feature| vocabulary.check_clash(feature)).unwrap_err();
        assert!(matches!(clash, FeatureError::Clash { .. }));
        assert_eq!(clash.to_string(), "Pv and Cut are of one group (Pv Cut) and are never combined; keep one of them");
    }
}
