/** The transcript as it is seen, with what is marked in it; and what the acceptance cases say of sizes that change. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Line } from "../../../../src/tui/line.ts";
import { createSearchBar } from "../../../../src/tui/view/search-bar.ts";
import { createTranscript } from "../../../../src/tui/view/transcript.ts";
import { expectGolden } from "../../../support/frames.ts";
import { answer, call, createSession, MEASURE, texts, thinking, user } from "./stage.ts";

const SIGNS: Readonly<Record<string, readonly [string, string]>> = {
  found: ["[", "]"],
  current: ["{", "}"],
  selected: ["<", ">"],
};

/** Tints in signs: found in [ ], the current match in { }, what is selected in < >. */
function inSigns({ spans, tint }: Line): string {
  const words = spans.map((span) => {
    const [before, after] = SIGNS[span.tint ?? ""] ?? ["", ""];
    return `${before}${span.text}${after}`;
  });
  return `${tint === "selected" ? "<row> " : ""}${words.join("")}`.trimEnd();
}

function session() {
  return createSession([
    user("u1", "Resume drops the last tool result when the log ends mid-line. Fix it."),
    thinking("t1", "The torn tail is cut first."),
    answer(
      "a1",
      "The torn tail is cut, but the **dangling call** is closed before the cut index is known.\n\n- reproduce it\n- move the close behind the cut",
    ),
    call("c1", { name: "read", input: { path: "src/session/store.ts" }, summary: "214 lines" }),
    call("c2", {
      name: "bash",
      input: { command: "bun test" },
      state: "failed",
      output: "1 fail\nthe tail is still torn",
      exitCode: 1,
    }),
    user("u2", "Try again."),
    answer(
      "a2",
      "Now the tail is cut first:\n\n```ts\nawait cut(end + 1); // the torn tail\ncloseDangling(events);\n```",
    ),
  ]);
}

for (const [width, height] of [
  [98, 26],
  [60, 16],
  [10, 8],
] as const) {
  test(`found, focused and selected at ${width}×${height}`, () => {
    const transcript = createTranscript({ measure: () => MEASURE });
    const draw = () => transcript.rows(width, height).map(inSigns);
    const bar = createSearchBar({
      search: transcript.search,
      measure: () => MEASURE,
      onClose: () => undefined,
      onChange: () => undefined,
    });
    transcript.update(session().state());
    draw();
    transcript.focus("previous-turn");
    const focused = draw();
    transcript.toEnd();
    for (const letter of "tail") bar.key({ name: letter, text: letter, ctrl: false, alt: false, shift: false });
    transcript.search.move(-1);
    const found = [...draw(), ...bar.rows({ width, height: 1 }).map(inSigns)];
    transcript.search.clear();
    transcript.selection.down(4, height - 4, 1);
    transcript.selection.drag(8, height - 2);
    const parts = [`focused`, ...focused, "", "found", ...found, "", "selected", ...draw()];
    expectGolden(`transcript-${width}x${height}`, parts.join("\n"));
  });
}

interface ResizeCase {
  readonly id: string;
  readonly where: string;
  readonly input: string;
}

const CASES: readonly ResizeCase[] = JSON.parse(
  readFileSync(join(import.meta.dir, "../../../cases/terminal.json"), "utf8"),
).cases;

for (const { id, input } of CASES.filter(({ where }) => where === "resize")) {
  test(`${id}: ${input}`, () => {
    const sizes = [...input.matchAll(/\b(\d+)(?:x(\d+))?(?= ->|\b(?! ms))/g)].map(
      ([, width, height = "24"]) => [Number(width), Number(height)] as const,
    );
    expect(sizes.length).toBeGreaterThanOrEqual(3);
    const streams = input.includes("stream");
    const all = session();
    const transcript = createTranscript({ measure: () => MEASURE });
    let said = 0;
    const draw = ([width, height]: readonly [number, number]) => {
      if (streams) for (let times = 0; times < 40; times++) all.stream("r/0", `word${said++} `);
      transcript.update(all.state());
      return texts(transcript.rows(width, height));
    };
    if (streams) all.begin("r/0");
    const before = sizes.map((size) => draw(size))[0];
    const [first = [80, 24]] = sizes;
    if (!streams) expect(draw(first)).toEqual(before ?? []);
    const words =
      draw([first[0], 500])
        .join(" ")
        .match(/word\d+/g) ?? [];
    expect([...words]).toEqual(Array.from({ length: said }, (_, at) => `word${at}`));
    const fresh = createTranscript({ measure: () => MEASURE });
    fresh.update(all.state());
    expect(texts(transcript.rows(first[0], 500))).toEqual(texts(fresh.rows(first[0], 500)));
  });
}
