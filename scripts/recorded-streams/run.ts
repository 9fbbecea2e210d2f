/** One file of recordings: every stream through the client in every cut, every echo and every request judged. */
import { errorMessage } from "../../src/shared/index.ts";
import { type Owed, owedFor } from "./contract.ts";
import { echoDiffers, echoOf } from "./echo.ts";
import { type Reading, readNaively } from "./naive.ts";
import { replayOf } from "./replay.ts";
import { type ClientReading, CUTS, readThroughClient } from "./through-client.ts";
import { jsonOf, type RecordedFile, type Recording } from "./types.ts";
import { verdictOn } from "./verdict.ts";

export interface StreamReport {
  readonly path: string;
  readonly at: number;
  /** `refused`: the answer does not count, and the client says why. */
  readonly outcome: "same" | "refused" | "differs";
  readonly why?: string;
  readonly stopReason?: string;
  /** The types of the blocks that are recorded, of those left out, and of those sent again. */
  readonly recorded: readonly string[];
  readonly leftOut: readonly string[];
  readonly replayed: readonly string[];
  /** Whether a later request of the same tape sends what KHAELOR would. */
  readonly echo: "none" | "same" | "differs";
}

export interface FileReport {
  readonly path: string;
  readonly format: string;
  readonly streams: readonly StreamReport[];
  readonly requests: {
    readonly taken: number;
    readonly refused: readonly string[];
    readonly disagreed: readonly string[];
  };
}

export async function runFile({ path, format, recordings }: RecordedFile): Promise<FileReport> {
  const streams: StreamReport[] = [];
  for (const recording of recordings) {
    if (recording.stream) streams.push(await runStream(path, recording, recordings));
  }
  return { path, format, streams, requests: judgeAll(recordings) };
}

async function runStream(path: string, recording: Recording, tape: readonly Recording[]): Promise<StreamReport> {
  const bytes = recording.stream ?? new Uint8Array();
  const head = { path, at: recording.at };
  const nothing = { recorded: [], leftOut: [], replayed: [], echo: "none" } as const;
  try {
    const naive = readNaively(bytes);
    const first = await readInEveryCut(bytes);
    if (naive.kind !== "whole") return { ...head, ...nothing, ...refusedOutcome(naive, first) };
    const owed = owedFor(naive.message);
    const problem = difference(owed, first);
    const replay = replayOf(first);
    const echoed = echoOf(recording, tape);
    const echoProblem = echoed && echoDiffers(echoed, replay);
    const why = problem ?? (echoProblem === undefined ? undefined : `echo, ${echoProblem}`);
    return {
      ...head,
      outcome: why === undefined ? "same" : "differs",
      ...(why === undefined ? {} : { why }),
      stopReason: String(naive.message.stopReason),
      recorded: first.blocks.map(([, { type }]) => type),
      leftOut: owed.leftOut,
      replayed: replay.map(({ type }) => type),
      echo: echoed === undefined ? "none" : echoProblem === undefined ? "same" : "differs",
    };
  } catch (error) {
    return { ...head, ...nothing, outcome: "differs", why: `it cannot be read: ${errorMessage(error)}` };
  }
}

/** The reading of the uncut stream; throws where another cut gives another one. */
async function readInEveryCut(bytes: Uint8Array): Promise<ClientReading> {
  const readings: [string, ClientReading][] = [];
  for (const [name, cut] of Object.entries(CUTS)) readings.push([name, await readThroughClient(bytes, cut)]);
  const [first] = readings;
  if (!first) throw new Error("there is no cut");
  const other = readings.find(([, reading]) => !Bun.deepEquals(settled(reading), settled(first[1])));
  if (other) throw new Error(`${other[0]} it reads otherwise than ${first[0]}`);
  return first[1];
}

const settled = ({ blocks, finish, failure }: ClientReading) => ({ blocks, finish, failure });

function difference(owed: Owed, { blocks, finish, failure }: ClientReading): string | undefined {
  if (failure !== undefined) return `the client refuses it: ${failure}`;
  const at = [...owed.blocks.keys(), ...blocks.keys()].find((i) => !Bun.deepEquals(owed.blocks[i], blocks[i]));
  if (at !== undefined) return `block ${at}: ${brief(owed.blocks[at])} is owed, ${brief(blocks[at])} came`;
  return Bun.deepEquals(owed.finish, finish) ? undefined : `${brief(owed.finish)} is owed, ${brief(finish)} came`;
}

function refusedOutcome(naive: Exclude<Reading, { kind: "whole" }>, { failure }: ClientReading) {
  const asRead = naive.kind === "broken" ? naive.why : naive.kind === "cut" ? "it is cut" : "it ends in an error";
  return failure === undefined
    ? ({ outcome: "differs", why: `the client takes it, although ${asRead}` } as const)
    : ({ outcome: "refused", why: `${asRead}; the client: ${failure}` } as const);
}

function judgeAll(recordings: readonly Recording[]): FileReport["requests"] {
  const refused: string[] = [];
  const disagreed: string[] = [];
  let taken = 0;
  let paused = false;
  for (const recording of recordings) {
    const verdict = verdictOn(recording, paused);
    paused ||= isPaused(recording);
    if (verdict?.kind === "disagrees") disagreed.push(`${recording.at}: ${verdict.why}`);
    else if (verdict?.refusal !== undefined) refused.push(`${recording.at}: ${verdict.refusal}`);
    else if (verdict) taken++;
  }
  return { taken, refused, disagreed };
}

function isPaused({ stream, answer }: Recording): boolean {
  if (!stream) return jsonOf(answer).stop_reason === "pause_turn";
  return new TextDecoder().decode(stream).includes('"stop_reason":"pause_turn"');
}

const brief = (value: unknown): string => (value === undefined ? "nothing" : JSON.stringify(value).slice(0, 200));
