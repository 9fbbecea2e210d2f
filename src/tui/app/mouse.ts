/** Where the mouse acts: the layer under it, else the transcript, in which it selects, folds and scrolls. */
import { type Clock, steadyNow } from "../../shared/index.ts";
import { isWithin, type MouseInput } from "../screen/port.ts";
import type { Point, Rect, ScreenFrame } from "../view/frame.ts";
import type { Core } from "./core.ts";

const TWICE_MS = 400;
const MOST_CLICKS = 3;

type MouseParts = Pick<Core, "transcript" | "redraw" | "say" | "keyOf"> & {
  readonly clock: Clock;
  /** As it was drawn last. */
  readonly frame: () => ScreenFrame | undefined;
};

export function createMouse({ transcript, redraw, say, keyOf, clock, frame }: MouseParts): (input: MouseInput) => void {
  let last: (Point & { readonly at: number; readonly clicks: number }) | undefined;
  let isDown = false;

  function clicksAt({ x, y }: Point): number {
    const at = steadyNow(clock);
    const isAgain = last !== undefined && last.x === x && last.y === y && at - last.at < TWICE_MS;
    const clicks = isAgain && last ? (last.clicks % MOST_CLICKS) + 1 : 1;
    last = { x, y, at, clicks };
    return clicks;
  }

  function released(y: number): void {
    isDown = false;
    const copyKey = keyOf("clear-or-quit");
    if (!transcript.selection.up()) transcript.click(y);
    else if (copyKey !== undefined) say(`${copyKey} copies what is selected.`);
  }

  function inTranscript(input: MouseInput, at: Rect): void {
    const [x, y] = [input.x - at.x, input.y - at.y];
    if (input.kind === "wheel") transcript.scroll(input.rows ?? 0);
    if (input.kind === "down" && isWithin(at, input)) {
      isDown = true;
      transcript.selection.down(x, y, clicksAt(input));
    }
    if (input.kind === "drag" && isDown) transcript.selection.drag(x, y);
    if (input.kind === "up" && isDown) released(y);
  }

  /** Something covers the transcript: the button is let go where it does not hear of it. */
  function covered(): void {
    if (isDown) transcript.selection.up();
    isDown = false;
  }

  return (input) => {
    const drawn = frame();
    if (!drawn?.transcript) covered();
    const over = isDown ? undefined : drawn?.layers.findLast(({ at }) => isWithin(at, input));
    if (over && input.kind === "wheel") over.layer.wheel?.(input.rows ?? 0);
    else if (over && input.kind === "down") over.layer.click?.(input.x - over.at.x, input.y - over.at.y);
    else if (!over && drawn?.transcript) inTranscript(input, drawn.transcript);
    redraw();
  };
}
