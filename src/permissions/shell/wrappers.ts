/** Programs whose first operand is another command: `timeout 60 npm test`. They are looked through. */
import type { Inner, Runs } from "./run-types.ts";
import type { AssignedWord, Word } from "./types.ts";
import { joinWords } from "./word.ts";

interface Wrapper {
  /** Options that take the next word, short letters and long names. */
  readonly values?: string;
  /** Operands in front of the command. */
  readonly operands?: number;
  /** `NAME=value` words may stand in front of the command. */
  readonly assigns?: boolean;
  /** With one of these options it runs nothing, or not this. */
  readonly unless?: RegExp;
  /** It does more than run the command: it is judged as well. */
  readonly opaque?: boolean;
  /** A word that must stand in front of the command, as in `poetry run pytest`; the command counts for the floor and denials only. */
  readonly verb?: RegExp;
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: { values: "u C unset chdir", assigns: true, unless: /^(?:-[a-zA-Z0]*S|--s|--split-string)/ },
  time: { values: "f format o output", opaque: true },
  timeout: { values: "k s kill-after signal", operands: 1 },
  gtimeout: { values: "k s kill-after signal", operands: 1 },
  nice: { values: "n adjustment" },
  ionice: { values: "c n p P u class classdata", unless: /^-[a-z]*[pPu]/ },
  chrt: { values: "T P D", operands: 1, unless: /^-[a-z]*p/ },
  taskset: { values: "", operands: 1, unless: /^-[a-z]*p/ },
  arch: { values: "e d", opaque: true },
  setarch: { operands: 1, opaque: true },
  linux32: { opaque: true },
  linux64: { opaque: true },
  entr: { opaque: true },
  nohup: {},
  setsid: {},
  stdbuf: { values: "i o e input output error" },
  unbuffer: {},
  caffeinate: { values: "t w" },
  command: { unless: /^-[pvV]*[vV]/ },
  builtin: {},
  exec: { values: "a" },
  busybox: { unless: /^--/ },
  toybox: { unless: /^--/ },
  sudo: {
    values: "u g h p C r t T U D R user group host prompt chdir chroot other-user role type close-from command-timeout",
    assigns: true,
    unless: /^(?:-[AbEHnPSki]*[elvVK]|--(?:edit|list|validate|version)$)/,
  },
  doas: { values: "u C" },
  pkexec: { values: "user" },
  runuser: { values: "u g G user group", unless: /^(?:-c|--command)/ },
  strace: { values: "e o p s a b E I O P S u", opaque: true },
  ltrace: { values: "e o p s a u n", opaque: true },
  chroot: { values: "userspec groups", operands: 1, opaque: true },
  unshare: { values: "", opaque: true },
  nsenter: { values: "t target", opaque: true },
  "systemd-run": { values: "p E u property setenv unit", opaque: true },
  fakeroot: { opaque: true },
  eatmydata: {},
  numactl: { values: "N m C p i", opaque: true },
  prlimit: { opaque: true },
  valgrind: { opaque: true },
  "xvfb-run": { values: "n s e f p w", opaque: true },
  "dbus-run-session": { opaque: true },
  torsocks: { opaque: true },
  proxychains: { values: "f", opaque: true },
  proxychains4: { values: "f", opaque: true },
  firejail: { opaque: true },
  poetry: { verb: /^run$/ },
  pdm: { verb: /^run$/ },
  rye: { verb: /^run$/ },
  hatch: { verb: /^run$/ },
  pipenv: { verb: /^run$/ },
  uv: { verb: /^run$/ },
  bundle: { verb: /^exec$/ },
  mise: { verb: /^(?:exec|x)$/ },
  flock: { values: "w E timeout", operands: 1, unless: /^(?:-c|--command)/ },
};

const ASSIGNMENT = /^[A-Za-z_]\w*=/s;

export const isWrapper = (name: string): boolean => Object.hasOwn(WRAPPERS, name);

export function wrapperRuns(name: string, words: readonly Word[]): Runs | undefined {
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  if (wrapper === undefined) return undefined;
  const found = innerCommand(words, wrapper);
  if (found === undefined) return name === "env" ? splitString(words) : undefined;
  if (found === "unknown") {
    return { inners: [], transparent: false, problem: `what ${name} runs cannot be resolved` };
  }
  const cwd = wrapper.assigns === true ? folderOption(words.slice(0, words.length - found.words.length)) : undefined;
  if (wrapper.verb !== undefined) return verbRuns(found.words, wrapper.verb);
  const inner: Inner = {
    kind: "words",
    words: found.words,
    assignments: found.assignments,
    ...(cwd === undefined ? {} : { cwd }),
  };
  return { inners: [inner], transparent: wrapper.opaque !== true };
}

function verbRuns([verb, ...rest]: readonly Word[], expected: RegExp): Runs | undefined {
  if (verb === undefined || !expected.test(verb.text)) return undefined;
  const words = rest.slice(
    Math.max(
      0,
      rest.findIndex((word) => !word.text.startsWith("-")),
    ),
  );
  return words.length === 0 ? undefined : { inners: [{ kind: "words", words, guess: true }], transparent: false };
}

/** `env -C folder` and `sudo -D folder`. */
function folderOption(options: readonly Word[]): Word | undefined {
  for (const [index, word] of options.entries()) {
    if (/^(?:-[CD]|--chdir)$/.test(word.text)) return options[index + 1];
    const attached = /^(?:-[CD]|--chdir=)(.+)$/s.exec(word.text)?.[1];
    if (attached !== undefined) return { ...word, text: attached, shape: attached };
  }
  return undefined;
}

/** The folder that a wrapper starts its command in. */
export function wrapperFolder(name: string, words: readonly Word[]): Word | undefined {
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  const found = wrapper?.assigns === true ? innerCommand(words, wrapper) : undefined;
  if (found === undefined || found === "unknown") return undefined;
  return folderOption(words.slice(0, words.length - found.words.length));
}

interface InnerCommand {
  readonly words: readonly Word[];
  readonly assignments: readonly AssignedWord[];
}

function innerCommand(words: readonly Word[], wrapper: Wrapper): InnerCommand | "unknown" | undefined {
  const start = skipOptions(words, wrapper);
  if (start === undefined) return undefined;
  let at = start;
  const assignments: AssignedWord[] = [];
  for (; wrapper.assigns === true && at < words.length; at++) {
    const word = words[at];
    if (word === undefined || !ASSIGNMENT.test(word.text)) break;
    const cut = word.text.indexOf("=");
    const shape = word.shape.slice(word.shape.indexOf("=") + 1);
    assignments.push({ name: word.text.slice(0, cut), value: { ...word, text: word.text.slice(cut + 1), shape } });
  }
  for (let skipped = 0; skipped < (wrapper.operands ?? 0); skipped++, at++)
    if (words[at]?.split === true) return "unknown";
  return at < words.length ? { words: words.slice(at), assignments } : undefined;
}

/** The index behind the options; undefined when one of them means that it is no wrapper here. */
function skipOptions(words: readonly Word[], wrapper: Wrapper): number | undefined {
  const values = (wrapper.values ?? "").split(" ");
  let at = 1;
  for (; /^-./.test(words[at]?.text ?? ""); at++) {
    const text = words[at]?.text ?? "";
    if (text === "--") return at + 1;
    if (wrapper.unless?.test(text) === true) return undefined;
    if (takesNext(text, values)) at++;
  }
  return at;
}

/** `-u name`, where the cluster's first letter with a value is its last; `--user name`. */
function takesNext(option: string, values: readonly string[]): boolean {
  if (option.startsWith("--")) return !option.includes("=") && values.includes(option.slice(2));
  const first = [...option].findIndex((letter, index) => index > 0 && values.includes(letter));
  return first === option.length - 1;
}

/** `env -S 'cmd args'`: the text is split into words, and more words may follow. */
function splitString(words: readonly Word[]): Runs | undefined {
  for (const [index, word] of words.entries()) {
    const attached = /^(?:-[a-zA-Z0]*S|--split-string=)([\s\S]+)$/.exec(word.text)?.[1];
    if (attached !== undefined) {
      const text: Word = { ...word, text: attached, shape: attached };
      return script([text, ...words.slice(index + 1)]);
    }
    if (/^(?:-[a-zA-Z0]*S|--split-string)$/.test(word.text)) return script(words.slice(index + 1));
  }
  return undefined;
}

const script = (words: readonly Word[]): Runs => ({
  inners: [{ kind: "script", text: joinWords(words), positional: [], scope: "child" }],
  transparent: true,
});
