/** Where a game is played, which its name shows. */

/** Where games are played. */
export type Place = "server" | "device";

/** Whether this page is a folder of files without a server, as `lastcard site` writes it. */
export const isSite = typeof document === "object" && document.querySelector('meta[name="lastcard-site"]') !== null;

/** The folder of this page on its host. Sites in different folders have games and settings of their own. */
export const folder = typeof document === "object" ? new URL(".", document.baseURI).pathname : "/";

/** The address of the documentation, if the site has it. */
export const docsPage =
  typeof document === "object"
    ? document.querySelector<HTMLMetaElement>('meta[name="lastcard-docs"]')?.content
    : undefined;

/** Where a game is played unless the person chooses. */
export const usualPlace: Place = isSite ? "device" : "server";

const DEVICE = "device-";
/** The token of all games of this device: only people at the device can reach them. */
export const DEVICE_TOKEN = "device";

/** A name for a game of this device. */
export function newDeviceGame(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return DEVICE + Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function isOnDevice(game: string): boolean {
  return game.startsWith(DEVICE);
}
