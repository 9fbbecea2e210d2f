/** Commands that take shell text: `sh -c`, `eval`, `trap`, `alias`, `source`, `su -c`, `watch`. */
import type { Inner, Runs } from "./run-types.ts";
import type { Word } from "./types.ts";
import { joinWords } from "./word.ts";

const SHELLS = /^(?:r?bash|dash|ash|sh|zsh|m?ksh(?:93)?|yash|posh)$/;
const STDIN = /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/;

export const isShell = (name: string): boolean => SHELLS.test(name);

export function shellRuns(name: string, words: readonly Word[]): Runs | undefined {
  if (!SHELLS.test(name)) return undefined;
  const { at, takesText, readsInput } = shellOptions(words);
  const operand = words[at];
  if (takesText) {
    if (operand === undefined) return undefined;
    const positional = words.slice(at + 2);
    return { inners: [{ kind: "script", text: operand, positional, scope: "child" }], transparent: true };
  }
  if (operand === undefined || readsInput) {
    return { inners: [{ kind: "input", scope: "child" }], transparent: true };
  }
  return fileRuns(operand, "child");
}

interface ShellOptions {
  /** The index of the first operand. */
  readonly at: number;
  readonly takesText: boolean;
  readonly readsInput: boolean;
}

function shellOptions(words: readonly Word[]): ShellOptions {
  const texts = words.map((word) => word.text);
  let at = 1;
  const given: string[] = [];
  for (; /^(?:--?$|[-+].)/.test(texts[at] ?? ""); at++) {
    const text = texts[at] ?? "";
    if (text === "--" || text === "-") {
      at++;
      break;
    }
    given.push(text);
    if (/^(?:--(?:rcfile|init-file)|[-+][a-zA-Z]*[oO])$/.test(text)) at++;
  }
  const takesText = given.some((text) => /^-[a-zA-Z]*c/.test(text));
  return { at, takesText, readsInput: given.some((text) => /^-[a-zA-Z]*s/.test(text)) };
}

/** A script file whose content is known because the text itself produces it. */
function fileRuns(file: Word, scope: "same" | "child"): Runs | undefined {
  if (STDIN.test(file.text)) return { inners: [{ kind: "input", scope }], transparent: true };
  if (file.flow === undefined || file.shape !== "/dev/fd/63") return undefined;
  if (file.flow.kind === "text") {
    const text: Word = { text: file.flow.text, shape: file.flow.text, known: true, pattern: false, split: false };
    return { inners: [{ kind: "script", text, positional: [], scope }], transparent: true };
  }
  return { inners: [], transparent: false, problem: "it runs commands that cannot be seen" };
}

export function builtinRuns(name: string, words: readonly Word[]): Runs | undefined {
  const rest = words.slice(1);
  if (name === "eval") {
    const operands = rest[0]?.text === "--" ? rest.slice(1) : rest;
    if (operands.length === 0) return undefined;
    return {
      inners: [{ kind: "script", text: joinWords(operands), positional: [], scope: "same" }],
      transparent: true,
    };
  }
  if (name === "trap") return trapRuns(rest);
  if (name === "alias") return aliasRuns(rest);
  if (name === "source" || name === ".") {
    const file = rest.find((word) => word.text !== "--");
    return file === undefined ? undefined : fileRuns(file, "same");
  }
  return undefined;
}

function trapRuns(rest: readonly Word[]): Runs | undefined {
  const operands = rest[0]?.text === "--" ? rest.slice(1) : rest;
  const [action] = operands;
  if (action === undefined || operands.length < 2 || /^-[lpP]?$/.test(action.text) || action.text === "")
    return undefined;
  const inner: Inner = { kind: "script", text: action, positional: [], scope: "same" };
  // These run between all later commands, and can change what they mean.
  const meddles = operands.slice(1).some((word) => !word.known || /^(?:DEBUG|RETURN|ERR)$/i.test(word.text));
  if (meddles) return { inners: [inner], transparent: false, problem: "its trap runs between all later commands" };
  return { inners: [inner], transparent: true };
}

function aliasRuns(rest: readonly Word[]): Runs | undefined {
  const inners = rest.flatMap((word): Inner[] => {
    const cut = word.text.indexOf("=");
    if (cut < 0) return [];
    const text = word.text.slice(cut + 1);
    return [{ kind: "script", text: { ...word, text, shape: text }, positional: [], scope: "child" }];
  });
  return inners.length === 0 ? undefined : { inners, transparent: false };
}

/** Programs with an option or operand that they hand to a shell. */
export function textRuns(name: string, words: readonly Word[]): Runs | undefined {
  switch (name) {
    case "su":
    case "runuser":
    case "flock":
      return optionText(words, /^(?:-[a-zA-Z]*c|--(?:session-)?command)(?:=([\s\S]*))?$/);
    case "script": // it also writes what is shown to a file
      return optionText(words, /^(?:-[a-zA-Z]*c|--command)(?:=([\s\S]*))?$/, true);
    case "npm":
    case "npx":
      return optionText(words, /^(?:-c|--call)(?:=([\s\S]*))?$/, true);
    case "watch": {
      const at = firstOperand(words, /^(?:-n|-[a-z]*n|--interval|-q|--equexit)$/);
      if (at >= words.length) return undefined;
      const text = joinWords(words.slice(at));
      return { inners: [{ kind: "script", text, positional: [], scope: "child" }], transparent: true };
    }
    case "parallel":
      return { inners: [], transparent: false, problem: "what parallel runs cannot be resolved" };
    default:
      return undefined;
  }
}

function optionText(words: readonly Word[], option: RegExp, opaque = false): Runs | undefined {
  for (const [index, word] of words.entries()) {
    const match = index === 0 ? null : option.exec(word.text);
    if (match === null) continue;
    const attached = match[1];
    const text = attached === undefined ? words[index + 1] : { ...word, text: attached, shape: attached };
    if (text === undefined) return undefined;
    return { inners: [{ kind: "script", text, positional: [], scope: "child" }], transparent: !opaque };
  }
  return undefined;
}

function firstOperand(words: readonly Word[], takesValue: RegExp): number {
  let at = 1;
  for (; at < words.length; at++) {
    const text = words[at]?.text ?? "";
    if (!text.startsWith("-")) break;
    if (takesValue.test(text)) at++;
  }
  return at;
}
