// SPDX-License-Identifier: GPL-3.0-or-later
//! Matching many patterns at once, incrementally (sections 5.1 to 5.3 and 5.4.2 of the paper).
//!
//! Facts and patterns are the nodes of a Hasse diagram. Each pattern counts how many of the nodes below it are true; it is
//! true when all are. When a fact changes, *cover propagation* goes up from it, through the nodes that change as well.

use super::pattern::Pattern;

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
}

/// A diagram of patterns. It does not change; a [`Matcher`] holds what is true.
#[derive(Clone, Debug)]
pub struct Diagram {
    patterns: Vec<Pattern>,
    /// By pattern: the number of nodes below it, `|dep(p)|` in the paper.
    needed: Vec<u32>,
    /// By node, facts first: the patterns above it, `upd(p)` in the paper.
    above: Vec<Vec<u32>>,
}

impl Diagram {
    /// The diagram of these patterns; equal ones are merged.
    #[must_use]
    pub fn new(patterns: impl IntoIterator<Item = Pattern>, edges: Edges) -> Self {
        let mut patterns: Vec<Pattern> = patterns.into_iter().collect();
        patterns.sort_unstable_by_key(|pattern| (pattern.length(), *pattern));
        patterns.dedup();
        let mut diagram = Self {
            needed: Vec::with_capacity(patterns.len()),
            above: vec![Vec::new(); FACTS + patterns.len()],
            patterns,
        };
        // Each pattern is listed under the first of its facts, where longer patterns find it.
        let mut listed: Vec<Vec<u32>> = vec![Vec::new(); FACTS];
        for (number, &pattern) in diagram.patterns.iter().enumerate() {
            let below = match edges {
                Edges::Facts => facts(pattern).collect(),
                Edges::Covers => covered(&diagram.patterns, &listed, pattern),
                Edges::Needed => needed(&diagram.patterns, pattern, &covered(&diagram.patterns, &listed, pattern)),
            };
            diagram.needed.push(below.len() as u32);
            for node in below {
                diagram.above[node].push(number as u32);
            }
            if let Some(first) = facts(pattern).next() {
                listed[first].push(number as u32);
            }
        }
        diagram
    }

    /// The patterns, shorter ones first. Their places are their numbers.
    #[must_use]
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// The number of edges: the most counters that setting all facts changes.
    #[must_use]
    pub fn edges(&self) -> usize {
        self.above.iter().map(Vec::len).sum()
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
    let content = super::Content::ALL[node / 64];
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

/// What is true of a position, and the counters that follow when it changes.
#[derive(Clone, Debug)]
pub struct Matcher<'a> {
    diagram: &'a Diagram,
    position: Pattern,
    /// By pattern: how many of the nodes below it are true, `cur(p)` in the paper.
    counters: Vec<u32>,
    /// Nodes that have changed and whose counters above have not yet, `W` in the paper.
    waiting: Vec<usize>,
}

impl<'a> Matcher<'a> {
    /// The matcher of a position without any fact.
    #[must_use]
    pub fn new(diagram: &'a Diagram) -> Self {
        let counters = vec![0; diagram.patterns.len()];
        Self { diagram, position: Pattern::default(), counters, waiting: Vec::new() }
    }

    /// Goes to another position, given as all of its facts. `change` is called for each pattern that becomes true or false,
    /// with its number.
    pub fn go_to(&mut self, position: Pattern, mut change: impl FnMut(usize, bool)) {
        let gone = facts(self.position).filter(|&node| !fact(node).is_part_of(position));
        let come = facts(position).filter(|&node| !fact(node).is_part_of(self.position));
        let (gone, come): (Vec<usize>, Vec<usize>) = (gone.collect(), come.collect());
        self.position = position;
        self.propagate(&gone, false, &mut change);
        self.propagate(&come, true, &mut change);
    }

    /// Whether a pattern is true.
    #[must_use]
    pub fn is_true(&self, number: usize) -> bool {
        self.counters[number] == self.diagram.needed[number]
    }

    /// Cover propagation (Figure 7) from facts that all become true or all become false.
    fn propagate(&mut self, nodes: &[usize], becomes: bool, change: &mut impl FnMut(usize, bool)) {
        self.waiting.extend(nodes);
        while let Some(node) = self.waiting.pop() {
            for &number in &self.diagram.above[node] {
                let number = number as usize;
                let was_true = self.is_true(number);
                if becomes {
                    self.counters[number] += 1;
                } else {
                    self.counters[number] -= 1;
                }
                if self.is_true(number) != was_true {
                    change(number, becomes);
                    self.waiting.push(FACTS + number);
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
    use crate::patterns::Content;

    /// A conjunction of the facts a, b, c, … of the paper's examples: a piece of the first player on a1, b1, c1, …
    fn named(letters: &str) -> Pattern {
        letters.bytes().fold(Pattern::default(), |pattern, letter| pattern.with(Content::First, letter - b'a').unwrap())
    }

    /// The nodes below a pattern, as patterns.
    fn below(diagram: &Diagram, pattern: Pattern) -> BTreeSet<Pattern> {
        let number = diagram.patterns.iter().position(|&known| known == pattern).unwrap() as u32;
        let nodes = (0..diagram.above.len()).filter(|&node| diagram.above[node].contains(&number));
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
        // Figure 8: eight edges.
        assert_eq!(Diagram::new(["abcd", "bcde"].map(named), Edges::Covers).edges(), 8);
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
            for edges in [Edges::Facts, Edges::Covers, Edges::Needed] {
                let diagram = Diagram::new(patterns.iter().copied(), edges);
                let mut matcher = Matcher::new(&diagram);
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
