/**
 * The canonical bytes of a request, block by block, cache marks left out: what thinking is bound to, what the cache is keyed
 * by and what tokens are counted from. Key order counts, as it does on the wire.
 */
import { estimateTokens } from "../../shared/index.ts";
import { markOf } from "../rules/marks.ts";
import { type Block, holdsSummary, isThinking, type Mark, type PlacedBlock, type Request } from "../rules/request.ts";
import { isRecord } from "../rules/shape.ts";
import type { Covered } from "./compaction.ts";

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
  /**
   * What the thinking of a turn may be bound to, for each turn and, last, for the answer: the turn's own blocks do not count.
   * The first of each is what the request itself says; the others are what a summary stands for.
   */
  readonly bindings: readonly (readonly string[])[];
  /** What a summary of all this would stand for. */
  readonly covered: Covered;
}

export const digest = (text: string): string => Bun.SHA256.hash(text, "base64");

/** `before` is what the conversation's own summary stands for, if it begins with one. */
export function canonOf({ body, turns, model }: Request, before?: Covered): Canon {
  const tools = (body.tools ?? []).map((tool, i) => item(tool, `tools.${i}`));
  const prompt = systemBlocks(body.system).map((block, i) => item(block, `system.${i}`));
  const system = [...formatItems(body.output_config?.format), ...prompt];
  const loaded = tools.filter((_tool, i) => !body.tools?.[i]?.defer_loading);
  const head = headOf([...loaded, ...system]);
  const rendered = turns.map((turn) => turn.blocks.flatMap(renderedBlock));
  const { bindings, chains } = bindingsOf({ start: headOf([...tools, ...system]), head, turns, rendered, before });
  const covered = {
    chains: model.prefixCheck ? chains.slice(0, MAX_CHAINS) : [],
    head,
    lastRole: turns.at(-1)?.role ?? "",
  };
  return { tools, system, turns: rendered, bindings, covered };
}

const headOf = (items: readonly Item[]): string => digest(items.map((entry) => entry.digest).join(" "));

/** One more with each compaction behind which thinking was kept; the oldest are forgotten. */
const MAX_CHAINS = 16;

function renderedBlock({ block, path, clearAt }: PlacedBlock): readonly Item[] {
  if (block.type !== "compaction") return [item(block, path, isThinking(block), clearAt)];
  if (!holdsSummary(block)) return [];
  return [{ ...item(block, path), tokens: estimateTokens(String(block.content)) }];
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

interface Binding {
  /** All tools and the system prompt. */
  readonly start: string;
  /** The same without the deferred tools, which kept thinking does not mind. */
  readonly head: string;
  readonly turns: Request["turns"];
  readonly rendered: Canon["turns"];
  readonly before: Covered | undefined;
}

/**
 * Thinking is left out, so that a leading run of it may be removed; each signature names the one before instead. Behind a
 * summary the chains of the messages that it stands for go on beside the request's own, as long as what follows is what
 * followed them.
 */
function bindingsOf({
  start,
  head,
  turns,
  rendered,
  before,
}: Binding): Pick<Canon, "bindings"> & Pick<Covered, "chains"> {
  let chains: readonly string[] = [start];
  const bindings: (readonly string[])[] = [];
  for (const [i, turn] of turns.entries()) {
    bindings.push(chains);
    const digests = (rendered[i] ?? []).filter((entry) => !entry.thinking).map((entry) => entry.digest);
    chains = chains.map((chain) => digests.reduce((so, next) => digest(`${so}${turn.role}${next}`), chain));
    if (i === 0 && before) chains = [...chains, ...adopted(before, head, turns[1]?.role)];
  }
  const continues = turns.at(-1)?.role === "assistant";
  return { bindings: [...bindings, continues ? (bindings.at(-1) ?? chains) : chains], chains };
}

function adopted({ chains, head: then, lastRole }: Covered, head: string, next: string | undefined): readonly string[] {
  const isKept = then === head && next !== lastRole && next !== "system";
  return isKept ? chains : [];
}
