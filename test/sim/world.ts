/** Everything that outlives a process: folders, the API, time, chance, and the logs with what is known of them. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { priceOf } from "../../src/anthropic/index.ts";
import { writeModelsCache } from "../../src/cli/models-cache.ts";
import { modelPrices } from "../../src/cli/prices.ts";
import { conversationImages, type Price, storePaths } from "../../src/session/index.ts";
import { createMessagesApi, type MessagesApi } from "../../src/simulator/index.ts";
import { asListed, withWindows } from "../support/house.ts";
import { createDice, type Dice } from "../support/story/dice.ts";
import { png } from "../support/story/images.ts";
import { AUX } from "../support/summing-model.ts";
import { type LogWatch, Violation } from "./checks.ts";
import { SimulatedClock } from "./clock.ts";
import { CALM_DISK, type DiskWeather } from "./disk.ts";
import { KEY } from "./key.ts";
import { Life, type Opening } from "./life.ts";
import { randomModel } from "./mouth.ts";
import { MODELS, PICTURE } from "./person.ts";

/** What the project begins with. */
/** Changed by others while nobody runs. */
export const INSTRUCTIONS = "KHAELOR.md";
export const A_TXT = "line one\nline two\n";
const ADDRESS = "http://127.0.0.1:9";
/** Small enough that room has to be made every few turns. */
const WINDOW = 24_000;

const ROUGH_DISK: DiskWeather = { shortWrite: 0.02, failure: 0.003, death: 0.004, lock: 0.03 };

export class World {
  readonly dice: Dice;
  readonly clock = new SimulatedClock();
  readonly api: MessagesApi;
  readonly root: string;
  readonly home: string;
  readonly cwd: string;
  readonly happened = new Map<string, number>();
  /** Nothing goes wrong any more. */
  isCalm = false;
  sessionId: string | undefined;
  watch: LogWatch | undefined;
  /** Logs that nobody may touch any more, with their bytes. */
  readonly parents: { readonly path: string; readonly bytes: Buffer }[] = [];
  /** What was found where nobody could be told at once. */
  violation: Violation | undefined;
  lives = 0;
  /** Stored parts of the prefix were lost, so that it may be made anew. */
  mayRenew = false;
  #counted = 0;

  constructor(seed: number) {
    this.dice = createDice(seed);
    const models = withWindows({ ...Object.fromEntries(MODELS.map((id) => [id, WINDOW])), [AUX]: 3 * WINDOW });
    this.api = createMessagesApi({
      models,
      clock: this.clock,
      seed: `seed ${seed}`,
      keepRequests: 8,
      script: randomModel({ dice: this.dice, isCalm: () => this.isCalm, count: this.count, note: this.note }),
    });
    // Thousands of small files: in memory where that is possible.
    this.home = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "khaelor-sim-home-"));
    this.root = realpathSync(mkdtempSync(join(tmpdir(), "khaelor-sim-")));
    this.cwd = join(this.root, "project");
    mkdirSync(this.cwd);
    writeFileSync(join(this.cwd, "a.txt"), A_TXT);
    writeFileSync(join(this.cwd, PICTURE), png(9));
    writeFileSync(join(this.cwd, "test.sh"), "test -f a.txt\n", { mode: 0o755 });
    writeModelsCache(this.home, { fetchedAt: this.clock.now(), models: models.map(asListed) }, ADDRESS);
  }

  note = (what: string): void => void this.happened.set(what, (this.happened.get(what) ?? 0) + 1);
  count = (): number => ++this.#counted;

  price: Price = (model, usage, asked) => priceOf(model, usage, { prices: modelPrices({}), asked });

  /** What others do to the folders while nobody runs. */
  #betweenLives(): void {
    const { dice, isCalm, watch } = this;
    if (isCalm || !watch) return;
    if (dice.chance(0.1)) {
      this.note("other instructions");
      writeFileSync(join(this.cwd, INSTRUCTIONS), `Rule ${this.count()}: be brief.\n`);
    }
    const { conversation } = watch.state;
    const image = conversationImages(conversation)[0]?.sha256;
    const blob = dice.pick([conversation.systemSha256, conversation.toolsSha256, image, image]);
    if (blob === undefined || !dice.chance(0.1)) return;
    const isSpoiled = dice.chance(0.5);
    this.note(isSpoiled ? "a blob that is spoiled" : "a blob that is lost");
    const path = join(storePaths(this.home).blobs, blob);
    if (isSpoiled) writeFileSync(path, '["spoiled"]');
    else rmSync(path, { force: true });
    this.mayRenew = true;
  }

  /** A process begins: on the session, on a fork of it, or on a new one. */
  begin(fork?: { readonly seq?: number }): Life {
    this.lives++;
    this.#betweenLives();
    const { dice, clock, api, isCalm } = this;
    const life: Life = new Life(
      {
        isCalm,
        dice,
        clock,
        api,
        disk: {
          note: this.note,
          weather: () => (this.isCalm ? CALM_DISK : ROUGH_DISK),
          onLine: (line, isAllSafe) => this.#judgeClaim(line, isAllSafe),
        },
        onEffect: (what) => this.#judgeEffect(life, what),
      },
      this.#opening(fork),
    );
    return life;
  }

  #opening(fork: { readonly seq?: number } | undefined): Opening {
    const { dice, isCalm } = this;
    this.sessionId ??= this.#found();
    return {
      places: { home: this.home, userHome: this.root, cwd: this.cwd },
      env: { PATH: process.env.PATH, HOME: this.root },
      flags: {
        permissionMode: isCalm ? "bypass" : dice.pick(["bypass", "ask"]),
        ...(!isCalm && dice.chance(0.3) && { fallbackModel: MODELS[1] }),
        limits: {
          maxTurns: !isCalm && dice.chance(0.3) ? 4 : 60,
          ...(!isCalm && dice.chance(0.1) && { maxSeconds: 60 }),
        },
      },
      log: { verbose: false },
      title: "simulated",
      connection: { auth: { kind: "api-key", value: KEY }, baseURL: ADDRESS },
      somebodyToAsk: true,
      ...(this.sessionId !== undefined && { resume: this.sessionId, ...(fork && { fork }) }),
    };
  }

  /** A session that a process began and could not tell of any more. */
  #found(): string | undefined {
    return this.logs()[0]?.split("/").at(-1)?.replace(".jsonl", "");
  }

  logs = (): readonly string[] => {
    const { sessions } = storePaths(this.home);
    if (!existsSync(sessions)) return [];
    return readdirSync(sessions).flatMap((project) =>
      readdirSync(join(sessions, project))
        .filter((name) => name.endsWith(".jsonl"))
        .map((name) => join(sessions, project, name)),
    );
  };

  /** What a claim rests on is safe before the claim is made. */
  #judgeClaim(line: string, isAllSafe: boolean): void {
    if (!isAllSafe && line.includes('"type":"task.completed"')) {
      this.violation ??= new Violation("a completion is claimed before what it rests on is safe on the disk");
    }
  }

  /** Before a tool changes the world the log knows that it is about to, also after a power cut. */
  #judgeEffect({ engine, disk }: Life, what: string): void {
    const { watch } = this;
    if (!engine || !watch) return;
    watch.read();
    const call = engine.session.state().turn.pending.find(({ stage }) => stage === "started");
    const started = watch.events.findLast(
      (event) => event.type === "tool.started" && !("opaque" in event) && event.payload.toolUseId === call?.toolUseId,
    );
    if (!call || !started || !["write", "edit", "bash", "process"].includes(call.toolName)) return;
    if (watch.endOf(started.seq) <= disk.safeBytes()) return;
    this.violation ??= new Violation(`${what}: begun before the start of ${call.toolUseId} was safe on the disk`);
  }

  close(): void {
    for (const folder of [this.root, this.home]) rmSync(folder, { recursive: true, force: true });
  }
}
