// SPDX-License-Identifier: GPL-3.0-or-later
// The value of the game, ply by ply, as the searches saw it.

import { drawn, element } from "./dom.js";

const [WIDTH, HEIGHT] = [480, 150];
const [LEFT, RIGHT, TOP, BOTTOM] = [34, 10, 10, 22];

/** Draws the values, a map from plies to what the position was worth; `plies` is the length of the game. */
export function drawGraph(root, values, plies, { about, lines: [small, large] }) {
  // The height of a value: small differences near zero count most, and a win is at the edge.
  const middle = (small + large) / 2;
  const share = worth => (worth.end != null ? Math.sign(worth.end) : (2 / Math.PI) * Math.atan(worth.value / middle));
  const points = [...values].filter(([ply]) => ply <= plies).sort(([a], [b]) => a - b);
  if (points.length === 0) {
    root.replaceChildren(element("p", { class: "quiet" }, "Each search adds a point."));
    return;
  }
  const last = Math.max(plies, 10);
  const x = ply => LEFT + (ply / last) * (WIDTH - LEFT - RIGHT);
  const y = height => TOP + ((1 - height) / 2) * (HEIGHT - TOP - BOTTOM);
  const lines = [large, small, 0, -small, -large].flatMap(value => {
    const text = `${value < 0 ? "−" : value > 0 ? "+" : ""}${Math.abs(value)}`;
    const at = y(share({ value }));
    return [
      drawn("line", { class: value === 0 ? "zero" : "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: at, y2: at }),
      drawn("text", { x: LEFT - 6, y: at + 4, "text-anchor": "end" }, text),
    ];
  });
  for (const [text, edge] of [["win", 1], ["loss", -1]]) {
    lines.push(drawn("line", { class: "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(edge), y2: y(edge) }),
      drawn("text", { x: LEFT - 6, y: y(edge) + 4, "text-anchor": "end" }, text));
  }
  const step = [2, 5, 10, 20, 50, 100].find(step => last / step <= 8) ?? 500;
  const ticks = Array.from({ length: Math.floor(last / step) + 1 }, (_, place) =>
    drawn("text", { x: x(place * step), y: HEIGHT - 6, "text-anchor": "middle" }, String(place * step)));
  const path = points.map(([ply, worth], place) => `${place ? "L" : "M"}${x(ply)},${y(share(worth))}`).join("");
  const area = `${path}L${x(points.at(-1)[0])},${y(0)}L${x(points[0][0])},${y(0)}Z`;
  const dots = points.map(([ply, worth]) =>
    drawn("circle", { cx: x(ply), cy: y(share(worth)), r: 3.2 }, drawn("title", {}, `after ${ply} plies: ${worth.text}`)));
  const label = `Value after ${points.at(-1)[0]} plies: ${points.at(-1)[1].text}`;
  root.replaceChildren(
    drawn("svg", { class: "graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
      ...lines, ...ticks, drawn("path", { class: "area", d: area }), drawn("path", { class: "curve", d: path }), ...dots),
    element("p", { class: "quiet" }, about),
  );
}
