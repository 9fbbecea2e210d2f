/** Asks the API which models there are. One try, bounded pages; whoever calls has something to fall back on. */
import { err, ok, type Result } from "../shared/index.ts";
import { BrokenStream } from "./broken-stream.ts";
import type { Connection } from "./connection.ts";
import { classify, failureOf } from "./errors.ts";
import type { FaultContext } from "./fault.ts";
import { readPage } from "./listed.ts";
import { type ListedModel, ModelError, type ModelFailure } from "./types.ts";

const PAGE_SIZE = 1000;
const MAX_PAGES = 10;

export async function fetchModels(
  connection: () => Promise<Connection>,
  context: FaultContext,
  signal: AbortSignal,
): Promise<Result<readonly ListedModel[], ModelFailure>> {
  try {
    return ok(await allPages(await connection(), signal));
  } catch (error) {
    return err(error instanceof ModelError ? error.failure : failureOf(classify(error, context), 1));
  }
}

async function allPages(connection: Connection, signal: AbortSignal): Promise<readonly ListedModel[]> {
  const models: ListedModel[] = [];
  let after: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const query = new URLSearchParams({ limit: String(PAGE_SIZE), ...(after !== undefined && { after_id: after }) });
    const page = readPage(JSON.parse(await connection.get(`/v1/models?${query}`, signal)));
    if (!page)
      throw new BrokenStream("what came is no list of models; is it the right address?", { code: "NOT_A_STREAM" });
    models.push(...page.models);
    if (page.after === undefined || page.after === after) break;
    after = page.after;
  }
  return models;
}
