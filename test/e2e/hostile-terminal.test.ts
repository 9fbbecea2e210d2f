/**
 * The terminal, started in a folder that holds packages under the names of its native parts, and files that would have them
 * chosen. Whatever is planted leaves a mark when it runs.
 */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { RUN_TIMEOUT_MS } from "./stage.ts";
import { type TerminalStage, withTerminal } from "./terminal-stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

const CORE = join(import.meta.dir, "../../node_modules/@opentui/core");

/** Every package that the library names anywhere in its own code, and the library itself. */
function libraryPackages(): readonly string[] {
  const texts = ["index.bun.js", "package.json"].map((name) => readFileSync(join(CORE, name), "utf8"));
  const named = texts.join("\n").match(/@opentui\/core-[a-z0-9-]+/g) ?? [];
  return [...new Set(["@opentui/core", "web-tree-sitter", ...named])];
}

const marker = ({ root }: TerminalStage): string => join(root, "planted-code-ran");

function plant(stage: TerminalStage): void {
  const code = `require("node:fs").writeFileSync(${JSON.stringify(marker(stage))}, "");\nmodule.exports = "/dev/null";\n`;
  for (const name of [...libraryPackages(), "@opentui/core-linux-x64-musl", "@opentui/core-linux-x64"]) {
    const folder = join(stage.project, "node_modules", name);
    mkdirSync(folder, { recursive: true });
    for (const file of ["index.js", "index.bun.js", "parser.worker.js"]) writeFileSync(join(folder, file), code);
    writeFileSync(
      join(folder, "package.json"),
      '{ "main": "index.js", "exports": { ".": "./index.js", "./*": "./*" } }\n',
    );
    writeFileSync(join(folder, "libopentui.so"), "no library");
  }
  const switches = "OPENTUI_LIBC=musl\nOTUI_ASSET_ROOT=.\nBUN_TMPDIR=.\nTMPDIR=.\n";
  writeFileSync(join(stage.project, ".env"), switches);
  writeFileSync(join(stage.project, "bunfig.toml"), 'preload = ["./planted.js"]\n');
  writeFileSync(join(stage.project, "planted.js"), code);
}

test("of what is planted nothing runs, nor does the environment choose it", () =>
  withTerminal({}, async (stage) => {
    plant(stage);
    const live = ["--config=/dev/null", "-e", "import('@opentui/core-linux-x64-musl')"];
    Bun.spawnSync([process.execPath, ...live], { cwd: stage.project, env: {} });
    expect(existsSync(marker(stage))).toBe(true); // it would, where somebody takes it up
    rmSync(marker(stage));
    const written = join(stage.root, "stdin.log");
    const chosen = { OPENTUI_LIBC: "musl", OTUI_ASSET_ROOT: stage.project, OTUI_STDIN_LOG: written };
    for (const env of [{}, chosen]) {
      const terminal = stage.open({ env });
      await terminal.waitFor("ready");
      terminal.type("say it works\r");
      await terminal.waitFor(/ {3}it works/);
      const loaded = readFileSync(`/proc/${terminal.pid}/maps`, "utf8");
      expect([marker(stage), written].filter((path) => existsSync(path))).toEqual([]);
      expect(loaded).not.toContain(stage.project);
      await terminal.close();
    }
  }));
