/** The shell parser is held against the shell itself: it must refuse exactly what `bash -n` refuses. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseShell } from "../../src/permissions/shell/parse.ts";
import kinds from "./kinds.json";

const ROWS = [
  "{rm,-rf,/}", "echo a; }", "{ a; }", "{ a }", "coproc rm x", "coproc N { rm x; }", "time rm x", "time -p rm x", "! rm x", "! ! rm x",
  "r\\m x", "$'\\x72m' x", 'echo "`rm x`"', "diff <(rm x) >(rm y)", "echo $[1+$(rm x)]", "a=($(rm x))", "x[$(rm y)]=1 ls",
  "cat <<E\n$(rm x)\nE", "cat <<'E'\n$(rm x\nE", "cat <<-E\n\ta\n\tE", "cat <<A <<B\na\nA\nb\nB", "case x in x) rm y;; esac", "case x in (x) a;& y) b;;& *) c; esac",
  "f() { rm x; }; f", "function f { rm x; }", "function f() (rm x)", "f() rm x", "ls # $(rm x)", "if true; then echo", "if true; then echo; fi",
  "if a; then b; elif c; then d; else e; fi", "if; then a; fi", "while a; do b; done", "while a; b; done", "until a; do b; done <x", "for i in a b; do c; done",
  "for i; do c; done", "for ((i=0;i<3;i++)); do c; done", "for ((i=0;i<3)); do c; done", "select x in a; do b; done", "[[ a == b && ! ( -f c ) ]]", "[[ a == b",
  "[[ a -eq ]]", "(( a = 1 + 2 ))", "((a", "(a; b) | c", "(a", "a)", "a &", "a & b", "a && b || c", "a &&", "&& a", "a ||", "| a", "a |", "a |& b", "a; ; b", "a ;; b",
  "echo 'a", 'echo "a', "echo `a", "echo $(a", "echo $((1+", "echo ${a", "echo ${a:-b}", "echo ${a/b/c}", "echo ${a[@]:1:2}", "echo ${!a}", "echo ${#a[@]}", "a=1 b=2 c", "a+=1",
  "a=(1 2 3)", "declare -a x=(1 2)", "> x", "< x cat", "a 2>&1 >b <&3", "a &> b", "a &>> b", "a >| b", "a <> b", "a {fd}> b", "a > > b", "a <<< b", "a <<<", "a <", "echo a\\\nb",
  "git commit -m \"$(cat <<'EOF'\nmsg (x)\nEOF\n)\"", "eval \"a b\"", "a\nb\n", "# only a comment", "", "then", "fi", "echo $(if a)", 'echo "$(fi)"', "cat <(done)", "a=$(b | )", "echo ${x:-$(c &&)}", "do a; done", "in", "echo if then fi", "a=b;", "echo ~ ~/x ~root", "echo *.{a,b}",
]; // biome-ignore format: a list

const acceptance: readonly { readonly command: string }[] = JSON.parse(
  readFileSync(join(import.meta.dir, "../cases/permission.json"), "utf8"),
).cases;
const commands = [
  ...new Set([
    ...ROWS,
    ...acceptance.map(({ command }) => command),
    ...kinds.groups.flatMap((group) => group.commands),
  ]),
];

/** Accepted although bash refuses them; bash then runs nothing, so that this errs on the safe side. */
const ACCEPTED_ANYWAY = ["[[ a -eq ]]", "echo @($(npm publish))"];

const bashAccepts = (command: string): boolean =>
  Bun.spawnSync(["bash", "-n", "-c", command], { stdin: "ignore", stdout: "ignore", stderr: "ignore" }).exitCode === 0;

test.skipIf(Bun.which("bash") === null)(
  `of ${commands.length} texts, the parser refuses what bash refuses`,
  () => {
    const differing = commands.filter((command) => bashAccepts(command) !== (parseShell(command).errors.length === 0));
    expect(differing).toEqual(ACCEPTED_ANYWAY);
  },
  60_000,
);

test("a text that is too long, too deep or holds a NUL is refused, not thrown at", () => {
  const hostile = ["a\0b", "x".repeat(300_000), "f() {".repeat(50_000), '"$('.repeat(50_000), "@($(".repeat(50_000)];
  expect(hostile.map((text) => parseShell(text).errors.length > 0)).toEqual(hostile.map(() => true));
});
