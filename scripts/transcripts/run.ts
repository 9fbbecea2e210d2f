/** One transcript from its bytes to its report: read, written as a log, checked whole, and played again in a small window. */
import { errorMessage } from "../../src/shared/index.ts";
import { type Checked, checkLog } from "./checks.ts";
import { readTranscript } from "./formats.ts";
import type { Api, Ground } from "./ground.ts";
import { playInSmallWindow } from "./playback.ts";
import type { FileReport } from "./report.ts";
import type { SourceFile } from "./sources.ts";
import type { Transcript } from "./types.ts";
import { writeLog } from "./writer.ts";

export interface Setting {
  readonly ground: Ground;
  /** With a window in which the longest conversation has room. */
  readonly api: Api;
}

export async function runFile(source: string, file: SourceFile, setting: Setting): Promise<FileReport> {
  const { name } = file;
  const nothing = { source, name, answers: 0, turns: 0, requests: 0, problems: [], tally: {} };
  const bytes = file.read();
  if (!bytes) return { ...nothing, leftOut: "it is listed, but its content is not there" };
  const transcript = readTranscript(new TextDecoder().decode(bytes));
  if (typeof transcript === "string") return { ...nothing, leftOut: transcript };
  const { format, tally } = transcript;
  try {
    const report = await runTranscript(transcript, setting);
    return { ...nothing, format, ...report, tally: Object.fromEntries(tally.counts) };
  } catch (error) {
    // Whatever the program throws on foreign data is a finding, and the other files are still to be tried.
    const problem = error instanceof Error ? (error.stack ?? error.message) : errorMessage(error);
    return { ...nothing, format, problems: [problem], tally: Object.fromEntries(tally.counts) };
  }
}

type Ran = Pick<FileReport, "answers" | "turns" | "requests" | "played" | "pruning" | "problems" | "sessionId"> & {
  readonly checked: Checked;
};

async function runTranscript(transcript: Transcript, { ground, api }: Setting): Promise<Ran> {
  const before = api.counts.requests;
  const { session, prefix, answers } = await writeLog(transcript, ground, api.facts);
  const { turns } = session.state().turn;
  const checked = await checkLog(session, { ground, api, prefix });
  const requests = api.counts.requests - before;
  const played = await playInSmallWindow(transcript, ground, { prunesEarly: false });
  const pruning = await playInSmallWindow(transcript, ground, { prunesEarly: true });
  const problems = [...checked.problems, ...played.problems, ...pruning.problems];
  return { answers, turns, requests, checked, played, pruning, problems, sessionId: session.id };
}
