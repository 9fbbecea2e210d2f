/**
 * Makes foreign text (command output, model text, file names) safe for the log's readers, the model and a terminal:
 * escape sequences go with their payload, other control characters go too, a carriage return keeps the last state of its
 * line. One sanitiser serves one stream, so a sequence that is split over two chunks is still removed.
 */
import { wellFormed } from "./text.ts";

type Mode = "text" | "escape" | "intermediate" | "csi" | "string";

export interface Sanitizer {
  /** The clean part of what is known so far. */
  push(chunk: string): string;
  /** Ends the stream; an unfinished sequence is dropped. */
  end(): string;
}

/** Where a character leads, and whether it is itself text. */
interface Step {
  readonly mode: Mode;
  readonly keep?: true;
}

/** CSI, OSC, DCS, SOS, PM and APC as in ECMA-48, in their 7-bit and 8-bit forms; other escapes as in ECMA-35. */
const STEPS: Readonly<Record<Mode, (code: number, char: string) => Step>> = {
  text: plain,
  escape: (code, char) => {
    if (char === "[") return { mode: "csi" };
    return "]PX^_".includes(char) ? { mode: "string" } : escaped(code, char);
  },
  intermediate: escaped,
  csi: (code, char) => {
    if (code >= 0x40 && code <= 0x7e) return { mode: "text" };
    return code >= 0x20 && code <= 0x7f ? { mode: "csi" } : plain(code, char);
  },
  string: (code, char) => {
    if (STRING_ENDS.has(code)) return { mode: "text" };
    if (code === 0x1b) return { mode: "escape" }; // ST, or a new sequence that breaks the string off
    return code === 0x0a ? plain(code, char) : { mode: "string" };
  },
};

/** BEL, CAN, SUB and the 8-bit ST. A line feed ends a string too: one that is never closed hides its own line only. */
const STRING_ENDS: ReadonlySet<number> = new Set([0x07, 0x18, 0x1a, 0x9c]);

function plain(code: number, _char: string): Step {
  if (code === 0x1b) return { mode: "escape" };
  if (code === 0x9b) return { mode: "csi" };
  if (STRING_OPENERS.has(code)) return { mode: "string" };
  return isPrintable(code) ? { mode: "text", keep: true } : { mode: "text" };
}

const STRING_OPENERS: ReadonlySet<number> = new Set([0x90, 0x98, 0x9d, 0x9e, 0x9f]);

export function createSanitizer(): Sanitizer {
  let mode: Mode = "text";
  return {
    push(chunk) {
      if (mode === "text" && !NEEDS_WORK.test(chunk)) return wellFormed(chunk);
      let clean = "";
      for (const char of chunk) {
        const next = STEPS[mode](char.codePointAt(0) ?? 0, char);
        mode = next.mode;
        if (next.keep) clean += char;
      }
      return wellFormed(clean);
    },
    end() {
      mode = "text";
      return "";
    },
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose.
const NEEDS_WORK = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff]/;

/** Any number of intermediate bytes, then a final one. What can be neither is no part of the sequence, so it stands for itself. */
function escaped(code: number, char: string): Step {
  if (code >= 0x20 && code <= 0x2f) return { mode: "intermediate" };
  return code >= 0x30 && code <= 0x7e ? { mode: "text" } : plain(code, char);
}

/** Tab, line feed and carriage return stay; controls and the invisible direction overrides do not. */
function isPrintable(code: number): boolean {
  if (code === 0x09 || code === 0x0a || code === 0x0d) return true;
  if (code < 0x20 || (code >= 0x7f && code <= 0x9f) || code === 0xfeff) return false;
  return !((code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069));
}

/** The lines as a terminal would leave them: what a lone carriage return overwrote is gone. */
export function collapseCarriageReturns(text: string): string {
  if (!text.includes("\r")) return text;
  return text
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => {
      const states = line.split("\r").filter((state) => state !== "");
      return states.at(-1) ?? "";
    })
    .join("\n");
}

/** A whole text at once. */
export function sanitize(text: string): string {
  const sanitizer = createSanitizer();
  return collapseCarriageReturns(sanitizer.push(text) + sanitizer.end());
}
