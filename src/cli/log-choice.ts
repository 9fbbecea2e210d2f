/** What the developer log keeps, and whether it is also shown, as `--debug`, `--log-level` and `--print-logs` say. */
import type { LogOptions } from "../shared/index.ts";
import type { Arguments } from "./args.ts";
import { createOutput } from "./output.ts";

export function logChoice({
  debug,
  logLevel,
  printLogs,
}: Pick<Arguments, "debug" | "logLevel" | "printLogs">): LogOptions {
  return {
    verbose: debug !== undefined || logLevel === "debug",
    ...(debug && { filter: debug }),
    ...(printLogs && { show: createOutput().err }),
  };
}
