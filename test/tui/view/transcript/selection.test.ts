/** Selecting with the mouse: on the text and not on the screen, and copied as it was before it was laid out. */
import { describe, expect, test } from "bun:test";
import { createTranscript } from "../../../../src/tui/view/transcript.ts";
import { answer, call, createSession, MEASURE, type Session, texts, user } from "./stage.ts";

function open(session: Session, size: readonly [number, number] = [40, 8]) {
  const transcript = createTranscript({ measure: () => MEASURE });
  const draw = ([width, height] = size) => {
    transcript.update(session.state());
    return transcript.rows(width, height);
  };
  draw();
  const { selection } = transcript;
  const select = (from: readonly [number, number], to: readonly [number, number], clicks = 1) => {
    selection.down(from[0], from[1], clicks);
    selection.drag(to[0], to[1]);
    return selection.up() ? selection.text() : undefined;
  };
  const marked = (): string[] =>
    draw().flatMap(({ spans }) => spans.filter(({ tint }) => tint === "selected").map(({ text }) => text));
  return { transcript, draw, selection, select, marked };
}

const long = "The quick brown fox jumps over the lazy dog and runs on and on.";

describe("what is copied", () => {
  test("has no soft breaks and no margin", () => {
    const { select, draw, marked } = open(createSession([answer("a", `${long}\n\n- a point`)]));
    expect(texts(draw())).toEqual([
      "   The quick brown fox jumps over the",
      "   lazy dog and runs on and on.",
      "",
      "   • a point",
    ]);
    expect(select([0, 4], [39, 5])).toBe(long);
    expect(marked()).toEqual(["The quick brown fox jumps over the", "lazy dog and runs on and on."]);
    expect(select([7, 4], [9, 7])).toBe(`${long.slice(4)}\n\na poi`);
  });

  test("is the same from the end to the beginning, and by words and lines", () => {
    const { select } = open(createSession([answer("a", `see src/tui/line.ts:12 now\n${long}`)]));
    expect([select([9, 6], [5, 6]), select([5, 6], [9, 6])]).toEqual(["e qui", "e qui"]);
    expect(select([10, 5], [10, 5], 2)).toBe("src/tui/line.ts:12");
    expect(select([10, 5], [4, 6], 2)).toBe("src/tui/line.ts:12 now\nThe");
    expect(select([10, 7], [10, 7], 3)).toBe(long);
  });

  test("holds wide and joined characters whole", () => {
    const { select } = open(createSession([answer("a", "日本語 👩‍💻 ok")]));
    expect([select([3, 7], [4, 7], 1), select([4, 7], [7, 7]), select([10, 7], [11, 7])]).toEqual([
      undefined,
      "日本語",
      undefined,
    ]);
    expect(select([10, 7], [12, 7])).toBe("👩‍💻 ");
  });

  test("a click selects nothing", () => {
    const { select, selection } = open(createSession([answer("a", long)]));
    expect([select([5, 7], [5, 7]), selection.isActive(), selection.text()]).toEqual([undefined, false, ""]);
  });
});

test("it stays on its text while more streams, while it settles and at another width", () => {
  const session = createSession([user("u", "go"), answer("a", long)]);
  const { select, selection, draw, marked, transcript } = open(session, [40, 4]);
  session.begin("r/0");
  session.stream("r/0", "streamed words here");
  draw();
  expect(select([3, 3], [10, 3])).toBe("streamed");
  session.stream("r/0", "\n\nand\n\nmany\n\nmore");
  expect(marked()).toEqual(["streamed"]);
  session.settle("r/0", answer("b", "streamed words here\n\nand\n\nmany\n\nmore"));
  expect([marked(), selection.text()]).toEqual([["streamed"], "streamed"]);
  draw([20, 4]);
  draw([9, 4]);
  expect(selection.text()).toBe("streamed");
  draw([40, 4]);
  expect(transcript.isFollowing()).toBe(false);
  selection.clear();
  draw();
  expect([transcript.isFollowing(), marked()]).toEqual([true, []]);
});

test("at the edges it scrolls, and selects what was out of sight", () => {
  const items = Array.from({ length: 40 }, (_, at) => call(`c${at}`, { input: { command: `cmd ${at}` } }));
  const { selection, draw } = open(createSession(items), [40, 5]);
  selection.down(30, 4, 1);
  for (let times = 0; times < 4; times++) {
    selection.drag(0, -2);
    draw();
  }
  expect(selection.up()).toBe(true);
  expect(selection.text().split("\n").length).toBe(13);
  expect(texts(draw())[0]).toContain("cmd 27");
});

test("a selection over everything is bounded and whole", () => {
  const items = Array.from({ length: 500 }, (_, at) => answer(`a${at}`, `answer ${at}`));
  const { transcript, selection, draw } = open(createSession(items));
  transcript.toStart();
  draw();
  selection.down(0, 0, 1);
  transcript.toEnd();
  draw();
  selection.drag(39, 7);
  selection.up();
  expect(selection.text()).toBe(items.map((_, at) => `answer ${at}`).join("\n\n"));
});
