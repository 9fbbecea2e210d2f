/**
 * What was written to a terminal, taken apart: every control sequence has to be one that the interface writes by itself. What
 * comes from elsewhere is text, and text holds no control and no direction override.
 */

/** Final bytes of CSI sequences, with their parameters, that the library and the interface write. */
const KNOWN_CSI: readonly RegExp[] = [
  /^[0-9;:]*m$/, // colours and attributes
  /^(\d+(;\d+)?)?H$/, // the cursor's place
  /^\d*[ABCDGJK]$/,
  /^\?\d+(;\d+)*[hl]$/,
  /^\?\d+(;\d+)*\$p$/, // asks for a mode
  /^[0-9;]*t$/, // the title's stack, sizes
  /^[0-6] q$/, // the cursor's shape
  /^[<>=?]\d*(;\d+)*u$/, // the keyboard
  /^\?u$/,
  /^>4;[0-2]m$/,
  /^[?>]?0?c$/,
  /^>0?q$/, // asks for the terminal's name
  /^\??6n$/,
  /^[su]$/, // the cursor, saved and found again
  /^\??996n$/,
  /^\d*;?\d*r$/,
  /^!p$/,
];

/** The most that a parameter of ours can be; a planted one is larger. */
const MAX_PARAMETER = 3000;

const KNOWN_OSC: readonly RegExp[] = [
  /^0;[^\p{Cc}]*$/u, // the title
  /^1[012];\?$/,
  /^12;#?[\w:/]*$/,
  /^112$/,
  /^4;\d+;\?$/,
  /^52;c;[A-Za-z0-9+/=]*$/,
  /^9;[^\p{Cc}]*$/u,
  /^99;[^\p{Cc}]*$/u,
  /^777;notify;[^\p{Cc}]*$/u,
  /^66;[^\p{Cc}]*$/u,
  /^22;(default|text|pointer)?$/, // the mouse pointer's shape
  /^1337;Capabilities$/,
  /^7501;\?$/,
];

const KNOWN_DCS: readonly RegExp[] = [/^\+q[0-9A-Fa-f;]*$/, /^\$q.{0,3}$/];

/** ESC with one sign behind it: keypad, saved cursor. */
const KNOWN_ESCAPES = /^[=>78\\]$/;

/** C1 among them. A line feed and a bell are judged where they stand. */
const CONTROL = /\p{Cc}/u;
const TURNING = /[\u202a-\u202e\u2066-\u2069\ufeff]/;

/** Text that neither drives a terminal nor turns round what stands beside it. */
export const isHarmless = (text: string): boolean =>
  !(CONTROL.test(text.replaceAll("\n", "")) || TURNING.test(text)) && text.isWellFormed();

/** In words, what does not belong there; empty when all does. */
export function strangers(bytes: string): readonly string[] {
  const found: string[] = [];
  for (const match of bytes.matchAll(PARTS)) {
    if (isOurs(match.groups ?? {})) continue;
    found.push(JSON.stringify(bytes.slice(Math.max(0, match.index - 12), match.index + match[0].length + 12)));
  }
  return found;
}

const [ESC, BEL] = ["\x1b", "\x07"];

/** A sequence that chooses colours and attributes; its numbers are the first group. */
export const SGR = new RegExp(`${ESC}\\[([\\d;:]*)m`, "g");

const PARTS = new RegExp(
  [
    `${ESC}\\[(?<csi>[ -?]*[@-~])`,
    `${ESC}(?<kind>[\\]PX^_])(?<content>[^${BEL}${ESC}]*)(?:${BEL}|${ESC}\\\\)`,
    `${ESC}(?<code>.)`,
    "(?<sign>[\\s\\S])",
  ].join("|"),
  "gu",
);

/** What was last written to the clipboard by OSC 52; empty when nothing was. */
export function copiedText(bytes: string): string {
  const contents = [...bytes.matchAll(PARTS)].map(({ groups: { content = "" } = {} }) => content);
  const coded = contents.findLast((content) => content.startsWith("52;c;")) ?? "52;c;";
  return Buffer.from(coded.slice("52;c;".length), "base64").toString("utf8");
}

function isOurs({ csi, kind, content = "", code, sign = "" }: Readonly<Record<string, string | undefined>>): boolean {
  if (csi !== undefined) return isKnownCsi(csi);
  if (kind !== undefined) return isKnownString(kind, content);
  if (code !== undefined) return KNOWN_ESCAPES.test(code);
  return "\r\n\x07".includes(sign) || !(CONTROL.test(sign) || TURNING.test(sign));
}

function isKnownCsi(sequence: string): boolean {
  const numbers = sequence.match(/\d+/g) ?? [];
  return KNOWN_CSI.some((known) => known.test(sequence)) && numbers.every((number) => Number(number) <= MAX_PARAMETER);
}

function isKnownString(kind: string, content: string): boolean {
  if (TURNING.test(content)) return false;
  if (kind === "]") return KNOWN_OSC.some((known) => known.test(content));
  if (kind === "P") return KNOWN_DCS.some((known) => known.test(content));
  return kind === "_" && /^G[^;]*;?[A-Za-z0-9+/=]*$/.test(content);
}
