// SPDX-License-Identifier: GPL-3.0-or-later
// Tables about moves: those of the game, what the legal ones cost, and what the search thinks.

import { element, thousands } from "./dom.js";

/** The moves of the game, numbered. The one that led to the position after `ply` plies is marked; `go` is called with the
 * plies up to a move that is clicked. */
export function listMoves(root, played, sides, ply, go) {
  const rows = [];
  let now = null;
  for (const [place, move] of played.entries()) {
    const isFirst = move.side === "white";
    if (isFirst || rows.length === 0) rows.push(element("li", {}, isFirst ? null : element("span", { class: "gap" }, "…")));
    const side = sides[isFirst ? 0 : 1];
    const isNow = place + 1 === ply;
    const button = element("button", {
      type: "button", "aria-label": `${side} ${move.name}`, "aria-current": isNow ? "step" : null, onclick: () => go(place + 1),
    }, move.name);
    if (isNow) now = button;
    rows.at(-1).append(button, " ");
  }
  root.replaceChildren(...rows);
  // The list scrolls, and not the page.
  root.scrollTop = now ? now.offsetTop - root.clientHeight / 2 : 0;
}

/** What values are measured in: the word, what a graph of them shows, and the two values that it has lines for. */
export function unitOf({ kinds, sides: [first] }) {
  if (kinds.includes("disc")) {
    return { word: "discs expected", about: `The discs by which ${first} is expected to win, after each ply.`, lines: [4, 16] };
  }
  const word = kinds.includes("pawn") ? "pawns" : "pieces";
  return { word, about: `In ${word}, after each ply. Above zero, ${first} is better.`, lines: [1, 3] };
}

/** What each legal move costs, with its atoms and the row that decides; `point` is called with a move to show. */
export function listCosts(root, costs, atoms, point) {
  if (costs.length === 0) {
    root.replaceChildren(element("p", { class: "quiet" }, "The game is over: there are no moves."));
    return;
  }
  const meaning = new Map(atoms.map(({ name, description }) => [name, description]));
  const atom = name => element("span", { class: "atom", title: meaning.get(name), "aria-label": meaning.get(name) }, name);
  const row = ({ move, atoms, row, cost }) => {
    const decides = row ? element("b", { title: row.words.join("; ") }, row.feature) : "–";
    return element("tr", { class: row ? "matched" : null, onmouseenter: () => point(move), onmouseleave: () => point(null) },
      element("th", { scope: "row" }, move.name),
      element("td", { class: "number" }, cost),
      element("td", {}, decides),
      element("td", { class: "atoms" }, ...atoms.map(atom)));
  };
  root.replaceChildren(element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Costs of moves" },
    element("table", {},
      element("thead", {}, headings("move", "#plies", "row", "atoms")),
      element("tbody", {}, ...costs.map(row)))));
}

/** What the search found so far: one line for each of the best moves. */
export function showThinking(root, findings, nodes, milliseconds, unit) {
  const [best] = findings;
  if (!best) return;
  const speed = milliseconds > 50 ? `, ${thousands(Math.round(nodes / milliseconds))}k nodes a second` : "";
  // A line of an earlier iteration is pale until this one has searched it.
  const lines = findings.map(({ worth, line, depth }) => element("p", { class: depth < best.depth ? "line quiet" : "line" },
    findings.length > 1 ? element("b", { class: "worth" }, `${worth.text} `) : null, line.join(" ")));
  root.replaceChildren(
    element("p", { class: "figures" },
      element("span", {}, element("span", { class: "value" }, best.worth.text), best.worth.end == null ? ` ${unit.word}` : null),
      element("span", {}, `depth ${best.depth}, deepest ${best.height}`),
      element("span", {}, `${thousands(nodes)} nodes${speed}`)),
    ...lines,
  );
}

/** The heading of a table; the names of columns of numbers begin with #. */
export function headings(...names) {
  const heading = name => element("th", { scope: "col", class: name.startsWith("#") ? "number" : null }, name.replace("#", ""));
  return element("tr", {}, ...names.map(heading));
}
