/** What comes back into the draft: after a crash, from the queue, from the user's editor. */
import { describe, expect, test } from "bun:test";
import type { KhaelorEvent } from "../../../src/shared/index.ts";
import type { QueuedChip } from "../../../src/tui/model/items.ts";
import type { SaidBefore } from "../../../src/tui/ports.ts";
import { composerStage } from "./composer-stage.ts";

const at = composerStage();

describe("the draft outlives the program", () => {
  const open = (id: string, isNew = false) => at().composer.open({ id, isNew }, Promise.resolve([]));

  test("it is kept half a second after the last key, once", async () => {
    await open("s");
    at().type("a");
    at().clock.advance(400);
    at().type("b");
    at().clock.advance(400);
    expect(at().kept.size).toBe(0);
    at().clock.advance(100);
    expect([...at().kept]).toEqual([["s", "ab"]]);
    expect(at().clock.pending()).toBe(0);
    at().act("send");
    expect(at().kept.size).toBe(0);
  });

  test("it comes back also where the history does not", async () => {
    at().kept.set("s", "a long draft, kept yesterday");
    const opened = at().composer.open({ id: "s", isNew: false }, Promise.reject(new Error("EIO")));
    await expect(opened).rejects.toThrow("EIO");
    expect(at().editor.text()).toBe("a long draft, kept yesterday");
  });

  test("a picture from the clipboard is in it, and is still mentioned after a restart", async () => {
    await open("s");
    const answered = () => new Promise((resolve) => void setImmediate(resolve));
    expect(at().act("paste-picture")).toBe(true);
    await answered();
    at().picture = { path: "/tmp/x/pasted-1.png" };
    at().act("paste-picture");
    await answered();
    at().type(" what is it?");
    expect([at().told, at().editor.text()]).toEqual([["no picture"], "[image pasted-1.png] what is it?"]);
    at().clock.advance(500);
    at().composer.leave();
    await open("s");
    at().act("send");
    expect(at().sent.map(([, { mentions }]) => mentions)).toEqual([[{ path: "/tmp/x/pasted-1.png" }]]);
  });

  test("so is a file that was chosen, whatever its name; a draft that is only text is kept as text", async () => {
    await open("s");
    at().type("see ");
    for (const path of ["Makefile", "a b.txt"]) {
      at().editor.insertChip({ kind: "mention", label: `@${path}`, value: path });
      at().type(" ");
    }
    at().editor.insertChip({ kind: "paste", label: "[Pasted 2 lines]", value: "one\ntwo" });
    at().composer.leave();
    await open("s");
    expect(at().editor.text()).toBe("see @Makefile @a b.txt one\ntwo");
    at().act("send");
    expect(at().sent[0]?.[1].mentions).toEqual([{ path: "Makefile" }, { path: "a b.txt" }]);
    at().type('{"draft": is how it begins');
    at().composer.leave();
    expect([...at().kept.values()]).toEqual(['{"draft": is how it begins']);
    await open("s");
    expect(at().editor.text()).toBe('{"draft": is how it begins');
  });

  test("a draft that came back and is sent or cleared at once does not come back again", async () => {
    for (const act of ["send", "clear-or-quit"] as const) {
      at().kept.set("s", "from before");
      await open("s");
      at().act(act);
      expect([at().shown(), at().kept.size]).toEqual(["|", 0]);
    }
    at().kept.set("s", "from before");
    await open("s");
    at().composer.leave();
    expect(at().kept.get("s")).toBe("from before");
  });

  test("what prevents that is said once", async () => {
    await open("s");
    at().trouble = "the draft cannot be kept (ENOSPC)";
    for (const letter of "abc") {
      at().type(letter);
      at().clock.advance(600);
    }
    expect(at().told).toEqual(["the draft cannot be kept (ENOSPC)"]);
  });

  test("in a session where nothing was said yet it is the project's", async () => {
    at().kept.set(undefined, "from before");
    await open("new", true);
    expect(at().shown()).toBe("from before|");
    at().type("!");
    at().composer.flush();
    expect([...at().kept]).toEqual([[undefined, "from before!"]]);
    at().composer.observe({ type: "user.message-created" } as KhaelorEvent);
    await Promise.resolve();
    expect([...at().kept]).toEqual([["new", "from before!"]]);
  });

  test("what is said first is not written down on its way out", async () => {
    await open("new", true);
    at().type("said");
    at().composer.observe({ type: "user.message-created" } as KhaelorEvent); // while it is sent
    expect(at().kept.size).toBe(0);
    at().editor.setText("");
    await Promise.resolve();
    expect(at().kept.size).toBe(0);
  });

  test("each session has its own, and what was typed before there was one stays", async () => {
    at().kept.set("a", "draft of a");
    at().type("typed early");
    await open("a");
    expect(at().shown()).toBe("typed early|");
    at().act("history-previous");
    expect(at().shown()).toBe("draft of a|");
    await open("b");
    expect([at().shown(), at().kept.get("a")]).toEqual(["|", "draft of a"]);
    await open("a");
    expect(at().shown()).toBe("draft of a|");
  });

  test("what is typed while the next session opens is that one's", async () => {
    await open("a");
    at().type("for a");
    at().composer.leave();
    expect([at().shown(), at().kept.get("a")]).toEqual(["|", "for a"]);
    at().type("for b");
    await open("b");
    at().composer.flush();
    expect([at().shown(), [...at().kept]]).toEqual([
      "for b|",
      [
        ["a", "for a"],
        ["b", "for b"],
      ],
    ]);
  });

  test("at the end it is kept with what is in no log; without a session with the project's; else it is given back", async () => {
    const { composer, kept } = at();
    kept.set(undefined, "from before");
    at().type("typed early");
    expect(await composer.rescue(["sent early"])).toBe(undefined);
    expect([...kept]).toEqual([[undefined, "from before\n\nsent early\n\ntyped early"]]);
    kept.clear();
    await open("s");
    composer.flush();
    expect([await composer.rescue([]), kept.get("s")]).toEqual([undefined, "typed early"]);
    expect([await composer.rescue(["lost"]), kept.get("s")]).toEqual([undefined, "lost\n\ntyped early"]);
    at().trouble = "the draft cannot be kept (ENOSPC)";
    at().type("!");
    composer.flush();
    expect(await composer.rescue([])).toBe("typed early!");
  });

  test("a draft that is read slowly does not come into another session", async () => {
    at().kept.set("a", "draft of a");
    const { promise, resolve } = Promise.withResolvers<readonly SaidBefore[]>();
    const opened = at().composer.open({ id: "a", isNew: false }, promise);
    await open("b");
    resolve([]);
    await opened;
    expect(at().shown()).toBe("|");
  });
});

describe("what is queued comes back", () => {
  const chip = (eventId: string, text: string): QueuedChip => ({
    eventId,
    text,
    deliver: "now",
    mentions: [],
    images: [],
  });
  const told = (queuedEventId: string, seam: "withdrawn" | "pre-model-call") =>
    at().composer.observe({
      type: "user.steering-injected",
      payload: { queuedEventId, seam, afterSeq: 1 },
    } as KhaelorEvent);

  test("before what is typed, and only when the engine says so", () => {
    expect(at().act("take-back")).toBe(false);
    at().queued = [chip("1", "older"), chip("2", "newer")];
    at().type("draft");
    at().act("take-back");
    at().act("take-back");
    expect([at().act("take-back"), at().told, at().shown()]).toEqual([false, ["withdraw 2", "withdraw 1"], "draft|"]);
    told("2", "withdrawn");
    expect(at().editor.text()).toBe("newer\n\ndraft");
    told("1", "pre-model-call");
    told("3", "withdrawn");
    expect(at().editor.text()).toBe("newer\n\ndraft");
  });

  test("with its files, before those of the draft", () => {
    const text = "see @Makefile and [image shot.png]";
    at().queued = [{ ...chip("1", text), mentions: [{ path: "/tmp/shot.png" }, { path: "Makefile" }] }];
    at().type("and ");
    at().editor.insertChip({ kind: "mention", label: "@Licence", value: "Licence" });
    at().act("take-back");
    told("1", "withdrawn");
    expect(at().shown()).toBe(`${text}\n\n|and @Licence`);
    at().act("send");
    expect(at().sent[0]?.[1].mentions).toEqual([{ path: "Makefile" }, { path: "/tmp/shot.png" }, { path: "Licence" }]);
  });
});

describe("the user's editor", () => {
  const settle = () => new Promise((resolve) => setImmediate(resolve));

  test("gets the whole text and gives it back, with what was mentioned", async () => {
    at().editor.insertChip({ kind: "mention", label: "@a.ts", value: "a.ts" });
    at().composer.paste("z\n".repeat(20));
    at().edit = async (text) => {
      at().told.push(text);
      return { text: "now @a.ts first" };
    };
    at().act("editor");
    at().act("editor");
    await settle();
    expect(at().told).toEqual([`@a.ts${"z\n".repeat(20)}`]);
    expect([at().editor.text(), at().editor.chips()]).toEqual([
      "now @a.ts first",
      [{ kind: "mention", label: "@a.ts", value: "a.ts", start: 4, end: 9 }],
    ]);
  });

  test("that fails leaves the draft as it was", async () => {
    at().type("mine");
    at().edit = async () => ({ problem: "vi ended with 1; the draft is as it was" });
    at().act("editor");
    await settle();
    expect([at().shown(), at().told]).toEqual(["mine|", ["vi ended with 1; the draft is as it was"]]);
  });
});
