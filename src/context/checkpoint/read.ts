/**
 * Reads what a model wrote as a checkpoint: lenient where the meaning is clear, strict where it is not. Aliases are not followed
 * and nothing below the third level is taken apart, so what it costs is bound by the length alone.
 */
import type { Document } from "yaml";
import { byteLength, err, errorMessage, type Result, wellFormed } from "../../shared/index.ts";
import { type AnswerYaml, yamlIn } from "./answer-yaml.ts";
import { meaningOf } from "./meaning.ts";
import { mended } from "./mending.ts";
import { type Tree, treeOf } from "./tree.ts";
import { CHECKPOINT_KEYS, type Checkpoint } from "./types.ts";

const MAX_ANSWER_BYTES = 256 * 1024;
const MAX_MENDED_LINES = 64;
/** All that is parsed again because of them; a checkpoint has 10 to 50 KiB. */
const MAX_MENDING_BYTES = 1024 * 1024;

/** The error is one sentence for the model, to be asked again with; it names the line of the answer where that is known. Never throws. */
export async function readCheckpoint(answer: string): Promise<Result<Checkpoint, string>> {
  const bytes = byteLength(answer);
  if (bytes > MAX_ANSWER_BYTES) {
    return err(`The checkpoint has ${bytes} bytes, and at most ${MAX_ANSWER_BYTES} can be read: make it shorter.`);
  }
  const text = wellFormed(answer)
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n");
  const yaml = yamlIn(text);
  if (!yaml.ok) return yaml;
  try {
    return await parsed(yaml.value);
  } catch (cause) {
    // The parser's own failures, such as a stack that is too deep, are about the text.
    return err(`The checkpoint cannot be read as YAML (${errorMessage(cause)}).`);
  }
}

async function parsed({ text, linesBefore, isClosed }: AnswerYaml): Promise<Result<Checkpoint, string>> {
  const yaml = await import("yaml");
  const parse = (source: string): Document.Parsed => yaml.parseDocument(source, OPTIONS);
  const first = parse(text);
  let [document, source] = [first, text];
  const rounds = Math.min(MAX_MENDED_LINES, MAX_MENDING_BYTES / text.length);
  for (let round = 0; round < rounds && document.errors.length > 0; round++) {
    const next = firstMended(document, source);
    if (next === undefined) break;
    source = next;
    document = parse(source);
  }
  if (document.errors.length > 0) return err(complaint(first, text, linesBefore));
  const tree = treeOf(document.contents, source, yaml);
  if (!isClosed && endsInKey(tree)) return err("The checkpoint breaks off behind its last key.");
  return meaningOf(tree, linesBefore);
}

/** The last key of all may have nothing behind it. */
const endsInKey = (tree: Tree | undefined): boolean =>
  tree?.kind === "map" && tree.source.endsWith(":") && !tree.pairs.some(({ key }) => key === LAST_KEY);
const LAST_KEY = CHECKPOINT_KEYS.at(-1);

/** Every scalar is a text, as it stands there: 1.10 stays 1.10. Keys that stand twice are looked for by whoever reads them. */
const OPTIONS = { schema: "failsafe", uniqueKeys: false, prettyErrors: false, logLevel: "silent" } as const;

function firstMended({ errors }: Document.Parsed, source: string): string | undefined {
  const [error] = errors;
  return error && mended(source, { code: error.code, line: lineAt(source, error.pos[0]) });
}

const lineAt = (source: string, offset: number): number => source.slice(0, offset).split("\n").length - 1;

const MAX_QUOTED = 80;

function complaint({ errors: [error] }: Document.Parsed, source: string, linesBefore: number): string {
  const offset = error?.pos[0] ?? 0;
  const line = lineAt(source, offset);
  const what = (error?.message ?? "").replace(/\.$/, "");
  if (source.slice(offset).trim() === "") {
    return `The checkpoint breaks off in its last line, ${linesBefore + line + 1}: ${what}.`;
  }
  const shown = JSON.stringify((source.split("\n")[line] ?? "").trim().slice(0, MAX_QUOTED).toWellFormed());
  return `Line ${linesBefore + line + 1}, ${shown}, is not YAML: ${what}; put texts with special characters in double quotes or in a block scalar (|).`;
}
