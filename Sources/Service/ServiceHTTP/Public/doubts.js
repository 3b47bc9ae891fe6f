// "Was this a walk?": movement that was not counted, and walks that were none. A tap answers, and a tap takes the answer back.
import { t } from "/texts.js";
import { ask, clean, query } from "/common.js";
import { minutes, steps, timeOf } from "/days.js";

/** The answers of the service, but for "walk" and "not a walk". */
const others = {
  cycling: t("cycling"), driving: t("driving"), exercise: t("exercise"), housework: t("housework"), "something else": t("something else"),
};

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
  const answer = others[walk.answer] ?? clean(walk.answer);
  if (walk.reason) return walk.answer === "walk" ? t("counted as a walk, {steps}.", { steps: steps(walk.steps) }) : t("{answer}, not counted.", { answer });
  return walk.answer === "not a walk" ? t("not a walk. Its steps are left out.") : t("not a walk, but {answer}. Its steps are left out.", { answer });
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
      return made("li", { className: "answered" }, made("span", {}, head, " ", t("{name}: {text}", { name: length(walk), text: verdict(walk) })), button(t("Undo"), null));
    }
    const choice = made("select", {}, new Option(t("It was …"), ""), ...Object.entries(others).map(([answer, text]) => new Option(text, answer)));
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
