/** What `khaelor -p` is asked, where, of which session and with which model: judged by what reached the server. */
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, realpathSync, rmdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { Script, Simulator } from "../../src/simulator/index.ts";
import { BUILD_TIMEOUT_MS, binary } from "../support/binary.ts";
import { RUN_TIMEOUT_MS, readLog, resultOf, type Served, withModel } from "./stage.ts";

setDefaultTimeout(RUN_TIMEOUT_MS);

beforeAll(async () => {
  await binary();
}, BUILD_TIMEOUT_MS);

/** Says back what it was told last, so that the answer shows which conversation it is in. */
const echo: Script = (request) => ({
  content: [{ type: "text", text: `${request.index}: ${request.lastUserText().split("\n").at(-1)}` }],
});

const talking = (work: (served: Served) => Promise<void>) =>
  withModel({ script: echo }, async (served) => {
    await work(served);
    expect(served.simulator.refusals).toEqual([]);
  });

/** The user's own words as sent: what stands behind the captured context. */
const lastPrompt = ({ requests }: Simulator): string => {
  const body = requests.at(-1)?.body as { readonly messages: readonly { readonly content: unknown }[] };
  const blocks = body.messages.at(-1)?.content as readonly { readonly text: string }[];
  return blocks.at(-1)?.text ?? "";
};

test("the words, several words, words behind --, and words that look like a subcommand", () =>
  talking(async ({ ask, simulator }) => {
    const said: string[] = [];
    for (const words of [
      ["-p", "say it"],
      ["say", "it", "-p"],
      ["-p", "--", "--yolo", "it"],
      ["-p", "demo"],
    ]) {
      const { code } = await ask(words);
      said.push(`${code} ${lastPrompt(simulator)}`);
    }
    expect(said).toEqual(["0 say it", "0 say it", "0 --yolo it", "0 demo"]);
  }));

test("piped input is the prompt, or stands behind it after a blank line", () =>
  talking(async ({ ask, simulator }) => {
    await ask(["-p"], { stdin: "from the pipe\n" });
    expect(lastPrompt(simulator)).toBe("from the pipe");
    await ask(["-p", "explain this"], { stdin: "line one\nline two\n" });
    expect(lastPrompt(simulator)).toBe("explain this\n\nline one\nline two");
    await ask(["-p", "explain this"], { stdin: "" });
    expect(lastPrompt(simulator)).toBe("explain this");
    await ask([], { shell: 'echo "größer 👍" | "$KHAELOR" -p "explain this"' });
    expect(lastPrompt(simulator)).toBe("explain this\n\ngrößer 👍");
    const named = await ask([], { shell: '"$KHAELOR" -p <README.md' });
    expect([named.code, named.stderr]).toEqual([1, expect.stringContaining("README.md")]); // the shell's own refusal
  }));

test("-c goes on with this project's newest session, -r with a named one, by id or by its beginning", () =>
  talking(async (served) => {
    const { ask, project, root } = served;
    const json = ["-p", "--output-format", "json"];
    const elsewhere = join(root, "elsewhere");
    mkdirSync(elsewhere);
    const first = resultOf(await ask([...json, "first"]));
    const second = resultOf(await ask([...json, "second"]));
    const other = resultOf(await ask([...json, "other"], { cwd: elsewhere }));
    const id = String(first.session_id);
    const outcome = async (args: readonly string[], cwd = project) => {
      const { session_id, result } = resultOf(await ask([...json, ...args], { cwd }));
      return [session_id, result];
    };
    expect(await outcome(["-c", "more"])).toEqual([second.session_id, "1: more"]);
    expect(await outcome(["--resume", id, "more"])).toEqual([id, "1: more"]);
    expect(await outcome([`--resume=${id.toLowerCase()}`, "again"])).toEqual([id, "2: again"]);
    expect(await outcome(["-r", id.slice(0, 25), "and again"])).toEqual([id, "3: and again"]);
    expect(await outcome(["-r", "more"])).toEqual([id, "4: more"]); // the newest by its last event
    expect(await outcome(["-c", "more"], elsewhere)).toEqual([other.session_id, "1: more"]);
    expect(served.logs()).toHaveLength(3);
  }));

test("what cannot be gone on with is said, with exit code 2", () =>
  talking(async ({ ask, logs, simulator }) => {
    const none = await ask(["-p", "-c", "more"]);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("no session of this project")]);
    const unknown = await ask(["-p", "-r", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "more"]);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("01ARZ3NDEKTSV4RRFFQ69G5FAV")]);
    const noSuch = await ask(["-p", "-r", "7ZZZ", "more"]);
    expect([noSuch.code, noSuch.stderr]).toEqual([2, expect.stringContaining('has the id or the words "7ZZZ"')]);
    expect(logs()).toEqual([]);

    await ask(["-p", "first"]);
    await ask(["-p", "second"]);
    const several = await ask(["-p", "-r", "01", "more"]);
    // Two letters are no id: they belong to the prompt.
    expect([several.code, lastPrompt(simulator)]).toEqual([0, "01 more"]);
    await ask(["-p", "-r", "test", "it"]); // a word is none either
    expect(lastPrompt(simulator)).toBe("test it");
    const shared = await ask(["-p", "--resume=01", "more"]);
    expect([shared.code, shared.stderr]).toEqual([2, expect.stringContaining("2 sessions begin with 01")]);
  }));

test("a finished session without a prompt has nothing to go on with", () =>
  talking(async ({ ask }) => {
    await ask(["-p", "first"]);
    const ran = await ask(["-p", "-r"]);
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([2, "", expect.stringContaining("nothing to go on with")]);
    expect(await ask(["--resume"])).toMatchObject({ code: 2, stdout: "", stderr: ran.stderr });
    const json = await ask(["-p", "-r", "--output-format", "json"]);
    expect([json.code, resultOf(json)]).toEqual([2, expect.objectContaining({ status: "idle", exit_code: 2 })]);
  }));

test("-C works there, and a folder that is no repository is good enough", () =>
  talking(async ({ ask, root, project, logs }) => {
    const folder = join(root, "plain folder");
    mkdirSync(folder);
    const ran = await ask(["-C", "../plain folder", "-p", "hello"], { cwd: project });
    expect([ran.code, ran.stdout]).toEqual([0, "0: hello\n"]);
    const [started] = readLog(logs()[0] ?? "");
    expect(started?.payload.workingDirectory).toBe(realpathSync(folder));
    const missing = await ask(["-C", "/no/such/folder", "-p", "hello"]);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("/no/such/folder")]);
    const file = await ask(["--cwd", "/etc/passwd", "-p", "hello"]);
    expect([file.code, file.stderr]).toEqual([2, expect.stringContaining("/etc/passwd")]);
    expect(missing.stderr.split("\n")).toHaveLength(2); // a sentence, not a stack
  }));

test("a session does not move with -C, which is said, and does not begin where its folder is gone", () =>
  talking(async ({ ask, project, logs }) => {
    const folder = join(project, "sub");
    mkdirSync(folder);
    await ask(["-C", "sub", "-p", "hello"]);
    const id = basename(logs()[0] ?? "", ".jsonl");
    const same = await ask(["-C", "sub", "-p", "-c", "again"]);
    expect([same.code, same.stderr]).toEqual([0, ""]);
    const other = await ask(["-C", "..", "-p", "--resume", id, "again"], { cwd: folder });
    expect([other.code, other.stderr]).toEqual([0, expect.stringContaining(`goes on in ${folder}, where it began`)]);
    rmdirSync(folder);
    const gone = await ask(["-p", "--resume", id, "again"]);
    expect([gone.code, gone.stderr]).toEqual([
      2,
      expect.stringContaining("Make it again, or name the one to go on in"),
    ]);
  }));

test("the model and the effort are those that were named", () =>
  talking(async ({ ask, simulator }) => {
    const { code } = await ask(["-p", "-m", "claude-sonnet-5-5", "--effort", "low", "hello"]);
    const body = simulator.requests.at(-1)?.body;
    expect([code, body]).toEqual([0, expect.objectContaining({ model: "claude-sonnet-5-5" })]);
    expect(body).toMatchObject({ output_config: { effort: "low" } });
    const wrong = await ask(["-p", "--effort", "enormous", "hello"]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("enormous")]);
  }));

test("standard input that stays open and silent does not hold up a typed prompt", () =>
  talking(async ({ ask }) => {
    const { code, stdout, stderr } = await ask(["-p", "hello"], { stdin: { silent: true } });
    expect([code, stdout, stderr]).toEqual([
      0,
      "0: hello\n",
      expect.stringContaining("nothing came on standard input"),
    ]);
  }));

test("standard input that never ends ends with the time of the run, with and without words", () =>
  talking(async ({ begin, simulator, logs }) => {
    for (const words of [[], ["hello"]]) {
      const running = begin(["-p", "--no-session", "--timeout", "0.3", ...words], { stdin: { silent: true } });
      running.write("a beginning");
      const { code, stdout, stderr } = await running.done;
      expect([code, stdout, stderr]).toEqual([7, "", expect.stringContaining("standard input was still open")]);
    }
    expect([simulator.requests, logs()]).toEqual([[], []]);
  }));

test("nor a resume that needs no prompt", () =>
  talking(async ({ ask }) => {
    await ask(["-p", "hello"]);
    const { code, stderr } = await ask(["-p", "--resume"], { stdin: { silent: true } });
    expect([code, stderr]).toEqual([2, expect.stringContaining("nothing to go on with")]);
  }));
