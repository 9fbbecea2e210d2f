/** What the user said before in this project, for the composer's history: the newest first, each once, over all its sessions. */
import { eventsOfTypes, type SessionListing } from "../../session/index.ts";
import { byteLength, type DurableEvent, StoreError } from "../../shared/index.ts";

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
): Promise<readonly string[]> {
  const logs = [...(openLog === undefined ? [] : [openLog]), ...(await list()).map(({ path }) => path)];
  const found = new Set<string>();
  let bytes = 0;
  for (const path of logs.slice(0, MAX_SESSIONS)) {
    for (const text of await saidIn(path)) {
      if (found.size >= MAX_PROMPTS || bytes > MAX_BYTES) return [...found];
      if (!found.has(text)) bytes += byteLength(text);
      found.add(text);
    }
  }
  return [...found];
}

/** Newest first. */
async function saidIn(path: string): Promise<readonly string[]> {
  const said: string[] = [];
  try {
    for await (const event of eventsOfTypes(path, SAID)) {
      const text = "opaque" in event ? "" : textOf(event);
      if (text.trim() !== "" && byteLength(text) <= MAX_PROMPT_BYTES) said.push(text);
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
