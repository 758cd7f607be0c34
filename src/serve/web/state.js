// SPDX-License-Identifier: GPL-3.0-or-later
// What is on the page: the game with its tree, and the place in it that is shown.

import { byId } from "./dom.js";
import { node } from "./tree.js";

export const state = {
  games: [],
  /** The entry of the game in the list of games. */
  game: null,
  /** The first position (FEN); null for that of the rules. */
  start: null,
  /** The first position of its tree, and the moves of the line that is on the board. */
  root: node(),
  line: [],
  /** How many of them led to the position that is shown. */
  ply: 0,
  /** What the server says of the position after all moves of the line. */
  whole: null,
  /** The same of the position that is shown. */
  position: null,
  /** The time control, milliseconds left to the first and second player, the increment, and who has lost on time; null without
   * clocks. */
  clock: null,
  /** The players and the result, of a game that was opened. */
  about: null,
  /** What came of the review. */
  review: null,
  /** The question about another line that has no answer yet. */
  asked: null,
  /** Games that were on the board before this one, the newest first. */
  earlier: [],
  /** Whether each position that is shown is searched, until that is stopped. */
  analyses: false,
  /** Aborts the search that is running. */
  running: null,
  panel: "panel-game",
};

/** The node of the position that is shown. */
export const here = () => state.line[state.ply - 1] ?? state.root;

export const textsOf = line => line.map(({ text }) => text);

/** The game up to the position that is shown. */
export function soFar() {
  return { game: state.game.name, start: state.start, moves: textsOf(state.line.slice(0, state.ply)) };
}

/** What people call a side; the server calls the first player white in every game. */
export const sideName = side => state.game.sides[side === "white" ? 0 : 1];

export const isAtEnd = () => state.ply === state.line.length;

export const capital = text => text.charAt(0).toUpperCase() + text.slice(1);

/** Shows a sentence below the board. */
export const say = text => {
  byId("status").textContent = capital(text);
};
