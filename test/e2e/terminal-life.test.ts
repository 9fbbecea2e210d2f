/** The life of the terminal: whatever ends the program, the shell that it was started from is usable afterwards. */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { RUN_TIMEOUT_MS } from "./stage.ts";
import { withTerminal } from "./terminal-stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

test("a message is typed and answered, and the terminal is left as it was", () =>
  withTerminal({}, async (stage) => {
    const terminal = stage.open({ cols: 60, rows: 16 });
    await terminal.waitFor("ready");
    terminal.type("hello");
    terminal.key("enter");
    await terminal.waitFor("You said: hello");
    terminal.key("ctrl+c");
    expect(await terminal.exited).toEqual({ code: 0, signal: null });
    expect([terminal.modes(), terminal.isCooked()]).toEqual([[], true]);
  }));
