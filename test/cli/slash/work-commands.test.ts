/** Slash commands about permissions, processes, the queue and settings, through a real house. */
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { unwrapped } from "../../../src/cli/slash/help.ts";
import { sequence } from "../../../src/simulator/index.ts";
import { inTerminalHouse, payloadsOf, saying } from "../../support/terminal-house.ts";

describe("work", () => {
  test("/permissions: rules and refusals are shown, a rule spares a question and holds when resumed", async () => {
    await inTerminalHouse({ host: { flags: {} }, files: { "x.sh": "touch made\n" } }, async (house) => {
      const { id } = await house.open();
      expect(saying(await house.run("/permissions"))[0]).toContain("No rules:");
      await house.run("/permissions allow sh x.sh");
      await house.say("run sh x.sh");
      expect(existsSync(join(house.cwd, "made"))).toBe(true);
      expect(payloadsOf(house, "tool.approved").map(({ via }) => via)).toEqual(["rule"]);
      await house.open({ resume: id });
      expect(house.host.engine().permissions.rules()).toContainEqual({
        capability: "process.execute",
        pattern: "sh x.sh",
        action: "allow",
        source: "session",
      });
      await house.run("/permissions deny sh x.sh");
      await house.say("run sh x.sh\nsay again");
      const [shown = ""] = saying(await house.run("/permissions"));
      expect(shown).toContain("| deny | process.execute | `sh x.sh` | this run |");
      expect(shown).toContain("- policy:");
      await house.run("/permissions allow sh *"); // behind the refusal, and so before it
      const inOrder = house.host.engine().permissions.rules();
      expect(inOrder.slice(-2).map(({ action, pattern }) => `${action} ${pattern}`)).toEqual([
        "deny sh x.sh",
        "allow sh *",
      ]);
      await house.run("/permissions mode plan");
      expect(house.session().facts().permissionMode).toBe("plan");
      expect(await house.refusal("/permissions mode bypass")).toContain("--yolo");
      expect(await house.refusal("/permissions alow x")).toBe("/permissions alow: did you mean allow?");
    });
  });

  test("/permissions: what is answered with always is in force and listed at once; only questions are counted", async () => {
    await inTerminalHouse({ host: { flags: {} }, files: { Makefile: "all:\n\ttouch made\n" } }, async (house) => {
      const session = await house.open();
      const asked = new Promise<string>((resolve) =>
        session.subscribe((event) => {
          if (event.type === "permission.requested") resolve(event.payload.permissionRequestId);
        }),
      );
      session.dispatch({ kind: "submit-message", text: "run make all", mentions: [] });
      session.dispatch({ kind: "permission-response", requestId: await asked, decision: "always-project" });
      await house.host.engine().agent.settled();
      await house.run("/permissions allow npm test *");
      const [shown = ""] = saying(await house.run("/permissions"));
      expect(shown).toContain("| allow | process.execute | `make all` | grant |");
      house.host.engine().permissions.notePasted(join(house.root, "p.png"));
      expect(house.host.engine().permissions.rules().at(-1)).toMatchObject({ source: "pasted" });
      expect(house.events.filter(({ type }) => type === "permission.granted")).toHaveLength(2);
      const [suggested = ""] = saying(await house.run("/permissions suggest"));
      expect(suggested).toContain("| process.execute | `make all` | 1 | 1 | 0 |");
      expect(suggested).not.toContain("npm test");
      expect(suggested).toContain("`--allow 'make all'`");
    });
  });

  test("/processes and /stop", async () => {
    const start = { type: "tool_use", name: "process", input: { action: "start", command: "sleep 300.73" } } as const;
    await inTerminalHouse(
      { script: sequence([{ content: [start] }, { content: [{ type: "text", text: "Done." }] }]) },
      async (house) => {
        await house.open();
        expect(saying(await house.run("/ps"))).toEqual(["Nothing runs in the background."]);
        await house.say("start it");
        expect(saying(await house.run("/processes"))[0]).toContain("`sleep 300.73`");
        expect(await house.refusal("/stop p9")).toBe("There is no process p9; there are p1.");
        expect(saying(await house.run("/stop"))).toEqual(["Stopped p1."]);
        expect(payloadsOf(house, "process.exited")).toMatchObject([{ processId: "p1", cause: "stopped-by-tool" }]);
        expect(saying(await house.run("/stop"))[0]).toContain("Nothing runs");
      },
    );
  });

  test("/queue waits for the end of the turn, and begins one when nothing runs", async () => {
    await inTerminalHouse({}, async (house) => {
      const session = await house.open();
      session.dispatch({ kind: "submit-message", text: "run sleep 0.1\nsay one", mentions: [] });
      expect(saying(await house.run("/queue say two"))).toEqual(["It is said when this turn is over."]);
      expect(saying(await house.run("/queue"))).toEqual(["- after this turn: say two"]);
      await house.host.engine().agent.settled();
      expect(payloadsOf(house, "task.completed").length).toBe(2);
      await house.run("/queue say three");
      await house.host.engine().agent.settled();
      expect(payloadsOf(house, "task.completed").length).toBe(3);
    });
  });

  test("/init asks the model for AGENTS.md, /doctor and the helps answer", async () => {
    await inTerminalHouse({}, async (house) => {
      await house.open();
      expect(await house.run("/init")).toMatchObject([{ submit: expect.stringContaining("Write AGENTS.md") }]);
      const [doctor = ""] = saying(await house.run("/doctor"));
      for (const name of ["terminal", "key", "git", "search", "configuration", "disk", "log"]) {
        expect(doctor).toMatch(new RegExp(`^\\| [✓✗] \\| \\*\\*${name}\\*\\* \\| \\S`, "m"));
      }
      expect(saying(await house.run("/help /diff"))[0]).toContain("`/diff [mine|staged|all|turn] [--stat] [PATH]`");
      expect(await house.refusal("/help modle")).toContain("did you mean /model?");
      expect(saying(await house.run("/feedback"))[0]).toContain(house.session().path);
      expect(saying(await house.run("/terminal-setup"))[0]).toContain("Ctrl+J");
      expect(saying(await house.run("/release-notes"))[0]).not.toBe("");
      expect(unwrapped("# 1\n\n- a\n  b\n- c\n\nwords\nmore")).toBe("# 1\n\n- a b\n- c\n\nwords more");
    });
  });
});

describe("settings", () => {
  test("/config shows, tells one, and changes the user's own file", async () => {
    await inTerminalHouse({}, async (house) => {
      await house.open();
      expect(saying(await house.run("/config"))[0]).toContain("| `limits.maxTurns` |");
      expect(saying(await house.run("/config limits.maxTurns=7"))[0]).toContain("limits.maxTurns = 7 in ");
      expect(saying(await house.run("/config limits.maxTurns"))[0]).toMatch(/^limits\.maxTurns = 7 \(user /);
      expect(await house.refusal("/config limits.maxTurn 7")).toContain("limits.maxTurns");
      expect(await house.refusal("/config limits.maxTurns=many")).not.toContain("not refused");
      expect(saying(await house.run("/config permissionMode=plan"))[0]).toContain("something stronger says otherwise");
    });
  });

  test("/theme counts at once and later", async () => {
    await inTerminalHouse({}, async (house) => {
      await house.open();
      expect(await house.run("/theme light")).toEqual([{ act: { kind: "theme", theme: "light" } }]);
      expect(readFileSync(join(house.home, "config.json"), "utf8")).toContain('"light"');
      expect(await house.refusal("/theme pink")).toBe('There is no theme "pink"; there are auto, light, dark.');
    });
  });

  test("/login asks unseen, keeps the key for the user alone, and says nothing of it; /logout drops it", async () => {
    await inTerminalHouse({}, async (house) => {
      await house.open();
      const key = "sk-secret-0123456789";
      const asked = await house.run("/login", key);
      expect(asked[0]).toMatchObject({ isSecret: true });
      expect(JSON.stringify(asked)).not.toContain(key);
      const [file = ""] = /\S+credentials\S*(?=,)/.exec(saying(asked).join(" ")) ?? [];
      expect([readFileSync(file, "utf8").includes(key), statSync(file).mode & 0o777]).toEqual([true, 0o600]);
      expect(await house.refusal("/login sk-typed-0123456789")).toContain("never typed where it can be read");
      await house.run("/logout");
      expect(existsSync(file)).toBe(false);
    });
  });
});
