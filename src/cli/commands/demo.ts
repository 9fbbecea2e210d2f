/**
 * `khaelor demo`: the real loop on a small project with a really failing test, with the embedded, scripted model in place of
 * the network. `--resume` goes on with a demo that was cut off, in whatever state the kill left it.
 */

import { existsSync } from "node:fs";
import { isVerified } from "../../agent/index.ts";
import { defaultModels } from "../../anthropic/index.ts";
import type { SessionState } from "../../session/index.ts";
import { EXIT, type ExitCode, type LogOptions, steadyNow, systemClock } from "../../shared/index.ts";
import { demoPace, demoProject, demoScript, type Simulator, startSimulator } from "../../simulator/index.ts";
import { createLocalWorkspace } from "../../workspace/index.ts";
import type { Arguments } from "../args.ts";
import { composeEngine } from "../compose.ts";
import { commitDemo, isDemoFolder, layOutDemo } from "../demo-project.ts";
import { demoReporter, demoSummary, type Screen } from "../demo-report.ts";
import { logChoice } from "../log-choice.ts";
import type { Output } from "../output.ts";
import { createPaint } from "../paint.ts";
import { type RunResult, watchRun } from "../result.ts";
import { runHeadless } from "../run-turn.ts";
import { type Environment, type Places, placesOf } from "../settings.ts";
import { openStore } from "../state.ts";
import { wrapped } from "../word-wrap.ts";

export async function demo(typed: Arguments, output: Output): Promise<ExitCode> {
  const isTerminal = process.stdout.isTTY === true;
  const paint = createPaint(isTerminal, process.env, typed.color);
  const screen = { output, paint, width: isTerminal ? process.stdout.columns : undefined };
  const say = (text: string) => output.out(`${paint.dim(wrapped(text, screen.width))}\n`);
  const places = placesOf(typed, process.env);
  const cut = typed.resume === undefined ? undefined : await cutDemo(places, typed.resume || typed.operands[0] || "");
  say("khaelor demo: the model is scripted and runs inside this program; everything else is real.");
  if (typed.resume !== undefined && !cut) say("There is no demo to go on with; here is a new one.");
  const simulator = await startSimulator({ script: demoScript, stream: demoPace });
  try {
    const result = await run({ places, cut, log: logChoice(typed), screen, simulator });
    if (refused(simulator, output)) return EXIT.internal;
    return result.status === "idle" && result.verified ? EXIT.done : result.exit_code;
  } finally {
    await simulator.close();
  }
}

interface Demo {
  readonly places: Places;
  readonly cut: Cut | undefined;
  readonly log: LogOptions;
  readonly screen: Screen;
  readonly simulator: Simulator;
}

/** A demo's session that can be resumed, and where its project lies. */
interface Cut {
  readonly id: string;
  readonly folder: string;
}

async function cutDemo(places: Places, id: string): Promise<Cut | undefined> {
  const { store } = openStore(places, { verbose: false });
  const wanted = id.toUpperCase();
  for (const listing of await store.list({ quick: true })) {
    const folder = (listing.meta ?? listing.glance)?.workingDirectory;
    if (folder && isDemoFolder(folder) && existsSync(folder) && !listing.damaged && listing.id.startsWith(wanted)) {
      return { id: listing.id, folder };
    }
  }
  return undefined;
}

/** What the demo's commands see: no key of the user's, and nothing that would send the requests elsewhere. */
function demoEnvironment(): Environment {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("ANTHROPIC_")));
}

async function run({ places, cut, log, screen, simulator }: Demo): Promise<RunResult> {
  const env = demoEnvironment();
  const folder = cut?.folder ?? layOutDemo();
  if (!cut) {
    const workspace = createLocalWorkspace({ cwd: folder, env });
    await commitDemo(workspace);
    await workspace.close();
  }
  const engine = await composeEngine({
    places: { ...places, cwd: folder },
    env,
    flags: { model: defaultModels.model, auxModel: defaultModels.auxiliary, permissionMode: "bypass" },
    log,
    ...(cut && { resume: cut.id }),
    title: "Demo",
    connection: { auth: { kind: "api-key", value: "embedded" }, baseURL: simulator.url },
    somebodyToAsk: false,
  });
  try {
    const watch = watchRun(engine.session, () => steadyNow(systemClock));
    const report = demoReporter(screen);
    const { turns } = engine.session.state().turn;
    const end = await runHeadless(engine, {
      prompt: turns === 0 ? demoProject.task : undefined,
      onEvent(event) {
        watch.onEvent(event);
        report(event);
      },
    });
    const result = asLogged(watch.finish(end), engine.session.state());
    await engine.session.sync();
    screen.output.out(demoSummary(result, screen, folder));
    return result;
  } finally {
    await engine.close();
  }
}

/** Of a demo that had finished before, nothing was run; what its log proves is what there is to say. */
const asLogged = (result: RunResult, { turn }: SessionState): RunResult =>
  result.status === "idle" ? { ...result, verified: isVerified(turn.verification) } : result;

/** The embedded server is as strict as the real one. A refusal is a bug of ours, and never passes as success. */
function refused({ refusals }: Simulator, output: Output): boolean {
  for (const { rule, message } of refusals)
    output.err(`khaelor: the model server refused a request (rule ${rule}): ${message}\n`);
  return refusals.length > 0;
}
