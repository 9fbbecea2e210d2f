/** Which session `--resume` and `--continue` mean. */
import type { SessionListing, SessionStore } from "../session/index.ts";
import { EXIT, isUlid, UserError } from "../shared/index.ts";

/** By id, by the beginning of one, or (empty) the newest of the project. Throws UserError with what to do. */
export async function findSession(store: SessionStore, typed: string, projectHash: string): Promise<string> {
  const wanted = typed.toUpperCase();
  if (isUlid(wanted)) return wanted;
  if (wanted === "") {
    const all = await store.list({ projectHash });
    const [latest] = all;
    if (latest?.damaged !== undefined) throw damagedLatest(latest.id);
    const sound = all.filter(({ damaged }) => damaged === undefined);
    // One that was stopped before its first message holds nothing to go on with, and must not hide one that does.
    const newest = sound.find(({ meta }) => (meta?.userMessages ?? 0) > 0) ?? sound[0];
    if (newest) return newest.id;
    throw new UserError("There is no session of this project to go on with. Start one with a prompt.", EXIT.usage);
  }
  const matching = (await store.list()).filter(({ id }) => id.startsWith(wanted));
  const [only, second] = matching;
  if (only && !second) return only.id;
  const what = second
    ? `${matching.length} sessions begin with ${wanted}:\n${matching.map(line).join("\n")}\nType more of the id.`
    : `No session begins with ${wanted}.`;
  throw new UserError(`${what} See khaelor sessions list --all.`, EXIT.usage);
}

/** To take an older one in its place would go on with the wrong work. */
const damagedLatest = (id: string): UserError =>
  new UserError(
    `The newest session, ${id}, is damaged: khaelor fsck ${id} says where. To go on with another, name it: --resume ID.`,
    EXIT.log,
  );

const line = ({ id, meta }: SessionListing): string => `  ${id}  ${meta?.title ?? ""}`;
