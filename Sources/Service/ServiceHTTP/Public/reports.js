// Reports to this service which parts of the page were viewed and for how long. Off by default; the setting is stored in the
// browser.
import { t } from "/texts.js";
import { $, uuid } from "/common.js";

const screens = { today: "todayShown", day: "historyShown", chase: "chaseShown", room: "roomShown", sources: "devicesShown" };
const key = "reports";
const since = new Map();

const isOn = () => { try { return localStorage.getItem(key) === "on"; } catch { return false; } };

async function send(name, duration) {
  const report = {
    id: uuid(), name, type: "screenView", recordedDate: new Date().toISOString(), duration,
    device: "browser", os: navigator.platform || "unknown", appVersion: document.documentElement.dataset.version,
  };
  try {
    const answer = await fetch("/api/analytics", {
      method: "POST", keepalive: true, credentials: "same-origin", headers: { "Content-Type": "application/json" },
      body: JSON.stringify(report),
    });
    if (answer.status === 401 || answer.status === 403) {
      $("reports-note").textContent = t("This service accepts reports only if it was started with a token.");
    }
  } catch { /* errors of reports are ignored */ }
}

function leave(name) {
  const start = since.get(name);
  since.delete(name);
  if (start === undefined || !isOn()) return;
  const duration = (performance.now() - start) / 1000;
  // Scrolling past does not count as a view.
  if (duration >= 1) send(name, Math.round(duration * 1000) / 1000);
}

/** Watches which sections are on the screen. */
export function watchScreens() {
  const box = $("reports");
  box.checked = isOn();
  box.addEventListener("change", () => {
    try { localStorage.setItem(key, box.checked ? "on" : "off"); } catch { box.checked = false; }
    for (const name of since.keys()) since.set(name, performance.now());
    $("reports-note").textContent = "";
  });
  const observer = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      const name = screens[entry.target.id];
      if (entry.isIntersecting && !document.hidden) {
        if (!since.has(name)) since.set(name, performance.now());
      } else {
        leave(name);
      }
    }
  }, { threshold: 0.3 });
  for (const id of Object.keys(screens)) observer.observe($(id));
  const leaveAll = () => { for (const name of [...since.keys()]) leave(name); };
  document.addEventListener("visibilitychange", () => { if (document.hidden) leaveAll(); });
  window.addEventListener("pagehide", leaveAll);
}
