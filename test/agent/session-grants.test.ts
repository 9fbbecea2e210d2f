/** What was allowed for the rest of a session is allowed when it goes on: the log knows it. */
import { expect, test } from "bun:test";
import { sequence } from "../../src/simulator/index.ts";
import { bash, inHouse, say, turn } from "./driving.ts";

const TOUCH = "sh make.sh";
const OTHER = "sh other.sh";

test("a session's grant holds when it is resumed; once does not, and neither does a refusal", async () => {
  const twice = [turn(bash(TOUCH)), turn(bash(OTHER)), say("Done.")];
  const options = {
    flags: { permissionMode: "ask" },
    somebodyToAsk: true,
    files: { "make.sh": "touch made.md\n", "other.sh": "touch other.md\n" },
    script: sequence([...twice, ...twice]),
  } as const;
  await inHouse(options, async (house) => {
    const answers = ["session", "once", "deny"] as const;
    let asked = 0;
    const listen = () =>
      house.engine.session.bus.on("permission.requested", ({ payload: { permissionRequestId: requestId } }) => {
        const decision = answers[asked++] ?? "deny";
        queueMicrotask(() => house.engine.agent.dispatch({ kind: "permission-response", requestId, decision }));
      });
    listen();
    await house.say("touch");
    await house.reopen();
    listen();
    await house.say("touch again");
    const questions = house.of("permission.requested").map(({ descriptor }) => descriptor);
    expect(questions).toEqual([`Run \`${TOUCH}\``, `Run \`${OTHER}\``, `Run \`${OTHER}\``]);
    expect(house.of("tool.approved").map(({ via }) => via)).toEqual(["user-always", "user-once", "rule"]);
    expect(house.engine.session.state().grants.rules).toMatchObject([{ capability: "process.execute" }]);
  });
});
