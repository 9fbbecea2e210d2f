/** Where a press that was not let go in the transcript leaves the mouse. */
import { expect, test } from "bun:test";
import type { Core } from "../../../src/tui/app/core.ts";
import { createMouse } from "../../../src/tui/app/mouse.ts";
import type { MouseInput } from "../../../src/tui/screen/port.ts";
import type { ScreenFrame } from "../../../src/tui/view/frame.ts";
import { manualClock } from "../../support/clock.ts";

const AT = { x: 0, y: 0, width: 80, height: 20 };

test("a layer that comes over a press gets the mouse, also when the button is let go on it", () => {
  const done: string[] = [];
  const does = (what: string) => () => void done.push(what);
  const selection = { down: does("press"), drag: does("drag"), up: () => done.push("let go") > 0 };
  const layer = { wheel: does("wheel on the layer"), click: does("click on the layer") };
  const open = { transcript: AT, layers: [] } as unknown as ScreenFrame; // as much of one as is used
  const covered = { layers: [{ layer, at: AT }] } as unknown as ScreenFrame; // as much of one as is used
  let frame = open;
  const mouse = createMouse({
    transcript: { selection, scroll: does("wheel") } as unknown as Core["transcript"], // as much of one as is used
    ...{ redraw() {}, say() {}, keyOf: () => undefined, clock: manualClock() },
    frame: () => frame,
  });
  const act = (kind: MouseInput["kind"]) => mouse({ kind, x: 1, y: 1 });
  act("down");
  frame = covered;
  for (const kind of ["up", "wheel", "down", "up"] as const) act(kind);
  frame = open;
  act("drag");
  expect(done).toEqual(["press", "let go", "wheel on the layer", "click on the layer"]);
});
