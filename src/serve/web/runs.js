// SPDX-License-Identifier: GPL-3.0-or-later
// The runs under the server's folder: the list of all, or one of them while it grows.

import { byId, element } from "./dom.js";
import { Replay } from "./replay.js";
import { refusalOf } from "./server.js";

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
    const reason = answer && !answer.ok ? (await refusalOf(answer)).message : "the server does not answer";
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

/** The addresses of a run's files begin so. */
const filesOf = name => `/files/${name.split("/").map(encodeURIComponent).join("/")}/`;

/** The report in a frame, which has its own style and no scripts. A newer one takes its place without a flicker. */
class Report {
  constructor(frame) {
    this.frame = frame;
    this.address = null;
    const fit = new ResizeObserver(([{ target }]) => { frame.style.height = `${Math.ceil(target.getBoundingClientRect().height)}px`; });
    frame.addEventListener("load", () => {
      const page = frame.contentDocument?.documentElement;
      if (!page || !frame.src) return;
      this.isLoaded = true;
      this.#finish();
      fit.observe(page);
    });
  }

  async show(address) {
    this.wanted = address;
    if (this.isAsking) return;
    this.isAsking = true;
    try {
      // A newer one may have come meanwhile.
      while (this.address !== this.wanted) {
        const { wanted } = this;
        await this.#load(wanted);
        this.address = wanted;
      }
      byId("notes").replaceChildren();
    } catch (error) {
      byId("notes").replaceChildren(element("li", {}, error.message));
    } finally {
      this.isAsking = false;
    }
  }

  async #load(address) {
    const answer = await fetch(address);
    if (!answer.ok) throw await refusalOf(answer);
    const text = await answer.text();
    if (this.isLoaded) {
      this.#replace(text);
      return;
    }
    const loaded = new Promise(resolve => this.frame.addEventListener("load", resolve, { once: true }));
    this.frame.hidden = false;
    this.frame.src = address;
    await loaded;
  }

  #replace(text) {
    const page = this.frame.contentDocument;
    // Its style is there already.
    const newer = new DOMParser().parseFromString(text.slice(text.indexOf("<body>")), "text/html");
    // What the reader has opened or closed stays so, though its figures change.
    const named = document => [...document.querySelectorAll("section")].flatMap((section, number) =>
      [...section.querySelectorAll("details")].map((details, place) =>
        [`${number} ${details.querySelector(":scope > summary b")?.textContent ?? place}`, details]));
    const before = new Map(named(page));
    for (const [name, details] of named(newer)) details.open = before.get(name)?.open ?? details.open;
    page.body.replaceWith(newer.body);
    this.#finish();
  }

  /** Links to other files leave the frame. */
  #finish() {
    for (const link of this.frame.contentDocument.querySelectorAll("a:not([href^='#'])")) link.target = "_top";
  }
}

/** One run. */
function showOne(name) {
  byId("one").hidden = false;
  const report = new Report(byId("report"));
  let replay = null;
  watch(name, run => {
    document.title = `${run.title} – Halfply`;
    byId("kind").textContent = run.kind;
    byId("state").className = `state ${run.state}`;
    byId("state").textContent = run.state;
    byId("title").textContent = [run.game, run.title].filter(Boolean).join(": ");
    byId("headline").textContent = run.headline;
    byId("files").replaceChildren(...run.files.map(file => element("a", { href: filesOf(name) + encodeURIComponent(file) }, file)));
    byId("again").hidden = !run.command;
    byId("command").textContent = run.command ?? "";
    if (run.version !== null) {
      report.show(run.report ? `${filesOf(name)}${run.report}?v=${run.version}`
        : `/api/runs/report?run=${encodeURIComponent(name)}&v=${run.version}`);
    }
    if (run.journal > 0) {
      replay ??= new Replay(name);
      replay.grow(run.journal, JSON.stringify(run.process));
    }
  });
}

const run = new URLSearchParams(location.search).get("run");
if (run === null) showAll();
else showOne(run);
