/** A key that stands in the draft is taken out of it. */
import { expect, test } from "bun:test";
import { keyTakenFrom } from "../../../src/tui/input/secrets.ts";

const KEY = "sk-ant-api03-0123456789abcdef";
const chipAt = (start: number) => ({ kind: "mention", label: "@a.ts", value: "a.ts", start, end: start + 5 }) as const;

test("all of it, and the chips stay on their text", () => {
  expect(keyTakenFrom({ text: ` ${KEY}\n`, chips: [] })).toEqual({ key: KEY, rest: { text: "", chips: [] } });
  const text = `@a.ts ${KEY} and ${KEY} @a.ts`;
  expect(keyTakenFrom({ text, chips: [chipAt(0), chipAt(text.length - 5)] })).toEqual({
    key: KEY,
    rest: { text: "@a.ts  and  @a.ts", chips: [chipAt(0), chipAt(12)] },
  });
});

test("also one that is still being typed, where there is nothing else; what only speaks of keys stays", () => {
  expect(keyTakenFrom({ text: "sk-ant-ap", chips: [] })?.key).toBe("sk-ant-ap");
  for (const text of ["", "what is sk-ant-?", "risk-ant-0123456789abcdefgh"])
    expect(keyTakenFrom({ text, chips: [] })).toBeUndefined();
});
