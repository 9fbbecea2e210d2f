/** The script for recorded streams, on small recordings made up here: each format is read, and each kind of difference is seen. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { readRecordings } from "../../scripts/recorded-streams/formats.ts";
import { differences } from "../../scripts/recorded-streams/report.ts";
import { runFile } from "../../scripts/recorded-streams/run.ts";
import { HELLO, START, STOP } from "../anthropic/answers.ts";
import { sse } from "../anthropic/scripted-server.ts";

const ROOT = join(import.meta.dir, "../..");
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const wire = (events: readonly object[]): string => events.map(sse).join("");

const user = (words: string) => ({ role: "user", content: [{ type: "text", text: words }] });
const assistant = (words: string) => ({ role: "assistant", content: [{ type: "text", text: words }] });
const body = (...messages: readonly object[]) => ({ model: "claude-haiku-4-5", max_tokens: 10, messages });

interface Exchange {
  readonly request: object;
  readonly uri?: string;
  readonly stream?: string;
  readonly status?: number;
}

/** YAML takes JSON as it is; a bare dot and a packed body are what the recorder itself writes. */
function tape(...exchanges: readonly Exchange[]): Uint8Array {
  const lines = exchanges.flatMap(
    ({ request, uri = "https://api.anthropic.com/v1/messages", stream, status = 200 }) => [
      `- request: { method: POST, uri: "${uri}", headers: {}, body: ${JSON.stringify(JSON.stringify(request))} }`,
      "  response:",
      `    status: { code: ${status}, message: . }`,
      `    headers: { content-type: [${stream === undefined ? "application/json" : "text/event-stream"}] }`,
      `    body: { string: ${stream === undefined ? "'{}'" : `!!binary "${gzipSync(stream).toString("base64")}"`} }`,
    ],
  );
  return bytes(["interactions:", ...lines, ""].join("\n"));
}

async function differencesIn(path: string, content: Uint8Array): Promise<readonly string[]> {
  const file = readRecordings(path, content);
  if (!file) return ["nothing was read"];
  return differences({ name: "s", commit: undefined, files: [await runFile(file)], unread: [] });
}

const GOES_ON = { request: body(user("x"), assistant("hello"), user("y")), stream: wire(HELLO) };

describe("recordings are read", () => {
  const cases: readonly (readonly [what: string, path: string, content: Uint8Array, streams: number])[] = [
    ["as they came", "a_response.txt", bytes(wire(HELLO).trimEnd()), 1],
    ["without their frame", "a.chunks.txt", bytes(HELLO.map((event) => JSON.stringify(event)).join("\n")), 1],
    ["from a cassette", "cassettes/a.yaml", tape({ request: body(user("x")), stream: wire(HELLO) }, GOES_ON), 2],
  ];
  for (const [what, path, content, streams] of cases) {
    test(what, async () => {
      expect(readRecordings(path, content)?.recordings.filter(({ stream }) => stream).length).toBe(streams);
      expect(await differencesIn(path, content)).toEqual([]);
    });
  }

  test("but not those of other APIs", () => {
    expect(readRecordings("a.chunks.txt", bytes('{"type":"response.created"}\n'))).toBeNull();
    const elsewhere = { request: body(user("x")), uri: "https://api.example.com/v1/messages", stream: wire(HELLO) };
    expect(readRecordings("cassettes/a.yaml", tape(elsewhere))).toBeNull();
  });
});

describe("a difference is told", () => {
  const first = { request: body(user("x")), stream: wire(HELLO) };
  const cases: readonly (readonly [what: string, content: Uint8Array, why: RegExp])[] = [
    [
      "an echo that is another",
      tape(first, { request: body(user("x"), assistant("hullo"), user("y")), stream: wire(HELLO) }),
      /^cassettes\/a.yaml#0: echo, block 0: they send .*hullo.*, KHAELOR .*hello/,
    ],
    ["a refusal of what was answered", tape({ request: body(user(" ")) }), /#0: rule 28/],
    [
      "a taking of what was refused",
      tape({ request: body(user("x")), status: 400 }),
      /#0: taken, where the API said 400/,
    ],
  ];
  for (const [what, content, why] of cases) {
    test(what, async () => {
      expect(await differencesIn("cassettes/a.yaml", content)).toEqual([expect.stringMatching(why)]);
    });
  }

  test("but a stream that was cut is no difference", async () => {
    expect(await differencesIn("a.sse", bytes(wire(HELLO.slice(0, -1))))).toEqual([]);
    expect(
      await differencesIn("a.sse", bytes(wire([START, STOP]).replace('"type":"message_stop"', '"type":"x"'))),
    ).toEqual([]);
  });
});

describe("the script", () => {
  let folder = "";
  const write = (name: string, content: Uint8Array): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  };
  const run = async (...args: readonly string[]) => {
    const child = Bun.spawn([process.execPath, join(ROOT, "scripts/recorded-streams.ts"), ...args], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [out, errors, status] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    return { status, output: out + errors };
  };
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "khaelor-streams-"));
    write("good/one.sse", bytes(wire(HELLO)));
    write("bad/one.sse", bytes(wire(HELLO)));
    write("bad/cassettes/two.yaml", tape({ request: body(user(" ")) }));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("ends with 0 when all agrees, with 1 on a difference, with 2 when it is called wrongly", async () => {
    const [good, bad, none, unknown] = await Promise.all([
      run(join(folder, "good")),
      run(join(folder, "good"), join(folder, "bad")),
      run(join(folder, "nowhere")),
      run(join(folder, "good"), "--all"),
    ]);
    expect([good.status, bad.status, none.status, unknown.status]).toEqual([0, 1, 2, 2]);
    expect(good.output).toContain("text: 1 came, 1 recorded, 1 sent again");
    expect(bad.output).toContain("two.yaml#0: rule 28");
    expect(none.output).toContain("there is no");
  });
});
