// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the game: board, moves, values, and its state in words.

import { lost } from "./clock.js";
import { byId, setOptions } from "./dom.js";
import { drawBar, drawGraph } from "./graph.js";
import { listBook, listMoves, verdict } from "./moves.js";
import { MOVE_MARKS, POSITION_MARKS, choiceOf, pgnOf, spoken } from "./pgn.js";
import { showSummary } from "./review.js";
import { ask } from "./server.js";
import { capital, here, isAtEnd, say, sideName, state, textsOf } from "./state.js";
import { markSteps } from "./steps.js";
import { lineThrough, variationOf } from "./tree.js";

/** Who has won a game on time, and its result: that of White, who is not the first player of Othello. */
const winnerOnTime = () => state.game.sides[1 - lost()];
const resultOnTime = () => (winnerOnTime() === "white" ? "1-0" : "0-1");

/** Whether the position that is shown is the one in which a game was lost on time: the end of its main line. */
export const hasEnded = () => lost() !== null && here() === (lineThrough(state.root).at(-1) ?? state.root);

export class View {
  /** `walk` is called with how many plies to go, `goTo` with a move of the game, and `play` with a legal one. */
  constructor(board, opponent, clock, walk, goTo, play) {
    Object.assign(this, { board, opponent, clock, walk, goTo, play });
  }

  isHumansTurn() {
    return this.opponent.isHuman(sideName(state.whole.to_move));
  }

  /** The names of the first and the second player, of whom a file knows; `?` for those whom it does not name. */
  names(about = state.about) {
    return [0, 1].map(place => {
      if (about) return about.players[place] || "?";
      return this.opponent.isHuman(state.game.sides[place]) ? "You" : this.opponent.name;
    });
  }

  /** The number of the first move. */
  firstNumber() {
    return Number(state.whole.start.split(" ").at(-1)) || 1;
  }

  /** The whole game as PGN. Its tags are those of its file, or follow from its main line. */
  async pgn() {
    const { game, start, root, whole, line, about } = state;
    const main = lineThrough(root);
    const isShown = main.every((move, place) => move === line[place]);
    const { pgn } = isShown ? whole : await ask("/api/position", { game: game.name, start, moves: textsOf(main), names: this.names() });
    let tags = about?.tags ?? pgn.split("\n\n")[0];
    if (state.clock) tags += `\n[TimeControl "${state.clock.control}"]`;
    if (lost() !== null) tags = tags.replace('[Result "*"]', `[Result "${resultOnTime()}"]`).replace('"unterminated"', '"time forfeit"');
    return pgnOf(root, tags, this.firstNumber());
  }

  render() {
    const { position, whole, game, ply, line, root } = state;
    const place = here();
    // Another move at an earlier position begins a variation.
    const isLost = hasEnded();
    const mayPlay = !position.over && !isLost && (!isAtEnd() || this.isHumansTurn());
    this.board.show(position, game, mayPlay);
    this.board.point(place.best);
    this.nameSides();
    listMoves(byId("moves"), root, place, game.sides, this.goTo, this.firstNumber());
    listBook(byId("book"), position, game.sides[0], move => mayPlay && this.play(move), move => this.board.point(move ?? place.best));
    byId("variation").hidden = !variationOf(place);
    byId("said").textContent = spoken(place);
    byId("comment").value = place.comment ?? "";
    for (const [id, among, none] of [["move-mark", MOVE_MARKS, "Move"], ["position-mark", POSITION_MARKS, "Position"]]) {
      const [chosen, options] = choiceOf(place, among, game.sides);
      setOptions(byId(id), [["0", `${none}: –`], ...options], chosen);
      byId(id).disabled = !place.parent;
    }
    markSteps(ply, line.length);
    this.drawValues();
    showSummary(state.review);
    byId("fen").value = position.fen;
    byId("undo").disabled = byId("review").disabled = line.length === 0;
    const isProgramsTurn = isAtEnd() && !isLost && !this.isHumansTurn();
    for (const id of ["hint", "threat", "analyse"]) byId(id).disabled = Boolean(position.over) || isProgramsTurn;
    byId("pass").hidden = !mayPlay || !position.legal.some(move => !move.to);
    this.clock.run(whole.to_move === "white" ? 0 : 1, line.length > 0 && !whole.over && !state.about);
    this.clock.show(this.board.flipped);
    say(this.describe(position));
  }

  /** Shows what the positions of the line are worth. */
  drawValues() {
    const { root, line, ply, game } = state;
    const places = [root, ...line];
    const { worth, judged } = here();
    byId("graph").hidden = !places.some(place => place.worth);
    drawGraph(byId("graph"), places, ply, to => this.walk(to - ply));
    drawBar(byId("bar"), worth, this.board.flipped, game.sides);
    byId("verdict").textContent = judged?.sign ? capital(`${verdict(judged)}.`) : "";
    byId("verdict").className = `verdict ${judged?.class ?? ""}`;
  }

  /** Who plays above and below the board, and with how many discs if that is what counts. */
  nameSides() {
    const count = this.#discs();
    const text = place => {
      const name = [state.game.sides[place], this.names()[place]].filter(part => part !== "?").join(": ");
      return count ? `${name}, ${count[place]} ${count[place] === 1 ? "disc" : "discs"}` : name;
    };
    const [below, above] = this.board.flipped ? [1, 0] : [0, 1];
    byId("player-below").textContent = text(below);
    byId("player-above").textContent = text(above);
  }

  /** The discs of both sides; null in a game without discs. */
  #discs() {
    if (!state.game.kinds.includes("disc")) return null;
    const letters = [...state.position.rows.join("")];
    return [/[A-Z]/, /[a-z]/].map(own => letters.filter(letter => own.test(letter)).length);
  }

  /** The state of the game in a sentence. */
  describe({ over, to_move, played }) {
    const last = played.at(-1);
    const before = last ? `${sideName(last.side)} played ${last.name}. ` : "";
    if (!isAtEnd()) return `${before}After ${state.ply} of ${state.line.length} plies.`;
    const inVariation = variationOf(here());
    if (!over && hasEnded()) {
      return `${before}Game over: ${winnerOnTime()} wins on time, ${resultOnTime()}.`;
    }
    const result = inVariation ? undefined : state.about?.result;
    if (!over && result && result !== "*") return `${capital(before)}The game ended ${result}.`;
    if (!over) return `${before}${capital(sideName(to_move))} to move.`;
    const who = over.winner ? `${sideName(over.winner)} wins` : "draw";
    const count = this.#discs()?.sort((one, other) => other - one).join("–");
    return `${capital(before)}Game over: ${who} ${count ?? `(${over.reason}), ${over.result}`}.`;
  }
}
