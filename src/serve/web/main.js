// SPDX-License-Identifier: GPL-3.0-or-later
// The game on the page: whose turn it is, and what happens next. The rules are on the server, which is sent the whole game.

import { Board } from "./board.js";
import { Comparison } from "./compare.js";
import { byId, element, setOptions } from "./dom.js";
import { drawGraph } from "./graph.js";
import { listCosts, listMoves, showThinking } from "./moves.js";
import { ask, search } from "./server.js";
import { Opponent } from "./settings.js";
import { setUpTabs } from "./tabs.js";

const KEPT = "halfply-game";

const state = {
  games: [],
  /** The entry of the game in the list of games. */
  game: null,
  /** The first position (FEN); null for that of the rules. */
  start: null,
  /** The moves so far, as texts. */
  moves: [],
  /** What the server says of the position after them. */
  position: null,
  /** What the searches thought of the positions, by the number of plies before them. */
  values: new Map(),
  /** Aborts the search that is running. */
  running: null,
  panel: "panel-game",
};

const board = new Board(byId("board"), choose);
const opponent = new Opponent(() => update(), () => showCosts());
const comparison = new Comparison(soFar);

function soFar() {
  return { game: state.game.name, start: state.start, moves: state.moves };
}

/** What people call a side; the server calls the first player white in every game. */
const sideName = side => state.game.sides[side === "white" ? 0 : 1];

const isHumansTurn = () => opponent.isHuman(sideName(state.position.to_move));

/** Begins another game, from the position of the rules or from a FEN. */
async function begin(start = null, moves = []) {
  Object.assign(state, { start, moves, values: new Map() });
  byId("thinking").replaceChildren(element("p", { class: "quiet" }, "The search has not run yet. Make a move, or ask for a hint."));
  await update();
}

/** Shows the present position, and lets the program move if it is its turn. */
async function update() {
  stop();
  const names = [0, 1].map(place => (opponent.isHuman(state.game.sides[place]) ? "You" : opponent.name));
  const moves = state.moves;
  try {
    const position = await ask("/api/position", { ...soFar(), names });
    // A newer question may have been asked meanwhile.
    if (moves !== state.moves) return;
    state.position = position;
  } catch (error) {
    if (moves !== state.moves) return;
    // The last position that the server knows is the one to go on from.
    if (state.position) state.moves = state.position.played.map(({ text }) => text);
    say(error.message);
    return;
  }
  sessionStorage.setItem(KEPT, JSON.stringify(soFar()));
  render(names);
  if (!state.position.over && !isHumansTurn()) await think(opponent.limits, "move");
}

function render(names) {
  const { position, game } = state;
  board.show(position, game, !position.over && isHumansTurn());
  const [below, above] = board.flipped ? [1, 0] : [0, 1];
  byId("player-below").textContent = `${game.sides[below]}: ${names[below]}`;
  byId("player-above").textContent = `${game.sides[above]}: ${names[above]}`;
  listMoves(byId("moves"), position.played, game.sides);
  drawGraph(byId("graph"), state.values, state.moves.length, game.sides);
  byId("fen").value = position.fen;
  byId("undo").disabled = state.moves.length === 0;
  for (const id of ["hint", "analyse"]) byId(id).disabled = Boolean(position.over) || !isHumansTurn();
  byId("pass").hidden = !isHumansTurn() || !position.legal.some(move => !move.to);
  say(describe(position));
  showCosts();
}

/** The state of the game in a sentence. */
function describe({ over, to_move, played }) {
  const last = played.at(-1);
  const before = last ? `${sideName(last.side)} played ${last.name}. ` : "";
  if (!over) return `${before}${capital(sideName(to_move))} to move.`;
  const who = over.winner ? `${sideName(over.winner)} wins` : "draw";
  return `${capital(before)}Game over: ${who} (${over.reason}), ${over.result}.`;
}

const capital = text => text.charAt(0).toUpperCase() + text.slice(1);

const say = text => {
  byId("status").textContent = capital(text);
};

/** Plays the one of these moves that the player means. */
function choose(moves) {
  if (moves.length === 1) {
    play(moves[0]);
    return;
  }
  byId("choices").replaceChildren(...moves.map(move => element("button", { value: move.text }, move.name)));
  const dialog = byId("choice");
  dialog.returnValue = "";
  dialog.onclose = () => {
    const move = moves.find(({ text }) => text === dialog.returnValue);
    if (move) play(move);
  };
  dialog.showModal();
}

function play(move) {
  // A second click before the server has answered would be a move of the old position.
  if (state.moves.length !== state.position.played.length) return undefined;
  state.moves = [...state.moves, move.text];
  return update();
}

/** Searches the present position: to `move`, to give a `hint`, or to `analyse`. */
async function think(limits, purpose) {
  stop();
  const running = Object.assign(new AbortController(), { purpose });
  state.running = running;
  const ply = state.moves.length;
  // A hint is the best that the search can do.
  const player = { ...opponent.player, elo: purpose === "move" ? opponent.player.elo : null };
  const findings = [];
  byId("stop").hidden = false;
  byId("analyse").ariaPressed = purpose === "analyse";
  say(purpose === "move" ? `${sideName(state.position.to_move)} is thinking…` : "Searching…");
  let best = null;
  const hear = event => {
    if (state.running !== running) return;
    if (event.event === "iteration") {
      findings[event.rank - 1] = event;
      if (event.rank === 1) {
        state.values.set(ply, event.worth);
        drawGraph(byId("graph"), state.values, ply, state.game.sides);
        board.point(event.first);
        running.best = event.first;
      }
    }
    if (event.event === "done") best = event.best;
    showThinking(byId("thinking"), findings.filter(Boolean), event.nodes, event.milliseconds);
  };
  try {
    await search({ game: soFar(), player, limits }, hear, running.signal);
  } catch (error) {
    if (error.name !== "AbortError") say(error.message);
    if (state.running === running) stop();
    return;
  }
  if (state.running !== running) return;
  stop();
  if (purpose === "move" && best) await play(best);
  else if (best) say(`The search would play ${best.name}.`);
}

/** Stops the search that is running. */
function stop() {
  state.running?.abort();
  state.running = null;
  byId("stop").hidden = true;
  byId("analyse").ariaPressed = "false";
}

/** Takes back the last move; against the program, the player's own last one. */
function takeBack() {
  if (state.moves.length !== state.position.played.length) return undefined;
  let moves = state.moves.slice(0, -1);
  const own = move => opponent.isHuman(sideName(move.side));
  const { played } = state.position;
  while (moves.length > 0 && played.some(own) && !own(played[moves.length])) moves = moves.slice(0, -1);
  state.moves = moves;
  for (const ply of [...state.values.keys()]) if (ply > moves.length) state.values.delete(ply);
  return update();
}

/** Shows what the moves cost under the opponent's table, if that can be seen. */
async function showCosts() {
  if (state.panel !== "panel-table" || !state.position) return;
  try {
    const costs = await ask("/api/costs", { game: soFar(), table: opponent.table.text });
    listCosts(byId("costs"), costs, state.game.atoms, move => board.point(move));
  } catch (error) {
    byId("costs").replaceChildren(element("p", { class: "error" }, error.message));
  }
}

async function copy(button, text) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "The browser refuses";
  }
  setTimeout(() => { button.textContent = before; }, 1500);
}

function setGame(name) {
  state.game = state.games.find(game => game.name === name) ?? state.games[0];
  byId("game").value = state.game.name;
  opponent.setGame(state.game);
  comparison.setGame(state.game);
  byId("atoms").replaceChildren(...state.game.atoms.flatMap(({ name, description }) =>
    [element("dt", {}, name), element("dd", {}, description)]));
}

function setUpButtons() {
  const on = (id, event, act) => byId(id).addEventListener(event, act);
  on("game", "change", () => { setGame(byId("game").value); begin(); });
  on("new", "click", () => begin());
  on("undo", "click", takeBack);
  on("flip", "click", () => { board.flip(); const [a, b] = [byId("player-above"), byId("player-below")]; [a.textContent, b.textContent] = [b.textContent, a.textContent]; });
  on("hint", "click", () => think(opponent.limits, "hint"));
  on("analyse", "click", () => (byId("analyse").ariaPressed === "true" ? stop() : think({}, "analyse")));
  on("stop", "click", () => {
    const { purpose, best } = state.running ?? {};
    stop();
    // A program that is stopped plays the best move that it knows.
    if (purpose === "move" && best) play(best);
    else say(describe(state.position));
  });
  on("pass", "click", () => play(state.position.legal.find(move => !move.to)));
  on("copy-moves", "click", event => copy(event.target, state.position.pgn));
  on("copy-fen", "click", event => copy(event.target, state.position.fen));
  on("problem", "click", () => {
    const { problems } = state.game;
    const next = problems[(problems.indexOf(state.start) + 1) % problems.length];
    byId("human").value = "both";
    begin(next);
  });
  on("set-position", "submit", async event => {
    event.preventDefault();
    const start = byId("fen").value.trim() || null;
    byId("fen-error").textContent = "";
    try {
      await ask("/api/position", { game: state.game.name, start });
      await begin(start);
    } catch (error) {
      byId("fen-error").textContent = error.message;
    }
  });
}

/** Goes on with the game that was on the page before it was loaded again. */
async function main() {
  state.games = await ask("/api/games");
  setOptions(byId("game"), state.games.map(({ name }) => [name, capital(name)]));
  setUpButtons();
  const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "{}");
  setGame(kept.game);
  setUpTabs(document.querySelector("[role=tablist]"), panel => { state.panel = panel; showCosts(); });
  await begin(kept.start, kept.moves);
}

main().catch(error => say(error.message));
