/** The context family: the only two sanctioned breaks of the append-only prefix, besides a new epoch. */
import { durable } from "./define.ts";

export const contextPruned = durable(
  "context.pruned",
  { toolUseIds: "string[]", placeholder: "string", tokensReclaimedEstimate: "number", "imageSha256s?": "string[]" },
  "The named results and images are sent as the placeholder from here on.",
);

export const contextCompacted = durable(
  "context.compacted",
  {
    checkpointYaml: "string",
    cut: { fromSeq: "number.integer", toSeq: "number.integer" },
    trigger: "'proactive-token-budget' | 'reactive-overflow' | 'user-command' | 'new-epoch' | 'fallback'",
    tokensBefore: "number.integer",
    summaryModel: "string",
    "keptFromSeq?": "number.integer",
    "message?": "string",
    "block?": "unknown",
    "focus?": "string",
    "route?": "'aux' | 'main' | 'server' | 'none'",
    "tokensAfterEstimate?": "number.integer",
  },
  "The messages made by the cut range are replaced by one; `message` is its exact text, `block` a server-made one. `route`: who summed it up; `none`: no model, the folds alone.",
);
