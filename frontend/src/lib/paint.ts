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
