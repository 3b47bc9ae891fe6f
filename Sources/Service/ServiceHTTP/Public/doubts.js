// "Was this a walk?": movement that was not counted, and walks that were none. A tap answers, and a tap takes the answer back.
import { ask, clean, query, whole } from "/common.js";
import { minutes, plural, steps, timeOf } from "/days.js";

const others = ["cycling", "driving", "exercise", "housework", "something else"];

const made = (tag, fields = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), fields);
  element.append(...children);
  return element;
};

/** The questions and answers of a period, newest first. */
export const loadDoubts = async (from, to) => (await (await ask(`/api/walks?${query({ from, to })}`)).json()).reverse();

/** Says what a walk was; `null` takes that back. */
export const answerWalk = ({ start, end }, answer) => ask("/api/walks", "PUT", { start, end: new Date(end).toISOString(), answer });

const length = ({ start, end }) => minutes((Date.parse(end) - Date.parse(start)) / 1000);

function verdict(walk) {
  if (!walk.reason) return `not a walk${walk.answer === "not a walk" ? "" : `, but ${clean(walk.answer)}`}. Its steps are left out.`;
  return walk.answer === "walk" ? `counted as a walk, ${steps(walk.steps)}.` : `${clean(walk.answer)}, not counted.`;
}

/**
 * Shows questions and answers in a section, which is hidden without any.
 * @param done is called after an answer, with the date of the walk.
 */
export function showDoubts(section, list, done) {
  section.hidden = list.length === 0;
  const told = JSON.stringify(list);
  // Nobody's choice is drawn over while nothing has changed.
  if (section.dataset.told === told) return;
  section.dataset.told = told;
  const error = section.querySelector(".error");
  const entries = list.map((walk) => {
    const tell = async (answer) => {
      error.textContent = "";
      try {
        await answerWalk(walk, answer);
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
      return made("li", { className: "answered" }, made("span", {}, head, ` ${length(walk)}: ${verdict(walk)}`), button("Undo", null));
    }
    const choice = made("select", {}, new Option("It was …", ""), ...others.map((each) => new Option(each, each)));
    choice.setAttribute("aria-label", `It was, ${timeOf(walk.start)}`);
    choice.addEventListener("change", () => { if (choice.value) tell(choice.value); });
    return made("li", {}, head, ` ${length(walk)}, about ${plural(walk.steps, "step", "steps")} at ${whole.format(Math.round(60 * walk.cadence))} a minute`,
      made("div", { textContent: `${walk.message[0].toUpperCase()}${walk.message.slice(1)}` }),
      made("p", { className: "row" }, button("Count it", "walk"), choice));
  });
  section.querySelector("ul").replaceChildren(...entries);
}
