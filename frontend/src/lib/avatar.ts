/** A face for every name, made of the four shapes: the same name has the same face everywhere. */

import type { Color } from "./contract";
import { COLORS } from "./notation";

export interface Avatar {
  /** The shape of the head. */
  shape: Color;
  /** The color of the head, which need not be that of its shape on the cards. */
  paint: Color;
  /** A small shape on the head. */
  hat: Color;
  eyes: number;
  mouth: number;
}

export const NUM_EYES = 3;
export const NUM_MOUTHS = 4;

/** Where the hash starts: from here all nine agents look different. */
const START = 13351;

/** FNV-1a: short names that differ in a letter get faces that differ. */
function hash(text: string): number {
  let value = START;
  for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return (value ^ (value >>> 15)) >>> 0;
}

export function avatarOf(name: string): Avatar {
  let rest = hash(name);
  const pick = (count: number): number => {
    const found = rest % count;
    rest = Math.floor(rest / count);
    return found;
  };
  const color = (): Color => COLORS[pick(COLORS.length)] ?? "r";
  return { shape: color(), paint: color(), hat: color(), eyes: pick(NUM_EYES), mouth: pick(NUM_MOUTHS) };
}
