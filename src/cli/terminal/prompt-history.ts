/** What the user said before in this project, for the composer's history: the newest first, each once, over all its sessions. */
import { eventsOfTypes, type SessionListing } from "../../session/index.ts";
import { byteLength, type DurableEvent, type Mention, StoreError } from "../../shared/index.ts";
import type { SaidBefore } from "../../tui/index.ts";

const MAX_PROMPTS = 500;
/** Sessions that are looked through, and bytes that are kept in memory. */
const MAX_SESSIONS = 100;
const MAX_BYTES = 2 * 1024 * 1024;
/** A pasted page is no line of a history. */
const MAX_PROMPT_BYTES = 16 * 1024;

const SAID: ReadonlySet<string> = new Set(["user.message-created", "user.steering-queued"]);

/** `openLog`: of the session that is open now, which is in no list. A log that cannot be read is passed over. */
export async function promptsSaid(
  list: () => Promise<readonly Pick<SessionListing, "path">[]>,
  openLog: string | undefined,
): Promise<readonly SaidBefore[]> {
  const logs = [...(openLog === undefined ? [] : [openLog]), ...(await list()).map(({ path }) => path)];
  const found = new Map<string, SaidBefore>();
  let bytes = 0;
  for (const path of logs.slice(0, MAX_SESSIONS)) {
    for (const said of await saidIn(path)) {
      if (found.size >= MAX_PROMPTS || bytes > MAX_BYTES) return [...found.values()];
      if (found.has(said.text)) continue;
      bytes += byteLength(said.text);
      found.set(said.text, said);
    }
  }
  return [...found.values()];
}

/** Newest first. */
async function saidIn(path: string): Promise<readonly SaidBefore[]> {
  const said: SaidBefore[] = [];
  try {
    for await (const event of eventsOfTypes(path, SAID)) {
      const text = "opaque" in event ? "" : textOf(event);
      const mentions = "opaque" in event ? [] : mentionsOf(event);
      if (text.trim() !== "" && byteLength(text) <= MAX_PROMPT_BYTES) said.push({ text, mentions });
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
  }
  return said.reverse();
}

/** A command of the user's own is said as it was typed. */
function textOf(event: DurableEvent): string {
  if (event.type === "user.steering-queued") return event.payload.text;
  if (event.type !== "user.message-created" || event.payload.by === "kernel") return "";
  return event.payload.shell ? `!${event.payload.shell.command}` : event.payload.text;
}

const mentionsOf = ({ type, payload }: DurableEvent): readonly Mention[] =>
  type === "user.steering-queued" || type === "user.message-created" ? (payload.mentions ?? []) : [];
