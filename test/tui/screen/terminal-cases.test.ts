/** The acceptance cases of composer and paste, through the screen as it is opened on a terminal. */
import { describe, expect, test } from "bun:test";
import cases from "../../cases/terminal.json" with { type: "json" };
import { createTestScreen } from "../../support/screen.ts";
import { closing, createStage } from "./stage.ts";

const close = closing();

type Expected = Readonly<Record<string, unknown>>;

interface Case {
  readonly id: string;
  readonly topic: string;
  readonly where: string;
  readonly input: unknown;
  readonly expect: Expected;
}

const own = (topic: string): readonly Case[] =>
  (cases.cases as readonly Case[]).filter((one) => one.where === "composer" && one.topic === topic); // their shape is the file's own

async function composer() {
  const stage = createStage();
  stage.frame = () => ({
    rows: [],
    composer: { x: 0, y: 0, width: 40, height: 3 },
    hasComposerCursor: true,
    layers: [],
  });
  const screen = close(await createTestScreen({ columns: 40, rows: 4 }));
  const { editor } = await screen.open(stage.handlers);
  await screen.settled();
  return { stage, screen, editor };
}

test("there are cases for each", () => {
  expect([own("width").length, own("paste").length].every((count) => count >= 3)).toBe(true);
});

describe("widths in the composer", () => {
  test.each(own("width").map((one) => [one.id, one] as const))("%s", async (_id, { input, expect: expected }) => {
    const text = String(input);
    const { screen, editor } = await composer();
    await screen.type(text);
    expect(editor.text()).toBe(text);
    expect(screen.cursor()).toMatchObject({ x: expected.cursor_after, y: 0 });
    expect(screen.area().col).toBe(Number(expected.width));
    const graphemes = [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)].length;
    await screen.type("\x7f".repeat(graphemes - 1));
    expect(editor.text()).not.toBe("");
    await screen.type("\x7f");
    expect(editor.text()).toBe("");
    expect(screen.cursor()).toMatchObject({ x: 0, y: 0 });
  });
});

/** What the app does with a paste that is no chip. */
async function pasted(chunks: readonly string[]) {
  const { stage, screen, editor } = await composer();
  for (const chunk of chunks) await screen.type(chunk);
  for (const text of stage.heard.pasted) editor.insert(text);
  await screen.settled();
  return { buffer: editor.text(), frame: screen.frame(), heard: stage.heard };
}

describe("pastes", () => {
  test.each(own("paste").map((one) => [one.id, one] as const))("%s", async (_id, { input, expect: expected }) => {
    const size = typeof input === "object" && input !== null && "paste_bytes" in input ? Number(input.paste_bytes) : 0;
    const body = "0123456789abcdef\n".repeat(Math.ceil(size / 17)).slice(0, size);
    const chunks = size > 0 ? inPieces(`\x1b[200~${body}\x1b[201~`, 65_536) : [input].flat().map(String);
    const { buffer, frame, heard } = await pasted(chunks);
    expect(heard.keys).toEqual([]);
    if (size > 0) expect(heard.pasted).toEqual([body]);
    if (expected.buffer !== undefined) expect(buffer).toBe(String(expected.buffer));
    expect(buffer).not.toMatch(/(?![\t\n])\p{Cc}/u);
    if (expected.echoed === false) expect(frame).toBe("");
  });

  test("a paste of Enter and shortcuts triggers none of them", async () => {
    const { buffer, heard } = await pasted(["\x1b[200~rm -rf x\r\n\x03\x1by\x1b[201~"]);
    expect(heard.keys).toEqual([]);
    expect(buffer).toBe("rm -rf x\n");
  });

  test("each kind of line end is one", async () => {
    expect((await pasted(["\x1b[200~a\r\nb\rc\nd\te\x1b[201~"])).buffer).toBe("a\nb\nc\nd\te");
  });

  test("two pastes in a row are two, and what is typed between is typed", async () => {
    const { heard } = await pasted(["\x1b[200~a\x1b[201~x\x1b[200~b\x1b[201~"]);
    expect({ pasted: heard.pasted, keys: heard.keys }).toEqual({ pasted: ["a", "b"], keys: ["x"] });
  });
});

function inPieces(text: string, size: number): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));
}
