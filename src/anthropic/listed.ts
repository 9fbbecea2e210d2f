/** What GET /v1/models tells of each model: read out of foreign JSON, and joined with the dated table. Asks nobody. */
import { countOf, fields, isObject, textOf } from "./foreign.ts";
import { modelFacts, plainId } from "./models.ts";
import type { ListedModel, ModelFacts } from "./types.ts";

export interface ListPage {
  readonly models: readonly ListedModel[];
  /** Where the next page begins; absent on the last. */
  readonly after?: string;
}

/** Undefined when this is no such page. A model without an id is left out; whatever else is missing or odd is not said. */
export function readPage(json: unknown): ListPage | undefined {
  const { data, has_more: hasMore, last_id: lastId } = fields(json);
  if (!Array.isArray(data)) return undefined;
  const models = data.flatMap((entry: unknown) => listedModel(entry) ?? []);
  const after = hasMore === true ? textOf(lastId) : undefined;
  return { models, ...(after && { after }) };
}

const THINKING = ["adaptive", "between_tools", "disabled", "enabled"] as const;
const EFFORTS = ["low", "medium", "high", "xhigh", "max"] as const;

/** An id that is longer, or holds anything else, is none that could be sent. */
const ID = /^[\w.:@/-]{1,200}$/;

function listedModel(entry: unknown): ListedModel | undefined {
  const {
    id,
    display_name: name,
    lifecycle,
    max_input_tokens: input,
    max_tokens: output,
    capabilities,
  } = fields(entry);
  if (typeof id !== "string" || !ID.test(id)) return undefined;
  const { thinking, effort } = fields(capabilities);
  const [displayName, stage] = [textOf(name), textOf(lifecycle)];
  const [contextWindow, maxOutputTokens] = [limitOf(input), limitOf(output)];
  return {
    id,
    ...(displayName !== undefined && { displayName }),
    ...(stage !== undefined && { lifecycle: stage }),
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(isObject(thinking) && { thinking: THINKING.filter((kind) => isSupported(fields(thinking.types)[kind])) }),
    ...(isObject(effort) && { efforts: EFFORTS.filter((level) => isSupported(effort[level])) }),
  };
}

const isSupported = (leaf: unknown): boolean => fields(leaf).supported === true;

/** A limit below this is a mistake, and a session planned with it could not begin. */
const LEAST_TOKENS = 1024;

function limitOf(value: unknown): number | undefined {
  const count = countOf(value);
  return count !== undefined && count >= LEAST_TOKENS ? count : undefined;
}

/** The table's facts with what was listed in their place: limits, thinking and efforts. Prices are never listed. */
export function factsWith(listed: readonly ListedModel[]): (id: string) => ModelFacts {
  const byId = new Map(listed.flatMap((model) => [[plainId(model.id), model] as const, [model.id, model] as const]));
  return (id) => {
    const found = byId.get(id) ?? byId.get(plainId(id));
    const facts = modelFacts(id);
    if (!found) return facts;
    const { contextWindow, maxOutputTokens, thinking, efforts } = found;
    return {
      ...facts,
      ...(contextWindow !== undefined && { contextWindow }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      ...(thinking !== undefined && { thinking }),
      ...(efforts !== undefined && { efforts }),
    };
  };
}
