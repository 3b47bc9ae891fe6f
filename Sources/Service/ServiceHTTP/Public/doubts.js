// What a walker says of walks: their names and kinds; and "Was this a walk?": movement that was not counted, and walks that were none.
// A tap answers, and a tap takes the answer back.
import { ask, clean, query, whole } from "/common.js";
import { minutes, plural, steps, timeOf, walksIn } from "/days.js";

/** The answers of which the steps count, and the one of which they do not. */
export const kinds = ["walk", "run", "hike"];
export const none = "not a walk";
const others = ["cycling", "driving", "exercise", "housework", "something else"];

export const made = (tag, fields = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), fields);
  element.append(...children);
  return element;
};

/** The questions and answers of a period, newest first. */
export const loadDoubts = async (from, to) => (await (await ask(`/api/walks?${query({ from, to })}`)).json()).reverse();

/** Says what a walk was and how it is called; without both, takes that back. */
export const answerWalk = ({ start, end }, answer, name) =>
  ask("/api/walks", "PUT", { start, end: new Date(end).toISOString(), answer, name: name || undefined });

/** The walks among minutes, the latest first, with what was said of each. */
export const walksOf = (all, told) => walksIn(all).reverse().map((walk) => ({
  ...walk, said: told.find(({ start, end, answer, reason }) =>
    !reason && kinds.includes(answer) && Date.parse(start) < walk.end && Date.parse(walk.start) < Date.parse(end)),
}));

/** The kinds of walks that were deleted on this page, by their starts: Undo brings them back. */
const deleted = new Map();

/** Leaves the steps of a walk out. */
export async function deleteWalk(walk) {
  deleted.set(Date.parse(walk.start), walk.said?.answer);
  await answerWalk(walk, none, walk.said?.name);
}

const undo = (walk) =>
  answerWalk(walk, walk.reason ? null : deleted.get(Date.parse(walk.start)) ?? (walk.name ? "walk" : null), walk.name);

const length = ({ start, end }) => minutes((Date.parse(end) - Date.parse(start)) / 1000);

function verdict(walk) {
  if (!walk.reason) return `not a walk${walk.answer === none ? "" : `, but ${clean(walk.answer)}`}. Its steps are left out.`;
  return kinds.includes(walk.answer) ? `counted as a ${walk.answer}, ${steps(walk.steps)}.` : `${clean(walk.answer)}, not counted.`;
}

/**
 * Shows questions and answers in a section, which is hidden without any.
 * @param done is called after an answer, with the date of the walk.
 */
export function showDoubts(section, told, done) {
  const list = told.filter(({ reason, answer }) => reason || !kinds.includes(answer));
  section.hidden = list.length === 0;
  const text = JSON.stringify(list);
  // Nobody's choice is drawn over while nothing has changed.
  if (section.dataset.told === text) return;
  section.dataset.told = text;
  const error = section.querySelector(".error");
  const entries = list.map((walk) => {
    const tell = async (answer) => {
      error.textContent = "";
      try {
        await (answer === null ? undo(walk) : answerWalk(walk, answer));
        await done(walk.start.slice(0, 10));
      } catch (reason) { error.textContent = reason.message; }
    };
    const button = (text, answer, name = text) => {
      const made = Object.assign(document.createElement("button"), { type: "button", textContent: text });
      made.setAttribute("aria-label", `${name}, ${timeOf(walk.start)}`);
      made.addEventListener("click", () => tell(answer));
      return made;
    };
    const head = made("strong", { textContent: timeOf(walk.start) });
    if (walk.answer) {
      const called = walk.name ? `, ${clean(walk.name)}` : "";
      const entry = made("li", { className: "answered" }, made("span", {}, head, ` ${length(walk)}${called}: ${verdict(walk)}`), button("Undo", null));
      entry.dataset.start = Date.parse(walk.start);
      return entry;
    }
    const choice = made("select", {}, new Option("It was …", ""), ...[...kinds.slice(1), ...others].map((each) => new Option(each, each)));
    choice.setAttribute("aria-label", `It was, ${timeOf(walk.start)}`);
    choice.addEventListener("change", () => { if (choice.value) tell(choice.value); });
    return made("li", {}, head, ` ${length(walk)}, about ${plural(walk.steps, "step", "steps")} at ${whole.format(Math.round(60 * walk.cadence))} a minute`,
      made("div", { textContent: `${walk.message[0].toUpperCase()}${walk.message.slice(1)}` }),
      made("p", { className: "row" }, button("Count it", "walk"), choice));
  });
  section.querySelector("ul").replaceChildren(...entries);
}
