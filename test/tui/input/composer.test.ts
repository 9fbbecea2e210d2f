/** How the draft behaves, on the real editor: nothing that was written is lost, and nothing is sent that was not meant. */
import { describe, expect, test } from "bun:test";
import { composerStage } from "./composer-stage.ts";
import { key } from "./keys.ts";

const at = composerStage();
const texts = () => at().sent.map(([how, { text }]) => `${how}: ${text}`);

describe("sending", () => {
  test("clears the draft, and a draft that was not taken stays", () => {
    at().type("one");
    at().isTaken = false;
    at().act("send");
    expect([at().shown(), texts()]).toEqual(["one|", []]);
    at().isTaken = true;
    at().act("send");
    expect([at().shown(), texts()]).toEqual(["|", ["send: one"]]);
  });

  test("nothing is not sent, and a key that has nothing to queue is left to others", () => {
    at().type(" \n ");
    at().act("send");
    expect([at().act("queue"), texts()]).toEqual([false, []]);
    at().type("x");
    expect(at().act("queue")).toBe(false);
    at().isBusy = true;
    expect([at().act("queue"), texts()]).toEqual([true, ["queue:  \n x"]]);
    expect(at().act("queue")).toBe(false);
  });

  test("a backslash at the end of a line goes on in the next one; two are meant as they stand", () => {
    at().type("a\\");
    at().act("send");
    expect(at().shown()).toBe("a\n|");
    at().type("b\\\\");
    at().act("send");
    expect(texts()).toEqual(["send: a\nb\\\\"]);
  });
});

describe("pastes", () => {
  test("much text is one chip, which is sent whole and erased whole", () => {
    const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`).join("\n");
    at().type("see ");
    at().composer.paste(lines);
    at().type(" ok");
    expect(at().editor.text()).toBe("see [Pasted 40 lines] ok");
    at().act("send");
    expect(texts()).toEqual([`send: see ${lines} ok`]);
    at().composer.paste(lines);
    at().editor.run("backspace");
    expect(at().shown()).toBe("|");
  });

  test("a little text stays text", () => {
    at().composer.paste("a\r\nb");
    expect(at().shown()).toBe("a\nb|");
  });

  test("a megabyte is cheap to have in the draft: no key copies it", () => {
    at().composer.paste("x".repeat(1_000_000));
    expect(at().editor.text()).toBe("[Pasted 976.6 KiB]");
    for (const letter of " and then some") at().editor.key(key(letter));
    expect(at().clock.pending()).toBe(0); // without a session nothing is kept, and no timer stays
    at().act("send");
    expect(at().sent[0]?.[1].text.length).toBe(1_000_014);
  });

  test("dropped images are mentioned", () => {
    at().composer.paste("'/home/me/my shot.png' /tmp/b.JPG ");
    expect(at().editor.text()).toBe("[image my shot.png] [image b.JPG]");
    at().act("send");
    expect(at().sent[0]?.[1].mentions).toEqual([{ path: "/home/me/my shot.png" }, { path: "/tmp/b.JPG" }]);
  });
});

describe("the history", () => {
  const saidBefore = (...texts: readonly string[]) => texts.map((text) => ({ text, mentions: [] }));
  const back = (steps: number) =>
    Array.from({ length: steps }, () => {
      at().act("history-previous");
      return at().editor.text();
    });

  test("has a command that a palette sent, whole", () => {
    at().type("/red");
    at().composer.sent("/redraw");
    expect([at().editor.text(), ...back(1)]).toEqual(["", "/redraw"]);
  });

  test("brings files back as what they were, also from before", async () => {
    const text = "see @Makefile, @a b.txt:3-9 and [image shot.png]";
    const mentions = [
      { path: "a b.txt", range: { start: 3, end: 9 } },
      { path: "Makefile" },
      { path: "/tmp/shot.png" },
      { path: "elsewhere" },
    ];
    await at().composer.open({ id: "s", isNew: false }, Promise.resolve([{ text, mentions }]));
    at().act("history-previous");
    expect(at().editor.text()).toBe(text);
    at().act("send");
    expect(at().sent[0]?.[1].mentions).toEqual([
      { path: "Makefile" },
      { path: "a b.txt", range: { start: 3, end: 9 } },
      { path: "/tmp/shot.png" },
    ]);
  });

  test("is walked from the first row, older sessions behind this one, with the unsent draft at the bottom", async () => {
    await at().composer.open({ id: "s", isNew: false }, Promise.resolve(saidBefore("newer", "older")));
    for (const text of ["mine", "mine too"]) {
      at().type(text);
      at().act("send");
    }
    at().type("unsent");
    const walk = ["history-previous", "history-previous", "history-previous", "history-previous"] as const;
    expect(walk.map((action) => [at().act(action), at().editor.text()])).toEqual([
      [true, "mine too"],
      [true, "mine"],
      [true, "newer"],
      [true, "older"],
    ]);
    expect(at().act("history-previous")).toBe(false);
    for (let step = 0; step < 4; step++) at().act("history-next");
    expect([at().editor.text(), at().act("history-next")]).toEqual(["unsent", false]);
  });

  test("arrows stay in a draft of many rows until they leave it; what was recalled goes on at once", () => {
    at().type("first");
    at().act("send");
    at().type("a\nb");
    at().act("send");
    at().type("x\ny");
    expect(at().act("history-previous")).toBe(false);
    at().editor.setCursor(0);
    at().act("history-previous");
    expect(at().shown()).toBe("a\nb|");
    at().act("history-previous");
    expect(at().shown()).toBe("first|");
    at().act("history-next");
    at().act("history-next");
    expect(at().shown()).toBe("x\ny|");
  });

  test("what was recalled and changed is the draft from then on", () => {
    at().type("first");
    at().act("send");
    at().act("history-previous");
    at().type("!");
    at().act("history-previous");
    at().act("history-next");
    expect(at().shown()).toBe("first!|");
  });

  test("brings back what was cleared, with its pasted text", () => {
    at().composer.paste("y\n".repeat(20));
    at().act("clear-or-quit");
    expect(at().shown()).toBe("|");
    at().act("history-previous");
    expect(
      at()
        .editor.chips()
        .map(({ value }) => value),
    ).toEqual(["y\n".repeat(20)]);
  });

  test("goes on past what the draft shows otherwise than it was said", async () => {
    const odd = ["a\r\nb", "\u001b[31mred\u001b[0m", "nul\0"];
    await at().composer.open({ id: "s", isNew: false }, Promise.resolve(saidBefore("newest", ...odd, "oldest")));
    expect(back(5)).toEqual(["newest", "a\nb", "red", "nul", "oldest"]);
    for (let step = 0; step < 5; step++) at().act("history-next");
    expect(at().editor.text()).toBe("");
  });

  test("keeps the draft when something else is sent from there, as it was or changed, or another draft begun", () => {
    at().type("first");
    at().act("send");
    at().type("unsent");
    at().act("history-previous");
    at().act("send");
    expect([texts().length, back(3)]).toEqual([2, ["first", "unsent", "unsent"]]);
    at().act("clear-or-quit");
    at().type("mine");
    at().act("history-previous");
    at().type("!");
    expect(back(2)).toEqual(["mine", "unsent"]);
  });

  test("that is searched brings files back as what they were too", async () => {
    const text = "see @Makefile and [image shot.png]";
    const mentions = [{ path: "Makefile" }, { path: "/tmp/shot.png" }];
    await at().composer.open({ id: "s", isNew: false }, Promise.resolve([{ text, mentions }]));
    at().act("history-search");
    at().search?.(text);
    at().act("send");
    expect(at().sent.map(([, said]) => said)).toEqual([{ text, mentions }]);
  });

  test("can be searched, and the draft is in it when something else was chosen", () => {
    at().type("one");
    at().act("send");
    at().type("unsent");
    at().act("history-search");
    expect(at().told).toEqual(["one"]);
    at().search?.("one");
    expect(at().shown()).toBe("one|");
    at().act("history-previous");
    expect(at().shown()).toBe("unsent|");
  });
});

describe("leaving", () => {
  test("Ctrl+C copies, then clears, then quits when it is pressed twice", () => {
    at().type("x");
    at().selection = "x";
    at().act("clear-or-quit");
    expect([at().shown(), at().told]).toEqual(["x|", []]);
    at().selection = "";
    at().act("clear-or-quit");
    expect([at().shown(), at().told]).toEqual(["|", []]);
    at().clock.advance(1600);
    at().act("clear-or-quit");
    at().clock.advance(1600);
    at().act("clear-or-quit");
    expect(at().told).toEqual(["Ctrl+C again quits.", "Ctrl+C again quits."]);
    at().clock.advance(1400);
    at().act("clear-or-quit");
    expect(at().told.at(-1)).toBe("quit");
  });

  test("Ctrl+D deletes, and quits only when nothing is typed and nothing runs", () => {
    at().type("ab");
    at().editor.setCursor(0);
    at().act("delete-or-quit");
    expect(at().shown()).toBe("|b");
    at().act("delete-or-quit");
    at().isBusy = true;
    at().act("delete-or-quit");
    expect(at().told).toEqual(["A turn runs: Esc stops it, Ctrl+C twice quits."]);
    at().isBusy = false;
    at().act("delete-or-quit");
    expect(at().told.at(-1)).toBe("quit");
  });

  test("a question mark is a letter once something is typed", () => {
    expect([at().act("help-when-empty"), at().told]).toEqual([true, ["help"]]);
    at().type("what");
    expect(at().act("help-when-empty")).toBe(false);
  });
});
