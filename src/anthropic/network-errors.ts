/** The failures that no server stated: no connection, no certificate, a cut or senseless stream, an abort, a mistake of ours. */
import type { Fault, FaultContext } from "./fault.ts";
import { fields, textOf } from "./foreign.ts";
import { presentable } from "./redact.ts";

type Meaning = Pick<Fault, "kind" | "repeat" | "message" | "afterwards">;

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
  if (names.some((name) => TIMEOUTS.has(name))) return again(`${host} did not answer in time`, NETWORK);
  if (names.some((name) => ABORTS.has(name))) return { kind: "cancelled", repeat: "never", message: "cancelled" };
  if (codes.includes("ECONNRESET")) return again(`the connection to ${host} was cut (ECONNRESET)`, NETWORK);
  if (names.includes("SyntaxError")) return again(`${host} sent something that is not JSON`, ADDRESS);
  const garbled = codes.find((each) => GARBLED.test(each));
  if (garbled !== undefined) return again(`what ${host} sent is no proper HTTP (${garbled})`, ADDRESS);
  if (code !== undefined)
    return again(`could not reach ${host} (${code}): check the network, the proxy and the base URL`);
  if (names.includes("APIConnectionError")) return again(`could not reach ${host}: check the network and the base URL`);
  return final(`the request could not be made: ${presentable(messageOf(error), secrets)}`);
}

/** Anything can be thrown, also what cannot be turned into text. */
const messageOf = (error: unknown): string =>
  textOf(error) ?? textOf(fields(error).message) ?? "an error without a message";

const again = (message: string, afterwards?: string): Meaning => ({
  kind: "retryable",
  repeat: "soon",
  message,
  ...(afterwards !== undefined && { afterwards }),
});
const final = (message: string): Meaning => ({ kind: "invalid-request", repeat: "never", message });

/** Whatever is wrong with a certificate stays wrong: expired, self-signed, unknown issuer, other host. */
const isCertificateCode = (code: string): boolean =>
  /CERT|SELF_SIGNED|ALTNAME|HOSTNAME_MISMATCH|UNABLE_TO_(GET|VERIFY|DECRYPT)|CRL_/.test(code);

const CERTIFICATE_ADVICE =
  "check the clock; behind a company proxy, name its certificate file in NODE_EXTRA_CA_CERTS and start again";

const NETWORK = "check the network and the proxy, or try again later";
const ADDRESS = "check the base URL and the proxy";

/** Names that Bun gives to bytes it cannot read: of a response, of its chunks, of its compression. */
const GARBLED = /^(Invalid|Malformed_?)(HTTP|ContentLength)|DecompressionError$|^ZlibError$|^HPE_/;

const BAD_ADDRESS: ReadonlySet<string> = new Set(["ERR_INVALID_URL", "ERR_INVALID_ARG_VALUE", "ERR_INVALID_ARG_TYPE"]);
const TIMEOUTS: ReadonlySet<string> = new Set(["TimeoutError", "APIConnectionTimeoutError"]);
const ABORTS: ReadonlySet<string> = new Set(["AbortError", "APIUserAbortError"]);

type StreamMeaning = Omit<Meaning, "message">;

const STREAM_CODES: ReadonlyMap<string, StreamMeaning> = new Map<string, StreamMeaning>([
  ["STREAM_CUT", { kind: "retryable", repeat: "soon", afterwards: NETWORK }],
  ["STREAM_STALLED", { kind: "retryable", repeat: "soon", afterwards: NETWORK }],
  ["STREAM_MALFORMED", { kind: "retryable", repeat: "soon", afterwards: ADDRESS }],
  ["NOT_A_STREAM", { kind: "retryable", repeat: "soon", afterwards: `log in to the network, or ${ADDRESS}` }],
  ["STREAM_TOO_LARGE", { kind: "invalid-request", repeat: "never" }],
]);
