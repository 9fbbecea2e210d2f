/** What the command line says about the prompt: heeded in a new session, refused where it would have no effect. */
import { afterAll, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArguments } from "../../src/cli/args.ts";
import { type PromptChoice, promptChoice } from "../../src/cli/prompt-choice.ts";
import { engineIn } from "../agent/engines.ts";
import { openHouse } from "../support/house.ts";

const cwd = mkdtempSync(join(tmpdir(), "khaelor-prompt-"));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

function choice(words: readonly string[], isResumed = false): PromptChoice | string {
  const parsed = parseArguments(["-p", "x", ...words]);
  if (!parsed.ok) return parsed.error;
  try {
    return promptChoice(parsed.value, { cwd, isResumed });
  } catch (error) {
    return (error as Error).message;
  }
}

describe("the system prompt", () => {
  test("is what was typed or stands in the file, from the working directory", () => {
    writeFileSync(join(cwd, "mine.md"), "Be brief.\n");
    expect(choice(["--system-prompt-file", "mine.md", "--append-system-prompt", "And kind."])).toEqual({
      replaced: "Be brief.\n",
      appended: "And kind.",
      withoutInstructions: false,
      withoutContext: false,
    });
  });

  test("given twice is refused", () => {
    expect(choice(["--system-prompt", "a", "--system-prompt-file", "b"])).toBe(
      "--system-prompt and --system-prompt-file: give one of them, not both.",
    );
  });

  test("from a file that is missing, empty, too large, no text or no file is refused, with what and where", () => {
    writeFileSync(join(cwd, "empty"), " \n");
    writeFileSync(join(cwd, "large"), "x".repeat(256 * 1024 + 1));
    writeFileSync(join(cwd, "binary"), Buffer.from([0x61, 0xff]));
    writeFileSync(join(cwd, "nul"), "a\0b");
    mkdirSync(join(cwd, "folder"));
    execFileSync("mkfifo", [join(cwd, "pipe")]);
    const said = ["missing", "empty", "large", "binary", "nul", "folder", "pipe"].map((name) =>
      choice(["--append-system-prompt-file", name]),
    );
    expect(said).toEqual([
      expect.stringMatching(/^--append-system-prompt-file missing: it cannot be read: .*ENOENT/),
      "--append-system-prompt-file empty: the file is empty.",
      "--append-system-prompt-file large: 262145 bytes, and it may have 262144.",
      "--append-system-prompt-file binary: this is not text in UTF-8.",
      "--append-system-prompt-file nul: this is not text.",
      "--append-system-prompt-file folder: this is not a regular file.",
      "--append-system-prompt-file pipe: this is not a regular file.",
    ]);
  });

  test("of a session that exists is settled", () => {
    expect(choice(["--append-system-prompt", "x"], true)).toBe(
      "--append-system-prompt is for a new session: this one goes on with the prompt that it began with. Leave it out.",
    );
  });
});

const script = () => ({ content: [{ type: "text" as const, text: "Done." }] });
const files = { "AGENTS.md": "Say please." };

/** What the model is sent before the conversation, and what stands in front of the first message. */
async function sentWith(
  prompt: PromptChoice,
): Promise<readonly [system: readonly string[], context: readonly string[]]> {
  const house = await openHouse({ script, files });
  const engine = await engineIn(house, { prompt });
  try {
    engine.agent.dispatch({ kind: "submit-message", text: "hello", mentions: [] });
    await engine.agent.settled();
    const body = house.simulator.requests.at(-1)?.body as {
      readonly system: readonly { readonly text: string }[];
      readonly messages: readonly { readonly content: readonly { readonly text: string }[] }[];
    };
    const [first] = body.messages;
    return [body.system.map(({ text }) => text), (first?.content ?? []).map(({ text }) => text)];
  } finally {
    await engine.close();
    await house.close();
  }
}

describe("the model is sent", () => {
  test("the user's own words in place of ours, with the project's instructions and what is to be appended behind them", async () => {
    const [system] = await sentWith({ replaced: "Be brief.", appended: "And kind.\n" });
    expect(system).toEqual(["Be brief.", expect.stringMatching(/Say please\.\n<\/instructions>\n\nAnd kind\.$/)]);
  });

  test("appended words also where there are no instructions", async () => {
    const [system] = await sentWith({ appended: "And kind.", withoutInstructions: true });
    expect(system).toEqual([expect.stringContaining("You are KHAELOR"), "And kind."]);
  });

  test("nothing but the message when everything is left out", async () => {
    const [system, context] = await sentWith({ withoutInstructions: true, withoutContext: true });
    expect([system.length, context]).toEqual([1, ["hello"]]);
    const [usual, captured] = await sentWith({});
    expect([usual.length, captured.length > 1]).toEqual([2, true]);
  });
});

test("a resumed session sends its own prompt again, and says that instructions stay", async () => {
  const house = await openHouse({ script, files });
  await house.say("hello");
  const { id } = house.engine.session;
  await house.engine.close();
  const engine = await engineIn(house, { resume: id, prompt: { withoutInstructions: true } });
  expect(engine.notices).toEqual([expect.stringContaining("goes on with the instructions that it began with")]);
  engine.agent.dispatch({ kind: "submit-message", text: "again", mentions: [] });
  await engine.agent.settled();
  const systems = house.simulator.requests.map(({ body }) => JSON.stringify((body as { system: unknown }).system));
  expect([systems.length, new Set(systems).size]).toEqual([2, 1]);
  await engine.close();
  await house.close();
});
