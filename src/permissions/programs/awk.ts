/** `awk`: reads the program text for what starts programs or writes files. */
import type { Describe } from "./facts.ts";
import { hasOption, optionValues, readArguments } from "./options.ts";

const MAX_PROGRAM = 8192;

export const describeAwk: Describe = ({ words }, facts) => {
  const args = readArguments(
    words,
    "F v f e E i l o d p field-separator assign file source exec include load pretty-print",
  );
  const files = optionValues(args, "-f --file -E --exec");
  const sources = [...optionValues(args, "-e --source")];
  const operands = [...args.operands];
  if (files.length === 0 && sources.length === 0) {
    const program = operands.shift();
    if (program !== undefined) sources.push(program);
  }
  facts.reads.push(...files, ...operands.filter((word) => !/^[A-Za-z_]\w*=/.test(word.text)));
  if (files.length > 0) facts.problems.push("what an awk program in a file does cannot be seen");
  if (args.doubtful) facts.problems.push("a word that cannot be resolved may be an option of awk");
  if (hasOption(args, "-i -l -o -d -p -D --include --load --pretty-print --dump-variables --profile --debug")) {
    facts.problems.push("awk is given an option that loads code or writes a file");
  }
  for (const source of sources) {
    const why = source.known ? awkEffect(source.text) : "its awk program is not known";
    if (why !== undefined) facts.problems.push(why);
  }
  facts.readOnly = facts.problems.length === 0;
  facts.kind = facts.readOnly ? "read" : "run";
};

/** What the program text does besides reading and printing; undefined when nothing. */
function awkEffect(program: string): string | undefined {
  if (program.length > MAX_PROGRAM) return "its awk program is too long to judge";
  const code = withoutLiterals(program).replaceAll("||", " ");
  if (/\bsystem\b|\|/.test(code)) return "its awk program starts programs";
  if (/@/.test(code)) return "its awk program loads or calls code that cannot be seen";
  if (/\bgetline\b|\bARG[CV]\b/.test(code)) return "its awk program reads files that cannot be resolved";
  for (const statement of code.split(/[;{}\n]/)) {
    const printed = /\bprintf?\b([\s\S]*)$/.exec(statement)?.[1];
    if (printed !== undefined && withoutParentheses(printed).includes(">")) return "its awk program writes files";
  }
  return undefined;
}

function withoutParentheses(text: string): string {
  let depth = 0;
  let outside = "";
  for (const char of text) {
    if (char === "(") depth++;
    if (depth === 0) outside += char;
    if (char === ")") depth--;
  }
  // Unbalanced: what is inside cannot be told from what is outside.
  return depth === 0 ? outside : text;
}

/** Strings, regular expressions and comments taken out. A slash behind a value divides. */
function withoutLiterals(program: string): string {
  let code = "";
  for (let at = 0; at < program.length; at++) {
    const length = literalLength(program, at, code);
    if (length === 0) code += program[at];
    else {
      code += program[at] === "#" ? "" : ' "" ';
      at += length - 1;
    }
  }
  return code;
}

function literalLength(program: string, at: number, before: string): number {
  const rest = program.slice(at);
  switch (program[at]) {
    case '"':
      return /^"(?:\\[\s\S]|[^"\\])*"/.exec(rest)?.[0].length ?? 0;
    case "#":
      return /^[^\n]*/.exec(rest)?.[0].length ?? 0;
    case "/": {
      const previous = before.trimEnd().at(-1) ?? "";
      const divides = previous !== "" && !"(,~!&|{};\n=:?<>+-*%^".includes(previous);
      return divides ? 0 : (/^\/(?:\\.|\[\^?\]?[^\]\n]*\]|[^/\\\n[])+\//.exec(rest)?.[0].length ?? 0);
    }
    default:
      return 0;
  }
}
