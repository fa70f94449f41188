/** Where the cards of a hand lie: one arched row, or several straight ones when there are many. */

export interface Spot {
  x: number;
  y: number;
  angle: number;
}

export interface Fan {
  spots: Spot[];
  width: number;
  height: number;
}

/** What stays uncovered of each card must be wide enough for a finger (WCAG 2.2, 2.5.8: 24 px). */
const LEAST_STRIP = 25;
const ROOMY = 0.8;
const ROW_STRIP = 0.5;
const MOST_TILT = 18;
const LIFT = 0.2;

/** Lays out cards of that size in the given width; y grows downwards from the top of the fan. */
export function layFan(count: number, width: number, cardWidth: number, cardHeight: number): Fan {
  const lift = LIFT * cardHeight;
  if (count === 0 || width === 0) return { spots: [], width, height: cardHeight + lift };
  const perRow = Math.max(1, Math.floor((width - cardWidth) / LEAST_STRIP) + 1);
  const rows = Math.ceil(count / perRow);
  if (rows === 1) return arch(count, width, cardWidth, cardHeight, lift);
  const spots: Spot[] = [];
  const rowStrip = ROW_STRIP * cardHeight;
  for (let row = 0, placed = 0; row < rows; row++) {
    const here = Math.ceil((count - placed) / (rows - row));
    const strip = stripOf(here, width, cardWidth);
    const left = (width - cardWidth - strip * (here - 1)) / 2;
    for (let i = 0; i < here; i++) spots.push({ x: left + i * strip, y: lift + row * rowStrip, angle: 0 });
    placed += here;
  }
  return { spots, width, height: lift + cardHeight + (rows - 1) * rowStrip };
}

function stripOf(count: number, width: number, cardWidth: number): number {
  return count < 2 ? 0 : Math.min(ROOMY * cardWidth, (width - cardWidth) / (count - 1));
}

function arch(count: number, width: number, cardWidth: number, cardHeight: number, lift: number): Fan {
  const middle = (count - 1) / 2;
  const tilt = count < 2 ? 0 : Math.min(3.5, MOST_TILT / count);
  // Tilted cards reach out at the sides.
  const room = width - 2 * cardHeight * Math.sin((tilt * middle * Math.PI) / 180);
  const strip = stripOf(count, room, cardWidth);
  const left = (width - cardWidth - strip * (count - 1)) / 2;
  const sag = 0.012 * cardHeight;
  const spots = Array.from({ length: count }, (_, i) => {
    const off = i - middle;
    const bend = (off / Math.max(middle, 1)) ** 2 * Math.min(middle, 6);
    return { x: left + i * strip, y: lift + bend * sag * 2, angle: off * tilt };
  });
  return { spots, width, height: lift + cardHeight + sag * 14 };
}
