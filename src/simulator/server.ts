/** The Messages API on a port of this machine: HTTP on 127.0.0.1 only. */
import { createMessagesApi } from "./api.ts";
import type { Simulator, SimulatorOptions } from "./types.ts";
import { serveHttp } from "./wire/http.ts";

/** Starts a server on a port of 127.0.0.1, a free one unless told. The caller closes it. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { requests, refusals, failNext, serve } = createMessagesApi(options);
  const { port, openConnections, close } = await serveHttp(options.port ?? 0, serve);
  return { url: `http://127.0.0.1:${port}`, requests, refusals, failNext, openConnections, close };
}
