/** Keeps the newest requests for tests and for the demo's curiosity, never their credentials. */
import type { Fault, RecordedRequest, SimulatorRefusal, SimulatorUsage } from "./types.ts";
import type { HttpRequest } from "./wire/http-request.ts";

const SECRET_HEADERS = new Set(["authorization", "x-api-key", "cookie", "proxy-authorization"]);

/** A record that fills up while its exchange goes on. */
export class Recording implements RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly raw: string;
  readonly at: number;
  status = 0;
  refusal?: SimulatorRefusal;
  fault?: Fault;
  usage?: SimulatorUsage;
  outcome: RecordedRequest["outcome"] = "pending";
  mergedNeighbours = 0;

  constructor(request: HttpRequest, at: number) {
    this.method = request.method;
    this.path = request.path;
    this.headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => !SECRET_HEADERS.has(name)));
    this.raw = request.body.toString("utf8");
    this.at = at;
  }

  get body(): unknown {
    try {
      return JSON.parse(this.raw);
    } catch {
      return undefined; // the documented answer for what is no JSON
    }
  }
}

/** Adds to the end and forgets from the front. */
export function keepNewest<T>(list: T[], entry: T, limit: number): void {
  list.push(entry);
  if (list.length > limit) list.splice(0, list.length - limit);
}

/** A map that forgets its oldest key, for what may be forgotten. */
export function rememberNewest<K, V>(map: Map<K, V>, key: K, value: V, limit = 2000): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= limit) return;
    map.delete(oldest);
  }
}
