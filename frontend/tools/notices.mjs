// A Vite plugin: a bundle may only carry packages whose notices are in `licenses/`.

import { existsSync } from "node:fs";

const PACKAGE = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//;

export function notices() {
  return {
    name: "notices",
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((chunk) => Object.keys(chunk.modules ?? {}));
      const packages = new Set(modules.map((module) => module.match(PACKAGE)?.[1]).filter(Boolean));
      for (const name of packages) {
        const file = `licenses/${name.replace("@", "").replace("/", "-")}.txt`;
        if (!existsSync(new URL(`../../${file}`, import.meta.url))) {
          this.error(`the bundle carries ${name}; copy its license to ${file}`);
        }
      }
    },
  };
}
