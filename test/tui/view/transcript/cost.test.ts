/** What the transcript costs: counted in what layout is asked for, so that it holds on any machine. */
import { describe, expect, test } from "bun:test";
import type { Item } from "../../../../src/tui/model/items.ts";
import { createTranscript } from "../../../../src/tui/view/transcript.ts";
import { markdown, randomFrom } from "./random-markdown.ts";
import { answer, call, countingLayout, createSession, MEASURE, user } from "./stage.ts";

const [WIDTH, HEIGHT] = [98, 24];

function items(count: number): Item[] {
  return Array.from({ length: count }, (_, at) => {
    if (at % 5 === 0) return user(`i${at}`, `Please fix the failing test number ${at % 10}`);
    return at % 5 < 4
      ? call(`i${at}`)
      : answer(`i${at}`, "## A step\n\nIt says **what happens next**.\n\n- one\n- two\n");
  });
}

/** A session of that many items, and what each thing that is done asks of layout. */
function measured(count: number) {
  const session = createSession(items(count));
  const { layout, counts } = countingLayout();
  const transcript = createTranscript({ measure: () => MEASURE, layout });
  const cost = (act: () => void) => {
    const before = { ...counts };
    act();
    transcript.update(session.state());
    transcript.rows(WIDTH, HEIGHT);
    return { calls: counts.calls - before.calls, chars: counts.chars - before.chars };
  };
  const costs: Record<string, { calls: number; chars: number }> = {};
  const note = (name: string, act: () => void) => {
    costs[name] = cost(act);
  };
  note("the first frame", () => undefined);
  note("a frame in which nothing is new", () => undefined);
  note("an item", () => session.push(answer("new", "one more")));
  note("a change of the newest call", () => session.replace(count - 2, call(`i${count - 2}`, { state: "running" })));
  note("a change of the oldest call", () => session.replace(1, call("i1", { state: "failed" })));
  session.begin("r/0");
  note("a first delta", () => session.stream("r/0", "streamed "));
  note("a delta", () => session.stream("r/0", "and more "));
  note("a settled answer", () => session.settle("r/0", answer("settled", "streamed and more ")));
  note("a page up", () => transcript.scroll(-HEIGHT));
  note("another", () => transcript.scroll(-HEIGHT));
  note("a page down", () => transcript.scroll(HEIGHT));
  note("what is made ready around it", () => void transcript.refine(1000));
  note("a page up that was made ready", () => transcript.scroll(-HEIGHT));
  note("a jump to the middle", () => transcript.jumpTo(0.5));
  note("the beginning", () => transcript.toStart());
  note("the end", () => transcript.toEnd());
  note("everything unfolded", () => void transcript.toggleAll("details"));
  return costs;
}

test("no cost depends on how long the session is", () => {
  const costs = measured(5_000);
  expect(measured(50_000)).toEqual(costs);
  expect(Math.max(...Object.values(costs).map(({ calls }) => calls))).toBeLessThan(3 * HEIGHT);
  expect(costs["a frame in which nothing is new"]).toEqual({ calls: 0, chars: 0 });
  expect(costs["a change of the oldest call"]).toEqual({ calls: 0, chars: 0 });
  expect(costs["a delta"]).toEqual({ calls: 0, chars: "and more ".length });
  expect(costs["a page up that was made ready"]).toEqual({ calls: 0, chars: 0 });
});

describe("200 KB", () => {
  const text = markdown(randomFrom(3), 1400);

  test("that stream are laid out once, and of what is out of sight nothing", () => {
    const session = createSession(items(100));
    const { layout, counts } = countingLayout();
    const transcript = createTranscript({ measure: () => MEASURE, layout });
    session.begin("r/0");
    for (let at = 0; at < text.length; at += 100) {
      session.stream("r/0", text.slice(at, at + 100));
      transcript.update(session.state());
      transcript.rows(WIDTH, HEIGHT);
      if (at === 5000) transcript.scroll(-5);
    }
    const whileReadingBack = counts.chars;
    expect(text.length).toBeGreaterThan(200_000);
    expect(whileReadingBack).toBeLessThan(30_000);
    transcript.toEnd();
    transcript.rows(WIDTH, HEIGHT);
    expect(counts.chars - whileReadingBack).toBeLessThan(30_000);
  });

  test("that are followed cost each byte about once, and settle for a screen's worth", () => {
    const session = createSession(items(100));
    const { layout, counts } = countingLayout();
    const transcript = createTranscript({ measure: () => MEASURE, layout });
    const draw = () => {
      transcript.update(session.state());
      transcript.rows(WIDTH, HEIGHT);
    };
    session.begin("r/0");
    for (let at = 0; at < text.length; at += 100) {
      session.stream("r/0", text.slice(at, at + 100));
      draw();
    }
    expect(counts.chars).toBeLessThan(text.length * 1.1);
    const streamed = counts.chars;
    session.settle("r/0", answer("a", text));
    draw();
    expect(counts.chars - streamed).toBeLessThan(20_000);
  });

  test("that come at once cost a screen's worth", () => {
    const session = createSession(items(100));
    const { layout, counts } = countingLayout();
    const transcript = createTranscript({ measure: () => MEASURE, layout });
    session.begin("r/0");
    session.stream("r/0", text);
    transcript.update(session.state());
    transcript.rows(WIDTH, HEIGHT);
    expect(counts.chars).toBeLessThan(20_000);
  });
});

test("what is laid out is kept up to a bound", () => {
  const session = createSession(
    Array.from({ length: 3000 }, (_, at) => answer(`a${at}`, markdown(randomFrom(at + 1), 4))),
  );
  const transcript = createTranscript({ measure: () => MEASURE, maxBytes: 1_000_000 });
  transcript.update(session.state());
  transcript.rows(WIDTH, HEIGHT);
  for (let page = 0; page < 300; page++) {
    transcript.scroll(-HEIGHT);
    transcript.rows(WIDTH, HEIGHT);
    expect(transcript.bytes()).toBeLessThanOrEqual(1_000_000);
  }
  expect(transcript.bytes()).toBeGreaterThan(500_000);
});
