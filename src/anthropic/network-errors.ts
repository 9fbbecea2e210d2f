/** The failures that no server stated: no connection, no certificate, a cut or senseless stream, an abort, a mistake of ours. */
import type { Fault, FaultContext } from "./fault.ts";
import { fields, textOf } from "./foreign.ts";
import { presentable } from "./redact.ts";

type Meaning = Pick<Fault, "kind" | "repeat" | "message">;

/** What is found along the chain of causes; libraries wrap the error that matters. */
interface Traits {
  readonly codes: readonly string[];
  readonly names: readonly string[];
}

const MAX_CAUSES = 5;

export function networkFault(error: unknown, context: FaultContext): Fault {
  const traits = traitsOf(error);
  const meaning = meaningOf(error, traits, context);
  const code = traits.codes[0];
  return { ...meaning, ...(code !== undefined ? { errorType: code } : {}), headers: {} };
}

function traitsOf(error: unknown): Traits {
  const codes: string[] = [];
  const names: string[] = [];
  let current: unknown = error;
  for (let depth = 0; depth < MAX_CAUSES && typeof current === "object" && current !== null; depth++) {
    const { code, name, cause } = fields(current);
    if (typeof code === "string" && /^\w{1,64}$/.test(code)) codes.push(code);
    names.push(textOf(name) ?? "");
    current = cause;
  }
  return { codes, names };
}

function meaningOf(error: unknown, { codes, names }: Traits, { host, secrets }: FaultContext): Meaning {
  const code = codes[0];
  if (codes.some(isCertificateCode)) return final(`certificate problem with ${host} (${code}): ${CERTIFICATE_ADVICE}`);
  if (codes.includes("EPROTO"))
    return final(`${host} does not speak TLS as expected: check the base URL and the proxy`);
  if (codes.some((each) => BAD_ADDRESS.has(each)))
    return final(`the base URL or the proxy address is not valid (${code})`);
  const stream = codes.map((each) => STREAM_CODES.get(each)).find((known) => known !== undefined);
  if (stream) return { ...stream, message: presentable(messageOf(error), secrets) };
  if (names.some((name) => TIMEOUTS.has(name))) return again(`${host} did not answer in time`);
  if (names.some((name) => ABORTS.has(name))) return { kind: "cancelled", repeat: "never", message: "cancelled" };
  if (codes.includes("ECONNRESET")) return again(`the connection to ${host} was cut (ECONNRESET)`);
  if (names.includes("SyntaxError")) return again(`${host} sent something that is not JSON`);
  if (code !== undefined)
    return again(`could not reach ${host} (${code}): check the network, the proxy and the base URL`);
  if (names.includes("APIConnectionError")) return again(`could not reach ${host}: check the network and the base URL`);
  return final(`the request could not be made: ${presentable(messageOf(error), secrets)}`);
}

/** Anything can be thrown, also what cannot be turned into text. */
const messageOf = (error: unknown): string =>
  textOf(error) ?? textOf(fields(error).message) ?? "an error without a message";

const again = (message: string): Meaning => ({ kind: "retryable", repeat: "soon", message });
const final = (message: string): Meaning => ({ kind: "invalid-request", repeat: "never", message });

/** Whatever is wrong with a certificate stays wrong: expired, self-signed, unknown issuer, other host. */
const isCertificateCode = (code: string): boolean =>
  /CERT|SELF_SIGNED|ALTNAME|HOSTNAME_MISMATCH|UNABLE_TO_(GET|VERIFY|DECRYPT)|CRL_/.test(code);

const CERTIFICATE_ADVICE =
  "check the clock; behind a company proxy, name its certificate file in NODE_EXTRA_CA_CERTS and start again";

const BAD_ADDRESS: ReadonlySet<string> = new Set(["ERR_INVALID_URL", "ERR_INVALID_ARG_VALUE", "ERR_INVALID_ARG_TYPE"]);
const TIMEOUTS: ReadonlySet<string> = new Set(["TimeoutError", "APIConnectionTimeoutError"]);
const ABORTS: ReadonlySet<string> = new Set(["AbortError", "APIUserAbortError"]);

const STREAM_CODES: ReadonlyMap<string, Pick<Meaning, "kind" | "repeat">> = new Map<
  string,
  Pick<Meaning, "kind" | "repeat">
>([
  ["STREAM_CUT", { kind: "retryable", repeat: "soon" }],
  ["STREAM_STALLED", { kind: "retryable", repeat: "soon" }],
  ["STREAM_MALFORMED", { kind: "retryable", repeat: "soon" }],
  ["NOT_A_STREAM", { kind: "retryable", repeat: "soon" }],
  ["STREAM_TOO_LARGE", { kind: "invalid-request", repeat: "never" }],
]);
