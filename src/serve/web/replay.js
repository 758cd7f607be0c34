// SPDX-License-Identifier: GPL-3.0-or-later
// The games of a tournament: a list that grows, and one game on the board, move by move.

import { Board } from "./board.js";
import { byId, element } from "./dom.js";
import { listMoves } from "./moves.js";
import { ask } from "./server.js";
import { markSteps, setUpSteps } from "./steps.js";
import { lineThrough, treeOf } from "./tree.js";

/** How many more games are listed at a time. */
const AT_A_TIME = 200;

/** Milliseconds between moves that are played by themselves. */
const PACE = 900;

export class Replay {
  constructor(run) {
    this.run = run;
    /** The games by their keys, in the order of the journal. */
    this.games = new Map();
    /** Where the next ones begin in the journal, and how long that is. */
    this.next = 0;
    this.length = 0;
    /** The first that is listed. */
    this.from = null;
    /** The game on the board. */
    this.game = null;
    /** The number of the one that was chosen last, which may not be there yet. */
    this.opening = null;
    this.ply = 0;
    this.timer = null;
    this.board = new Board(byId("board"), () => {});
    const on = (id, act) => byId(id).addEventListener("click", act);
    on("play", () => this.#playByItself(this.timer === null));
    on("flip", () => { this.board.flip(); this.#nameSides(); });
    on("earlier", () => { this.from = Math.max(0, this.from - AT_A_TIME); this.#list(); });
    setUpSteps(by => this.#step(by));
  }

  /** Reads the games of a journal that has so many bytes now, and is of that process. */
  async grow(length, process) {
    this.wanted = { length, process };
    if (this.growing) return;
    this.growing = true;
    try {
      // More may have come meanwhile.
      while (length !== this.length || process !== this.process) {
        await this.#read(length, process);
        ({ length, process } = this.wanted);
      }
    } catch (error) {
      byId("status").textContent = error.message;
    } finally {
      this.growing = false;
    }
  }

  async #read(length, process) {
    // A run that has begun anew may have other games.
    if (length < this.length || process !== this.process) {
      this.games.clear();
      this.next = 0;
      this.from = null;
    }
    const run = encodeURIComponent(this.run);
    for (let before = -1; before < this.next;) {
      before = this.next;
      const { games, next } = await ask(`/api/runs/games?run=${run}&at=${before}`);
      for (const game of games) {
        if (!this.games.has(game.key)) this.games.set(game.key, { ...game, number: this.games.size });
      }
      this.next = next;
    }
    // Not before: what could not be read is asked for again.
    this.process = process;
    this.length = length;
    this.from ??= Math.max(0, this.games.size - AT_A_TIME);
    byId("replay").hidden = this.games.size === 0;
    this.#list();
    if (!this.game && this.games.size > 0) await this.#open([...this.games.values()].at(-1));
  }

  /** Lists the games, the newest first. */
  #list() {
    const row = game => {
      const { number, players, result, plies, end } = game;
      return element("tr", { class: this.game?.number === number ? "shown" : null },
        element("td", { class: "number" }, element("button", {
          class: "link", "aria-label": `Replay game ${number + 1}`, onclick: () => this.#open(game),
        }, String(number + 1))),
        element("td", {}, players[0]),
        element("td", {}, players[1]),
        element("td", {}, result),
        element("td", { class: "number" }, String(plies)),
        element("td", {}, end));
    };
    const [first, second] = this.sides ?? ["first", "second"];
    const heading = (text, isNumber) => element("th", { scope: "col", class: isNumber ? "number" : null }, text);
    byId("games").replaceChildren(element("table", {},
      element("thead", {}, element("tr", {}, heading("game", true), heading(first), heading(second), heading("result"),
        heading("plies", true), heading("end"))),
      element("tbody", {}, ...[...this.games.values()].slice(this.from).reverse().map(row))));
    byId("earlier").hidden = !this.from;
  }

  /** Shows a game on the board, from its last position. */
  async #open({ at, number }) {
    this.#playByItself(false);
    this.opening = number;
    const run = encodeURIComponent(this.run);
    try {
      const [game, games] = await Promise.all([ask(`/api/runs/game?run=${run}&at=${at}`), this.kinds ?? ask("/api/games")]);
      this.kinds = games;
      const { played } = await ask("/api/position", { game: game.game, start: game.start, moves: game.moves });
      // Another game may have been chosen meanwhile.
      if (this.opening !== number) return;
      this.game = { ...game, number, root: treeOf(played) };
      this.kind = games.find(({ name }) => name === game.game);
      this.sides = this.kind.sides;
      this.ply = game.moves.length;
      byId("game-title").textContent = `Game ${number + 1}`;
      byId("study").href = `/#${new URLSearchParams({ run: this.run, at })}`;
      this.#list();
      await this.#show();
    } catch (error) {
      byId("status").textContent = error.message;
    }
  }

  async #step(by) {
    if (!this.game) return;
    const ply = Math.min(Math.max(this.ply + by, 0), this.game.moves.length);
    if (ply === this.ply) {
      this.#playByItself(false);
      return;
    }
    this.ply = ply;
    try {
      await this.#show();
    } catch (error) {
      this.#playByItself(false);
      byId("status").textContent = error.message;
    }
  }

  /** Shows the position after the moves so far. */
  async #show() {
    const { game, ply } = this;
    const moves = game.moves.slice(0, ply);
    const position = await ask("/api/position", { game: game.game, start: game.start, moves });
    // A newer question may have been asked meanwhile.
    if (this.game !== game || this.ply !== ply) return;
    this.board.show(position, this.kind, false);
    this.#nameSides();
    const line = lineThrough(game.root);
    const go = move => this.#step(line.indexOf(move) + 1 - this.ply);
    listMoves(byId("moves"), game.root, line[ply - 1], this.sides, go);
    const book = ply > 0 && ply <= game.book ? ", from the book" : "";
    byId("status").textContent = ply === game.moves.length
      ? `${game.result}: ${game.end}.`
      : `After ${ply} of ${game.moves.length} plies${book}.`;
    markSteps(ply, game.moves.length);
  }

  #nameSides() {
    const [below, above] = this.board.flipped ? [1, 0] : [0, 1];
    const name = side => `${this.sides[side]}: ${this.game.players[side]}`;
    byId("player-below").textContent = name(below);
    byId("player-above").textContent = name(above);
  }

  /** Plays the moves one after the other, from the first if the game is at its end. */
  #playByItself(runs) {
    clearInterval(this.timer);
    this.timer = null;
    byId("play").ariaPressed = String(runs);
    if (!runs || !this.game) return;
    if (this.ply === this.game.moves.length) this.#step(-Infinity);
    this.timer = setInterval(() => this.#step(1), PACE);
  }
}
