/** Keys as people write them in a config file, as tables hold them, and as the screen shows them. */
import { err, nearest, ok, type Result } from "../../shared/index.ts";

const NAMED = [
  ...["enter", "escape", "tab", "backspace", "delete", "insert", "home", "end", "pageup", "pagedown"],
  ...["up", "down", "left", "right", "space"],
  ...Array.from({ length: 24 }, (_, at) => `f${at + 1}`),
];

const ALIASES: ReadonlyMap<string, string> = new Map([
  ["esc", "escape"],
  ["return", "enter"],
  ["del", "delete"],
  ["ins", "insert"],
  ["pgup", "pageup"],
  ["pgdn", "pagedown"],
  ["pgdown", "pagedown"],
  ["page-up", "pageup"],
  ["page-down", "pagedown"],
  ["bs", "backspace"],
]);

const MODIFIER = /^(ctrl|control|alt|meta|option|shift)[+-](?=.)/i;
const IS: Readonly<Record<string, "ctrl" | "alt" | "shift">> = {
  ctrl: "ctrl",
  control: "ctrl",
  alt: "alt",
  meta: "alt",
  option: "alt",
  shift: "shift",
};

const MAX_STEPS = 3;

/** One key or a sequence, as the tables write it. The error completes "expected …". */
export function keysOf(typed: string): Result<string, string> {
  const words = typed.trim().split(/\s+/);
  if (words[0] === "") return err("a key such as ctrl+t");
  if (words.length > MAX_STEPS) return err(`at most ${MAX_STEPS} keys, one behind the other`);
  const steps = words.map(stepOf);
  const wrong = steps.find((step) => !step.ok);
  if (wrong && !wrong.ok) return wrong;
  const keys = steps.flatMap((step, at) => (step.ok ? [at > 0 ? step.value.toLowerCase() : step.value] : []));
  if (keys.length > 1 && isTyped(keys[0] ?? "")) return err("a sequence that begins with a key that types nothing");
  return ok(keys.join(" "));
}

function stepOf(word: string): Result<string, string> {
  const modifiers = new Set<string>();
  let name = word;
  for (let found = MODIFIER.exec(name); found; found = MODIFIER.exec(name)) {
    modifiers.add(IS[found[1]?.toLowerCase() ?? ""] ?? "");
    name = name.slice(found[0].length);
  }
  const known = nameOf(name);
  if (known === undefined) {
    const near = nearest(name.toLowerCase(), [...NAMED, ...ALIASES.keys()]);
    return err(near ? `a known key (did you mean ${ALIASES.get(near) ?? near}?)` : "a known key, such as ctrl+t or f5");
  }
  return ok(joined(modifiers, known));
}

function nameOf(name: string): string | undefined {
  const lower = name.toLowerCase();
  const named = ALIASES.get(lower) ?? lower;
  if (NAMED.includes(named)) return named;
  return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(name) ? name : undefined;
}

/** Shift is part of a sign that types itself: `shift+g` is `G`. */
function joined(modifiers: ReadonlySet<string>, name: string): string {
  const [ctrl, alt, shift] = [modifiers.has("ctrl"), modifiers.has("alt"), modifiers.has("shift")];
  const isSign = !NAMED.includes(name);
  if (isSign && !ctrl && !alt) return shift ? name.toUpperCase() : name;
  const showsShift = shift || (isSign && name !== name.toLowerCase() && !ctrl);
  return `${ctrl ? "ctrl+" : ""}${alt ? "alt+" : ""}${showsShift ? "shift+" : ""}${name.toLowerCase()}`;
}

/** It stands for itself in a text: bound where text is typed, it could not be typed any more. */
export const isTyped = (keys: string): boolean =>
  keys === "space" || !(keys.includes("+") || NAMED.includes(keys)) || keys === "+";

/** What a terminal without the newer protocol cannot tell from another key, or does not send at all. */
const NEEDS_KITTY = [
  /^(ctrl\+|alt\+)*shift\+(enter|escape|backspace|space)$/,
  /^ctrl\+(alt\+)?(shift\+)?(enter|escape|tab|backspace)$/,
  /^(ctrl\+)(alt\+)?shift\+.$/u, // a letter with Ctrl has no case
  /^ctrl\+(alt\+)?[^a-z\s@[\\\]^_-]$/u,
  /^ctrl\+(alt\+)?[him[]$/, // Backspace, Tab, Enter and Escape under another name
];

export const canBeSent = (keys: string, hasKittyKeyboard: boolean): boolean =>
  hasKittyKeyboard || keys.split(" ").every((step) => !NEEDS_KITTY.some((pattern) => pattern.test(step)));

const SHOWN: Readonly<Record<string, string>> = {
  escape: "Esc",
  pageup: "PgUp",
  pagedown: "PgDn",
  up: "↑",
  down: "↓",
  left: "←",
  right: "→",
};

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** `Ctrl+X D`, `Alt+↑`, `G`. */
export const shownKeys = (keys: string): string =>
  keys
    .split(" ")
    .map((step, at) => shownStep(step, at > 0))
    .join(" ");

function shownStep(step: string, isBehind: boolean): string {
  const parts = step.length > 1 ? step.split(/\+(?=.)/) : [step];
  const name = parts.pop() ?? "";
  const hasCase = parts.length === 0 && !isBehind && name.length === 1;
  return [...parts.map(capital), SHOWN[name] ?? (hasCase ? name : capital(name))].join("+");
}

/** `^X D`, `Alt+Enter`: for a hint that has no room. */
export const shortKeys = (keys: string): string => shownKeys(keys).replaceAll(/Ctrl\+(.)(?=\s|$)/gu, "^$1");
