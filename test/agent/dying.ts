/** A program that dies at a chosen line of its log, and is started again. */
import { readFileSync, writeFileSync } from "node:fs";
import type { DurableEvent, DurableType } from "../../src/shared/index.ts";
import type { Driven } from "./driving.ts";

/** Ends the program right behind the first event that fits, as far as the log can tell, and opens the session again. */
export const dieBehind = <T extends DurableType>(
  house: Driven,
  type: T,
  begin: () => void,
  fits?: (event: DurableEvent<T>) => boolean,
): Promise<void> => die(house, { type, begin, ...(fits && { fits }), lines: (log) => log });

/** Likewise right before it: what led to the event has happened, the event was not written. */
export const dieBefore = (house: Driven, type: DurableType, begin: () => void): Promise<void> =>
  die(house, { type, begin, lines: (log) => log.slice(0, -1) });

interface Death<T extends DurableType> {
  readonly type: T;
  readonly begin: () => void;
  readonly fits?: (event: DurableEvent<T>) => boolean;
  /** Which of the lines up to the event were written. */
  readonly lines: (log: readonly string[]) => readonly string[];
}

async function die<T extends DurableType>(
  house: Driven,
  { type, begin, lines, fits = () => true }: Death<T>,
): Promise<void> {
  const { session } = house.engine;
  const reached = new Promise<string>((resolve) => {
    const stop = session.bus.onAny((event) => {
      if (event.type !== type || !("seq" in event) || !fits(event as DurableEvent<T>)) return;
      stop();
      resolve(readFileSync(session.path, "utf8"));
    });
  });
  begin();
  const log = await reached;
  house.interrupt();
  await house.settled();
  await house.engine.close();
  writeFileSync(
    session.path,
    lines(log.trimEnd().split("\n"))
      .map((line) => `${line}\n`)
      .join(""),
  );
  house.events.length = 0;
  await house.reopen();
}
