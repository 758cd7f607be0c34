// SPDX-License-Identifier: GPL-3.0-or-later
// What the browser keeps: games and settings. Each tab has its own, and a new tab continues with what the last one had.

const PREFIX = "halfply-";

/** What was kept under this name, or an empty object. */
export function recall(name) {
  try {
    const text = sessionStorage.getItem(PREFIX + name) ?? localStorage.getItem(PREFIX + name);
    return JSON.parse(text) ?? {};
  } catch {
    // The browser keeps nothing, or another program has written this.
    return {};
  }
}

/** Keeps a value under this name. */
export function keep(name, value) {
  for (const storage of ["sessionStorage", "localStorage"]) {
    try {
      globalThis[storage].setItem(PREFIX + name, JSON.stringify(value));
    } catch {
      // The browser keeps nothing: the page works, until it is closed.
    }
  }
}
