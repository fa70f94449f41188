/** Cards in the air: where things lie on the screen, and transitions between them. */

import type { TransitionConfig } from "svelte/transition";

const places = new Map<string, Element>();
let launch: DOMRect | null = null;

/** An action for elements that cards fly from or to, such as "draw", "seat:2" or "hand". */
export function place(node: Element, name: string): { update: (name: string) => void; destroy: () => void } {
  places.set(name, node);
  const forget = (): void => {
    if (places.get(name) === node) places.delete(name);
  };
  return {
    update(next) {
      forget();
      name = next;
      places.set(name, node);
    },
    destroy: forget,
  };
}

/** Remembers from where this seat's own card takes off: afterwards it is no longer in the hand. */
export function launchFrom(node: Element): void {
  launch = node.getBoundingClientRect();
}

export function isStill(): boolean {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;
}

/** Brings an element in from a named place; still for those who asked for no motion. */
export function arrive(node: Element, { from, delay = 0 }: { from: string | null; delay?: number }): TransitionConfig {
  const source =
    (from === "hand" ? launch : null) ?? (from === null ? undefined : places.get(from))?.getBoundingClientRect();
  if (!source || isStill()) return { duration: 0 };
  const target = node.getBoundingClientRect();
  const dx = source.left + source.width / 2 - target.left - target.width / 2;
  const dy = source.top + source.height / 2 - target.top - target.height / 2;
  const scale = Math.max(0.35, Math.min(1.4, source.height / Math.max(target.height, 1)));
  return {
    delay,
    duration: 320,
    easing: (t) => 1 - (1 - t) ** 3,
    css: (t, u) => `translate: ${u * dx}px ${u * dy}px; scale: ${scale + (1 - scale) * t}`,
  };
}

/** Sends copies of an element, such as the back of a card, from one named place to another. */
export function send(ghost: Element, from: string, to: string, count: number): void {
  const source = places.get(from)?.getBoundingClientRect();
  const target = places.get(to)?.getBoundingClientRect();
  if (!source || !target || isStill()) return;
  for (let i = 0; i < Math.min(count, 4); i++) {
    const copy = ghost.cloneNode(true) as HTMLElement;
    copy.hidden = false;
    ghost.parentElement?.append(copy);
    const size = copy.getBoundingClientRect();
    const at = (box: DOMRect): string =>
      `translate(${box.left + (box.width - size.width) / 2}px, ${box.top + (box.height - size.height) / 2}px)`;
    const flight = copy.animate([{ transform: at(source) }, { transform: `${at(target)} scale(0.5)`, opacity: 0.4 }], {
      duration: 340,
      delay: i * 70,
      easing: "cubic-bezier(0.2, 0.7, 0.3, 1)",
      fill: "backwards",
    });
    flight.onfinish = () => copy.remove();
    flight.oncancel = () => copy.remove();
  }
}
