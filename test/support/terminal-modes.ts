/**
 * What a program has switched on at its terminal, read from the bytes it wrote and nothing else: a terminal's own emulation
 * would not tell what a program forgot to switch off. Sequences may be cut anywhere between two pieces.
 */

/** The private modes that matter here; `cursor` is on by itself. */
const NAMES: Readonly<Record<string, ModeName>> = {
  "47": "alternate-screen",
  "1047": "alternate-screen",
  "1049": "alternate-screen",
  "2004": "bracketed-paste",
  "9": "mouse-9",
  "1000": "mouse-1000",
  "1002": "mouse-1002",
  "1003": "mouse-1003",
  "1005": "mouse-1005",
  "1006": "mouse-1006",
  "1015": "mouse-1015",
  "1016": "mouse-1016",
  "1004": "focus",
  "2026": "synchronized",
  "2031": "theme-reports",
  "1": "application-cursor",
};

export type ModeName =
  | "alternate-screen"
  | "bracketed-paste"
  | `mouse-${9 | 1000 | 1002 | 1003 | 1005 | 1006 | 1015 | 1016}`
  | "focus"
  | "synchronized"
  | "theme-reports"
  | "application-cursor"
  | "cursor-hidden"
  | "application-keypad"
  | "modify-other-keys"
  | "kitty-keyboard"
  | "colour"
  | "scroll-region";

export interface ModeTracker {
  write(text: string): void;
  /** What is on, sorted by name; empty is a terminal as a shell wants it. */
  on(): readonly ModeName[];
}

const ESC = "\u001b";
/** A whole control sequence, a string sequence, or another escape. */
const SEQUENCE = new RegExp(
  `${ESC}\\[([<-?]?)([0-9;:]*)([ -/]*)([@-~])|${ESC}[\\]P_^X][^\\u0007${ESC}]*(?:\\u0007|${ESC}\\\\)|${ESC}([ -/]*)([0-Z\\\\\`-~])`,
  "g",
);
const LONGEST_PART = 1 << 20;

export function trackModes(): ModeTracker {
  const on = new Set<ModeName>();
  /** Each of the two screens has its own keyboard stack. */
  const keyboards = { main: [] as number[], alternate: [] as number[] };
  let rest = "";
  const set = (name: ModeName | undefined, isOn: boolean) => {
    if (name === undefined) return;
    if (isOn) on.add(name);
    else on.delete(name);
  };
  const keyboard = () => (on.has("alternate-screen") ? keyboards.alternate : keyboards.main);

  function control(prefix: string, parameters: string, final: string): void {
    if (prefix === "?" && "hl".includes(final)) setPrivate(parameters, final === "h");
    else if (final === "u") setKeyboard(prefix, parameters);
    else if (final === "m") setStyle(prefix, parameters);
    else if (final === "r" && prefix === "") set("scroll-region", parameters !== "");
  }

  function setPrivate(parameters: string, isOn: boolean): void {
    for (const number of parameters.split(";")) {
      if (number === "25") set("cursor-hidden", !isOn);
      else set(NAMES[number], isOn);
    }
  }

  function setKeyboard(prefix: string, parameters: string): void {
    const stack = keyboard();
    const flags = Number.parseInt(parameters, 10);
    if (prefix === ">") stack.push(flags || 0);
    else if (prefix === "<") stack.splice(-(flags || 1));
    else if (prefix === "=") stack.splice(-1, 1, flags || 0);
  }

  function setStyle(prefix: string, parameters: string): void {
    if (prefix === ">") set("modify-other-keys", /^4;[1-9]/.test(parameters));
    else if (prefix === "") set("colour", !/(?:^|;)0?$/.test(parameters));
  }

  return {
    write(text) {
      rest += text;
      let end = 0;
      for (const match of rest.matchAll(SEQUENCE)) {
        const [whole, prefix = "", parameters = "", between, final, , other] = match;
        end = match.index + whole.length;
        if (final !== undefined && between === "") control(prefix, parameters, final);
        else if (other === "=" || other === ">") set("application-keypad", other === "=");
      }
      const begun = rest.indexOf(ESC, end);
      rest = begun < 0 ? "" : rest.slice(begun).slice(-LONGEST_PART);
    },
    on() {
      const flags = Object.values(keyboards).some((stack) => (stack.at(-1) ?? 0) > 0);
      return [...on, ...(flags ? ["kitty-keyboard" as const] : [])].sort();
    },
  };
}
