// Only the page "does not answer" is kept: nothing of a game is ever shown from a cache.
"use strict";

const KEPT = "remi-offline-1";

self.addEventListener("install", (event) => {
  const pages = ["/offline", "/static/page.css", "/static/icon.svg"];
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(pages)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const path = new URL(request.url).pathname;
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(() => caches.match("/offline")));
  } else if (path === "/static/page.css" || path === "/static/icon.svg") {
    event.respondWith(fetch(request).catch(() => caches.match(request)));
  }
});
