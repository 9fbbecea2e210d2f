/** The user's own programs: editors, pagers, clipboards. Real programs, written for the test. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { clipboardsOf, copyText } from "../../../src/cli/terminal/clipboard.ts";
import { pastePicture } from "../../../src/cli/terminal/clipboard-picture.ts";
import { editOutside } from "../../../src/cli/terminal/editor.ts";
import { pageText } from "../../../src/cli/terminal/pager.ts";
import { findProgram, wordsOf } from "../../../src/cli/terminal/programs.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "khaelor-programs-"));
  mkdirSync(join(root, "bin"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const at = (name: string) => join(root, name);

/** A program of the test's own. */
function program(name: string, script: string): string {
  writeFileSync(at(`bin/${name}`), `#!/bin/sh\n${script}\n`);
  chmodSync(at(`bin/${name}`), 0o755);
  return at(`bin/${name}`);
}

const env = (more: Readonly<Record<string, string>> = {}) => ({ PATH: `${at("bin")}:/usr/bin:/bin`, ...more });

test("a variable is words, as a shell splits them, and nothing in it is run", () => {
  const rows: readonly (readonly [string, readonly string[] | undefined])[] = [
    ["code --wait", ["code", "--wait"]],
    ['"/opt/my editor/vim" -f', ["/opt/my editor/vim", "-f"]],
    ["/opt/my\\ editor 'a b'c", ["/opt/my editor", "a bc"]],
    ['vim -c "set tw=72 | \\"x\\""', ["vim", "-c", 'set tw=72 | "x"']],
    ["vi; rm -rf $HOME `x`", ["vi;", "rm", "-rf", "$HOME", "`x`"]],
    ["'open", undefined],
    ["  ", []],
  ];
  expect(rows.map(([line]) => wordsOf(line))).toEqual(rows.map(([, words]) => words));
});

test("a program is looked for where the user's PATH says, and never in the working directory", () => {
  const mine = program("khaelor-vi", "true");
  const found = [
    ["khaelor-vi", env()],
    ["./khaelor-vi", env()],
    ["khaelor-vi", { PATH: ".:bin" }],
    ["khaelor-vi", {}],
  ] as const;
  expect(found.map(([name, given]) => findProgram(name, given))).toEqual([mine, undefined, undefined, undefined]);
  expect(findProgram("sh", { PATH: "." })).toBe(findProgram("sh", { PATH: "/usr/local/bin:/usr/bin:/bin" }));
});

describe("the editor", () => {
  const edit = (text: string, more: Readonly<Record<string, string>>) =>
    editOutside(text, { env: env(more), cwd: root });

  test("gets the draft in a file of the user's own, and what it saved comes back", async () => {
    program(
      "ed1",
      `stat -c %a "$2" > ${at("mode")}; cat "$2" > ${at("seen")}; printf 'new text\\n' > "$2"; echo "$1" > ${at("flag")}`,
    );
    expect(await edit("old", { VISUAL: "ed1 --wait", EDITOR: "nonsense" })).toEqual({ text: "new text" });
    expect([
      readFileSync(at("mode"), "utf8"),
      readFileSync(at("seen"), "utf8"),
      readFileSync(at("flag"), "utf8"),
    ]).toEqual(["600\n", "old", "--wait\n"]);
  });

  test("leaves no file behind, and sees none of the program's own keys", async () => {
    program("ed2", `echo "$1" > ${at("path")}; env > ${at("env")}`);
    expect(await edit("a\n", { EDITOR: "ed2", ANTHROPIC_API_KEY: "sk-ant-secret" })).toEqual({ text: "a\n" });
    expect(existsSync(readFileSync(at("path"), "utf8").trim())).toBe(false);
    expect(readFileSync(at("env"), "utf8")).not.toContain("sk-ant-secret");
  });

  test("runs nothing of the project, whatever the PATH says", async () => {
    const editor = program("ed3", `helper >> "$1"; exit 0`);
    writeFileSync(at("helper"), "#!/bin/sh\necho planted\n", { mode: 0o755 });
    expect(await edit("a", { EDITOR: editor, PATH: `.:${env().PATH}:` })).toEqual({ text: "a" });
  });

  test("that fails, is missing or cannot be named leaves the draft", async () => {
    program("bad", 'printf lost > "$1"; exit 3');
    program("killed", "kill -TERM $$");
    const problems = await Promise.all(
      [{ EDITOR: "bad" }, { EDITOR: "killed" }, { EDITOR: "gone -w" }, { EDITOR: "'x" }, { PATH: at("none") }].map(
        (more) => edit("x", more),
      ),
    );
    expect(problems).toEqual([
      { problem: "bad ended with 3. The draft is as it was." },
      { problem: "killed ended with SIGTERM. The draft is as it was." },
      { problem: "EDITOR names gone, which is not there. The draft is as it was." },
      { problem: "EDITOR holds a quote that is not closed. The draft is as it was." },
      { problem: "There is no editor: set EDITOR. The draft is as it was." },
    ]);
  });

  test("takes keys that signal: they do not end this program meanwhile", async () => {
    program("int", `kill -INT $PPID; printf done > "$1"`);
    let heard = 0;
    const listener = () => void heard++;
    process.on("SIGINT", listener);
    try {
      expect(await edit("x", { EDITOR: "int" })).toEqual({ text: "done" });
      expect([heard, process.listeners("SIGINT").includes(listener)]).toEqual([0, true]);
    } finally {
      process.off("SIGINT", listener);
    }
  });
});

test("the pager gets the whole text, with colours where it is less", async () => {
  program("pg", `cat > ${at("paged")}; echo "$LESS $1" > ${at("options")}`);
  await pageText("long text\n".repeat(20_000), { env: env({ PAGER: "pg -x" }), cwd: root });
  expect(readFileSync(at("paged"), "utf8").length).toBe(200_000);
  expect(readFileSync(at("options"), "utf8")).toBe("-R -x\n");
  program("pg", "exit 3");
  expect(await pageText("text", { env: env({ PAGER: "pg" }), cwd: root }).catch(String)).toBe(
    "Error: pg ended with 3.",
  );
});

describe("the clipboard", () => {
  const copy = (more: Readonly<Record<string, string>>) =>
    copyText("copied", { env: env(more), cwd: root, platform: "linux" });

  test("is tmux's inside of tmux, else the desktop's; what fails gives way to the next", async () => {
    program("tmux", `cat > ${at("tmux.txt")}; echo "$@" >> ${at("tmux.txt")}`);
    program("wl-copy", "exit 1");
    program("xclip", `cat > ${at("x.txt")}`);
    expect(await copy({ TMUX: "/tmp/x" })).toBe(true);
    expect(readFileSync(at("tmux.txt"), "utf8")).toBe("copiedload-buffer -w -\n");
    expect(await copy({ WAYLAND_DISPLAY: "w", DISPLAY: ":0" })).toBe(true);
    expect(readFileSync(at("x.txt"), "utf8")).toBe("copied");
  });

  test("is nobody's where there is none, or over a remote login", async () => {
    program("xclip", `cat > ${at("x.txt")}`);
    expect([await copy({}), await copy({ DISPLAY: ":0", SSH_CONNECTION: "1 2 3 4" })]).toEqual([false, false]);
    expect(readdirSync(root)).toEqual(["bin"]);
    expect(clipboardsOf({}, "darwin")).toEqual([["pbcopy"]]);
  });

  test("gives the picture that is in it as a file for the user alone, or says why not", async () => {
    const path = at("bin"); // without the machine's own programs
    const paste = (more: Readonly<Record<string, string>>, platform: NodeJS.Platform = "linux") =>
      pastePicture({ env: { PATH: path, ...more }, cwd: root, platform });
    const why = async (...how: Parameters<typeof paste>) => {
      const pasted = await paste(...how);
      return "problem" in pasted ? pasted.problem.split(/[.:]/)[0] : pasted.path;
    };
    expect([await why({}), await why({ DISPLAY: ":0" }), await why({ SSH_TTY: "/dev/pts/1" })]).toEqual([
      "There is no desktop here whose clipboard could be read",
      "To paste pictures, install xclip; or mention the picture's path",
      "The clipboard of a remote login cannot be read from here",
    ]);
    program("wl-paste", "echo text");
    program("xclip", "printf '\\211PNG\\r\\n\\032\\nrest'");
    program("osascript", "echo '«data PNGf89504E470D0A1A0A00»'");
    expect(await why({ WAYLAND_DISPLAY: "w" })).toBe("There is no picture in the clipboard");
    for (const [more, platform, bytes] of [
      [{ WAYLAND_DISPLAY: "w", DISPLAY: ":0" }, "linux", "\x89PNG\r\n\x1a\nrest"],
      [{}, "darwin", "\x89PNG\r\n\x1a\n\0"],
    ] as const) {
      const pasted = await paste(more, platform);
      if ("problem" in pasted) throw new Error(pasted.problem);
      expect([readFileSync(pasted.path, "latin1"), statSync(pasted.path).mode & 0o777]).toEqual([bytes, 0o600]);
      rmSync(dirname(pasted.path), { recursive: true });
    }
  });
});
