// SPDX-License-Identifier: GPL-3.0-or-later
//! Conditions of moves, compiled: a search asks them of millions of moves a second.

use std::collections::BTreeMap;
use std::ops::Range;

use super::pattern::{Content, Pattern};
use crate::base::bits::ones;

/// The most different conditions.
pub(super) const MOST_CONDITIONS: usize = 256;
/// Longer lists are not searched for patterns that say more than others.
const LONGEST_REDUCED: usize = 400;

/// What the atoms of a move depend on.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// The facts after the move, and before it.
    pub facts: [Pattern; 2],
    /// Whether the second player moves.
    pub second_moves: bool,
    /// From where, to where, and where the previous move ended, if that is known: squares from 0 to 63.
    pub squares: [Option<u8>; 3],
}

/// A condition: by player and squares, which alternatives make it true.
#[derive(Clone, Debug)]
struct Condition {
    is_before: bool,
    /// Which of the squares it names: none, one or two.
    keys: [Option<usize>; 2],
    /// By player, then by squares: the place in [`Conditions::alternatives`], from 1; 0 for what is never true.
    index: Vec<u16>,
}

/// Patterns of which one must be there.
#[derive(Clone, Debug)]
struct Alternatives {
    /// The facts of which each is enough.
    any: [u64; 3],
    /// The facts of all `groups`: without one of them, none of those is there.
    heads: [u64; 3],
    /// The patterns of several facts.
    groups: Range<u32>,
}

/// Patterns that have a fact in common, and one of which must be there.
#[derive(Clone, Debug)]
struct Group {
    /// The fact that they share.
    head: (Content, u64),
    /// The facts of which each, beside the shared one, is enough.
    any: [u64; 3],
    /// What the patterns of more than two facts say beside it.
    longer: Range<u32>,
}

/// The conditions of all atoms of a file.
#[derive(Clone, Debug, Default)]
pub(super) struct Conditions {
    conditions: Vec<Condition>,
    alternatives: Vec<Alternatives>,
    groups: Vec<Group>,
    longer: Vec<Pattern>,
}

impl Conditions {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.conditions.len()
    }

    /// Adds a condition about the position before or after a move, and gives its number. `keys` says which squares of
    /// [`Seen`] it depends on, and `index` by player and by these squares which alternatives make it true.
    pub(super) fn add(&mut self, is_before: bool, keys: [Option<usize>; 2], index: Vec<u16>) -> usize {
        self.conditions.push(Condition { is_before, keys, index });
        self.conditions.len() - 1
    }

    /// Adds patterns of which one must be there, and gives their place for an index; none if there are too many.
    pub(super) fn add_alternatives(&mut self, patterns: Vec<Pattern>) -> Option<u16> {
        let (mut any, mut several) = ([0; 3], Vec::new());
        for pattern in reduced(patterns) {
            match pattern.length() {
                // Always true: each square has some content.
                0 => any = [u64::MAX; 3],
                1 => add_facts(&mut any, pattern),
                _ => several.push(pattern),
            }
        }
        let (start, mut heads) = (self.groups.len() as u32, [0; 3]);
        for ((content, square), patterns) in by_shared_fact(&several) {
            heads[content as usize] |= 1 << square;
            self.add_group((content, 1 << square), patterns);
        }
        self.alternatives.push(Alternatives { any, heads, groups: start..self.groups.len() as u32 });
        u16::try_from(self.alternatives.len()).ok()
    }

    fn add_group(&mut self, head: (Content, u64), patterns: Vec<Pattern>) {
        let (start, mut any) = (self.longer.len() as u32, [0; 3]);
        for pattern in patterns {
            let rest = pattern.on(!head.1);
            if rest.length() == 1 {
                add_facts(&mut any, rest);
            } else {
                self.longer.push(rest);
            }
        }
        self.groups.push(Group { head, any, longer: start..self.longer.len() as u32 });
    }

    /// Which alternatives make a condition true of a move: their place; none if it is never true.
    pub(super) fn place(&self, number: usize, second_moves: bool, squares: [Option<u8>; 3]) -> Option<usize> {
        let condition = &self.conditions[number];
        let mut place = usize::from(second_moves);
        for key in condition.keys.into_iter().flatten() {
            place = place << 6 | usize::from(squares[key]? & 63);
        }
        usize::from(condition.index[place]).checked_sub(1)
    }

    /// Whether a condition is true of a move.
    fn holds(&self, number: usize, seen: &Seen) -> bool {
        let Some(place) = self.place(number, seen.second_moves, seen.squares) else { return false };
        let Alternatives { any, heads, groups } = &self.alternatives[place];
        let facts = &seen.facts[usize::from(self.is_before(number))];
        has_any(facts, any)
            || has_any(facts, heads)
                && self.groups[groups.start as usize..groups.end as usize].iter().any(|group| {
                    let Group { head: (content, bit), any, longer } = group;
                    facts.set(*content) & bit != 0
                        && (has_any(facts, any)
                            || self.longer[longer.start as usize..longer.end as usize]
                                .iter()
                                .any(|pattern| pattern.is_part_of(*facts)))
                })
    }

    /// Whether a condition is about the position before the move.
    pub(super) fn is_before(&self, number: usize) -> bool {
        self.conditions[number].is_before
    }

    /// Whether a condition depends on one of the squares of [`Seen`].
    pub(super) fn names(&self, number: usize, square: usize) -> bool {
        self.conditions[number].keys.contains(&Some(square))
    }

    /// By place, the patterns of which one must be there.
    pub(super) fn patterns(&self) -> Vec<Vec<Pattern>> {
        let with_each = |head: Pattern, any: &[u64; 3]| {
            let facts =
                Content::ALL.into_iter().flat_map(|content| ones(any[content as usize]).map(move |bit| (content, bit)));
            facts.filter_map(|(content, square)| head.with(content, square as u8)).collect::<Vec<_>>()
        };
        let all = self.alternatives.iter().map(|Alternatives { any, groups, .. }| {
            if any == &[u64::MAX; 3] {
                return vec![Pattern::default()];
            }
            let mut patterns = with_each(Pattern::default(), any);
            for Group { head, any, longer } in &self.groups[groups.start as usize..groups.end as usize] {
                let head = Pattern::default().with(head.0, head.1.trailing_zeros() as u8).unwrap_or_default();
                patterns.extend(with_each(head, any));
                let longer = &self.longer[longer.start as usize..longer.end as usize];
                patterns.extend(longer.iter().filter_map(|&pattern| pattern.and(head)));
            }
            patterns
        });
        all.collect()
    }

    /// Whether asking for a condition may mean asking for patterns one by one.
    pub(super) fn is_slow(&self, number: usize) -> bool {
        self.conditions[number].index.iter().any(|&place| {
            usize::from(place).checked_sub(1).is_some_and(|place| !self.alternatives[place].groups.is_empty())
        })
    }
}

/// The answers of a move to conditions, each found when it is first asked for.
pub(super) struct Answers<'a> {
    conditions: &'a Conditions,
    seen: &'a Seen,
    known: [u64; Answers::WORDS],
    values: [u64; Answers::WORDS],
}

impl<'a> Answers<'a> {
    /// 64 conditions each.
    const WORDS: usize = MOST_CONDITIONS / 64;

    pub(super) fn new(conditions: &'a Conditions, seen: &'a Seen) -> Self {
        Self { conditions, seen, known: [0; Self::WORDS], values: [0; Self::WORDS] }
    }

    /// Whether a condition is true of the move.
    pub(super) fn is_true(&mut self, number: usize) -> bool {
        let (word, bit) = (number / 64, 1 << (number % 64));
        if self.known[word] & bit == 0 {
            self.known[word] |= bit;
            self.values[word] |= if self.conditions.holds(number, self.seen) { bit } else { 0 };
        }
        self.values[word] & bit != 0
    }
}

#[inline]
fn has_any(facts: &Pattern, any: &[u64; 3]) -> bool {
    // One after the other: read at once, the sets would have to wait until all three are written.
    let has = |content: Content| facts.set(content) & any[content as usize] != 0;
    has(Content::First) || has(Content::Second) || has(Content::Blank)
}

fn add_facts(any: &mut [u64; 3], pattern: Pattern) {
    Content::ALL.into_iter().for_each(|content| any[content as usize] |= pattern.set(content));
}

/// The patterns without those that say more than another one, the shortest first.
fn reduced(mut patterns: Vec<Pattern>) -> Vec<Pattern> {
    patterns.sort_by_key(|pattern| pattern.length());
    let mut kept: Vec<Pattern> = Vec::new();
    for pattern in patterns {
        if kept.len() > LONGEST_REDUCED || !kept.iter().any(|shorter| shorter.is_part_of(pattern)) {
            kept.push(pattern);
        }
    }
    kept
}

/// The patterns by that fact of theirs which is in the most patterns; of equal ones a piece, because fewer positions have it
/// than a blank square.
fn by_shared_fact(patterns: &[Pattern]) -> BTreeMap<(Content, u8), Vec<Pattern>> {
    let mut counts = [[0_u32; 64]; 3];
    for (content, square) in patterns.iter().flat_map(|pattern| pattern.facts()) {
        counts[content as usize][usize::from(square)] += 1;
    }
    let mut groups: BTreeMap<_, Vec<Pattern>> = BTreeMap::new();
    for &pattern in patterns {
        let count = |&(content, square): &(Content, u8)| counts[content as usize][usize::from(square)];
        if let Some(head) = pattern.facts().max_by_key(count) {
            groups.entry(head).or_default().push(pattern);
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::mix::mix;

    /// So many facts about the first six squares, at most.
    fn facts(seed: u64, most: usize) -> Pattern {
        let content = |square: &u8| match mix(seed * 64 + u64::from(*square)) % 4 {
            0 => None,
            content => Some(Content::ALL[content as usize - 1]),
        };
        (0..6)
            .filter_map(|square| Some((content(&square)?, square)))
            .take(most)
            .fold(Pattern::default(), |pattern, (content, square)| pattern.with(content, square).unwrap())
    }

    #[test]
    fn alternatives_are_true_where_one_of_their_patterns_is_there() {
        let mut times = [0; 2];
        for seed in 0..200_u64 {
            // Patterns of no fact to five facts.
            let patterns: Vec<Pattern> = (0..mix(seed) % 12)
                .map(|number| facts(seed * 100 + number, mix(seed * 16 + number) as usize % 6))
                .filter(|pattern| seed % 10 == 0 || pattern.length() > 0)
                .collect();
            let mut conditions = Conditions::default();
            let place = conditions.add_alternatives(patterns.clone()).unwrap();
            let number = conditions.add(false, [None; 2], vec![place, 0]);
            for position in 0..20 {
                let here = facts(position + 1_000_000, 6);
                let is_there = patterns.iter().any(|pattern| pattern.is_part_of(here));
                let seen = |second_moves| Seen { facts: [here, Pattern::default()], second_moves, squares: [None; 3] };
                assert_eq!(conditions.holds(number, &seen(false)), is_there, "{patterns:?} {here:?}");
                assert!(!conditions.holds(number, &seen(true)));
                times[usize::from(is_there)] += 1;
            }
        }
        assert!(times.iter().all(|&times| times > 500), "{times:?}");
    }
}
