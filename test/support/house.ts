/**
 * The whole house in one process, on real files, with the strict simulator as its model: what most tests of behaviour use.
 * Nothing in it is a mock; only the key, the base URL and the folders are the test's own.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { composeEngine } from "../../src/cli/compose.ts";
import type { Engine } from "../../src/cli/engine.ts";
import { writeModelsCache } from "../../src/cli/models-cache.ts";
import { MACHINE, type Outside } from "../../src/cli/outside.ts";
import type { Flags } from "../../src/cli/settings.ts";
import type { DurableEvent, KhaelorEvent } from "../../src/shared/index.ts";
import {
  MODELS,
  type Script,
  type SimulatedModel,
  type Simulator,
  type SimulatorOptions,
  startSimulator,
} from "../../src/simulator/index.ts";

export interface HouseOptions {
  readonly script: Script;
  readonly simulator?: Omit<SimulatorOptions, "script">;
  /** Files of the project, by relative path. */
  readonly files?: Readonly<Record<string, string>>;
  readonly flags?: Flags;
  readonly somebodyToAsk?: boolean;
  /** Context windows in tokens by model, of the server and as the program has been told of them. Its other models stay. */
  readonly windows?: Readonly<Record<string, number>>;
  /** `test-key` when absent. */
  readonly key?: string;
  /** In place of this machine's own time, chance, wire, disk. */
  readonly outside?: Partial<Outside>;
}

export interface House {
  readonly home: string;
  readonly cwd: string;
  readonly simulator: Simulator;
  engine: Engine;
  /** Durable events since this engine was opened, in order. */
  readonly events: DurableEvent[];
  readonly everything: KhaelorEvent[];
  /** Submits and waits until the turn is over. */
  say(text: string): Promise<void>;
  /** Closes the engine and opens the same session again, recovered. */
  reopen(options?: { readonly flags?: Flags }): Promise<void>;
  /** Types of the durable events, for comparing a course of events at a glance. */
  types(): readonly string[];
  close(): Promise<void>;
}

export const ALLOW_ALL: Flags = { permissionMode: "bypass" };

export async function openHouse(options: HouseOptions): Promise<House> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "khaelor-house-")));
  const home = join(root, "home");
  const cwd = join(root, "project");
  mkdirSync(cwd);
  for (const [name, content] of Object.entries(options.files ?? {})) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), content);
  }
  const models = options.windows ? withWindows(options.windows) : undefined;
  const simulator = await startSimulator({ ...(models && { models }), ...options.simulator, script: options.script });
  if (models) writeModelsCache(home, { fetchedAt: Date.now(), models: models.map(asListed) }, simulator.url);
  const events: DurableEvent[] = [];
  const everything: KhaelorEvent[] = [];

  const open = async (resume?: string, flags = options.flags): Promise<Engine> => {
    const engine = await composeEngine({
      places: { home, userHome: root, cwd },
      env: { PATH: process.env.PATH, HOME: root },
      flags: { ...ALLOW_ALL, ...flags },
      log: { verbose: false },
      ...(resume !== undefined && { resume }),
      title: "test",
      connection: { auth: { kind: "api-key", value: options.key ?? "test-key" }, baseURL: simulator.url },
      somebodyToAsk: options.somebodyToAsk ?? false,
      ...(options.outside && { outside: { ...MACHINE, ...options.outside } }),
    });
    engine.session.bus.onAny((event) => {
      everything.push(event);
      if ("seq" in event) events.push(event);
    });
    return engine;
  };

  const house: House = {
    home,
    cwd,
    simulator,
    engine: await open(),
    events,
    everything,
    async say(text) {
      house.engine.agent.dispatch({ kind: "submit-message", text, mentions: [] });
      await house.engine.agent.settled();
    },
    async reopen(again = {}) {
      const { id } = house.engine.session;
      await house.engine.close();
      house.engine = await open(id, again.flags);
    },
    types: () => events.map(({ type }) => type),
    async close() {
      await house.engine.close();
      await simulator.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
  return house;
}

/** The simulator's models, some of them with other windows. */
export const withWindows = (windows: Readonly<Record<string, number>>): readonly SimulatedModel[] =>
  MODELS.map((model) => ({ ...model, contextWindow: windows[model.id] ?? model.contextWindow }));

/** As the program is told of them. */
export const asListed = ({ id, contextWindow, maxOutputTokens }: SimulatedModel) => ({
  id,
  contextWindow,
  maxOutputTokens,
});

export function eventsOf<T extends DurableEvent["type"]>(
  events: readonly DurableEvent[],
  type: T,
): readonly DurableEvent<T>[] {
  return events.filter((event): event is DurableEvent<T> => event.type === type);
}
