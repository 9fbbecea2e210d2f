/** A run of random steps, with what must hold after each of them and whenever nothing goes on. */
import { createViewModel, type ViewState } from "../../../../src/tui/model/view-model.ts";
import { type Held, heldBeyond, watchResources } from "../../../support/resources.ts";
import { chanceOf } from "./random.ts";
import { openStage, type Stage } from "./stage.ts";
import { randomStep, type Step } from "./steps.ts";

export interface Fuzzed {
  readonly steps: number;
  readonly checkpoints: number;
}

export interface FuzzOptions {
  readonly seed: number;
  /** At most so many, and for at most so long. */
  readonly steps: number;
  readonly seconds: number;
  /** Each step before it is done, for whoever looks for what went wrong. */
  readonly onStep?: (step: Step) => void;
}

/** Between two moments in which everything must be at rest. */
const STEPS_PER_REST = 60;

/** The simulator's rule: it serves fewer models than may be chosen. */
const UNKNOWN_MODEL = "7";

/** Throws with the seed and the newest steps when something does not hold. */
export async function fuzz({ seed, steps, seconds, onStep }: FuzzOptions): Promise<Fuzzed> {
  const chance = chanceOf(seed);
  using watch = watchResources();
  const rejected: string[] = [];
  const onRejection = (error: unknown) =>
    void rejected.push(`rejected: ${error instanceof Error ? error.stack : error}`);
  process.on("unhandledRejection", onRejection);
  for (const stream of [process.stdout, process.stderr]) stream.write(""); // they open when they are first used
  const before = watch.held({ simulator: { openConnections: () => 0 } });
  const stage = await openStage();
  const until = Date.now() + seconds * 1000;
  const done: Step[] = [];
  let checkpoints = 0;
  let isClosed = false;
  const report = () => {
    const refused = stage.house.simulator.refusals
      .filter(({ rule }) => rule !== UNKNOWN_MODEL)
      .map((refusal) => `refused: ${JSON.stringify(refusal)}`);
    const [first] = [...stage.wrong, ...rejected, ...refused];
    if (first === undefined) return;
    const last = done.slice(-25).map((step) => `  ${JSON.stringify(step)}`);
    throw new Error(
      `seed ${seed}, step ${done.length}: ${first}\nthe last steps:\n${last.join("\n")}\n${stage.lastFrame()}`,
    );
  };
  try {
    while (done.length < steps && Date.now() < until) {
      const { width: columns, height: rows } = stage.size();
      const step = randomStep(chance, { columns, rows, commands: stage.commands });
      done.push(step);
      onStep?.(step);
      await act(stage, step).catch((error: unknown) =>
        stage.wrong.push(`thrown: ${error instanceof Error ? error.stack : error}`),
      );
      report();
      if (done.length % STEPS_PER_REST !== 0) continue;
      await rest(stage);
      checkpoints++;
      report();
    }
    await rest(stage);
    report();
    await stage.close();
    isClosed = true;
    const isSame = (held: Held) => Bun.deepEquals(heldBeyond(held, before), { ...before, descriptors: [] });
    const after = await watch.heldOnce({ simulator: { openConnections: () => 0 } }, isSame);
    if (!isSame(after))
      throw new Error(`seed ${seed}: held before ${JSON.stringify(before)}, after ${JSON.stringify(after)}`);
    return { steps: done.length, checkpoints };
  } finally {
    if (!isClosed) await stage.close();
    process.off("unhandledRejection", onRejection);
  }
}

async function act(stage: Stage, step: Step): Promise<void> {
  const { screen, opened } = stage;
  const before = { text: opened.editor.text(), session: stage.shown.core.feed.session() };
  switch (step.kind) {
    case "type":
      await screen.type(step.bytes);
      break;
    case "paste":
      await screen.paste(step.text);
      break;
    case "resize":
      await screen.resize(step.columns, step.rows);
      break;
    case "theme":
      stage.shown.handlers.themeMode(step.mode);
      break;
    case "wait":
      await Bun.sleep(step.ms);
      await screen.settled();
      break;
    case "say":
      opened.editor.setText(step.text);
      await screen.type("\r");
      break;
    default:
      step satisfies never;
  }
  if (stage.wrong.length > 0) return;
  lookAtCursor(stage);
  // A draft stays with its session.
  const isSame = stage.shown.core.feed.session() === before.session && before.session !== undefined;
  if (step.kind === "type" && isSame && before.text.trim() !== "") await lookAtDraft(stage, step.bytes, before.text);
}

function lookAtCursor({ screen, opened, wrong }: Stage): void {
  const { x, y, isVisible } = screen.cursor();
  const { width, height } = opened.size();
  // In an area of one or two cells the library puts it behind a sign that fills it, or below; a terminal keeps it on the screen.
  const isWithin = x >= 0 && y >= 0 && x < Math.max(width, 6) && (y < height || width < 3);
  if (isVisible && !isWithin) {
    wrong.push(`the cursor is at ${x},${y} of ${width}x${height}`);
  }
  const { text } = screen.area();
  const written = opened.editor.text();
  if (text !== written) wrong.push(`shown is ${JSON.stringify(text)} and written ${JSON.stringify(written)}`);
}

/** What one letter never takes away, and what is sent or cleared is found in the history. */
async function lookAtDraft({ screen, opened, shown, wrong }: Stage, bytes: string, before: string): Promise<void> {
  if (opened.editor.text() !== "") return;
  const isLetter = bytes.length === 1 && bytes >= " " && bytes !== "\u007f";
  if (isLetter) wrong.push(`the draft ${JSON.stringify(before)} was lost by ${JSON.stringify(bytes)}`);
  const { layers, transcript } = shown.core;
  if (!["\r", "\t", "\u0003"].includes(bytes) || layers.list().length > 0 || transcript.focused()) return;
  await screen.type("\u001b[A");
  const back = opened.editor.text();
  await screen.type("\u001b[B");
  // What an earlier command asked for may open between two keys, and takes them then. A palette must not: it is put away.
  if (layers.list().some(({ name }) => !name.endsWith("-palette"))) return;
  // What is chosen in a palette stands there whole.
  const isBack = before.startsWith("/") ? back.startsWith("/") : back === before;
  if (!isBack) wrong.push(`the draft ${JSON.stringify(before)} is not in the history, but ${JSON.stringify(back)}`);
  const ahead = opened.editor.text();
  if (ahead !== "") wrong.push(`the history does not lead back to the empty draft, but to ${JSON.stringify(ahead)}`);
}

const REST_MS = 8000;

/** Everything is stopped, and nothing is armed, streamed or asked then; what is shown is what the log says. */
async function rest(stage: Stage): Promise<void> {
  const { shown, screen, house, timers, wrong } = stage;
  const { core } = shown;
  const until = Date.now() + REST_MS;
  // What is said after a stop waits, unseen, for the end of what was stopped, and begins the next turn then.
  const isIdle = () => core.view().activity.kind === "idle" && house.host.current()?.agent.isBusy() !== true;
  const isResting = () => core.feed.session() !== undefined && isIdle() && timers.live().length === 0;
  for (let at = 0; !isResting() && Date.now() < until; at++) {
    if (at % 20 === 0 && !isIdle()) core.feed.dispatch({ kind: "interrupt" });
    await Bun.sleep(10);
    await screen.settled();
  }
  if (!isResting()) {
    wrong.push(
      `no rest: ${JSON.stringify(core.view().activity)}, timers ${timers.live().join("; ") || "none"}, session ${core.feed.session()?.id}`,
    );
    return;
  }
  const engine = house.host.current();
  if (!engine || engine.session.id !== core.feed.session()?.id) {
    wrong.push(`shown is session ${core.feed.session()?.id}, open is ${engine?.session.id}`);
    return;
  }
  await engine.agent.settled();
  while (timers.live().length > 0 && Date.now() < until) await Bun.sleep(2); // what came last may wait for its frame
  const replayed = createViewModel();
  for await (const event of engine.store.read(engine.session.id)) replayed.replay(event);
  const [is, told] = [facts(core.view()), facts(replayed.state())];
  if (!Bun.deepEquals(is, told)) wrong.push(`shown and recorded differ: ${difference(is, told)}`);
  const layers = core.layers.list();
  if (new Set(layers).size !== layers.length) wrong.push(`a layer lies there twice: ${layers.map(({ name }) => name)}`);
  if (layers.length > 40) wrong.push(`${layers.length} layers lie there`);
}

/** Without notes, which are in no log, and the output that a running call printed. */
const facts = ({ items, live, queued, questions, activity }: ViewState) => ({
  items: items.filter(({ kind }) => kind !== "note"),
  live: live.length,
  ...{ queued, questions, activity },
});

type Facts = ReturnType<typeof facts>;

function difference(is: Facts, told: Facts): string {
  const at = is.items.findIndex((item, index) => !Bun.deepEquals(item, told.items[index]));
  const parts =
    at === -1
      ? [
          { ...is, items: is.items.length },
          { ...told, items: told.items.length },
        ]
      : [is.items[at], told.items[at]];
  return parts.map((part) => JSON.stringify(part)).join("\n  against ");
}
