/** The cases about images: what is too large is stopped at the door, and a refusal of images leaves the session usable. */
import { expect } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { png } from "../e2e/pictures.ts";
import { type Driven, read, say, sent, turn } from "./driving.ts";
import { answering, NEXT, type Play, statedFault, TASK } from "./protocol-plays.ts";

const place = ({ cwd }: Driven, name: string, width: number, height: number): void =>
  writeFileSync(join(cwd, name), png(width, height));

const imagesSent = (house: Driven): number =>
  sent(house)
    .flatMap(({ content }) => content)
    .filter(({ type }) => type === "image").length;

async function show(house: Driven, text: string, names: readonly string[]): Promise<void> {
  house.engine.agent.dispatch({ kind: "submit-message", text, mentions: names.map((path) => ({ path })) });
  await house.settled();
}

export const IMAGE_PLAYS: Readonly<Record<string, Play>> = {
  "api-060": {
    setup: { script: answering(({ index }) => (index === 0 ? turn(read("wide.png")) : say("Fine."))) },
    async drive(house) {
      place(house, "wide.png", 9000, 200);
      await house.say(TASK);
      expect(house.of("tool.failed")).toMatchObject([{ modelText: expect.stringContaining("wide.png") }]);
      await show(house, NEXT, ["wide.png"]);
      expect(JSON.stringify(sent(house).at(-1))).toContain("9000 x 200 pixels");
      expect(imagesSent(house)).toBe(0);
      expect(house.types().at(-1)).toBe("task.completed");
    },
  },

  "api-062": {
    setup: { script: answering(say("Fine.")) },
    async drive(house) {
      const names = Array.from({ length: 24 }, (_, at) => `${at}.png`);
      for (const name of names) place(house, name, 2200, 10);
      house.simulator.failNext(statedFault("api-062"));
      await show(house, TASK, names.slice(0, 12));
      expect(house.of("model.request-failed")).toMatchObject([{ kind: "invalid-request", attempts: 1 }]);
      await show(house, NEXT, names.slice(12));
      expect(house.types().at(-1)).toBe("task.completed");
      expect(imagesSent(house)).toBe(20); // above that number the smaller limit would hold
    },
  },
};
