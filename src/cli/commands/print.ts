/** `khaelor -p`: one task without a screen. The answer goes to stdout, everything for people to stderr. */
import {
  type DurableEvent,
  EXIT,
  type ExitCode,
  encode,
  type KhaelorEvent,
  sanitize,
  systemClock,
  UserError,
} from "../../shared/index.ts";
import type { Arguments } from "../args.ts";
import { composeEngine } from "../compose.ts";
import type { Engine } from "../engine.ts";
import { describeFailure } from "../failure.ts";
import { nearest } from "../nearest.ts";
import type { Output } from "../output.ts";
import { promptInput } from "../prompt-input.ts";
import { type RunResult, watchRun } from "../result.ts";
import { type RunEnd, runHeadless } from "../run-turn.ts";
import { sessionChoice } from "../session-choice.ts";
import { flagLayer, placesOf } from "../settings.ts";
import { SUBCOMMANDS } from "../subcommands.ts";

export async function print(typed: Arguments, output: Output): Promise<ExitCode> {
  const choice = sessionChoice(typed);
  const { resume } = choice;
  if (!typed.print && resume === undefined) {
    throw new UserError(withoutPrint(typed.operands), EXIT.usage);
  }
  const warn = (text: string): void => output.err(`khaelor: ${text}\n`);
  const prompt = await promptInput(typed.operands, { isNeeded: resume === undefined, warn });
  if (prompt === undefined && resume === undefined) {
    throw new UserError('There is no prompt: khaelor -p "what to do", or pipe it in.', EXIT.usage);
  }
  const engine = await composeEngine({
    places: placesOf(typed, process.env),
    env: process.env,
    flags: flagLayer(typed),
    debug: typed.debug !== undefined,
    ...choice,
    title: "",
    somebodyToAsk: false,
  });
  let isTold = false;
  try {
    for (const notice of engine.notices) output.err(`khaelor: ${notice}\n`);
    const result = await runAndReport(engine, prompt, typed, output);
    isTold = result.exit_code !== EXIT.done;
    return result.exit_code;
  } finally {
    // A log that broke in the run cannot be closed properly either; the run's own result says more.
    await engine.close().catch((error: unknown) => {
      if (!isTold) throw error;
    });
  }
}

/** A single word was probably meant as a subcommand. */
function withoutPrint([first = ""]: readonly string[]): string {
  const meant = nearest(
    first,
    SUBCOMMANDS.map(({ name }) => name),
  );
  if (meant) return `there is no subcommand ${first}; did you mean ${meant}?`;
  return 'this version has no screen yet; give the task with -p: khaelor -p "what to do".\nTry khaelor --help.';
}

async function runAndReport(
  engine: Engine,
  prompt: string | undefined,
  { outputFormat = "text" }: Arguments,
  output: Output,
): Promise<RunResult> {
  const { session } = engine;
  const streams = outputFormat === "stream-json";
  const line = (event: KhaelorEvent) => {
    if ("seq" in event) output.out(`${encode(event)}\n`);
  };
  if (streams) await eventsSoFar(engine, line);
  const watch = watchRun(session, systemClock.now);
  const onEvent = (event: KhaelorEvent) => {
    watch.onEvent(event);
    if (streams) line(event);
    if (event.type === "model.request-failed") sayWait(event, output);
  };
  const end = await runHeadless(engine, { prompt, onEvent }).catch(
    (error: unknown): RunEnd => ({ death: describeFailure(error) }),
  );
  const result = watch.finish(end);
  if (!end.death) await session.sync();
  if (outputFormat === "text") text(result, output);
  else output.out(`${JSON.stringify(result)}\n`);
  return result;
}

/** A wait can last minutes; whoever watches should know for what. */
function sayWait({ payload }: DurableEvent<"model.request-failed">, output: Output): void {
  const { message, retriesExhausted, retryAfterMs } = payload;
  if (retriesExhausted || retryAfterMs === undefined) return;
  output.err(`khaelor: ${message}; trying again in ${Math.ceil(retryAfterMs / 1000)} s\n`);
}

/** The events that this run wrote before anybody could subscribe. */
async function eventsSoFar({ store, session, firstSeq }: Engine, line: (event: KhaelorEvent) => void): Promise<void> {
  for await (const event of store.read(session.id)) {
    if (!("opaque" in event) && event.seq >= firstSeq) line(event);
  }
}

/** A script gets the answer as it is; a terminal gets it without what could drive it. */
function text({ result, issues, status }: RunResult, output: Output): void {
  const answer = process.stdout.isTTY ? sanitize(result) : result;
  if (answer !== "" && status === "completed") output.out(answer.endsWith("\n") ? answer : `${answer}\n`);
  for (const issue of issues) output.err(`khaelor: ${issue}\n`);
}
