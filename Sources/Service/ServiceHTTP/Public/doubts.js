// What a walker says of walks: their names and kinds; and "Was this a walk?": movement that was not counted, and walks that were none.
// A tap answers, and a tap takes the answer back.
import { t } from "/texts.js";
import { ask, clean, query } from "/common.js";
import { minutes, steps, timeOf, walksIn } from "/days.js";

/** The answers of which the steps count, as they are shown, and the one of which they do not. */
export const kinds = { walk: t("walk"), run: t("run"), hike: t("hike") };
export const none = "not a walk";
/** The other answers of the service. */
const others = {
  cycling: t("cycling"), driving: t("driving"), exercise: t("exercise"), housework: t("housework"), "something else": t("something else"),
};

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
    !reason && answer in kinds && Date.parse(start) < walk.end && Date.parse(walk.start) < Date.parse(end)),
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
  const answer = others[walk.answer] ?? clean(walk.answer);
  if (!walk.reason) return walk.answer === none ? t("not a walk. Its steps are left out.") : t("not a walk, but {answer}. Its steps are left out.", { answer });
  if (walk.answer === "walk") return t("counted as a walk, {steps}.", { steps: steps(walk.steps) });
  return walk.answer in kinds ? t("{kind}, counted: {steps}.", { kind: kinds[walk.answer], steps: steps(walk.steps) }) : t("{answer}, not counted.", { answer });
}

/**
 * Shows questions and answers in a section, which is hidden without any.
 * @param done is called after an answer, with the date of the walk.
 */
export function showDoubts(section, told, done) {
  const list = told.filter(({ reason, answer }) => reason || !(answer in kinds));
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
      const name = walk.name ? `${length(walk)}, ${clean(walk.name)}` : length(walk);
      const entry = made("li", { className: "answered" }, made("span", {}, head, " ", t("{name}: {text}", { name, text: verdict(walk) })), button(t("Undo"), null));
      entry.dataset.start = Date.parse(walk.start);
      return entry;
    }
    const answers = Object.entries({ ...kinds, ...others }).slice(1);
    const choice = made("select", {}, new Option(t("It was …"), ""), ...answers.map(([answer, text]) => new Option(text, answer)));
    choice.setAttribute("aria-label", `${t("It was")}, ${timeOf(walk.start)}`);
    choice.addEventListener("change", () => { if (choice.value) tell(choice.value); });
    const reason = t(walk.message);
    return made("li", {}, head, " ",
      t("{time}, about {steps} at {rate} a minute", { time: length(walk), steps: steps(walk.steps), rate: Math.round(60 * walk.cadence) }),
      made("div", { textContent: `${reason[0].toUpperCase()}${reason.slice(1)}` }),
      made("p", { className: "row" }, button(t("Count it"), "walk"), choice));
  });
  section.querySelector("ul").replaceChildren(...entries);
}
