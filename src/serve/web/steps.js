// SPDX-License-Identifier: GPL-3.0-or-later
// Walking a game, by the buttons beside the board and by the left and right arrow keys.

import { byId } from "./dom.js";

const STEPS = { first: -Infinity, back: -1, on: 1, last: Infinity };
const KEYS = { ArrowLeft: "back", ArrowRight: "on" };

/** Where arrow keys have a meaning of their own. */
const OTHERS = "input, select, textarea, dialog, [role=tablist], .scroll, .games";

/** Makes buttons and keys work; `walk` is called with how many plies to go. */
export function setUpSteps(walk) {
  for (const [id, by] of Object.entries(STEPS)) byId(id).addEventListener("click", () => walk(by));
  document.addEventListener("keydown", event => {
    const id = KEYS[event.key];
    const isOthers = event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    if (!id || isOthers || event.target.closest(OTHERS)) return;
    event.preventDefault();
    walk(STEPS[id]);
  });
}

/** Shows which steps are possible after `ply` of `plies` plies. */
export function markSteps(ply, plies) {
  for (const id of ["first", "back"]) byId(id).disabled = ply === 0;
  for (const id of ["on", "last"]) byId(id).disabled = ply === plies;
}
