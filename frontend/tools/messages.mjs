/**
 * Checks the words of the page: every language has every message with the same values, every message is used, and no
 * text stands in the sources.
 */

import { readFileSync, readdirSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse as parseMessage, TYPE } from "@formatjs/icu-messageformat-parser";
import { parse as parseSvelte } from "svelte/compiler";
import ts from "typescript";

const SOURCES = process.argv[2] ?? fileURLToPath(new URL("../src/", import.meta.url));
const MESSAGES = join(SOURCES, "messages");
/** Attributes that people read or hear. */
const SPOKEN = ["title", "aria-label", "aria-valuetext", "aria-description", "placeholder", "alt", "label", "empty"];
/** Elements whose text is the same in every language. */
const FIXED = ["code", "kbd", "style", "script"];
/** Names, keys, styles, and the notation of `lib/advice.ts`. */
const ALLOWED = [
  /^(· )?lastcard$/,
  /^(Enter|Esc)$/,
  /prefers-reduced-motion|^px .*scale:$/,
  /^(\d )?(turned up|jumps in|plays|draws|hands pass|is skipped|keeps)\b/,
];
const WORD = /\p{L}{2,}/u;
/** In scripts most strings are names; what has a space between words or starts a sentence is for people. */
const SENTENCE = /^\p{Lu}\p{Ll}+$|\p{L}{2,}[,.:;!?]? \p{L}|\p{L}[.!?…]$/u;

const problems = [];
const used = new Set();
const usedPrefixes = new Set();

function listFiles(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && [".svelte", ".ts"].includes(extname(entry.name)))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

// Messages

/** The values and tags of a message, each once, and what a plural or a choice tells apart. */
function valuesOf(elements, found = new Set()) {
  for (const element of elements) {
    if (element.type !== TYPE.literal && element.type !== TYPE.pound) found.add(element.value);
    for (const option of Object.values(element.options ?? {})) valuesOf(option.value, found);
    valuesOf(element.children ?? [], found);
  }
  return found;
}

/** Each plural needs the forms that its language has. */
function pluralGaps(elements, language) {
  const gaps = [];
  for (const element of elements) {
    if (element.type === TYPE.plural) {
      const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
      // Whole numbers never take the form "many" in Spanish and French below a million.
      const needed = forms.filter((form) => form !== "many" || language === "ar");
      gaps.push(...needed.filter((form) => !(form in element.options)));
    }
    for (const option of Object.values(element.options ?? {})) gaps.push(...pluralGaps(option.value, language));
    gaps.push(...pluralGaps(element.children ?? [], language));
  }
  return gaps;
}

function checkMessages() {
  const read = (name) => JSON.parse(readFileSync(join(MESSAGES, name), "utf8"));
  const english = read("en.json");
  for (const file of readdirSync(MESSAGES)) {
    const language = file.replace(".json", "");
    const messages = read(file);
    for (const key of Object.keys(english)) {
      if (!(key in messages)) problems.push(`${file}: ${key} is not translated`);
    }
    for (const [key, text] of Object.entries(messages)) {
      if (!(key in english)) problems.push(`${file}: ${key} is not in en.json`);
      else checkMessage(file, language, key, text, english[key]);
    }
  }
  for (const key of Object.keys(english)) {
    if (!used.has(key) && ![...usedPrefixes].some((prefix) => key.startsWith(prefix)))
      problems.push(`en.json: nothing shows ${key}`);
  }
}

function checkMessage(file, language, key, text, original) {
  try {
    const parsed = parseMessage(text);
    const values = [...valuesOf(parsed)].sort().join(" ");
    const wanted = [...valuesOf(parseMessage(original))].sort().join(" ");
    if (values !== wanted) problems.push(`${file}: ${key} has the values "${values}", not "${wanted}"`);
    const gaps = pluralGaps(parsed, language);
    if (gaps.length > 0) problems.push(`${file}: ${key} lacks the plural ${gaps.join(", ")}`);
  } catch (error) {
    problems.push(`${file}: ${key} cannot be read: ${error.message}`);
  }
}

// Sources

function report(file, source, at, text) {
  const line = source.slice(0, at).split("\n").length;
  problems.push(`${file.slice(SOURCES.length)}:${line}: "${text.trim()}" is not a message`);
}

const isAllowed = (text) => ALLOWED.some((pattern) => pattern.test(text.trim()));

/** Strings in code: keys that are shown, and sentences that should be messages. */
function checkScript(file, source, text, offset) {
  const tree = ts.createSourceFile("a.ts", text, ts.ScriptTarget.Latest, true);
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isStringLiteralLike(node)) {
      used.add(node.text);
      if (SENTENCE.test(node.text) && !isAllowed(node.text) && !isCode(node))
        report(file, source, offset + node.getStart(), node.text);
    } else if (ts.isTemplateExpression(node)) {
      if (node.head.text.includes(".")) usedPrefixes.add(node.head.text);
      const parts = [node.head, ...node.templateSpans.map((span) => span.literal)].map((part) => part.text);
      const words = parts.filter((part) => /(^|\s)\p{L}{2,}\s|\s\p{L}{2,}(\s|$|[.,:])/u.test(part) && !isAllowed(part));
      const joined = words.join("…");
      if (words.length > 0 && !isCode(node) && !isAllowed(joined) && !isAllowed(parts[1] ?? ""))
        report(file, source, offset + node.getStart(), joined);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
}

/** Strings that browsers and servers read: selectors, events, keys, notation. */
function isCode(node) {
  const parent = node.parent;
  if (parent === undefined) return false;
  // Errors that no one should ever see.
  if (ts.isNewExpression(parent) && parent.expression.getText() === "Error") return true;
  if (ts.isElementAccessExpression(parent) || ts.isCaseClause(parent) || ts.isLiteralTypeNode(parent)) return true;
  if (ts.isBinaryExpression(parent) && /=/.test(parent.operatorToken.getText())) return true;
  if (ts.isPropertyAssignment(parent) && parent.name === node) return true;
  const call = ts.isCallExpression(parent) ? parent.expression.getText() : "";
  return /^(t|add|hasMessage|load|save|known)$|\.(matches|closest|querySelector(All)?|includes|setAttribute|test|replaceAll|replace|startsWith)$/.test(
    call,
  );
}

function checkMarkup(file, source) {
  const tree = parseSvelte(source, { modern: true });
  for (const script of [tree.instance, tree.module]) {
    if (script) checkScript(file, source, source.slice(script.content.start, script.content.end), script.content.start);
  }
  walkMarkup(file, source, tree.fragment, false);
}

function walkMarkup(file, source, node, isFixed) {
  if (node === null || typeof node !== "object") return;
  if (Array.isArray(node)) {
    for (const child of node) walkMarkup(file, source, child, isFixed);
    return;
  }
  if (node.type === "Text" && !isFixed && WORD.test(node.data) && !isAllowed(node.data))
    report(file, source, node.start, node.data);
  if (node.type === "StyleDirective") return;
  if (node.type === "Attribute") {
    checkAttribute(file, source, node);
    return;
  }
  if (node.type === "ExpressionTag" || node.type === "RenderTag" || node.type === "ConstTag") {
    checkScript(file, source, `(${source.slice(node.start + 1, node.end - 1).replace(/^@\w+/, "")})`, node.start);
    return;
  }
  const fixed = isFixed || FIXED.includes(node.name);
  for (const [name, child] of Object.entries(node)) {
    if (name !== "expression" && name !== "metadata") walkMarkup(file, source, child, fixed);
  }
  if (node.expression?.start !== undefined && node.type !== "EachBlock")
    checkScript(file, source, `(${source.slice(node.expression.start, node.expression.end)})`, node.expression.start);
}

function checkAttribute(file, source, node) {
  for (const part of Array.isArray(node.value) ? node.value : [node.value]) {
    if (part === true) continue;
    if (part.type === "ExpressionTag")
      checkScript(file, source, `(${source.slice(part.start + 1, part.end - 1)})`, part.start);
    else if (node.name === "text") used.add(part.data);
    else if (SPOKEN.includes(node.name) && WORD.test(part.data)) report(file, source, part.start, part.data);
  }
}

for (const file of listFiles(SOURCES)) {
  const source = readFileSync(file, "utf8");
  // Generated types, and the names of the languages, each in its own.
  if (/(contract|i18n\.svelte)\.ts$/.test(file)) continue;
  if (file.endsWith(".svelte")) checkMarkup(file, source);
  else checkScript(file, source, source, 0);
}
checkMessages();
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
