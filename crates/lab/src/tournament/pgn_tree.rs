// SPDX-License-Identifier: GPL-3.0-or-later
//! The moves of a game in PGN as a tree: variations, comments and marks included.

use halfply_engine::base::encoding::decoded;

/// The deepest variations that are kept, and the most moves of a game with them: the page shows each as a button.
const DEEPEST: usize = 50;
const MOST: usize = 10_000;

/// Marks behind a move; their places from 1 are their numbers (Edwards 1994, section 10).
const MARKS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// A move with what is said of it, or the first position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnNode {
    /// The place of the move before it in the list; none for the first position.
    pub up: Option<usize>,
    /// The move as it is written. Whether it is legal is not known yet.
    pub text: String,
    /// The numbers of its marks.
    pub nags: Vec<u8>,
    /// Its comments, without line ends.
    pub comment: String,
}

/// A game with its variations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnTree {
    /// The first position, and then all moves as they are written. So the first move that follows another one continues its
    /// line, and the others begin variations.
    pub nodes: Vec<PgnNode>,
    /// How many moves of variations are left out: those that are nested too deep, and those after the first thousands.
    pub left_out: usize,
    line: Line,
    /// The lines around the present one.
    outer: Vec<Line>,
    /// A comment before the first move of a variation.
    waiting: String,
}

/// A line that is being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Line {
    /// The node that its next move follows; none if it is left out.
    end: Option<usize>,
    has_begun: bool,
}

impl Default for PgnTree {
    fn default() -> Self {
        let line = Line { end: Some(0), has_begun: false };
        Self { nodes: vec![PgnNode::default()], left_out: 0, line, outer: Vec::new(), waiting: String::new() }
    }
}

impl PgnTree {
    /// A game without variations.
    pub fn of_moves(moves: &[String]) -> Self {
        let mut tree = Self::default();
        moves.iter().for_each(|mv| tree.add_move(mv));
        tree
    }

    /// A variation begins: its first move replaces the last one.
    pub(super) fn open(&mut self) {
        let end = self.line.end.filter(|_| self.line.has_begun).and_then(|end| self.nodes[end].up);
        self.outer.push(std::mem::replace(&mut self.line, Line { end, has_begun: false }));
        self.waiting.clear();
    }

    pub(super) fn close(&mut self) {
        self.line = self.outer.pop().unwrap_or(self.line);
        self.waiting.clear();
    }

    pub(super) fn add_move(&mut self, text: &str) {
        let depth = self.outer.len();
        let up = self.line.end.filter(|_| depth == 0 || (depth <= DEEPEST && self.nodes.len() < MOST));
        self.left_out += usize::from(up.is_none());
        self.line = Line { end: up.map(|_| self.nodes.len()), has_begun: true };
        let comment = std::mem::take(&mut self.waiting);
        self.nodes.extend(up.map(|_| PgnNode { up, text: text.to_owned(), comment, nags: Vec::new() }));
    }

    /// A mark after a move, by its signs.
    pub(super) fn add_mark(&mut self, signs: &str) {
        let place = MARKS.iter().position(|&mark| mark == signs);
        self.add_nag(place.and_then(|place| u8::try_from(place + 1).ok()));
    }

    /// The same, by its number.
    pub(super) fn add_nag(&mut self, nag: Option<u8>) {
        if let Some(end) = self.line.end.filter(|_| self.line.has_begun) {
            self.nodes[end].nags.extend(nag);
        }
    }

    pub(super) fn add_comment(&mut self, comment: &[u8]) {
        let is_waiting = !self.line.has_begun && !self.outer.is_empty();
        let of_move = self.line.end.map(|end| &mut self.nodes[end].comment);
        let Some(text) = (if is_waiting { Some(&mut self.waiting) } else { of_move }) else { return };
        for word in decoded(comment).split_whitespace() {
            if !text.is_empty() {
                text.push(' ');
            }
            *text += word;
        }
    }
}
