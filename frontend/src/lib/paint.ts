/** Colors of cards, shapes and lines. */

import type { Color } from "./contract";
import type { Value } from "./preferences.svelte";

/** As `app.css` defines them. */
export const FILLS: Readonly<Record<Color, string>> = {
  r: "var(--red)",
  y: "var(--yellow)",
  g: "var(--green)",
  b: "var(--blue)",
};

/** Off the cards, where the ground may be dark. */
export const LIT: Readonly<Record<Color, string>> = {
  r: "var(--red-lit)",
  y: "var(--yellow-lit)",
  g: "var(--green-lit)",
  b: "var(--blue-lit)",
};

/** What can be read on a card of that color. */
export const INKS: Readonly<Record<Color, string>> = {
  r: "#ffffff",
  y: "#2b2104",
  g: "#ffffff",
  b: "#ffffff",
};

/** Numerals on paper inside the card: darker than the card where that is pale. */
export const DEEP: Readonly<Record<Color, string>> = {
  r: "#a3241e",
  y: "#6b4c00",
  g: "#14613a",
  b: "#1b4fa6",
};

/** What a card is painted with. */
interface CardPaints {
  field: string;
  /** Of the large shape in the middle. */
  shape: string;
  /** Of the corners. */
  ink: string;
  /** Of what stands on the large shape. */
  deep: string;
}

const NIGHT: Readonly<Record<Color, string>> = { r: "#ff7a70", y: "#ffcf4d", g: "#5fd492", b: "#7fb2ff" };
const NIGHT_FIELD = "#1c242c";

/** The paints of a card in a theme; Wilds have no color and are dark in every theme. */
export function paintCard(color: Color | null, theme: Value<"cards">): CardPaints {
  if (color === null) return { field: "var(--ink)", shape: "var(--paper)", ink: "#ffffff", deep: "var(--ink)" };
  switch (theme) {
    case "bright":
      return { field: FILLS[color], shape: "var(--paper)", ink: INKS[color], deep: DEEP[color] };
    case "paper":
      return { field: "var(--paper)", shape: FILLS[color], ink: DEEP[color], deep: INKS[color] };
    case "night":
      return { field: NIGHT_FIELD, shape: NIGHT[color], ink: NIGHT[color], deep: NIGHT_FIELD };
  }
}

/** Lines of a chart, a seat each: told apart by dashes as well. */
const LINES: readonly string[] = [
  "light-dark(#0f6b5c, #5fd0b6)",
  "light-dark(#9a3412, #ffb086)",
  "light-dark(#5b3fa8, #b9a5ff)",
  "light-dark(#1f5a99, #8fc1ff)",
  "light-dark(#8a1f5c, #ff9fce)",
];
const DASHES: readonly string[] = ["none", "7 3", "2 3", "9 3 2 3"];

/** How a seat's line is drawn. */
export function lineOf(seat: number): { paint: string; dash: string } {
  return { paint: LINES[seat % LINES.length] ?? "currentColor", dash: DASHES[seat % DASHES.length] ?? "none" };
}
