/** Keys by the names of the keymap, as the bytes that a terminal sends for them. */

const NAMED: Readonly<Record<string, string>> = {
  enter: "\r",
  escape: "\u001b",
  tab: "\t",
  space: " ",
  backspace: "\u007f",
  up: "\u001b[A",
  down: "\u001b[B",
  right: "\u001b[C",
  left: "\u001b[D",
  home: "\u001b[H",
  end: "\u001b[F",
  insert: "\u001b[2~",
  delete: "\u001b[3~",
  pageup: "\u001b[5~",
  pagedown: "\u001b[6~",
  f1: "\u001bOP",
  f2: "\u001bOQ",
  f3: "\u001bOR",
  f4: "\u001bOS",
  f5: "\u001b[15~",
  f12: "\u001b[24~",
};

interface Held {
  readonly shift: boolean;
  readonly alt: boolean;
  readonly ctrl: boolean;
}

/** `ctrl+c`, `alt+enter`, `shift+tab`, `ctrl+shift+up`, `x`. Throws for what no terminal sends. */
export function keyBytes(name: string): string {
  const parts = name.split("+");
  const base = parts.pop() || "+";
  const held: Held = { shift: parts.includes("shift"), alt: parts.includes("alt"), ctrl: parts.includes("ctrl") };
  const known = NAMED[base];
  if (base === "tab" && held.shift) return "\u001b[Z";
  if (base === "enter" && held.shift) return `\u001b[13;${modifierOf(held)}u`; // only some terminals have it
  if (known !== undefined && known.length > 1 && modifierOf(held) > 1) return modified(known, modifierOf(held));
  const plain = known ?? (held.shift ? base.toUpperCase() : base);
  const sent = held.ctrl ? controlOf(plain, name) : plain;
  return held.alt ? `\u001b${sent}` : sent;
}

const modifierOf = ({ shift, alt, ctrl }: Held): number => 1 + (shift ? 1 : 0) + (alt ? 2 : 0) + (ctrl ? 4 : 0);

function modified(known: string, modifier: number): string {
  const number = /(\d+)~$/.exec(known)?.[1];
  return number === undefined ? `\u001b[1;${modifier}${known.at(-1)}` : `\u001b[${number};${modifier}~`;
}

function controlOf(base: string, name: string): string {
  if (base === " ") return "\u0000";
  if (base === "\u007f") return "\b";
  if (/^[a-z[\\\]^_]$/i.test(base)) return String.fromCharCode(base.toUpperCase().charCodeAt(0) & 0x1f);
  throw new Error(`no terminal sends ${name}`);
}
