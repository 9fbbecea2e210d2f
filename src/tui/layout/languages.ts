/** What the lexer of code has to know of a language: how its comments, strings and words look. Data only. */

export interface Language {
  /** Of a comment up to the end of the line: sources of patterns. */
  readonly lineComments: readonly string[];
  /** What may go on over several lines, with the tone of a comment or a string. */
  readonly blocks: readonly { readonly open: string; readonly close: string; readonly is: "comment" | "string" }[];
  /** Signs around a string that ends on its line. */
  readonly quotes: string;
  readonly keywords: ReadonlySet<string>;
  /** Keywords are known in small and capital letters. */
  readonly ignoresCase?: true;
  /** A name that stands like this is a keyword: of a key, a tag. */
  readonly names?: string;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const C_COMMENTS = { open: "/*", close: "*/", is: "comment" } as const;
const SLASHES = "\\/\\/";
/** Not within a word or an address. */
const HASH = "(?<![^\\s;(])#";

const script: Language = {
  lineComments: [SLASHES],
  blocks: [C_COMMENTS, { open: "`", close: "`", is: "string" }],
  quotes: "\"'",
  keywords: words(
    "abstract as async await break case catch class const continue debugger declare default delete do else enum export extends false finally for from function get if implements import in infer instanceof interface is keyof let namespace new null of private protected public readonly return satisfies set static super switch this throw true try type typeof undefined var void while with yield",
  ),
};

const python: Language = {
  lineComments: ["#"],
  blocks: [
    { open: '"""', close: '"""', is: "string" },
    { open: "'''", close: "'''", is: "string" },
  ],
  quotes: "\"'",
  keywords: words(
    "False None True and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield",
  ),
};

const rust: Language = {
  lineComments: [SLASHES],
  blocks: [C_COMMENTS, { open: 'r#"', close: '"#', is: "string" }],
  quotes: '"',
  keywords: words(
    "Self as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self static struct super trait true type unsafe use where while",
  ),
};

const go: Language = {
  lineComments: [SLASHES],
  blocks: [C_COMMENTS, { open: "`", close: "`", is: "string" }],
  quotes: "\"'",
  keywords: words(
    "break case chan const continue default defer else fallthrough false for func go goto if import interface map nil package range return select struct switch true type var",
  ),
};

/** C and what took its words from it. */
const c: Language = {
  lineComments: [SLASHES],
  blocks: [C_COMMENTS, { open: '"""', close: '"""', is: "string" }],
  quotes: "\"'",
  keywords: words(
    "abstract auto base bool boolean break byte case catch char class const constexpr continue default delegate delete do double else enum explicit extends extern false final finally float for foreach friend get goto if implements import in inline instanceof int interface internal is lock long namespace new null nullptr operator out override package private protected public readonly record ref return sealed set short signed sizeof static string struct super switch template this throw throws true try typedef typename union unsigned using var virtual void volatile while yield",
  ),
};

const shell: Language = {
  lineComments: [HASH],
  blocks: [],
  quotes: "\"'",
  keywords: words(
    "case do done elif else esac export fi for function if in local readonly return select set shift source then trap unset until while",
  ),
};

const json: Language = {
  lineComments: [SLASHES],
  blocks: [C_COMMENTS],
  quotes: '"',
  keywords: words("true false null"),
  names: '"(?:[^"\\\\]|\\\\.)*"(?=\\s*:)',
};

const settings: Language = {
  lineComments: [HASH],
  blocks: [{ open: '"""', close: '"""', is: "string" }],
  quotes: "\"'",
  keywords: words("true false null yes no on off"),
  names: "(?<=^\\s*(?:- )?)(?:[\\w.-]+(?=\\s*[:=])|\\[\\[?[\\w. -]+\\]?\\])",
};

const html: Language = {
  lineComments: [],
  blocks: [{ open: "<!--", close: "-->", is: "comment" }],
  quotes: "\"'",
  keywords: new Set(),
  names: "<\\/?[A-Za-z][\\w:.-]*|\\/?>",
};

const css: Language = {
  lineComments: [],
  blocks: [C_COMMENTS],
  quotes: "\"'",
  keywords: words("important"),
  names: "[\\w-]+(?=\\s*:)|@[\\w-]+",
};

const sql: Language = {
  lineComments: ["--"],
  blocks: [C_COMMENTS],
  quotes: "'",
  ignoresCase: true,
  keywords: words(
    "add all alter and as asc begin between by case check column commit constraint create cross default delete desc distinct drop else end except exists explain foreign from full group having if in index inner insert intersect into is join key left like limit not null offset on or order outer primary references returning right rollback select set table then union unique update using values view when where with",
  ),
};

const ruby: Language = {
  lineComments: [HASH],
  blocks: [],
  quotes: "\"'`",
  keywords: words(
    "alias and begin break case class def do else elsif end ensure false for if in include module next nil not or private protected public raise redo require rescue retry return self super then true undef unless until when while yield",
  ),
};

const BY_NAME: readonly (readonly [names: string, language: Language])[] = [
  ["ts tsx js jsx mjs cjs mts cts typescript javascript typescriptreact javascriptreact", script],
  ["py python python3 pyi", python],
  ["rs rust", rust],
  ["go golang", go],
  ["c h cc cpp cxx hpp c++ java kt kotlin cs csharp c# swift scala dart php proto zig", c],
  ["sh bash zsh shell shellscript console fish dockerfile makefile make", shell],
  ["json jsonc json5 jsonl", json],
  ["yaml yml toml ini conf properties env", settings],
  ["html htm xml svg vue svelte", html],
  ["css scss less", css],
  ["sql postgres postgresql mysql sqlite", sql],
  ["rb ruby", ruby],
];

const LANGUAGES: ReadonlyMap<string, Language> = new Map(
  BY_NAME.flatMap(([names, language]) => names.split(" ").map((name) => [name, language] as const)),
);

/** By the word behind a fence, or by the ending of a file's name. */
export const languageOf = (name: string): Language | undefined => LANGUAGES.get(name.toLowerCase());

/** The part of a path that tells the language. */
export function languageName(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return name.includes(".") ? name.slice(name.lastIndexOf(".") + 1) : name;
}
