/** What is searched for is found at the same place, however fast it is typed, and in one bar. */
import { expect, test } from "bun:test";
import { key } from "../input/keys.ts";
import { openHostileStage } from "./hostile-stage.ts";

test("also in the row that the bar takes away", async () => {
  const stage = await openHostileStage("");
  const { terminal, frame } = stage;
  const settled = () => terminal.screen.settled();
  try {
    const lines = Array.from({ length: 90 }, (_, at) => `line number ${at} end`).join("\n\n");
    await stage.say("go", { content: [{ type: "text", text: lines }] });
    const [word = ""] = /number \d+ end/.exec(frame()) ?? [];
    const found = async (...pieces: readonly string[]) => {
      for (const piece of pieces) {
        terminal.send(piece);
        await settled();
      }
      const shown = frame();
      terminal.send("\x1b");
      await stage.until(() => !frame().includes("1 of 1"));
      terminal.send("\x1b[1;5F"); // to the end
      await settled();
      return shown;
    };
    const slowly = await found("\x06", word);
    expect(slowly).toContain(`line ${word}`);
    expect(await found(`\x06${word}`)).toBe(slowly);
  } finally {
    await stage.close();
  }
});

test("a search that begins while another's bar stands there takes its place, and Esc ends it", async () => {
  const { shown, close } = await openHostileStage("");
  const bars = () => shown.core.layers.list().map(({ name }) => name);
  try {
    for (const word of ["ctrl+f", "a", "enter", "ctrl+f"]) shown.handlers.key(key(word));
    expect(bars()).toEqual(["search-bar"]);
    shown.handlers.key(key("escape"));
    expect([bars(), shown.core.transcript.search.status()]).toEqual([[], undefined]);
  } finally {
    await close();
  }
});
