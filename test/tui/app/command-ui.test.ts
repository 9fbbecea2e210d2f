/** What a slash command asks is answered over the layers, and what it says stands in the transcript. */
import { expect, test } from "bun:test";
import { createCommandUi } from "../../../src/tui/app/command-ui.ts";
import { createLayers } from "../../../src/tui/app/layers.ts";
import { measureBy } from "../../../src/tui/layout/width.ts";
import { key } from "../input/keys.ts";

const nothing = () => undefined;
const never = async () => undefined;
const measure = measureBy("unicode");

test("a command asks over the layers and says in the transcript", async () => {
  const notes: unknown[] = [];
  const layers = createLayers(nothing);
  const ui = createCommandUi({
    ...{ layers, measure: () => measure, onChange: nothing, show: nothing, showDiff: nothing },
    ...{ switchTo: never, act: nothing, submit: nothing },
    model: () => ({ addNote: (note) => void notes.push(note) }),
  });
  ui.note("*md*");
  ui.say("kept", "ok");
  ui.say("plain");
  const chosen = ui.choose({ title: "?", rows: [{ value: "a", label: "A" }] });
  layers.key(key("enter"));
  const typed = ui.ask("name");
  for (const letter of "ab") layers.key(key(letter));
  layers.key(key("enter"));
  const given = ui.ask("key", { isSecret: true });
  layers.key(key("escape"));
  expect([await chosen, await typed, await given, layers.list().length]).toEqual(["a", "ab", undefined, 0]);
  expect(notes).toEqual([
    { kind: "note", text: "*md*" },
    { kind: "note", text: "✓ kept", tone: "ok" },
    { kind: "note", text: "plain", tone: "muted" },
  ]);
});
