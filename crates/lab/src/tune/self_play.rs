// SPDX-License-Identifier: GPL-3.0-or-later
//! Games that the program plays with itself, so that an evaluation can be learned from them.
//!
//! Games begin with random moves, and have some more now and then: without them a network sees only positions in which
//! both sides played well, and misjudges every other.

use std::path::{Path, PathBuf};

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

use super::made::{Made, Played};
use super::recipe::Play;
use super::record::{self, Record};
use super::sure::Sure;
use crate::run::{Stop, Unit, keep_named};
use halfply_engine::base::digest::digest;
use halfply_engine::base::mix::derive;
use halfply_engine::base::score::plies_to_end;
use halfply_engine::base::{Outcome, Score};
use halfply_engine::bench;
use halfply_engine::features::AtomSet;
use halfply_engine::game::Side;
use halfply_engine::games::RegisteredGame;
use halfply_engine::history::History;
use halfply_engine::search::{Evaluator, Limits, Setup, Thinker};

/// A game of so many plies ends in a draw.
pub const LONGEST: usize = 400;

/// Games in a unit: some seconds of work.
pub const BATCH: u64 = 100;

/// Some games, played one after the other: the unit of self-play.
#[derive(Clone, Debug)]
pub struct Batch<'a, G: RegisteredGame> {
    /// How they are played.
    pub play: Play,
    /// Who plays.
    pub evaluation: &'a Evaluator<G>,
    /// The seed of all games.
    pub seed: u64,
    /// Which batch.
    pub index: u64,
    /// How many games it has.
    pub games: u64,
    /// The run's folder.
    pub folder: &'a Path,
}

/// The search that plays with an evaluation: as in other games, but with a small table, which each game empties.
fn setup<G: RegisteredGame>(evaluation: &Evaluator<G>) -> Setup {
    Setup { hash: 1, ..G::usual_setup(evaluation) }
}

/// The signature of that search, for the headers of runs.
pub fn signature<G: RegisteredGame>(evaluation: &Evaluator<G>) -> u64 {
    bench::signature(&setup(evaluation), evaluation, AtomSet::EMPTY)
}

/// The folder of records in a run's folder.
pub(super) fn games(folder: &Path) -> PathBuf {
    folder.join("games")
}

/// The file of a batch's records.
pub fn file(folder: &Path, records: &str) -> PathBuf {
    games(folder).join(format!("{records}.games"))
}

/// A game that has ended.
struct Ended<B> {
    records: Vec<Record<B>>,
    winner: Option<Side>,
}

impl<B> Ended<B> {
    /// Tells all records how the game ended.
    fn new(mut records: Vec<Record<B>>, winner: Option<Side>) -> Self {
        for record in &mut records {
            record.outcome = match winner {
                None => Outcome::Draw,
                Some(winner) if winner == record.side => Outcome::Win,
                Some(_) => Outcome::Loss,
            };
        }
        Self { records, winner }
    }
}

impl<G: RegisteredGame> Batch<'_, G> {
    /// Plays all games.
    fn play(&self, stop: &Stop) -> Option<(Vec<u8>, [u64; 3])> {
        let mut player = self.evaluation.engine(&setup(self.evaluation)).thinker();
        let (mut bytes, mut results) = (Vec::new(), [0; 3]);
        for game in 0..self.games {
            if stop.is_raised() {
                return None;
            }
            let mut random = ChaCha8Rng::seed_from_u64(derive(derive(self.seed, self.index), game));
            player.forget();
            let Some(Ended { records, winner }) = self.game(player.as_mut(), &mut random) else { continue };
            results[match winner {
                Some(Side::White) => 0,
                None => 1,
                Some(Side::Black) => 2,
            }] += 1;
            bytes.extend(records.iter().filter_map(Record::to_bytes::<G>).flatten());
        }
        Some((bytes, results))
    }

    /// One game, from its opening to its end. None if the opening decided it.
    fn game(&self, player: &mut dyn Thinker<G>, random: &mut ChaCha8Rng) -> Option<Ended<G::Boards>> {
        let mut game = self.opening(random)?;
        let mut records = Vec::new();
        let mut sure = Sure::default();
        while game.outcome().is_none() {
            if game.moves().len() >= LONGEST {
                return Some(Ended::new(records, None));
            }
            let report = player.search(game.root(), Limits::nodes(self.play.nodes), &mut ());
            let best = report.best?;
            let score = self.in_hundredths(report.score);
            if records.is_empty() && score.abs() > self.play.margin {
                return None;
            }
            let is_random = random.random_bool(self.play.random);
            let played = if is_random { *game.legal_moves().choose(random)? } else { best };
            let position = game.position();
            let side = G::to_move(position);
            records.push(Record {
                boards: G::boards(position),
                side,
                score,
                // Not known yet.
                outcome: Outcome::Draw,
                first: records.is_empty(),
                cut: played != best,
                quiet: !G::in_check(position) && !G::is_noisy(position, best),
                ply: game.moves().len() as u16,
            });
            let proved = plies_to_end(score).map(|plies| if plies > 0 { side } else { side.other() });
            if let Some(winner) = proved.or_else(|| sure.winner(side, score, self.play.decisive)) {
                return Some(Ended::new(records, Some(winner)));
            }
            game.play(played);
        }
        Some(Ended::new(records, game.winner()))
    }

    /// The start and some random moves; none if they ended the game.
    fn opening(&self, random: &mut ChaCha8Rng) -> Option<History<G>> {
        let mut game = History::<G>::new(G::start());
        for _ in 0..random.random_range(self.play.opening / 2..=self.play.opening) {
            let mv = *game.legal_moves().choose(random)?;
            game.play(mv);
        }
        Some(game)
    }

    /// A score in hundredths of a pawn, unless it is a proved one.
    fn in_hundredths(&self, score: Score) -> Score {
        if plies_to_end(score).is_some() { score } else { score * 100 / self.evaluation.unit() }
    }
}

impl<G: RegisteredGame> Unit for Batch<'_, G> {
    type Output = Made;

    /// Names all that the games depend on: how they are played and by whom.
    fn key(&self) -> String {
        let play = serde_json::to_string(&self.play).unwrap_or_default();
        let of = digest(format!("{play} {} {}", self.evaluation.identity(), self.games));
        format!("games {} seed {} batch {}", &of[..16], self.seed, self.index)
    }

    fn run(&self, stop: &Stop) -> Option<Made> {
        let (bytes, results) = self.play(stop)?;
        let records = keep_named(&bytes, self.folder, file, stop)?;
        let positions = (bytes.len() / record::SIZE) as u64;
        Some(Made::Games(Played { records, positions, results }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfply_engine::games::{Breakthrough, Chess};
    use halfply_engine::search::Profile;

    const PLAY: Play = Play { nodes: 30, opening: 6, random: 0.2, margin: 10_000, decisive: 20_000 };

    fn played<G: RegisteredGame>(play: Play, games: u64) -> (Played, Vec<Record<G::Boards>>) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("games")).unwrap();
        let evaluation = G::hand_made();
        let batch = Batch { play, evaluation: &evaluation, seed: 1, index: 3, games, folder: folder.path() };
        let Some(Made::Games(played)) = batch.run(&Stop::default()) else { panic!("no games") };
        let bytes = std::fs::read(file(folder.path(), &played.records)).unwrap();
        assert_eq!(digest(&bytes), played.records);
        (played, record::read::<G>(&bytes).unwrap())
    }

    /// Once they were played without what games had tuned for the network.
    #[test]
    fn games_are_played_by_the_search_that_plays_others() {
        let network = Breakthrough::default_evaluation(Profile::Full);
        let (own, others) = (setup(&network), Breakthrough::usual_setup(&network));
        assert_eq!((&own.parameters, &own.control), (&others.parameters, &others.control));
        assert_ne!(own.parameters, Setup::full().parameters);
    }

    #[test]
    fn games_are_recorded_with_their_results_and_repeated_by_the_same_seed() {
        let (told, records) = played::<Breakthrough>(PLAY, 10);
        assert_eq!(told.results.iter().sum::<u64>(), 10);
        assert_eq!(told.results[1], 0, "there are no draws in Breakthrough");
        assert_eq!(told.positions, records.len() as u64);
        assert_eq!(records.iter().filter(|record| record.first).count(), 10);
        let cut = records.iter().filter(|record| record.cut).count() as f64 / records.len() as f64;
        assert!((0.1..0.25).contains(&cut), "{cut}: a random move may be the best one");
        for pair in records.windows(2).filter(|pair| !pair[1].first) {
            assert_eq!(pair[1].ply, pair[0].ply + 1);
            assert_eq!(pair[1].side, pair[0].side.other());
            assert_ne!(pair[0].outcome, pair[1].outcome, "who wins, the other loses");
        }
        for first in records.iter().filter(|record| record.first) {
            assert!((3..=6).contains(&first.ply), "{first:?}");
        }
        assert_eq!(played::<Breakthrough>(PLAY, 10), (told, records));
    }

    #[test]
    fn unequal_openings_are_left_out() {
        let (told, records) = played::<Chess>(Play { opening: 16, margin: 30, ..PLAY }, 12);
        assert!(told.results.iter().sum::<u64>() < 12, "{told:?}");
        assert!(records.iter().filter(|record| record.first).all(|record| record.score.abs() <= 30));
    }
}
