// SPDX-License-Identifier: GPL-3.0-or-later
//! What the parts must do together, and what users see. Tests of single parts stand beside them in `src/`.

#![allow(clippy::unwrap_used, reason = "a test panics to say what is wrong")]
#![allow(clippy::disallowed_methods, reason = "tests read files that they have written")]

mod atoms; // Atoms written as clauses, and derived ones.
mod book; // Opening books, made of games.
#[path = "../../build.rs"]
#[allow(dead_code, reason = "cargo runs its main")]
mod build_script; // The commit that --version names.
mod bundled; // The data that ships: the suite proved, the openings distinct.
mod cli; // Commands as users run them: output, errors, exit status.
mod client; // Engines that misbehave, and what the client makes of it.
mod conformance; // What every game must keep, on random games.
#[path = "../../examples/connect_four.rs"]
#[allow(dead_code, reason = "cargo runs its main")]
mod connect_four; // The sample of a game.
mod control; // Learned search control: the same again, killed or not, and files that are damaged.
mod documents; // The commands that the documents show.
mod endings; // Tables of endings in play, in matches and in reviews.
mod evaluation; // Evaluations in files, wherever one is chosen.
mod files; // Pipes, devices and huge files where a file is wanted.
mod folders; // Run folders: nothing of the user's is touched, results are whole.
mod full; // The full search against negamax, its switches, its threads.
mod gtp; // Protocol transcripts.
mod in_clauses; // Games in clauses only: the rules that others have in Rust, and learning from them.
#[path = "../../examples/knightthrough.rs"]
#[allow(dead_code, reason = "cargo runs its main")]
mod knightthrough; // Games in clauses, and the sample of one.
mod layers; // Imports point one way.
mod network; // Networks learned from self-play: the same bytes again, killed or not, and files that are none.
mod othello; // Othello's names, passes and notations, as clients see them.
mod outputs; // Options that name outputs: what somebody else wrote survives them.
mod patterns; // Patterns from the rules of a game, by the command line.
mod perft; // Known counts of lines.
mod play; // Games in the terminal.
mod process; // The program under way: waited for, told, killed.
mod reference; // A second plain search, written for clarity, to count nodes against.
mod registry; // Every game wherever games are chosen or listed.
mod resume; // Killed runs that resume to the same bytes.
mod review; // Games gone through: blunders found, records read, killed reviews that resume.
mod sample; // The sample of a game, played and learned on, also with atoms from its rules as clauses.
mod search; // Values against plain negamax, counts against the reference.
mod serve; // The page as a process: over a socket, and ended.
mod solve; // Positions solved exactly.
mod spsa; // Parameters that games tune: the same again, killed or not, and towards what wins.
mod suite; // Suites run, compared with baselines, and filtered by tables.
mod suite_engine; // Suites given to other programs.
mod support; // What the tests share.
mod tournament; // Definitions, players, openings and records.
mod tournament_faults; // Programs that misbehave, and runs that are stopped.
mod tournament_statistics; // Statistics of counts and of journals.
mod tuning; // Settings of the search that a suite tunes: the same again, killed or not.
mod uci; // UCI as a client sees it.
mod uci_client; // A client that talks to the program over pipes.
mod uci_options; // UCI's options as a client sets them.
mod uci_robust; // UCI as it should not be.
mod workers; // Runs that other processes work.
