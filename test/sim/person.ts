/** A user who does things by chance: says, queues, takes back, stops, consents, refuses, switches, forks, leaves. */
import type { Engine } from "../../src/cli/engine.ts";
import { switchModel } from "../../src/cli/model-switch.ts";
import type { Mention } from "../../src/shared/index.ts";
import type { Dice } from "../support/story/dice.ts";
import { KEY } from "./key.ts";
import { FILES } from "./mouth.ts";

export interface Person {
  readonly dice: Dice;
  readonly count: () => number;
  readonly note: (what: string) => void;
  /** Told the first two words of all that is said: no other words begin so. */
  readonly onSaid: (words: string) => void;
}

export const PICTURE = "picture.png";

export const MODELS = ["claude-opus-5-5", "claude-sonnet-5-5"] as const;

/** How a user can leave. */
export type Departure = "stay" | "close" | "fork";

/** While nobody waits for the user there is something to say, too. */
export function act(person: Person, engine: Engine): Departure {
  const { dice, note } = person;
  const { agent, session } = engine;
  const { turn } = session.state();
  const [question] = turn.permissions;
  const isBusy = agent.isBusy();
  const what = dice.weighted({
    answer: question ? 14 : 0,
    say: isBusy ? 1 : 12,
    steer: isBusy ? 2 : 1,
    withdraw: turn.queued.length > 0 ? 2 : 0,
    interrupt: isBusy ? 1.2 : 0.3,
    shell: 0.7,
    switch: 0.7,
    compact: 0.7,
    resume: isBusy ? 0 : 2,
    rename: 0.3,
    close: 0.5,
    fork: 0.4,
  });
  note(`the user: ${what}${isBusy ? " at work" : ""}`);
  switch (what) {
    case "answer":
      if (question) answer(person, engine, question.permissionRequestId);
      return "stay";
    case "say":
      agent.dispatch({ kind: "submit-message", text: words(person), mentions: mentions(person) });
      return "stay";
    case "steer":
      agent.dispatch({ kind: "steer", text: words(person), deliver: dice.pick(["now", "now", "next-turn"]) });
      return "stay";
    case "withdraw":
      agent.dispatch({ kind: "withdraw", queuedEventId: dice.some(turn.queued)?.eventId ?? "" });
      return "stay";
    case "interrupt":
      agent.dispatch({ kind: "interrupt" });
      return "stay";
    case "shell":
      agent.dispatch({ kind: "shell", command: `echo own ${person.count()}` });
      return "stay";
    case "switch":
      switchModel(engine, dice.chance(0.7) ? { model: dice.pick(MODELS) } : { effort: dice.pick(["low", "high"]) });
      return "stay";
    case "compact":
      agent.compact({}).catch(() => undefined); // what ended it is told by everything else
      return "stay";
    case "resume":
      agent.resume();
      return "stay";
    case "rename":
      session.publish({ type: "session.renamed", payload: { title: `title ${person.count()}` } });
      return "stay";
    case "close":
    case "fork":
      return what;
  }
}

function answer({ dice }: Person, { agent }: Engine, requestId: string): void {
  const decision = dice.weighted({ once: 5, session: 1, "always-project": 0.5, "always-user": 0.3, deny: 3 });
  const feedback = decision === "deny" && dice.chance(0.5) ? { feedback: "rather not" } : {};
  agent.dispatch({ kind: "permission-response", requestId, decision, ...feedback });
}

function words({ dice, count, onSaid }: Person): string {
  const begin = `said ${count()}`;
  onSaid(begin);
  return begin + dice.pick(["", " \n\n", " 👩‍👩‍👧", " \udc4d", " \u0000", ' "\\', " \u2029x", ` ${KEY}`]);
}

const mentions = ({ dice }: Person): readonly Mention[] =>
  dice.chance(0.15)
    ? [
        { path: dice.pick([...FILES, PICTURE, PICTURE, PICTURE]) },
        ...(dice.chance(0.3) ? [{ path: "nothing.txt" }] : []),
      ]
    : [];
