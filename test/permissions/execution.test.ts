/**
 * What really runs is held against what the reader lists. Random programs of harmless probes are run by bash; every probe that ran
 * must stand in the list with these very words, unless the reader said that something could not be resolved.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { readShell } from "../../src/permissions/shell/walk.ts";

const scratch = mkdtempSync(join(tmpdir(), "khaelor-run-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const log = join(scratch, "log");
const bin = join(scratch, "bin");
mkdirSync(bin);
mkdirSync(join(scratch, "work/d/d"), { recursive: true });
writeFileSync(join(bin, "probe"), `#!/bin/bash\n{ printf '%s\\x1f' "$PWD" "$@"; printf '\\x1e'; } >> ${log}\n`);
chmodSync(join(bin, "probe"), 0o755);

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const value = fc.constantFrom(
  "a",
  "'b c'",
  "$X",
  '"$Y"',
  "x{1,2}",
  "$(echo s t)",
  "${X:-z}",
  "${Y%c}",
  '"$@"',
  "$1",
  "$((1+2))",
  "q*",
);
const name = fc.constantFrom("X", "Y", "Z");

const { script } = fc.letrec<{ script: string; line: string; body: string }>((tie) => {
  const line = tie("line");
  const body = tie("body");
  return {
    line: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.tuple(value, value).map(([a, b]) => `probe ${a} ${b}`),
      fc.tuple(name, value).map(([n, v]) => `${n}=${v.replace(/^"\$@"$/, '"$*"')}`),
      fc.tuple(name, value).map(([n, v]) => `${n}+=${v.replace(/^"\$@"$/, '"$*"')}`),
      fc.tuple(name, value).map(([n, v]) => `${n}=${v.replace(/^"\$@"$/, '"$*"')} probe $${n}`),
      fc.tuple(value, value).map(([a, b]) => `set -- ${a} ${b}`),
      fc.tuple(name, value).map(([n, v]) => `read ${n} <<< ${v}`),
      fc.tuple(name, value).map(([n, v]) => `export ${n}=${v.replace(/^"\$@"$/, '"$*"')}`),
      fc.tuple(name, value).map(([n, v]) => `printf -v ${n} %s ${v}`),
      fc.constantFrom(
        "cd d",
        "cd d && probe in",
        "cd ..",
        "shift",
        "unset X",
        "A=(1 '2 3'); probe \"${A[@]}\" ${A[1]}",
        "probe {m,n}$X",
        "X=Y probe $X",
        "((X=2)); probe $X",
      ),
      fc.constantFrom(
        "probe ${!X}",
        "probe ${X@Q}",
        "probe ~",
        'probe "${@:2}"',
        "probe ${#X}",
        "probe ${X/a/$Y}",
        "eval probe $X",
        "cd e; probe",
        "let X=5; probe $X",
      ),
      body.map((b) => `{ ${b}\n}`),
      body.map((b) => `( ${b}\n)`),
      body.map((b) => `probe "$( ${b}\n)"`),
      body.map((b) => `${"true"} && { ${b}\n}`),
      body.map((b) => `false || { ${b}\n}`),
      body.map((b) => `false && { ${b}\n}`),
      fc.tuple(body, body).map(([a, b]) => `if [ "$X" = a ]; then ${a}\nelse ${b}\nfi`),
      fc.tuple(value, value, body).map(([a, b, c]) => `for Z in ${a} ${b}; do ${c}\nprobe $Z $X\ndone`),
      fc.tuple(body, body).map(([a, b]) => `for i in 1 2; do probe $X; ${a}\ndone; ${b}`),
      fc.tuple(body).map(([a]) => `N=0; while [ $N -lt 2 ]; do N=$((N+1)); probe $X; ${a}\ndone; probe $X $Y`),
      fc.tuple(body, value).map(([b, v]) => `f() { ${b}\nprobe "$1"\n}; f ${v}; f`),
      fc.tuple(body, body).map(([a, b]) => `case $X in a) ${a}\n;; *) ${b}\n;; esac`),
      body.map((b) => `bash -c ${quoted(b)} s t`),
      body.map((b) => `command bash -c ${quoted(b)} s "t u"`),
      body.map((b) => `eval ${quoted(b)}`),
      body.map((b) => `echo r s | while read X Y; do ${b}\ndone`),
      body.map((b) => `bash <<'E${b.length}'\n${b}\nE${b.length}\n`),
      value.map((v) => `printf '%s\\n' ${v} | xargs probe`),
      value.map((v) => `timeout 5 env Q=1 probe ${v}`),
    ),
    body: fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => lines.join("\n")),
    script: fc.array(line, { minLength: 1, maxLength: 5 }).map((lines) => lines.join("\n")),
  };
});

/** Each probe that ran: its folder and its words. */
function ran(text: string): readonly string[] {
  writeFileSync(log, "");
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: join(scratch, "home") };
  Bun.spawnSync(["bash", "-c", `set -f\n${text}`], {
    cwd: join(scratch, "work"),
    env,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
    timeout: 10_000,
  });
  return readFileSync(log, "utf8")
    .split("\x1e")
    .slice(0, -1)
    .map((entry) => entry.split("\x1f").slice(0, -1).join("|"));
}

interface Listed {
  readonly resolved: boolean;
  readonly probes: ReadonlySet<string>;
}

const PLAIN = /\$\(\(|\$\{#/;

function listed(text: string): Listed {
  const work = join(scratch, "work");
  const reading = readShell(text, { cwd: work, home: join(scratch, "home"), projectRoot: work });
  const real = reading.commands.filter((command) => command.role === "run" && command.words.length > 0);
  // A number that is only known to be one cannot be compared word by word.
  const isOpen = (command: (typeof real)[number]): boolean =>
    command.problems.length > 0 ||
    command.cwds.length === 0 ||
    command.words.some((word) => !word.known || PLAIN.test(word.text));
  const probes = real.filter((command) => command.words[0]?.text === "probe");
  return {
    resolved: reading.errors.length === 0 && !real.some((command) => isOpen(command)),
    probes: new Set(
      probes.flatMap((command) =>
        command.cwds.map((cwd) => [cwd, ...command.words.slice(1).map((word) => word.text)].join("|")),
      ),
    ),
  };
}

test.skipIf(Bun.which("bash") === null)(
  "nothing runs that was not listed",
  () => {
    let resolved = 0;
    fc.assert(
      fc.property(script, (text) => {
        const list = listed(text);
        if (!list.resolved) return;
        resolved++;
        expect({ text, surprises: ran(text).filter((entry) => !list.probes.has(entry)) }).toEqual({
          text,
          surprises: [],
        });
      }),
      { seed: 31, numRuns: 1200 },
    );
    expect(resolved).toBeGreaterThan(60);
  },
  120_000,
);
