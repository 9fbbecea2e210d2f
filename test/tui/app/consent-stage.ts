/**
 * The interface with a session whose questions the test asks, a clock that the test moves and frames that the test lets be
 * drawn; and a witness that knows what was on the screen, for how long, and which keys came.
 */
import type { DurableInput, KernelCommand, KhaelorEvent, LogEvent } from "../../../src/shared/index.ts";
import { createInterface } from "../../../src/tui/app/interface.ts";
import { type Key, keyName } from "../../../src/tui/key.ts";
import type { OpenSession, Queries, SessionHost, TerminalPorts } from "../../../src/tui/ports.ts";
import type { Screen } from "../../../src/tui/screen/port.ts";
import type { ScreenFrame } from "../../../src/tui/view/frame.ts";
import { HOLD_MS } from "../../../src/tui/view/permission/held-answer.ts";
import { DEAD_MS } from "../../../src/tui/view/permission-panel.ts";
import * as w from "../../session/log-words.ts";
import { manualClock } from "../../support/clock.ts";
import { textOf } from "../../support/frames.ts";
import { openEditor } from "../input/editor-stage.ts";

export type Step =
  | { readonly kind: "key"; readonly key: Key }
  | { readonly kind: "paste"; readonly text: string }
  | { readonly kind: "mouse"; readonly x: number; readonly y: number }
  | { readonly kind: "time"; readonly ms: number }
  | { readonly kind: "paint" }
  | { readonly kind: "away" }
  | { readonly kind: "size"; readonly width: number; readonly height: number }
  | { readonly kind: "ask"; readonly hasRule: boolean }
  | { readonly kind: "answered" }
  | { readonly kind: "switch" };

interface Pressed {
  readonly name: string;
  readonly text: string | undefined;
  readonly at: number;
  readonly draft: string;
  /** Since when the first question was on each frame that was drawn, with nothing above it. */
  readonly seen: { readonly id: string; readonly since: number } | undefined;
  readonly frame: string;
  /** How many other layers were drawn. */
  readonly covers: number;
}

export interface ConsentStage {
  act(step: Step): Promise<void>;
  /** Every yes that was given. */
  readonly given: readonly Given[];
  /** What should not have been, in words. */
  readonly wrong: readonly string[];
  frame(): string;
  close(): void;
}

type Given = Extract<KernelCommand, { kind: "permission-response" }>;

const squeezed = (text: string): string => text.replace(/\s/g, "");

const NOTHING = async () => undefined;

const SAID = async () => ["yes", "always"].map((text) => ({ text, mentions: [] }));

export async function openConsentStage(promptHistory: Queries["promptHistory"] = SAID): Promise<ConsentStage> {
  const clock = manualClock();
  const size = { width: 80, height: 24 };
  const given: Given[] = [];
  const wrong: string[] = [];
  let [asked, sessions, isDirty] = [0, 0, false];
  /** Since the question that stands there was seen first. */
  let [tabs, hasWritten, first] = [0, false, ""];
  let pressed: Pressed[] = [];
  let seen: Pressed["seen"];
  let frame: ScreenFrame | undefined;
  const textOfFrame = () => (frame?.rows ?? []).map((line) => textOf(line)).join("\n");

  const open: {
    id: string;
    log: DurableInput[];
    waiting: { id: string; rule: string }[];
    hear?: ((event: KhaelorEvent) => void) | undefined;
  } = { id: "", log: [], waiting: [] };
  const events = (): LogEvent[] => w.given(open.log).map((event) => ({ ...event, sessionId: open.id }));
  function happens(...inputs: readonly DurableInput[]): void {
    const from = open.log.length;
    open.log.push(...inputs);
    for (const event of events().slice(from)) open.hear?.(event as KhaelorEvent); // as: each is one of today's
  }

  const host: SessionHost = {
    close: NOTHING,
    async open() {
      sessions += 1;
      Object.assign(open, { id: `session-${sessions}`, log: [w.begun, w.said("go")], waiting: [], hear: undefined });
      return sessionNow();
    },
  };
  const sessionNow = (): OpenSession => ({
    ...{ id: open.id, path: "/log", notices: [], died: new Promise<never>(() => undefined) },
    async *history() {
      yield* events();
    },
    subscribe(onEvent) {
      open.hear = onEvent;
      return () => {
        open.hear = undefined;
      };
    },
    dispatch: (command) => take(command),
    onNotice: () => () => undefined,
    nextPermissionMode: () => "ask",
    price: () => null,
    ...{ resume: () => false, isBusy: () => true, isCompacting: () => false, settled: NOTHING, leave() {} },
    facts: () => ({
      ...{
        title: "t",
        folder: "~",
        branch: undefined,
        changedFiles: 0,
        model: "m",
        thinking: "off",
        effort: undefined,
      },
      ...{ permissionMode: "ask", contextTokens: undefined, contextWindow: 1, costUsd: 0, processes: 0 },
    }),
  });

  function take(command: KernelCommand): void {
    if (command.kind !== "permission-response") return;
    const at = open.waiting.findIndex(({ id }) => id === command.requestId);
    const [question] = at === -1 ? [] : open.waiting.splice(at, 1);
    if (command.decision !== "deny") {
      given.push(command);
      const problem = question && unfounded(command, question.rule); // one that is gone takes no answer
      if (problem) wrong.push(`${command.decision} to ${command.requestId}: ${problem}`);
    }
    if (question) happens(w.granted(command.requestId));
  }

  /** Why nobody can have meant this yes. */
  function unfounded({ requestId, decision }: Given, rule: string): string | undefined {
    const [before, last] = [pressed.at(-2), pressed.at(-1)];
    if (!last || !["y", "s", "a", "A"].includes(last.name)) return `the last key was ${last?.name}`;
    const problems: readonly (readonly [isSo: boolean, words: string])[] = [
      [clock.now() - last.at < HOLD_MS, "nothing shows that it was no text"],
      [last.seen?.id !== requestId, `on the screen was ${last.seen?.id}`],
      [last.at - (last.seen?.since ?? 0) < DEAD_MS, "it had just appeared"],
      [hasWritten && tabs === 0, `something was written: ${last.draft}`],
      [last.covers > 0, "something else was open"],
      [before?.text !== undefined && last.at - before.at < HOLD_MS && tabs === 0, "it was typed in one go"],
      [
        decision !== "once" && !squeezed(last.frame).includes(`“${squeezed(rule)}”`),
        `it was not told what lasts: ${rule}`,
      ],
    ];
    return problems.find(([isSo]) => isSo)?.[1];
  }

  const { editor, close } = await openEditor(60, () => shown.handlers.edited());
  const screen: Screen = {
    ...{ size: () => size, editor, settled: NOTHING, suspend: NOTHING, resume: NOTHING, close: NOTHING },
    facts: () => ({ widthMethod: "unicode", hasKittyKeyboard: false }),
    requestFrame() {
      isDirty = true;
    },
    ...{ setTheme() {}, setMouse() {}, setTitle() {}, notify() {}, redraw() {}, copy: () => true },
  };
  const ports: TerminalPorts = {
    host,
    queries: {
      findFiles: async () => [{ path: "yes.ts", matched: [] }],
      noteAccess() {},
      sessions: async () => [],
      promptHistory,
      fullOutput: NOTHING,
    },
    commands: ["sad", "yes"].map((name) => ({
      ...{ name, aliases: [], args: "", about: "does nothing", group: "g", whileBusy: true, run: NOTHING },
    })),
    unknownCommand: () => "none",
    drafts: { load: NOTHING, save: () => undefined },
    settings: {
      ...{ theme: "dark", mouse: true, vim: false, alternateScreen: true, notifications: true, screenReader: false },
      ...{ keybindings: {}, home: "/home", version: "0" },
    },
    outside: {
      edit: async (text) => ({ text }),
      page: NOTHING,
      copy: async () => true,
      isFile: () => false,
      storeKey: NOTHING,
    },
  };
  const shown = createInterface({
    ...{ ports, clock, windowMs: 1, look: { mode: "dark", depth: "full" } },
    quit() {},
    failed: (error) => void wrong.push(`failed: ${error}`),
    suspend() {},
  });
  shown.attach(screen);
  shown.begin({ session: {} });

  function paint(): void {
    if (!isDirty) return;
    isDirty = false;
    frame = shown.handlers.draw(size);
    const top = frame.layers.at(-1);
    const [first] = open.waiting;
    const isThere = top?.layer.name === "permission" && top.at.height > 0 && first !== undefined;
    const isShown = isThere && textOfFrame().includes(`$ c${first.id}`.slice(0, size.width < 12 ? 3 : 20));
    if (!isShown) seen = undefined;
    else if (seen?.id !== first.id) seen = { id: first.id, since: clock.now() };
  }

  function press(key: Key): void {
    const [name, draft] = [keyName(key), editor.text()];
    const front = seen?.id ?? "";
    if (front !== first) [first, tabs, hasWritten] = [front, 0, false];
    if (draft !== "") hasWritten = true;
    const covers = (frame?.layers.length ?? 0) - 1;
    pressed = [
      ...pressed.slice(-3),
      { name, text: key.text, at: clock.now(), draft, seen, frame: textOfFrame(), covers },
    ];
    if (name === "tab") tabs += 1;
    if (!shown.handlers.key(key)) editor.key(key);
  }

  function ask(hasRule: boolean): void {
    asked += 1;
    const [id, rule] = [`q${asked}`, `c${asked} --every *`];
    const call = w.event("tool.requested", {
      ...{
        requestId: `r${asked}`,
        blockIndex: 0,
        toolUseId: `t${asked}`,
        toolName: "bash",
        input: { command: `c${id}` },
      },
    });
    const suggestion = hasRule ? { suggestion: { capability: "process.execute", pattern: rule } } : {};
    const question = {
      permissionRequestId: id,
      toolUseId: `t${asked}`,
      capability: "process.execute",
      descriptor: "d",
    };
    open.waiting.push({ id, rule });
    const about = w.event("permission.requested", { ...question, ...suggestion });
    happens(w.asked(`r${asked}`), call, w.ended(`r${asked}`), about);
  }

  function answered(): void {
    const first = open.waiting.shift();
    if (first) happens(w.denied(first.id));
  }

  const acts: { readonly [K in Step["kind"]]: (step: Extract<Step, { kind: K }>) => void } = {
    key: ({ key }) => press(key),
    paste({ text }) {
      shown.handlers.paste(text);
      pressed = [...pressed.slice(-3), { name: "paste", text, at: clock.now(), draft: "", seen, frame: "", covers: 0 }];
    },
    mouse(at) {
      for (const kind of ["down", "up"] as const) shown.handlers.mouse({ ...at, kind });
    },
    time: ({ ms }) => clock.advance(ms),
    paint,
    away() {
      [seen, isDirty] = [undefined, true];
      shown.handlers.resumed?.();
    },
    size({ width, height }) {
      Object.assign(size, { width, height });
      shown.handlers.resized(size);
    },
    ask: ({ hasRule }) => ask(hasRule),
    answered,
    switch: () => void shown.core.feed.open({}).catch((error: unknown) => wrong.push(`${error}`)),
  };
  async function act(step: Step): Promise<void> {
    // Nothing happens in a session before somebody listens to it.
    while (step.kind === "ask" && shown.core.feed.session()?.id !== open.id) await new Promise(setImmediate);
    (acts[step.kind] as (step: Step) => void)(step); // as: the table's key is the step's kind
    for (let turn = 0; turn < 8; turn++) await Promise.resolve();
  }
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  return {
    ...{ act, given, wrong },
    frame: textOfFrame,
    close() {
      shown.end();
      close();
    },
  };
}
