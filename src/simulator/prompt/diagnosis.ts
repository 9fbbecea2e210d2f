/** Says why the cache could not reuse the prompt of an earlier answer, as `diagnostics.previous_message_id` asks. */
import type { Json } from "../types.ts";
import type { Prompt } from "./cache.ts";

const REMEMBERED = 500;

interface Remembered {
  readonly model: string;
  readonly toolsKey: string;
  readonly systemKey: string;
  readonly lastKey: string | undefined;
  readonly tokens: number;
}

export interface Diagnosis {
  remember(messageId: string, model: string, prompt: Prompt): void;
  /** null: nothing to report. */
  explain(previous: string | null | undefined, model: string, prompt: Prompt): Json | null;
}

export function createDiagnosis(): Diagnosis {
  const known = new Map<string, Remembered>();
  return {
    remember: (messageId, model, { toolsKey, systemKey, positions, tokens }) => {
      known.set(messageId, { model, toolsKey, systemKey, lastKey: positions.at(-1)?.key, tokens });
      for (const oldest of known.keys()) {
        if (known.size <= REMEMBERED) break;
        known.delete(oldest);
      }
    },
    explain: (previous, model, prompt) => {
      if (!previous) return null;
      const before = known.get(previous);
      if (!before) return { cache_miss_reason: { type: "previous_message_not_found" } };
      const type = difference(before, model, prompt);
      return type ? { cache_miss_reason: { type, cache_missed_input_tokens: before.tokens } } : null;
    },
  };
}

function difference(before: Remembered, model: string, prompt: Prompt): string | undefined {
  if (before.model !== model) return "model_changed";
  if (before.toolsKey !== prompt.toolsKey) return "tools_changed";
  if (before.systemKey !== prompt.systemKey) return "system_changed";
  return prompt.positions.some(({ key }) => key === before.lastKey) ? undefined : "messages_changed";
}
