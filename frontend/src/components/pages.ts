/** The pages of the second bundle. The first one holds the start page and the rules. */

export { default as Advise } from "./Advise.svelte";
export { default as Carry } from "./Carry.svelte";
export { default as Join } from "./Join.svelte";
export { default as Ladder } from "./Ladder.svelte";
export { default as Learn } from "./Learn.svelte";
export { default as Pair } from "./Pair.svelte";
export { default as Settings } from "./Settings.svelte";
export { default as Studies } from "./Studies.svelte";
export { default as Study } from "./Study.svelte";
export { default as Table } from "./Table.svelte";
export { default as You } from "./You.svelte";
