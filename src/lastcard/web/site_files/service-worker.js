/**
 * Keeps the site for use without a network: `lastcard site` fills in the version and the files.
 *
 * All files are fetched before a version is used, and one version never serves the files of another, except in
 * place of a damaged file, which is fetched again from the host. A new version
 * waits until the page asks for it, so that nothing changes under a running game. The documentation is fetched when
 * one of its pages is read for the first time.
 */
const VERSION = "@VERSION@";
const FILES = "@FILES@";
const DOCS = "@DOCS@";
// Sites below other paths of this host share its caches, and keep theirs: a scope contains no space.
const PREFIX = `lastcard ${self.registration.scope} `;
const CACHE = PREFIX + VERSION;

self.addEventListener("install", (event) => event.waitUntil(fill()));
self.addEventListener("activate", (event) => event.waitUntil(take()));
self.addEventListener("message", (event) => {
  if (event.data === "use-now") self.skipWaiting();
});
self.addEventListener("fetch", (event) => {
  const path = pathOf(event.request.url);
  if (event.request.method !== "GET" || path === null || path.startsWith("api/") || path === "ws") return;
  const file = fileAt(path);
  if (file !== undefined) event.respondWith(answer(event.request, file));
  if (DOCS.includes(file)) event.waitUntil(fillDocs());
});

/** The file that hosts send for a path, some of which leave out `.html`. */
function fileAt(path) {
  return [path, `${path}index.html`, `${path}.html`].find((file) => FILES.includes(file) || DOCS.includes(file));
}

/** The path below the site; null for an address outside it. */
function pathOf(address) {
  const scope = new URL(self.registration.scope);
  const url = new URL(address);
  if (url.origin !== scope.origin || !url.pathname.startsWith(scope.pathname)) return null;
  return url.pathname.slice(scope.pathname.length);
}

async function fill() {
  const cache = await caches.open(CACHE);
  await Promise.all(FILES.map((file) => keep(cache, file)));
}

async function keep(cache, file) {
  // Not from the browser's own cache, which may still hold files of the version before.
  const response = await fetch(file, { cache: "no-cache" });
  if (!response.ok) throw new Error(`${file}: status ${response.status}`);
  // Hosts that leave out `index.html` redirect to the folder, and no browser opens a page from a redirected response.
  await cache.put(file, response.redirected ? new Response(response.body, response) : response);
}

let filling;

/** Fetches what is missing of the documentation; without a network it is tried again with the next page. */
function fillDocs() {
  filling ??= addDocs().catch(() => (filling = undefined));
  return filling;
}

async function addDocs() {
  const cache = await caches.open(CACHE);
  const kept = new Set((await cache.keys()).map((request) => pathOf(request.url)));
  for (const file of DOCS.filter((name) => !kept.has(name))) await keep(cache, file);
}

async function take() {
  const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  const hadDocs = await Promise.all(old.map(async (name) => (await caches.open(name)).match("docs/index.html")));
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
  if (hadDocs.some(Boolean)) fillDocs();
}

async function answer(request, path) {
  const cache = await caches.open(CACHE);
  const address = new URL(path, self.registration.scope);
  // The page asks this way for a damaged file. The next load may have no network.
  const isSpoiled = request.cache === "reload" && request.mode !== "navigate";
  const kept = isSpoiled ? undefined : await cache.match(address);
  if (kept) return kept;
  const response = await fetch(request);
  if (isSpoiled && response.ok) await cache.put(address, response.clone()).catch(() => undefined); // a full disk
  return response;
}
