/** Words are held against the shell itself: where the reader says that it knows them, bash must make the same ones. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import { expect, test } from "bun:test";
import fc from "fast-check";
import { simpleCommands } from "../../src/permissions/index.ts";

const SETTING = "X='a b'; Y=/; Z=foo.ts; E=; A=(p 'q r' s); set -- one 'two three'; ";
const PIECES = [
  "a", "b/c", ".", "~", "~/", "/", "-", "'x y'", "''", '"q r"', '""', "\\ ", "\\{", "\\,", "'{'", "$'\\x41\\n\\'\\u0042'", '$"loc"', "$X", '"$X"', "${Y}", '"${Y}z"', "$E", '"$E"', "$Z",
  "${Z%.ts}", "${Z%%o*}", "${Z#f}", "${Z##*o}", "${Z/o/0}", "${Z//o/00}", "${Z:0:3}", "${Z:1}", "${Z: -2}", "${Z^}", "${Z^^}", "${X,,}", "${E:-def}", "${E-def}", "${X:+alt}", "${E:+alt}", "${Z:?}",
  "${A[0]}", "${A[1]}", '"${A[@]}"', "${A[@]}", "$A", "$1", '"$2"', '"$@"', "$@", "$HOME", '"${HOME}"', "{a,b}", "{a,'b c',\"$X\"}", "{1..4}", "{d..a}", "{,x}", "{a,{b,c}d}", "{x}", "{a..}",
  "$(echo hi)", '"$(printf \'%s-%s\' 1 2)"', "`echo a b`", "$(echo {p,q})", '"$(echo "$X")"', "=", ":", ",", "}", "{", "\\\n", "'a'\\''b'",
]; // biome-ignore format: a list

const word = fc
  .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 4 })
  .map((pieces) => pieces.join(""))
  .filter((text) => !text.startsWith("#"));

/** What bash makes of each word: its fields, with wildcards off. */
function byBash(words: readonly string[]): readonly (readonly string[])[] {
  const lines = words.map((text) => `${SETTING}show ${text}\n`).join("");
  const script = `set -f; show() { printf '%s\\0' "$#" "$@"; }\n${lines}`;
  const run = Bun.spawnSync(["bash"], { env: { HOME: "/home/dev" }, stdin: Buffer.from(script), stderr: "ignore" });
  const fields = run.stdout.toString().split("\0");
  const made: (readonly string[])[] = [];
  for (let at = 0; at < fields.length - 1; ) {
    const count = Number(fields[at]);
    made.push(fields.slice(at + 1, at + 1 + count));
    at += 1 + count;
  }
  return made;
}

function byReader(text: string): readonly string[] | undefined {
  const read = simpleCommands(`HOME=/home/dev; ${SETTING}show ${text}`);
  const shown = read.ok ? read.value.findLast((command) => command.words[0] === "show") : undefined;
  return shown?.resolved === true ? shown.words.slice(1) : undefined;
}

test.skipIf(Bun.which("bash") === null)("known words are the words that bash makes", () => {
  const words = [...new Set(fc.sample(word, { seed: 29, numRuns: 3000 }))];
  const expected = byBash(words);
  expect(expected.length).toBe(words.length);
  const known = words.flatMap((text, index) => {
    const fields = byReader(text);
    return fields === undefined ? [] : [{ text, fields, expected: expected[index] }];
  });
  expect(known.filter(({ fields, expected: bash }) => JSON.stringify(fields) !== JSON.stringify(bash))).toEqual([]);
  expect(known.length / words.length).toBeGreaterThan(0.9);
});
