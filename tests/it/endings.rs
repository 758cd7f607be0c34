// SPDX-License-Identifier: GPL-3.0-or-later
//! Tables of endings in play, in matches and in reviews.

use std::fs;
use std::path::Path;

use crate::support::{halfply, refusal, stdout};
use crate::uci_client::{Client, best_of};

/// All tables with three pieces.
fn tables() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/syzygy").display().to_string()
}

#[test]
fn a_session_uses_the_tables_that_it_is_given() {
    let mut client = Client::start();
    client.send(&format!("setoption name SyzygyPath value {}", tables()));
    let told = client.ready().concat();
    assert!(told.contains("syzygy 10 files") && told.ends_with("up to 3 pieces"), "{told}");
    // Only this move holds the draw.
    client.send("position fen 8/8/8/8/4k3/4p3/8/4K3 w - - 0 1");
    let lines = client.search("go depth 6");
    assert_eq!(best_of(&lines), "e1e2");
    assert!(
        lines.iter().filter(|line| line.contains(" score ")).all(|line| line.contains(" score cp 0 ")),
        "{lines:?}"
    );
    // Analysis of several lines sees all moves.
    client.send("setoption name MultiPV value 3");
    assert!(client.search("go depth 6").concat().contains("multipv 3"));
    // A wrong folder is a message, and another game does not ask for it.
    client.send("setoption name SyzygyPath value nowhere");
    assert!(client.ready().concat().contains("nowhere: cannot be read as a folder of Syzygy tables"));
    client.best("go depth 2");
    client.send("setoption name UCI_Variant value breakthrough");
    assert_eq!(client.ready(), [""; 0]);
}

#[test]
fn a_won_ending_is_mated_before_fifty_moves_are_over() {
    // The search sees no mate at so few nodes; the tables lead it there.
    let folder = tempfile::tempdir().unwrap();
    let openings = folder.path().join("rook.epd");
    fs::write(&openings, "8/8/8/3k4/8/8/8/KR6 w - - 0 1\n8/8/8/3k4/8/8/8/KR6 b - - 0 1\n").unwrap();
    let definition = format!(
        "format = 1\ngame = \"chess\"\ngames = 4\ncomments = false\nopenings.file = \"rook.epd\"\n\
         [defaults]\nprofile = \"full\"\nnodes = 50\nsyzygy = '{}'\n[[player]]\nname = \"a\"\n[[player]]\nname = \"b\"\nhash = 1\n",
        tables()
    );
    let file = folder.path().join("match.toml");
    fs::write(&file, &definition).unwrap();
    let out = folder.path().join("run");
    let run = |out: &Path| {
        stdout(&["tournament", "run", file.to_str().unwrap(), "--out", out.to_str().unwrap()]);
        fs::read_to_string(out.join("journal.jsonl")).unwrap()
    };
    let journal = run(&out);
    assert_eq!(journal.matches("\"end\":\"checkmate\"").count(), 4, "{journal}");
    assert!(journal.contains("\"endings\":\"syzygy 10 files"), "{journal}");

    // As an arbiter they end the games at once, where fifty moves have just begun.
    let judged = definition.replace("[defaults]", &format!("[adjudication]\nsyzygy = '{}'\n[defaults]", tables()));
    let judged = judged.replace("rook.epd", "pawn.epd");
    fs::write(folder.path().join("pawn.epd"), "8/8/8/8/3K4/3P4/8/7k w - - 0 1\n").unwrap();
    fs::write(&file, judged.replace("games = 4", "games = 2")).unwrap();
    let journal = run(&folder.path().join("judged"));
    assert_eq!(journal.matches("adjudication: by tables of endings").count(), 2, "{journal}");
    assert_eq!(journal.matches("\"winner\":\"white\"").count(), 2, "{journal}");
    assert!(!journal.contains(&tables()), "no path of this machine");
}

#[test]
fn a_review_knows_a_drawn_ending() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("game.pgn");
    let pgn = "[SetUp \"1\"]\n[FEN \"8/8/8/8/4k3/4p3/8/4K3 w - - 0 1\"]\n\n1. Kf1 Kf3 2. Ke1 e2 *\n";
    fs::write(&game, pgn).unwrap();
    let out = folder.path().join("out");
    let words = ["review", game.to_str().unwrap(), "--nodes", "500", "--syzygy", &tables(), "--json", "--out"];
    let text = stdout(&[&words[..], &[out.to_str().unwrap()]].concat());
    assert!(text.contains("blunder"), "the first move loses a drawn game: {text}");
}

#[test]
fn a_baseline_without_tables_is_not_compared_with_them() {
    let folder = tempfile::tempdir().unwrap();
    let baseline = folder.path().join("base.json").display().to_string();
    let run = ["suite", "run", "suites/ecm102.epd", "--profile", "full", "--nodes", "10"];
    stdout(&[&run[..], &["--write-baseline", &baseline]].concat());
    let error = refusal(&[&run[..], &["--baseline", &baseline, "--syzygy", &tables()]].concat());
    assert!(error.contains("endings was not set and is syzygy 10 files"), "{error}");
}

#[test]
fn what_has_no_tables_is_refused() {
    let empty = tempfile::tempdir().unwrap();
    let folder = empty.path().to_str().unwrap();
    let suite = ["suite", "run", "--game", "chess", "--profile", "full", "--nodes", "100", "--syzygy"];
    let error = refusal(&[&suite[..], &[folder]].concat());
    assert!(error.contains("there are no Syzygy tables"), "{error}");
    fs::write(empty.path().join("KQvK.rtbw"), "too short").unwrap();
    let error = refusal(&[&suite[..], &[folder]].concat());
    assert!(error.contains("cannot be read as a folder of Syzygy tables"), "{error}");
    let error = refusal(&["suite", "run", "--game", "breakthrough", "--profile", "full", "--syzygy", &tables()]);
    assert!(error.contains("tables of endings for chess only"), "{error}");
    let error = refusal(&["suite", "run", "--game", "chess", "--syzygy", &tables()]);
    assert!(error.contains("add --profile full"), "{error}");
}

/// Workers ask the same tables, and so do the players of the match.
#[test]
fn learning_with_tables_is_distributed() {
    let folder = tempfile::tempdir().unwrap();
    let [out, spool, games] = ["out", "spool", "games"].map(|name| folder.path().join(name).display().to_string());
    let learn = || {
        let mut command = halfply();
        command.args(["learn", "genetic", "--game", "chess", "--profile", "full", "--hash", "1", "--nodes", "20"]);
        command.args(["--gene", "AcK=1..0/5", "--population", "2", "--generations", "1"]);
        command.args(["--syzygy", "tests/syzygy", "--out", &out, "--spool", &spool]);
        command.assert().get_output().status.code()
    };
    let manifest = format!("{spool}/manifest.json");
    for _ in 0..2 {
        assert_eq!(learn(), Some(3));
        let mut worker = halfply();
        worker.current_dir(&folder).args(["work", "--manifest", &manifest]).assert().success();
    }
    assert_eq!(learn(), Some(0));
    let definition = format!("{out}/match.toml");
    stdout(&["tournament", "run", &definition, "--games", "2", "--nodes", "20", "--out", &games]);
    let journal = fs::read_to_string(format!("{games}/journal.jsonl")).unwrap();
    assert!(journal.contains("\"endings\":\"syzygy 10 files"), "{journal}");
}
