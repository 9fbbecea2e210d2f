/** What a draft and a paste stand for: pure tables. */
import { expect, test } from "bun:test";
import { judgePaste, MAX_PASTE_BYTES } from "../../../src/tui/input/pastes.ts";
import { expanded, saidOf } from "../../../src/tui/input/said.ts";
import type { Chip } from "../../../src/tui/screen/port.ts";

const FILES = ["/tmp/my shots/a b.png", "/home/me/Screenshot from 2024.png"];
const PATHS = { home: "/home/me", isFile: (path: string) => FILES.includes(path) };

const mentions = (text: string) => saidOf(text, []).mentions;

test("a file that was typed with @ is mentioned when it looks like one, with the lines behind it", () => {
  const rows: readonly (readonly [string, readonly unknown[]])[] = [
    ["fix @src/a.ts please", [{ path: "src/a.ts" }]],
    ["see @src/a.ts#L10-40.", [{ path: "src/a.ts", range: { start: 10, end: 40 } }]],
    ["see (@src/a.ts#L7)", [{ path: "src/a.ts", range: { start: 7, end: 7 } }]],
    ["@Makefile:3-9 is odd", [{ path: "Makefile", range: { start: 3, end: 9 } }]],
    ["look in @src/tui/, then @README.md, @README.md", [{ path: "src/tui/" }, { path: "README.md" }]],
    ["@override and @types/node and @ alone", []],
    ["mail me@example.com", []],
    ["lines backwards @a.ts#L9-3", [{ path: "a.ts" }]],
    ["@.gitignore", [{ path: ".gitignore" }]],
  ];
  expect(rows.map(([text]) => mentions(text))).toEqual(rows.map(([, expected]) => [...expected] as never));
});

test("a chip is mentioned once, and what was pasted mentions nothing", () => {
  const placed = (chip: Chip, start: number) => ({ ...chip, start, end: start + chip.label.length });
  const mention = placed({ kind: "mention", label: "@a.ts", value: "a.ts" }, 0);
  const paste = placed({ kind: "paste", label: "[Pasted 2 lines]", value: "@b.ts\n@c.ts" }, 6);
  expect(saidOf("@a.ts [Pasted 2 lines] @a.ts", [paste, mention])).toEqual({
    text: "@a.ts @b.ts\n@c.ts @a.ts",
    mentions: [{ path: "a.ts" }],
  });
  expect(expanded("x[Pasted 2 lines]", [{ ...paste, start: 1, end: 17 }])).toBe("x@b.ts\n@c.ts");
});

test("a paste is text, a chip, or images", () => {
  const judged = (text: string) => {
    const pasted = judgePaste(text, PATHS);
    return pasted.kind === "chips" ? pasted.chips.map(({ label, value }) => [label, value.length]) : pasted.kind;
  };
  const images = (text: string) => {
    const pasted = judgePaste(text, PATHS);
    return pasted.kind === "chips" ? pasted.chips.map(({ kind, value }) => `${kind} ${value}`) : pasted.kind;
  };
  expect(judged("ten\n".repeat(10))).toBe("text");
  expect(judged("more\n".repeat(11))).toEqual([["[Pasted 11 lines]", 55]]);
  expect(judged("x".repeat(1024))).toBe("text");
  expect(judged("x".repeat(2048))).toEqual([["[Pasted 2.0 KiB]", 2048]]);
  expect(judged("é".repeat(MAX_PASTE_BYTES / 2 + 1))).toBe("too-large");
  expect(images("/tmp/a.png")).toEqual(["image /tmp/a.png"]);
  expect(images("/tmp/my shots/a b.png\n")).toEqual(["image /tmp/my shots/a b.png"]);
  expect(images("~/Screenshot from 2024.png")).toEqual(["image /home/me/Screenshot from 2024.png"]);
  expect(images("/tmp/a\\ b.webp '/x/c d.gif' \"/y/e.jpeg\"")).toEqual([
    "image /tmp/a b.webp",
    "image /x/c d.gif",
    "image /y/e.jpeg",
  ]);
  expect(images("file:///tmp/a%20b.png")).toEqual(["image /tmp/a b.png"]);
  expect(images("file:///tmp/a%ZZ.png")).toEqual(["image file:///tmp/a%ZZ.png"]);
  expect(images("~/a.png")).toEqual(["image /home/me/a.png"]);
  expect(["logo.png", "see /tmp/a.png", "/tmp/a.txt", "/tmp/a.png\nand more"].map(images)).toEqual(
    Array(4).fill("text"),
  );
});

test("neither an address nor a command is an image", () => {
  const texts = [
    "https://example.com/logo.png",
    "https://example.com/a.png /tmp/b.png",
    "./run.sh out.png",
    "../tools/draw out/a.png",
    "/usr/bin/convert in.jpg out.png",
    "/usr/bin/convert in/a.jpg out/b.png",
    "/usr/bin/convert -strip out/b.png",
    "~/bin/draw out.png",
  ];
  expect(texts.map((text) => judgePaste(text, PATHS))).toEqual(texts.map((text) => ({ kind: "text", text })));
});

test("an image's name cannot deceive", () => {
  const pasted = judgePaste("/tmp/a\u202egnp.png", PATHS);
  expect(pasted.kind === "chips" && pasted.chips[0]?.label).toBe("[image a\\u202egnp.png]");
});
