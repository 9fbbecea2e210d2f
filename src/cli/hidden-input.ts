/** Reads one line that nobody may see: typed on a terminal without echo, or piped in. The terminal is always set back. */
import { EXIT, UserError } from "../shared/index.ts";
import type { Output } from "./output.ts";

const MAX_BYTES = 64 * 1024;

/** Undefined when the person gave up, by Ctrl+C or Ctrl+D. Throws UserError, and no part of what was typed, when it is too much. */
export function hiddenLine(question: string, output: Output): Promise<string | undefined> {
  return process.stdin.isTTY ? typedLine(question, output) : pipedText();
}

async function pipedText(): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of Bun.stdin.stream()) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new UserError(TOO_LONG, EXIT.usage);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

const TOO_LONG = `what came has more than ${MAX_BYTES} bytes, and no key is so long; nothing was changed`;

async function typedLine(question: string, output: Output): Promise<string | undefined> {
  const { stdin } = process;
  const restore = () => void stdin.setRawMode(false);
  const die = () => {
    restore();
    process.exit(EXIT.terminated);
  };
  output.err(question);
  stdin.setRawMode(true);
  for (const signal of DEADLY) process.on(signal, die);
  try {
    let line: Line = { typed: "" };
    for await (const chunk of stdin) {
      line = afterKeys(line.typed, String(chunk));
      if (line.end) break;
    }
    return line.end === "given-up" ? undefined : line.typed;
  } finally {
    for (const signal of DEADLY) process.off(signal, die);
    restore();
    output.err("\n");
  }
}

const DEADLY = ["SIGTERM", "SIGHUP"] as const;

export interface Line {
  readonly typed: string;
  readonly end?: "entered" | "given-up";
}

const CONTROL: Readonly<Record<string, (typed: string) => Line>> = {
  "\r": (typed) => ({ typed, end: "entered" }),
  "\n": (typed) => ({ typed, end: "entered" }),
  "\u0003": () => ({ typed: "", end: "given-up" }),
  "\u0004": () => ({ typed: "", end: "given-up" }),
  "\u007f": (typed) => ({ typed: [...typed].slice(0, -1).join("") }),
  "\b": (typed) => ({ typed: [...typed].slice(0, -1).join("") }),
  "\u0015": () => ({ typed: "" }),
};

const ESCAPE = "\u001b";
/** What a terminal puts around pasted text, and what its other keys send. */
const SEQUENCE = new RegExp(`${ESCAPE}(?:\\[[0-9;?]*[ -/]*[@-~]|O.|.)`, "g");

/** The line after these keys. Pure. */
export function afterKeys(before: string, keys: string): Line {
  let typed = before;
  for (const key of keys.replace(SEQUENCE, "")) {
    const line = CONTROL[key]?.(typed) ?? { typed: typed.length < MAX_BYTES ? typed + key : typed };
    if (line.end) return line;
    typed = line.typed;
  }
  return { typed };
}
