import type { Color } from "./contract";

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
