/**
 * The prompt cache: an entry for each marked prefix, found again by its exact bytes and model, looked for over at most 20 block
 * positions back from each mark, kept for the mark's time. An entry can be read once the answer that wrote it has begun.
 */
import type { Clock } from "../../shared/index.ts";
import { automaticMark } from "../rules/marks.ts";
import { type Block, loopStart, type Mark, type Request } from "../rules/request.ts";
import { type Canon, digest, type Item } from "./canon.ts";

const LOOK_BACK = 20;
const TTL_MS = { "5m": 5 * 60_000, "1h": 60 * 60_000 } as const;
const MAX_ENTRIES = 20_000;

/** The prompt as the model gets it: one block after another, each with the key of the prefix that ends there. */
export interface Prompt {
  readonly tokens: number;
  readonly positions: readonly Position[];
  readonly toolsKey: string;
  readonly systemKey: string;
}

interface Position {
  readonly key: string;
  /** Of the whole prefix up to here. */
  readonly tokens: number;
  readonly mark: Mark | undefined;
}

export function promptOf(request: Request, canon: Canon, dropped: ReadonlySet<string>): Prompt {
  const { body, model } = request;
  const automatic = automaticMark(request);
  const positions: Position[] = [];
  let key = digest(model.id);
  let tokens = 0;
  const append = (entry: Item, role: string): void => {
    key = digest(`${key}${role}${entry.digest}`);
    tokens += entry.tokens;
    positions.push({ key, tokens, mark: entry.mark ?? (entry.path === automatic?.path ? automatic.mark : undefined) });
  };
  const turnTo = (...settings: readonly unknown[]): string => {
    const before = key;
    key = digest(key + JSON.stringify(settings));
    return before;
  };
  for (const entry of canon.tools) append(entry, "tools");
  const toolsKey = turnTo(body.speed, body.output_config?.format);
  for (const entry of canon.system) append(entry, "system");
  const { type, budget_tokens } = body.thinking ?? {};
  const images = request.turns.flatMap((turn) => turn.blocks.flatMap(({ block }) => imagesIn(block)));
  const systemKey = turnTo(body.tool_choice, type, budget_tokens, body.output_config?.effort, images);
  const loop = loopStart(request.turns);
  const lastUser = request.turns.findLastIndex((turn) => turn.role === "user");
  for (const [i, turn] of request.turns.entries()) {
    const forgets = model.keepsThinking === "last-turn" && i < loop;
    for (const entry of canon.turns[i] ?? []) {
      const gone = dropped.has(entry.path) || (entry.thinking && forgets) || (entry.clearAt && i < lastUser);
      if (!gone) append(entry, turn.role);
    }
  }
  return { tokens, positions, toolsKey, systemKey };
}

/** Which images there are, anywhere in the messages, is part of what each message is found by. */
function imagesIn(block: Block): readonly string[] {
  const inner: readonly Block[] = Array.isArray(block.content) ? block.content : [];
  return [block, ...inner].flatMap((one) => (one.type === "image" ? [JSON.stringify(one.source)] : []));
}

export interface CacheUse {
  readonly input: number;
  readonly read: number;
  readonly written5m: number;
  readonly written1h: number;
  /** Makes what this request writes readable; called when its answer begins. */
  readonly commit: () => void;
}

export interface PromptCache {
  use(prompt: Prompt, minimum: number): CacheUse;
}

export function createPromptCache(clock: Clock): PromptCache {
  const entries = new Map<string, { ttlMs: number; expires: number }>();
  const isLive = (position: Position | undefined, now: number): position is Position =>
    position !== undefined && (entries.get(position.key)?.expires ?? 0) > now;

  /** The longest live prefix within reach of the mark at `index`. */
  const reach = (positions: readonly Position[], index: number, now: number): Position | undefined => {
    for (let i = index; i > index - LOOK_BACK && i >= 0; i--) {
      const position = positions[i];
      if (isLive(position, now)) return position;
    }
    return undefined;
  };

  return {
    use: ({ positions, tokens }, minimum) => {
      const now = clock.now();
      const marked = [...positions.entries()].filter(([, { mark }]) => mark);
      const hits = marked.flatMap(([index]) => reach(positions, index, now) ?? []);
      const read = Math.max(0, ...hits.map((hit) => hit.tokens));
      const writing = marked.map(([, position]) => position).filter((position) => position.tokens >= minimum);
      const end = (ttl: "any" | "1h"): number =>
        Math.max(read, ...writing.filter(({ mark }) => ttl === "any" || mark?.ttl === "1h").map((p) => p.tokens));
      return {
        input: tokens - end("any"),
        read,
        written1h: end("1h") - read,
        written5m: end("any") - end("1h"),
        commit: () => {
          for (const { key } of hits) renew(key, now, 0);
          for (const { key, mark } of writing) renew(key, now, TTL_MS[mark?.ttl ?? "5m"]);
          if (entries.size > MAX_ENTRIES) forget(now);
        },
      };
    },
  };

  /** Time runs from the request's start; an entry never gets shorter-lived than it is. */
  function renew(key: string, now: number, ttlMs: number): void {
    const ttl = Math.max(ttlMs, entries.get(key)?.ttlMs ?? 0);
    entries.set(key, { ttlMs: ttl, expires: now + ttl });
  }

  function forget(now: number): void {
    for (const [key, { expires }] of entries) if (expires <= now) entries.delete(key);
    for (const key of entries.keys()) {
      if (entries.size <= MAX_ENTRIES) return;
      entries.delete(key);
    }
  }
}
