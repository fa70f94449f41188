/**
 * Where everything on the table lies. All sizes follow from the size of the table and the number of seats, so nothing
 * overlaps and nothing moves when a text changes.
 */

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** How much a seat shows. */
export type Density = "roomy" | "medium" | "small" | "tiny";

export interface TableLayout {
  density: Density;
  seats: Box[];
  /** Of the piles. */
  middle: Box;
  /** Width of the cards on the piles. */
  card: number;
  /** Whether the seats lie around the table; otherwise they stand in rows above or beside the piles. */
  isAround: boolean;
}

/** In units, as all sizes here. */
const SEATS: Readonly<Record<Density, { width: number; height: number }>> = {
  roomy: { width: 204, height: 100 },
  medium: { width: 160, height: 76 },
  small: { width: 104, height: 62 },
  tiny: { width: 74, height: 42 },
};
const GAP = 8;
const MARGIN = 10;
/** Two piles between two arrows, in widths of a card; below them are the labels, which need some room of their own. */
const PILES = { cards: 2.84, height: 1.5, labels: 44, gap: 0.22, leastGap: 14 } as const;
/** How much of an oval table's width the piles may take. */
const OVAL_SHARE = 0.74;
const SMALLEST_CARD = 34;
/** A table smaller than this shows the piles only. */
const BARE = { width: 300, height: 150 } as const;
/** Around a table with smaller cards than this, seats had better show less. */
const GOOD_CARD = 72;

/** The size of the piles with cards of that width. */
export function sizePiles(card: number): { width: number; height: number } {
  const gap = Math.max(PILES.gap * card, PILES.leastGap);
  return { width: PILES.cards * card + 3 * gap, height: PILES.height * card + PILES.labels };
}

/** Ways to sit on the upper half of an ellipse, the usual first: room beside the outermost seats, in steps, and how low they sit. */
const ARCS: readonly { room: number; lowest: number }[] = [0.5, 0.2, 0].flatMap((room) =>
  [0.5, 0.58].map((lowest) => ({ room, lowest })),
);

function sitAround(count: number, density: Density, width: number, height: number): Box[] | null {
  const size = SEATS[density];
  const reach = width / 2 - size.width / 2 - MARGIN;
  for (const { room, lowest } of count < 3 ? ARCS.slice(0, 1) : ARCS) {
    const depth = lowest * height - MARGIN;
    const seats = Array.from({ length: count }, (_, i) => {
      const angle = Math.PI * (1 + (i + room) / (count - 1 + 2 * room));
      const x = width / 2 + Math.cos(angle) * reach - size.width / 2;
      return { x, y: lowest * height + Math.sin(angle) * depth, ...size };
    });
    if (!seats.some((seat, i) => seats.slice(i + 1).some((next) => overlap(seat, next)))) return seats;
  }
  return null;
}

/** Seats in rows as wide as they can be; null where not even one fits beside the margins. */
function sitInRows(count: number, density: Density, width: number): Box[] | null {
  const size = SEATS[density];
  const room = width - 2 * MARGIN + GAP;
  const most = Math.floor(room / (size.width + GAP));
  if (most < 1) return null;
  const rows = Math.ceil(count / most);
  const boxes: Box[] = [];
  for (let row = 0; row < rows; row++) {
    const here = Math.ceil((count - boxes.length) / (rows - row));
    const wide = Math.min(room / here - GAP, SEATS.roomy.width);
    const left = (width - here * (wide + GAP) + GAP) / 2;
    for (let i = 0; i < here; i++) {
      const y = MARGIN + row * (size.height + GAP);
      boxes.push({ x: left + i * (wide + GAP), y, width: wide, height: size.height });
    }
  }
  return boxes;
}

function overlap(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width + GAP &&
    other.x < one.x + one.width + GAP &&
    one.y < other.y + other.height + GAP &&
    other.y < one.y + one.height + GAP
  );
}

/** The piles as large as the seats leave room for, below every seat that is above them. */
function layPiles(
  seats: readonly Box[],
  width: number,
  height: number,
  most: number,
  share = 0.95,
): { middle: Box; card: number } {
  for (let card = most; ; card -= 2) {
    const size = sizePiles(card);
    const x = (width - size.width) / 2;
    const above = seats.filter((seat) => seat.x < x + size.width + GAP && x < seat.x + seat.width + GAP);
    const top = Math.max(MARGIN, ...above.map((seat) => seat.y + seat.height + GAP));
    const room = height - MARGIN - top - size.height;
    if ((room >= 0 && size.width <= share * width) || card <= SMALLEST_CARD)
      return { middle: { x, y: top + Math.max(0, room) / 2, ...size }, card };
  }
}

type Arrange = (density: Density) => TableLayout | null;

function arrangers(count: number, width: number, height: number, mostCard: number): Arrange[] {
  const isIn = (box: Box): boolean => box.y + box.height <= height - MARGIN + 1;
  const around: Arrange = (density) => {
    const seats = density === "tiny" ? null : sitAround(count, density, width, height);
    return seats && { density, seats, isAround: true, ...layPiles(seats, width, height, mostCard, OVAL_SHARE) };
  };
  const above: Arrange = (density) => {
    const seats = sitInRows(count, density, width);
    if (seats === null || (count > 1 && seats.every((seat) => seat.x === seats[0]?.x))) return null;
    return { density, seats, isAround: false, ...layPiles(seats, width, height, mostCard) };
  };
  const beside: Arrange = (density) => {
    const { middle, card } = layPiles([], width, height, mostCard);
    const x = width - MARGIN - middle.width;
    const seats = sitInRows(count, density, x);
    return seats?.every(isIn) ? { density, seats, isAround: false, middle: { ...middle, x }, card } : null;
  };
  const fitting = (arrange: Arrange): Arrange => {
    return (density) => {
      const layout = arrange(density);
      return layout && isIn(layout.middle) ? layout : null;
    };
  };
  return [around, above, beside].map(fitting);
}

const DENSITIES = ["roomy", "medium", "small", "tiny"] as const;
/** On a narrower table it matters more what seats show than how they sit. */
const NARROW = 700;

export interface TableSize {
  width: number;
  height: number;
  /** Cards on the piles are at most that wide. */
  mostCard: number;
  /** How much larger than usual everything is. */
  unit: number;
}

/** Seats and piles on a table of that size, in pixels. */
export function layTable(count: number, { width, height, mostCard, unit }: TableSize): TableLayout {
  const layout = arrange(count, width / unit, height / unit, mostCard / unit);
  const grow = (box: Box): Box => ({
    x: box.x * unit,
    y: box.y * unit,
    width: box.width * unit,
    height: box.height * unit,
  });
  return { ...layout, seats: layout.seats.map(grow), middle: grow(layout.middle), card: layout.card * unit };
}

function arrange(count: number, width: number, height: number, mostCard: number): TableLayout {
  if (width < BARE.width || height < BARE.height)
    return { density: "tiny", seats: [], isAround: false, ...layPiles([], width, height, mostCard) };
  const ways = arrangers(count, width, height, mostCard);
  const order =
    width < NARROW
      ? DENSITIES.flatMap((density) => ways.map((way) => way(density)))
      : ways.flatMap((way) => DENSITIES.map((density) => way(density)));
  const tried = order.filter((layout) => layout !== null);
  const good = tried.find((layout) => layout.card >= Math.min(GOOD_CARD, mostCard * 0.8));
  const best = good ?? tried.toSorted((a, b) => b.card - a.card)[0];
  if (best) return best;
  const seats = sitInRows(count, "tiny", width) ?? [];
  return { density: "tiny", seats, isAround: false, ...layPiles(seats, width, height, SMALLEST_CARD) };
}
