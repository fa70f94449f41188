/** Where the others sit when they sit around the table: on the upper half of an ellipse, the first on the left. */

/** Between the middle of a seat at the side and the edge of the table. */
const EDGE = 118;
/** The tops of seats go from this share of the height down to this far from the top. */
const LOWEST = 0.46;
const HIGHEST = 10;
const LEAST_TABLE = { width: 860, height: 430 } as const;
const LEAST_WIDTH = 150;
const MOST_WIDTH = 216;
const GAP = 6;
/** Of a seat: where there are few, with two lines for what it did last. */
const SEAT_HEIGHTS = { few: 92, many: 72 } as const;

/** The direction of a seat as seen from the middle: both from -1 to 1, down and to the right. */
export function directionOf(index: number, count: number): { x: number; y: number } {
  const angle = Math.PI * (1 + (index + 0.5) / count);
  return { x: Math.cos(angle), y: Math.sin(angle) };
}

/** How wide a seat can be so that none lies on another; null if there is no room to sit around the table. */
export function fitSeats(count: number, isMany: boolean, width: number, height: number): number | null {
  if (width < LEAST_TABLE.width || height < LEAST_TABLE.height) return null;
  const radius = { x: width / 2 - EDGE, y: LOWEST * height - HIGHEST };
  const seatHeight = SEAT_HEIGHTS[isMany ? "many" : "few"];
  let widest = MOST_WIDTH;
  for (let i = 1; i < count; i++) {
    const [one, next] = [directionOf(i - 1, count), directionOf(i, count)];
    if (Math.abs(next.y - one.y) * radius.y < seatHeight) widest = Math.min(widest, (next.x - one.x) * radius.x - GAP);
  }
  return widest < LEAST_WIDTH ? null : widest;
}
