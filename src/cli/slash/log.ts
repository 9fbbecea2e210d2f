/** `/log`: the one truth of the session, as a file and as lines. */
import { type LogEvent, nearest } from "../../shared/index.ts";
import type { CommandUi } from "../../tui/index.ts";
import type { Engine } from "../engine.ts";
import { eventLine } from "../event-line.ts";
import { counted, sizeText } from "../words.ts";
import { firstWord, type SlashContext } from "./define.ts";
import { fenced } from "./markdown-table.ts";

const VERBS = ["path", "tail", "fsck"] as const;
const TAIL_EVENTS = 60;

export async function log(args: string, ui: CommandUi, { host }: SlashContext): Promise<void> {
  const engine = host.engine();
  const [verb] = firstWord(args);
  switch (VERBS.find((known) => known === (verb || "path"))) {
    case "path":
      return ui.say(engine.session.path);
    case "tail":
      return ui.show(`The last events of ${engine.session.id}`, await tail(engine));
    case "fsck":
      return check(engine, ui);
    default: {
      const meant = nearest(verb, VERBS);
      throw new Error(`/log ${verb}: ${meant ? `did you mean ${meant}?` : `there are ${VERBS.join(", ")}.`}`);
    }
  }
}

async function tail({ store, session }: Engine): Promise<string> {
  const from = Math.max(1, session.state().lastSeq - TAIL_EVENTS + 1);
  const last: LogEvent[] = [];
  for await (const event of store.read(session.id)) if (event.seq >= from) last.push(event);
  return fenced(last.map(eventLine).join(""));
}

async function check({ store, session }: Engine, ui: CommandUi): Promise<void> {
  await session.sync();
  const { verdict, events, damage, tornBytes, unpaired } = await store.check(session.id);
  const [first] = damage;
  if (first) return ui.say(`Damaged from line ${first.line} on: ${first.reason}.`, "error");
  if (tornBytes > 0) return ui.say(`The last line is torn: ${sizeText(tornBytes)} of it were never accepted.`, "warn");
  const open = unpaired.length > 0 ? `, ${counted(unpaired.length, "call")} without a result yet` : "";
  const more = `khaelor fsck ${session.id} also rebuilds every request.`;
  ui.say(`${counted(events, "event")}, ${verdict}${open}. ${more}`, "ok");
}
