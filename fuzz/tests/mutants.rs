// SPDX-License-Identifier: GPL-3.0-or-later
//! Damaged input for every reader: a few seconds, the same in every run. `FUZZ_INPUTS=1000000` gives each reader so many
//! inputs, others in each run; `FUZZ_READERS=uci,fen` asks these readers only.

#![allow(clippy::unwrap_used, reason = "a test panics to say what is wrong")]
#![allow(clippy::disallowed_methods, reason = "tests read files of the repository")]

use std::env;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, UNIX_EPOCH};

use halfply_fuzz::{READERS, Reader};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// Mutants of each seed.
const MUTANTS: usize = 40;

/// The most bytes of a seed that are read: the network of Breakthrough has fewer.
const LONGEST: usize = 128 << 10;

/// The longest that a reader may take: some derive much from little, and machines are slow.
const PATIENCE: Duration = Duration::from_secs(20);

/// Numbers and signs at which readers err.
const TOKENS: [&str; 12] =
    ["-1", "0", "99999999999999999999", "1e999", "NaN", "\"", "{", "[", "\n", "\r\n", "\u{fffd}", "\0"];

/// What the reader accepts: files of the repository, and those of its name in `seeds`.
fn seeds(reader: &Reader) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = fs::read_dir(folder.join("seeds")).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = own.filter(|path| path.file_stem().unwrap() == reader.name).collect();
    paths.sort();
    paths.extend(reader.files.iter().map(|file| folder.join("..").join(file)));
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// Damages bytes at one to four places.
fn mutate(bytes: &mut Vec<u8>, random: &mut ChaCha8Rng) {
    for _ in 0..random.random_range(1..=4) {
        let from = random.random_range(0..=bytes.len());
        let to = (from + random.random_range(0..40)).min(bytes.len());
        match random.random_range(0..6) {
            0 => drop(bytes.drain(from..to)),
            1 => bytes.truncate(from),
            2 => bytes[from..to].iter_mut().for_each(|byte| *byte = random.random()),
            3 => bytes[from..to].iter_mut().take(1).for_each(|byte| *byte ^= 1 << random.random_range(0..8)),
            4 => {
                let again = bytes[from..to].repeat(random.random_range(1..20));
                bytes.splice(from..from, again);
            }
            _ => {
                let token = TOKENS[random.random_range(0..TOKENS.len())];
                bytes.splice(from..from, token.bytes());
            }
        }
    }
}

/// Reads bytes; the time that it takes.
fn read(reader: &Reader, bytes: &[u8]) -> Duration {
    let start = Instant::now();
    let done = catch_unwind(|| (reader.read)(bytes));
    assert!(done.is_ok(), "{}: panics at \"{}\"", reader.name, bytes.escape_ascii());
    let time = start.elapsed();
    assert!(time < PATIENCE, "{}: takes {time:?} for \"{}\"", reader.name, bytes.escape_ascii());
    time
}

#[test]
fn no_reader_panics_or_hangs() {
    let most: Option<usize> = env::var("FUZZ_INPUTS").ok().map(|inputs| inputs.parse().unwrap());
    let only = env::var("FUZZ_READERS").ok();
    let only: Option<Vec<&str>> = only.as_ref().map(|only| only.split(',').collect());
    for asked in only.iter().flatten() {
        assert!(READERS.iter().any(|reader| reader.name == *asked), "FUZZ_READERS: {asked} is no reader");
    }
    let is_asked = |name: &str| only.as_ref().is_none_or(|only| only.contains(&name));
    for (number, reader) in READERS.iter().enumerate().filter(|(_, reader)| is_asked(reader.name)) {
        let seeds = seeds(reader);
        assert!(!seeds.is_empty(), "{}: no seed", reader.name);
        let mut slowest = seeds.iter().map(|seed| read(reader, seed)).max().unwrap_or_default();
        let chance = most.map_or(0, |_| UNIX_EPOCH.elapsed().unwrap().as_nanos() as u64);
        let mut random = ChaCha8Rng::seed_from_u64(chance + number as u64);
        let start = Instant::now();
        let inputs = most.unwrap_or(MUTANTS * seeds.len());
        for seed in seeds.iter().cycle().take(inputs) {
            let mut bytes = seed[..seed.len().min(LONGEST)].to_vec();
            mutate(&mut bytes, &mut random);
            slowest = slowest.max(read(reader, &bytes));
        }
        println!("{}: {inputs} inputs in {:.0?}, the slowest in {slowest:.1?}", reader.name, start.elapsed());
    }
}
