// SPDX-License-Identifier: GPL-3.0-or-later
//! Groups of similar features: features that solve the same positions are one idea.

/// The similarity of two ascending lists of solved positions: the size of their intersection divided by that of their
/// union (Jaccard 1901), 0 to 1; 1 for two empty lists.
pub fn likeness(one: &[usize], other: &[usize]) -> f64 {
    let common = one.iter().filter(|place| other.binary_search(place).is_ok()).count();
    let all = one.len() + other.len() - common;
    if all == 0 { 1.0 } else { common as f64 / all as f64 }
}

/// The least similarity within a group: the two features share three times as many positions as they differ in.
pub const ALIKE: f64 = 0.75;

/// For each feature of a list, best first, the place of the first feature of its group: its own if it is similar to no
/// earlier one that is the first of its group.
pub fn leaders(solved: &[&[usize]]) -> Vec<usize> {
    let mut leaders: Vec<usize> = Vec::with_capacity(solved.len());
    for (place, positions) in solved.iter().enumerate() {
        let is_alike = |&leader: &usize| leaders[leader] == leader && likeness(solved[leader], positions) >= ALIKE;
        let leader = (0..place).find(is_alike).unwrap_or(place);
        leaders.push(leader);
    }
    leaders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likeness_is_what_is_common_to_all_there_is() {
        assert_eq!(likeness(&[1, 2, 3], &[2, 3, 4]), 0.5);
        assert_eq!((likeness(&[1], &[2]), likeness(&[], &[]), likeness(&[], &[1])), (0.0, 1.0, 0.0));
    }

    #[test]
    fn each_group_is_led_by_its_best() {
        let solved: [&[usize]; 5] = [&[1, 2, 3, 4], &[1, 2, 3], &[5, 6], &[1, 2], &[5, 6]];
        // The fourth is like the second, which leads nobody, and unlike the first.
        assert_eq!(leaders(&solved), [0, 0, 2, 3, 2]);
    }
}
