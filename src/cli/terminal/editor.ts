/** A text in the user's own editor. The draft is replaced only by what the editor saved and ended well with. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { errorMessage } from "../../shared/index.ts";
import type { Outside } from "../../tui/index.ts";
import type { Environment } from "../settings.ts";
import { findProgram, runOnTerminal, wordsOf } from "./programs.ts";

const FALLBACKS = ["vi", "nano"];
const MAX_BYTES = 8 * 1024 * 1024;

interface EditorParts {
  readonly env: Environment;
  readonly cwd: string;
}

type Edited = Awaited<ReturnType<Outside["edit"]>>;

const KEPT = "The draft is as it was.";

export async function editOutside(text: string, { env, cwd }: EditorParts): Promise<Edited> {
  const chosen = editorOf(env);
  if ("problem" in chosen) return chosen;
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(tmpdir(), "khaelor-draft-")); // for its owner alone
    const file = join(folder, "draft.md");
    writeFileSync(file, text, { mode: 0o600 });
    const ended = await runOnTerminal({ words: [...chosen.words, file], env, cwd });
    const name = basename(chosen.words[0] ?? "");
    if ("error" in ended) return { problem: `${name} could not be started (${ended.error}). ${KEPT}` };
    if (ended.exitCode !== 0) return { problem: `${name} ended with ${ended.signal ?? ended.exitCode}. ${KEPT}` };
    return saved(file, text);
  } catch (error) {
    return { problem: `The draft could not be handed to an editor (${errorMessage(error)}). ${KEPT}` };
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** Editors end the last line; where the draft had no such end it gets none. */
function saved(file: string, before: string): Edited {
  if (statSync(file).size > MAX_BYTES) return { problem: `What was saved is larger than 8 MiB. ${KEPT}` };
  const text = readFileSync(file, "utf8").replaceAll("\r\n", "\n");
  return { text: before.endsWith("\n") ? text : text.replace(/\n$/, "") };
}

/** The first variable that says something counts; one that cannot be followed is told, not passed over. */
function editorOf(env: Environment): { readonly words: readonly string[] } | { readonly problem: string } {
  const name = ["VISUAL", "EDITOR"].find((variable) => env[variable]?.trim());
  if (name === undefined) {
    const found = FALLBACKS.map((one) => findProgram(one, env)).find((path) => path !== undefined);
    return found ? { words: [found] } : { problem: `There is no editor: set EDITOR. ${KEPT}` };
  }
  const [program, ...rest] = wordsOf(env[name] ?? "") ?? [];
  if (program === undefined) return { problem: `${name} holds a quote that is not closed. ${KEPT}` };
  const path = findProgram(program, env);
  return path ? { words: [path, ...rest] } : { problem: `${name} names ${program}, which is not there. ${KEPT}` };
}
