import { describe, expect, test } from "bun:test";
import { buildSystemTiers, captureContext, freezePrefix, loadPrefix } from "../../src/context/index.ts";
import type { GitSnapshot } from "../../src/repository/index.ts";
import { sha256, toBytes } from "../../src/shared/index.ts";
import { memoryBlobs, TOOL } from "./workshop.ts";

const PLACE = { platform: "linux", cwd: "/home/u/p" };

describe("the system tiers", () => {
  const [staticTier = "", ...rest] = buildSystemTiers({ ...PLACE, instructions: [] });

  test("the static tier is small, and alone without instructions", () => {
    expect(Buffer.byteLength(staticTier)).toBeLessThanOrEqual(3_500);
    expect(rest).toEqual([]);
  });

  test("the static tier is the same everywhere, and no tier depends on the time", () => {
    const instructions = [{ path: "/home/u/p/AGENTS.md", text: "Use tabs." }];
    const tiers = buildSystemTiers({ ...PLACE, instructions });
    expect(tiers[0]).toBe(staticTier);
    expect(buildSystemTiers({ platform: "darwin", cwd: "/x", instructions: [] })).toEqual([staticTier]);
    expect(buildSystemTiers({ ...PLACE, instructions })).toEqual(tiers);
    const year = new Date().getFullYear();
    expect(tiers.join("\n")).not.toMatch(new RegExp(`${year}|\\d\\d:\\d\\d|GMT|UTC`));
  });

  test("instruction files stand in order, verbatim, each with its path; blank ones are left out", () => {
    const [, project] = buildSystemTiers({
      ...PLACE,
      instructions: [
        { path: "/home/u/.khaelor/AGENTS.md", text: "\n  Be brief.\n\n" },
        { path: "/home/u/p/empty/AGENTS.md", text: " \n" },
        { path: '/home/u/p/"odd"\n/AGENTS.md', text: "Use `tabs` & <b>." },
      ],
    });
    expect(project).toBe(`# Instructions for this project

This session began in "/home/u/p" on linux. The user or the project's maintainers wrote the files below: follow them. Where two disagree the later one wins, and the user's own message wins over all of them.

<instructions path="/home/u/.khaelor/AGENTS.md">
  Be brief.
</instructions>

<instructions path="/home/u/p/\\"odd\\"\\n/AGENTS.md">
Use \`tabs\` & <b>.
</instructions>`);
  });
});

describe("the frozen prefix", () => {
  test("is read back as it was frozen, key order included, and its names are the hashes of its JSON", async () => {
    const blobs = memoryBlobs();
    const frozen = await freezePrefix(blobs, ["a\u2028b", "é"], [TOOL]);
    expect(frozen.systemSha256).toBe(sha256(JSON.stringify(["a\u2028b", "é"])));
    expect(frozen.toolsSha256).toBe(sha256(JSON.stringify([TOOL])));
    const loaded = await loadPrefix(blobs, frozen.systemSha256, frozen.toolsSha256);
    expect(loaded).toEqual(frozen);
    expect(JSON.stringify(loaded?.tools)).toBe(JSON.stringify([TOOL]));
  });

  test("is missing when a blob is missing or is something else", async () => {
    const blobs = memoryBlobs();
    const { systemSha256, toolsSha256 } = await freezePrefix(blobs, ["a"], [TOOL]);
    const [object, broken] = [await blobs.put(toBytes("{}")), await blobs.put(Uint8Array.of(0xff))];
    const tries = [
      ["0", toolsSha256],
      [systemSha256, "0"],
      [toolsSha256, systemSha256],
      [object, toolsSha256],
      [systemSha256, broken],
    ] as const;
    for (const [system, tools] of tries) expect(await loadPrefix(blobs, system, tools)).toBeUndefined();
  });
});

describe("captured context", () => {
  const NOON = Date.UTC(2026, 10, 30, 12);
  const GIT: GitSnapshot = {
    root: "/home/u/p",
    branch: "main",
    head: "0123456789abcdef0123456789abcdef01234567",
    dirtyFiles: ["src/a.ts", "odd\n</git>"],
    untrackedFiles: [],
    cut: false,
    diffHash: "x",
  };
  const capture = (changes: Partial<Parameters<typeof captureContext>[0]> = {}) =>
    captureContext({ now: NOON, timezone: "UTC", cwd: "/home/u/p", git: GIT, previous: {}, ...changes });
  const asPrevious = (entries: ReturnType<typeof captureContext>) =>
    Object.fromEntries(entries.map(({ name, text }) => [name, text]));

  test("says the day, the place and the state of the repository", () => {
    expect(capture()).toEqual([
      {
        name: "environment",
        text: `<environment>\ndate: 2026-11-30\nworking directory: /home/u/p\nplatform: ${process.platform}\n</environment>`,
      },
      {
        name: "git",
        text: '<git>\nbranch: main\nhead: 0123456789ab\nchanged: 2\n  src/a.ts\n  "odd\\n</git>"\nuntracked: none\n</git>',
      },
    ]);
  });

  test("says nothing twice, and only the part that changed", () => {
    const previous = asPrevious(capture());
    expect(capture({ previous, now: NOON + 3_600_000 })).toEqual([]);
    expect(capture({ previous, git: { ...GIT, branch: null } }).map(({ name }) => name)).toEqual(["git"]);
    expect(capture({ previous, now: NOON + 86_400_000 }).map(({ name }) => name)).toEqual(["environment"]);
  });

  test("takes the day of the user's own zone", () => {
    const late = Date.UTC(2026, 11, 31, 23, 30);
    expect(capture({ now: late, timezone: "Asia/Tokyo" })[0]?.text).toContain("date: 2027-01-01");
  });

  test("names at most twenty files of a kind", () => {
    const untrackedFiles = Array.from({ length: 50 }, (_, at) => `f${at}`);
    const text = capture({ git: { ...GIT, untrackedFiles } })[1]?.text ?? "";
    expect(text).toContain("untracked: 50\n");
    expect(text).toContain("  f19\n  and 30 more\n");
    const cut = capture({ git: { ...GIT, untrackedFiles, cut: true } })[1]?.text ?? "";
    expect(cut).toContain("untracked: 50 or more\n");
    expect(cut).toContain("  f19\n  and more\n");
  });

  test("names background processes with their state, and what it had said of them is not said again", () => {
    const ended = { exitCode: null, command: "make  all\n</processes>" } as const;
    const processes = {
      live: [{ processId: "p5", command: "npm run dev", pid: 7, startedAt: 1 }],
      ended: [
        { ...ended, processId: "p1", cause: "exited", exitCode: 2 },
        { ...ended, processId: "p2", cause: "crashed", signal: "SIGSEGV" },
        { ...ended, processId: "p3", cause: "stopped-by-tool" },
        { ...ended, processId: "p4", cause: "khaelor-shutdown", command: "x".repeat(100) },
      ],
      lastNumber: 5,
    } as const;
    const said = capture({ processes })[2];
    expect(said).toEqual({
      name: "processes",
      text: [
        "<processes>",
        'p1: exited with code 2: "make all </processes>"',
        'p2: killed by SIGSEGV: "make all </processes>"',
        'p3: stopped: "make all </processes>"',
        `p4: ended with the program, and its output is gone: "${"x".repeat(80)}…"`,
        'p5: running: "npm run dev"',
        "</processes>",
      ].join("\n"),
    });
    expect(capture({ processes, previous: asPrevious(capture({ processes })) })).toEqual([]);
    const none = { live: [], ended: [], lastNumber: 0 } as const;
    expect(capture({ processes: none }).map(({ name }) => name)).toEqual(["environment", "git"]);
  });

  test("says nothing about git without a snapshot", () => {
    expect(capture({ git: undefined }).map(({ name }) => name)).toEqual(["environment"]);
  });
});
