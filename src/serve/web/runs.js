// SPDX-License-Identifier: GPL-3.0-or-later
// The runs under the server's folder: the list of all, or one of them while it grows.

import { byId, element } from "./dom.js";
import { Replay } from "./replay.js";
import { ask } from "./server.js";

/** Calls `hear` with what the server has to say about a run, or about all, now and whenever it changes. */
function watch(run, hear) {
  const source = new EventSource(`/api/runs/events${run ? `?run=${encodeURIComponent(run)}` : ""}`);
  source.onmessage = event => {
    byId("fault").textContent = "";
    hear(JSON.parse(event.data));
  };
  source.onerror = async () => {
    // The browser tries again by itself, unless the server has refused.
    if (source.readyState !== EventSource.CLOSED) {
      byId("fault").textContent = "The server does not answer. Is halfply still running?";
      return;
    }
    const answer = await fetch(source.url).catch(() => null);
    const reason = answer && !answer.ok ? (await answer.json()).error : "the server does not answer";
    byId("fault").textContent = run ? `${run}: ${reason}` : reason;
  };
}

/** How long ago a time in seconds is, in words. */
function ago(seconds) {
  const passed = Math.max(0, Date.now() / 1000 - seconds);
  const [size, unit] = [[86400, "day"], [3600, "hour"], [60, "minute"]].find(([size]) => passed >= size) ?? [1, "second"];
  if (size === 1) return "just now";
  const count = Math.floor(passed / size);
  return `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}

const stateOf = state => element("span", { class: `state ${state}` }, state);

/** The list of all runs. */
function showAll() {
  byId("all").hidden = false;
  let all = { runs: [], folder: "" };
  const draw = () => {
    const words = byId("find").value.toLowerCase().split(/\s+/).filter(Boolean);
    const text = run => [run.name, run.title, run.kind, run.game, run.state].join(" ").toLowerCase();
    const found = all.runs.filter(run => words.every(word => text(run).includes(word)));
    const more = all.is_cut ? " There are more; only the newest are listed." : "";
    byId("folder").textContent = `${found.length} of ${all.runs.length} runs in ${all.folder}.${more}`;
    byId("runs").replaceChildren(...found.map(run => element("li", {},
      element("a", { href: `/runs?run=${encodeURIComponent(run.name)}` },
        element("span", { class: "about" }, element("span", { class: "badge" }, run.kind), " ", stateOf(run.state),
          element("span", { class: "when" }, [run.game, ago(run.changed)].filter(Boolean).join(", "))),
        element("b", {}, run.title),
        run.headline ? element("span", { class: "found" }, run.headline) : null,
        run.name === run.title ? null : element("span", { class: "name" }, run.name)))));
    if (all.runs.length === 0) {
      byId("folder").textContent = `There are no runs in ${all.folder} yet. Tournaments, learning and experiments appear here as soon as they begin.`;
    }
  };
  byId("find").addEventListener("input", draw);
  watch(null, list => {
    all = list;
    draw();
  });
}

/** Puts a part's HTML in its card, and leaves cards alone that have not changed: their reader may be scrolling. */
function showParts(parts) {
  const root = byId("parts");
  const cards = new Map([...root.children].map(card => [card.dataset.title, card]));
  const wanted = parts.map(({ title, html }) => {
    const card = cards.get(title) ?? element("section", { class: "card part", "data-title": title },
      element("h2", {}, title), element("div", {}));
    if (card.html !== html) {
      card.html = html;
      card.lastChild.innerHTML = html;
    }
    return card;
  });
  if (wanted.length !== root.children.length || wanted.some((card, place) => root.children[place] !== card)) {
    root.replaceChildren(...wanted);
  }
}

/** Explains the atoms of a game. */
async function explainAtoms(name) {
  const game = (await ask("/api/games")).find(game => game.name === name);
  if (!game) return;
  byId("atoms").replaceChildren(...game.atoms.flatMap(({ name, description }) =>
    [element("dt", {}, name), element("dd", {}, description)]));
  byId("names").hidden = false;
}

/** One run. */
function showOne(name) {
  byId("one").hidden = false;
  let replay = null;
  let explained = null;
  watch(name, run => {
    if (["learn", "experiment"].includes(run.kind) && run.game !== explained) {
      explained = run.game;
      explainAtoms(run.game).catch(() => {});
    }
    document.title = `${run.title} – Halfply`;
    byId("kind").textContent = run.kind;
    byId("state").className = `state ${run.state}`;
    byId("state").textContent = run.state;
    byId("title").textContent = [run.game, run.title].filter(Boolean).join(": ");
    byId("headline").textContent = run.headline;
    byId("notes").replaceChildren(...run.notes.map(note => element("li", {}, note)));
    const path = name.split("/").map(encodeURIComponent).join("/");
    byId("files").replaceChildren(...run.files.map(file => element("a", { href: `/files/${path}/${file}` }, file)));
    byId("again").hidden = !run.command;
    byId("command").textContent = run.command ?? "";
    showParts(run.parts);
    if (run.games > 0) {
      byId("replay").hidden = false;
      replay ??= new Replay(name);
      replay.grow(run.games);
    }
  });
}

const run = new URLSearchParams(location.search).get("run");
if (run === null) showAll();
else showOne(run);
