/** What streamed while the user watched: stopped in the middle, all of it that was shown is recorded. */
import type { KhaelorEvent } from "../../src/shared/index.ts";

export class Hearing {
  #requestId = "";
  #texts = new Map<number, string>();
  #isStopped = false;
  /** What was shown, and is not recorded. */
  problem: string | undefined;

  hear(event: KhaelorEvent): void {
    switch (event.type) {
      case "model.request-started":
        this.#begin(event.payload.purpose === "compaction" ? "" : event.payload.requestId);
        break;
      case "model.text-delta": {
        const { requestId, blockIndex, text } = event.payload;
        if (requestId === this.#requestId) this.#texts.set(blockIndex, (this.#texts.get(blockIndex) ?? "") + text);
        break;
      }
      case "model.text-block-completed":
        if (event.payload.requestId === this.#requestId) this.#settle(event.payload.blockIndex, event.payload.text);
        break;
      case "user.interrupted":
        this.#isStopped = true;
        break;
      case "model.response-completed":
      case "model.request-failed":
        if (event.payload.requestId === this.#requestId) this.#end();
    }
  }

  #begin(requestId: string): void {
    this.#requestId = requestId;
    this.#texts = new Map();
    this.#isStopped = false;
  }

  #settle(blockIndex: number, recorded: string): void {
    const shown = whole(this.#texts.get(blockIndex) ?? "");
    this.#texts.delete(blockIndex);
    if (!recorded.startsWith(shown)) this.problem ??= `shown was ${JSON.stringify(shown)}, recorded ${recorded}`;
  }

  #end(): void {
    const lost = [...this.#texts.values()].find((text) => text.trim() !== "");
    if (this.#isStopped && lost !== undefined) this.problem ??= `shown was ${JSON.stringify(lost)}, recorded nothing`;
    this.#begin("");
  }
}

/** Without the first half of a character whose second one has not come. */
const whole = (text: string): string => (text.isWellFormed() ? text : text.slice(0, -1));
