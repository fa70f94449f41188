/** Records of this device, read by an engine. */

import { Engine } from "./engine";

let reading: Promise<Engine> | null = null;

/** The engine that reads records; another if it died. */
export async function reader(): Promise<Engine> {
  const held = await (reading ??= Engine.start().catch((error: unknown) => {
    reading = null;
    throw error;
  }));
  if (!held.isDead) return held;
  held.stop();
  reading = null;
  return reader();
}

/** Opens a record for as long as the work takes. */
export async function withRecord<T>(text: string, work: (engine: Engine, record: number) => Promise<T>): Promise<T> {
  const engine = await reader();
  const { record } = await engine.call<{ record: number }>("open_record", { text });
  try {
    return await work(engine, record);
  } finally {
    if (!engine.isDead) await engine.call("release_table", { record });
  }
}
