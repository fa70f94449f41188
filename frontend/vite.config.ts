import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { notices } from "./tools/notices.mjs";

const SERVER = "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [svelte(), notices()],
  worker: { plugins: () => [notices()] },
  // Relative addresses: the page works under any path a proxy puts before it.
  base: "./",
  build: {
    outDir: "../src/lastcard/web/static",
    emptyOutDir: true,
    target: ["chrome123", "firefox121", "safari17.5"],
    // The page's policy allows no `data:`.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: { "/api": SERVER, "/health": SERVER, "/ws": { target: SERVER, ws: true } },
  },
});
