/** Cards in the air: where things lie on the screen, and transitions between them. */

import type { TransitionConfig } from "svelte/transition";
import { preferences, type Value } from "./preferences.svelte";

const SPEEDS: Readonly<Record<Value<"speed">, number>> = { off: 0, fast: 0.5, normal: 1, slow: 1.8 };
const FLIGHT_MS = 360;

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

/** Whether nothing may move: the system or the person asked for that, or nobody looks. */
export function isStill(): boolean {
  const asked = window.matchMedia("(prefers-reduced-motion: reduce)").matches || preferences.speed === "off";
  return asked || document.hidden;
}

interface Arrival {
  from: string | null;
  delay?: number;
  /** Whether the card comes with its back up, and turns over on the way. */
  flips?: boolean;
}

/** Brings an element in from a named place; still for those who asked for no motion. */
export function arrive(node: Element, arrival: Arrival): () => TransitionConfig {
  // Not before the whole table is there: cards may come from a place that is drawn after them.
  return () => fly(node, arrival);
}

function fly(node: Element, { from, delay = 0, flips = false }: Arrival): TransitionConfig {
  const source =
    (from === "hand" ? launch : null) ?? (from === null ? undefined : places.get(from))?.getBoundingClientRect();
  if (!source || isStill()) return { duration: 0 };
  const target = node.getBoundingClientRect();
  const dx = source.left + source.width / 2 - target.left - target.width / 2;
  const dy = source.top + source.height / 2 - target.top - target.height / 2;
  const size = Math.max(0.35, Math.min(1.4, source.height / Math.max(target.height, 1)));
  const speed = SPEEDS[preferences.speed];
  return {
    delay: delay * speed,
    duration: FLIGHT_MS * speed,
    easing: (t) => 1 - (1 - t) ** 3,
    css: (t, u) => {
      const scale = size + (1 - size) * t;
      // A card that turns over is narrow in the middle of it, and shows its back before.
      const turned = flips ? Math.abs(Math.cos(Math.PI * t)) : 1;
      const arc = -40 * Math.sin(Math.PI * t);
      const back = flips && t < 0.5 ? 1 : 0;
      return `translate: ${u * dx}px ${u * dy + arc}px; scale: ${scale * turned} ${scale}; --reverse: ${back}`;
    },
  };
}

/** Sends copies of an element, such as the back of a card, from one named place to another. */
export function send(ghost: Element, from: string, to: string, count: number, delay = 0): void {
  const source = places.get(from)?.getBoundingClientRect();
  const target = places.get(to)?.getBoundingClientRect();
  if (!source || !target || isStill()) return;
  const speed = SPEEDS[preferences.speed];
  for (let i = 0; i < Math.min(count, 4); i++) {
    const copy = ghost.cloneNode(true) as HTMLElement;
    copy.hidden = false;
    ghost.parentElement?.append(copy);
    const size = copy.getBoundingClientRect();
    const at = (box: DOMRect): string =>
      `translate(${box.left + (box.width - size.width) / 2}px, ${box.top + (box.height - size.height) / 2}px)`;
    const flight = copy.animate([{ transform: at(source) }, { transform: `${at(target)} scale(0.5)`, opacity: 0.4 }], {
      duration: FLIGHT_MS * speed,
      delay: (delay + i * 70) * speed,
      easing: "cubic-bezier(0.2, 0.7, 0.3, 1)",
      fill: "backwards",
    });
    flight.onfinish = () => copy.remove();
    flight.oncancel = () => copy.remove();
  }
}
