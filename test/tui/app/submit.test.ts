/** What becomes of what is sent. */
import { expect, test } from "bun:test";
import { intentOf } from "../../../src/tui/app/submit.ts";
import type { SlashCommand } from "../../../src/tui/ports.ts";

const command = (name: string, whileBusy: boolean, aliases: readonly string[] = [], args = ""): SlashCommand => ({
  name,
  aliases,
  args,
  about: "",
  group: "",
  whileBusy,
  run: async () => undefined,
});
const KEY = "sk-ant-api03-0123456789abcdef";
const commands = [command("new", false, ["clear"]), command("model", true, [], "[ID]")];
const [begin, model] = commands;

const unknownCommand = (name: string) => `There is no command /${name}`;
const idle = (text: string) =>
  intentOf({ text, mentions: [] }, { commands, unknownCommand, isBusy: false, how: "send", stopKey: undefined });
const busy = (text: string, how: "send" | "queue") =>
  intentOf({ text, mentions: [{ path: "a.ts" }] }, { commands, unknownCommand, isBusy: true, how, stopKey: "Esc" });

test("text is a message; while a turn runs it steers, or waits for its end", () => {
  expect([idle(" /new"), busy("x", "send"), busy("x", "queue")]).toEqual([
    { kind: "dispatch", command: { kind: "submit-message", text: " /new", mentions: [] } },
    { kind: "dispatch", command: { kind: "steer", text: "x", deliver: "now", mentions: [{ path: "a.ts" }] } },
    { kind: "dispatch", command: { kind: "steer", text: "x", deliver: "next-turn", mentions: [{ path: "a.ts" }] } },
  ]);
});

test("a key alone is no message", () => {
  const why = "This looks like an API key, which the model must not see. /login keeps one.";
  expect([idle(` ${KEY}\n`), idle(`is ${KEY} a key?`).kind]).toEqual([{ kind: "refused", why }, "dispatch"]);
});

test("behind ! stands a command for the shell", () => {
  expect([idle("! git status "), idle("!")]).toEqual([
    { kind: "dispatch", command: { kind: "shell", command: "git status" } },
    { kind: "refused", why: "Behind ! stands a command, as in !ls." },
  ]);
});

test("behind / stands a command of the interface, by any of its names", () => {
  expect([idle("/model opus 5\n"), idle("/CLEAR"), busy("/model", "send")]).toEqual([
    { kind: "slash", command: model as SlashCommand, args: "opus 5" },
    { kind: "slash", command: begin as SlashCommand, args: "" },
    { kind: "slash", command: model as SlashCommand, args: "" },
  ]);
  expect(idle("/usr/bin/env is what?").kind).toBe("dispatch");
});

test("what cannot be done is said, with a way out", () => {
  const why = (intent: ReturnType<typeof idle>) => (intent.kind === "refused" ? intent.why : intent.kind);
  expect([
    why(idle("/modle")),
    why(idle("/xyzzy\u001b[31m")),
    why(idle("/")),
    why(busy("/new", "send")),
    why(idle("/new off")),
  ]).toEqual([
    "There is no command /modle. To send it as text, put a blank before it.",
    "There is no command /xyzzy\\e[31m. To send it as text, put a blank before it.",
    "Behind / stands the name of a command. To send it as text, put a blank before it.",
    "/new waits for the end of the turn; Esc stops it.",
    "/new stands alone. To send it as text, put a blank before it.",
  ]);
});
