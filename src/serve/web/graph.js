// SPDX-License-Identifier: GPL-3.0-or-later
// What is expected of the game, position by position: as a graph, and of one position as a bar.

import { drawn } from "./dom.js";

const HEIGHT = 96;
const [LEFT, RIGHT, TOP, BOTTOM] = [40, 8, 8, 18];

/** Draws what the first player can expect in each position of a line: `places` are its nodes, the root first. The one after `ply`
 * plies is marked, mistakes are points, and `go` is called with the plies before a place that is clicked. */
export function drawGraph(root, places, ply, go) {
  const width = root.clientWidth || 560;
  const last = Math.max(places.length - 1, 10);
  const x = ply => LEFT + (ply / last) * (width - LEFT - RIGHT);
  const y = share => TOP + (1 - share) * (HEIGHT - TOP - BOTTOM);
  const points = [...places.entries()].filter(([, { worth }]) => worth);
  const lines = [0, 0.5, 1].flatMap(share => [
    drawn("line", { class: share === 0.5 ? "zero" : "grid", x1: LEFT, x2: width - RIGHT, y1: y(share), y2: y(share) }),
    drawn("text", { x: LEFT - 6, y: y(share) + 4, "text-anchor": "end" }, `${100 * share} %`),
  ]);
  const step = [2, 4, 10, 20, 40, 100, 200].find(step => last / step <= width / 60) ?? 500;
  const ticks = Array.from({ length: Math.floor(last / step) + 1 }, (_, place) =>
    drawn("text", { x: x(place * step), y: HEIGHT - 4, "text-anchor": "middle" }, String(place * step)));
  const curve = points.map(([place, { worth }], index) => `${index ? "L" : "M"}${x(place)},${y(worth.expected)}`).join("");
  const area = points.length > 0 && `${curve}L${x(points.at(-1)[0])},${y(0)}L${x(points[0][0])},${y(0)}Z`;
  const dots = points.filter(([, { judged }]) => judged?.sign || points.length < 40).map(([place, { worth, judged }]) =>
    drawn("circle", { class: judged?.class || null, cx: x(place), cy: y(worth.expected), r: judged?.sign ? 4 : 2.5 },
      drawn("title", {}, `after ${place} plies: ${worth.text}`)));
  const drawing = drawn("svg", {
    class: "graph", viewBox: `0 0 ${width} ${HEIGHT}`, role: "img",
    "aria-label": `What the first player can expect in ${points.length} positions`,
    onclick: ({ clientX }) => {
      const { left, width: shown } = drawing.getBoundingClientRect();
      const share = ((clientX - left) * width / shown - LEFT) / (width - LEFT - RIGHT);
      go(Math.round(Math.min(Math.max(share, 0), 1) * last));
    },
  }, ...lines, ...ticks, area ? drawn("path", { class: "area", d: area }) : null, drawn("path", { class: "curve", d: curve }),
  drawn("line", { class: "here", x1: x(ply), x2: x(ply), y1: y(1), y2: y(0) }), ...dots);
  root.replaceChildren(drawing);
}

/** Shows what is expected of a position as a bar: the share of the player whose side is below. */
export function drawBar(bar, worth, flipped, [first, second]) {
  const [below, above] = flipped ? [second, first] : [first, second];
  const share = worth && (flipped ? 1 - worth.expected : worth.expected);
  bar.className = `evaluation ${worth ? `above-${above} below-${below}` : ""}`;
  bar.firstElementChild.style.height = `${100 * (share ?? 0.5)}%`;
  bar.title = worth ? `${worth.text}: ${first} can expect ${Math.round(100 * worth.expected)} %` : "not searched yet";
  bar.ariaLabel = bar.title;
}
