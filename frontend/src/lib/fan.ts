/** Where the cards of a hand lie: one arched row, or several straight ones of smaller cards when there are many. */

export interface Spot {
  x: number;
  y: number;
  angle: number;
}

export interface Fan {
  spots: Spot[];
  cardWidth: number;
  cardHeight: number;
}

/** What stays uncovered of each card must be wide enough for a finger (WCAG 2.2, 2.5.8: 24 px). */
const LEAST_STRIP = 25;
const ROOMY = 0.8;
/** How much of a card in a row behind stays uncovered: its corner with rank, shape and letter. */
const ROW_STRIP = 0.5;
const MOST_TILT = 18;
const LIFT = 0.2;
const SAG = 0.012;
/** Height to width of a card. */
const SHAPE = 1.5;

/** The height that a hand of such cards needs, however many they are. */
export function fanHeight(cardWidth: number): number {
  return Math.ceil(cardWidth * SHAPE * (1 + LIFT + SAG * 14));
}

/** Lays out cards of at most that width in a given space; y grows downwards from the top. */
export function layFan(count: number, width: number, mostWidth: number): Fan {
  const height = fanHeight(mostWidth);
  for (let rows = 1; ; rows++) {
    const cardHeight = Math.min(mostWidth * SHAPE, height / (1 + LIFT + (rows - 1) * ROW_STRIP));
    const cardWidth = cardHeight / SHAPE;
    const perRow = Math.max(1, Math.floor((width - cardWidth) / LEAST_STRIP) + 1);
    if (count > perRow * rows && rows < count) continue;
    const spots = rows === 1 ? arch(count, width, cardWidth, cardHeight) : stack(count, rows, width, cardHeight);
    return { spots, cardWidth, cardHeight };
  }
}

function stack(count: number, rows: number, width: number, cardHeight: number): Spot[] {
  const spots: Spot[] = [];
  const cardWidth = cardHeight / SHAPE;
  for (let row = 0; row < rows; row++) {
    const here = Math.ceil((count - spots.length) / (rows - row));
    const strip = stripOf(here, width, cardWidth);
    const left = (width - cardWidth - strip * (here - 1)) / 2;
    const y = (LIFT + row * ROW_STRIP) * cardHeight;
    for (let i = 0; i < here; i++) spots.push({ x: left + i * strip, y, angle: 0 });
  }
  return spots;
}

function stripOf(count: number, width: number, cardWidth: number): number {
  return count < 2 ? 0 : Math.min(ROOMY * cardWidth, (width - cardWidth) / (count - 1));
}

function arch(count: number, width: number, cardWidth: number, cardHeight: number): Spot[] {
  const middle = (count - 1) / 2;
  const tilt = count < 2 ? 0 : Math.min(3.5, MOST_TILT / count);
  // Tilted cards reach out at the sides.
  const room = width - 2 * cardHeight * Math.sin((tilt * middle * Math.PI) / 180);
  const strip = stripOf(count, room, cardWidth);
  const left = (width - cardWidth - strip * (count - 1)) / 2;
  return Array.from({ length: count }, (_, i) => {
    const off = i - middle;
    const bend = (off / Math.max(middle, 1)) ** 2 * Math.min(middle, 6);
    return { x: left + i * strip, y: (LIFT + bend * SAG * 2) * cardHeight, angle: off * tilt };
  });
}
