/** What a run takes and where its output goes: files and images with the prompt, -o, -q, --verbose, the developer log. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Script, sequence } from "../../src/simulator/index.ts";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { png } from "./pictures.ts";
import { fsck, IN_ORDER, RUN_TIMEOUT_MS, readLog, resultOf, withModel } from "./stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

const text = (words: string) => ({ content: [{ type: "text", text: words }] }) as const;
const answers: Script = () => text("The answer.");
const files = { "a.ts": "one\ntwo\nthree\n" };

describe("-f and -i", () => {
  test("give files, lines of files and images with the prompt", () =>
    withModel({ script: answers, files }, async (served) => {
      writeFileSync(join(served.project, "shot.png"), png(12, 9));
      const ran = await served.ask(["-p", "-f", "a.ts#L2-3", "-i", "shot.png", "look"]);
      expect([ran.code, ran.stdout, ran.stderr]).toEqual([0, "The answer.\n", ""]);
      const said = readLog(served.logs()[0] ?? "").find(({ type }) => type === "user.message-created");
      expect(said?.payload).toMatchObject({
        mentions: [
          { path: "a.ts", range: { start: 2, end: 3 } },
          { path: "shot.png", sha256: expect.any(String) },
        ],
        attachments: [{ mediaType: "image/png", name: "shot.png" }],
      });
      const { body } = served.simulator.requests.at(-1) ?? {};
      expect(JSON.stringify(body)).toContain(Buffer.from(png(12, 9)).toString("base64"));
      expect(JSON.stringify(body)).toContain(
        '<mentioned path=\\"a.ts\\">\\n     2\\ttwo\\n     3\\tthree\\n</mentioned>',
      );
      expect(await fsck(served, served.logs()[0] ?? "")).toMatchObject({ ...IN_ORDER, missing_images: [] });
    }));

  test("what is not there, no image, or too large ends the run before it begins", () =>
    withModel({ script: answers, files }, async (served) => {
      writeFileSync(join(served.project, "wide.png"), png(8001, 1));
      for (const [flags, words] of [
        [["-f", "gone.ts"], "-f gone.ts: there is no such file"],
        [Array.from({ length: 51 }, () => ["-f", "."]).flat(), "at most 50 files"],
        [Array.from({ length: 21 }, () => ["-i", "a.png"]).flat(), "at most 20 images"],
        [["-f", "a.ts#L5-2"], "lines are counted from 1"],
        [["-i", "a.ts"], "-i a.ts: it is no PNG, JPEG, GIF or WebP image"],
        [["-i", "wide.png"], "8001 x 1 pixels; the API takes 8000 a side"],
      ] as const) {
        const ran = await served.ask(["-p", ...flags, "look"]);
        expect([ran.code, ran.stderr.includes(words)]).toEqual([2, true]);
      }
      expect(served.logs()).toEqual([]);
    }));

  test("a file that needs consent is refused with a way out, and the run ends with 4", () =>
    withModel({ script: answers, files }, async (served) => {
      writeFileSync(join(served.root, "outside.txt"), "out there\n");
      const ran = await served.ask(["-p", "-f", "../outside.txt", "look"]);
      expect([ran.code, ran.stderr]).toEqual([4, expect.stringContaining("Not allowed, and nobody was there to ask")]);
      expect(JSON.stringify(served.simulator.requests.at(-1)?.body)).not.toContain("out there");
    }));
});

describe("-o", () => {
  test("holds the answer, whole, through a link, and leaves nothing beside it", () =>
    withModel({ script: answers }, async (served) => {
      mkdirSync(join(served.project, "out"));
      writeFileSync(join(served.project, "out/real.txt"), "what stood there before");
      symlinkSync("out/real.txt", join(served.project, "link.txt"));
      const ran = await served.ask(["-p", "-o", "link.txt", "--output-format", "json", "ask"]);
      expect(resultOf(ran)).toMatchObject({ result: "The answer.", exit_code: 0 });
      expect(readFileSync(join(served.project, "out/real.txt"), "utf8")).toBe("The answer.\n");
      expect(readdirSync(join(served.project, "out"))).toEqual(["real.txt"]);
    }));

  test("that cannot be written ends the run before anything is asked", () =>
    withModel({ script: answers }, async (served) => {
      using _listening = Bun.listen({ unix: join(served.project, "socket"), socket: { data: () => undefined } });
      for (const path of ["no/such/folder.txt", ".", "socket"]) {
        const ran = await served.ask(["-p", "-o", path, "ask"]);
        expect([ran.code, ran.stdout, ran.stderr]).toEqual([
          2,
          "",
          expect.stringContaining(`-o ${path}: the answer could not`),
        ]);
      }
      expect([served.logs(), served.simulator.requests]).toEqual([[], []]);
    }));

  test("is left as it was by a run without an answer", () =>
    withModel({ script: sequence([]) }, async (served) => {
      writeFileSync(join(served.project, "answer.txt"), "the last one\n");
      expect((await served.ask(["-p", "-o", "answer.txt", "ask"])).code).toBe(8);
      expect(readFileSync(join(served.project, "answer.txt"), "utf8")).toBe("the last one\n");
    }));
});

test("--verbose tells on stderr what is done; -q keeps to the answer, and to errors", () =>
  withModel(
    {
      script: sequence([
        { content: [{ type: "tool_use", name: "read", input: { file_path: "a.ts" } }] },
        text("Read it."),
      ]),
      files,
    },
    async (served) => {
      const told = await served.ask(["-p", "--verbose", "read it"]);
      expect([told.code, told.stdout]).toEqual([0, "Read it.\n"]);
      expect(told.stderr).toContain("you: read it");
      expect(told.stderr).toContain("▸ read a.ts");
      served.simulator.failNext({ kind: "http", status: 529, headers: { "retry-after": "0" } });
      const quiet = await served.ask(["-p", "-q", "read it"]);
      expect([quiet.code, quiet.stdout, quiet.stderr]).toEqual([0, "Read it.\n", ""]);
    },
  ));

test("the developer log is shown as it is written", () =>
  withModel({ script: answers }, async (served) => {
    served.simulator.failNext({ kind: "http", status: 529, headers: { "retry-after": "0" } });
    const shown = await served.ask(["-p", "--print-logs", "--debug=request failed", "ask"]);
    expect(shown.stderr).toContain('"message":"model request failed"');
    expect(readFileSync(join(served.state, "logs/khaelor.log"), "utf8")).toContain("model request failed");
    const calm = await served.ask(["-p", "--print-logs", "--log-level", "debug", "ask"]);
    expect(calm.stderr).toContain('"message":"run begins"');
  }));

test("flags that mean nothing together are refused", () =>
  withModel({ script: answers }, async (served) => {
    for (const [flags, words] of [
      [["-p", "--input-format", "stream-json"], "needs --output-format stream-json"],
      [["-p", "--input-format", "stream-json", "--output-format", "json"], "needs --output-format stream-json"],
      [["-p", "--include-partial-messages", "x"], "needs --output-format stream-json"],
      [["-p", "-q", "--verbose", "x"], "--quiet and --verbose contradict each other"],
      [["-p", "--debug", "--log-level", "warn", "x"], "--debug and --log-level warn contradict"],
      [["sessions", "-o", "x"], "--output-last-message goes only with a run"],
    ] as const) {
      const ran = await served.ask(flags);
      expect([ran.code, ran.stdout, ran.stderr.includes(words)]).toEqual([2, "", true]);
    }
    expect(existsSync(served.state)).toBe(false);
  }));
