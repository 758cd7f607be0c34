// SPDX-License-Identifier: GPL-3.0-or-later
//! Levels of play below full strength. `research/strength.md` says how they were measured.

use std::ops::RangeInclusive;

use crate::search::Strength;

/// The Elo of a strength, as measured with the full search and the default evaluation on one thread.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// On the game's own scale.
    pub elo: u32,
    /// The strength at this level.
    pub strength: Strength,
}

impl Level {
    /// A level.
    pub const fn new(elo: u32, nodes: u64, temperature: u32) -> Self {
        Self { elo, strength: Strength { nodes, temperature } }
    }
}

/// The Elo from the weakest level to the strongest; none if there are no levels.
pub fn elos(levels: &[Level]) -> Option<RangeInclusive<u32>> {
    Some(levels.first()?.elo..=levels.last()?.elo)
}

/// What people call a player of that Elo.
pub fn title(elo: u32) -> &'static str {
    match elo {
        ..900 => "beginner",
        900..1300 => "casual player",
        1300..1700 => "club player",
        1700..2000 => "strong club player",
        2000..2300 => "expert",
        2300..2500 => "master",
        2500.. => "grandmaster",
    }
}

/// The strength for an Elo. Between two levels nodes are interpolated exponentially; outside the levels they are
/// constant. Levels are sorted from the weakest to the strongest; none if there are none.
pub fn of(levels: &[Level], elo: u32) -> Option<Strength> {
    let last = levels.len().checked_sub(1)?;
    let above = levels.partition_point(|level| level.elo < elo).min(last);
    let (low, high) = (&levels[above.saturating_sub(1)], &levels[above]);
    let span = f64::from(high.elo - low.elo).max(1.0);
    let share = (f64::from(elo) - f64::from(low.elo)).clamp(0.0, span) / span;
    let between = |low: f64, high: f64| low + share * (high - low);
    let (low, high) = (low.strength, high.strength);
    Some(Strength {
        nodes: libm::exp2(between(libm::log2(low.nodes as f64), libm::log2(high.nodes as f64))).round() as u64,
        temperature: between(low.temperature.into(), high.temperature.into()).round() as u32,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::mix::derive;
    use crate::game::Side;
    use crate::games::{GameName, RegisteredGame};
    use crate::history::History;
    use crate::search::{Limits, Profile, Setup};
    use crate::with_game;

    /// Whether a level wins so many half points against another one in so many pairs of games from the same openings, of
    /// which it plays no more than it takes.
    fn wins<G: RegisteredGame>(strong: Strength, weak: Strength, wanted: u64, pairs: u64) -> bool {
        let evaluation = G::default_evaluation(Profile::Full);
        let game = |number: u64, strong_begins: bool| {
            let usual = Setup { hash: 1, seed: number, ..G::usual_setup(&evaluation) };
            let thinker = |strength| evaluation.engine(&Setup { strength: Some(strength), ..usual.clone() }).thinker();
            let mut players = [thinker(strong), thinker(weak)];
            let mut history = History::<G>::new(G::start());
            while history.outcome().is_none() && history.moves().len() < 300 {
                let ply = history.moves().len() as u64;
                let legal = history.legal_moves();
                let strong_moves = ply.is_multiple_of(2) == strong_begins;
                let mv = if ply < 4 {
                    legal[(derive(number, ply) % legal.len() as u64) as usize]
                } else {
                    let player = &mut players[usize::from(!strong_moves)];
                    player.search(history.root(), Limits::default(), &mut ()).best.unwrap()
                };
                history.play(mv);
            }
            let strong = if strong_begins { Side::White } else { Side::Black };
            history.winner().map_or(1, |winner| 2 * u64::from(winner == strong))
        };
        let mut won = 0;
        (0..pairs).flat_map(|number| [(number, true), (number, false)]).any(|(number, strong_begins)| {
            won += game(number, strong_begins);
            won >= wanted
        })
    }

    /// Every fourth level of a game, behind random moves.
    fn ladder<G: RegisteredGame>() -> Vec<Strength> {
        // Who is careless enough plays at random.
        let random = Strength { nodes: 1, temperature: 1_000_000 };
        let levels = G::STRENGTHS.iter().step_by(4).map(|level| level.strength);
        std::iter::once(random).chain(levels).filter(|level| level.nodes <= 4000).collect()
    }

    fn beats<G: RegisteredGame>(strong: Strength, weak: Strength) {
        // The closest two score 74 % (the lowest level of Othello against random moves): 60 % is two standard deviations
        // less.
        assert!(wins::<G>(strong, weak, 24, 10), "{:?}: {strong:?} {weak:?}: less than 24 of 40 half points", G::GAME);
    }

    #[test]
    fn a_level_beats_those_far_below() {
        std::thread::scope(|scope| {
            for &name in GameName::all() {
                with_game!(name, G => for pair in ladder::<G>().windows(2) {
                    let [weak, strong] = [pair[0], pair[1]];
                    scope.spawn(move || beats::<G>(strong, weak));
                });
            }
        });
    }

    #[test]
    fn more_elo_is_more_strength() {
        for &game in GameName::all() {
            let levels = with_game!(game, G => <G as RegisteredGame>::STRENGTHS);
            assert!(levels.is_sorted_by(|low, high| low.elo < high.elo), "{game:?}");
            let all: Vec<Strength> = (0..=4000).filter_map(|elo| of(levels, elo)).collect();
            assert!(
                all.is_sorted_by(|low, high| low.nodes <= high.nodes && low.temperature >= high.temperature),
                "{game:?}"
            );
            // What was measured is what is played, and nothing is beyond it.
            assert!(levels.iter().all(|level| of(levels, level.elo) == Some(level.strength)), "{game:?}");
            assert_eq!(all.first().copied(), levels.first().map(|level| level.strength), "{game:?}");
            assert_eq!(all.last().copied(), levels.last().map(|level| level.strength), "{game:?}");
        }
        let levels = [Level::new(1000, 10, 500), Level::new(1200, 1000, 0)];
        assert_eq!(of(&levels, 1100), Some(Strength { nodes: 100, temperature: 250 }));
        assert_eq!(of(&[], 1100), None);
    }
}
