/** Lines of a session of which only a part is held: what is printed while it goes on is the same, and what is said of it is true. */
import { expect, test } from "bun:test";
import { createGreeting } from "../../../src/tui/lines/greeting.ts";
import { createPaper, type Paper } from "../../../src/tui/lines/paper.ts";
import { createPrinter } from "../../../src/tui/lines/printer.ts";
import { createViewModel } from "../../../src/tui/model/view-model.ts";
import type { SessionFacts } from "../../../src/tui/ports.ts";
import * as w from "../../session/log-words.ts";
import { ID } from "../../session/workshop.ts";

const EVENTS = w.given(
  w.begun,
  ...Array.from({ length: 40 }, (_, at) => [
    w.said(`message ${at}`),
    ...w.called(`r${at}`, `t${at}`, `u${at}`),
    w.started(`t${at}`),
    w.event("session.renamed", { title: `while it runs ${at}` }),
    w.event("session.renamed", { title: `it still runs ${at}` }),
    w.done(`t${at}`, "found"),
    w.started(`u${at}`),
    w.broken(`u${at}`, "lost"),
    ...w.answered(`s${at}`, `answer ${at}`),
  ]),
);

function written(): { readonly paper: Paper; readonly text: () => string } {
  let text = "";
  const paper = createPaper({
    write: (more) => {
      text += more;
    },
    columns: () => 90,
    look: { depth: "none", mode: "dark" },
    isEchoed: false,
    lines: (async function* () {})(),
    onInterrupt: () => () => undefined,
    stop: new AbortController().signal,
  });
  return { paper, text: () => text };
}

/** Printed event by event, as it happens. */
function printed(items: number): string {
  const { paper, text } = written();
  const printer = createPrinter({ paper, now: () => 0 });
  const model = createViewModel({ held: { items, chars: 1_000_000 } });
  printer.begin(model.state());
  for (const event of EVENTS) {
    model.replay(event);
    printer.update(model.state());
  }
  return text();
}

test("what is printed does not depend on what is held", () => {
  const all = printed(10_000);
  expect(all.match(/answer \d+/g)).toHaveLength(40);
  for (const items of [12, 13, 17, 40]) expect(printed(items)).toBe(all);
});

test("a session of which a part is held is not counted, and all that is held begins with the word about the rest", () => {
  const facts: SessionFacts = {
    ...{
      title: "A long one",
      folder: "~",
      branch: undefined,
      changedFiles: 0,
      model: "m",
      thinking: "",
      effort: undefined,
    },
    ...{ permissionMode: "ask", contextTokens: undefined, contextWindow: 0, costUsd: null, processes: 0 },
  };
  const { paper, text } = written();
  const model = createViewModel({ id: ID, held: { items: 12, chars: 1_000_000 } });
  for (const event of EVENTS) model.replay(event);
  createGreeting(paper, "0").opened(facts, model.state(), false);
  expect(text()).toContain("A long one is long. The last exchange follows, /raw prints the newest part.");
  const [first] = [...createPrinter({ paper, now: () => 0 }).everything(model.state())];
  expect(first?.spans.map((span) => span.text).join("")).toMatch(/· \d+ earlier events are not shown here\.$/);
});
