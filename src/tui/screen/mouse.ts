/** What the mouse does, in cells of the screen. Only the first button counts: the others stay the terminal's. */
import { MouseButton, type MouseEvent } from "@opentui/core";
import type { MouseInput } from "./port.ts";

/** Per step of the wheel. */
const WHEEL_ROWS = 3;

export type RawMouse = Pick<MouseEvent, "type" | "button" | "x" | "y" | "scroll">;

/** Undefined: it means nothing here. */
export function mouseInputOf({ type, button, x, y, scroll }: RawMouse): MouseInput | undefined {
  if (type === "scroll") {
    const steps = Math.max(1, scroll?.delta ?? 1);
    if (scroll?.direction === "up") return { kind: "wheel", x, y, rows: -WHEEL_ROWS * steps };
    return scroll?.direction === "down" ? { kind: "wheel", x, y, rows: WHEEL_ROWS * steps } : undefined;
  }
  if (button !== MouseButton.LEFT) return;
  return type === "down" || type === "drag" || type === "up" ? { kind: type, x, y } : undefined;
}
