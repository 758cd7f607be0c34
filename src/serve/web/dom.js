// SPDX-License-Identifier: GPL-3.0-or-later
// Elements of the page.

const SVG = "http://www.w3.org/2000/svg";

/** The element of the page with this id. */
export const byId = id => document.getElementById(id);

/** A new element with attributes, listeners (`onclick`) and children; children that are null are left out. */
export function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for a part of a drawing. */
export function drawn(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value != null) node.setAttribute(name, value);
  }
  node.append(...children.filter(child => child != null));
  return node;
}

/** The options of a choice, as pairs of value and text. */
export function setOptions(select, options, chosen = select.value) {
  select.replaceChildren(...options.map(([value, text]) => element("option", { value }, text)));
  if (options.some(([value]) => value === chosen)) select.value = chosen;
}

/** A number with commas between thousands. */
export const thousands = number => number.toLocaleString("en");

/** The number that people write as 10k, 1M or 1e5; undefined if the text is none. */
export function count(text) {
  const [, digits, unit] = /^\s*([\d_,.]+(?:e\d+)?)\s*([kMG]?)\s*$/i.exec(text) ?? [];
  const factor = { "": 1, k: 1e3, m: 1e6, g: 1e9 }[unit?.toLowerCase()];
  const number = Math.round(Number(digits?.replace(/[_,]/g, "")) * factor);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}
