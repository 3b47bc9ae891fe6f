// What the figures are called. No imports, so that any JavaScript can run it.

/** The page's address, unless the service names another one. */
const USUAL_PAGE = "http://127.0.0.1:8080/";

/**
 * The texts of the indicator and its menu.
 *
 * @param {{isRunning: boolean, figures: ?object, refusal: ?string}} state from PedometerService
 * @param {string} [locale] of numbers; by default the user's
 * @returns {{
 *   panel: string, title: string, lines: string[], share: ?number, isWalking: boolean, problem: string, help: string,
 *   command: string, page: ?string, accessible: string
 * }} `share` is the part of the goal that is walked, or null without a goal; `command` is what to run in a terminal; what is not
 * there is empty or null
 */
export function wording(state, locale) {
  const nothing = {
    panel: "", title: "", lines: [], share: null, isWalking: false, problem: "", help: "", command: "", page: null,
  };
  const named = texts => ({
    ...nothing, ...texts,
    accessible: ["Pedometer", texts.title, ...texts.lines ?? [], texts.problem ?? ""].filter(text => text).join(", "),
  });
  if (!state.isRunning) {
    return named({
      title: "The service is not running",
      help: "Start it now and at each login, in a terminal:",
      command: "systemctl --user enable --now pedometerd",
    });
  }
  if (state.refusal === "denied") {
    return named({
      title: "You may not read the steps",
      help: "The service of this machine shows them to the group pedometer. Join it in a terminal, and log in again:",
      command: 'sudo usermod --append --groups pedometer "$USER"',
    });
  }
  if (state.refusal) return named({title: "The steps cannot be read", problem: sentence(state.refusal)});
  if (!state.figures || Object.keys(state.figures).length === 0) return named({title: "The service is starting"});

  const {StepsToday: steps, DistanceToday: metres, Goal: goal, Cadence: cadence, Walking: isWalking} = state.figures;
  const {Problem, Page} = state.figures;
  const number = (value, digits = 0) => new Intl.NumberFormat(locale, {maximumFractionDigits: digits}).format(value);
  // A percentage that is rounded up to 100 would end a goal early.
  const share = steps !== undefined && goal > 0 ? steps / goal : null;
  const percent = share === null ? "" : new Intl.NumberFormat(locale, {style: "percent"}).format(Math.floor(share * 100) / 100);
  const lines = [];
  if (share >= 1) lines.push(`Goal of ${number(goal)} reached (${percent})`);
  else if (share !== null) lines.push(`${percent} of the goal of ${number(goal)}`);
  if (metres !== undefined) lines.push(metres < 1000 ? `${number(metres)} m` : `${number(metres / 1000, 2)} km`);
  if (isWalking !== undefined) lines.push(isWalking ? `Walking, ${number(cadence)} steps a minute` : "Not walking");
  return named({
    panel: steps === undefined ? "" : number(steps),
    title: steps === undefined ? "Steps unknown" : steps === 1 ? "1 step today" : `${number(steps)} steps today`,
    lines, share, isWalking: isWalking === true, problem: sentence(Problem ?? ""), page: Page || USUAL_PAGE,
  });
}

/** With a capital letter, unless it begins with the name of a source. */
function sentence(text) {
  return /^[a-z]+:/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}
