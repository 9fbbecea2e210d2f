/** How one reads: following, reading back, folding, going from item to item, and sizes that come and go. */
import { describe, expect, test } from "bun:test";
import { createTranscript } from "../../../../src/tui/view/transcript.ts";
import { markdown, randomFrom } from "./random-markdown.ts";
import { answer, call, createSession, MEASURE, type Session, texts, thinking, user } from "./stage.ts";

const numbered = (count: number) => Array.from({ length: count }, (_, at) => answer(`a${at}`, `answer number ${at}`));

function open(session: Session, [width, height]: readonly [number, number] = [60, 10]) {
  const transcript = createTranscript({ measure: () => MEASURE });
  const draw = (size: readonly [number, number] = [width, height]) => {
    transcript.update(session.state());
    return texts(transcript.rows(...size));
  };
  draw();
  return { transcript, draw };
}

describe("following", () => {
  test("what comes is seen, until one scrolls up; then it is counted, and the end brings it back", () => {
    const session = createSession(numbered(50));
    const { transcript, draw } = open(session);
    transcript.scroll(-3);
    const read = draw();
    session.push(user("u", "more"), answer("b", "and more"));
    expect([draw(), transcript.isFollowing(), transcript.unseen()]).toEqual([read, false, 2]);
    transcript.toEnd();
    expect([draw().at(-1), transcript.isFollowing(), transcript.unseen()]).toEqual(["   and more", true, 0]);
  });

  test("scrolling down to the end follows again", () => {
    const { transcript, draw } = open(createSession(numbered(50)));
    transcript.scroll(-20);
    draw();
    transcript.scroll(19);
    draw();
    expect(transcript.isFollowing()).toBe(false);
    transcript.scroll(1);
    draw();
    expect(transcript.isFollowing()).toBe(true);
  });

  test("what fits the screen cannot be scrolled away", () => {
    const { transcript, draw } = open(createSession(numbered(2)));
    const all = draw();
    transcript.scroll(-5);
    expect([draw(), transcript.isFollowing()]).toEqual([all, true]);
  });

  test("another session begins anew, at its end", () => {
    const { transcript, draw } = open(createSession(numbered(50)));
    transcript.scroll(-10);
    draw();
    transcript.update(createSession([answer("other", "another session")]).state());
    expect([texts(transcript.rows(60, 10)), transcript.isFollowing()]).toEqual([["   another session"], true]);
  });
});

test("the settled answer stands where it streamed, and nothing moves", () => {
  const session = createSession([user("u", "go")]);
  const { transcript, draw } = open(session, [50, 12]);
  const text = markdown(randomFrom(7), 60);
  session.begin("r/0");
  for (let at = 0; at < text.length; at += 700) {
    session.stream("r/0", text.slice(at, at + 700));
    draw();
  }
  transcript.scroll(-9);
  const read = draw();
  session.settle("r/0", answer("a", text));
  expect(draw()).toEqual(read);
  transcript.toEnd();
  expect(draw()).toEqual(open(createSession([user("u", "go"), answer("a", text)]), [50, 12]).draw());
});

test("what comes below a card moves apart when the card has more to show", () => {
  const session = createSession([call("c"), call("d")]);
  const { draw } = open(session);
  expect(draw()).toEqual(["   ✓ bash ls", "   ✓ bash ls"]);
  session.replace(0, call("c", { state: "failed", output: "why" }));
  expect(draw()).toEqual(["   ✗ bash ls", "       why", "", "   ✓ bash ls"]);
});

describe("sizes", () => {
  test("down to one cell and back, the same rows are seen", () => {
    const session = createSession(
      Array.from({ length: 30 }, (_, at) => answer(`a${at}`, markdown(randomFrom(at + 1), 6))),
    );
    const { transcript, draw } = open(session, [80, 24]);
    const sizes = [
      [2, 1],
      [1, 1],
      [120, 50],
      [40, 5],
      [80, 24],
    ] as const; // prettier-ignore
    const atEnd = draw();
    expect(sizes.map((size) => draw(size)).at(-1)).toEqual(atEnd);
    for (let times = 0; times < 12; times++) {
      transcript.scroll(-7);
      const read = draw();
      expect(sizes.map((size) => draw(size)).at(-1)).toEqual(read);
    }
  });

  test("while it streams, nothing is lost and nothing comes twice", () => {
    const session = createSession([user("u", "count")]);
    const { draw } = open(session, [120, 400]);
    session.begin("r/0");
    for (let at = 0; at < 200; at++) {
      session.stream("r/0", `w${at} `);
      draw([at % 3 ? 40 : 120, 400]);
    }
    const words = draw([120, 400]).join(" ").match(/w\d+/g) ?? [];
    expect([...words]).toEqual(Array.from({ length: 200 }, (_, at) => `w${at}`));
  });
});

describe("folding", () => {
  const long = Array.from({ length: 30 }, (_, at) => `line ${at}`).join("\n");

  test("a card opens below its head, which stays where it is, and closes again", () => {
    const behind = numbered(20).map((item) => ({ ...item, id: `b${item.id}` }));
    const session = createSession([...numbered(20), call("c", { output: "one\ntwo\nthree" }), ...behind]);
    const { transcript, draw } = open(session, [60, 20]);
    transcript.scroll(-35);
    const folded = draw();
    const at = folded.findIndex((row) => row.includes("bash"));
    expect([transcript.itemAt(at)?.id, transcript.click(at)]).toEqual(["c", true]);
    expect(draw().slice(at - 1, at + 5)).toEqual(["", "   ✓ bash ls", "       one", "       two", "       three", ""]);
    expect([transcript.click(at), draw()]).toEqual([true, folded]);
    expect(transcript.click(0)).toBe(false);
  });

  test("one that is higher than the screen opens from its head on", () => {
    const session = createSession([...numbered(20), call("c", { output: long })]);
    const { transcript, draw } = open(session, [60, 6]);
    transcript.click(5);
    expect(draw()[1]).toBe("   ✓ bash ls");
    expect(transcript.isFollowing()).toBe(false);
  });

  test("what failed is open by itself, all can be opened and closed at once", () => {
    const session = createSession([
      call("c", { output: long }),
      call("f", { state: "failed", output: "no such file" }),
      thinking("t", "secret thought"),
    ]);
    const { transcript, draw } = open(session, [60, 60]);
    const has = (words: string) => draw().some((row) => row.includes(words));
    expect([has("line 25"), has("no such file"), has("secret")]).toEqual([false, true, false]);
    expect([transcript.toggleAll("details"), has("line 25"), has("secret")]).toEqual([true, true, false]);
    expect([transcript.toggleAll("thinking"), has("secret"), transcript.toggleAll("details"), has("line 25")]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test("to open or close all of a kind leaves the other kind as it was chosen", () => {
    const session = createSession([call("c", { output: "one\ntwo" }), thinking("t", "secret thought")]);
    const { transcript, draw } = open(session, [60, 60]);
    const click = (words: string) => {
      const rows = draw();
      return transcript.click(60 - rows.length + rows.findIndex((row) => row.includes(words)));
    };
    const seen = () => ["two", "secret"].map((words) => draw().some((row) => row.includes(words)));
    expect([click("bash"), seen()]).toEqual([true, [true, false]]);
    expect([transcript.toggleAll("thinking"), seen()]).toEqual([true, [true, true]]);
    expect([transcript.toggleAll("thinking"), seen()]).toEqual([false, [true, false]]);
    expect([click("thought"), seen()]).toEqual([true, [true, true]]);
    expect([transcript.toggleAll("details"), transcript.toggleAll("details"), seen()]).toEqual([
      true,
      false,
      [false, true],
    ]);
  });

  test("only what has more to show can be opened", () => {
    const lines = Array.from({ length: 60 }, (_, at) => `said ${at}`).join("\n");
    const session = createSession([user("u", "go"), user("long", lines), answer("a", "done"), call("empty")]);
    const { transcript, draw } = open(session, [60, 100]);
    const toggles = (id: string) => {
      const rows = draw();
      const y = 100 - rows.length + rows.findIndex((_, at) => transcript.itemAt(100 - rows.length + at)?.id === id);
      return [transcript.click(y), draw().length - rows.length];
    };
    expect([toggles("u"), toggles("long"), toggles("long"), toggles("empty")]).toEqual([
      [false, 0],
      [true, 19],
      [true, -19],
      [false, 0],
    ]);
  });

  test("thinking that was opened while it streamed stays open when it settles", () => {
    const session = createSession([user("u", "go")]);
    const { transcript, draw } = open(session);
    session.begin("r/0", "thinking");
    session.stream("r/0", "a secret thought");
    draw();
    expect(transcript.click(9)).toBe(true);
    expect(draw().join()).toContain("secret");
    session.settle("r/0", thinking("t", "a secret thought"));
    expect(draw().join()).toContain("secret");
  });
});

describe("focus", () => {
  test("goes from item to item and from turn to turn, is shown, and ends at the end", () => {
    const session = createSession([
      user("u1", "first"),
      ...numbered(20),
      user("u2", "second"),
      call("c", { output: "x" }),
      answer("z", "last"),
    ]);
    const { transcript, draw } = open(session);
    expect(transcript.focus("previous-item") && transcript.focused()?.id).toBe("z");
    expect(draw().at(-1)).toBe("│  last");
    expect(transcript.focus("previous-turn") && transcript.focused()?.id).toBe("u2");
    expect(transcript.focus("previous-turn") && transcript.focused()?.id).toBe("u1");
    expect([draw()[0], transcript.isFollowing()]).toEqual(["│▌ first", false]);
    expect(transcript.focus("previous-turn")).toBe(false);
    transcript.focus("next-turn");
    expect(draw().some((row) => row.startsWith("│▌ second"))).toBe(true);
    transcript.focus("next-item");
    expect([transcript.focused()?.id, transcript.toggleFocused()]).toEqual(["c", true]);
    transcript.focus("next-item");
    transcript.focus("next-item");
    expect([transcript.focused(), draw().at(-1), transcript.isFollowing()]).toEqual([undefined, "   last", true]);
  });
});

test("positions: from the beginning to the end and back by a guess", () => {
  const { transcript, draw } = open(createSession(numbered(2000)));
  expect(transcript.position()).toBe(1);
  transcript.jumpTo(0.5);
  draw();
  const half = transcript.position() ?? 0;
  expect(half > 0.45 && half < 0.55).toBe(true);
  transcript.jumpTo(0);
  expect([draw()[0], transcript.position()]).toEqual(["   answer number 0", 0]);
});

test("the whole can be had line by line", () => {
  const { transcript } = open(createSession([user("u", "go"), call("c", { output: "printed" }), answer("a", "done")]));
  const whole = texts([...transcript.lines({ width: 40, isOpen: true })]);
  expect(whole.join("\n")).toContain("printed");
  expect([whole[0], whole.at(-1)]).toEqual([" ▌ go", "   done"]);
});
