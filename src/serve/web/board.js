// SPDX-License-Identifier: GPL-3.0-or-later
// The board: shows a position, and asks for a move by mouse, touch and keyboard.

import { drawn, element } from "./dom.js";

const ARROWS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** The letter of a piece in a FEN. */
export function letterOf({ kinds }, kind, isFirst) {
  const letter = kinds.length === 1 ? "p" : kind === "knight" ? "n" : kind[0];
  return isFirst ? letter.toUpperCase() : letter;
}

/** The picture of a piece. */
export function pictureOf(side, kind) {
  const use = drawn("use", { href: `/pieces.svg#${side}-${kind}` });
  return drawn("svg", { class: "piece", viewBox: "0 0 45 45", "aria-hidden": "true" }, use);
}

export class Board {
  /** A board in this element; `chosen` is called with all legal moves that the player may have meant: more than one if
   * a pawn can promote to several pieces. */
  constructor(root, chosen) {
    this.root = root;
    this.chosen = chosen;
    this.flipped = false;
    this.selected = null;
    this.squares = new Map();
    /** Whether the focus was brought here by keys. After a click, arrow keys walk the game and not the board. */
    this.keys = true;
    root.addEventListener("keydown", event => this.#key(event));
    root.addEventListener("pointerdown", event => {
      this.keys = false;
      this.#drawMark(event);
      this.#grab(event);
    });
    root.addEventListener("contextmenu", event => event.preventDefault());
    document.addEventListener("keydown", event => { this.keys ||= ["Tab", "Enter", " "].includes(event.key); });
  }

  /** Shows a position of a game; its moves can be made if `playable`. */
  show(position, game, playable) {
    this.position = position;
    this.game = game;
    this.legal = playable ? position.legal : [];
    this.selected = null;
    this.arrows = [];
    this.threat = null;
    this.marks = [];
    this.draw();
  }

  flip() {
    this.flipped = !this.flipped;
    this.draw();
  }

  /** Draws arrows along moves, the best one first, instead of those before; those that are null are left out. */
  point(...moves) {
    this.arrows = moves.filter(Boolean);
    this.threat = null;
    this.#drawArrows();
  }

  /** Draws an arrow along a move that the opponent would make, instead of those before. */
  threaten(move) {
    this.point();
    this.threat = move;
    this.#drawArrows();
  }

  #drawArrows() {
    this.root.querySelector(".arrows")?.replaceWith(this.#arrows());
  }

  draw() {
    const focused = this.root.contains(document.activeElement) ? document.activeElement.dataset.square : null;
    const { rows, ranks, played } = this.position;
    const order = list => (this.flipped ? [...list].reverse() : [...list]);
    const last = played.at(-1);
    this.squares.clear();
    this.rows = order(rows.keys()).map(row => order(Array(rows[row].length).keys()).map(column => {
      const name = "abcdefghijklmnopqrstuvwxyz"[column] + (rows.length - row);
      const label = name[0] + ranks[row];
      const square = this.#square(name, label, rows[row][column], (row + column) % 2 === 0, last);
      this.squares.set(name, square);
      return square;
    }));
    const files = order("abcdefghijklmnopqrstuvwxyz".slice(0, rows[0].length));
    for (const [place, square] of this.rows.at(-1).entries()) square.dataset.file = files[place];
    for (const [place, label] of order(ranks).entries()) this.rows[place][0].dataset.rank = label;
    this.root.style.setProperty("--columns", rows[0].length);
    // Discs lie on a plain board with lines.
    this.root.classList.toggle("plain", this.game.kinds.includes("disc"));
    this.root.replaceChildren(
      ...this.rows.map(squares => element("div", { role: "row", class: "row-of-squares" }, ...squares)),
      this.#arrows(),
    );
    const first = this.squares.get(focused) ?? this.squares.get(this.legal[0]?.from ?? this.legal[0]?.to);
    (first ?? this.rows[0][0]).tabIndex = 0;
    if (focused) this.squares.get(focused)?.focus();
    this.#mark();
  }

  /** A square; `label` is what people call it, which differs from its name in games whose rows are counted from the top. */
  #square(name, label, letter, light, last) {
    const piece = this.#piece(letter);
    return element("button", {
      role: "gridcell", type: "button", tabindex: -1, "data-square": name,
      "data-name": `${label}, ${piece ? piece.name : "empty"}`,
      class: `square ${light ? "light" : "dark"}${last && (last.from === name || last.to === name) ? " last" : ""}`,
      onclick: () => this.#click(name),
      onfocus: event => {
        for (const square of this.squares.values()) square.tabIndex = -1;
        event.target.tabIndex = 0;
      },
    }, piece?.picture);
  }

  /** The picture and name of a piece, from its letter. */
  #piece(letter) {
    if (letter === ".") return null;
    const { kinds, sides } = this.game;
    const isFirst = letter === letter.toUpperCase();
    const side = sides[isFirst ? 0 : 1];
    const kind = kinds.find(kind => letterOf(this.game, kind, isFirst) === letter);
    return { name: `${side} ${kind}`, picture: pictureOf(side, kind) };
  }

  /** Shows which piece is selected, and where it can go. */
  #mark() {
    const from = move => move.from ?? move.to;
    for (const [name, square] of this.squares) {
      const isTarget = this.legal.some(move => move.to === name && (move.from === this.selected || !move.from));
      const isSource = this.legal.some(move => from(move) === name);
      square.classList.toggle("selected", name === this.selected);
      square.classList.toggle("target", isTarget);
      square.classList.toggle("source", isSource);
      square.ariaSelected = name === this.selected;
      const says = name === this.selected ? ", selected" : isTarget ? ", can move here" : isSource ? ", can move" : "";
      square.ariaLabel = square.dataset.name + says;
    }
  }

  #click(name) {
    const moves = this.legal.filter(move => move.to === name && (!move.from || move.from === this.selected));
    if (moves.length > 0) {
      this.selected = null;
      this.chosen(moves);
      return;
    }
    const canMove = this.legal.some(move => move.from === name);
    this.selected = canMove && this.selected !== name ? name : null;
    this.#mark();
  }

  #key(event) {
    const [rows, columns] = ARROWS[event.key] ?? [];
    if (event.key === "Escape") {
      this.selected = null;
      this.#mark();
    }
    if (rows === undefined || !this.keys) return;
    const row = this.rows.findIndex(squares => squares.includes(event.target));
    const column = this.rows[row]?.indexOf(event.target);
    this.rows[row + rows]?.[column + columns]?.focus();
    event.preventDefault();
  }

  /** A mouse can drag a piece; a finger would scroll the page, and taps twice instead. */
  #grab(event) {
    const square = event.target.closest("[data-square]");
    const piece = square?.querySelector(".piece");
    const from = square?.dataset.square;
    if (event.pointerType !== "mouse" || event.button !== 0 || !piece || !this.legal.some(move => move.from === from)) return;
    event.preventDefault();
    square.focus();
    let moved = false;
    const drag = ({ clientX, clientY }) => {
      const [x, y] = [clientX - event.clientX, clientY - event.clientY];
      if (!moved && Math.hypot(x, y) < 5) return;
      if (!moved && this.selected !== from) this.#click(from);
      moved = true;
      piece.classList.add("dragged");
      piece.style.transform = `translate(${x}px, ${y}px)`;
    };
    const drop = ({ clientX, clientY }) => {
      removeEventListener("pointermove", drag);
      piece.classList.remove("dragged");
      piece.style.transform = "";
      if (!moved) return;
      const to = document.elementFromPoint(clientX, clientY)?.closest("[data-square]")?.dataset.square;
      // A piece put back stays selected. Elsewhere, the click that follows is on the board itself.
      if (to && to !== from && this.root.contains(this.squares.get(to))) this.#click(to);
    };
    addEventListener("pointermove", drag);
    addEventListener("pointerup", drop, { once: true });
  }

  /** The right button of a mouse draws arrows, and circles on one square; drawn again, they are removed. The left one removes
   * all. */
  #drawMark(event) {
    const from = event.target.closest("[data-square]")?.dataset.square;
    if (event.button === 0 && this.marks.length > 0) {
      this.marks = [];
      this.#drawArrows();
    }
    if (event.button !== 2 || !from) return;
    addEventListener("pointerup", ({ clientX, clientY }) => {
      const to = document.elementFromPoint(clientX, clientY)?.closest("[data-square]")?.dataset.square;
      if (!this.squares.has(to)) return;
      const mark = { from: to === from ? null : from, to };
      const others = this.marks.filter(other => other.from !== mark.from || other.to !== mark.to);
      this.marks = others.length < this.marks.length ? others : [...others, mark];
      this.#drawArrows();
    }, { once: true });
  }

  /** The drawing above the squares. */
  #arrows() {
    const size = `0 0 ${this.rows[0].length} ${this.rows.length}`;
    return drawn("svg", { class: "arrows", viewBox: size, "aria-hidden": "true" },
      ...this.arrows.map((move, place) => this.#arrow(move, place === 0 ? "best" : "further")).reverse(),
      this.threat && this.#arrow(this.threat, "threat"),
      ...this.marks.map(mark => this.#arrow(mark, "own")));
  }

  /** An arrow along a move, or a circle around the only square of one. */
  #arrow({ from, to }, kind) {
    const center = name => {
      const row = this.rows.findIndex(squares => squares.includes(this.squares.get(name)));
      return [this.rows[row]?.indexOf(this.squares.get(name)) + 0.5, row + 0.5];
    };
    // A pass has no square.
    if (!to) return null;
    const [x, y] = center(to);
    if (!from) return drawn("circle", { class: kind, cx: x, cy: y, r: 0.4 });
    const [fromX, fromY] = center(from);
    const length = Math.hypot(x - fromX, y - fromY);
    const [alongX, alongY] = [(x - fromX) / length, (y - fromY) / length];
    const [neckX, neckY] = [x - 0.38 * alongX, y - 0.38 * alongY];
    const side = 0.19;
    const head = [[x, y], [neckX - side * alongY, neckY + side * alongX], [neckX + side * alongY, neckY - side * alongX]];
    return drawn("g", { class: kind },
      drawn("line", { x1: fromX, y1: fromY, x2: neckX, y2: neckY }),
      drawn("polygon", { points: head.map(point => point.join(",")).join(" ") }));
  }
}
