// SPDX-License-Identifier: GPL-3.0-or-later
// Tables about moves: those of the game, what the legal ones cost, and what the search thinks.

import { element, thousands } from "./dom.js";
import { remark, signsOf } from "./pgn.js";

/** The moves of a game from the root of its tree, numbered from `first`. The `current` one is marked; `go` is called with one
 * that is clicked. Variations are indented below the row in which they begin, and those within them are in brackets. Comments
 * stand below their row or behind their move. */
export function listMoves(list, root, current, sides, go, first = 1) {
  let now = null;
  const button = move => {
    const { name, side, judged } = move;
    const said = judged?.sign ? `, ${verdict(judged)}` : "";
    const made = element("button", {
      type: "button", class: judged?.class || null, title: said.slice(2) || null, onclick: () => go(move),
      "aria-label": `${sides[side === "white" ? 0 : 1]} ${name}${said}`, "aria-current": move === current ? "step" : null,
    }, name + signsOf(move));
    if (move === current) now = made;
    return made;
  };
  const variation = (begin, number) => {
    const parts = [];
    for (let [move, isAnew] = [begin, true]; move; [move] = move.children) {
      const isFirst = move.side === "white";
      if (isFirst || isAnew) parts.push(`${number}${isFirst ? "." : "…"} `);
      parts.push(button(move), " ");
      if (remark(move)) parts.push(element("span", { class: "said" }, remark(move)), " ");
      const others = move === begin ? [] : move.parent.children.slice(1);
      for (const other of others) parts.push("(", ...variation(other, number).slice(0, -1), ") ");
      isAnew = others.length > 0 || Boolean(remark(move));
      if (!isFirst) number++;
    }
    return parts;
  };
  const comment = (move, name) => (remark(move) ? [element("li", { class: "said" }, name && element("b", {}, name), remark(move))] : []);
  const rows = comment(root);
  let [row, number, waiting] = [null, first, []];
  for (let [move] = root.children; move; [move] = move.children) {
    const isFirst = move.side === "white";
    if (isFirst || !row) {
      row = element("li", { value: number }, isFirst ? null : element("span", { class: "gap" }, "…"));
      rows.push(row);
    }
    row.append(button(move), " ");
    waiting.push(...comment(move, `${move.name} `), ...move.parent.children.slice(1).map(other => element("li", { class: "variation" }, ...variation(other, number))));
    if (!isFirst) number++;
    if (isFirst && move.children[0]?.side === "black") continue;
    rows.push(...waiting);
    waiting = [];
  }
  list.replaceChildren(...rows);
  // The list scrolls, and not the page.
  list.scrollTop = now ? now.offsetTop - list.clientHeight / 2 : 0;
}

const percent = share => `${Math.round(100 * share)} %`;

/** What a review says of a move, in a sentence. */
export function verdict({ class: name, before, after, better }) {
  const lost = `${name}: ${percent(before)} to ${percent(after)} expected`;
  return better.length > 0 ? `${lost}; better ${better.join(" ")}` : lost;
}

/** The word for what values are measured in. */
export const unitOf = ({ kinds }) => (kinds.includes("disc") ? "discs expected" : kinds.includes("pawn") ? "pawns" : "pieces");

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

/** What the moves of the position scored in the games of the opening book; `play` is called with one that is clicked, and `point`
 * with one to show. */
export function listBook(card, { legal }, first, play, point) {
  const known = legal.filter(move => move.seen).sort((one, other) => other.seen.games - one.seen.games);
  card.hidden = known.length === 0;
  if (card.hidden) return;
  const games = known.reduce((sum, { seen }) => sum + seen.games, 0);
  const scored = known.reduce((sum, { seen }) => sum + seen.games * seen.first, 0) / games;
  const row = move => element("tr", { onmouseenter: () => point(move), onmouseleave: () => point(null) },
    element("th", { scope: "row" }, element("button", { type: "button", onclick: () => play(move) }, move.name)),
    element("td", { class: "number" }, thousands(move.seen.games)),
    element("td", {}, element("meter", { value: move.seen.first, "aria-hidden": "true" })),
    element("td", { class: "number" }, percent(move.seen.first)));
  card.replaceChildren(
    element("h2", {}, "Opening book"),
    element("p", { class: "quiet" }, `${thousands(games)} games of self-play were here; ${first} scored ${percent(scored)}.`),
    element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Moves of the opening book" },
      element("table", { class: "book" },
        element("thead", {}, headings("move", "#games", "", `#${first}`)),
        element("tbody", {}, ...known.map(row)))));
}

/** What the search found so far: one line for each of the best moves. `passer` is the side that would have to pass for it. */
export function showThinking(root, findings, nodes, milliseconds, unit, passer) {
  const [best] = findings;
  if (!best) return;
  const speed = milliseconds > 50 ? `, ${thousands(Math.round(nodes / milliseconds))}k nodes a second` : "";
  // A line of an earlier iteration is pale until this one has searched it.
  const lines = findings.map(({ worth, line, depth }) => element("p", { class: depth < best.depth ? "line quiet" : "line" },
    findings.length > 1 ? element("b", { class: "worth" }, `${worth.text} `) : null, line.join(" ")));
  root.replaceChildren(
    ...passer ? [element("p", { class: "quiet" }, `If ${passer} passed:`)] : [],
    element("p", { class: "figures" },
      element("span", {}, element("span", { class: "value" }, best.worth.text), best.worth.end == null ? ` ${unit}` : null),
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
