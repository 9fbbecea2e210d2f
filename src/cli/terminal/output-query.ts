/** The whole of a result that the screen keeps only a part of: from the file beside the session, else from the log. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { eventsOfTypes } from "../../session/index.ts";
import { type DurableEvent, errorCode } from "../../shared/index.ts";
import { resolveRealPath } from "../real-path.ts";
import { sizeText } from "../words.ts";
import type { EngineHost } from "./host.ts";

/** What a person can page through; the file itself has all of it. */
const MAX_BYTES = 8 * 1024 * 1024;

const RESULTS: ReadonlySet<string> = new Set([
  "tool.completed",
  "tool.failed",
  "tool.cancelled",
  "user.message-created",
]);

/** `id` is a call's toolUseId, or of a command of the user's own that of its event. Undefined: there is no such result. */
export async function outputOf(
  host: Pick<EngineHost, "onScreen">,
  id: string,
  spillFolder: string,
): Promise<string | undefined> {
  const session = host.onScreen();
  if (!session) return undefined;
  let found: Result | undefined;
  for await (const event of eventsOfTypes(session.path, RESULTS)) {
    if (!("opaque" in event)) found = resultIn(event, id) ?? found;
  }
  if (!found) return undefined;
  const { text, spillFile } = found;
  return (spillFile === undefined ? undefined : spilled(spillFile, spillFolder)) ?? text;
}

interface Result {
  readonly text: string;
  readonly spillFile?: string | undefined;
}

function resultIn(event: DurableEvent, id: string): Result | undefined {
  switch (event.type) {
    case "tool.completed": {
      const { toolUseId, modelText: text, spillFile } = event.payload;
      return toolUseId === id ? { text, spillFile } : undefined;
    }
    case "tool.failed":
    case "tool.cancelled":
      return event.payload.toolUseId === id ? { text: event.payload.modelText } : undefined;
    case "user.message-created": {
      const { shell } = event.payload;
      return shell && event.id === id ? { text: shell.output, spillFile: shell.spillFile } : undefined;
    }
    default:
      return undefined;
  }
}

/** Only what lies where outputs are kept: a log may come from anywhere, and must not make other files be shown. */
function spilled(path: string, folder: string): string | undefined {
  if (!/^[\w-]+\.txt$/.test(basename(path)) || resolveRealPath(dirname(path)) !== folder) return undefined;
  try {
    const { size } = statSync(path);
    const bytes = new Uint8Array(Math.min(size, MAX_BYTES));
    const fd = openSync(path, "r");
    try {
      const text = new TextDecoder().decode(bytes.subarray(0, readSync(fd, bytes)));
      return size > MAX_BYTES ? `${text}\n… the rest of ${sizeText(size)} is in ${path}` : text;
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return undefined; // removed meanwhile: the log still has what the model saw
  }
}
