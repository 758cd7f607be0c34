// SPDX-License-Identifier: GPL-3.0-or-later
//! Cube extraction (section 5.4.1 of the paper, after R. L. Rudell, "Tutorial: Design of a logic synthesis system", 1996):
//! fewer edges by nodes for common parts.
//!
//! The pair of nodes that most lists have in common becomes a node of its own, which replaces the pair in all of them; and
//! again, until no pair is in two lists. Larger cubes grow of pairs of pairs. In the end those nodes that save no edge are
//! dissolved: `n` nodes below and `m` above cost `n + m` edges instead of `n * m`.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// Two nodes, the lower number first.
type Pair = (u32, u32);

/// Rewrites lists of nodes that must all be true. New nodes are numbered from `first_new`; returned are the lists of those
/// that are left, which have nodes of the old and the new lists.
pub(super) fn extract(lists: &mut [Vec<u32>], first_new: u32) -> Vec<Vec<u32>> {
    let cubes = common_pairs(lists, first_new);
    dissolve(lists, cubes, first_new)
}

/// Makes a node of each pair that is in two lists or more, the commonest first.
fn common_pairs(lists: &mut [Vec<u32>], first_new: u32) -> Vec<Vec<u32>> {
    let mut having: HashMap<Pair, Vec<u32>> = HashMap::new();
    for (place, list) in lists.iter().enumerate() {
        for (at, &left) in list.iter().enumerate() {
            for &right in &list[at + 1..] {
                having.entry(ordered(left, right)).or_default().push(place as u32);
            }
        }
    }
    let mut queue: BinaryHeap<(usize, Reverse<Pair>)> = BinaryHeap::new();
    queue.extend(
        having.iter().filter(|(_, places)| places.len() > 1).map(|(&pair, places)| (places.len(), Reverse(pair))),
    );
    let mut cubes: Vec<Vec<u32>> = Vec::new();
    while let Some((count, Reverse(pair))) = queue.pop() {
        let has_both = |list: &[u32]| list.contains(&pair.0) && list.contains(&pair.1);
        let Some(mut places) = having.remove(&pair) else { continue };
        // Lists may have lost one of the two since they were counted.
        places.retain(|&place| has_both(&lists[place as usize]));
        if places.len() < count {
            if places.len() > 1 {
                queue.push((places.len(), Reverse(pair)));
                having.insert(pair, places);
            }
            continue;
        }
        let cube = first_new + cubes.len() as u32;
        cubes.push(vec![pair.0, pair.1]);
        let mut grown: Vec<Pair> = Vec::new();
        for &place in &places {
            let list = &mut lists[place as usize];
            list.retain(|&node| node != pair.0 && node != pair.1);
            for &node in list.iter() {
                having.entry((node, cube)).or_default().push(place);
                grown.push((node, cube));
            }
            list.push(cube);
        }
        grown.sort_unstable();
        grown.dedup();
        let counted = grown.into_iter().map(|pair| (having[&pair].len(), Reverse(pair)));
        queue.extend(counted.filter(|&(count, _)| count > 1));
    }
    cubes
}

const fn ordered(left: u32, right: u32) -> Pair {
    if left < right { (left, right) } else { (right, left) }
}

/// Removes the nodes that save no edge, the innermost first, and numbers the others anew.
fn dissolve(lists: &mut [Vec<u32>], mut cubes: Vec<Vec<u32>>, first_new: u32) -> Vec<Vec<u32>> {
    /// Where a node is used.
    #[derive(Clone, Copy)]
    enum User {
        List(usize),
        Cube(usize),
    }
    let cube_of = |node: u32| node.checked_sub(first_new).map(|cube| cube as usize);
    let mut users: Vec<Vec<User>> = vec![Vec::new(); cubes.len()];
    for (place, list) in lists.iter().enumerate() {
        list.iter().filter_map(|&node| cube_of(node)).for_each(|cube| users[cube].push(User::List(place)));
    }
    for (place, list) in cubes.iter().enumerate() {
        list.iter().filter_map(|&node| cube_of(node)).for_each(|cube| users[cube].push(User::Cube(place)));
    }
    let mut is_kept = vec![true; cubes.len()];
    for cube in 0..cubes.len() {
        let (below, above) = (cubes[cube].len(), users[cube].len());
        if below * above > below + above {
            continue;
        }
        is_kept[cube] = false;
        let node = first_new + cube as u32;
        let parts = std::mem::take(&mut cubes[cube]);
        for user in std::mem::take(&mut users[cube]) {
            let list = match user {
                User::List(place) => &mut lists[place],
                User::Cube(place) => &mut cubes[place],
            };
            list.retain(|&other| other != node);
            list.extend(&parts);
            for part in parts.iter().filter_map(|&part| cube_of(part)) {
                users[part].push(user);
            }
        }
        for part in parts.iter().filter_map(|&part| cube_of(part)) {
            users[part].retain(|user| !matches!(user, User::Cube(place) if *place == cube));
        }
    }
    let mut next = first_new;
    let numbers: Vec<u32> = is_kept
        .iter()
        .map(|&is_kept| {
            next += u32::from(is_kept);
            next.wrapping_sub(1)
        })
        .collect();
    let renumber = |list: &mut Vec<u32>| {
        for node in list {
            if let Some(cube) = cube_of(*node) {
                *node = numbers[cube];
            }
        }
    };
    lists.iter_mut().for_each(renumber);
    cubes.iter_mut().for_each(renumber);
    cubes.into_iter().zip(is_kept).filter(|(_, is_kept)| *is_kept).map(|(cube, _)| cube).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The nodes of a list with those of its cubes, sorted.
    fn expanded(list: &[u32], cubes: &[Vec<u32>], first_new: u32) -> Vec<u32> {
        let parts = list.iter().flat_map(|&node| match node.checked_sub(first_new) {
            Some(cube) => expanded(&cubes[cube as usize], cubes, first_new),
            None => vec![node],
        });
        let mut all: Vec<u32> = parts.collect();
        all.sort_unstable();
        all
    }

    fn edges(lists: &[Vec<u32>]) -> usize {
        lists.iter().map(Vec::len).sum()
    }

    #[test]
    fn the_papers_figures_8_and_9() {
        // abcd and bcde: eight edges, seven with the cube bcd.
        let mut lists = vec![vec![0, 1, 2, 3], vec![1, 2, 3, 4]];
        let cubes = extract(&mut lists, 5);
        assert_eq!(edges(&lists) + edges(&cubes), 7);
        assert_eq!(expanded(&[5], &cubes, 5), [1, 2, 3]);
        assert_eq!(cubes.len(), 1);
    }

    #[test]
    fn lists_keep_their_meaning_and_lose_edges() {
        // All subsets of three to five of nine nodes.
        let subsets = (0..512_u32).filter(|set| (3..=5).contains(&set.count_ones()));
        let before: Vec<Vec<u32>> = subsets.map(|set| (0..9).filter(|node| set >> node & 1 == 1).collect()).collect();
        let mut lists = before.clone();
        let cubes = extract(&mut lists, 9);
        for (list, before) in lists.iter().zip(&before) {
            assert_eq!(&expanded(list, &cubes, 9), before);
        }
        let after = edges(&lists) + edges(&cubes);
        assert!(4 * after < 3 * edges(&before), "{after} of {}", edges(&before));
    }

    #[test]
    fn what_has_nothing_in_common_stays() {
        let before = vec![vec![0, 1], vec![1, 2], vec![], vec![3]];
        let mut lists = before.clone();
        assert!(extract(&mut lists, 4).is_empty());
        assert_eq!(lists, before);
    }
}
