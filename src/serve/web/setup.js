// SPDX-License-Identifier: GPL-3.0-or-later
// A position set up by hand: choose a piece, and click the squares where it stands.

import { Board, letterOf, pictureOf } from "./board.js";
import { byId, element, setOptions } from "./dom.js";

/** The castling rights for which king and rook are at home: each with the squares of both, from the left of the row of its side. */
const CASTLING = { K: [7, "K", 4, "R", 7], Q: [7, "K", 4, "R", 0], k: [0, "k", 4, "r", 7], q: [0, "k", 4, "r", 0] };

/** Makes the dialog work. `present` tells the game of the page and its position, and `done` takes a FEN; it throws what is wrong. */
export function setUpPositions(present, done) {
  const [dialog, palette, turn, fault] = ["setup-dialog", "setup-palette", "setup-turn", "setup-error"].map(byId);
  let [game, rows, ranks, letter] = [null, [], [], "."];
  const board = new Board(byId("setup-board"), ([{ to }]) => {
    const column = to.charCodeAt(0) - "a".charCodeAt(0);
    const row = rows[rows.length - Number(to.slice(1))];
    row[column] = row[column] === letter ? "." : letter;
    draw();
  });
  const draw = () => {
    fault.textContent = "";
    const squares = rows.flatMap((row, place) => row.map((_, column) => ({ to: "abcdefghijklmnopqrstuvwxyz"[column] + (rows.length - place) })));
    board.show({ rows: rows.map(row => row.join("")), ranks, played: [], legal: squares }, game, true);
  };
  const choose = wanted => {
    letter = wanted;
    for (const button of palette.children) button.ariaPressed = String(button.value === wanted);
  };
  const piece = (side, kind, first) => {
    const value = letterOf(game, kind, first);
    const title = `${side} ${kind}`;
    return element("button", { type: "button", value, title, "aria-label": title, onclick: () => choose(value) }, pictureOf(side, kind));
  };
  const fen = () => {
    const squares = rows.map(row => row.join("").replace(/\.+/g, empty => empty.length)).join("/");
    if (!game.kinds.includes("king")) return `${squares} ${turn.value}`;
    const stands = ([row, king, from, rook, to]) => rows[row][from] === king && rows[row][to] === rook;
    const rights = Object.keys(CASTLING).filter(right => stands(CASTLING[right])).join("");
    return `${squares} ${turn.value} ${rights || "-"} - 0 1`;
  };
  byId("setup").addEventListener("click", () => {
    const { position } = present();
    game = present().game;
    ranks = position.ranks;
    rows = position.rows.map(row => [...row]);
    setOptions(turn, game.sides.map((side, place) => ["wb"[place], side]), position.to_move === "white" ? "w" : "b");
    const [first, second] = game.sides.map((side, place) => game.kinds.map(kind => piece(side, kind, place === 0)));
    const empty = element("button", { type: "button", value: ".", title: "empty square", "aria-label": "empty square", onclick: () => choose(".") }, "✕");
    palette.replaceChildren(...first, empty, ...second);
    choose(palette.firstElementChild.value);
    draw();
    dialog.showModal();
  });
  byId("setup-clear").addEventListener("click", () => {
    rows = rows.map(row => row.map(() => "."));
    draw();
  });
  byId("setup-close").addEventListener("click", () => dialog.close());
  byId("setup-form").addEventListener("submit", async event => {
    event.preventDefault();
    try {
      await done(fen());
      dialog.close();
    } catch (error) {
      fault.textContent = error.message;
    }
  });
}
