/** Waits until the page is loaded and the browser has nothing else to do. */
export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    if (document.readyState === "complete") idle(resolve);
    else window.addEventListener("load", () => idle(resolve), { once: true });
  });
}

function idle(then: () => void): void {
  // Safari has no idle callback.
  if ("requestIdleCallback" in window) requestIdleCallback(then, { timeout: 3000 });
  else setTimeout(then, 200);
}
