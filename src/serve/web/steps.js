// SPDX-License-Identifier: GPL-3.0-or-later
// Walking a game, by the buttons below the board, the left and right arrow keys, Home and End, and the mouse wheel over the board.

import { byId } from "./dom.js";

const STEPS = { first: -Infinity, back: -1, on: 1, last: Infinity };
const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };

/** Where arrow keys have a meaning of their own. */
const OTHERS = "input, select, textarea, dialog, [role=tablist], .scroll, .games";

/** How far a wheel is turned for a step, in pixels. A touchpad sends many small turns. */
const TURN = 60;

/** Makes buttons, keys and the wheel work; `walk` is called with how many plies to go. */
export function setUpSteps(walk) {
  for (const [id, by] of Object.entries(STEPS)) byId(id).addEventListener("click", () => walk(by));
  document.addEventListener("keydown", event => {
    const id = KEYS[event.key];
    const isOthers = event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    if (!id || isOthers || event.target.closest(OTHERS)) return;
    event.preventDefault();
    walk(STEPS[id]);
  });
  let turned = 0;
  byId("board").addEventListener("wheel", event => {
    if (event.ctrlKey || (byId("back").disabled && byId("on").disabled)) return;
    event.preventDefault();
    turned += event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : TURN);
    if (Math.abs(turned) < TURN) return;
    walk(Math.sign(turned));
    turned = 0;
  }, { passive: false });
}

/** Shows which steps are possible after `ply` of `plies` plies. */
export function markSteps(ply, plies) {
  for (const id of ["first", "back"]) byId(id).disabled = ply === 0;
  for (const id of ["on", "last"]) byId(id).disabled = ply === plies;
}
