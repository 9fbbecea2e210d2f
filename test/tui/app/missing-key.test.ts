/** A key that was pasted before anybody asked for it goes where none of it is shown. */
import { expect, test } from "bun:test";
import type { Core } from "../../../src/tui/app/core.ts";
import { createSessions } from "../../../src/tui/app/sessions.ts";
import type { Screen } from "../../../src/tui/screen/port.ts";
import type { Layer } from "../../../src/tui/view/layer.ts";
import { textOf } from "../../support/frames.ts";
import { openEditor } from "../input/editor-stage.ts";
import { key } from "../input/keys.ts";
import { measure } from "../view/panel-stage.ts";

const KEY = "sk-ant-api03-0123456789abcdef";

test("from the draft into the field, and Enter keeps it", async () => {
  const { editor, close } = await openEditor(60, () => undefined);
  const kept: string[] = [];
  let hasKey = false;
  let layer: Layer | undefined;
  const { open } = createSessions({
    core: {
      screen: () => ({ editor }) as Partial<Screen> as Screen, // as much of one as is used
      feed: {
        session: () => undefined,
        async open() {
          if (!hasKey) throw Object.assign(new Error("no key"), { name: "MissingKey" });
        },
      } as Partial<Core["feed"]> as Core["feed"],
      measure: () => measure,
      ...{ redraw() {}, say() {} },
    },
    views: {
      over(create) {
        layer = create(() => {
          layer = undefined;
        });
      },
      pickSession: async () => undefined,
    },
    async storeKey(text) {
      kept.push(text);
      hasKey = true;
    },
    ...{ onLeaving() {}, onOpened() {}, onFailure() {}, quit() {} },
  });
  editor.setText(`hello ${KEY}`);
  await open({});
  const shown = layer?.rows({ width: 60, height: 20 }).map(textOf).join("\n") ?? "";
  expect([editor.text(), shown.includes(KEY)]).toEqual(["hello ", false]);
  expect(shown).toContain(`${"•".repeat(KEY.length)}`);
  expect(shown).toContain("moved here from the draft");
  layer?.key(key("enter"));
  await Bun.sleep(0);
  expect([kept, layer]).toEqual([[KEY], undefined]);
  close();
});
