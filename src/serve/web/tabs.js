// SPDX-License-Identifier: GPL-3.0-or-later
// Tabs: one of several panels is shown. Arrow keys go from tab to tab.

import { byId } from "./dom.js";

/** Makes the tabs of a list work; `shown` is called with the id of each panel that appears. */
export function setUpTabs(list, shown) {
  const tabs = [...list.querySelectorAll("[role=tab]")];
  const select = tab => {
    for (const other of tabs) {
      other.setAttribute("aria-selected", other === tab);
      other.tabIndex = other === tab ? 0 : -1;
      byId(other.getAttribute("aria-controls")).hidden = other !== tab;
    }
    shown(tab.getAttribute("aria-controls"));
  };
  for (const [place, tab] of tabs.entries()) {
    tab.addEventListener("click", () => select(tab));
    tab.addEventListener("keydown", event => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = tabs[(place + step + tabs.length) % tabs.length];
      next.focus();
      select(next);
    });
  }
  select(tabs[0]);
}
