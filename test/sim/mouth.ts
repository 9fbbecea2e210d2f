/** A model that answers by chance: thoughts, words, calls of real tools on real files, every stop reason, and broken streams. */
import type { Fault, Script, ScriptedBlock, ScriptedTurn, StreamOptions } from "../../src/simulator/index.ts";
import type { Dice } from "../support/story/dice.ts";
import { asksForSummary, SUMMARY } from "../support/summing-model.ts";
import { KEY } from "./key.ts";

export interface Mouth {
  readonly dice: Dice;
  /** Answers in words, at once and whole. */
  readonly isCalm: () => boolean;
  readonly count: () => number;
  /** Told what is about to happen, by name. */
  readonly note: (what: string) => void;
}

export const randomModel =
  (mouth: Mouth): Script =>
  (request) => {
    if (asksForSummary(request)) return summary(mouth);
    if (mouth.isCalm()) return { content: [{ type: "text", text: `all is done ${mouth.count()}` }] };
    const content = contentOf(mouth);
    const stopReason = stopReasonOf(mouth, content);
    const fault = mouth.dice.chance(0.14) ? faultOf(mouth) : undefined;
    return {
      content,
      stream: streamOptions(mouth),
      ...(stopReason !== undefined && { stopReason }),
      ...(fault && { fault: mouth.dice.chance(0.3) ? [fault, faultOf(mouth)] : fault }),
      ...(mouth.dice.chance(0.03) && isLast(content) && { alter: withoutSignatures(mouth) }),
      ...(mouth.dice.chance(0.05) && { delayMs: mouth.dice.below(200_000) }),
    };
  };

const isLast = (content: readonly ScriptedBlock[]): boolean => content.every(({ type }) => type !== "tool_use");

/** As some gateways leave them out; in the middle of a loop they would be missed for ever. */
function withoutSignatures({ note }: Mouth): NonNullable<ScriptedTurn["alter"]> {
  note("an answer without signatures");
  return (events) => events.filter(({ data }) => !JSON.stringify(data).includes('"signature_delta"'));
}

function summary(mouth: Mouth): ScriptedTurn {
  const { dice, note } = mouth;
  if (mouth.isCalm() || dice.chance(0.7)) return { content: [{ type: "text", text: SUMMARY }] };
  note("a summary that is no good");
  const bad = dice.pick(["", "no summary at all", "objective: [", SUMMARY.slice(0, 40)]);
  const cut = dice.chance(0.3) ? { stopReason: dice.pick(["max_tokens", "refusal"]) } : {};
  const content: readonly ScriptedBlock[] = bad === "" ? [] : [{ type: "text", text: bad }];
  return { content, ...cut, ...(dice.chance(0.5) && { fault: faultOf(mouth) }) };
}

function stopReasonOf({ dice, note }: Mouth, content: readonly ScriptedBlock[]): string | undefined {
  if (dice.chance(0.85)) return undefined;
  const reasons = ["max_tokens", "refusal", "pause_turn", "stop_sequence", "model_context_window_exceeded"] as const;
  const calls = content.some(({ type }) => type === "tool_use");
  const reason = dice.chance(0.1) ? (calls ? "end_turn" : "a_later_reason") : dice.pick(reasons);
  note(`stop reason ${reason}`);
  return reason;
}

const streamOptions = ({ dice }: Mouth): StreamOptions => ({
  deltaChars: dice.pick([8, 24, 200, 2_000]),
  ...(dice.chance(0.2) && { pingEvery: 2 }),
  crlf: dice.chance(0.1),
  padding: dice.chance(0.3),
  splitUtf8: dice.chance(0.1),
  emptyDeltas: dice.chance(0.2),
  unknownEvents: dice.chance(0.1),
  twoMessageDeltas: dice.chance(0.1),
});

function contentOf(mouth: Mouth): readonly ScriptedBlock[] {
  const { dice, count } = mouth;
  if (dice.chance(0.03)) return [];
  const thought = (): ScriptedBlock[] =>
    dice.chance(0.4)
      ? [
          dice.chance(0.2)
            ? { type: "redacted_thinking" }
            : { type: "thinking", thinking: dice.pick(["", `hm ${count()} 👩‍👩‍👧`, "é".repeat(60)]) },
        ]
      : [];
  const words = (): ScriptedBlock[] =>
    dice.chance(0.5) ? [{ type: "text", text: dice.pick(["\n\n", `words ${count()}`, `é\r\n${count()} \u2028`]) }] : [];
  const calls = dice.pick([0, 0, 1, 1, 1, 2, 4]);
  const rounds = Array.from({ length: calls }, () => [...(dice.chance(0.3) ? thought() : []), call(mouth)]);
  const last: ScriptedBlock[] = calls === 0 ? [{ type: "text", text: `answer ${count()}` }] : [];
  return [...thought(), ...words(), ...rounds.flat(), ...last];
}

export const FILES = ["a.txt", "b.txt", "deep/c.txt"] as const;

function call({ dice, count }: Mouth): ScriptedBlock {
  const file_path = dice.pick(FILES);
  const use = (name: string, input: Readonly<Record<string, unknown>>): ScriptedBlock => {
    return { type: "tool_use", name, input, ...(dice.chance(0.06) && { id: "toolu_again" }) };
  };
  switch (dice.weighted(CALLS)) {
    case "read":
      return use("read", { file_path });
    case "write":
      return use("write", { file_path, content: contentOfFile(dice, count()) });
    case "edit":
      return use("edit", { file_path, old_string: "line two", new_string: `line two ${count()}` });
    case "bash":
      return use("bash", { command: commandOf(dice, count(), file_path) });
    case "process":
      return use("process", processCall(dice));
    case "same":
      return use("read", { file_path: "a.txt" });
    case "wrong":
      return use("edit", { file_path, "10": 1, "9": [null, 0.5] });
    case "broken":
      return { type: "tool_use", name: "read", json: '{"file_path": "a' };
    case "unknown":
      return use("no such tool!", {});
  }
}

const CALLS = { read: 8, write: 3, edit: 4, bash: 3, process: 1.5, same: 2, wrong: 1, broken: 1, unknown: 1 };

/** Now and then large enough that reading it is worth forgetting later. */
const contentOfFile = (dice: Dice, number: number): string =>
  `line ${number}\nline two\né\n${dice.chance(0.3) ? "a long line of many words\n".repeat(120) : ""}`;

const processCall = (dice: Dice): Readonly<Record<string, unknown>> =>
  dice.pick([
    { action: "start", command: "serve the project", wait: 0 },
    { action: "start", command: "serve the project", wait: 0 },
    { action: "stop", id: "p1" },
    { action: "read", id: "p1" },
    { action: "list" },
  ]);

const commandOf = (dice: Dice, number: number, path: string): string =>
  dice.pick([
    `echo ${number} >> ${path}`,
    `cat ${path}`,
    `exit ${1 + (number % 3)}`,
    "sh test.sh",
    `echo ${KEY}`,
    `rm -f ${path}`,
    `printf 'half a line ${number}'; head -c 3000 /dev/zero | tr '\\0' x`,
  ]);

/** What can happen on the wire instead of an answer, or in the middle of one. */
function faultOf({ dice, note }: Mouth): Fault {
  const afterBytes = dice.below(4_000);
  const name = dice.pick(FAULTS);
  note(`on the wire: ${name}`);
  const http = (status: number, more: Partial<Extract<Fault, { kind: "http" }>> = {}): Fault => {
    return { kind: "http", status, ...more };
  };
  switch (name) {
    case "overloaded":
      return http(529);
    case "error 500":
      return http(dice.pick([500, 502, 503, 504, 408, 409]));
    case "rate limit":
      return http(429, dice.chance(0.6) ? { headers: { "retry-after": dice.pick(["0", "2", "120", "100000"]) } } : {});
    case "spend limit":
      return http(429, { errorCode: "enforced_spend_limit_reached" });
    case "key lost":
      return http(dice.pick([401, 403]));
    case "refused":
      return http(dice.pick([400, 402, 404]));
    case "overflow":
      return dice.chance(0.5) ? http(413) : http(400, { body: TOO_LONG });
    case "web page":
      return http(dice.pick([200, 413, 502]), { body: "<html>Please log in</html>" });
    case "no answer":
      return { kind: "no-answer" };
    case "hang-up":
      return { kind: "hang-up" };
    case "error event":
      return { kind: "error-event", afterBytes, error: { type: dice.pick(ERRORS), message: "simulated" } };
    case "cut":
    case "reset":
    case "clean-end":
      return { kind: name, afterBytes };
    case "silence":
      return { kind: "silence", afterBytes, ms: dice.pick([1_000, 60_000, 600_000]) };
    case "only pings":
      return { kind: "silence", afterBytes, ms: 1_200_000, pingEveryMs: 30_000 };
  }
}

const FAULTS = [
  "overloaded",
  "error 500",
  "rate limit",
  "spend limit",
  "key lost",
  "refused",
  "overflow",
  "web page",
  "no answer",
  "hang-up",
  "error event",
  "cut",
  "reset",
  "clean-end",
  "silence",
  "only pings",
] as const;

const ERRORS = ["overloaded_error", "api_error", "rate_limit_error", "invalid_request_error"] as const;

const TOO_LONG = {
  type: "error",
  error: { type: "invalid_request_error", message: "prompt is too long: 210000 tokens > 200000 maximum" },
};
