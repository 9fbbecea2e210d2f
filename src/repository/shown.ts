/** Leaves out what may not be shown. Each question costs some 50 µs, so the loop breathes in between. */

export type MayShow = (path: string) => boolean;

const AT_ONCE = 200;

/** In the order given. Ends early, with what it has, when the signal aborts. */
export async function shownOf(paths: readonly string[], mayShow: MayShow, signal: AbortSignal): Promise<string[]> {
  const shown: string[] = [];
  for (let at = 0; at < paths.length && !signal.aborted; at += AT_ONCE) {
    for (const path of paths.slice(at, at + AT_ONCE)) if (mayShow(path)) shown.push(path);
    await new Promise(setImmediate);
  }
  return shown;
}
