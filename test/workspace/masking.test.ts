/** A key that a command prints is hidden however it is cut into pieces; everything else comes out byte for byte. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { createLocalWorkspace, type LocalWorkspace } from "../../src/workspace/index.ts";
import { createMask } from "../../src/workspace/masking.ts";

const KEY = "sk-test-sk-test-0123456789";
const OTHER = "sk-test-other-token-42";

let folder: string;
let workspace: LocalWorkspace;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "khaelor-mask-"));
  workspace = createLocalWorkspace({ cwd: folder, env: { PATH: process.env.PATH }, secrets: [KEY], watchdog: false });
});
afterAll(async () => {
  await workspace.close();
  rmSync(folder, { recursive: true, force: true });
});

test("whatever the pieces", () => {
  const part = fc.constantFrom(KEY, OTHER, "sk-test-", "s", "\u00e9", "plain\n", KEY.slice(0, 20), KEY.slice(5));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.array(fc.integer({ min: 1, max: 30 })), (parts, cuts) => {
      const bytes = Buffer.from(parts.join(""));
      const mask = createMask([KEY, OTHER, "short"]);
      const out: Uint8Array[] = [];
      let at = 0;
      for (const cut of [...cuts, bytes.length]) {
        out.push(Buffer.from(mask.push(bytes.subarray(at, at + cut))));
        at += cut;
      }
      out.push(mask.end());
      const expected = bytes.toString().replaceAll(KEY, "[redacted]").replaceAll(OTHER, "[redacted]");
      expect(Buffer.concat(out).toString()).toBe(expected);
    }),
    { seed: 5, numRuns: 300 },
  );
});

test("in what is kept, spilled and handed on, unless the program itself asks", async () => {
  const print = `printf '%s' ${KEY.slice(0, 10)}; sleep 0.05; printf '%s' ${KEY.slice(10)}; printf '%200s'`;
  const seen: string[] = [];
  const spillFile = join(folder, "spill");
  const command = { command: print, timeoutMs: 5000, maxOutputBytes: 100, spillFile };
  const ran = await workspace.exec({ ...command, onOutput: (chunk) => seen.push(Buffer.from(chunk).toString()) });
  const expected = `[redacted]${" ".repeat(200)}`;
  expect([ran.ok && ran.value.totalBytes, seen.join(""), readFileSync(spillFile, "utf8")]).toEqual([
    expected.length,
    expected,
    expected,
  ]);
  const exact = await workspace.exec({ command: `printf '%s' ${KEY}`, timeoutMs: 5000, exact: true });
  expect(exact.ok && Buffer.from(exact.value.head).toString()).toBe(KEY);
});

test("of a process in the background too", async () => {
  const seen: string[] = [];
  const started = await workspace.spawn({
    command: `printf '%s' ${KEY.slice(0, 10)}; sleep 0.05; printf '%s' '${KEY.slice(10)} ${KEY.slice(0, 4)}'`,
    onOutput: (chunk) => void seen.push(Buffer.from(chunk).toString()),
  });
  if (started.ok) await started.value.exited;
  expect([started.ok, seen.join("")]).toEqual([true, `[redacted] ${KEY.slice(0, 4)}`]);
});

test("of what is kept beside a result, which nobody else may read", async () => {
  const content = Buffer.from(`a ${KEY} b`);
  const umask = process.umask(0);
  await workspace.writeFile("spilled/whole", content, { mode: 0o600, masked: true });
  process.umask(umask);
  await workspace.writeFile("own", content);
  expect(["spilled/whole", "own"].map((name) => readFileSync(join(folder, name), "utf8"))).toEqual([
    "a [redacted] b",
    `a ${KEY} b`,
  ]);
  expect(statSync(join(folder, "spilled")).mode & 0o777).toBe(0o700);
});
