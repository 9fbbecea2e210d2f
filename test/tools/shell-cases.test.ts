/** Every case of cases/shell.json, through the real bash tool. */
import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs";
import suite from "../cases/shell.json";
import { createStage } from "./stage.ts";

interface Expected {
  readonly exit?: number | null;
  readonly signal?: string;
  readonly timed_out?: boolean;
  readonly cancelled?: boolean;
  readonly stdout?: string;
  readonly stdout_each?: readonly string[];
  readonly stdout_contains?: readonly string[];
  readonly stderr_contains?: readonly string[];
  readonly stdout_int?: number;
  readonly stdout_int_max?: number;
  readonly max_ms?: number;
  readonly no_process?: string;
  readonly output_bounded?: boolean;
  readonly truncated?: boolean;
  readonly omission_marker?: boolean;
  readonly model_text_nonempty?: boolean;
  readonly model_text_contains?: readonly string[];
  readonly model_text_not_contains?: readonly string[];
  readonly model_text_max_bytes?: number;
  readonly well_formed_unicode?: boolean;
  readonly spill_bytes?: number;
  readonly error?: string;
  readonly message_contains?: readonly string[];
  readonly any_of?: readonly Expected[];
}
interface Case {
  readonly id: string;
  readonly topic: string;
  readonly why: string;
  readonly command?: string;
  readonly commands?: readonly string[];
  readonly command_gen?: { prefix: string; repeat: string; times: number; suffix: string };
  readonly timeout_ms: number;
  readonly abort_after_ms?: number;
  readonly cwd?: string;
  readonly expect: Expected;
}

const OMISSION = /^\[… \d+ bytes left out\. .*…\]$/m;

/** The lines that bash itself says are stderr, which shares one stream with stdout. */
const stdoutOf = (raw: string): string => raw.replace(/^\/bin\/bash: .*\n/gm, "");

async function run(one: Case, ...commands: readonly string[]) {
  await using stage = createStage({ env: { ...process.env, ANTHROPIC_API_KEY: "dummy-key" } });
  const abort = new AbortController();
  if (one.abort_after_ms !== undefined) setTimeout(() => abort.abort(), one.abort_after_ms);
  if (one.cwd !== undefined) rmSync(stage.folder, { recursive: true });
  const runs = [];
  for (const command of commands) {
    const raw: string[] = [];
    const startedAt = performance.now();
    const result = await stage.run(
      "bash",
      { command, timeout_ms: one.timeout_ms },
      { signal: abort.signal, emitOutput: (chunk) => void raw.push(chunk) },
    );
    const tookMs = performance.now() - startedAt;
    const spilled = result.spillFile ? statSync(result.spillFile).size : undefined;
    const left = one.expect.no_process ? await leftOf(one.expect.no_process, stage.folder) : [];
    runs.push({ result, raw: raw.join(""), tookMs, spilled, left, folder: stage.folder });
  }
  return runs;
}

type Ran = Awaited<ReturnType<typeof run>>[number];

/** The processes with this command line that were started in this folder. */
function processesNamed(commandLine: string, folder: string): readonly string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      if (!/^\d+$/.test(name) || readlinkSync(`/proc/${name}/cwd`) !== folder) return false;
      return readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ").trim() === commandLine;
    } catch {
      return false; // It has ended since the listing, or is not ours to look into.
    }
  });
}

/** Those that are left one second later. */
async function leftOf(commandLine: string, folder: string): Promise<readonly string[]> {
  const until = performance.now() + 1000;
  while (performance.now() < until && processesNamed(commandLine, folder).length > 0) await Bun.sleep(20);
  return processesNamed(commandLine, folder);
}

function checkEnding(expected: Expected, { result }: Ran): void {
  if (expected.exit !== undefined) expect(result.ui.exitCode ?? null).toBe(expected.exit);
  if (expected.signal !== undefined) expect(result.modelText).toContain(`[killed by ${expected.signal}]`);
  if (expected.timed_out) expect(result).toMatchObject({ errorKind: "timeout", ui: { kind: "exec" } });
  if (expected.cancelled) expect(result.modelText).toContain("[cancelled");
}

function checkOutput(expected: Expected, { result, raw, spilled }: Ran): void {
  if (expected.stdout !== undefined) expect(stdoutOf(raw)).toBe(expected.stdout);
  for (const part of expected.stdout_contains ?? []) expect(raw).toContain(part);
  for (const part of expected.stderr_contains ?? []) expect(raw).toContain(part);
  if (expected.stdout_int !== undefined) expect(Number(raw)).toBe(expected.stdout_int);
  if (expected.stdout_int_max !== undefined) expect(Number(raw)).toBeLessThanOrEqual(expected.stdout_int_max);
  if (expected.truncated !== undefined) expect(OMISSION.test(result.modelText)).toBe(expected.truncated);
  if (expected.omission_marker) expect(result.modelText).toContain(String(result.spillFile));
  if (expected.output_bounded) expect(result.modelText.length).toBeLessThan(2000);
  if (expected.spill_bytes !== undefined) expect(spilled).toBe(expected.spill_bytes);
}

function checkModelText(expected: Expected, { result: { modelText } }: Ran): void {
  expect(modelText.trim()).not.toBe("");
  for (const part of expected.model_text_contains ?? []) expect(modelText).toContain(part);
  for (const part of expected.model_text_not_contains ?? []) expect(modelText).not.toContain(part);
  if (expected.model_text_max_bytes)
    expect(Buffer.byteLength(modelText)).toBeLessThanOrEqual(expected.model_text_max_bytes);
  if (expected.well_formed_unicode) expect(modelText.isWellFormed()).toBe(true);
}

describe("shell cases", () => {
  for (const one of suite.cases as readonly Case[]) {
    const { prefix = "", repeat = "", times = 0, suffix = "" } = one.command_gen ?? {};
    const command = one.command ?? prefix + repeat.repeat(times) + suffix;
    const lacksPython = command.startsWith("python3") && Bun.which("python3") === null;
    test.serial.skipIf(lacksPython)(
      `${one.id} ${one.topic}: ${one.why}`,
      async () => {
        const runs = await run(one, ...(one.commands ?? [command]));
        for (const [index, stdout] of (one.expect.stdout_each ?? []).entries()) {
          expect(runs[index]?.raw).toBe(stdout.replace("{project}", runs[index]?.folder ?? ""));
        }
        for (const ran of runs) check(one.expect, ran);
      },
      20_000,
    );
  }
});

function check(all: Expected, ran: Ran): void {
  const failed = ran.result.errorKind !== undefined;
  const expected = all.any_of?.find(({ error }) => (error !== undefined) === failed) ?? all;
  if (expected.error === "exec-error") expect(ran.result.errorKind).toBe("exec-error");
  // The cases' folder stands for the project's own, which this test has removed.
  for (const part of expected.message_contains ?? []) {
    expect(ran.result.modelText).toContain(part.replace("/nonexistent-dir-7291", ran.folder));
  }
  checkEnding(expected, ran);
  checkOutput(expected, ran);
  checkModelText(expected, ran);
  if (expected.max_ms !== undefined) expect(ran.tookMs).toBeLessThan(expected.max_ms);
  expect(ran.left).toEqual([]);
}
