/** `khaelor -p`: one task without a screen. The answer goes to stdout, everything for people to stderr. */
import {
  EXIT,
  type ExitCode,
  type KhaelorEvent,
  type Mention,
  nearest,
  steadyNow,
  systemClock,
  UserError,
} from "../../shared/index.ts";
import { answerFile, withAnswerFile } from "../answer-file.ts";
import { readOutputSchema } from "../answer-schema.ts";
import type { Arguments } from "../args.ts";
import { composeEngine } from "../compose.ts";
import type { Engine } from "../engine.ts";
import { describeFailure } from "../failure.ts";
import { logChoice } from "../log-choice.ts";
import { mentionsOf } from "../mention-flags.ts";
import type { Output } from "../output.ts";
import { endProcesses } from "../processes.ts";
import { promptChoice } from "../prompt-choice.ts";
import { promptInput } from "../prompt-input.ts";
import { resolveRealPath } from "../real-path.ts";
import { createReporter, eventsSoFar, openQuestions, type Reporter } from "../reporter.ts";
import { watchRun } from "../result.ts";
import { type RunEnd, runHeadless } from "../run-turn.ts";
import { type SessionChoice, sessionChoice } from "../session-choice.ts";
import { flagLayer, type Places, placesOf, secondsIn } from "../settings.ts";
import { runStream } from "../stream/front.ts";
import { SUBCOMMANDS, unknownSubcommand } from "../subcommands.ts";
import { createThrowaway } from "../throwaway.ts";
import { refuseToolsOnResume } from "../tool-choice.ts";

export async function print(typed: Arguments, output: Output): Promise<ExitCode> {
  const choice = sessionChoice(typed);
  if (!typed.print && choice.resume === undefined) {
    throw new UserError(withoutPrint(typed), EXIT.usage);
  }
  refuseToolsOnResume(typed.tools, choice.resume !== undefined);
  const places = placesOf(typed, process.env);
  if (!typed.noSession) return run(typed, output, { choice, places });
  const throwaway = createThrowaway(places);
  try {
    return await run(typed, output, { choice, places: throwaway.places });
  } finally {
    throwaway.discard();
  }
}

interface Placed {
  readonly choice: SessionChoice;
  readonly places: Places;
}

async function run(typed: Arguments, output: Output, { choice, places }: Placed): Promise<ExitCode> {
  const reporter = createReporter(typed, output);
  const isResumed = choice.resume !== undefined;
  const prompt = promptChoice(typed, { cwd: places.cwd, isResumed });
  const isFront = typed.inputFormat === "stream-json";
  const message = await firstMessage(typed, places, { isFront, isResumed, reporter });
  const answers = typed.outputLastMessage === undefined ? undefined : answerFile(typed.outputLastMessage, places.cwd);
  const engine = await composeEngine({
    places,
    env: process.env,
    flags: flagLayer(typed),
    log: logChoice(typed),
    ...choice,
    prompt,
    title: "",
    somebodyToAsk: isFront,
    onTrouble: (text) => output.err(`khaelor: ${text}\n`),
    requireVerified: typed.requireVerified,
    ...(typed.tools !== undefined && { tools: typed.tools }),
    ...(typed.jsonSchema !== undefined && { outputSchema: await readOutputSchema(typed.jsonSchema, places.cwd) }),
  });
  let isTold = false;
  try {
    for (const notice of engine.notices) reporter.notice(notice);
    if (isResumed && typed.cwd !== undefined) tellOfFolder(engine, places.cwd, reporter);
    const drive = isFront ? converse : runAndReport;
    const code = await drive(engine, { message, reporter: withAnswerFile(reporter, answers, output), output });
    isTold = code !== EXIT.done;
    return code;
  } finally {
    // A log that broke in the run cannot be closed properly either; the run's own result says more.
    await engine.close().catch((error: unknown) => {
      if (!isTold) throw error;
    });
  }
}

/** `-C` says where a session is looked for and what relative paths mean; a session itself does not move. */
function tellOfFolder({ workspace }: Engine, cwd: string, { notice }: Reporter): void {
  if (resolveRealPath(cwd) !== workspace.cwd()) {
    notice(`The session goes on in ${workspace.cwd()}, where it began; -C is the folder of a new one.`);
  }
}

/** A form of input or output says that a run is meant; a single word was probably meant as a subcommand. */
function withoutPrint({ operands: [first = ""], inputFormat, outputFormat }: Arguments): string {
  if (inputFormat !== undefined) return "--input-format goes with -p.\nTry khaelor --help.";
  if (outputFormat !== undefined) return "--output-format goes with -p.\nTry khaelor --help.";
  const meant = nearest(
    first,
    SUBCOMMANDS.map(({ name }) => name),
  );
  if (meant) return unknownSubcommand(first);
  return NO_TERMINAL;
}

const NO_TERMINAL =
  "there is no terminal to work on: input and output must both be one. Without it give the task with -p, as in " +
  'khaelor -p "what to do", or use --screen-reader for lines.\nTry khaelor --help.';

/** What is asked first; undefined when there is nothing yet, which a program that is the front makes up for. */
async function firstMessage(
  typed: Arguments,
  { cwd }: Places,
  {
    isFront,
    isResumed,
    reporter,
  }: { readonly isFront: boolean; readonly isResumed: boolean; readonly reporter: Reporter },
): Promise<FirstMessage | undefined> {
  const mostSeconds = typed.timeout === undefined ? undefined : secondsIn(typed.timeout);
  const mentions = mentionsOf(typed, cwd, isResumed);
  const isNeeded = !isResumed && mentions.length === 0;
  const text = isFront
    ? typed.operands.join(" ").trim() || undefined
    : await promptInput(typed.operands, { isNeeded, mostSeconds, warn: reporter.notice });
  if (text !== undefined || mentions.length > 0) return { prompt: text ?? "", mentions };
  if (isNeeded && !isFront) {
    throw new UserError('There is no prompt: khaelor -p "what to do", or pipe it in.', EXIT.usage);
  }
  return undefined;
}

interface FirstMessage {
  readonly prompt: string;
  readonly mentions: readonly Mention[];
}

interface Run {
  readonly message: FirstMessage | undefined;
  readonly reporter: Reporter;
  readonly output: Output;
}

async function runAndReport(engine: Engine, { message, reporter }: Run): Promise<ExitCode> {
  const { session } = engine;
  await eventsSoFar(engine, reporter);
  const watch = watchRun(session, () => steadyNow(systemClock), engine.resultOptions);
  const onEvent = (event: KhaelorEvent) => {
    watch.onEvent(event);
    reporter.onEvent(event);
  };
  const end = await runHeadless(engine, { prompt: undefined, ...message, onEvent }).catch(
    (error: unknown): RunEnd => ({ death: describeFailure(error) }),
  );
  await endProcesses(engine, onEvent);
  const result = watch.finish(end);
  if (!end.death) await session.sync();
  reporter.result(result);
  return result.exit_code;
}

/** What a program is told beside the events: lines of its own that could not be used. They cost the run its success. */
async function converse(engine: Engine, { message, reporter, output }: Run): Promise<ExitCode> {
  await eventsSoFar(engine, reporter);
  for await (const event of openQuestions(engine)) reporter.onEvent(event);
  const { result, refused } = await runStream(engine, {
    first: message && { kind: "submit-message", text: message.prompt, mentions: message.mentions },
    input: Bun.stdin.stream(),
    onEvent: reporter.onEvent,
    onResult: reporter.result,
    onRefused(line, problem) {
      output.out(`${JSON.stringify({ type: "input-refused", line, message: problem })}\n`);
      output.err(`khaelor: line ${line} of the input was refused: ${problem}\n`);
    },
  });
  return refused > 0 && result.exit_code === EXIT.done ? EXIT.usage : result.exit_code;
}
