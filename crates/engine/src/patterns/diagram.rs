// SPDX-License-Identifier: GPL-3.0-or-later
//! Matching many patterns at once, incrementally (section 5 of the paper).
//!
//! Facts and patterns are the nodes of a Hasse diagram. Each pattern counts how many of the nodes below it are true; it is
//! true when all are. When a fact changes, *cover propagation* goes up from it, through the nodes that change as well.

use std::sync::Arc;

use super::cubes;
use super::pattern::{Content, Pattern};
use crate::base::bits::ones;

/// The number of facts: three contents of 64 squares.
const FACTS: usize = 192;

/// Which nodes are below a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edges {
    /// Its facts only: the naive index of the paper's Figure 5.
    Facts,
    /// All patterns and facts that it covers, with nothing between: the Hasse diagram of Figure 6.
    Covers,
    /// As many of these as have all of its facts (section 5.4.2), the longest first.
    Needed,
    /// The same, with nodes for what several patterns have in common (section 5.4.1).
    Cubes,
}

/// A diagram of patterns. It does not change; a [`Matcher`] holds what is true. Its nodes are the facts, then the patterns,
/// then the cubes.
#[derive(Clone, Debug)]
pub struct Diagram {
    patterns: Vec<Pattern>,
    /// By pattern and cube: the number of nodes below it, `|dep(p)|` in the paper.
    needed: Vec<u32>,
    /// By node: where its part of `above` begins; then where the last one ends.
    starts: Vec<u32>,
    /// By node: the patterns and cubes above it, `upd(p)` in the paper.
    above: Vec<u32>,
}

impl Diagram {
    /// The diagram of these patterns; equal ones are merged.
    pub fn new(patterns: impl IntoIterator<Item = Pattern>, edges: Edges) -> Self {
        let mut patterns: Vec<Pattern> = patterns.into_iter().collect();
        patterns.sort_unstable_by_key(|pattern| (pattern.length(), *pattern));
        patterns.dedup();
        // Each pattern is listed under the first of its facts, where longer patterns find it.
        let mut listed: Vec<Vec<u32>> = vec![Vec::new(); FACTS];
        let mut below: Vec<Vec<u32>> = Vec::with_capacity(patterns.len());
        for (number, &pattern) in patterns.iter().enumerate() {
            let nodes = match edges {
                Edges::Facts => facts(pattern).collect(),
                Edges::Covers => covered(&patterns, &listed, pattern),
                Edges::Needed | Edges::Cubes => needed(&patterns, pattern, &covered(&patterns, &listed, pattern)),
            };
            below.push(nodes.into_iter().map(|node| node as u32).collect());
            if let Some(first) = facts(pattern).next() {
                listed[first].push(number as u32);
            }
        }
        if edges == Edges::Cubes {
            let first_new = (FACTS + patterns.len()) as u32;
            let cubes = cubes::extract(&mut below, first_new);
            below.extend(cubes);
        }
        let needed = below.iter().map(|nodes| nodes.len() as u32).collect();
        // Counted, then filled in from the end.
        let mut starts = vec![0_u32; FACTS + below.len() + 1];
        for &node in below.iter().flatten() {
            starts[node as usize] += 1;
        }
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut above = vec![0; end as usize];
        for (number, nodes) in below.iter().enumerate().rev() {
            for &node in nodes {
                starts[node as usize] -= 1;
                above[starts[node as usize] as usize] = number as u32;
            }
        }
        Self { patterns, needed, starts, above }
    }

    /// The patterns, shorter ones first. Their places are their numbers.
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// The number of edges: the most counters that setting all facts changes.
    pub fn edges(&self) -> usize {
        self.above.len()
    }

    /// The number of nodes for what patterns have in common.
    pub fn cubes(&self) -> usize {
        self.needed.len() - self.patterns.len()
    }

    fn above(&self, node: usize) -> &[u32] {
        &self.above[self.starts[node] as usize..self.starts[node + 1] as usize]
    }
}

/// The nodes of a pattern's facts.
fn facts(pattern: Pattern) -> impl Iterator<Item = usize> {
    pattern.facts().map(|(content, square)| content as usize * 64 + usize::from(square))
}

/// The facts of a node.
fn base(patterns: &[Pattern], node: usize) -> Pattern {
    match node.checked_sub(FACTS) {
        Some(number) => patterns[number],
        None => fact(node),
    }
}

/// The pattern that is one fact.
fn fact(node: usize) -> Pattern {
    let content = Content::ALL[node / 64];
    Pattern::default().with(content, (node % 64) as u8).unwrap_or_default()
}

/// The nodes that a pattern covers, the longest first: parts of it that are not part of another of its parts.
fn covered(patterns: &[Pattern], listed: &[Vec<u32>], pattern: Pattern) -> Vec<usize> {
    let mut parts: Vec<usize> = facts(pattern)
        .flat_map(|fact| &listed[fact])
        .map(|&number| number as usize)
        .filter(|&number| patterns[number].is_part_of(pattern))
        .map(|number| FACTS + number)
        .collect();
    parts.sort_unstable_by(|left, right| right.cmp(left));
    parts.extend(facts(pattern));
    let mut covered: Vec<usize> = Vec::new();
    for part in parts {
        let own = base(patterns, part);
        if !covered.iter().any(|&longer| own.is_part_of(base(patterns, longer))) {
            covered.push(part);
        }
    }
    covered
}

/// Those of the covered nodes, from the longest to the shortest, that have facts which those before have not.
fn needed(patterns: &[Pattern], pattern: Pattern, covered: &[usize]) -> Vec<usize> {
    let mut squares = 0;
    let mut kept = Vec::new();
    for &node in covered {
        let own = base(patterns, node).squares();
        if own & !squares != 0 {
            squares |= own;
            kept.push(node);
        }
    }
    debug_assert_eq!(squares, pattern.squares());
    kept
}

/// The nodes of the facts that one pattern has and another has not.
fn difference(pattern: Pattern, other: Pattern) -> impl Iterator<Item = usize> {
    Content::ALL.into_iter().flat_map(move |content| {
        ones(pattern.set(content) & !other.set(content)).map(move |square| content as usize * 64 + square as usize)
    })
}

/// What is true of a position, and the counters that follow when it changes.
#[derive(Clone, Debug)]
pub struct Matcher {
    diagram: Arc<Diagram>,
    position: Pattern,
    /// By pattern and cube: how many of the nodes below it are true, `cur(p)` in the paper.
    counters: Vec<u32>,
    /// Nodes that have changed and whose counters above have not yet, `W` in the paper.
    waiting: Vec<usize>,
}

impl Matcher {
    /// The matcher of a position without any fact.
    pub fn new(diagram: Arc<Diagram>) -> Self {
        let counters = vec![0; diagram.needed.len()];
        Self { diagram, position: Pattern::default(), counters, waiting: Vec::new() }
    }

    /// Goes to another position, given as all of its facts. `change` is called for each pattern that becomes true or false,
    /// with its number.
    pub fn go_to(&mut self, position: Pattern, mut change: impl FnMut(usize, bool)) {
        let before = std::mem::replace(&mut self.position, position);
        self.propagate(difference(before, position), false, &mut change);
        self.propagate(difference(position, before), true, &mut change);
    }

    /// Whether a pattern is true.
    pub fn is_true(&self, number: usize) -> bool {
        self.counters[number] == self.diagram.needed[number]
    }

    /// Cover propagation (Figure 7) from facts that all become true or all become false. The figure's `cur(r) = dep(r)` is
    /// `|dep(r)|`.
    fn propagate(&mut self, nodes: impl Iterator<Item = usize>, becomes: bool, change: &mut impl FnMut(usize, bool)) {
        let Self { diagram, counters, waiting, .. } = self;
        waiting.extend(nodes);
        while let Some(node) = waiting.pop() {
            for &number in diagram.above(node) {
                let number = number as usize;
                let (counter, needed) = (&mut counters[number], diagram.needed[number]);
                // True before or after, and only then: a counter reaches `needed` or leaves it.
                let changes = if becomes {
                    *counter += 1;
                    *counter == needed
                } else {
                    *counter -= 1;
                    *counter + 1 == needed
                };
                if changes {
                    if number < diagram.patterns.len() {
                        change(number, becomes);
                    }
                    waiting.push(FACTS + number);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// A conjunction of the facts a, b, c, … of the paper's examples: a piece of the first player on a1, b1, c1, …
    fn named(letters: &str) -> Pattern {
        letters.bytes().fold(Pattern::default(), |pattern, letter| pattern.with(Content::First, letter - b'a').unwrap())
    }

    /// The nodes below a pattern, as patterns.
    fn below(diagram: &Diagram, pattern: Pattern) -> BTreeSet<Pattern> {
        let number = diagram.patterns.iter().position(|&known| known == pattern).unwrap() as u32;
        let nodes = (0..FACTS + diagram.patterns.len()).filter(|&node| diagram.above(node).contains(&number));
        nodes.map(|node| base(&diagram.patterns, node)).collect()
    }

    #[test]
    fn the_papers_table_1_and_its_redundant_edge() {
        let patterns = ["abc", "ab", "bc", "a", "b", "c"].map(named);
        let diagram = Diagram::new(patterns, Edges::Covers);
        assert_eq!(below(&diagram, named("abc")), ["ab", "bc"].map(named).into());
        assert_eq!(below(&diagram, named("ab")), ["a", "b"].map(named).into());
        assert_eq!(below(&diagram, named("a")), [named("a")].into());
        // Section 5.4.2: of ab, bc and ca, two have all facts of abc.
        let patterns = ["abc", "ab", "bc", "ac"].map(named);
        assert_eq!(below(&Diagram::new(patterns, Edges::Covers), named("abc")).len(), 3);
        assert_eq!(below(&Diagram::new(patterns, Edges::Needed), named("abc")).len(), 2);
        // Figure 8: eight edges. Figure 9: seven, with the cube bcd.
        assert_eq!(Diagram::new(["abcd", "bcde"].map(named), Edges::Covers).edges(), 8);
        let diagram = Diagram::new(["abcd", "bcde"].map(named), Edges::Cubes);
        assert_eq!((diagram.edges(), diagram.cubes()), (7, 1));
        assert_eq!(Diagram::new(["abcd", "abcd"].map(named), Edges::Facts).edges(), 4);
    }

    fn pattern(squares: u8) -> impl Strategy<Value = Pattern> {
        let contents = prop::collection::vec(prop::option::weighted(0.6, 0..3_usize), usize::from(squares));
        contents.prop_map(|contents| {
            let facts = contents.into_iter().enumerate().filter_map(|(square, content)| Some((square, content?)));
            facts.fold(Pattern::default(), |pattern, (square, content)| {
                pattern.with(Content::ALL[content], square as u8 * 9).unwrap()
            })
        })
    }

    proptest! {
        /// Against matching from scratch, over positions that share nothing, much and everything.
        #[test]
        fn counters_say_what_matching_from_scratch_says(
            patterns in prop::collection::vec(pattern(6), 0..60),
            positions in prop::collection::vec(pattern(6), 1..12),
        ) {
            for edges in [Edges::Facts, Edges::Covers, Edges::Needed, Edges::Cubes] {
                let diagram = Arc::new(Diagram::new(patterns.iter().copied(), edges));
                let mut matcher = Matcher::new(Arc::clone(&diagram));
                let mut told: Vec<bool> = diagram.patterns().iter().map(|pattern| pattern.length() == 0).collect();
                for &position in &positions {
                    matcher.go_to(position, |number, is_true| told[number] = is_true);
                    for (number, pattern) in diagram.patterns().iter().enumerate() {
                        let expected = pattern.is_part_of(position);
                        prop_assert_eq!((matcher.is_true(number), told[number]), (expected, expected), "{:?}", edges);
                    }
                }
            }
        }
    }
}
