/** Following links by name, the way the kernel does it. The caller supplies the one question that the world must answer. */

const MAX_HOPS = 40;
const MAX_PARTS = 4096;

/**
 * Where an absolute path really lies. Every link is followed, also one whose target is missing, because writing through it would
 * create that target; `..` climbs out of where a link led, not out of its name. `readLink` gives a link's target, and undefined
 * for anything else, also for what does not exist. Undefined: the links go round in circles.
 */
export function followLinks(path: string, readLink: (path: string) => string | undefined): string | undefined {
  const open = path.split("/").reverse();
  let done: string[] = [];
  let hops = 0;
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (part === "" || part === ".") continue;
    if (part === "..") {
      done.pop();
      continue;
    }
    done.push(part);
    const target = readLink(`/${done.join("/")}`);
    if (target === undefined) continue;
    if (++hops > MAX_HOPS || open.length > MAX_PARTS) return undefined;
    if (target.startsWith("/")) done = [];
    else done.pop();
    open.push(...target.split("/").reverse());
  }
  return `/${done.join("/")}`;
}
