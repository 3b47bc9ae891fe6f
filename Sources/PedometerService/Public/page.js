"use strict";
const steps = document.getElementById("steps");
const show = (line) => {
  if (line.type === "today") steps.textContent = String(line.steps);
};
new EventSource("/api/live").onmessage = (event) => show(JSON.parse(event.data));
