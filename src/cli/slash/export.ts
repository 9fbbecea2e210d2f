/** `/export`: the session as a file. Nothing that is there already is overwritten, and nobody else may read it. */
import { closeSync, openSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import { errorCode, errorMessage } from "../../shared/index.ts";
import type { CommandUi } from "../../tui/index.ts";
import { markdownOf } from "../log-markdown.ts";
import { collectingWhileItReads } from "../memory.ts";
import type { ShownSession } from "../terminal/host.ts";
import { sizeText } from "../words.ts";
import { type SlashContext, splitSwitches } from "./define.ts";

export async function exportSession(args: string, ui: CommandUi, { host, places }: SlashContext): Promise<void> {
  const { words, switches } = splitSwitches(args, ["--md", "--jsonl"]);
  if (switches.has("--md") && switches.has("--jsonl")) throw new Error("--md and --jsonl contradict each other.");
  const shown = host.shown();
  const asLines = switches.has("--jsonl") || (words.endsWith(".jsonl") && !switches.has("--md"));
  const name = words || `khaelor-${shown.id}.${asLines ? "jsonl" : "md"}`;
  const path = resolve(host.current()?.workspace.cwd() ?? places.cwd, name);
  const bytes = await written(path, asLines ? lines(shown) : collectingWhileItReads(markdownOf(shown.store, shown.id)));
  const isWhole = shown.forkFrom === undefined;
  const left = isWhole ? "" : " What cannot be read of the session is not in it.";
  ui.say(`Written to ${path} (${sizeText(bytes)}).${left}`, isWhole ? "ok" : "warn");
}

async function written(path: string, parts: AsyncIterable<string>): Promise<number> {
  let fd: number;
  try {
    fd = openSync(path, "wx", 0o600);
  } catch (cause) {
    if (errorCode(cause) === "EEXIST") throw new Error(`${path} is there already: name another file.`, { cause });
    throw new Error(`${path} cannot be written: ${errorMessage(cause)}`, { cause });
  }
  let bytes = 0;
  try {
    for await (const part of parts) {
      const buffer = Buffer.from(part);
      for (let done = 0; done < buffer.length; ) done += writeSync(fd, buffer, done);
      bytes += buffer.length;
    }
  } catch (cause) {
    throw new Error(`${path} is not whole: ${errorMessage(cause)}`, { cause });
  } finally {
    closeSync(fd);
  }
  return bytes;
}

async function* lines({ store, id }: ShownSession): AsyncGenerator<string> {
  for await (const line of collectingWhileItReads(store.lines(id))) if ("text" in line) yield `${line.text}\n`;
}
