/** Where the answers of commands are shown, and what is refused. */
import { expect, test } from "bun:test";
import { createSubmission } from "../../../src/tui/app/submission.ts";
import type { CommandUi, OpenSession, SlashCommand } from "../../../src/tui/ports.ts";

const COST: SlashCommand = {
  ...{ name: "cost", aliases: [], args: "", about: "", group: "", whileBusy: true },
  async run(_args, ui) {
    ui.say("counted", "ok");
    ui.note("a table");
    throw new Error("and a fault");
  },
};

function stage(isStreaming: boolean) {
  const told: string[] = [];
  const write =
    (where: string) =>
    (...words: readonly unknown[]) =>
      void told.push(`${where}: ${words.join(" ")}`);
  const session = {} as OpenSession; // as: only asked whether it is there
  const submission = createSubmission({
    core: {
      feed: { session: () => session } as never, // as: nothing is dispatched here
      transcript: { toEnd: () => undefined } as never, // as: only scrolled
      view: () => ({ live: isStreaming ? [{}] : [] }) as never, // as: only counted
      isBusy: () => isStreaming,
      say: write("bar"),
      keyOf: (action) => (action === "interrupt" ? "Esc" : undefined),
    },
    ports: { commands: [COST, { ...COST, name: "new", whileBusy: false }], unknownCommand: (name) => `no /${name}` },
    ui: () => ({ say: write("transcript"), note: write("transcript"), show: write("viewer") }) as unknown as CommandUi, // as: no more is used
  });
  return { submission, told };
}

async function told(isStreaming: boolean, line: string): Promise<readonly string[]> {
  const { submission, told } = stage(isStreaming);
  submission.submit({ text: line, mentions: [] }, "send");
  await Promise.resolve();
  return told;
}

test("a command answers in the transcript; while an answer streams over it, also where it is seen", async () => {
  expect(await told(false, "/cost")).toEqual([
    "transcript: counted ok",
    "transcript: a table",
    "transcript: and a fault error",
  ]);
  expect(await told(true, "/cost")).toEqual([
    ...["transcript: counted ok", "bar: counted ok"],
    "viewer: /cost a table",
    ...["transcript: and a fault error", "bar: and a fault error"],
  ]);
});

test("what is refused stands in the transcript, where all of it can be read", async () => {
  const why = "no /xyzzy. To send it as text, put a blank before it.";
  expect(await told(false, "/xyzzy")).toEqual([`transcript: ${why} warn`]);
  expect(await told(true, "/xyzzy")).toEqual([`transcript: ${why} warn`, `bar: ${why} warn`]);
});

test("a key that stands for a command says what typing it says", async () => {
  const byKey = stage(true);
  byKey.submission.command("new");
  expect<readonly string[]>(byKey.told).toEqual(await told(true, "/new"));
  expect(byKey.told[0]).toContain("/new waits for the end of the turn; Esc stops it.");
});
