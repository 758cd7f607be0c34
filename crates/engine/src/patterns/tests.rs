// SPDX-License-Identifier: GPL-3.0-or-later
//! The bundled theories and the paper's figures, against the rules of the games.

use std::collections::BTreeSet;

use super::board::{square_name, square_named};
use super::generate::{Fate, GenerateSettings, generate};
use super::symmetry::{Symmetry, representative};
use super::transform::Transformation;
use super::unfold::{Limits, Unfinished, Unfolded, unfold};
use super::{Content, Pattern, Theory};
use crate::base::bundled::{BREAKTHROUGH_THEORY, Bundled, OTHELLO_THEORY};
use crate::base::figures::thousands;
use crate::game::{Game, Notation, Side, legal_moves};
use crate::games::{Breakthrough, Othello, random_game};

/// The clauses of the paper's Figure 2, word for word, but for the facts that it leaves out, which follow below.
const FIGURE_2: &str = "
legal_move(Square, Player):-
    square(Square), bs(Square,_End,Player).
bs(S1,S3,P):-blank(S1), opponent(P,Opp),
    neighbor(S1,D,S2), span(S2,S3,D,Opp),
    neighbor(S3,D,S4), owns(P,S4).
span(S1,S2,D,Owner):-
    square(S1),square(S2),
    player(Owner), owns(Owner, S1),
    neighbor(S1,D,S3),span(S3,S2,D,Owner).
span(S,S,D,Owner):-
    square(S),player(Owner),owns(Owner,S),
    direction(D).
line(S,S,D):-square(S),direction(D).
line(From,To,D):-
    neighbor(From,D,Next), line(Next,To,D).
opponent(x, o). opponent(o, x).
direction(n).direction(ne).direction(e).
direction(se).direction(s).direction(sw).
direction(w).direction(nw).
";

const LIMITS: Limits = Limits::of_patterns(100_000);

fn bundled(file: &Bundled) -> Theory {
    Theory::parse(file.text, file.name).unwrap()
}

/// The bundled theory on another board.
fn resized(file: &Bundled, board: &str) -> Theory {
    Theory::parse(&file.text.replace(":- board(8, 8,", &format!(":- board({board},")), file.name).unwrap()
}

fn unfolded(theory: &Theory, feature: &str) -> Unfolded {
    unfold(theory, &theory.feature(feature).unwrap(), LIMITS).unwrap()
}

fn count(theory: &Theory, feature: &str) -> usize {
    unfolded(theory, feature).patterns.len()
}

fn refusal(text: &str) -> String {
    Theory::parse(text, "t").unwrap_err().to_string()
}

/// The facts of a board of 4x4, written one by one.
fn facts_of_4x4() -> String {
    let board = super::board::Board { columns: 4, rows: 4, first_row_is_north: true };
    let mut text = "player(x). player(o).\n".to_owned();
    for square in board.squares() {
        let name = square_name(square);
        text += &format!("square({name}).\n");
        for direction in super::board::Board::directions() {
            if let Some(next) = board.neighbor(square, direction) {
                text += &format!("neighbor({name},{direction}, {}).\n", square_name(next));
            }
        }
    }
    text
}

#[test]
fn the_papers_figure_unfolds_to_68_patterns_a_player() {
    let theory = Theory::parse(&(FIGURE_2.to_owned() + &facts_of_4x4()), "Figure 2").unwrap();
    assert_eq!((theory.board.columns, theory.board.rows), (4, 4));
    for (feature, patterns) in [("legal_move(A, o)", 68), ("legal_move(A, x)", 68), ("legal_move(A, P)", 136)] {
        let unfolded = unfolded(&theory, feature);
        assert_eq!((unfolded.patterns.len(), unfolded.solutions), (patterns, patterns as u64), "{feature}");
    }
    // Figure 4: the three patterns of a1.
    let pattern = |own: &str, opposing: &str| {
        let facts = [(Content::Blank, "a1"), (Content::First, own), (Content::Second, opposing)];
        facts
            .iter()
            .fold(Pattern::default(), |p, (content, name)| p.with(*content, square_named(name).unwrap()).unwrap())
    };
    let a1 = unfolded(&theory, "legal_move(a1, o)").patterns;
    let shortest: BTreeSet<_> = a1.into_iter().filter(|pattern| pattern.length() == 3).collect();
    assert_eq!(shortest, [pattern("a2", "a3"), pattern("b1", "c1"), pattern("b2", "c3")].into());
    // The same from the directive.
    let short = Theory::parse(&(FIGURE_2.to_owned() + ":- board(4, 4, s). player(x). player(o)."), "t").unwrap();
    assert_eq!(unfolded(&short, "legal_move(A, o)"), unfolded(&theory, "legal_move(A, o)"));
}

#[test]
fn legal_moves_of_the_bundled_othello_have_1036_patterns_a_player() {
    let theory = bundled(&OTHELLO_THEORY);
    assert_eq!((count(&theory, "legal_move(S, x)"), count(&theory, "legal_move(S, o)")), (1036, 1036));
    assert_eq!(count(&theory, "owns(P, S)"), 128);
    assert_eq!(count(&theory, "blank(S)"), 64);
    let goal = unfolded(&theory, "goal(S, P)").patterns;
    assert_eq!(goal, unfolded(&theory, "owns(P, S)").patterns, "the goal counts discs");
    assert_eq!(count(&resized(&OTHELLO_THEORY, "4, 4"), "legal_move(S, x)"), 68);
}

/// What is true in a position: the facts as one pattern. `own` is the side to move.
fn position(squares: impl Iterator<Item = Option<Side>>) -> Pattern {
    squares.enumerate().fold(Pattern::default(), |pattern, (square, owner)| {
        let content = match owner {
            None => Content::Blank,
            Some(Side::White) => Content::First,
            Some(Side::Black) => Content::Second,
        };
        pattern.with(content, square as u8).unwrap()
    })
}

/// Plays random games, and gives each position with its moves to `check`.
fn random_positions<G: Game>(mut check: impl FnMut(&G::Position, &G::Moves)) {
    for seed in 0..5 {
        for position in random_game::<G>(seed).positions() {
            let moves = legal_moves::<G>(position);
            if !moves.is_empty() {
                check(position, &moves);
            }
        }
    }
}

/// The owners of the squares of a FEN, from a1. Upper case is White.
fn owners(fen: &str) -> Vec<Option<Side>> {
    let rows: Vec<&str> = fen.split(['[', ' ']).next().unwrap().split('/').collect();
    let mut owners = Vec::new();
    for letter in rows.iter().rev().flat_map(|row| row.chars()) {
        match letter.to_digit(10) {
            Some(blank) => owners.extend(vec![None; blank as usize]),
            None => owners.push(Some(if letter.is_uppercase() { Side::White } else { Side::Black })),
        }
    }
    owners
}

#[test]
fn a_pattern_matches_exactly_where_a_move_of_othello_is_legal() {
    let theory = bundled(&OTHELLO_THEORY);
    let by_square: Vec<_> = (0..64)
        .map(|square| {
            Side::BOTH.map(|side| {
                let player = if side == Side::White { "x" } else { "o" };
                unfolded(&theory, &format!("legal_move({}, {player})", square_name(square))).patterns
            })
        })
        .collect();
    let mut checked = 0;
    random_positions::<Othello>(|board, moves| {
        let mut rows = owners(&Othello::format_position(board));
        // Fairy-Stockfish has row 8 where Othello players have row 1.
        rows = rows.chunks(8).rev().flatten().copied().collect();
        let facts = position(rows.into_iter());
        let side = usize::from(Othello::to_move(board) == Side::Black);
        for (square, patterns) in by_square.iter().enumerate() {
            let is_legal = moves.iter().any(|mv| mv.square() == Some(square as u32));
            let is_matched = patterns[side].iter().any(|pattern| pattern.is_part_of(facts));
            assert_eq!(is_matched, is_legal, "{} in {board:?}", square_name(square as u8));
        }
        checked += 1;
    });
    assert!(checked > 250, "{checked}");
}

#[test]
fn solutions_are_the_moves_of_breakthrough() {
    let theory = bundled(&BREAKTHROUGH_THEORY);
    let players = ["white", "black"].map(|player| unfolded(&theory, &format!("legal_move(From, To, {player})")));
    // 7 rows of 8 steps ahead to blank squares and 14 steps aslant, to blank squares or to the opponent's.
    assert_eq!(players.each_ref().map(|found| (found.patterns.len(), found.solutions)), [(252, 252); 2]);
    let mut checked = 0;
    random_positions::<Breakthrough>(|board, moves| {
        let facts = position(owners(&Breakthrough::format_position(board)).into_iter());
        let side = usize::from(Breakthrough::to_move(board) == Side::Black);
        let matches = players[side].patterns.iter().filter(|pattern| pattern.is_part_of(facts)).count();
        assert_eq!(matches, moves.len(), "{board:?}");
        checked += 1;
    });
    assert!(checked > 150, "{checked}");
}

#[test]
fn the_rules_show_the_symmetries() {
    assert_eq!(Symmetry::all(&bundled(&OTHELLO_THEORY)).len(), 16);
    // Left and right, and top and bottom together with the players.
    let breakthrough = bundled(&BREAKTHROUGH_THEORY);
    let symmetries = Symmetry::all(&breakthrough);
    assert_eq!(symmetries.len(), 4);
    let moves = unfolded(&breakthrough, "legal_move(From, To, P)").patterns;
    for symmetry in &symmetries {
        assert_eq!(moves.iter().map(|&pattern| symmetry.image(pattern)).collect::<BTreeSet<_>>(), moves);
    }
    let representatives: BTreeSet<_> = moves.iter().map(|&pattern| representative(&symmetries, pattern)).collect();
    // Captures of both players are the same patterns: 2 * 252 - 98 patterns, of which two are their own half turn.
    assert_eq!((moves.len(), representatives.len()), (406, 102));
    // A rule for one player alone leaves one exchange fewer.
    let lopsided =
        Theory::parse(&(OTHELLO_THEORY.text.to_owned() + "corner(x, a1). hope(P) :- corner(P, S), blank(S)."), "t");
    assert_eq!(Symmetry::all(&lopsided.unwrap()).len(), 2);
}

#[test]
fn what_turns_a_disc_is_a_move() {
    let theory = bundled(&OTHELLO_THEORY);
    let moves = unfolded(&theory, "legal_move(S, P)").patterns;
    // Each bracketed disc is turned by that move; each pattern of a move turns at least one.
    assert_eq!(unfolded(&theory, "turned(S, P)").patterns, moves);
    let discs: u32 = moves.iter().map(|pattern| pattern.length() - 2).sum();
    assert_eq!(unfolded(&theory, "turned(S, P)").solutions, u64::from(discs));
}

#[test]
fn each_transformation_makes_what_the_documentation_shows() {
    let theory = bundled(&OTHELLO_THEORY);
    let made = |transformation: Transformation, feature: &str| {
        let made = transformation.apply(&theory, &theory.feature(feature).unwrap());
        made.iter().map(|feature| theory.text(feature)).collect::<Vec<_>>()
    };
    use Transformation::{Bind, Drop, Expand, Regress, Split};
    let feature = "blank(S), neighbor(S, D, T), owns(x, T)";
    assert_eq!(made(Split, feature), ["blank(A), neighbor(A, B, C)", "neighbor(A, B, C), owns(x, C)"]);
    assert_eq!(made(Drop, "owns(x, S)"), [""; 0]);
    let three = "blank(S), blank(T), owns(x, S), opponent(x, P)";
    assert_eq!(made(Drop, three), ["blank(A), owns(x, B)", "blank(A), owns(x, A)", "blank(A), blank(B)"]);
    assert_eq!(
        made(Regress, "neighbor(S, D, T), owns(x, T)"),
        ["neighbor(A, B, C), legal_move(C, x)", "neighbor(A, B, C), turned(C, x)"]
    );
    assert_eq!(made(Regress, "blank(S)"), [""; 0]);
    assert_eq!(
        made(Expand, "span(a1, B, s, x)"),
        [
            "owns(x, a1), neighbor(a1, s, A), span(A, B, s, x), square(a1), square(B), player(x)",
            "owns(x, a1), direction(s), square(a1), player(x)"
        ]
    );
    assert_eq!(made(Bind, "owns(P, S), opponent(P, Q)").len(), 4);
    assert_eq!(made(Bind, "owns(P, S)"), ["owns(x, A)", "owns(o, A)"]);
}

#[test]
fn generation_merges_features_and_patterns() {
    let theory = resized(&OTHELLO_THEORY, "4, 4");
    let settings = GenerateSettings { steps: 1, features: 1000, limits: LIMITS, longest: 64 };
    let generated = generate(&theory, &settings, &mut |_| {});
    let counts = generated.counts(&Symmetry::all(&theory));
    let fates = counts.kept + counts.repeats + counts.empty + counts.too_large;
    assert_eq!((fates, generated.is_cut), (counts.features, false));
    // The first features have 32, 16 and 136 patterns; two players of each make none that is new.
    assert_eq!(counts.unique, 32 + 16 + 136);
    assert!(generated.features.iter().skip(3).all(|feature| feature.origin.is_some()));
    let kept = |place: usize| match generated.features[place].fate {
        Fate::Kept { patterns, new, .. } => (patterns, new),
        _ => (0, 0),
    };
    assert_eq!([0, 1, 2].map(kept), [(32, 32), (16, 16), (136, 136)]);
    assert!(counts.repeats > 0, "bs(…) repeats legal_move(…)");
    // Squares of 4x4 are of three kinds; a content of them is blank or somebody's.
    let short = generated.representatives(&Symmetry::all(&theory)).into_iter().filter(|pattern| pattern.length() == 1);
    assert_eq!(short.count(), 6);
    let cut = generate(&theory, &GenerateSettings { features: 4, ..settings }, &mut |_| {});
    assert_eq!((cut.features.len(), cut.is_cut), (4, true));
}

#[test]
fn an_unfolding_that_does_not_end_is_refused() {
    let text = "path(A, B) :- neighbor(A, D, C), path(C, B). path(A, A) :- square(A). far(S) :- path(a1, S), blank(S).";
    let theory = Theory::parse(&(OTHELLO_THEORY.text.to_owned() + text), "t").unwrap();
    let feature = theory.feature("far(S)").unwrap();
    assert_eq!(unfold(&theory, &feature, LIMITS), Err(Unfinished::Endless));
    let many = theory.feature("blank(A), blank(B), blank(C), blank(D), blank(E)").unwrap();
    assert_eq!(unfold(&theory, &many, LIMITS), Err(Unfinished::Patterns(100_000)));
    let idle = theory.feature("neighbor(A, B, C), neighbor(D, E, F), neighbor(G, H, I)").unwrap();
    assert_eq!(unfold(&theory, &idle, LIMITS), Err(Unfinished::Steps(LIMITS.steps)));
}

#[test]
fn a_theory_with_mistakes_is_refused_with_line_and_remedy() {
    let base = ":- board(4, 4, s).\nplayer(x). player(o).\n";
    for (text, expected) in [
        // The paper's section 3.1 has this order, its Figure 2 the other one.
        (
            "f(P) :- owns(d1, x), player(P).",
            "t:3: argument 1 of owns must be a player; the order is owns(Player, Square)",
        ),
        ("f(S) :- owns(S, P), blank(S).", "t:3: argument 1 of blank is a square, but this variable is a player"),
        ("owns(x, a1).", "t:3: owns: a position has this fact"),
        ("blank(S) :- square(S).", "t:3: blank is what a position consists of"),
        ("f(S) :-\n  blank(S), near(S).", "t:4: near is not defined"),
        ("f(S) :- blank(S, S).", "t:3: blank has 2 arguments here and 1 elsewhere"),
        ("f(S, T) :- blank(S).", "t:3: the variable T is in the head and not in the body"),
        ("f(S).", "t:3: f: a fact has constants only"),
        ("square(e9x).", "the square \"e9x\" must be called a1 to h8"),
        ("player(z).", "t:1: there must be two players"),
        (":- start blanc(S).", "t:3: the theory has no predicate \"blanc\""),
        (":- after line(S) if blank(S).", "t:3: line: only owns and blank have effects"),
        (":- board(4, 4, s).", "t:3: the board is given twice"),
        ("f(S) :- blank(S)", "t:3: the text ends within a clause"),
    ] {
        let found = refusal(&format!("{base}{text}"));
        assert!(
            found.starts_with(expected) || found.contains(expected) && !expected.starts_with("t:"),
            "{text}: {found}"
        );
    }
    for board in ["9, 8, s", "0, 8, s", "8, 8", "8, 8, x", "8, S, s", "-1, 2, s"] {
        assert!(refusal(&format!(":- board({board}).")).starts_with("t:1: "), "{board}");
    }
    assert!(refusal("").contains("not defined"));
    assert!(bundled(&OTHELLO_THEORY).feature("owns(d5, x)").unwrap_err().contains("owns(Player, Square)"));
    assert!(bundled(&OTHELLO_THEORY).feature("owns(z, S)").unwrap_err().contains("no constant"));
}

/// The table of counts in the documentation, row by row.
#[test]
fn the_documentation_has_the_counts() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../research/patterns.md");
    let documented = std::fs::read_to_string(path).unwrap();
    let mut rows = Vec::new();
    for (name, file) in [("Othello", OTHELLO_THEORY), ("Breakthrough", BREAKTHROUGH_THEORY)] {
        let theory = bundled(&file);
        for steps in 0..=2 {
            let settings = GenerateSettings { steps, features: 10_000, limits: LIMITS, longest: 64 };
            let counts = generate(&theory, &settings, &mut |_| {}).counts(&Symmetry::all(&theory));
            let many = [counts.solutions, counts.patterns, counts.unique as u64, counts.representatives as u64];
            let few = [counts.features, counts.kept, counts.too_large].map(|count| count as u64);
            let figures: Vec<_> = few.into_iter().chain(many).map(thousands).collect();
            rows.push(format!("| {name} | {steps} | {} |", figures.join(" | ")));
        }
    }
    assert!(documented.contains(&rows.join("\n")), "research/patterns.md should have:\n{}", rows.join("\n"));
}
