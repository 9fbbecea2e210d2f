/** Which rules would have spared questions, read from the logs of a project: nothing is guessed, only counted. */
import type { SessionStore } from "../session/index.ts";
import type { Payload } from "../shared/index.ts";
import { OWN_RULE } from "./permission-control.ts";

export interface SuggestedRule {
  readonly capability: string;
  readonly pattern: string;
  /** How often a question had this rule as its suggestion, and how it was answered. */
  readonly asked: number;
  readonly allowed: number;
  readonly refused: number;
}

/** The newest sessions that are read, and the rules that are named. */
const MAX_SESSIONS = 200;
const MAX_RULES = 20;

/** Those asked most first. A question that nobody answered counts as neither allowed nor refused. */
export async function suggestedRules(store: SessionStore, project: string): Promise<readonly SuggestedRule[]> {
  const counts = new Map<string, SuggestedRule>();
  for (const { id, damaged } of (await store.list({ projectHash: project, quick: true })).slice(0, MAX_SESSIONS)) {
    if (damaged === undefined) await countIn(store, id, counts);
  }
  return [...counts.values()]
    .sort((a, b) => b.asked - a.asked || a.pattern.localeCompare(b.pattern))
    .slice(0, MAX_RULES);
}

async function countIn(store: SessionStore, id: string, counts: Map<string, SuggestedRule>): Promise<void> {
  const open = new Map<string, string>();
  const add = (key: string | undefined, field: "asked" | "allowed" | "refused") => {
    const rule = key === undefined ? undefined : counts.get(key);
    if (rule && key !== undefined) counts.set(key, { ...rule, [field]: rule[field] + 1 });
  };
  for await (const event of store.read(id)) {
    if ("opaque" in event) continue;
    if (event.type === "permission.requested") {
      const key = keyOf(event.payload, counts);
      if (key !== undefined) open.set(event.payload.permissionRequestId, key);
      add(key, "asked");
    }
    if (event.type === "permission.granted") add(open.get(event.payload.permissionRequestId), "allowed");
    if (event.type === "permission.denied" && event.payload.source === "user") {
      add(open.get(event.payload.permissionRequestId), "refused");
    }
  }
}

function keyOf(
  { suggestion, because }: Payload<"permission.requested">,
  counts: Map<string, SuggestedRule>,
): string | undefined {
  if (!suggestion || because === OWN_RULE) return undefined;
  const { capability, pattern } = suggestion;
  const key = `${capability} ${pattern}`;
  if (!counts.has(key)) counts.set(key, { capability, pattern, asked: 0, allowed: 0, refused: 0 });
  return key;
}
