// SPDX-License-Identifier: GPL-3.0-or-later
// The game on the page: whose turn it is, and what happens next. The rules are on the server, which is sent the whole line that
// is on the board; the tree of all lines is here.

import { Board } from "./board.js";
import { Clock, clocksOf, lost } from "./clock.js";
import { Comparison } from "./compare.js";
import { byId, element, setOptions } from "./dom.js";
import { keep, recall } from "./kept.js";
import { fitting, isGame, listGames } from "./library.js";
import { listCosts, showThinking, unitOf } from "./moves.js";
import { addressOf, setUpOpen, takeFromAddress } from "./open.js";
import { MOVE_MARKS, POSITION_MARKS, mark } from "./pgn.js";
import { review } from "./review.js";
import { ask, search } from "./server.js";
import { Opponent } from "./settings.js";
import { capital, here, isAtEnd, say, sideName, soFar, state, textsOf } from "./state.js";
import { setUpPositions } from "./setup.js";
import { setUpSteps } from "./steps.js";
import { setUpTabs } from "./tabs.js";
import { cut, flattened, lineThrough, lineTo, node, promote, treeOf, unflattened, variationOf } from "./tree.js";
import { View, hasEnded } from "./view.js";

/** The name under which the browser keeps which game was played last; each game is kept under its own. */
const LAST = "last";

/** Milliseconds until a search that could not begin is tried again. */
const RETRY = 1000;

const board = new Board(byId("board"), choose);
const opponent = new Opponent(() => follow(state.line, state.ply), () => { keepGame(); showCosts(); });
const clock = new Clock(loseOnTime);
const view = new View(board, opponent, clock, walk, goTo, move => play(move));
const comparison = new Comparison(soFar);

/** What is kept of the game on the board. */
function present() {
  const { start, root, line, ply, about, review, clock } = state;
  return { start, ply, about, review, clock, human: byId("human").value, when: Date.now(), ...flattened(root, line.at(-1) ?? root) };
}

function keepGame() {
  if (state.whole) keep(state.game.name, { ...present(), earlier: state.earlier, settings: opponent.settings });
}

/** Begins another game: of the rules, of a position, or one that was played. A game in which a move was made is not lost. */
async function begin(game = {}) {
  if (state.root.children.length > 0) state.earlier = fitting([present(), ...state.earlier]);
  await putOnBoard({ human: opponent.usual, ...game });
}

/** Lists the earlier games. The one that is opened changes places with the one on the board. */
function chooseGame() {
  listGames(state.earlier, game => {
    state.earlier = state.earlier.filter(other => other !== game);
    begin(game);
  }, gone => {
    state.earlier = state.earlier.filter(game => !gone.includes(game));
    keepGame();
    chooseGame();
  });
}

/** Begins with a game of a file or of an address, if the server understands it. */
async function restore({ game, start, moves, nodes, left_out: leftOut, ply, players, result, tags }) {
  if (moves) await ask("/api/position", { game, start, moves });
  if (game !== state.game.name) await openGame(game);
  await begin({ start, moves, nodes, ply, human: "both", about: players ? { players, result, tags } : null });
  if (leftOut > 0) say(`${leftOut} ${leftOut === 1 ? "move" : "moves"} of variations were left out: not legal, nested too deep, or too many.`);
}

/** Opens the game that the address has. */
async function openAddress() {
  try {
    const game = await takeFromAddress();
    if (game) await restore(game);
  } catch (error) {
    say(`The address has no game: ${error.message}`);
  }
}

async function putOnBoard({ start, moves, nodes, last, ply, human, about, review, clock: clocks }) {
  const tree = nodes ? unflattened({ nodes, last }) : { root: treeOf((moves ?? []).map(text => ({ text }))) };
  const line = lineThrough(tree.last ?? tree.root);
  if (human) byId("human").value = human;
  // People look at the board from their own side.
  board.flipped = byId("human").value === state.game.sides[1];
  byId("thinking").replaceChildren(element("p", { class: "quiet" }, "The search has not run yet. Make a move, or ask for a hint."));
  byId("rules").open = line.length === 0 && !start;
  state.analyses = false;
  clock.pause();
  const next = { start: start ?? null, root: tree.root, about: about ?? null, review: review ?? null, clock: clocks ?? null };
  await follow(line, Math.min(ply ?? Infinity, line.length), next);
}

/** Asks what the moves of a line come to, shows the position after `ply` of them, and lets the program move if it is its turn.
 * `next` is what else changes with it. */
async function follow(line, ply = line.length, next = {}) {
  stop();
  const asked = {};
  state.asked = asked;
  const { game, start } = { ...state, ...next };
  let whole;
  try {
    whole = await ask("/api/position", { game: game.name, start, moves: textsOf(line), names: view.names(next.about) });
  } catch (error) {
    if (state.asked !== asked) return;
    state.asked = null;
    say(error.message);
    // What the browser has kept is no game: of another version, perhaps.
    if (next.root && error.isRefused && (start || line.length > 0)) await putOnBoard({});
    return;
  }
  // A newer question may have been asked meanwhile.
  if (state.asked !== asked) return;
  state.asked = null;
  for (const [place, { text, name, side }] of whole.played.entries()) {
    const move = Object.assign(line[place], { text, name, side });
    if (!move.parent.children.includes(move)) move.parent.children.push(move);
  }
  Object.assign(state, next, { line, whole });
  await show(ply);
  keepGame();
  await searchOn();
}

/** Shows the position after so many plies. */
async function show(ply) {
  const { line } = state;
  state.ply = ply;
  let position = state.whole;
  if (!isAtEnd()) {
    try {
      position = await ask("/api/position", soFar());
    } catch (error) {
      say(error.message);
      return;
    }
    if (line !== state.line || ply !== state.ply) return;
  }
  state.position = position;
  render();
}

/** Goes forward or back in the game by this many plies. A program that is thinking about its move continues. */
async function walk(by) {
  if (!state.whole || state.asked) return;
  const ply = Math.min(Math.max(state.ply + by, 0), state.line.length);
  if (ply === state.ply) return;
  if (!["move", "review"].includes(state.running?.purpose)) stop();
  await show(ply);
  // Another step may have been made meanwhile.
  if (ply !== state.ply) return;
  keepGame();
  await searchOn();
}

/** Goes to a move, in whichever line it is. */
function goTo(move) {
  const place = state.line.indexOf(move);
  return place >= 0 ? walk(place + 1 - state.ply) : follow(lineThrough(move), lineTo(move).length);
}

/** Makes the variation that is shown the line that comes first, or deletes it. */
function changeVariation(change) {
  const place = here();
  const first = variationOf(place);
  if (!first || state.asked) return undefined;
  const main = lineThrough(state.root);
  change(first);
  // Only the game that was played was lost on time.
  if (lost() !== null && lineThrough(state.root).at(-1) !== main.at(-1)) state.clock = null;
  return change === cut ? follow(lineThrough(first.parent), lineTo(first.parent).length) : follow(state.line, state.ply);
}

/** Lets the program move if it is its turn. Otherwise an analysis continues with the position that is shown. */
async function searchOn() {
  if (state.running) return;
  if (isAtEnd() && !state.whole.over && !hasEnded() && !view.isHumansTurn()) {
    const known = opponent.known(state.position);
    const byClock = lost() === null ? clock.limits() : undefined;
    await (known ? play(known) : think(byClock ?? opponent.limits, "move"));
  } else if (state.analyses && !state.position.over) await think({}, "analyse");
}

function render() {
  view.render();
  showCosts();
}

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

/** Plays a move after the one that is shown, or after another one. */
function play(move, parent = here()) {
  // A second click before the server has answered would be a move of the old position.
  if (state.asked) return undefined;
  byId("rules").open = false;
  const next = parent.children.find(({ text }) => text === move.text) ?? node(parent, { text: move.text });
  if (parent === (state.line.at(-1) ?? state.root)) clock.press();
  else if (lost() === null) state.clock = null;
  return follow(state.line.includes(next) ? state.line : lineThrough(next), lineTo(next).length);
}

/** Searches the present position: to `move`, to give a `hint`, to show the opponent's `threat`, or to `analyse`. */
async function think(limits, purpose) {
  stop();
  const running = Object.assign(new AbortController(), { purpose });
  state.running = running;
  const { game } = state;
  const place = here();
  // A hint is the best that the search can do.
  const player = { ...opponent.player, elo: purpose === "move" ? opponent.player.elo : null };
  const passer = purpose === "threat" ? sideName(state.position.to_move) : null;
  const findings = [];
  byId("stop").hidden = false;
  if (purpose !== "analyse") say(purpose === "move" ? `${sideName(state.whole.to_move)} is thinking…` : "Searching…");
  // Not known before its end.
  let best;
  const hear = event => {
    if (state.running !== running) return;
    if (event.event === "iteration") {
      findings[event.rank - 1] = event;
      running.best = findings[0]?.first;
      // What a position is worth if its side passes says nothing of the game.
      if (event.rank === 1 && !passer) {
        place.worth = event.worth;
        view.drawValues();
      }
    }
    if (event.event === "iteration" && here() === place) {
      if (passer) board.threaten(findings[0]?.first);
      else board.point(...findings.map(({ first }) => first));
    }
    if (event.event === "done") best = event.best;
    showThinking(byId("thinking"), findings.filter(Boolean), event.nodes, event.milliseconds, unitOf(game), passer);
  };
  try {
    await search({ game: soFar(), threat: Boolean(passer), player, limits }, hear, running.signal);
    if (best === undefined) throw Object.assign(new Error("The search has failed."), { isRefused: true });
  } catch (error) {
    if (error.name !== "AbortError") say(error.message);
    if (state.running !== running) return;
    stop();
    // Other searches end, and a server comes back.
    if (purpose === "move" && !error.isRefused) setTimeout(searchOn, RETRY);
    return;
  }
  if (state.running !== running) return;
  stop();
  keepGame();
  if (purpose === "move" && best) await play(best, place);
  else if (best && passer) say(`If ${passer} passed, ${sideName(best.side)} would play ${best.name}.`);
  else if (best) say(`The search would play ${best.name}.`);
}

/** Has the main line judged, move by move. */
async function reviewGame() {
  state.analyses = false;
  stop();
  const running = Object.assign(new AbortController(), { purpose: "review" });
  state.running = running;
  const line = lineThrough(state.root);
  byId("stop").hidden = false;
  byId("review").disabled = true;
  // Players of the same name are told apart by their sides.
  const names = new Set(view.names()).size > 1 ? view.names() : undefined;
  say("Reviewing…");
  try {
    const game = { game: state.game.name, start: state.start, moves: textsOf(line), names };
    state.review = await review(game, [state.root, ...line], running.signal) ?? state.review;
  } catch (error) {
    if (state.running !== running) return;
    stop();
    render();
    say(error.message);
    return;
  }
  stop();
  keepGame();
  render();
}

/** Stops the search that is running. */
function stop() {
  state.running?.abort();
  state.running = null;
  byId("stop").hidden = true;
  byId("analyse").ariaPressed = String(state.analyses);
}

/** Takes back the last move; against the program, the player's own last one. */
function takeBack() {
  const { line } = state;
  if (state.asked || line.length === 0) return undefined;
  let length = line.length - 1;
  const own = move => opponent.isHuman(sideName(move.side));
  while (length > 0 && line.some(own) && !own(line[length])) length--;
  // A game that was lost on time goes on without clocks.
  if (lost() !== null && !variationOf(line[length])) state.clock = null;
  cut(line[length]);
  return follow(line.slice(0, length));
}

/** Ends a game in which a side has used up its time. */
function loseOnTime() {
  stop();
  keepGame();
  render();
}

/** Shows what the moves cost under the opponent's table, if that can be seen. */
async function showCosts() {
  const { position } = state;
  const { text } = opponent.table;
  if (state.panel !== "panel-table" || !position) return;
  const isLatest = () => position === state.position && text === opponent.table.text;
  try {
    const costs = await ask("/api/costs", { game: soFar(), table: text });
    // Another position or table may be shown meanwhile.
    if (isLatest()) listCosts(byId("costs"), costs, state.game.atoms, move => board.point(move));
  } catch (error) {
    if (isLatest()) byId("costs").replaceChildren(element("p", { class: "error" }, error.message));
  }
}

/** Copies a text, or what a promise will give. */
async function copy(button, text) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(await text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "The browser refuses";
  }
  setTimeout(() => { button.textContent = before; }, 1500);
}

/** Resumes a game of this kind where it was left. */
async function openGame(name) {
  stop();
  state.game = state.games.find(game => game.name === name) ?? state.games[0];
  Object.assign(state, { root: node(), line: [], ply: 0, whole: null, position: null, about: null });
  const { name: chosen, atoms, rules } = state.game;
  keep(LAST, { game: chosen });
  byId("game").value = chosen;
  byId("rules-of").textContent = `The rules of ${capital(chosen)}`;
  byId("rules-text").textContent = rules;
  byId("rules-picture").setAttribute("href", `/pieces.svg#rules-${chosen}`);
  byId("atoms").replaceChildren(...atoms.flatMap(({ name, description }) =>
    [element("dt", {}, name), element("dd", {}, description)]));
  byId("an-atom").textContent = atoms[0].name;
  byId("its-meaning").textContent = atoms[0].description;
  const kept = recall(chosen);
  opponent.setGame(state.game);
  opponent.settings = kept.settings ?? {};
  comparison.setGame(state.game);
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
    begin({ clock: clocksOf(byId("new-clock").value) });
  };
  dialog.showModal();
}

function setUpButtons() {
  const on = (id, event, act) => byId(id).addEventListener(event, act);
  on("game", "change", () => openGame(byId("game").value));
  on("new", "click", askForGame);
  on("earlier", "click", chooseGame);
  on("games-close", "click", () => byId("games-list").close());
  on("review", "click", reviewGame);
  on("promote", "click", () => changeVariation(promote));
  on("cut", "click", () => changeVariation(cut));
  on("comment", "input", () => {
    here().comment = byId("comment").value;
    keepGame();
    view.render();
  });
  for (const [id, among] of [["move-mark", MOVE_MARKS], ["position-mark", POSITION_MARKS]]) {
    on(id, "change", () => {
      mark(here(), among, Number(byId(id).value));
      keepGame();
      view.render();
    });
  }
  on("undo", "click", takeBack);
  on("flip", "click", () => { board.flip(); view.nameSides(); view.drawValues(); clock.show(board.flipped); });
  for (const purpose of ["hint", "threat"]) {
    on(purpose, "click", () => {
      state.analyses = false;
      think(opponent.limits, purpose);
    });
  }
  on("analyse", "click", () => {
    state.analyses = !state.analyses;
    if (state.analyses) think({}, "analyse");
    else stop();
  });
  on("stop", "click", () => {
    const { purpose, best } = state.running ?? {};
    state.analyses = false;
    stop();
    // A program that is stopped plays the best move that it knows.
    if (purpose === "move" && best) play(best, state.line.at(-1) ?? state.root);
    else render();
  });
  on("pass", "click", () => play(state.position.legal.find(move => !move.to)));
  on("copy-moves", "click", event => copy(event.target, view.pgn()));
  on("copy-fen", "click", event => copy(event.target, state.position.fen));
  on("copy-address", "click", event => copy(event.target, addressOf({ ...soFar(), moves: textsOf(state.line), ply: state.ply })));
  on("problem", "click", () => {
    const { problems } = state.game;
    begin({ start: problems[(problems.indexOf(state.start) + 1) % problems.length], human: "both" });
  });
  const startFrom = async start => {
    await ask("/api/position", { game: state.game.name, start });
    await begin({ start });
  };
  setUpPositions(() => state, startFrom);
  on("set-position", "submit", async event => {
    event.preventDefault();
    byId("fen-error").textContent = "";
    try {
      await startFrom(byId("fen").value.trim() || null);
    } catch (error) {
      byId("fen-error").textContent = error.message;
    }
  });
  setUpSteps(walk);
  setUpOpen(() => state.game.name, restore);
  addEventListener("hashchange", openAddress);
  addEventListener("resize", () => { if (state.position) view.drawValues(); });
}

/** Resumes the game that was on the page before it was loaded again. */
async function main() {
  state.games = await ask("/api/games");
  setOptions(byId("game"), state.games.map(({ name }) => [name, capital(name)]));
  setUpButtons();
  setUpTabs(document.querySelector("[role=tablist]"), panel => { state.panel = panel; showCosts(); });
  await openGame(recall(LAST).game);
  await openAddress();
}

main().catch(error => say(error.message));
