/** Keeps the memory of a long task low without slowing it: each step leaves a request's whole body behind. */
import type { ModelClient } from "../anthropic/index.ts";

/** The runtime alone lets some dozens of bodies pile up. More often than this costs time, and gains nothing. */
const REQUESTS = 10;

/** The runtime is asked to collect just before the model is waited for, and does so beside that. */
export function collectingWhileItWaits(model: ModelClient): ModelClient {
  let requests = 0;
  return {
    ...model,
    stream(request, signal) {
      requests++;
      if (requests % REQUESTS === 0) Bun.gc(false);
      return model.stream(request, signal);
    },
  };
}
