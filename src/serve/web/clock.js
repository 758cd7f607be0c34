// SPDX-License-Identifier: GPL-3.0-or-later
// The clocks of a game. That of the side to move runs from the first move on. Taking back gives no time back, and a move at an
// earlier position ends the clocks: it is no game any more.

import { byId } from "./dom.js";
import { state } from "./state.js";

/** Milliseconds between two looks at the clock. */
const TICK = 100;

/** Below so many milliseconds tenths of a second are shown. */
const SHORT = 10_000;

/** Clocks of a time control such as `300+3`: seconds for all moves, and more for each. None for an empty text. */
export function clocksOf(control) {
  const [base, increment] = control.split("+").map(seconds => 1000 * seconds);
  return control ? { control, left: [base, base], increment, lost: null } : null;
}

/** The place of the side that has lost on time; null for none. */
export const lost = () => state.clock?.lost ?? null;

export class Clock {
  /** `flag` is called when a side has used up its time. */
  constructor(flag) {
    this.flag = flag;
    this.since = null;
    setInterval(() => this.#tick(), TICK);
  }

  /** Runs for the side to move, which is 0 or 1, if the game is being played. */
  run(mover, isPlayed) {
    this.pause();
    this.mover = mover;
    if (state.clock && lost() === null && isPlayed) this.since = performance.now();
  }

  /** Stops until it runs again. */
  pause() {
    if (this.since !== null && state.clock) state.clock.left[this.mover] = this.#left(this.mover);
    this.since = null;
  }

  /** Ends the turn of the side to move. */
  press() {
    if (this.since === null) return;
    this.pause();
    state.clock.left[this.mover] += state.clock.increment;
  }

  /** What the side to move has, as a search wants it; undefined without clocks. */
  limits() {
    return state.clock ? { clock: { left: Math.max(1, Math.round(this.#left(this.mover))), increment: state.clock.increment } } : undefined;
  }

  /** Shows both clocks, that of the second player above unless the board is flipped. */
  show(flipped) {
    this.flipped = flipped;
    for (const [place, id] of ["clock-below", "clock-above"].entries()) {
      const side = flipped ? 1 - place : place;
      byId(id).hidden = !state.clock;
      if (!state.clock) continue;
      byId(id).textContent = textOf(this.#left(side));
      byId(id).classList.toggle("running", this.since !== null && side === this.mover);
    }
  }

  #left(side) {
    const used = this.since !== null && side === this.mover ? performance.now() - this.since : 0;
    return Math.max(0, state.clock.left[side] - used);
  }

  #tick() {
    if (this.since === null || !state.clock) return;
    if (this.#left(this.mover) === 0) {
      this.pause();
      state.clock.lost = this.mover;
      this.flag();
    }
    this.show(this.flipped);
  }
}

/** `4:07`, or `9.3` for the last seconds. */
function textOf(milliseconds) {
  if (milliseconds < SHORT) return (milliseconds / 1000).toFixed(1);
  const seconds = Math.floor(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
