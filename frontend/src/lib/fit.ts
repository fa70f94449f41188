/** Makes text smaller, step by step, until it is no higher than the box it is in. */

import type { Attachment } from "svelte/attachments";

const STEP = 0.05;
/** The smallest share of the usual size that people can read. */
const SMALLEST = 0.65;

/** Fits an element with this text into its parent, again whenever one of them changes its size. */
export function fits(text: string): Attachment<HTMLElement> {
  return (node) => {
    const box = node.parentElement;
    if (box === null || text === "") return;
    const fit = (): void => {
      node.style.fontSize = "";
      for (let size = 1 - STEP; size > SMALLEST && node.offsetHeight > box.clientHeight; size -= STEP)
        node.style.fontSize = `${size}em`;
    };
    // Wait a frame: the browser reports an error if an observer changes what it observes.
    const observer = new ResizeObserver(() => requestAnimationFrame(fit));
    for (const part of [box, node]) observer.observe(part);
    void document.fonts.ready.then(fit);
    return () => observer.disconnect();
  };
}
