// The texts of the pages in the reader's language. The English text in the source is the key: t("Copy"), or with fields
// t("{n} step|{n} steps", { n }), where `n` chooses the form. Another language is a file of translations, which is loaded before
// anything is shown; what it lacks is shown in English.

/** The languages that there are texts in, as they call themselves. */
export const languages = { en: "English", de: "Deutsch", fr: "Français" };

const chosen = (() => { try { return localStorage.getItem("language"); } catch { return null; } })();
const plain = (tag) => tag.split("-")[0];
const own = navigator.language || "en";

/** The one that the reader chose, or the first that the browser prefers. */
export const language = [chosen, ...(navigator.languages ?? [own]).map(plain)].find((each) => Object.hasOwn(languages, each)) ?? "en";

/** Keeps another language in this browser, and shows the page in it. */
export function choose(other) {
  try { localStorage.setItem("language", other); } catch { /* no storage: the browser's language stays */ }
  location.reload();
}

/** How dates and hours are written: as in the language of the page where the reader is. */
export const words = plain(own) === language ? own : language === "en" ? "en-GB" : language;
/** How numbers are written. Who reads English only because there is nothing else keeps the numbers of the browser. */
export const locale = language === "en" && chosen !== "en" ? own : words;
// Some locales leave a space where others have a comma; four digits are grouped, too.
export const whole = new Intl.NumberFormat(locale, { useGrouping: "always", maximumFractionDigits: 0 });

const rules = new Intl.PluralRules(language);
let texts = new Map();

/** The text with its places for fields. */
function form(key, n) {
  const found = texts.get(key);
  if (typeof found === "string") return found;
  if (found) return found[rules.select(n)] ?? found.other;
  const [one, other = one] = key.split("|");
  return n === 1 ? one : other;
}

/** A text as a list of strings and of elements, for fields that are elements. Numbers are written as the reader writes them. */
export function parts(key, fields = {}) {
  return form(key, fields.n).split(/\{(\w+)\}/).flatMap((part, index) => {
    const field = index % 2 === 0 ? part : fields[part] ?? `{${part}}`;
    return typeof field === "number" ? whole.format(field) : field;
  });
}
export const t = (key, fields) => parts(key, fields).join("");

/**
 * Translates what stands in the markup. Within an element, everything from its first to its last text is one text, in which the
 * elements are {1}, {2} and so on: a sentence stays whole around a link.
 */
function translate(element) {
  for (const name of ["aria-label", "alt", "placeholder"]) {
    if (element.hasAttribute(name)) element.setAttribute(name, t(element.getAttribute(name)));
  }
  for (const child of element.children) translate(child);
  const nodes = [...element.childNodes];
  const isText = (node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== "";
  const inside = nodes.slice(nodes.findIndex(isText), nodes.findLastIndex(isText) + 1);
  const elements = inside.filter((node) => node.nodeType === Node.ELEMENT_NODE);
  const text = inside.map((node) => (elements.includes(node) ? `{${elements.indexOf(node) + 1}}` : node.data)).join("");
  const key = text.trim().replace(/\s+/g, " ");
  if (!texts.has(key)) return;
  const [, before, after] = /^(\s*).*?(\s*)$/s.exec(text);
  inside[0].before(before, ...parts(key, Object.fromEntries(elements.map((each, index) => [index + 1, each]))), after);
  for (const node of inside) if (!elements.includes(node)) node.remove();
  element.normalize();
}

if (language !== "en") {
  // Nothing is painted in English first.
  document.documentElement.classList.add("translating");
  try {
    const answer = await fetch(`/texts-${language}.json`);
    if (answer.ok) texts = new Map(Object.entries(await answer.json()));
  } catch { /* no network, and not kept: in English */ }
  if (texts.size > 0) {
    document.documentElement.lang = language;
    translate(document.documentElement);
  }
  document.documentElement.classList.remove("translating");
}
