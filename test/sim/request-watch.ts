/** What goes over the wire: nothing that the strict API refuses, and nothing that was said before in other bytes. */
import { appendOnlyViolations, type MessagesApi, type RecordedRequest } from "../../src/simulator/index.ts";
import { type LogWatch, Violation } from "./checks.ts";

/** A prompt over the window is no fault of the conversation: room is made. */
const OVERFLOW_RULE = "37";

interface Sent {
  readonly request: RecordedRequest;
  /** Of its `model.request-started`. */
  readonly seq: number;
  readonly path: string;
}

export class RequestWatch {
  readonly #api: MessagesApi;
  #newest: RecordedRequest | undefined;
  #last: Sent | undefined;

  constructor(api: MessagesApi) {
    this.#api = api;
  }

  /** Throws a Violation. To be asked after every step, so that no request is missed. */
  check(watch: LogWatch): void {
    const [refusal] = this.#api.refusals.filter(({ rule }) => rule !== OVERFLOW_RULE);
    if (refusal) throw new Violation(`the API refuses a request by rule ${refusal.rule}: ${refusal.message}`);
    const request = this.#api.requests.at(-1);
    if (!request || request === this.#newest) return;
    this.#newest = request;
    const started = watch.lastRequest;
    if (!started || started.payload.purpose === "compaction") return;
    const last = this.#last;
    if (last && last.path === watch.path && watch.lastBreak < last.seq) {
      const [changed] = appendOnlyViolations([last.request, request]);
      if (changed) {
        const what = `${changed.part} was ${changed.before} at seq ${last.seq}, and is ${changed.after}`;
        throw new Violation(`the request at seq ${started.seq} does not repeat what was sent: ${what}`);
      }
    }
    this.#last = { request, seq: started.seq, path: watch.path };
  }

  /** What a power cut has taken out of the log was never said: the model is told anew. */
  forgetBehind(seq: number): void {
    if ((this.#last?.seq ?? 0) > seq) this.#last = undefined;
  }
}
