// SPDX-License-Identifier: GPL-3.0-or-later
//! A game of a file or of a text that was pasted, for the page to show. `halfply review` reads them by the same reader.

use serde::{Deserialize, Serialize};

use super::refusal::Refusal;
use halfply_engine::game::{Notation, Side, after, outcome, recorded_moves};
use halfply_engine::games::{GameName, RegisteredGame};
use halfply_engine::with_game;
use halfply_lab::review::pgn;
use halfply_lab::review::played::Played;
use halfply_lab::review::recorded::{Recorded, RecordedError, RecordedGame};
use halfply_lab::tournament::pgn_games;
use halfply_lab::tournament::pgn_tree::{PgnNode, PgnTree};

/// The most bytes of a file.
pub const LARGEST_FILE: usize = 1 << 20;

/// The most games of a file that are listed.
const MOST_LISTED: usize = 500;

/// The longest name of a player that is listed, in characters.
const LONGEST_NAME: usize = 60;

/// Which game of what.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenRequest {
    /// What to call the file; its ending tells the format.
    pub name: String,
    /// What is played if the file does not say it, and its moves may be of several games.
    pub game: GameName,
    /// The number of the wanted game in the file, from 1.
    pub number: usize,
}

/// A game of a file.
#[derive(Debug, Serialize)]
pub struct Opened {
    /// Which game.
    pub game: GameName,
    /// Its first position.
    pub start: String,
    /// Its tree as the page keeps it: the first position, and the moves, each behind the one that it follows.
    pub nodes: Vec<Node>,
    /// How many moves of variations are left out: not legal, nested too deep, or too many.
    pub left_out: usize,
    /// The first and the second player; empty if they are not known.
    pub players: [String; 2],
    /// The result as in PGN.
    pub result: String,
    /// Its tags as they are written in PGN.
    pub tags: String,
    /// The players of each game of the file, up to the 500th.
    pub titles: Vec<String>,
    /// How many games it has.
    pub count: usize,
}

/// A move of a tree with what is said of it, or the first position, which has no move.
#[derive(Debug, Serialize)]
pub struct Node {
    up: Option<usize>,
    #[serde(flatten)]
    mv: Option<Named>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nags: Vec<u8>,
    #[serde(skip_serializing_if = "String::is_empty")]
    comment: String,
}

/// A move in protocols and in game records, and who makes it.
#[derive(Debug, Serialize)]
struct Named {
    text: String,
    name: String,
    side: Side,
}

/// Reads a game.
///
/// # Errors
/// Says what is wrong, with the line.
pub fn open(bytes: &[u8], request: &OpenRequest) -> Result<Opened, Refusal> {
    let OpenRequest { name, game, number } = request;
    let recorded = match Recorded::read(bytes, name, None) {
        Err(RecordedError::Unclear(..)) => Recorded::read(bytes, name, Some(*game)),
        read => read,
    };
    let recorded = recorded.map_err(Refusal::invalid)?;
    let count = recorded.games.len();
    let wanted = number.checked_sub(1).and_then(|place| recorded.games.get(place));
    let wanted = wanted.ok_or_else(|| Refusal::Invalid(format!("{name}: game {number}: there are {count}")))?;
    with_game!(recorded.game, G => {
        let played = wanted.played::<G>().map_err(Refusal::invalid)?;
        let tags = pgn::tags(&played, None);
        let Played { players, result, history, .. } = played;
        // Only texts have variations. They were read without fault.
        let tree = wanted.lines.as_ref().and_then(|_| pgn_games::read_tree(bytes, *number).ok().flatten());
        let tree = tree.unwrap_or_else(|| PgnTree::of_moves(&history.move_texts()));
        let (nodes, left_out) = nodes::<G>(&history.positions()[0], tree);
        let titles = recorded.games.iter().take(MOST_LISTED).map(title).collect();
        let start = <G as Notation>::format_position(&history.positions()[0]);
        let players = players.map(|name| if name == "?" { String::new() } else { short(&name) });
        Ok(Opened { game: recorded.game, start, nodes, left_out, players, result, tags, titles, count })
    })
}

/// The legal moves of a tree, and how many it has besides.
fn nodes<G: RegisteredGame>(start: &G::Position, tree: PgnTree) -> (Vec<Node>, usize) {
    let mut nodes: Vec<Node> = Vec::new();
    let mut positions = Vec::new();
    // Where each node of the tree is among those that are kept.
    let mut places: Vec<Option<usize>> = Vec::new();
    let mut left_out = tree.left_out;
    for PgnNode { up, text, nags, comment } in tree.nodes {
        let (up, mv, position) = match up.map(|up| places[up]) {
            None => (None, None, start.clone()),
            Some(up) => {
                let before = up.map(|up| &positions[up]).filter(|before| outcome::<G>(before).is_none());
                let legal = before.and_then(|before| Some((before.clone(), recorded_moves::<G>(before, &text).ok()?)));
                let Some((mut before, moves)) = legal else {
                    places.push(None);
                    left_out += 1;
                    continue;
                };
                let named = |before: &G::Position, mv| {
                    let (text, name) = (G::format_move(before, mv), G::record_move(before, mv));
                    Some(Named { text, name, side: G::to_move(before) })
                };
                let mut up = up;
                // A pass that the record leaves out.
                if let [pass, _] = moves[..] {
                    let after = after::<G>(&before, pass);
                    nodes.push(Node { up, mv: named(&before, pass), nags: Vec::new(), comment: String::new() });
                    up = Some(nodes.len() - 1);
                    positions.push(after.clone());
                    before = after;
                }
                let mv = moves[moves.len() - 1];
                (up, named(&before, mv), after::<G>(&before, mv))
            }
        };
        places.push(Some(nodes.len()));
        nodes.push(Node { up, mv, nags, comment });
        positions.push(position);
    }
    (nodes, left_out)
}

fn title(game: &RecordedGame) -> String {
    game.record.players.each_ref().map(|name| if name.is_empty() { "?".to_owned() } else { short(name) }).join(" – ")
}

fn short(name: &str) -> String {
    name.chars().filter(|symbol| !symbol.is_control()).take(LONGEST_NAME).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(name: &str, number: usize, text: &[u8]) -> Result<Opened, String> {
        let request = OpenRequest { name: name.to_owned(), game: GameName::Breakthrough, number };
        open(text, &request).map_err(|refusal| refusal.to_string())
    }

    #[test]
    fn every_format_is_opened_and_says_which_game_it_is() {
        let pgn = b"[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 e5 *\n\n[White \"Cy\"]\n[Result \"1-0\"]\n\n1. d4 {x} d5 (1... f5) 1-0\n";
        let second = opened("a.pgn", 2, pgn).unwrap();
        assert_eq!((second.game, second.count, &second.result[..]), (GameName::Chess, 2, "1-0"));
        assert_eq!(
            (moves(&second), &second.titles[..]),
            ("d2d4 d7d5 f7f5".into(), &["Ann – Bob".into(), "Cy – ?".into()][..])
        );
        assert_eq!(opened("pasted", 1, b"1. a2-a3 h7-h6").unwrap().game, GameName::Breakthrough);
        assert_eq!(opened("pasted", 1, b"f5 d6 c3").unwrap().game, GameName::Othello);
        let ggf = b"(;GM[Othello]PB[a]PW[b]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6];)";
        let othello = opened("x.GGF", 1, ggf).unwrap();
        assert_eq!(
            (othello.game, &othello.players, &moves(&othello)[..]),
            (GameName::Othello, &["a".into(), "b".into()], "P@f4 P@d3")
        );
        // A move that two games have: what is on the page decides.
        assert_eq!(opened("pasted", 1, b"a2a3").unwrap().game, GameName::Breakthrough);
    }

    fn moves(opened: &Opened) -> String {
        let texts: Vec<&str> = opened.nodes.iter().filter_map(|node| Some(&*node.mv.as_ref()?.text)).collect();
        texts.join(" ")
    }

    #[test]
    fn variations_comments_and_marks_are_kept() {
        let pgn = "{not of this game} [Event \"x\"]\n[ECO \"C20\"]\n\n{a\n start} 1. e4! $13 ({first} 1. d4 {second} d5 $6 (1... \
                   f5?? ; a gambit\n 2. e4) 2. c4 (2. Ke5 e6) 2... e6) 1... e5 {} (1... c5 {x}) 2. Nf3 *";
        let opened = opened("a.pgn", 1, pgn.as_bytes()).unwrap();
        let told = opened.nodes.iter().map(|Node { up, mv, nags, comment }| {
            let name = mv.as_ref().map_or("", |mv| &mv.name);
            format!("{} {name} {nags:?} {comment}", up.map_or(String::new(), |up| up.to_string()))
        });
        assert_eq!(
            told.collect::<Vec<_>>(),
            [
                "  [] a start",
                "0 e4 [1, 13] ",
                "0 d4 [] first second",
                "2 d5 [6] ",
                "2 f5 [4] a gambit",
                "4 e4 [] ",
                "3 c4 [] ",
                "6 e6 [] ",
                "1 e5 [] ",
                "1 c5 [] x",
                "8 Nf3 [] ",
            ]
        );
        assert_eq!(opened.left_out, 2);
        assert!(opened.tags.contains("[ECO \"C20\"]\n") && !opened.tags.contains("Annotator"), "{}", opened.tags);
    }

    #[test]
    fn what_is_kept_of_variations_is_bounded() {
        let deep = format!("1. e4 {}e5{} *", "e5 (e6 2. d4 ".repeat(10_000), ")".repeat(10_000));
        let kept = opened("a.pgn", 1, deep.as_bytes()).unwrap();
        assert_eq!((kept.nodes.len() + kept.left_out, kept.nodes.len() < 200), (30_003, true));
        let many = format!("1. e4 {} e5 *", "(1. d4)".repeat(100_000));
        let kept = opened("a.pgn", 1, many.as_bytes()).unwrap();
        assert_eq!((kept.nodes.len() + kept.left_out, kept.left_out > 80_000), (100_003, true));
        assert!(kept.nodes.last().unwrap().mv.as_ref().unwrap().name == "e5", "the main line is kept");
    }

    #[test]
    fn what_cannot_be_opened_is_named_with_its_line() {
        for (number, text, reason) in [
            (1, &b"1. e4 e5\n2. Ke3"[..], "pasted:2: move 3, Ke3"),
            (1, b"1. e4 N\xff\xfe e5", "pasted:1: move 2"),
            (1, b"", "pasted: it has no game"),
            (1, b"hello", "pasted:1: \"hello\" begins no game"),
            (1, b"1. e4 {", "pasted:1: game 1: the comment that begins here has no end"),
            (0, b"1. e4", "pasted: game 0: there are 1"),
            (9, b"1. e4", "pasted: game 9: there are 1"),
            (1, b"[Variant \"Shogi\"]\n1. e4", "pasted: its variant \"Shogi\""),
            (1, b"[FEN \"8/8\"]\n1. e4", "pasted:1: the first position, 8/8: "),
        ] {
            let error = opened("pasted", number, text).unwrap_err();
            assert!(error.starts_with(reason), "{error}");
        }
        let long = "Nf3 Nf6 Ng1 Ng8 ".repeat(600);
        assert!(opened("pasted", 1, long.as_bytes()).unwrap_err().contains("it has 2400 moves"));
    }
}
