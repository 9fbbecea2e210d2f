import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Line } from "../../../src/tui/line.ts";
import { composeFrame, type FrameParts } from "../../../src/tui/view/frame.ts";
import type { Layer } from "../../../src/tui/view/layer.ts";

const line = (text: string): Line => ({ spans: [{ text, width: text.length, tone: "fg" }], width: text.length });
const lines = (name: string, count: number) => Array.from({ length: count }, (_, index) => line(`${name} ${index}`));

const layer = (name: string, height: number, place: Layer["place"] = "above"): Layer => ({
  name,
  place,
  rows: (area) => lines(name, Math.min(height, area.height)),
  cursor: () => ({ x: 2, y: 0 }),
  key: () => false,
});

const parts = (change: Partial<FrameParts> = {}): FrameParts => ({
  size: { width: 60, height: 14 },
  header: () => line("header"),
  status: () => line("status"),
  transcript: ({ height }) => lines("said", Math.min(3, height)),
  chips: () => [],
  pill: () => undefined,
  full: undefined,
  above: [],
  composerRows: () => 1,
  ...change,
});

const drawn = (change: Partial<FrameParts> = {}) =>
  composeFrame(parts(change)).rows.map(({ spans }) =>
    spans
      .map(({ text }) => text)
      .join("")
      .replace(/^─+$/, "──"),
  );

test("the composer stands between rules above the status, what was said right above it", () => {
  expect(drawn()).toEqual(["header", ...Array(6).fill(""), "said 0", "said 1", "said 2", "──", " › ", "──", "status"]);
  expect(composeFrame(parts()).composer).toEqual({ x: 3, y: 11, width: 56, height: 1 });
});

test("chips and layers stand between what was said and the composer, the newest layer lowest", () => {
  const above = [layer("panel", 2), layer("palette", 1)];
  expect(drawn({ above, chips: () => [line("queued")], size: { width: 60, height: 12 } })).toEqual([
    "header",
    "said 0",
    "said 1",
    "said 2",
    "queued",
    "panel 0",
    "panel 1",
    "palette 0",
    "──",
    " › ",
    "──",
    "status",
  ]);
});

test("a narrow or low screen keeps the composer and one line of status to the last", () => {
  expect(drawn({ size: { width: 30, height: 6 } })).toEqual(["", "said 0", "said 1", "said 2", " › ", "status"]);
  expect(drawn({ size: { width: 10, height: 3 } })).toEqual(["said 0", "› ", "status"]);
  expect(drawn({ size: { width: 10, height: 1 } })).toEqual(["› "]);
});

test("a layer that takes the whole screen hides all else and has the cursor", () => {
  const frame = composeFrame(parts({ full: layer("help", 99, "full"), size: { width: 20, height: 4 } }));
  expect(frame.rows).toHaveLength(4);
  expect(frame.composer).toBeUndefined();
  expect(frame.cursor).toEqual({ x: 2, y: 0 });
});

test("a layer is asked for its cursor with the room that it was offered, not with what it took", () => {
  const areas: Record<string, Parameters<Layer["rows"]>[0][]> = { drawn: [], cursor: [] };
  const asked: Layer = {
    ...layer("asked", 2),
    rows(area) {
      areas.drawn?.push(area);
      return lines("asked", 2);
    },
    cursor(area) {
      areas.cursor?.push(area);
      return { x: 2, y: 1 };
    },
  };
  const frame = composeFrame(parts({ above: [asked], size: { width: 60, height: 20 } }));
  expect(areas).toEqual({ drawn: [{ width: 60, height: 15 }], cursor: [{ width: 60, height: 15 }] });
  expect(frame.cursor).toEqual({ x: 2, y: 15 });
});

test("at every size the frame is as high as the screen, and all places lie within it", () => {
  const small = fc.integer({ min: 1, max: 200 });
  const few = fc.integer({ min: 0, max: 40 });
  fc.assert(
    fc.property(fc.record({ width: small, height: small }), few, few, few, ({ width, height }, composer, ...counts) => {
      const [chips, over] = counts;
      const frame = composeFrame(
        parts({
          size: { width, height },
          composerRows: () => composer,
          chips: () => lines("chip", chips),
          above: over === 0 ? [] : [layer("one", over), layer("two", over)],
        }),
      );
      expect(frame.rows).toHaveLength(height);
      const rects = [frame.composer, frame.transcript, ...frame.layers.map(({ at }) => at)];
      for (const rect of rects) if (rect) expect(rect.y + rect.height).toBeLessThanOrEqual(height);
      if (frame.composer) expect(frame.composer.x + frame.composer.width).toBeLessThanOrEqual(Math.max(width, 1));
      if (frame.cursor) expect(frame.cursor.x).toBeLessThan(width);
    }),
  );
});
