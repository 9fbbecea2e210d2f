/**
 * The blocks of the answer that is under way, in the order in which they began: what streams, and what has settled before the
 * answer has ended. All of it is forgotten with the answer.
 */
import type { DurableEvent } from "../../shared/index.ts";
import { subjectOf, subjectSoFar } from "./call-subject.ts";
import type { LiveBlock } from "./items.ts";
import { blockKey } from "./lanes.ts";

export interface LiveBlocks {
  /** Text or thinking of a block. */
  append(key: string, kind: "answer" | "thinking", text: string): void;
  /** The model began to write a call. */
  beginCall(toolUseId: string, name: string): void;
  /** The whole of a call's input, as far as it has come. */
  preview(toolUseId: string, partialJson: string): void;
  settle(event: SettledBlock): void;
  clear(): void;
  /** The same list until something changes beyond the growth of `pieces`. */
  list(): readonly LiveBlock[];
  newest(): LiveBlock | undefined;
}

export type SettledBlock = DurableEvent<
  "model.text-block-completed" | "model.thinking-block-completed" | "tool.requested"
>;

export function createLiveBlocks(): LiveBlocks {
  const blocks = new Map<string, LiveBlock>();
  /** Pushed in place here only. */
  const pieces = new Map<string, string[]>();
  let list: readonly LiveBlock[] | undefined;

  function put(block: LiveBlock): void {
    blocks.set(block.key, block);
    list = undefined;
  }

  function remove(key: string): void {
    blocks.delete(key);
    pieces.delete(key);
    list = undefined;
  }

  /** The call was given another id when it settled: it is the one that was being written. */
  function forgetRenamed(toolUseId: string): void {
    if (blocks.has(callKey(toolUseId))) return;
    const written = [...blocks.values()].find(({ kind, isSettled }) => kind === "call" && !isSettled);
    if (written) remove(written.key);
  }

  return {
    append(key, kind, text) {
      const block = blocks.get(key);
      if (block?.isSettled) return;
      const known = pieces.get(key) ?? [];
      known.push(text);
      pieces.set(key, known);
      if (!block) put({ key, kind, pieces: known });
    },
    beginCall(toolUseId, name) {
      const key = callKey(toolUseId);
      if (blocks.has(key)) return;
      put({ key, kind: "call", name, pieces: [] });
    },
    preview(toolUseId, partialJson) {
      const block = blocks.get(callKey(toolUseId));
      if (!block || block.isSettled) return;
      const what = subjectSoFar(partialJson);
      if (what !== "" && what !== block.what) put({ ...block, what });
    },
    settle(event) {
      const block = settledOf(event);
      if (event.type === "tool.requested") forgetRenamed(event.payload.toolUseId);
      pieces.delete(block.key);
      put(block);
    },
    clear() {
      if (blocks.size === 0) return;
      blocks.clear();
      pieces.clear();
      list = undefined;
    },
    list: () => (list ??= [...blocks.values()]),
    newest: () => [...blocks.values()].at(-1),
  };
}

const callKey = (toolUseId: string): string => `call:${toolUseId}`;

function settledOf({ type, payload }: SettledBlock): LiveBlock {
  if (type === "tool.requested") {
    const what = subjectOf(payload.input);
    const call = { key: callKey(payload.toolUseId), kind: "call" as const, name: payload.toolName };
    return { ...call, isSettled: true, pieces: [], ...(what !== "" && { what }) };
  }
  const key = blockKey(payload.requestId, payload.blockIndex);
  return type === "model.text-block-completed"
    ? { key, kind: "answer", isSettled: true, pieces: [payload.text] }
    : { key, kind: "thinking", isSettled: true, pieces: [payload.thinking] };
}
