/** Words, numbers and dates in the language of the person. */

import { IntlMessageFormat } from "intl-messageformat";
import english from "../messages/en.json";
import { preferences } from "./preferences.svelte";

export type Key = keyof typeof english;
export type Values = Readonly<Record<string, string | number>>;
type Messages = Readonly<Record<string, string>>;

/** Each language by its own name. */
export const LANGUAGES = {
  en: "English",
  de: "Deutsch",
  es: "Español",
  fr: "Français",
  zh: "中文",
  ar: "العربية",
} as const;
export type Language = keyof typeof LANGUAGES;

const RIGHT_TO_LEFT: readonly string[] = ["ar"];
const FILES = import.meta.glob<Messages>(["../messages/*.json", "!../messages/en.json"], { import: "default" });

interface Speech {
  language: Language;
  /** For `Intl`. Digits are those on the cards in every language. */
  locale: string;
  messages: Messages;
  formats: Map<string, IntlMessageFormat>;
}

function speak(language: Language, messages: Messages): Speech {
  return { language, locale: `${language}-u-nu-latn`, messages, formats: new Map() };
}

let speech = $state.raw<Speech>(speak("en", english));

function isLanguage(code: string): code is Language {
  return code in LANGUAGES;
}

/** The language that was chosen, or the first of the browser's that there is. */
function wantedLanguage(): Language {
  if (preferences.language !== "auto") return preferences.language;
  const offered = navigator.languages.map((tag) => tag.split("-")[0] ?? "").find(isLanguage);
  return offered ?? "en";
}

async function load(language: Language): Promise<void> {
  const messages = language === "en" ? english : await FILES[`../messages/${language}.json`]?.();
  // Another one may have been chosen while this one was on its way.
  if (messages !== undefined && language === wantedLanguage()) speech = speak(language, messages);
}

/** Loads the language before the page is shown, and follows the settings from then on. */
export async function followLanguage(): Promise<void> {
  // Without its file the page is shown in English.
  await load(wantedLanguage()).catch(() => undefined);
  $effect.root(() => {
    $effect(() => {
      const wanted = wantedLanguage();
      if (wanted !== speech.language) void load(wanted).catch(() => undefined);
    });
    $effect(() => {
      document.documentElement.lang = speech.language;
      document.documentElement.dir = RIGHT_TO_LEFT.includes(speech.language) ? "rtl" : "ltr";
    });
  });
}

/** Whether the page runs from right to left. */
export function isRightToLeft(): boolean {
  return RIGHT_TO_LEFT.includes(speech.language);
}

/** Whether there is a message of that name: the server may know more rules and agents than this page. */
export function hasMessage(key: string): key is Key {
  return key in english;
}

function formatOf(key: Key): IntlMessageFormat {
  const { formats, messages, locale } = speech;
  const made = formats.get(key) ?? new IntlMessageFormat(messages[key] ?? english[key], locale);
  formats.set(key, made);
  return made;
}

/** Values that a person or the server wrote. */
const NAMES = ["name", "names", "who", "whom", "rival", "agent", "judge", "rules", "reason"];
const LATIN = /[A-Za-zÀ-ɏ]/;
const HEBREW_OR_ARABIC = /[\u0590-\u08ff]/;

/** Names that run in the other direction do not move the words around them. */
function isolate(values: Values): Values {
  const foreign = isRightToLeft() ? LATIN : HEBREW_OR_ARABIC;
  const entries = Object.entries(values).map(([key, value]) =>
    NAMES.includes(key) && typeof value === "string" && foreign.test(value)
      ? [key, `\u2068${value}\u2069`]
      : [key, value],
  );
  return Object.fromEntries(entries) as Values;
}

/** Messages without values, quotes or tags are shown as they are, since parsing slows down the start. */
const PLAIN = /^[^{}<>'#]*$/;

/** The message of that name, with its values filled in. */
export function t(key: Key, values?: Values): string {
  const text = speech.messages[key] ?? english[key];
  if (PLAIN.test(text)) return text;
  return String(formatOf(key).format(values && isolate(values)));
}

/** A piece of a message; `tag` is what stands around it. */
export interface Piece {
  tag: string | null;
  text: string;
}

/** The message in pieces: text, and what stands in tags. */
export function pieces(key: Key, values: Values, tags: readonly string[]): Piece[] {
  const wrap = (tag: string) => (chunks: (string | Piece)[]) => ({ tag, text: chunks.join("") });
  const found = formatOf(key).format<Piece>({
    ...isolate(values),
    ...Object.fromEntries(tags.map((tag) => [tag, wrap(tag)])),
  });
  const list = Array.isArray(found) ? found : [found];
  return list.map((piece) => (typeof piece === "object" ? piece : { tag: null, text: piece }));
}

// Numbers, dates and lists

export function number(value: number, options?: Intl.NumberFormatOptions): string {
  return value.toLocaleString(speech.locale, options);
}

/** With a fixed number of digits after the point. */
export function decimal(value: number, digits: number): string {
  return number(Number(value.toFixed(digits)), { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A share of 1 as percent, with a fixed number of digits after the point. */
export function share(value: number, digits: number): string {
  const rounded = Number((100 * value).toFixed(digits)) / 100 || 0; // not "-0%"
  return number(rounded, { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function seconds(value: number): string {
  return number(value, { style: "unit", unit: "second", unitDisplay: "short" });
}

export function day(time: number | string): string {
  return new Date(time).toLocaleDateString(speech.locale, { dateStyle: "medium" });
}

export function time(moment: number): string {
  return new Date(moment).toLocaleTimeString(speech.locale, { timeStyle: "short" });
}

export function listAll(items: readonly string[]): string {
  return new Intl.ListFormat(speech.locale, { type: "conjunction" }).format(items);
}

export function listAny(items: readonly string[]): string {
  return new Intl.ListFormat(speech.locale, { type: "disjunction" }).format(items);
}

/** Parts one after another, without a word between them. */
export function enumerate(items: readonly string[]): string {
  return new Intl.ListFormat(speech.locale, { type: "unit", style: "short" }).format(items);
}
