// SPDX-License-Identifier: GPL-3.0-or-later
// Opening a game: a file, a text that is pasted, or the address of the page. The server reads files and texts.

import { byId, setOptions } from "./dom.js";
import { ask } from "./server.js";

/** The most bytes of a file; the server has the same limit. */
const LARGEST = 1 << 20;

/** Makes the dialog work, and what is dropped or pasted anywhere else on the page. `present` tells which game the page shows,
 * and `opened` takes a game. */
export function setUpOpen(present, opened) {
  const [dialog, text, file, which, fault] =
    ["open-game", "open-text", "open-file", "open-which", "open-error"].map(byId);
  const forget = () => {
    which.parentElement.hidden = true;
    fault.textContent = "";
  };
  const read = async () => {
    fault.textContent = "";
    const [source] = file.files;
    const data = source ?? new Blob([text.value]);
    try {
      if (data.size > LARGEST) throw new Error("A file may have 1 MiB at most. Cut out the games that you want to see.");
      const isChosen = !which.parentElement.hidden;
      const asked = new URLSearchParams({ name: source?.name ?? "pasted text", game: present(), number: isChosen ? which.value : 1 });
      const game = await ask(`/api/open?${asked}`, data);
      if (game.count > 1 && !isChosen) {
        setOptions(which, game.titles.map((title, place) => [String(place + 1), `${place + 1}. ${title}`]), "1");
        which.parentElement.hidden = false;
        which.focus();
        return;
      }
      dialog.close();
      await opened(game);
    } catch (error) {
      fault.textContent = error.message;
    }
  };
  const show = (pasted = "", files = null) => {
    forget();
    text.value = pasted;
    file.value = "";
    if (files) file.files = files;
    if (!dialog.open) dialog.showModal();
    if (pasted || files) read();
  };
  byId("open").addEventListener("click", () => show());
  text.addEventListener("input", () => { forget(); file.value = ""; });
  file.addEventListener("change", () => { forget(); if (file.files.length > 0) read(); });
  byId("open-close").addEventListener("click", () => dialog.close());
  byId("open-form").addEventListener("submit", event => {
    event.preventDefault();
    read();
  });
  document.addEventListener("dragover", event => event.preventDefault());
  document.addEventListener("drop", event => {
    event.preventDefault();
    const { files } = event.dataTransfer;
    if (files.length > 0) show("", files);
  });
  document.addEventListener("paste", event => {
    if (event.target.closest("input, textarea, dialog")) return;
    const { files } = event.clipboardData;
    const pasted = event.clipboardData.getData("text");
    if (pasted.trim() || files.length > 0) show(pasted, files.length > 0 ? files : null);
  });
}

/** An address that restores a game at a position. */
export function addressOf({ game, start, moves, ply }) {
  const parts = new URLSearchParams({ game, ...(start && { start }), moves: moves.join(" "), ply });
  return `${location.origin}${location.pathname}#${parts}`;
}

/** The game that the address of the page has, or where it is in a run; null if it has none. It leaves the address, so that a reload
 * continues with what was played since. */
export async function takeFromAddress() {
  const parts = new URLSearchParams(location.hash.slice(1));
  if (!parts.has("game") && !parts.has("run")) return null;
  history.replaceState(null, "", location.pathname);
  if (parts.has("run")) return ask(`/api/runs/game?${parts}`);
  const moves = parts.get("moves")?.split(" ").filter(Boolean) ?? [];
  const ply = Number.parseInt(parts.get("ply"), 10);
  return { game: parts.get("game"), start: parts.get("start"), moves, ply: ply >= 0 ? ply : moves.length };
}
