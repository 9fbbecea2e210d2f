/**
 * The views of `khaelor fold` whose field names are a contract with scripts (docs/HEADLESS.md). Plain JSON. A fold's own state,
 * which may change with any version, goes by the fold's own name.
 */
import type { ModelFacts } from "../anthropic/index.ts";
import type { Price } from "../session/index.ts";
import type { LogEvent } from "../shared/index.ts";
import { changesView } from "./views/changes-view.ts";
import { contextView } from "./views/context-view.ts";
import { usageView } from "./views/usage-view.ts";

/** Is given a log's events in order, and shows at any time what they came to. */
export interface FoldView {
  apply(event: LogEvent): void;
  shown(): unknown;
}

export interface ViewParts {
  /** US dollars, null for a model without a known price. */
  readonly price: Price;
  /** Undefined for a model of which nothing is known. */
  readonly facts: (model: string) => ModelFacts | undefined;
}

export const FOLD_VIEWS: Readonly<Record<string, (parts: ViewParts) => FoldView>> = {
  usage: usageView,
  changes: changesView,
  context: contextView,
};
