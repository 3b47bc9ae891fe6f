// Caches the latest version of both pages for use without a network. Data of the service is not cached here: the live page keeps
// the figures that it showed last, and forgets them when it is logged out.
const shell = [
  "/", "/page.js", "/page.css", "/common.js", "/charts.js", "/views.js", "/days.js", "/today.js", "/history.js", "/play.js", "/loch.js",
  "/room.js", "/people.js", "/devices.js", "/reports.js", "/doubts.js", "/scene.json", "/icon.svg", "/page.webmanifest",
  "/phone", "/phone.js", "/walk-test.js", "/phone.webmanifest", "/texts.js", "/texts-de.json", "/texts-fr.json",
];
// Of the languages, those that this browser prefers; another is kept when it is chosen.
const isPreferred = (path) => {
  const [, language] = /^\/texts-(\w+)\.json$/.exec(path) ?? [];
  return !language || navigator.languages.some((tag) => tag.split("-")[0] === language);
};
const name = "phone";

self.addEventListener("install", (event) => {
  // A report is sent while its page is left: then it must not wait for the worker, which may be gone as well.
  event.addRoutes?.({ condition: { requestMethod: "POST" }, source: "network" })?.catch?.(() => {});
  event.waitUntil(caches.open(name).then((cache) => cache.addAll(shell.filter(isPreferred))).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== self.location.origin || !shell.includes(pathname)) return;
  event.respondWith((async () => {
    const cache = await caches.open(name);
    try {
      const answer = await fetch(event.request);
      if (answer.ok) await cache.put(pathname, answer.clone());
      return answer;
    } catch (error) {
      const kept = await cache.match(pathname);
      if (kept) return kept;
      throw error;
    }
  })());
});
