/** Cache marks: how many, in which order, and where none may stand. Also says where they are, for the cache. */
import { isThinking, type Mark, type Request } from "./request.ts";
import { type Refusal, refuse } from "./table.ts";

const MAX_MARKS = 4;

export function misfitOfMarks(request: Request): Refusal | undefined {
  const marks = marksOf(request);
  const automatic = request.body.cache_control ? 1 : 0;
  const count = marks.length + automatic;
  if (count > MAX_MARKS) return refuse("32", { count });
  const cleared = request.turns
    .flatMap((turn) => turn.blocks)
    .find(({ clearAt, block }) => clearAt && block.cache_control);
  if (cleared) return refuse("34a", { path: cleared.path });
  const firstShort = marks.findIndex(({ mark }) => mark.ttl !== "1h");
  const late = firstShort === -1 ? undefined : marks.slice(firstShort).find(({ mark }) => mark.ttl === "1h");
  return late ? refuse("33", { path: late.path }) : undefined;
}

interface PlacedMark {
  readonly path: string;
  readonly mark: Mark;
}

/** In the order in which the prompt is rendered. */
function marksOf({ body, turns }: Request): readonly PlacedMark[] {
  const tools = (body.tools ?? []).map((block, i) => ({ block, path: `tools.${i}` }));
  const system = typeof body.system === "string" ? [] : (body.system ?? []);
  const tiers = system.map((block, i) => ({ block, path: `system.${i}` }));
  return [...tools, ...tiers, ...turns.flatMap((turn) => turn.blocks)].flatMap(({ block, path }) => {
    const own = block.cache_control ? [{ path, mark: block.cache_control }] : [];
    return [...innerMarks(block.content, path), ...own];
  });
}

function innerMarks(content: unknown, path: string): readonly PlacedMark[] {
  if (!Array.isArray(content)) return [];
  return content.flatMap((inner: { cache_control?: Mark | null }, i) =>
    inner.cache_control ? [{ path: `${path}.content.${i}`, mark: inner.cache_control }] : [],
  );
}

/** The mark that a block carries, its own or that of a block inside it. */
export const markOf = (block: { readonly cache_control?: Mark | null; readonly content?: unknown }): Mark | undefined =>
  block.cache_control ?? innerMarks(block.content, "").at(-1)?.mark;

/** Where a mark on the request as a whole lands: on the last block that may carry one. */
export function automaticMark({ body, turns }: Request): PlacedMark | undefined {
  if (!body.cache_control) return undefined;
  const last = turns
    .flatMap((turn) => turn.blocks)
    .findLast(({ block, clearAt }) => !clearAt && !isThinking(block) && block.text !== "");
  return last && { path: last.path, mark: body.cache_control };
}
