/** What is known of the models there are: the API's list, or the one kept from last time, joined with the dated table. */
import {
  factsWith,
  knownModels,
  type ListedModel,
  listModels,
  type ModelPrice,
  modelFacts,
  modelPrice,
} from "../anthropic/index.ts";
import { type KhaelorConfig, readCredential } from "../config/index.ts";
import { EXIT, type ExitCode, type Logger, systemClock, UserError } from "../shared/index.ts";
import { refuseCertificatesOfProject } from "./certificates.ts";
import type { Connection } from "./engine.ts";
import { type ModelsCache, readModelsCache, writeModelsCache } from "./models-cache.ts";
import { modelPrices } from "./prices.ts";
import { clientOptions } from "./services.ts";
import type { Environment, Places } from "./settings.ts";

export interface ModelList {
  /** `api`: just asked; `cache`: asked at `fetchedAt`; `table`: what the program shipped with. */
  readonly source: "api" | "cache" | "table";
  /** Epoch milliseconds; absent for the table. */
  readonly fetchedAt?: number;
  readonly models: readonly ModelRow[];
  /** For people: why the list is not newer. */
  readonly notes: readonly string[];
  /** Why the API was not asked, or did not answer, though it should have. */
  readonly failure?: ExitCode;
}

export interface ModelRow {
  readonly id: string;
  readonly displayName?: string;
  readonly lifecycle?: string;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  readonly efforts: readonly string[];
  readonly thinking: readonly string[];
  readonly price?: ModelPrice;
  /** What it is used for when nothing else is said. */
  readonly use?: "default" | "auxiliary" | "fallback";
}

export interface Asking {
  readonly places: Places;
  readonly env: Environment;
  readonly config: KhaelorConfig;
  readonly logger: Logger;
  /** Also when the kept list is fresh. */
  readonly refresh: boolean;
}

const FRESH_MS = 24 * 3_600_000;
const LONGEST_WAIT_MS = 20_000;

/** Throws UserError when a key is refused; every other failure is a note beside an older list. */
export async function modelList(asking: Asking): Promise<ModelList> {
  const { places, config, refresh } = asking;
  const kept = readModelsCache(places.home, config.baseUrl);
  const age = kept ? systemClock.now() - kept.fetchedAt : Number.POSITIVE_INFINITY;
  if (kept && !refresh && age >= 0 && age < FRESH_MS) return listOf("cache", kept, config, []);
  const answer = await ask(asking);
  if ("models" in answer) {
    const problem = writeModelsCache(places.home, answer, config.baseUrl);
    return listOf("api", answer, config, problem === undefined ? [] : [`The list is not kept: ${problem}.`]);
  }
  const { note, failure } = answer;
  if (kept) return { ...listOf("cache", kept, config, [note]), failure };
  const table = { models: knownModels.map((id) => ({ id })) };
  return { ...listOf("table", table, config, [note]), failure };
}

interface Unasked {
  readonly note: string;
  readonly failure: ExitCode;
}

async function ask({ places, env, config, logger }: Asking): Promise<ModelsCache | Unasked> {
  const found = await readCredential(places.home, env);
  if (!found.ok) throw new UserError(found.error, EXIT.auth);
  if (!found.value)
    return {
      note: "There is no API key, so the API was not asked: run khaelor login, or set ANTHROPIC_API_KEY.",
      failure: EXIT.auth,
    };
  refuseCertificatesOfProject(env, places.cwd);
  const { kind, value } = found.value;
  const connection: Connection = {
    auth: { kind, value },
    ...(config.baseUrl !== undefined && { baseURL: config.baseUrl }),
  };
  const listed = await listModels(clientOptions({ env, logger }, connection), AbortSignal.timeout(LONGEST_WAIT_MS));
  if (listed.ok) return { fetchedAt: systemClock.now(), models: listed.value };
  if (listed.error.kind === "auth") throw new UserError(listed.error.message, EXIT.auth);
  return { note: `The API could not be asked: ${listed.error.message}.`, failure: EXIT.model };
}

function listOf(
  source: ModelList["source"],
  { models, fetchedAt }: { readonly models: readonly ListedModel[]; readonly fetchedAt?: number },
  config: KhaelorConfig,
  notes: readonly string[],
): ModelList {
  const facts = source === "table" ? modelFacts : factsWith(models);
  const prices = modelPrices(config.prices);
  const rows = models.map((listed): ModelRow => {
    const { id, displayName, lifecycle } = listed;
    const { contextWindow, maxOutputTokens, efforts, thinking } = facts(id);
    const price = modelPrice(id, prices);
    const use = useOf(id, config);
    return {
      id,
      ...(displayName !== undefined && { displayName }),
      ...(lifecycle !== undefined && { lifecycle }),
      contextWindow,
      maxOutputTokens,
      efforts,
      thinking,
      ...(price && { price }),
      ...(use && { use }),
    };
  });
  return { source, ...(fetchedAt !== undefined && { fetchedAt }), models: rows, notes };
}

function useOf(id: string, { model, auxModel, fallbackModel }: KhaelorConfig): ModelRow["use"] {
  if (id === model) return "default";
  if (id === auxModel) return "auxiliary";
  return id === fallbackModel ? "fallback" : undefined;
}
