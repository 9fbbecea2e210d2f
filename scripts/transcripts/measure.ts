/**
 * One log's figures, in a process of its own: `scripts/bun scripts/transcripts/measure.ts <home> <id>` prints them as JSON. The
 * log is closed unchanged: what is pruned and compacted is a state in memory.
 */
import { existsSync, readFileSync } from "node:fs";
import { modelFacts } from "../../src/anthropic/index.ts";
import { loadPrefix } from "../../src/context/index.ts";
import { conversation, type SessionState, turnState } from "../../src/session/index.ts";
import { accepts, type DurableEvent, type DurableInput, ok } from "../../src/shared/index.ts";
import { engineFor } from "./exchange.ts";
import { openGround } from "./ground.ts";
import { CHECKPOINT_TEXT } from "./model-words.ts";

export interface Measured {
  readonly events: number;
  readonly messages: number;
  readonly bytes: number;
  readonly foldMs: number;
  readonly selectMs: number;
  /** Undefined when nothing could be pruned; so for the compaction. */
  readonly pruneMs?: number;
  readonly compactMs?: number;
  /** Of resident memory: once it is folded, and in the end. */
  readonly foldedMb: number;
  readonly peakMb: number;
}

const MEASURED = {
  events: "number",
  messages: "number",
  bytes: "number",
  foldMs: "number",
  selectMs: "number",
  "pruneMs?": "number",
  "compactMs?": "number",
  foldedMb: "number",
  peakMb: "number",
} as const;

/** Starts the process and waits for it. Throws when it fails. */
export async function measureApart(home: string, id: string): Promise<Measured> {
  const child = Bun.spawn([process.execPath, import.meta.path, home, id], { stdout: "pipe", stderr: "inherit" });
  const measured: unknown = JSON.parse(await new Response(child.stdout).text());
  if (!accepts(MEASURED, measured)) throw new Error("the measuring process did not say its figures");
  return measured as Measured; // as: the definition above is its proof
}

async function timed<T>(work: () => T | Promise<T>): Promise<readonly [number, T]> {
  const began = performance.now();
  const result = await work();
  return [performance.now() - began, result];
}

async function measure(home: string, id: string): Promise<Measured> {
  const { store } = openGround(home);
  const [foldMs, session] = await timed(() => store.open(id));
  const foldedMb = peakMb();
  const state = session.state();
  const { systemSha256 = "", toolsSha256 = "" } = state.conversation;
  const prefix = await loadPrefix(store.blobs, systemSha256, toolsSha256);
  if (!prefix) throw new Error("the log's prefix is not stored");
  const ask = async () => ok({ text: CHECKPOINT_TEXT, stopReason: "end_turn", model: "none" });
  const facts = modelFacts;
  const whole = engineFor({ prefix, api: { facts }, ask });
  const [selectMs] = await timed(() => whole.selectContext(state));
  const said = after(state, { type: "user.message-created", payload: { text: "Go on.", mentions: [] } });
  // Full for certain: what the other agent had counted is no measure of this log.
  const contextWindow = 1_000;
  const config = { protectedToolTokens: 40_000, minResultTokens: 400, minReclaimTokens: 1 };
  const small = engineFor({ prefix, api: { facts }, contextWindow, config });
  const [pruneMs, pruned] = await timed(() => {
    const decision = small.pruneToolResults(said);
    return decision && after(said, { type: "context.pruned", payload: decision });
  });
  const [compactMs, compacted] = await timed(async () => {
    const made = await whole.compress(said, { trigger: "user-command" }, new AbortController().signal);
    return made.ok ? after(said, { type: "context.compacted", payload: made.value }) : undefined;
  });
  await session.close();
  return {
    events: state.lastSeq,
    messages: state.conversation.messages.length,
    bytes: Bun.file(session.path).size,
    foldMs,
    selectMs,
    ...(pruned && { pruneMs }),
    ...(compacted && { compactMs }),
    foldedMb,
    peakMb: peakMb(),
  };
}

/** What the system says of a process's maximum may count the process that started it; its own high-water mark does not. */
export function peakMb(): number {
  const marked = existsSync(STATUS) ? /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(STATUS, "utf8"))?.[1] : undefined;
  return (marked === undefined ? process.resourceUsage().maxRSS : Number(marked)) / 1024;
}

const STATUS = "/proc/self/status";

function after(state: SessionState, input: DurableInput): SessionState {
  const envelope = { v: 1, id: "x", sessionId: "x", seq: state.lastSeq + 1, ts: 0 };
  const event = { ...envelope, ...input } as DurableEvent; // as: an input with an envelope is an event
  // as: the readers' conversation is the fold's own.
  const folded = conversation.apply(state.conversation as ReturnType<typeof conversation.initial>, event);
  return { ...state, conversation: folded, turn: turnState.apply(state.turn, event), lastSeq: event.seq };
}

if (import.meta.main) {
  const [home = "", id = ""] = process.argv.slice(2);
  console.log(JSON.stringify(await measure(home, id)));
}
