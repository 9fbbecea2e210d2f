/** What a run without a screen prints, in the format that was asked for: events as they come, the result at its end. */
import { type DurableEvent, EXIT, encode, type KhaelorEvent, sanitize } from "../shared/index.ts";
import type { Arguments } from "./args.ts";
import type { Engine } from "./engine.ts";
import type { Output } from "./output.ts";
import type { RunResult } from "./result.ts";
import { createEventLines } from "./transcript.ts";

export interface Reporter {
  /** Whether `onEvent` tells of every event; otherwise only of what a turn runs into. */
  readonly tellsAll: boolean;
  /** For people: nothing that stops the run. */
  notice(text: string): void;
  onEvent(event: KhaelorEvent): void;
  result(result: RunResult): void;
}

export type Reporting = Pick<Arguments, "outputFormat" | "includePartialMessages" | "quiet" | "verbose">;

export function createReporter(typed: Reporting, output: Output): Reporter {
  const { outputFormat = "text", includePartialMessages, quiet, verbose } = typed;
  const streams = outputFormat === "stream-json";
  const eventLines = createEventLines();
  return {
    tellsAll: streams || verbose,
    notice(text) {
      if (!quiet) output.err(`khaelor: ${text}\n`);
    },
    onEvent(event) {
      if (streams && "seq" in event) output.out(`${encode(event)}\n`);
      else if (streams && includePartialMessages) output.out(`${JSON.stringify(event)}\n`);
      if (verbose && "seq" in event) output.err(eventLines(event).join(""));
      else if (event.type === "model.request-failed" && !quiet) sayWait(event, output);
      else if (event.type === "session.model-changed" && !quiet) sayFallback(event, output);
    },
    result(result) {
      if (outputFormat !== "text") output.out(`${JSON.stringify(result)}\n`);
      else text(result, output, quiet && result.exit_code === EXIT.done);
    },
  };
}

/** A wait can last minutes; whoever watches should know for what. */
function sayWait({ payload }: DurableEvent<"model.request-failed">, output: Output): void {
  const { message, retriesExhausted, retryAfterMs } = payload;
  if (retriesExhausted || retryAfterMs === undefined) return;
  output.err(`khaelor: ${message}; trying again in ${Math.ceil(retryAfterMs / 1000)} s\n`);
}

function sayFallback({ payload }: DurableEvent<"session.model-changed">, output: Output): void {
  const { from, to, reason } = payload;
  if (reason === "fallback") output.err(`khaelor: ${from} does not answer; this goes on with ${to}\n`);
}

/** A script gets the answer as it is; a terminal gets it without what could drive it. */
function text({ result, issues, status }: RunResult, output: Output, answerOnly: boolean): void {
  const answer = output.isTerminal() ? sanitize(result) : result;
  if (answer !== "" && status === "completed") output.out(answer.endsWith("\n") ? answer : `${answer}\n`);
  if (answerOnly) return;
  for (const issue of issues) output.err(`khaelor: ${issue}\n`);
}

/** The events that this run wrote before anybody could subscribe; not one of them is about a turn. */
export async function eventsSoFar({ store, session, firstSeq }: Engine, reporter: Reporter): Promise<void> {
  if (!reporter.tellsAll) return; // a long log is not read again for nothing
  for await (const event of store.read(session.id)) {
    if (!("opaque" in event) && event.seq >= firstSeq) reporter.onEvent(event);
  }
}

/** Questions of an earlier run that are still open: their own lines again, for without them nobody could answer. */
export async function* openQuestions({ store, session, firstSeq }: Engine): AsyncGenerator<DurableEvent> {
  const open = new Set(session.state().turn.permissions.map(({ permissionRequestId }) => permissionRequestId));
  if (open.size === 0) return;
  for await (const event of store.read(session.id)) {
    if (event.seq >= firstSeq) return;
    if ("opaque" in event || event.type !== "permission.requested") continue;
    if (open.has(event.payload.permissionRequestId)) yield event;
  }
}
