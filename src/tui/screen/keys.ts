/**
 * A key as the library parsed it, as the interface knows it. What is no key here gives nothing: sequences that nobody knows,
 * keys with a modifier that the interface has no name for, keys that only modify.
 */
import type { KeyEvent } from "@opentui/core";
import type { Key } from "../key.ts";

export type ParsedKey = Pick<
  KeyEvent,
  "name" | "ctrl" | "meta" | "shift" | "sequence" | "raw" | "source" | "super" | "hyper" | "baseCode"
>;

/** None, one, or two: Escape pressed twice arrives like one key with Alt. */
export function keysOf(event: ParsedKey): readonly Key[] {
  if (event.super || event.hyper) return [];
  if (event.raw === "\x1b\x1b") return [ESCAPE, ESCAPE];
  if (event.source === "raw" && event.raw.startsWith("\x1b")) {
    const typed = event.raw.slice(1);
    // Letters are not left to the library, which takes some for arrows of old terminals.
    if (isOneSign(typed)) return [withAlt(typed)];
  }
  const { name, text } = named(event);
  if (name === "" || IGNORED.has(name) || /[\p{Cc}\ufffd]/u.test(name)) return [];
  const { ctrl: isCtrl, meta: alt, shift } = event;
  const ctrl = isCtrl || event.name === "linefeed";
  const types = !ctrl && !alt && text !== undefined;
  return [{ name, ctrl, alt, shift, ...(types && { text }) }];
}

const ESCAPE: Key = { name: "escape", ctrl: false, alt: false, shift: false };

const isOneSign = (text: string): boolean => [...text].length === 1 && isText(text) && text !== " ";

/** No control character, and nothing that was not understood. */
const isText = (text: string): boolean => text !== "" && !/[\p{Cc}\p{Cs}\ufffd]/u.test(text);

const withAlt = (sign: string): Key => {
  const name = sign.toLowerCase();
  return { name, ctrl: false, alt: true, shift: name !== sign };
};

/** By the library's name. */
const NAMES: Readonly<Record<string, string>> = { return: "enter", kpenter: "enter", linefeed: "j", esc: "escape" };

const IGNORED: ReadonlySet<string> = new Set([
  ...["capslock", "scrolllock", "numlock", "printscreen", "pause", "mute", "volumedown", "volumeup"],
  ...["left", "right"].flatMap((side) =>
    ["shift", "ctrl", "alt", "super", "hyper", "meta"].map((modifier) => `${side}${modifier}`),
  ),
  ...["iso_level3_shift", "iso_level5_shift"],
]);

/** Of the keypad, without the signs: those are told by what they type. */
const KEYPAD = /^kp(left|right|up|down|pageup|pagedown|home|end|insert|delete)$/;

function named({ name, sequence, ctrl, meta, baseCode }: ParsedKey): { readonly name: string; readonly text?: string } {
  if (name === "space") return { name, text: " " };
  const known = NAMES[name] ?? KEYPAD.exec(name)?.[1];
  if (known !== undefined) return { name: known };
  if (!isText(sequence)) return { name: name.toLowerCase() };
  if (name.startsWith("kp")) return { name: sequence, text: sequence };
  // With Ctrl or Alt the place of the key counts, whatever the keyboard's alphabet.
  const placed = (ctrl || meta) && baseCode !== undefined ? String.fromCodePoint(baseCode) : name;
  return { name: (placed || sequence).toLowerCase(), text: sequence };
}
