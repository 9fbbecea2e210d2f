/** A long session on a terminal: the conversation is summed up while one watches, and what it cost can be looked into. */
import { beforeAll, describe, setDefaultTimeout } from "bun:test";
import { mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { writeModelsCache } from "../../src/cli/models-cache.ts";
import type { Script } from "../../src/simulator/index.ts";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { asListed, withWindows } from "../support/house.ts";
import { asksForSummary, SUMMARY, summingModel } from "../support/summing-model.ts";
import { testsTogether } from "../support/together.ts";
import { RUN_TIMEOUT_MS } from "./stage.ts";
import { type Size, session } from "./terminal-session.ts";
import { type TerminalStage, withTerminal } from "./terminal-stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

const FILES = {
  "notes.txt": Array.from({ length: 160 }, (_, at) => `${at + 1}: what was found out about the greeting\n`).join(""),
  "src/greet.ts": 'export const greeting = "hello";\n',
};

const MODELS = withWindows({ "claude-opus-5-5": 40_000 });
const DELTA = 16;

/** The first summary never comes to its end. */
function haltingModel(): Script {
  let asked = 0;
  return (request) => {
    if (!asksForSummary(request) || ++asked > 1) return summingModel(request);
    const fault = { kind: "silence", afterSeen: "text_delta", times: 12 } as const;
    return { content: [{ type: "text", text: SUMMARY }], stream: { deltaChars: DELTA }, fault };
  };
}

/** The model is told the path of the project. It is as long on every machine, so that all that is counted is the same. */
const PATH_LENGTH = 200;

/** The project's new home, with the project in it. */
function moveProject({ root, project }: TerminalStage): string {
  const home = join(root, "home-".padEnd(PATH_LENGTH - root.length - "//project".length, "x"));
  mkdirSync(home);
  renameSync(project, join(home, "project"));
  return home;
}

/** Sizes and prices follow from texts of the program that may change; the path and the platform are the machine's. Columns stay. */
const sizesAside = (screen: string): string =>
  screen
    .replace(/(working directory: )[\s\S]*?(?=\n *- +platform)/g, "$1PATH")
    .replace(/platform: \w+/g, "platform: PLATFORM")
    .replace(/\d{4}-\d\d-\d\d/g, "DATE")
    .replace(/(?<=\S)( {2,}(?:about )?)(\$[\d.]+\d|\d+(?:\.\d+)?[K%]|\d{2,})(?= {2}|$)/gm, (field, before, number) =>
      (before.trimStart() + wordFor(number)).padStart(field.length),
    )
    .replace(/\$[\d.]+\d|\b\d+(?:\.\d+)?(?:K\b|%)|\b\d{3,}\b(?! lines)|\b\d+(?= tokens)/g, wordFor)
    .replace(/(\p{L}.*) ─+$/gmu, "$1 ─")
    .replace(/^( ○ ready) +/gm, "$1  ");

const wordFor = (number: string): string => number.replace(/[\d.]*\d/, "N");

/** Not only typed: a message that is sent while a turn runs is another event. */
const isAnswered = (answer: string) => (screen: string) =>
  screen.split("\n").some((row) => row.trimEnd() === `   ${answer}`) && screen.includes("\n ○ ready");

function longSession(size: Size): Promise<void> {
  return withTerminal({ script: haltingModel(), models: MODELS, files: FILES }, async (stage) => {
    const home = moveProject(stage);
    writeModelsCache(stage.state, { fetchedAt: Date.now(), models: MODELS.map(asListed) }, stage.simulator.url);
    const run = { ...size, args: ["--theme", "dark"], cwd: join(home, "project"), env: { HOME: home } };
    const { terminal, shot, sees, say } = session(stage.open(run), size, sizesAside);
    await sees("ready");
    for (const word of ["One", "Two", "Three", "Four"]) {
      say("read notes.txt", `say ${word}.`);
      await terminal.waitFor(isAnswered(`${word}.`));
    }
    say("/compact keep the greeting");
    await shot("50-compact-preview", "Who sums it up", "not now");
    terminal.key("enter");
    await shot("51-compact-running", "Summing up", `${12 * DELTA}`);
    terminal.key("escape");
    await shot("52-compact-stopped", "Stopped", "ready");
    say("/compact");
    await sees("Who sums it up");
    terminal.key("enter");
    await shot("53-compacted", "Summed up from", "ready");
    terminal.key("ctrl+x");
    terminal.type("e");
    await shot("54-checkpoint", "[next message]", "ready");
    terminal.key("ctrl+x");
    terminal.type("e");
    say("/context");
    await shot("55-context", "tool results", "ready");
    say("/context diff @8 last");
    await shot("56-context-diff", "What the model saw");
    terminal.key("escape");
    await sees("ready");
    say("say Five.");
    await terminal.waitFor(isAnswered("Five."));
    say("/cost cache");
    await shot("57-cost-cache", "Each of them", "ready");
    say("/cost");
    await shot("58-cost", "answers", "ready");
    say("/exit");
    await terminal.exited;
  });
}

const together = testsTogether();

describe("a conversation that is summed up", () => {
  together("100×30", () => longSession({ cols: 100, rows: 30 }));
  together("60×20", () => longSession({ cols: 60, rows: 20 }));
});
