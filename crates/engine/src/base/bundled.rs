// SPDX-License-Identifier: GPL-3.0-or-later
//! The data files that are part of the binary, so that an installed program finds them in any folder.
//!
//! A bundled file has the name that it has in the repository. Wherever a text file is read, a file of that name on disk
//! is used if there is one, and the bundled one if there is not ([`data_file::read`](crate::base::data_file::read)).

use std::ffi::OsStr;
use std::path::{Component, Path};

use super::suggestion::closest;

/// A data file that is part of the binary. Files are statics, so that they are in it once: each crate that names a constant
/// has a copy of what it refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bundled {
    /// Its path in the repository, with `/`: its name in commands, reports and errors.
    pub name: &'static str,
    /// What it is, short enough that a list of all files fits 80 columns.
    pub about: &'static str,
    /// Its contents.
    pub text: &'static str,
}

/// The bytes of a file, as a static.
macro_rules! bundled_bytes {
    ($name:ident: $path:literal) => {
        static $name: [u8; include_bytes!($path).len()] = *include_bytes!($path);
    };
}
pub(crate) use bundled_bytes;

macro_rules! bundled {
    ($( $file:ident: $name:literal, $about:literal; )+) => {
        $(
            #[doc = concat!("`", $name, "`: ", $about, ".")]
            pub static $file: Bundled =
                Bundled { name: $name, about: $about, text: include_str!(concat!("../../../../", $name)) };
        )+

        /// All bundled files.
        pub static ALL: &[&Bundled] = &[$(&$file),+];
    };
}

bundled! {
    BREAKTHROUGH_7PLY: "suites/breakthrough-7ply.epd", "302 hard wins in 7 plies (default)";
    BREAKTHROUGH_MIXED: "suites/breakthrough-mixed.epd", "290 wins in 7, 9 and 11 plies";
    OTHELLO_WINS: "suites/othello-wins.epd", "302 hard endgames (default)";
    OTHELLO_MIXED: "suites/othello-mixed.epd", "290 endgames, not filtered";
    OTHELLO_FFO: "suites/othello-ffo.epd", "59 endgames of FFO";
    ECM: "suites/ecm.epd", "Encyclopedia of Chess Middlegames";
    ECM_THESIS: "suites/ecm102.epd", "the thesis's 99 of ECM (default)";
    ECM_EXTENSIONS: "suites/ecm-extensions.epd", "102 of ECM that need extensions";
    ECM_BASELINE: "suites/baselines/ecm-5000-full.json", "what 5,000 nodes solve of ECM";
    OTHELLO_THEORY: "theories/othello.theory", "rules of Othello as clauses";
    BREAKTHROUGH_THEORY: "theories/breakthrough.theory", "rules of Breakthrough as clauses";
    BREAKTHROUGH_LEARNED: "tables/breakthrough-learned.toml", "the best that `learn` finds";
    BREAKTHROUGH_NINE: "tables/breakthrough-nine.toml", "nine features, tuned by games";
    BREAKTHROUGH_DERIVED: "tables/breakthrough-derived.toml", "atoms derived from the rules alone";
    CHESS_CHECKS: "tables/chess-checks.toml", "checks cost nothing";
    CHESS_KNOWN: "tables/chess-known.toml", "what programs of 2005 extended";
    CHESS_FALCON: "tables/chess-falcon.toml", "what Falcon extended, 2010";
    BREAKTHROUGH_REALIZATION: "tables/breakthrough-realization.toml", "costs of all moves, from games";
    BREAKTHROUGH_CONTROL: "tables/breakthrough-control.toml", "the same, tuned by games";
    PLAIN_REALIZATION: "tables/breakthrough-realization-plain.toml", "costs in the plain search";
    CHESS_REALIZATION: "tables/chess-realization.toml", "costs of all moves in chess";
    CHESS_PLAIN_REALIZATION: "tables/chess-realization-plain.toml", "the same, in its plain search";
    WITHOUT_PRUNING: "experiments/without-pruning.toml", "parameters: no pruning, reductions";
    LESS_PRUNING: "experiments/less-pruning.toml", "chess parameters for hard tactics";
    BEFORE_TUNING: "experiments/before-tuning.toml", "parameters: those of all games";
    LEARNED_CONTROL: "experiments/learned-control.toml", "parameters: learned control";
    FALCON: "experiments/falcon.toml", "parameters: what Falcon had, 2010";
    SELECTIVE_SEARCH: "experiments/selective-search.toml", "genes: its 18 parameters";
    THESIS_4_1: "experiments/thesis-4-1.toml", "the thesis's Tables 4.3 and 4.4";
    BEYOND_THE_THESIS: "experiments/beyond-the-thesis.toml", "options beyond the thesis";
    BEYOND_MIXED: "experiments/beyond-mixed.toml", "the same, wins of three lengths";
    BEYOND_FULL: "experiments/beyond-full.toml", "the same, in the full search";
    BEYOND_FULL_DEEPER: "experiments/beyond-full-deeper.toml", "the same, with more nodes";
    BEYOND_CHESS: "experiments/beyond-chess.toml", "the same, in chess";
    OTHELLO_EXPERIMENT: "experiments/othello.toml", "thesis-4-1.toml, in Othello";
    DERIVED: "tournament/derived.toml", "derived atoms, by the clock";
    TABLE_4_5: "tournament/table-4-5.toml", "the thesis's Table 4.5";
    TABLE_4_5_FULL: "tournament/table-4-5-full.toml", "the same, in the full search";
    OTHELLO_TABLE_4_5: "tournament/othello-table-4-5.toml", "five features of Othello";
    OTHELLO_TABLE_4_5_FULL: "tournament/othello-table-4-5-full.toml", "the same, in the full search";
    RC_RDB: "tournament/rc-rdb.toml", "its Rc-Rdb at a quarter of a ply";
    ALL_OF_THESE: "tournament/all-of-these.toml", "its best features in one table";
    NINE_TUNED: "tournament/nine-tuned.toml", "the same, with tuned costs";
    NINE_ALONE: "tournament/nine-alone.toml", "the same, against its best feature";
    STATE_FEATURES: "tournament/state-features.toml", "rows with the search's state";
    LEARNED: "tournament/learned.toml", "five features that `learn` finds";
    LEARNED_FULL: "tournament/learned-full.toml", "the same, in the full search";
    BEYOND_MATCH: "tournament/beyond.toml", "what beyond-mixed.toml finds";
    BEYOND_FULL_MATCH: "tournament/beyond-full.toml", "what beyond-full.toml finds";
    BEYOND_FULL_50K_MATCH: "tournament/beyond-full-50k.toml", "the same, at 50,000 nodes";
    BEYOND_FULL_DEEPER_MATCH: "tournament/beyond-full-deeper.toml", "what beyond-full-deeper.toml finds";
    COSTS_MATCH: "tournament/costs.toml", "moves that are searched less deep";
    AGAINST_FAIRY_STOCKFISH: "tournament/breakthrough-fairy-stockfish.toml", "against Fairy-Stockfish";
    OTHELLO_FAIRY_STOCKFISH: "tournament/othello-fairy-stockfish.toml", "the same, in Othello";
    OTHELLO_EGAROUCID: "tournament/othello-egaroucid.toml", "Othello against Egaroucid for Web";
    AGAINST_TOGA: "tournament/chess-toga2.toml", "against Toga II";
    AGAINST_STOCKFISH: "tournament/chess-stockfish.toml", "against Stockfish at 2850";
    CHESS_NETWORK: "tournament/chess-network.toml", "its network against classical";
    BREAKTHROUGH_TABLES: "tournament/breakthrough-tables.toml", "its tables by the clock";
    BREAKTHROUGH_ROWS: "tournament/breakthrough-rows.toml", "more rows by the clock";
    CHESS_TABLES: "tournament/chess-tables.toml", "the same, in chess";
    TUNED_BREAKTHROUGH: "tournament/tuned-breakthrough.toml", "its parameters, tuned by games";
    TUNED_CHESS: "tournament/tuned-chess.toml", "the same, in chess";
    TUNED_OTHELLO: "tournament/tuned-othello.toml", "the same, in Othello";
    LEARNED_CONTROL_MATCH: "tournament/learned-control.toml", "learned costs against reductions";
    CONTROL_FROM_TREES: "tournament/control-from-trees.toml", "control learned from trees";
    CONTROL_BREAKTHROUGH: "tournament/control-breakthrough.toml", "learned costs for reductions";
    CONTROL_PLAIN: "tournament/control-plain.toml", "the same, in the plain search";
    CONTROL_CHESS: "tournament/control-chess.toml", "the same, in chess";
    CONTROL_CHESS_PLAIN: "tournament/control-chess-plain.toml", "the same, in its plain search";
    GENETIC_AGAINST_RANDOM: "tournament/genetic-against-random.toml", "evolved against random values";
    GENETIC_EVOLVED: "tournament/genetic-evolved.toml", "evolved against hand-tuned values";
    STRENGTH_CHESS: "tournament/strength-chess.toml", "what UCI_Elo is made of";
    STRENGTH_BREAKTHROUGH: "tournament/strength-breakthrough.toml", "the same, in Breakthrough";
    STRENGTH_OTHELLO: "tournament/strength-othello.toml", "the same, in Othello";
    BOOK_BREAKTHROUGH: "tournament/book-breakthrough.toml", "games for the opening book";
    BOOK_OTHELLO: "tournament/book-othello.toml", "the same, in Othello";
    BREAKTHROUGH_START: "books/breakthrough/start.epd", "the start of the game";
    OTHELLO_START: "books/othello/start.epd", "the start of the game";
    BREAKTHROUGH_OPENINGS: "books/breakthrough/random-8ply.epd", "1,200 openings (default)";
    OTHELLO_OPENINGS: "books/othello/random-8ply.epd", "openings (default)";
    CHESS_OPENINGS: "books/chess/noob_3moves_every60.epd", "2,516 openings (default)";
}

/// The bundled file that a path names: relative to the current folder, or absolute and in it. The path need not exist:
/// `experiments/../suites/ecm.epd` is `suites/ecm.epd`, as in a bundled experiment.
pub fn named(path: &Path) -> Option<&'static Bundled> {
    let here = std::env::current_dir().unwrap_or_default();
    let mut parts = Vec::new();
    for component in path.strip_prefix(here).unwrap_or(path).components() {
        match component {
            Component::CurDir => {}
            Component::Normal(part) => parts.push(part.to_str()?),
            Component::ParentDir => drop(parts.pop()?),
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    let name = parts.join("/");
    ALL.iter().copied().find(|file| file.name == name)
}

/// The hint that an error adds about a path that cannot be read, if a bundled file has this name in another folder, or
/// a similar one.
pub fn hint(path: &Path) -> String {
    let is_called_so =
        |file: &&Bundled| path.file_name().is_some() && Path::new(file.name).file_name() == path.file_name();
    if let Some(file) = ALL.iter().copied().find(is_called_so) {
        return format!("; {} is built in", file.name);
    }
    let stem = |path: &'static str| Path::new(path).file_stem().and_then(OsStr::to_str).unwrap_or_default();
    let is_alike = |file: &&Bundled| path.extension().is_none_or(|own| Path::new(file.name).extension() == Some(own));
    let known = || ALL.iter().copied().filter(is_alike);
    let nearest = path.file_stem().and_then(OsStr::to_str).and_then(|given| {
        let nearest = closest(given, known().map(|file| stem(file.name)))?;
        known().find(|file| stem(file.name) == nearest)
    });
    nearest.map_or_else(String::new, |file| format!("; did you mean {}, which is built in?", file.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_by_every_path_to_it() {
        let here = std::env::current_dir().unwrap();
        for path in ["suites/ecm.epd", "./suites/ecm.epd", "experiments/../suites/ecm.epd", "suites/./ecm.epd"] {
            assert_eq!(named(Path::new(path)), Some(&ECM), "{path}");
            assert_eq!(named(&here.join(path)), Some(&ECM), "{path}");
        }
        for path in ["ecm.epd", "/suites/ecm.epd", "../suites/ecm.epd", "a/../../suites/ecm.epd", "suites", "", "/"] {
            assert_eq!(named(Path::new(path)), None, "{path}");
        }
        assert_eq!(hint(Path::new("/nowhere/ecm.epd")), "; suites/ecm.epd is built in");
        for (path, expected) in [
            ("suites/breakthrough-7plys.epd", "suites/breakthrough-7ply.epd"),
            ("breakthrough-mixd", "suites/breakthrough-mixed.epd"),
            ("suites/ecmm.epd", "suites/ecm.epd"),
        ] {
            assert_eq!(hint(Path::new(path)), format!("; did you mean {expected}, which is built in?"));
        }
        assert_eq!(hint(Path::new("/nowhere/mine.epd")) + &hint(Path::new("/")), "");
    }

    #[test]
    fn names_and_contents_differ() {
        for (place, file) in ALL.iter().enumerate() {
            let is_same = |other: &&Bundled| other.name == file.name || other.text == file.text;
            assert_eq!(ALL.iter().position(is_same), Some(place), "{}", file.name);
        }
    }
}
