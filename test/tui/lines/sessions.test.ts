/** Which session is open in lines when one cannot be opened. */
import { expect, test } from "bun:test";
import { createLineSessions, type LineSessionParts } from "../../../src/tui/lines/sessions.ts";

type Parts = LineSessionParts;

/** Those whose name begins with `no` cannot be opened, nor what is gone. */
function stage(chosen?: string) {
  const told: string[] = [];
  const gone = new Set<string>();
  let session: { readonly id: string } | undefined;
  const parts: Partial<Parts> = {
    feed: {
      session: () => session as ReturnType<Parts["feed"]["session"]>, // as much of one as is used
      async open({ resume: id = "new", pick }) {
        session = undefined;
        if (pick) throw Object.assign(new Error("Which session?"), { name: "Choose" });
        if (id.startsWith("no") || gone.has(id)) throw new Error(`${id} cannot be opened`);
        session = { id };
      },
    },
    paper: { words: (text) => void told.push(text) } as Partial<Parts["paper"]> as Parts["paper"], // likewise
    dialog: { choose: async () => chosen } as Partial<Parts["dialog"]> as Parts["dialog"],
    queries: {
      sessions: async () => [
        { id: chosen ?? "", title: "", updatedAt: 0, userMessages: 0, pendingApprovals: 0, costUsd: 0 },
      ],
    },
    now: () => 0,
    quit: () => void told.push("quit"),
  };
  return { open: createLineSessions(parts as Parts), told, gone, shown: () => session?.id };
}

test("a switch that fails goes back; where that is gone too, a new one is begun", async () => {
  const { open, told, gone, shown } = stage();
  await open({ resume: "a" });
  await open({ resume: "no-b" });
  expect([shown(), told]).toEqual(["a", ["no-b cannot be opened"]]);
  gone.add("a");
  await open({ resume: "no-c" });
  expect([shown(), told.slice(1)]).toEqual(["new", ["no-c cannot be opened"]]);
});

test("also where the one that fails was chosen from a list", async () => {
  const { open, told, shown } = stage("no-b");
  await open({ resume: "a" });
  await open({ pick: { text: "" } });
  expect([shown(), told]).toEqual(["a", ["no-b cannot be opened"]]);
});
