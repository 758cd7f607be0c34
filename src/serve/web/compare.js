// SPDX-License-Identifier: GPL-3.0-or-later
// The same position searched with two tables: what a table changes.

import { byId, count, element, thousands } from "./dom.js";
import { headings } from "./moves.js";
import { search } from "./server.js";
import { TableEditor } from "./settings.js";

export class Comparison {
  /** `current` gives the game so far. */
  constructor(current) {
    this.current = current;
    this.editors = [new TableEditor(byId("table-a"), "Table A"), new TableEditor(byId("table-b"), "Table B")];
    byId("compare").addEventListener("submit", event => {
      event.preventDefault();
      this.run();
    });
  }

  setGame(game) {
    this.abort?.abort();
    this.editors[0].setGame(game, 0);
    this.editors[1].setGame(game);
    byId("comparison").replaceChildren();
  }

  /** Searches with one table after the other, so that each has the machine for itself. */
  async run() {
    this.abort?.abort();
    this.abort = new AbortController();
    const { signal } = this.abort;
    const error = byId("compare-error");
    error.textContent = "";
    const limits = { nodes: count(byId("compare-nodes").value) ?? 100000 };
    const results = [{ findings: [] }, { findings: [] }];
    // The board and the tables may change while the first search runs.
    const game = this.current();
    const profile = byId("compare-profile").value;
    const tables = this.editors.map(editor => editor.text);
    try {
      for (const [place, table] of tables.entries()) {
        await search({ game, player: { profile, table }, limits }, event => {
          if (event.event === "iteration") results[place].findings.push(event);
          if (event.event === "done") results[place].done = event;
          show(byId("comparison"), results);
        }, signal);
      }
    } catch (reason) {
      if (reason.name !== "AbortError") error.textContent = reason.message;
    }
  }
}

function show(root, results) {
  const depths = Math.max(...results.map(({ findings }) => findings.at(-1)?.depth ?? 0));
  const most = Math.max(...results.flatMap(({ findings }) => findings.map(({ nodes }) => nodes)), 1);
  const cells = (finding, name) => [
    element("td", { class: `number bar ${name}` }, finding ? bar(finding.nodes, most) : null, finding ? thousands(finding.nodes) : ""),
    element("td", { class: "number" }, finding?.worth.text ?? ""),
    element("td", {}, finding?.line[0] ?? ""),
  ];
  const rows = Array.from({ length: depths }, (_, place) => {
    const [a, b] = results.map(({ findings }) => findings.find(({ depth }) => depth === place + 1));
    return element("tr", {}, element("th", { scope: "row" }, String(place + 1)), ...cells(a, "a"), ...cells(b, "b"));
  });
  root.replaceChildren(
    element("div", { class: "card twins" }, ...results.map((result, place) => summary("AB"[place], result))),
    element("div", { class: "card scroll", tabindex: 0, role: "region", "aria-label": "Iterations" },
      element("h2", {}, "Iteration by iteration"),
      element("table", {},
        element("thead", {}, headings("depth", "#A: nodes", "#value", "move", "#B: nodes", "#value", "move")),
        element("tbody", {}, ...rows))),
  );
}

/** How much of the most nodes these are, on a logarithmic scale. */
function bar(nodes, most) {
  const node = element("span", { class: "fill" });
  node.style.width = `${Math.round((100 * Math.log1p(nodes)) / Math.log1p(most))}%`;
  return node;
}

/** One table's result in words. */
function summary(name, { findings, done }) {
  const last = findings.at(-1);
  const heading = element("h2", {}, name);
  if (!last) return element("div", {}, heading, element("p", { class: "quiet" }, "waiting"));
  const move = last.line[0];
  const wrong = findings.findLastIndex(({ line }) => line[0] !== move);
  const found = findings[wrong + 1];
  const extended = done?.extended ? `, ${((100 * done.extended) / done.nodes).toFixed(1)}% of the moves matched a row` : "";
  return element("div", {}, heading,
    element("p", { class: "figures" }, element("span", { class: "value" }, move), element("span", {}, last.worth.text)),
    element("p", {}, `Depth ${last.depth} in ${thousands(last.nodes)} nodes, deepest ${last.height}${extended}.`),
    element("p", {}, `It has preferred ${move} since depth ${found.depth}, after ${thousands(found.nodes)} nodes.`),
    element("p", { class: "line" }, last.line.join(" ")));
}
