// SPDX-License-Identifier: GPL-3.0-or-later
// The opponent's settings, and the editor of an extension table.

import { byId, count, element, setOptions } from "./dom.js";
import { ask } from "./server.js";

/** An editor of an extension table: tables to begin with, its rows, what they mean, and the way to a file. */
export class TableEditor {
  constructor(root, label, changed = () => {}) {
    this.changed = changed;
    this.presets = element("select", { "aria-label": `${label}: tables to begin with`, onchange: () => this.#take() });
    this.rows = element("textarea", {
      rows: 3, spellcheck: "false", "aria-label": `${label}: rows`, placeholder: "no rows: every move costs one ply",
      oninput: () => { this.presets.value = ""; this.#wait(); },
    });
    this.meaning = element("div", { class: "meaning", "aria-live": "polite" });
    this.save = element("button", { type: "button", onclick: () => this.#save() }, "Save as a file");
    root.replaceChildren(this.presets, this.rows, this.meaning, this.save);
  }

  /** Offers the tables of a game; begins with the one at `place`, or without any. */
  setGame(game, place = -1) {
    this.game = game;
    const tables = game.tables.map(({ name, line }) => [line, name]);
    setOptions(this.presets, [["", "my own rows"], ["none", "no table"], ...tables], tables[place]?.[0] ?? "none");
    this.#take();
  }

  get text() {
    return this.rows.value;
  }

  set text(rows) {
    const known = [...this.presets.options].find(({ value }) => value && value.replaceAll(" ", "\n") === rows);
    this.presets.value = known?.value ?? (rows ? "" : "none");
    this.rows.value = rows;
    this.check();
  }

  #take() {
    if (this.presets.value) this.rows.value = this.presets.value === "none" ? "" : this.presets.value.replaceAll(" ", "\n");
    this.check();
  }

  #wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), 300);
  }

  /** Asks the server what the rows mean. */
  async check() {
    const { game, text } = this;
    const isLatest = () => game === this.game && text === this.text;
    try {
      const table = await ask("/api/table", { game: game.name, table: text });
      // Others may have been asked about meanwhile.
      if (!isLatest()) return;
      this.table = table;
      const meaning = ({ feature, words, cost }) =>
        element("li", {}, element("b", {}, feature), ` costs ${cost}: ${words.join("; ")}`);
      this.meaning.replaceChildren(element("ul", {}, ...this.table.rows.map(meaning)));
      this.changed();
    } catch (error) {
      if (!isLatest()) return;
      this.table = null;
      this.meaning.replaceChildren(element("p", { class: "error" }, error.message));
    }
    this.save.disabled = !this.table;
    this.rows.ariaInvalid = !this.table;
  }

  #save() {
    const address = URL.createObjectURL(new Blob([this.table.file], { type: "application/toml" }));
    element("a", { href: address, download: `${this.game.name}-table.toml` }).click();
    URL.revokeObjectURL(address);
  }
}

/** Which mistakes a weak opponent makes: others after the page has been loaded again. */
const SEED = crypto.getRandomValues(new Uint32Array(1))[0];

/** The limits to begin with, by their unit. */
const LIMITS = { nodes: 200000, milliseconds: 1000, depth: 8 };

/** The fields that are kept with a game. */
const KEPT = ["elo", "openings", "profile", "evaluation", "limit", "limit-kind", "lines", "hash"];

/** The opponent: who plays, and how it searches. `changed` is called when another side is to be played, `set` when anything
 * else has been set. */
export class Opponent {
  constructor(changed, set) {
    this.table = new TableEditor(byId("opponent-table"), "The opponent's table", set);
    byId("human").addEventListener("change", () => {
      this.usual = byId("human").value;
      changed();
    });
    byId("opponent").addEventListener("change", set);
    byId("profile").addEventListener("change", () => this.#offerEvaluations());
    byId("limit-kind").addEventListener("change", () => { byId("limit").value = LIMITS[byId("limit-kind").value]; });
    byId("opponent").addEventListener("submit", event => event.preventDefault());
  }

  setGame(game) {
    this.game = game;
    const [first, second] = game.sides;
    setOptions(byId("human"), [[first, first], [second, second], ["both", "both sides"], ["none", "neither side"]], first);
    /** The side that the person has chosen to play. */
    this.usual = first;
    const levels = game.levels.map(({ elo, title }) => [String(elo), `${elo}: ${title}`]);
    setOptions(byId("elo"), [["", "full"], ...levels], "");
    byId("openings").value = "search";
    byId("openings-label").hidden = !game.book;
    this.#offerEvaluations();
    this.table.setGame(game);
  }

  /** The move that it plays from the book, often one that was played often and scored well; undefined if there is none. */
  known({ legal }) {
    if (byId("openings").value !== "book") return undefined;
    const moves = legal.filter(move => move.seen);
    let left = Math.random() * moves.reduce((sum, move) => sum + move.seen.weight, 0);
    return moves.find(move => (left -= move.seen.weight) < 0);
  }

  /** What was set, to be kept. */
  get settings() {
    return { usual: this.usual, table: this.table.text, ...Object.fromEntries(KEPT.map(id => [id, byId(id).value])) };
  }

  /** Sets what was kept, as far as it is still possible. */
  set settings({ usual, table, ...fields }) {
    const set = (id, value) => {
      const field = byId(id);
      const isPossible = field.options ? [...field.options].some(option => option.value === value) : typeof value === "string";
      if (isPossible) field.value = value;
      return isPossible;
    };
    if (set("human", usual)) this.usual = usual;
    if (set("profile", fields.profile)) this.#offerEvaluations();
    for (const id of KEPT) set(id, fields[id]);
    if (typeof table === "string" && table !== this.table.text) this.table.text = table;
  }

  #offerEvaluations() {
    const { evaluation } = this.game.searches.find(({ profile }) => profile === byId("profile").value);
    setOptions(byId("evaluation"), this.game.evaluations.map(name => [name, name]), evaluation);
    byId("evaluation").value = evaluation;
  }

  /** Whether a person makes the moves of this side. */
  isHuman(side) {
    const human = byId("human").value;
    return human === "both" || human === side;
  }

  /** The search as the server wants it. */
  get player() {
    const profile = byId("profile").value;
    return {
      profile,
      evaluation: byId("evaluation").value,
      table: this.table.text,
      hash: byId("hash").valueAsNumber || 16,
      elo: byId("elo").value ? Number(byId("elo").value) : null,
      seed: SEED,
      lines: profile === "full" ? byId("lines").valueAsNumber || 1 : 1,
    };
  }

  get limits() {
    const kind = byId("limit-kind").value;
    return { [kind]: count(byId("limit").value) ?? LIMITS[kind] };
  }

  get name() {
    const { profile, elo } = this.player;
    return `Halfply, ${profile} search${elo ? `, about ${elo} Elo` : ""}`;
  }
}
