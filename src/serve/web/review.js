// SPDX-License-Identifier: GPL-3.0-or-later
// A review of the main line: the server judges its moves, and the tree keeps what it has said.

import { byId, element } from "./dom.js";
import { search } from "./server.js";
import { capital } from "./state.js";

/** Nodes a position. */
const NODES = 50_000;

/** Reviews a game, whose nodes are `places`, the root first. Answers its summary. */
export async function review(game, places, signal) {
  let result = null;
  const hear = event => {
    if (event.event === "reviewing") showProgress(event);
    if (event.event === "failed") throw new Error(event.reason);
    if (event.event !== "reviewed") return;
    event.positions.forEach((worth, place) => { places[place].worth = worth; });
    event.moves.forEach(({ best, ...judged }, place) => {
      places[place].best = best;
      places[place + 1].judged = judged;
    });
    result = { summary: event.summary };
  };
  await search({ game, nodes: NODES }, hear, signal, "/api/review");
  return result;
}

function showProgress({ done, of }) {
  const words = `${done} of ${of} positions`;
  byId("summary").replaceChildren(element("p", {}, words), element("progress", { value: done, max: of, "aria-label": words }));
}

/** Shows what came of a review; null if there was none. */
export function showSummary(review) {
  const lines = review?.summary ?? ["A review searches each position of the main line, and marks what was a mistake."];
  byId("summary").replaceChildren(...lines.map(line => element("p", { class: review ? null : "quiet" }, capital(line))));
}
