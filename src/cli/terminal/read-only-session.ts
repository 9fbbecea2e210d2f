/**
 * A session that cannot be opened for writing, to be looked at: all of its log that can be read, with a word in the place of what
 * cannot, and what another process goes on to record in it. Nothing is written, and nothing that is asked of it does anything.
 */
import {
  firstToTell,
  isOnlyNewer,
  metaOf,
  projectHash,
  type SessionMeta,
  sessionMeta,
  turnState,
} from "../../session/index.ts";
import type { KhaelorEvent, LogEvent, StoreError } from "../../shared/index.ts";
import type { Gap, OpenSession, SessionFacts } from "../../tui/index.ts";
import { findSessionOrWords } from "../find-session.ts";
import { projectRootOf } from "../project-root.ts";
import { leadWords, problemWords, readableLines } from "../readable-lines.ts";
import { openStore, type State } from "../state.ts";
import type { ShownSession } from "./host.ts";
import { withTilde } from "./session-facts.ts";
import type { Surroundings } from "./surroundings.ts";

export interface ReadOnlySession {
  readonly opened: OpenSession;
  readonly shown: ShownSession;
  /** From now on nothing is heard of it. */
  release(): void;
}

type Where = Pick<Surroundings, "places" | "env" | "log">;

/** Throws `error`, which is why it could not be opened, where nothing of it can be read either. */
export async function readOnlyInstead(error: StoreError, resume: string, where: Where): Promise<ReadOnlySession> {
  const state = openStore(where.places, where.log);
  const project = projectHash(await projectRootOf(where.places.cwd, where.env));
  const id = await findSessionOrWords(state.store, resume, project);
  const found = await lookThrough(state, id).catch(() => undefined);
  const path = await state.store.locate(id);
  if (!found || found.meta.events === 0 || path === undefined) throw error;
  return readOnly({ ...found, id, path, error, state, userHome: where.places.userHome });
}

interface Found {
  readonly meta: SessionMeta;
  /** The log ends in the middle of an answer. */
  readonly isCutOff: boolean;
  readonly damage: Awaited<ReturnType<State["store"]["check"]>>["damage"];
  readonly forkFrom: number | "nothing" | undefined;
}

async function lookThrough({ store, price }: State, id: string): Promise<Found> {
  const fold = sessionMeta(price);
  let meta = fold.initial();
  let turn = turnState.initial();
  for await (const line of readableLines(store, id)) {
    if (!("event" in line)) continue;
    meta = fold.apply(meta, line.event);
    turn = turnState.apply(turn, line.event);
  }
  const { damage, safeSeq } = await store.check(id);
  const forkFrom = damage.length === 0 ? undefined : (safeSeq ?? "nothing");
  return { meta: metaOf(meta), isCutOff: turn.request !== undefined, damage, forkFrom };
}

interface Known extends Found {
  readonly id: string;
  readonly path: string;
  readonly error: StoreError;
  readonly state: State;
  readonly userHome: string;
}

function readOnly(known: Known): ReadOnlySession {
  const { id, path, error, state, meta, userHome, forkFrom } = known;
  const stop = new AbortController();
  const { promise: isRead, resolve: read } = Promise.withResolvers<void>();
  const isOpenElsewhere = error.kind === "locked";
  let lastLine = 0;

  async function* history(): AsyncGenerator<LogEvent | Gap> {
    for await (const line of readableLines(state.store, id)) {
      // A line that its writer has not finished is no damage.
      if ("problem" in line && !(line.problem.torn && isOpenElsewhere)) yield { gap: gapWords(line.problem) };
      if (!("event" in line)) continue;
      lastLine = line.number;
      yield line.event;
    }
    if (known.isCutOff && !isOpenElsewhere) yield { gap: "The log ends here, in the middle of an answer." };
    read();
  }

  /** What the other process records from now on. */
  async function follow(onEvent: (event: KhaelorEvent) => void, signal: AbortSignal): Promise<void> {
    await isRead;
    let seen = lastLine;
    for await (const line of state.store.lines(id, { follow: signal })) {
      if (signal.aborted) return;
      if (line.number <= seen || "problem" in line) continue;
      seen = line.number;
      lastLine = Math.max(lastLine, seen);
      if (!("opaque" in line.event)) onEvent(line.event);
    }
  }

  const facts = factsOf(meta, userHome);
  return {
    shown: { id, path, store: state.store, project: meta.projectHash, ...(forkFrom !== undefined && { forkFrom }) },
    release: () => stop.abort(),
    opened: {
      id,
      path,
      notices: [],
      readOnly: { why: whyWords(known) },
      history,
      subscribe(onEvent) {
        if (!isOpenElsewhere) return () => undefined;
        const ended = new AbortController();
        follow(onEvent, AbortSignal.any([stop.signal, ended.signal])).catch(() => undefined); // what is shown stays
        return () => ended.abort();
      },
      onNotice: () => () => undefined,
      dispatch: () => undefined,
      nextPermissionMode: () => facts.permissionMode,
      price: state.price,
      isBusy: () => false,
      isCompacting: () => false,
      settled: async () => undefined,
      leave: () => undefined,
      resume: () => false,
      facts: () => facts,
      died: new Promise<never>(() => undefined),
    },
  };
}

const gapWords = (problem: Parameters<typeof problemWords>[0]): string =>
  `${leadWords(problem)}: ${problemWords(problem)}`;

const factsOf = (meta: SessionMeta, userHome: string): SessionFacts => ({
  title: meta.title,
  folder: withTilde(meta.workingDirectory, userHome),
  branch: meta.gitBranch ?? undefined,
  changedFiles: 0,
  model: meta.model,
  thinking: "adaptive",
  effort: undefined,
  permissionMode: "read-only",
  contextTokens: undefined,
  contextWindow: 0,
  costUsd: meta.costUsd,
  processes: 0,
});

function whyWords({ id, error, damage, forkFrom }: Known): string {
  const first = firstToTell(damage);
  if (error.kind === "locked") {
    const { by: who = "another process", doubt = "" } = error.held ?? {};
    return (
      `This session is open in another khaelor (${who}), so it is only looked at here; what that one records appears. ` +
      `/fork goes on in a copy. When the other one has ended, /resume ${id} goes on with this one.${doubt && ` ${doubt}`}`
    );
  }
  if (!first) return `This session is only looked at: ${error.message}`;
  const where = `line ${first.line} (byte ${first.byte}) of its log`;
  const others = damage.length > 1 ? ` and at ${damage.length - 1} more` : "";
  const isNewer = isOnlyNewer(damage);
  const what = isNewer
    ? `This session is only looked at: ${where}${others} needs a newer version of khaelor. The file was not changed. To go on with all of it, update khaelor, then /resume ${id}.`
    : `This session is only looked at: it is damaged at ${where}${others}. The file was not changed, and what can be read is above, also from behind the damage.`;
  const on =
    forkFrom === "nothing" || forkFrom === undefined
      ? "No event before it can be gone on from; /new begins a session."
      : `/fork goes on in a copy that ends at event ${forkFrom}, the last safe point before it.`;
  return `${what} ${on} khaelor fsck ${id} explains all of it.`;
}
