// SPDX-License-Identifier: GPL-3.0-or-later
//! The client's side of UCI, held to what it promises by an engine that misbehaves on demand.

use std::cell::Cell;
use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use halfply_engine::game::{Game, Notation, after};
use halfply_engine::games::{Breakthrough, Chess};
use halfply_engine::protocol::UciScore;
use halfply_lab::client::{Answer, AnswerLimits, Client, EngineCommand, EngineFault, EnginePool};

/// Nothing that works may take longer, however busy the machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// What is bound to go wrong has this long.
const IMPATIENCE: Duration = Duration::from_millis(300);

/// What must happen soon happens within this, on a busy machine too.
const SOON: Duration = Duration::from_secs(5);

const ENDLESS: AnswerLimits = AnswerLimits { total: None, silence: None, nodes: None, stop_at: None };

/// The example `mock_engine`, which `cargo test` builds beside this program.
pub fn mock() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let folder = test.ancestors().nth(2).unwrap();
    let path = folder.join("examples").join(format!("mock_engine{EXE_SUFFIX}"));
    assert!(path.is_file(), "{} is missing: run `cargo build --example mock_engine`", path.display());
    path
}

fn command(arguments: &str) -> EngineCommand {
    let arguments = arguments.split(' ').map(str::to_owned).collect();
    EngineCommand { program: mock(), arguments, ..EngineCommand::default() }
}

fn pairs(options: &[(&str, &str)]) -> Vec<(String, String)> {
    options.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn start(arguments: &str) -> Client {
    Client::start(&command(arguments), &[], PATIENCE, &|| false).unwrap()
}

fn go(client: &mut Client, allowance: AnswerLimits) -> Result<Answer, EngineFault> {
    client.go("position startpos", "go nodes 100", allowance, &|| false, &mut |_| {})
}

fn total(limit: Duration) -> AnswerLimits {
    AnswerLimits { total: Some(limit), ..ENDLESS }
}

/// Whether the process is there, as a zombie or alive; never where that cannot be seen.
fn exists(process: u32) -> bool {
    Path::new("/proc").join(process.to_string()).exists()
}

fn play<G: Notation>(variant: &str) {
    let mut client = Client::start(&command("well"), &pairs(&[("uci_variant", variant)]), PATIENCE, &|| false).unwrap();
    for _ in 0..2 {
        client.new_game(&|| false).unwrap();
        let (mut position, mut line) = (G::start(), "position startpos moves".to_owned());
        for _ in 0..20 {
            let mut followed = 0;
            let clock = "go wtime 1000 btime 1000";
            let answer = client.go(&line, clock, total(PATIENCE), &|| false, &mut |_| followed += 1).unwrap();
            position = after::<G>(&position, G::parse_move(&position, &answer.best).unwrap());
            line += &format!(" {}", answer.best);
            assert_eq!((answer.nodes, answer.depth, answer.height, followed), (20, 1, 2, 1));
            let last = answer.last.unwrap();
            assert_eq!((last.exact(), last.line), (Some(UciScore::Centipawns(10)), vec![answer.best]));
        }
    }
    client.quit();
}

#[test]
fn games_are_played() {
    play::<Chess>("chess");
    play::<Breakthrough>("breakthrough");
}

#[test]
fn our_own_engine_is_understood() {
    let options = pairs(&[("Evaluation", "default"), ("Hash", "1"), ("Clear Hash", "")]);
    let command = EngineCommand { program: env!("CARGO_BIN_EXE_halfply").into(), options, ..EngineCommand::default() };
    let required = pairs(&[("UCI_Variant", "breakthrough")]);
    let mut client = Client::start(&command, &required, PATIENCE, &|| false).unwrap();
    assert!(client.name().starts_with("Halfply "));
    client.new_game(&|| false).unwrap();
    let mut followed = 0;
    let (position, limits) = ("position startpos moves e2e3", "go nodes 5000");
    let answer = client.go(position, limits, ENDLESS, &|| false, &mut |_| followed += 1).unwrap();
    let first = Breakthrough::parse_move(&Breakthrough::start(), "e2e3").unwrap();
    let position = after::<Breakthrough>(&Breakthrough::start(), first);
    assert!(Breakthrough::parse_move(&position, &answer.best).is_ok());
    assert!(followed >= answer.depth && answer.depth > 1 && answer.height >= answer.depth, "{answer:?}");
    assert!((1000..=5000).contains(&answer.nodes));
    assert_eq!(answer.last.unwrap().line[0], answer.best);
    client.quit();
}

/// What kind of fault it is.
fn kind(fault: &EngineFault) -> String {
    format!("{fault:?}").chars().take_while(|symbol| symbol.is_alphabetic()).collect()
}

#[test]
fn options_are_set_in_order_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    // The engine runs in the folder and its program is found all the same.
    let options = pairs(&[("log", "lines"), ("HASH", "64"), ("clear hash", ""), ("Ponder", "True"), ("score", "-55")]);
    let command = EngineCommand { directory: Some(folder.path().to_owned()), options, ..command("well") };
    let required = pairs(&[("UCI_Variant", "Breakthrough")]);
    let mut client = Client::start(&command, &required, PATIENCE, &|| false).unwrap();
    assert_eq!(client.name(), "Mock engine");
    client.new_game(&|| false).unwrap();
    assert_eq!(go(&mut client, ENDLESS).unwrap().last.unwrap().score, Some(UciScore::Centipawns(-55)));
    client.quit();
    let lines = fs::read_to_string(folder.path().join("lines")).unwrap();
    let expected = "setoption name Hash value 64\nsetoption name Clear Hash\nsetoption name Ponder value true\n\
                    setoption name Score value -55\nsetoption name UCI_Variant value breakthrough\nisready\nucinewgame\n\
                    isready\nposition startpos\ngo nodes 100\nquit\n";
    assert_eq!(lines, expected);
}

/// Fairy-Stockfish has the variants of a file only after its option `VariantPath` is set.
#[test]
fn an_engine_is_asked_again_for_options_that_depend_on_others() {
    let options = |options: &[(&str, &str)]| EngineCommand { options: pairs(options), ..command("late-variant") };
    let required = pairs(&[("UCI_Variant", "breakthrough")]);
    let mut client = Client::start(&options(&[("Score", "-55")]), &required, PATIENCE, &|| false).unwrap();
    client.new_game(&|| false).unwrap();
    let answer = client.go("position startpos moves e2e3", "go nodes 100", ENDLESS, &|| false, &mut |_| {}).unwrap();
    let position = Breakthrough::start();
    let position = after::<Breakthrough>(&position, Breakthrough::parse_move(&position, "e2e3").unwrap());
    assert!(Breakthrough::parse_move(&position, &answer.best).is_ok(), "{answer:?}");
    client.quit();
    for without in [&[][..], &[("Hash", "16")]] {
        let fault = Client::start(&options(without), &required, PATIENCE, &|| false).err().unwrap();
        assert_eq!(fault.to_string(), "option UCI_Variant: it is one of chess, not \"breakthrough\"");
    }
}

#[test]
fn what_cannot_be_started_is_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let program = |program: PathBuf| EngineCommand { program, ..EngineCommand::default() };
    for command in [
        program(folder.path().join("missing")),
        program("no-such-engine-anywhere".into()),
        program(folder.path().to_owned()),
        program(PathBuf::new()),
        EngineCommand { directory: Some(folder.path().join("missing")), ..command("well") },
    ] {
        let fault = Client::start(&command, &[], PATIENCE, &|| false).err().unwrap();
        assert_eq!(kind(&fault), "NotStarted", "{fault}");
    }
    let crashed = Client::start(&command("crash-at-start"), &[], PATIENCE, &|| false).err().unwrap();
    assert_eq!(crashed.to_string(), "it crashed or ended by itself (exit status 3)");
    let deaf = Client::start(&command("deaf-at-start"), &[], IMPATIENCE, &|| false).err().unwrap();
    assert_eq!(kind(&deaf), "NoUci");
}

#[test]
fn every_fault_of_a_search_is_told_apart() {
    for (behaviour, expected) in [
        ("crash-on-go", "Crashed"),
        ("no-move", "Unreadable"),
        ("hang", "Hung"),
        #[cfg(unix)]
        ("closes-pipe", "ClosedPipe"),
    ] {
        let mut client = start(behaviour);
        let process = client.process_id();
        // An engine that hangs is given up soon, the others fail by themselves.
        let fault = go(&mut client, if expected == "Hung" { total(IMPATIENCE) } else { ENDLESS }).unwrap_err();
        assert_eq!(kind(&fault), expected, "{fault}");
        assert!(!exists(process), "{behaviour}: its process must be gone at once");
        assert_eq!(kind(&go(&mut client, ENDLESS).unwrap_err()), "Crashed", "a client is dead after a fault");
        assert_eq!(kind(&client.new_game(&|| false).unwrap_err()), "Crashed");
    }
}

#[test]
fn an_engine_that_dies_later_has_answered_before() {
    let mut client = start("crash-on-go 3");
    assert!(go(&mut client, ENDLESS).is_ok() && go(&mut client, ENDLESS).is_ok());
    match go(&mut client, ENDLESS).unwrap_err() {
        EngineFault::Crashed { status } => assert_eq!(status, "exit status 3"),
        other => panic!("{other}"),
    }
}

#[test]
fn an_engine_killed_between_searches_has_crashed() {
    let mut client = start("well");
    let killed = std::process::Command::new("kill").args(["-9", &client.process_id().to_string()]).status();
    if !killed.is_ok_and(|status| status.success()) {
        return; // Only where there is such a command.
    }
    sleep(Duration::from_millis(100));
    let fault = go(&mut client, ENDLESS).unwrap_err();
    assert_eq!(fault.to_string(), "it crashed or ended by itself (signal: 9 (SIGKILL))");
}

#[test]
fn whatever_is_no_move_is_passed_on() {
    for (behaviour, best) in [("illegal", "a1a1"), ("garbage", "banana")] {
        assert_eq!(go(&mut start(behaviour), ENDLESS).unwrap().best, best);
    }
    let position = "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    let answer = start("well").go(position, "go depth 1", ENDLESS, &|| false, &mut |_| {}).unwrap();
    assert_eq!(answer.best, "(none)");
}

#[test]
fn bounds_are_followed_but_are_no_scores() {
    let (mut client, mut bounds) = (start("bounds"), 0);
    let mut follow = |info: &halfply_lab::client::Info| bounds += u32::from(info.bound.is_some());
    let answer = client.go("position startpos", "go depth 2", ENDLESS, &|| false, &mut follow).unwrap();
    assert_eq!(answer.last.unwrap().exact(), Some(UciScore::Centipawns(10)));
    assert_eq!((answer.nodes, answer.depth, bounds), (40, 1, 2));
}

#[test]
fn time_is_measured_at_the_pipe() {
    let mut client = start("slow 200");
    let start = Instant::now();
    let answer = go(&mut client, ENDLESS).unwrap();
    assert!(answer.elapsed >= Duration::from_millis(190), "{:?}", answer.elapsed);
    assert!(answer.elapsed <= start.elapsed());
    // Late, but that is not for the client to say.
    let late = go(&mut client, total(Duration::from_millis(20))).unwrap();
    assert!(late.elapsed >= Duration::from_millis(190));
}

#[test]
fn a_busy_caller_charges_nobody() {
    let mut client = start("well");
    let mut follow = |_: &_| sleep(Duration::from_secs(2));
    let limit = total(Duration::from_millis(1500));
    let answer = client.go("position startpos", "go depth 1", limit, &|| false, &mut follow).unwrap();
    assert!(answer.elapsed < Duration::from_millis(1500), "{:?}", answer.elapsed);
}

#[test]
fn floods_do_no_harm() {
    let mut client = start("flood");
    for _ in 0..3 {
        assert!(go(&mut client, total(PATIENCE)).is_ok());
    }
    client.quit();
    let silence = AnswerLimits { silence: Some(IMPATIENCE), ..ENDLESS };
    for (behaviour, allowance) in [("babble", total(IMPATIENCE)), ("babble-text", silence)] {
        let mut client = start(behaviour);
        let start = Instant::now();
        assert_eq!(kind(&go(&mut client, allowance).unwrap_err()), "Hung");
        assert!(start.elapsed() < SOON, "{behaviour}: {:?}", start.elapsed());
    }
}

#[test]
fn an_engine_that_does_not_end_at_its_nodes_is_found_out() {
    let allowance = AnswerLimits { nodes: Some(1000), ..ENDLESS };
    let begin = Instant::now();
    let fault =
        start("overrun").go("position startpos", "go nodes 1000", allowance, &|| false, &mut |_| {}).unwrap_err();
    assert!(matches!(fault, EngineFault::Overrun { given: 1000, told } if told > 1_010_000), "{fault}");
    assert!(begin.elapsed() < SOON);
}

#[test]
fn an_engine_that_does_not_read_holds_up_nobody() {
    let mut client = start("deaf-on-go");
    // After the first of the lines it reads no more, and the second does not fit into any pipe.
    let long = format!("go {}", "nodes 1 ".repeat(1 << 20));
    let begin = Instant::now();
    let fault = client.go("go depth 1", &long, total(IMPATIENCE), &|| false, &mut |_| {}).unwrap_err();
    assert_eq!(kind(&fault), "Hung");
    assert!(begin.elapsed() < SOON);
}

#[test]
fn an_engine_that_is_not_ready_hangs() {
    let mut client = Client::start(&command("no-readyok"), &[], Duration::from_secs(2), &|| false).unwrap();
    assert_eq!(kind(&client.new_game(&|| false).unwrap_err()), "Hung");
}

#[test]
fn an_interruption_ends_every_wait_soon() {
    let soon = |since: Instant| move || since.elapsed() > Duration::from_millis(100);
    for (behaviour, limits) in [("hang", "go depth 3"), ("well", "go infinite"), ("babble", "go depth 3")] {
        let mut client = start(behaviour);
        let begin = Instant::now();
        let interrupted = soon(begin);
        let result = client.go("position startpos", limits, ENDLESS, &interrupted, &mut |_| {});
        assert_eq!(kind(&result.unwrap_err()), "Interrupted");
        assert!(begin.elapsed() < Duration::from_millis(1100), "{behaviour}: {:?}", begin.elapsed());
    }
    let begin = Instant::now();
    let fault = Client::start(&command("deaf-at-start"), &[], PATIENCE, &soon(begin)).err().unwrap();
    assert_eq!(kind(&fault), "Interrupted");
    assert!(begin.elapsed() < SOON);
}

#[test]
fn an_engine_that_ends_with_the_caller_was_interrupted() {
    // As if Ctrl-C had reached the engine first: the caller notices only after it has ended.
    let asked = Cell::new(0);
    let interrupted = || {
        asked.set(asked.get() + 1);
        asked.get() > 1
    };
    let mut client = start("crash-on-go");
    let result = client.go("position startpos", "go depth 3", ENDLESS, &interrupted, &mut |_| {});
    assert_eq!(kind(&result.unwrap_err()), "Interrupted");
}

#[test]
fn no_process_is_left_behind() {
    let clients: Vec<Client> = ["well", "no-quit", "hang"].into_iter().map(start).collect();
    let processes: Vec<u32> = clients.iter().map(Client::process_id).collect();
    assert!(cfg!(not(target_os = "linux")) || processes.iter().all(|&process| exists(process)));
    let begin = Instant::now();
    drop(clients);
    assert!(begin.elapsed() < SOON);
    for process in processes {
        assert!(!exists(process), "{process} is left");
    }
    // One that does not quit is killed.
    for behaviour in ["well", "no-quit"] {
        let (client, begin) = (start(behaviour), Instant::now());
        let process = client.process_id();
        client.quit();
        assert!(!exists(process) && begin.elapsed() < SOON, "{behaviour}: {:?}", begin.elapsed());
    }
}

/// How many processes have that text in their command line.
#[cfg(target_os = "linux")]
pub fn marked(marker: &str) -> usize {
    let lines = fs::read_dir("/proc").unwrap().filter_map(|entry| fs::read(entry.ok()?.path().join("cmdline")).ok());
    lines.filter(|line| String::from_utf8_lossy(line).contains(marker)).count()
}

#[test]
#[cfg(target_os = "linux")]
fn what_a_script_has_started_is_not_left_behind() {
    let marker = format!("wrapped-{}", std::process::id());
    let script = format!("'{}' deaf-on-go 1 {marker}; true", mock().display());
    let command =
        EngineCommand { program: "sh".into(), arguments: vec!["-c".to_owned(), script], ..EngineCommand::default() };
    let mut client = Client::start(&command, &[], PATIENCE, &|| false).unwrap();
    assert!(go(&mut client, total(IMPATIENCE)).is_err());
    let begin = Instant::now();
    while marked(&marker) > 0 {
        assert!(begin.elapsed() < SOON, "it is left behind");
        sleep(Duration::from_millis(5));
    }
}

/// The engine ends, and what it has started keeps its pipes open: that is a crash, and seen at once.
#[test]
#[cfg(target_os = "linux")]
fn what_an_engine_has_started_neither_hides_its_crash_nor_survives_it() {
    for (number, child) in ["sleep 1", "echo info depth 1 score cp 1; sleep 0.01"].into_iter().enumerate() {
        for behaviour in ["crash-at-start", "crash-on-go", "one-answer"] {
            let marker = format!("left-{number}-{behaviour}-{}", std::process::id());
            let script = format!("(while :; do {child}; done) & exec '{}' {behaviour} 1 {marker}", mock().display());
            let arguments = vec!["-c".to_owned(), script];
            let command = EngineCommand { program: "sh".into(), arguments, ..EngineCommand::default() };
            let begin = Instant::now();
            let fault = match Client::start(&command, &[], PATIENCE, &|| false) {
                Err(fault) => fault,
                Ok(mut client) => match go(&mut client, ENDLESS) {
                    Err(fault) => fault,
                    Ok(answer) => {
                        assert_eq!((behaviour, answer.best.len()), ("one-answer", 4));
                        client.new_game(&|| false).unwrap_err()
                    }
                },
            };
            assert_eq!(fault.to_string(), "it crashed or ended by itself (exit status 3)", "{behaviour}, {child}");
            while marked(&marker) > 0 {
                assert!(begin.elapsed() < SOON, "{behaviour}, {child}: it is left behind");
                sleep(Duration::from_millis(5));
            }
            assert!(begin.elapsed() < SOON, "{behaviour}, {child}: {:?}", begin.elapsed());
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_engine_that_fails_to_start_is_not_left_behind() {
    let marker = format!("marked-{}", std::process::id());
    let marked = || marked(&marker);
    let command = command(&format!("deaf-at-start 1 {marker}"));
    let polled = Cell::new(0);
    let interrupted = || {
        polled.set(marked().max(polled.get()));
        false
    };
    let fault = Client::start(&command, &[], IMPATIENCE, &interrupted).err().unwrap();
    assert_eq!((kind(&fault), polled.get()), ("NoUci".to_owned(), 1), "it was there");
    assert_eq!(marked(), 0, "and is no more");
}

/// An engine that dies while it waits harms nobody: another is started.
#[cfg(unix)]
#[test]
fn an_engine_that_died_while_it_waited_is_replaced() {
    let pool = EnginePool::new(1, PATIENCE);
    let ask = || pool.client(7, &command("well"), &[], &|| false).unwrap();
    let first = ask();
    let (first_id, start) = (first.process_id(), Instant::now());
    pool.put(7, first);
    let again = ask();
    assert_eq!(again.process_id(), first_id, "it waits");
    pool.put(7, again);
    let killed = std::process::Command::new("kill").args(["-9", &first_id.to_string()]).status().unwrap();
    assert!(killed.success());
    while fs::read_to_string(format!("/proc/{first_id}/stat")).is_ok_and(|stat| !stat.contains(") Z")) {
        assert!(start.elapsed() < SOON, "it does not die");
        sleep(Duration::from_millis(5));
    }
    let mut other = ask();
    assert_ne!(other.process_id(), first_id);
    assert!(other.new_game(&|| false).is_ok());
    pool.put(7, other);
    pool.close();
}
