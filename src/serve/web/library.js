// SPDX-License-Identifier: GPL-3.0-or-later
// The games that the browser keeps, as a list to choose from.

import { byId, element } from "./dom.js";
import { lineThrough, unflattened } from "./tree.js";

/** The most earlier games of a kind that are kept, and the most characters of them. */
const [MOST_GAMES, MOST_TEXT] = [50, 1_500_000];

/** So many of these games as may be kept, the newest first. */
export function fitting(games) {
  let left = MOST_TEXT;
  return games.slice(0, MOST_GAMES).filter(game => (left -= JSON.stringify(game).length) > 0);
}

/** Whether something that was kept is a game. */
export const isGame = game => Array.isArray(game?.nodes ?? game?.moves) && (game.nodes ?? []).every(node => node instanceof Object);

/** Lists games in the dialog; `open` is called with one, and `remove` with those to forget. */
export function listGames(games, open, remove) {
  const dialog = byId("games-list");
  const title = ({ about, nodes, moves: texts, start }) => {
    const moves = nodes ? lineThrough(unflattened({ nodes }).root).length : texts.length;
    const players = about?.players.some(Boolean) ? about.players.map(name => name || "?").join(" – ") : start ? "From a position" : "A game";
    return `${players}, ${moves} ${moves === 1 ? "move" : "moves"}`;
  };
  const item = game => element("li", {},
    element("button", { type: "button", class: "entry", onclick: () => { dialog.close(); open(game); } },
      title(game), element("span", { class: "quiet" }, game.when ? new Date(game.when).toLocaleString() : "")),
    element("button", { type: "button", "aria-label": `Delete: ${title(game)}`, title: "Delete", onclick: () => remove([game]) }, "✕"));
  byId("games").replaceChildren(...games.map(item));
  byId("no-games").hidden = games.length > 0;
  byId("delete-games").hidden = games.length < 2;
  byId("delete-games").onclick = () => remove(games);
  if (!dialog.open) dialog.showModal();
}
