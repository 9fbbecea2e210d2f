/** The keys that move in a document, the same in every viewer. */
import { type Key, keyName } from "../../key.ts";
import type { Scroller } from "./scroller.ts";

type Move = (scroller: Scroller, height: number) => void;

const line =
  (by: number): Move =>
  (scroller) =>
    scroller.scroll(by);

/** Two lines of the page before stay visible. */
const page =
  (direction: 1 | -1): Move =>
  (scroller, height) =>
    scroller.scroll(direction * Math.max(1, height - 2));

const halfPage =
  (direction: 1 | -1): Move =>
  (scroller, height) =>
    scroller.scroll(direction * Math.max(1, Math.floor(height / 2)));

const MOVES: ReadonlyMap<string, Move> = new Map<string, Move>([
  ["j", line(1)],
  ["down", line(1)],
  ["enter", line(1)],
  ["k", line(-1)],
  ["up", line(-1)],
  ["pagedown", page(1)],
  ["space", page(1)],
  ["ctrl+f", page(1)],
  ["pageup", page(-1)],
  ["b", page(-1)],
  ["ctrl+b", page(-1)],
  ["ctrl+d", halfPage(1)],
  ["ctrl+u", halfPage(-1)],
  ["g", (scroller) => scroller.toStart()],
  ["home", (scroller) => scroller.toStart()],
  ["G", (scroller) => scroller.toEnd()],
  ["end", (scroller) => scroller.toEnd()],
]);

/** True: used. */
export function moveBy(key: Key, scroller: Scroller, height: number): boolean {
  const move = MOVES.get(keyName(key));
  move?.(scroller, height);
  return move !== undefined;
}
