/** `/log`: the one truth of the session, as a file and as lines. */
import { firstToTell, isOnlyNewer } from "../../session/index.ts";
import { nearest } from "../../shared/index.ts";
import type { CommandUi } from "../../tui/index.ts";
import { eventLine } from "../event-line.ts";
import { problemWords, readableLines } from "../readable-lines.ts";
import type { ShownSession } from "../terminal/host.ts";
import { counted, sizeText } from "../words.ts";
import { firstWord, type SlashContext } from "./define.ts";
import { fenced } from "./markdown-table.ts";

const VERBS = ["path", "tail", "fsck"] as const;
const TAIL_EVENTS = 60;

export async function log(args: string, ui: CommandUi, { host }: SlashContext): Promise<void> {
  const shown = host.shown();
  const [verb] = firstWord(args);
  switch (VERBS.find((known) => known === (verb || "path"))) {
    case "path":
      return ui.say(shown.path);
    case "tail":
      return ui.show(`The last events of ${shown.id}`, await tail(shown));
    case "fsck":
      await host.current()?.session.sync();
      return check(shown, ui);
    default: {
      const meant = nearest(verb, VERBS);
      throw new Error(`/log ${verb}: ${meant ? `did you mean ${meant}?` : `there are ${VERBS.join(", ")}.`}`);
    }
  }
}

async function tail({ store, id }: ShownSession): Promise<string> {
  const last: string[] = [];
  for await (const line of readableLines(store, id)) {
    last.push("event" in line ? eventLine(line.event) : `✗ ${problemWords(line.problem)}\n`);
    if (last.length > TAIL_EVENTS) last.shift();
  }
  return fenced(last.join(""));
}

async function check({ store, id }: ShownSession, ui: CommandUi): Promise<void> {
  const { verdict, events, damage, tornBytes, unpaired } = await store.check(id);
  const first = firstToTell(damage);
  if (first) {
    const more = `khaelor fsck ${id} tells all of it, and how to go on.`;
    if (isOnlyNewer(damage)) {
      return ui.say(`Sound, but line ${first.line} (byte ${first.byte}) ${first.reason}. ${more}`, "warn");
    }
    return ui.say(`Damaged at line ${first.line} (byte ${first.byte}): ${first.reason}. ${more}`, "error");
  }
  if (tornBytes > 0) return ui.say(`The last line is torn: ${sizeText(tornBytes)} of it were never accepted.`, "warn");
  const open = unpaired.length > 0 ? `, ${counted(unpaired.length, "call")} without a result yet` : "";
  const more = `khaelor fsck ${id} also rebuilds every request.`;
  ui.say(`${counted(events, "event")}, ${verdict}${open}. ${more}`, "ok");
}
