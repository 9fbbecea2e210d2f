/**
 * A scripted model for tests of the terminal: it does what the user's newest message says, a line each, and then answers.
 * `read PATH`, `run COMMAND`, `edit PATH OLD => NEW`, `write PATH TEXT`, `think WORDS`, `say WORDS`, `text KILOBYTES`,
 * `slow TOKENS_PER_SECOND` for the pace of its answer. Anything else is answered with "You said: …".
 */
import type { Script, ScriptedBlock, ScriptRequest } from "../../src/simulator/index.ts";

type Call = Extract<ScriptedBlock, { type: "tool_use" }>;

const CALLS: Readonly<Record<string, (rest: string) => Call>> = {
  read: (rest) => ({ type: "tool_use", name: "read", input: { file_path: rest } }),
  run: (rest) => ({ type: "tool_use", name: "bash", input: { command: rest } }),
  edit(rest) {
    const [, file_path = "", old_string = "", new_string = ""] = /^(\S+) (.*) => (.*)$/s.exec(rest) ?? [];
    return { type: "tool_use", name: "edit", input: { file_path, old_string, new_string } };
  },
  write(rest) {
    const [, file_path = "", content = ""] = /^(\S+) (.*)$/s.exec(rest) ?? [];
    return { type: "tool_use", name: "write", input: { file_path, content: `${content}\n` } };
  },
};

interface Order {
  readonly word: string;
  readonly rest: string;
}

function orders(text: string): readonly Order[] {
  return text.split("\n").flatMap((line) => {
    const [, word = "", rest = ""] = /^\s*(\w+):?\s*(.*)$/.exec(line) ?? [];
    return word === "" ? [] : [{ word, rest }];
  });
}

/** Prose, lists, code and wide text in turn. */
export function sampleText(bytes: number): string {
  const parts: string[] = [];
  let size = 0;
  for (let n = 1; size < bytes; n++) {
    const part = SAMPLES[n % SAMPLES.length]?.(n) ?? "";
    parts.push(part);
    size += Buffer.byteLength(part) + 2;
  }
  return parts.join("\n\n");
}

const SAMPLES: readonly ((n: number) => string)[] = [
  (n) =>
    `## Part ${n}\n\nThe log is **read once**, line by line, and \`fold ${n}\` keeps what it needs. Nothing else is held.`,
  (n) => `- first of ${n}\n- second, with \`code\` and *stress*\n  - below it\n\n1. one\n2. two`,
  (n) => `\`\`\`ts\nexport function part${n}(text: string): number {\n  return text.length + ${n}; // cells\n}\n\`\`\``,
  (n) => `漢字とかな ${n}、そして naïve café — 👩‍💻 done. | a | b |`,
  (n) => `| name | value |\n| --- | ---: |\n| part | ${n} |\n| next | ${n + 1} |`,
];

export const obedientModel: Script = (request: ScriptRequest) => {
  const { text: said, calls: answered } = sinceSaid(request);
  const all = orders(said);
  const calls = all.flatMap(({ word, rest }) => {
    const call = CALLS[word]?.(rest);
    return call ? [call] : [];
  });
  const restOf = (wanted: string) => all.filter(({ word }) => word === wanted).map(({ rest }) => rest);
  const next = calls[answered];
  const thinking =
    answered === 0 ? restOf("think").map((words) => ({ type: "thinking" as const, thinking: words })) : [];
  if (next) return { content: [...thinking, next] };
  const kilobytes = Number(restOf("text")[0] ?? 0);
  const words = [...restOf("say"), ...(kilobytes > 0 ? [sampleText(kilobytes * 1024)] : [])].join("\n\n");
  const pace = Number(restOf("slow")[0] ?? 0);
  const text = words || (calls.length > 0 ? "Done." : `You said: ${said}`);
  const stream = pace > 0 ? { deltaChars: 16, deltaMs: Math.max(1, Math.round(4000 / pace)) } : undefined; // 4 characters a token
  return { content: [...thinking, { type: "text", text }], ...(stream && { stream }) };
};

type Block = { readonly type: string; readonly text?: string };

/** What the user said last, and how many calls were made since. */
function sinceSaid({ body }: ScriptRequest): { readonly text: string; readonly calls: number } {
  const messages = body.messages as readonly { role: string; content: string | readonly Block[] }[];
  let calls = 0;
  for (const { role, content } of messages.toReversed()) {
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
    const text = blocks.findLast(({ type }) => type === "text")?.text;
    if (role === "user" && text !== undefined) return { text, calls };
    if (role === "assistant") calls += blocks.filter(({ type }) => type === "tool_use").length;
  }
  return { text: "", calls };
}
