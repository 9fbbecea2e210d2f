/** Every case of cases/edit.json, through the real tools on real files. */
import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import type { ToolResult } from "../../src/tools/index.ts";
import suite from "../cases/edit.json";
import { createStage } from "./stage.ts";

interface Outcome {
  readonly content?: string;
  readonly content_b64?: string;
  readonly content_check?: { contains_once?: string; not_contains?: string; length_delta?: number };
  readonly error?: string;
  readonly mode?: string;
  readonly max_ms?: number;
  readonly no_leftover_temp_files?: boolean;
  readonly any_of?: readonly Outcome[];
}
interface Case {
  readonly id: string;
  readonly topic: string;
  readonly why: string;
  readonly file?: string;
  readonly file_b64?: string;
  readonly file_gen?: { repeat: string; times: number; then: string };
  readonly old: string;
  readonly new: string;
  readonly replace_all?: boolean;
  readonly setup?: {
    readonly mode?: string;
    readonly edited_path?: string;
    readonly mkdir?: readonly string[];
    readonly after_read?: string;
    readonly after_read_content?: string;
  };
  readonly expect: Outcome;
}

function bytesOf({ file, file_b64, file_gen }: Case): Buffer | undefined {
  if (file_gen) return Buffer.from(file_gen.repeat.repeat(file_gen.times) + file_gen.then);
  if (file_b64 !== undefined) return Buffer.from(file_b64, "base64");
  return file === undefined ? undefined : Buffer.from(file);
}

/** What happened, in the words of the cases. */
const errorOf = (result: ToolResult): string | undefined =>
  result.errorKind && /^Nothing was edited \(([a-z-]+)\)\./.exec(result.modelText)?.[1];

interface Happened {
  readonly error: string | undefined;
  readonly before: Buffer | undefined;
  readonly after: Buffer | undefined;
}

function agrees(expected: Outcome, { error, before, after }: Happened): boolean {
  if (expected.any_of) return expected.any_of.some((one) => agrees(one, { error, before, after }));
  if (expected.error !== undefined)
    return error === expected.error && (before === after || before?.equals(after ?? Buffer.of()) === true);
  if (error !== undefined || !after) return false;
  if (expected.content !== undefined) return after.equals(Buffer.from(expected.content));
  if (expected.content_b64 !== undefined) return after.equals(Buffer.from(expected.content_b64, "base64"));
  const { contains_once = "", not_contains, length_delta } = expected.content_check ?? {};
  const text = after.toString();
  return (
    text.split(contains_once).length === 2 &&
    (not_contains === undefined || !text.includes(not_contains)) &&
    text.length - (before?.toString().length ?? 0) === length_delta
  );
}

/** The folder as the case wants it. Returns the file's path, if there is a file. */
function prepare(one: Case, folder: string, name: string): string | undefined {
  for (const inner of one.setup?.mkdir ?? []) mkdirSync(`${folder}/${inner}`);
  const start = bytesOf(one);
  if (!start) return undefined;
  const path = `${folder}/${name}`;
  writeFileSync(path, start);
  if (one.setup?.mode) chmodSync(path, Number.parseInt(one.setup.mode, 8));
  return path;
}

function disturb({ setup }: Case, path: string): void {
  if (setup?.after_read === "touch") utimesSync(path, new Date(0), new Date(1));
  if (setup?.after_read_content !== undefined) writeFileSync(path, setup.after_read_content);
}

const modeOf = (path: string): string => (statSync(path).mode & 0o7777).toString(8).padStart(4, "0");

describe("edit cases", () => {
  test.each((suite.cases as readonly Case[]).map((one) => [`${one.id} ${one.topic}: ${one.why}`, one] as const))(
    "%s",
    async (_title, one) => {
      await using stage = createStage();
      const name = one.setup?.edited_path ?? "file.txt";
      const path = prepare(one, stage.folder, name);
      await stage.run("read", { file_path: name });
      if (path) disturb(one, path);
      const before = path && readFileSync(path);
      const startedAt = performance.now();
      const { old, new: next, replace_all = false } = one;
      const result = await stage.run("edit", { file_path: name, old_string: old, new_string: next, replace_all });
      const tookMs = performance.now() - startedAt;
      const happened = {
        error: errorOf(result),
        before: before || undefined,
        after: path ? readFileSync(path) : undefined,
      };
      const seen = { error: happened.error, content: happened.after?.toString().slice(0, 400), said: result.modelText };
      expect(agrees(one.expect, happened) ? "as expected" : seen).toEqual("as expected");
      if (one.expect.mode && path) expect(modeOf(path)).toBe(one.expect.mode);
      expect(tookMs).toBeLessThan(one.expect.max_ms ?? 10_000);
      expect(readdirSync(stage.folder)).toEqual([name]);
    },
  );
});
