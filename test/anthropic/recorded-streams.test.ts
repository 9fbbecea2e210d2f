/** What others recorded of the real API: the client makes of every stream what two other readings make of it, however it is cut. */
import { describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { echoOf } from "../../scripts/recorded-streams/echo.ts";
import { readRecordings } from "../../scripts/recorded-streams/formats.ts";
import { replayOf } from "../../scripts/recorded-streams/replay.ts";
import { differences } from "../../scripts/recorded-streams/report.ts";
import { runFile } from "../../scripts/recorded-streams/run.ts";
import { findSource } from "../../scripts/recorded-streams/sources.ts";
import { CUTS, readThroughClient } from "../../scripts/recorded-streams/through-client.ts";
import type { RecordedFile } from "../../scripts/recorded-streams/types.ts";
import { sha256 } from "../../src/shared/index.ts";

const FOLDER = join(import.meta.dir, "../golden/streams");
const SOURCES = ["anthropic-sdk-python", "anthropic-sdk-typescript", "vercel-ai", "pydantic-ai"];

const filesOf = (source: string): readonly RecordedFile[] =>
  findSource(join(FOLDER, source)).files.flatMap(({ path, read }) => {
    const bytes = read();
    const file = bytes && readRecordings(path, bytes);
    return file ? [file] : [];
  });

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** Texts that are read by nobody stand as their length and hash. */
const brief = (_key: string, value: unknown): unknown =>
  typeof value === "string" && value.length > 120 ? `${value.length} units, sha256 ${sha256(value)}` : value;

async function messagesOf(files: readonly RecordedFile[]): Promise<object> {
  const messages: Record<string, object> = {};
  for (const { path, recordings } of files) {
    for (const { at, stream } of recordings) {
      if (!stream) continue;
      const reading = await readThroughClient(stream, CUTS.whole ?? ((bytes) => [bytes]));
      const { blocks, finish, failure } = reading;
      const sentAgain = replayOf(reading).map(({ type }) => type);
      // What to do about a failure is said behind the dash.
      const failed = { failure: failure?.split(" — ")[0] };
      messages[`${nameOf(path)}#${at}`] = failure === undefined ? { finish, blocks, sentAgain } : failed;
    }
  }
  return messages;
}

for (const source of SOURCES) {
  describe(source, () => {
    const files = filesOf(source);

    for (const file of files) {
      test(`${nameOf(file.path)}: the client, the naive reading, the echo and the validator agree`, async () => {
        const report = await runFile(file);
        expect(differences({ name: source, commit: undefined, files: [report], unread: [] })).toEqual([]);
        expect(report.streams.length + report.requests.taken + report.requests.refused.length).toBeGreaterThan(0);
      });
    }

    test("the messages are the golden ones", async () => {
      const path = join(FOLDER, source, "messages.json");
      const text = `${JSON.stringify(await messagesOf(files), brief, 1)}\n`;
      if (process.env.UPDATE_GOLDEN === "1") writeFileSync(path, text);
      expect(text).toBe(readFileSync(path, "utf8"));
    });
  });
}

/** The expectations of the SDKs' own tests. Where a call was cut, theirs is what a lenient parser finds in it; ours is dropped. */
const EXPECTED: Readonly<Record<string, object>> = {
  "basic_response.txt": {
    content: [{ type: "text", text: "Hello there!" }],
    finish: { messageId: "msg_4QpJur2dWWDjF6C758FbBw5vm12BaVipnK", stopReason: "end_turn" },
  },
  "tool_use_response.txt": {
    content: [
      { type: "text", text: "I'll check the current weather in Paris for you." },
      { type: "tool_use", id: "toolu_01NRLabsLyVHZPKxbKvkfSMn", name: "get_weather", input: { location: "Paris" } },
    ],
    finish: { stopReason: "tool_use", usage: { inputTokens: 377, outputTokens: 65 } },
  },
  "incomplete_partial_json_response.txt": {
    content: [{ type: "text" }, { type: "tool_use", id: "toolu_01EKqbqmZrGRXy18eN7m9kvY", name: "make_file" }],
    finish: { stopReason: "max_tokens", usage: { inputTokens: 450, outputTokens: 124 } },
  },
  "refusal_response.txt": {
    finish: {
      stopReason: "refusal",
      stopDetails: { category: "cyber", explanation: "This request was refused due to policy." },
    },
  },
  "compaction_response.txt": {
    content: [
      {
        type: "compaction",
        block: {
          content: "Earlier conversation summarized.",
          encrypted_content: "EpwBCioIDxgCEAEYASJALd_opaque_compaction_payload",
        },
      },
      { type: "text", text: "Hello there!" },
    ],
    finish: { stopReason: "end_turn", usage: { inputTokens: 30, outputTokens: 8 } },
  },
  "fallback_response.txt": {
    content: [{ type: "text", text: "Hello there!" }],
    finish: { resolvedModel: "claude-sonnet-4-5" },
  },
};

describe("the message is the one that the SDKs' own tests expect", () => {
  for (const file of [...filesOf("anthropic-sdk-python"), ...filesOf("anthropic-sdk-typescript")]) {
    const expected = EXPECTED[nameOf(file.path)];
    if (!expected) continue;
    test(file.path, async () => {
      const stream = file.recordings[0]?.stream ?? new Uint8Array();
      const { blocks, finish } = await readThroughClient(stream, (bytes) => [bytes]);
      expect({ content: blocks.map(([, block]) => block), finish }).toMatchObject(expected);
    });
  }
});

test("two answers spliced into one do not count; a repeated beginning does no harm", async () => {
  const [twice, spliced] = ["duplicate", "spliced"].map((name) =>
    filesOf("vercel-ai").find(({ path }) => path.includes(`${name}-message-start`)),
  );
  const read = (file: RecordedFile | undefined) =>
    readThroughClient(file?.recordings[0]?.stream ?? new Uint8Array(), (bytes) => [bytes]);
  expect((await read(spliced)).failure).toContain("a second answer began inside the first");
  expect((await read(twice)).blocks).toEqual([[0, { type: "text", text: "Hello, World!" }]]);
});

test("an answer is echoed by the request that goes on behind it", () => {
  const tapes = filesOf("pydantic-ai").map(({ recordings }) => recordings);
  const echoed = tapes.flatMap((tape) => tape.filter((recording) => recording.stream && echoOf(recording, tape)));
  expect(echoed.length).toBe(1);
});
