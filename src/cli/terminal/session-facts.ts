/** What header and status bar tell of a session: read from folds that are held anyway, and the same object while nothing changed. */
import { basename, relative } from "node:path";
import type { SessionState } from "../../session/index.ts";
import type { SessionFacts } from "../../tui/index.ts";
import type { Engine } from "../engine.ts";

type Known = Pick<Engine, "session" | "config" | "permissions" | "models">;

export function createFacts(engine: Known, userHome: string): () => SessionFacts {
  let state: SessionState | undefined;
  let mode: string | undefined;
  let last: SessionFacts | undefined;
  return () => {
    const now = engine.session.state();
    const nowMode = engine.permissions.mode();
    if (last && now === state && nowMode === mode) return last;
    [state, mode] = [now, nowMode];
    const facts = factsOf(engine, now, userHome);
    if (!last || !isSame(facts, last)) last = facts;
    return last;
  };
}

function factsOf({ config, permissions, models }: Known, state: SessionState, userHome: string): SessionFacts {
  const { meta, turn, usage, processes, files } = state;
  return {
    title: meta.title,
    folder: withTilde(meta.workingDirectory, userHome),
    branch: meta.gitBranch ?? undefined,
    changedFiles: Object.keys(files.changes).length,
    model: turn.model,
    thinking: turn.thinking ?? config.thinking,
    effort: turn.effort,
    permissionMode: permissions.mode(),
    contextTokens: contextTokens(state),
    contextWindow: models.facts(turn.model).contextWindow,
    costUsd: usage.unpriced > 0 ? null : usage.spentUsd,
    processes: processes.live.length,
  };
}

/** What the newest response was made from, and itself: the next request holds at least that. */
export function contextTokens({ usage: { last } }: Pick<SessionState, "usage">): number | undefined {
  return last && last.inputTokens + last.cacheReadTokens + last.cacheWriteTokens + last.outputTokens;
}

/** With `~` for the home folder, when it is that or lies in it. */
export function withTilde(folder: string, userHome: string): string {
  const inside = relative(userHome, folder);
  if (inside === "") return "~";
  return inside.startsWith("..") || basename(userHome) === "" ? folder : `~/${inside}`;
}

function isSame(a: SessionFacts, b: SessionFacts): boolean {
  return (Object.keys(a) as (keyof SessionFacts)[]).every((key) => a[key] === b[key]); // as: its own keys
}
