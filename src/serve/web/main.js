// SPDX-License-Identifier: GPL-3.0-or-later
// The game on the page: whose turn it is, and what happens next. The rules are on the server, which is sent the whole game.

import { Board } from "./board.js";
import { Comparison } from "./compare.js";
import { byId, element, setOptions } from "./dom.js";
import { drawGraph } from "./graph.js";
import { keep, recall } from "./kept.js";
import { listCosts, listMoves, showThinking, unitOf } from "./moves.js";
import { ask, search } from "./server.js";
import { Opponent } from "./settings.js";
import { markSteps, setUpSteps } from "./steps.js";
import { setUpTabs } from "./tabs.js";

/** The name under which the browser keeps which game was played last; each game is kept under its own. */
const LAST = "last";

/** The most earlier games of a kind that are kept. */
const MOST_EARLIER = 50;

const state = {
  games: [],
  /** The entry of the game in the list of games. */
  game: null,
  /** The first position (FEN); null for that of the rules. */
  start: null,
  /** The moves of the game, as texts. */
  moves: [],
  /** How many of them led to the position that is shown. */
  ply: 0,
  /** What the server says of the position after all moves. */
  whole: null,
  /** The same of the position that is shown. */
  position: null,
  /** What the searches thought of the positions, by the number of plies before them. */
  values: new Map(),
  /** Games that were on the board before this one, the newest first. */
  earlier: [],
  /** Aborts the search that is running. */
  running: null,
  panel: "panel-game",
};

const board = new Board(byId("board"), choose);
const opponent = new Opponent(() => update(state.ply), () => { keepGame(); showCosts(); });
const comparison = new Comparison(soFar);

/** The game up to the position that is shown. */
function soFar() {
  return { game: state.game.name, start: state.start, moves: state.moves.slice(0, state.ply) };
}

/** What is kept of the game on the board. */
function present() {
  const { start, moves, ply, values } = state;
  return { start, moves, ply, values: [...values], human: byId("human").value };
}

function keepGame() {
  // Nothing is kept that the server has not understood.
  if (!state.whole || state.whole.played.length !== state.moves.length) return;
  keep(state.game.name, { ...present(), earlier: state.earlier, settings: opponent.settings });
}

/** What people call a side; the server calls the first player white in every game. */
const sideName = side => state.game.sides[side === "white" ? 0 : 1];

const isHumansTurn = () => opponent.isHuman(sideName(state.whole.to_move));

const isAtEnd = () => state.ply === state.moves.length;

/** Begins another game, from the position of the rules or from a FEN. A game in which a move was made is not lost. */
async function begin(start = null, human = opponent.usual) {
  if (state.moves.length > 0) state.earlier = [present(), ...state.earlier].slice(0, MOST_EARLIER);
  await putOnBoard({ start, human });
}

/** Goes back to the game before this one, which becomes the last of the earlier ones. */
async function goBack() {
  const [next, ...others] = state.earlier;
  state.earlier = state.moves.length > 0 ? [...others, present()] : others;
  await putOnBoard(next);
}

async function putOnBoard({ start, moves, ply, values, human }) {
  Object.assign(state, { start: start ?? null, moves: [...moves ?? []], values: new Map(values) });
  if (human) byId("human").value = human;
  // People look at the board from their own side.
  board.flipped = byId("human").value === state.game.sides[1];
  byId("thinking").replaceChildren(element("p", { class: "quiet" }, "The search has not run yet. Make a move, or ask for a hint."));
  byId("rules").open = state.moves.length === 0 && !state.start;
  await update(Math.min(ply ?? Infinity, state.moves.length));
}

const names = () => [0, 1].map(place => (opponent.isHuman(state.game.sides[place]) ? "You" : opponent.name));

/** Asks what the moves of the game come to, shows the position after `ply` of them, and lets the program move if it is its
 * turn. */
async function update(ply = state.moves.length) {
  stop();
  const { moves, start, game } = state;
  try {
    const whole = await ask("/api/position", { game: game.name, start, moves, names: names() });
    // A newer question may have been asked meanwhile.
    if (moves !== state.moves) return;
    state.whole = whole;
  } catch (error) {
    if (moves !== state.moves) return;
    say(error.message);
    // The last position that the server knows is the one to go on from.
    if (state.whole) state.moves = state.whole.played.map(({ text }) => text);
    // What the browser has kept is no game: of another version, perhaps.
    else if (error.isRefused && (start || moves.length > 0)) await putOnBoard({});
    return;
  }
  await show(ply);
  keepGame();
  await letProgramMove();
}

/** Shows the position after so many plies. */
async function show(ply) {
  const { moves } = state;
  state.ply = ply;
  let position = state.whole;
  if (!isAtEnd()) {
    try {
      position = await ask("/api/position", soFar());
    } catch (error) {
      say(error.message);
      return;
    }
    if (moves !== state.moves || ply !== state.ply) return;
  }
  state.position = position;
  render();
}

/** Goes forward or back in the game by so many plies. A program that is thinking about its move goes on. */
async function walk(by) {
  if (!state.whole || state.whole.played.length !== state.moves.length) return;
  const ply = Math.min(Math.max(state.ply + by, 0), state.moves.length);
  if (ply === state.ply) return;
  if (state.running?.purpose !== "move") stop();
  await show(ply);
  keepGame();
  await letProgramMove();
}

async function letProgramMove() {
  if (isAtEnd() && !state.running && !state.whole.over && !isHumansTurn()) await think(opponent.limits, "move");
}

function render() {
  const { position, whole, game, ply, moves } = state;
  const mayPlay = isAtEnd() && !whole.over && isHumansTurn();
  board.show(position, game, mayPlay);
  nameSides();
  listMoves(byId("moves"), whole.played, game.sides, ply, to => walk(to - state.ply));
  markSteps(ply, moves.length);
  drawGraph(byId("graph"), state.values, moves.length, unitOf(game));
  byId("fen").value = position.fen;
  byId("undo").disabled = moves.length === 0;
  byId("earlier").hidden = state.earlier.length === 0;
  const isProgramsTurn = isAtEnd() && !isHumansTurn();
  for (const id of ["hint", "analyse"]) byId(id).disabled = Boolean(position.over) || isProgramsTurn;
  byId("pass").hidden = !mayPlay || !position.legal.some(move => !move.to);
  say(describe(position));
  showCosts();
}

/** Who plays above and below the board, and with how many discs if that is what counts. */
function nameSides() {
  const count = discs();
  const text = place => {
    const name = `${state.game.sides[place]}: ${names()[place]}`;
    return count ? `${name}, ${count[place]} ${count[place] === 1 ? "disc" : "discs"}` : name;
  };
  const [below, above] = board.flipped ? [1, 0] : [0, 1];
  byId("player-below").textContent = text(below);
  byId("player-above").textContent = text(above);
}

/** The discs of both sides; null in a game without discs. */
function discs() {
  if (!state.game.kinds.includes("disc")) return null;
  const letters = [...state.position.rows.join("")];
  return [/[A-Z]/, /[a-z]/].map(own => letters.filter(letter => own.test(letter)).length);
}

/** The state of the game in a sentence. */
function describe({ over, to_move, played }) {
  const last = played.at(-1);
  const before = last ? `${sideName(last.side)} played ${last.name}. ` : "";
  if (!isAtEnd()) return `${before}After ${state.ply} of ${state.moves.length} plies; ▶| to play on.`;
  if (!over) return `${before}${capital(sideName(to_move))} to move.`;
  const who = over.winner ? `${sideName(over.winner)} wins` : "draw";
  const count = discs()?.sort((one, other) => other - one).join("–");
  return `${capital(before)}Game over: ${who} ${count ?? `(${over.reason}), ${over.result}`}.`;
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
  if (state.moves.length !== state.whole.played.length) return undefined;
  byId("rules").open = false;
  state.moves = [...state.moves, move.text];
  return update();
}

/** Searches the present position: to `move`, to give a `hint`, or to `analyse`. */
async function think(limits, purpose) {
  stop();
  const running = Object.assign(new AbortController(), { purpose });
  state.running = running;
  const { ply, game } = state;
  // A hint is the best that the search can do.
  const player = { ...opponent.player, elo: purpose === "move" ? opponent.player.elo : null };
  const findings = [];
  byId("stop").hidden = false;
  byId("analyse").ariaPressed = purpose === "analyse";
  say(purpose === "move" ? `${sideName(state.whole.to_move)} is thinking…` : "Searching…");
  let best = null;
  const hear = event => {
    if (state.running !== running) return;
    if (event.event === "iteration") {
      findings[event.rank - 1] = event;
      if (event.rank === 1) {
        state.values.set(ply, event.worth);
        drawGraph(byId("graph"), state.values, state.moves.length, unitOf(game));
        if (state.ply === ply) board.point(event.first);
        running.best = event.first;
      }
    }
    if (event.event === "done") best = event.best;
    showThinking(byId("thinking"), findings.filter(Boolean), event.nodes, event.milliseconds, unitOf(game));
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
  keepGame();
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
  const { played } = state.whole;
  if (state.moves.length !== played.length) return undefined;
  let moves = state.moves.slice(0, -1);
  const own = move => opponent.isHuman(sideName(move.side));
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

/** Goes on with a game of this kind where it was left. */
async function openGame(name) {
  stop();
  state.game = state.games.find(game => game.name === name) ?? state.games[0];
  Object.assign(state, { moves: [], whole: null, position: null });
  const { name: chosen, atoms, rules } = state.game;
  keep(LAST, { game: chosen });
  byId("game").value = chosen;
  byId("rules-of").textContent = `The rules of ${capital(chosen)}`;
  byId("rules-text").textContent = rules;
  byId("atoms").replaceChildren(...atoms.flatMap(({ name, description }) =>
    [element("dt", {}, name), element("dd", {}, description)]));
  byId("an-atom").textContent = atoms[0].name;
  byId("its-meaning").textContent = atoms[0].description;
  const kept = recall(chosen);
  opponent.setGame(state.game);
  opponent.settings = kept.settings ?? {};
  comparison.setGame(state.game);
  const isGame = game => Array.isArray(game?.moves) && Array.isArray(game.values);
  state.earlier = Array.isArray(kept.earlier) ? kept.earlier.filter(isGame) : [];
  await putOnBoard(isGame(kept) ? kept : {});
}

/** Asks which side to play, and against what. */
function askForGame() {
  for (const id of ["human", "elo"]) {
    const options = [...byId(id).options].map(({ value, text }) => [value, text]);
    setOptions(byId(`new-${id}`), options, id === "human" ? opponent.usual : byId(id).value);
  }
  const dialog = byId("new-game");
  dialog.returnValue = "";
  dialog.onclose = () => {
    if (dialog.returnValue !== "start") return;
    byId("elo").value = byId("new-elo").value;
    opponent.usual = byId("new-human").value;
    begin();
  };
  dialog.showModal();
}

function setUpButtons() {
  const on = (id, event, act) => byId(id).addEventListener(event, act);
  on("game", "change", () => openGame(byId("game").value));
  on("new", "click", askForGame);
  on("earlier", "click", goBack);
  on("undo", "click", takeBack);
  on("flip", "click", () => { board.flip(); nameSides(); });
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
  on("copy-moves", "click", event => copy(event.target, state.whole.pgn));
  on("copy-fen", "click", event => copy(event.target, state.position.fen));
  on("problem", "click", () => {
    const { problems } = state.game;
    begin(problems[(problems.indexOf(state.start) + 1) % problems.length], "both");
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
  setUpSteps(walk);
}

/** Goes on with the game that was on the page before it was loaded again. */
async function main() {
  state.games = await ask("/api/games");
  setOptions(byId("game"), state.games.map(({ name }) => [name, capital(name)]));
  setUpButtons();
  setUpTabs(document.querySelector("[role=tablist]"), panel => { state.panel = panel; showCosts(); });
  await openGame(recall(LAST).game);
}

main().catch(error => say(error.message));
