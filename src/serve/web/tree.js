// SPDX-License-Identifier: GPL-3.0-or-later
// A game as a tree. The first child of each node continues its line, and the others begin variations. The root is the first
// position; every other node is a move and the position after it.

/** A node without a move, or with one that the server has named. */
export const node = (parent = null, move = {}) => ({ parent, children: [], ...move });

/** The root of a game with these moves and no variations. */
export function treeOf(moves) {
  const root = node();
  let last = root;
  for (const move of moves) {
    const next = node(last, move);
    last.children.push(next);
    last = next;
  }
  return root;
}

/** The moves that lead to a node. */
export function lineTo(last) {
  const line = [];
  for (let at = last; at.parent; at = at.parent) line.push(at);
  return line.reverse();
}

/** The same, and those that continue it. */
export function lineThrough(place) {
  let last = place;
  while (last.children.length > 0) [last] = last.children;
  return lineTo(last);
}

/** Where the variation begins to which a node belongs; undefined on the main line. */
export const variationOf = place => lineTo(place).findLast(move => move.parent.children[0] !== move);

/** Puts a variation before the others that begin at its position. */
export function promote(first) {
  const others = first.parent.children;
  others.splice(others.indexOf(first), 1);
  others.unshift(first);
}

/** Takes a move away, and all that follows it. */
export function cut(first) {
  const others = first.parent.children;
  others.splice(others.indexOf(first), 1);
}

/** What is kept of a tree: its nodes in a list, each with the place of its parent. `last` is a node, whose place is told. */
export function flattened(root, last) {
  const list = [root];
  const places = new Map([[root, 0]]);
  // The list grows while it is gone through.
  for (const place of list) {
    for (const child of place.children) {
      places.set(child, list.length);
      list.push(child);
    }
  }
  const nodes = list.map(({ parent, children, ...rest }) => ({ ...rest, up: places.get(parent) }));
  return { nodes, last: places.get(last) };
}

/** The root of such a list, and the node that was last. */
export function unflattened({ nodes, last }) {
  const list = [];
  for (const { up, ...rest } of nodes) {
    const parent = list[up] ?? null;
    const made = node(parent, rest);
    // Every node but the first has a parent, which stands before it.
    if (list.length > 0 && !parent) continue;
    parent?.children.push(made);
    list.push(made);
  }
  return { root: list[0] ?? node(), last: list[last] ?? list[0] };
}
