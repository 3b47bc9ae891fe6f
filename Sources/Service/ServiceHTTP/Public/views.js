// The views of the page and their addresses: #/today, #/history/week/2026-11-23, #/play/room/loch. Back and reload keep them,
// and a link to one can be sent.
import { $ } from "/common.js";

const links = [...document.querySelectorAll("#views a")];
const parts = [...document.querySelectorAll("main > .view")];
const shown = new Map();

/** The view on the screen, and the rest of its address. */
export const view = { name: "today", rest: [] };

/** Calls `show` with the rest of the address whenever a view is shown or its address changes. */
export function onView(name, show) { shown.set(name, [...(shown.get(name) ?? []), show]); }

/** Changes the address of the present view; Back leads to the former one. */
export function address(...rest) {
  view.rest = rest.map(String);
  const text = `#/${[view.name, ...view.rest].map(encodeURIComponent).join("/")}`;
  if (location.hash !== text) history.pushState(null, "", text);
}

function part(text) { try { return decodeURIComponent(text); } catch { return text; } }

function read() {
  const [name, ...rest] = location.hash.startsWith("#/") ? location.hash.slice(2).split("/").map(part) : [];
  const isNew = view.name !== name;
  view.name = links.some((link) => link.dataset.view === name) ? name : "today";
  view.rest = rest;
  document.body.dataset.view = view.name;
  for (const each of parts) each.hidden = each.dataset.view !== view.name;
  for (const link of links) {
    if (link.dataset.view === view.name) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
  }
  for (const show of shown.get(view.name) ?? []) show(rest);
  if (isNew && rest.length === 0) scrollTo(0, 0);
}

/** Shows the view of the address, now and whenever it changes. */
export function followAddress() {
  addEventListener("hashchange", read);
  addEventListener("popstate", read);
  // The fragment is an address, so the link to the figures moves the focus by itself.
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    $("main").focus();
    $("main").scrollIntoView();
  });
  read();
}
