/** Text that is typed into a running process: asked about, and held to the floor and to what is denied. */
import { describe, expect, test } from "bun:test";
import type { PermissionMode } from "../../src/shared/index.ts";
import { evaluatorFor, PROJECT } from "./ground.ts";

const input = (text: string, command = "bash") => ({ kind: "input", command, text, cwd: PROJECT }) as const;

describe("input for a process", () => {
  const table: readonly (readonly [string, Readonly<Record<PermissionMode, string>>])[] = [
    ["print('hello')\n", { ask: "ask", "accept-edits": "ask", plan: "deny", bypass: "allow" }],
    ["ls\n", { ask: "ask", "accept-edits": "ask", plan: "deny", bypass: "allow" }],
    ["", { ask: "ask", "accept-edits": "ask", plan: "deny", bypass: "allow" }],
    ["rm -rf /\n", { ask: "deny", "accept-edits": "deny", plan: "deny", bypass: "deny" }],
    ["print('x)\nrm -rf /\n", { ask: "deny", "accept-edits": "deny", plan: "deny", bypass: "deny" }],
    ["x='\rrm -rf /\r", { ask: "deny", "accept-edits": "deny", plan: "deny", bypass: "deny" }],
    ["echo key >> ~/.ssh/authorized_keys\n", { ask: "deny", "accept-edits": "deny", plan: "deny", bypass: "deny" }],
    ["git push\n", { ask: "deny", "accept-edits": "deny", plan: "deny", bypass: "deny" }],
    ["cat .env\n", { ask: "deny", "accept-edits": "deny", plan: "deny", bypass: "deny" }],
  ];
  const rules = [
    { capability: "process.execute", pattern: "*", action: "allow" },
    { capability: "process.execute", pattern: "git push *", action: "deny" },
    { capability: "file.read", pattern: ".env", action: "deny" },
  ] as const;
  for (const [text, expected] of table) {
    test(JSON.stringify(text), () => {
      const actual = Object.fromEntries(
        (["ask", "accept-edits", "plan", "bypass"] as const).map((mode) => [
          mode,
          evaluatorFor({ mode, rules }).evaluate(input(text)).action,
        ]),
      );
      expect<Readonly<Record<string, string>>>(actual).toEqual(expected);
    });
  }

  test("a rule that denies every command denies it too, whatever it is", () => {
    const rules = [{ capability: "process.execute", pattern: "*", action: "deny" }] as const;
    expect(evaluatorFor({ mode: "bypass", rules }).evaluate(input("print('x')")).action).toBe("deny");
  });

  test("the question names text and process, and nothing can be allowed for good", () => {
    const verdict = evaluatorFor().evaluate(input("print(1)\nquit()\n", "python3 -i"));
    expect(verdict).toEqual({
      action: "ask",
      tier: "default",
      capability: "process.execute",
      because: "It is typed into a running process.",
      descriptor: "Type `print(1) … (2 lines)` into the process `python3 -i`",
      parts: [
        {
          text: "print(1)\nquit()",
          capability: "process.execute",
          action: "ask",
          tier: "default",
          because: "It is typed into a running process.",
        },
      ],
    });
  });
});
