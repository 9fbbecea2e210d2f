/** Sessions on a real terminal: begun from the command line, left, found again, and gone where nothing was said. */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { RUN_TIMEOUT_MS, readLog } from "./stage.ts";
import { withTerminal } from "./terminal-stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

test("a prompt, a file and a title from the command line; the way back is printed; resumed, it waits", () =>
  withTerminal({ files: { "a.txt": "the content of a\n" } }, async (stage) => {
    const first = stage.open({ args: ["-n", "A title", "-f", "a.txt", "say hello"] });
    await first.waitFor(/hello[\s\S]*ready/);
    expect(first.screen()).toContain("A title");
    first.type("/exit");
    first.key("enter");
    expect(await first.exited).toEqual({ code: 0, signal: null });
    const [log = ""] = stage.logs();
    const id = readLog(log)[0]?.sessionId ?? "";
    await first.waitFor((screen) => screen === `khaelor --resume ${id}   (the last turn was finished)`);
    const said = readLog(log).find(({ type }) => type === "user.message-created");
    expect(said?.payload).toMatchObject({ text: "say hello", mentions: [{ path: "a.txt" }] });

    const requests = stage.simulator.requests.length;
    const second = stage.open({ args: ["--resume", id] });
    await second.waitFor(/hello[\s\S]*ready/);
    second.type("/exit");
    second.key("enter");
    await second.exited;
    expect(stage.simulator.requests.length).toBe(requests);
  }));

test("nothing is kept of a session in which nothing was said, and with --no-session nothing at all", () =>
  withTerminal({}, async (stage) => {
    const silent = stage.open();
    await silent.waitFor("ready");
    silent.type("/exit");
    silent.key("enter");
    expect([await silent.exited, stage.logs()]).toEqual([{ code: 0, signal: null }, []]);
    await silent.waitFor((screen) => screen === "");

    const thrown = stage.open({ args: ["--no-session", "say hello"] });
    await thrown.waitFor(/hello[\s\S]*ready/);
    thrown.type("/exit");
    thrown.key("enter");
    expect([(await thrown.exited).code, stage.logs()]).toEqual([0, []]);
    await thrown.waitFor((screen) => screen === "");
    expect(readdirSync(join(stage.state, "throwaway"))).toEqual([]);
  }));

test("--resume with words opens the only session that has them; what means nothing here is refused at once", () =>
  withTerminal({}, async (stage) => {
    await stage.ask(["-p", "say apples"]);
    await stage.ask(["-p", "say pears"]);
    const found = stage.open({ args: ["resume", "apples"] });
    await found.waitFor(/apples[\s\S]*ready/);
    found.type("/exit");
    found.key("enter");
    await found.exited;
    for (const [args, words] of [
      [["--timeout", "5", "hello"], "--timeout goes with -p"],
      [["sesions"], "did you mean sessions?"],
    ] as const) {
      const refused = stage.open({ args });
      expect([(await refused.exited).code, refused.bytes().includes(words)]).toEqual([2, true]);
      expect(refused.bytes()).not.toContain("\x1b[?1049h");
    }
    expect((await stage.run([])).stderr).toContain("there is no terminal to work on");
  }));

test("a damaged session that is chosen is shown as far as it can be read, takes nothing, and goes on in a fork", () =>
  withTerminal({}, async (stage) => {
    await stage.ask(["-p", "say apples"]);
    const [log = ""] = stage.logs();
    const [start, ...lines] = readFileSync(log, "utf8").split("\n");
    writeFileSync(log, [start, "{broken}", ...lines].join("\n"));
    const before = readFileSync(log);
    const terminal = stage.open();
    await terminal.waitFor("ready");
    terminal.type("/resume");
    terminal.key("enter");
    await terminal.waitFor("(damaged)");
    terminal.key("enter");
    await terminal.waitFor(/Damaged here: line 2 \(byte \d+\)[\s\S]*apples[\s\S]*only looked at[\s\S]*read-only/);
    terminal.type("say pears\r");
    await terminal.waitFor("This session is only looked at. /fork");
    terminal.key("ctrl+c");
    terminal.type("/fork\r");
    await terminal.waitFor((screen) => /Forked from/.test(screen) && !screen.includes("read-only"));
    terminal.type("say plums\r");
    await terminal.waitFor(/plums[\s\S]*plums[\s\S]*ready/);
    terminal.type("/exit");
    terminal.key("enter");
    expect((await terminal.exited).code).toBe(0);
    expect(readFileSync(log).equals(before)).toBe(true);
    expect(stage.logs().length).toBe(2);
  }));
