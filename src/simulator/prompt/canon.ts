/**
 * The canonical bytes of a request, block by block, cache marks left out: what thinking is bound to, what the cache is keyed
 * by and what tokens are counted from. Key order counts, as it does on the wire.
 */
import { estimateTokens } from "../../shared/index.ts";
import { markOf } from "../rules/marks.ts";
import { type Block, isThinking, type Mark, type Request } from "../rules/request.ts";
import { isRecord } from "../rules/shape.ts";

export interface Item {
  readonly path: string;
  readonly digest: string;
  readonly tokens: number;
  readonly mark: Mark | undefined;
  readonly thinking: boolean;
  readonly clearAt: boolean;
}

export interface Canon {
  readonly tools: readonly Item[];
  readonly system: readonly Item[];
  /** One list for each turn of the request. */
  readonly turns: readonly (readonly Item[])[];
  /** What the thinking of a turn is bound to, for each turn and, last, for the answer: the turn's own blocks do not count. */
  readonly bindings: readonly string[];
}

export const digest = (text: string): string => Bun.SHA256.hash(text, "base64");

export function canonOf({ body, turns }: Request): Canon {
  const tools = (body.tools ?? []).map((tool, i) => item(tool, `tools.${i}`));
  const system = systemBlocks(body.system).map((block, i) => item(block, `system.${i}`));
  const head = [...tools, ...formatItems(body.output_config?.format), ...system];
  const rendered = turns.map((turn) =>
    turn.blocks.map(({ block, path, clearAt }) => item(block, path, isThinking(block), clearAt)),
  );
  return { tools, system: head.slice(tools.length), turns: rendered, bindings: bindingsOf(head, turns, rendered) };
}

/** A demanded form of answers is rendered into the system prompt, so whoever changes it changes all that follows. */
function formatItems(format: unknown): readonly Item[] {
  return isRecord(format) ? [item(format, "output_config.format")] : [];
}

function systemBlocks(system: string | readonly Block[] | undefined): readonly Block[] {
  if (typeof system !== "string") return system ?? [];
  return system === "" ? [] : [{ type: "text", text: system }];
}

interface Markable {
  readonly cache_control?: Mark | null;
  readonly content?: unknown;
}

function item(block: Markable, path: string, thinking = false, clearAt = false): Item {
  const text = JSON.stringify(withoutMarks(block));
  return { path, digest: digest(text), tokens: estimateTokens(text), mark: markOf(block), thinking, clearAt };
}

/** The block as it would be without its marks. A call's input is never looked into. */
export function withoutMarks(block: Markable): unknown {
  const { cache_control: own, ...bare } = block;
  if (!Array.isArray(block.content)) return own === undefined ? block : bare;
  const content = block.content.map((inner: Markable) => {
    const { cache_control: _mark, ...rest } = inner;
    return rest;
  });
  return { ...bare, content };
}

/** Thinking is left out, so that a leading run of it may be removed; each signature names the one before instead. */
function bindingsOf(head: readonly Item[], turns: Request["turns"], rendered: Canon["turns"]): readonly string[] {
  let chain = digest(head.map((entry) => entry.digest).join(" "));
  const before: string[] = [];
  for (const [i, turn] of turns.entries()) {
    before.push(chain);
    for (const entry of rendered[i] ?? []) {
      if (!entry.thinking) chain = digest(`${chain}${turn.role}${entry.digest}`);
    }
  }
  const continues = turns.at(-1)?.role === "assistant";
  return [...before, continues ? (before.at(-1) ?? chain) : chain];
}
