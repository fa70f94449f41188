/** New versions of a static site: fetched in the background, used when the person says so. */

import { isSite } from "./place";

class Updates {
  /** Whether a new version waits. */
  isReady = $state(false);
  #registration: ServiceWorkerRegistration | null = null;
  /** Whether another version than that of this page may answer its requests. */
  #isKept = false;

  constructor() {
    if (!isSite || !("serviceWorker" in navigator)) return;
    this.#isKept = navigator.serviceWorker.controller !== null;
    navigator.serviceWorker.addEventListener("controllerchange", () => {
      // Any tab may have asked for the new version, and the files of the old one are gone.
      if (this.#isKept) location.reload();
      this.#isKept = true;
    });
  }

  /** Keeps the site for use without a network, and watches for new versions. */
  async watch(): Promise<void> {
    // Only pages by https or from this machine may be kept.
    if (!isSite || !("serviceWorker" in navigator)) return;
    try {
      this.#registration = await navigator.serviceWorker.register("service-worker.js");
    } catch {
      return; // The page works, with a network.
    }
    this.#look();
    this.#registration.addEventListener("updatefound", () => {
      this.#registration?.installing?.addEventListener("statechange", () => this.#look());
    });
  }

  #look(): void {
    // The first version replaces none.
    this.isReady = this.#registration?.waiting != null && navigator.serviceWorker.controller !== null;
  }

  /** Loads this page and all other tabs again with the new version; running games are stored, and continue. */
  use(): void {
    this.#registration?.waiting?.postMessage("use-now");
  }
}

export const updates = new Updates();
