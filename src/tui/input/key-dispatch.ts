/**
 * From a key to what it means: pure. A key gives the actions that know it, in the order in which they are to be tried; a key
 * that begins a sequence waits for the next one.
 */
import { nearest } from "../../shared/index.ts";
import { canBeSent, isTyped, keysOf, shownKeys } from "./key-names.ts";
import { type ActionName, BINDINGS, type Binding, type KeyContext } from "./keymap.ts";

export type UserBindings = Readonly<Record<string, readonly string[]>>;

export interface EffectiveBinding extends Binding {
  readonly action: ActionName;
  readonly isUsers?: true;
}

export type Resolution =
  /** The first that has something to do uses the key up; when none has, the key goes on to the composer. */
  | { readonly kind: "actions"; readonly actions: readonly ActionName[] }
  /** Give this back with the next key. */
  | { readonly kind: "pending"; readonly pending: string }
  /** A sequence that nobody knows. */
  | { readonly kind: "unknown"; readonly keys: string };

export interface KeyPlace {
  /** From the top down. */
  readonly contexts: readonly KeyContext[];
  readonly pending?: string | undefined;
}

export interface Keymap {
  readonly bindings: readonly EffectiveBinding[];
  /** What the user's bindings took from others; for people. */
  readonly notices: readonly string[];
  /** Undefined: no action knows this key. */
  resolve(key: string, place: KeyPlace): Resolution | undefined;
  /** As they are shown: only those that this terminal can send. */
  shown(action: ActionName, facts: { readonly hasKittyKeyboard: boolean }): readonly string[];
}

/** The bindings must be without problems; what is wrong all the same is left out. */
export function createKeymap(own: UserBindings = {}): Keymap {
  const { bindings, notices } = merged(own);
  const index = new Map<string, EffectiveBinding[]>();
  const prefixes = new Map<string, Set<KeyContext>>();
  for (const binding of bindings) {
    for (const keys of binding.keys) {
      index.set(keys, [...(index.get(keys) ?? []), binding]);
      const steps = keys.split(" ");
      for (let end = 1; end < steps.length; end++) {
        const prefix = steps.slice(0, end).join(" ");
        prefixes.set(prefix, (prefixes.get(prefix) ?? new Set()).add(binding.context));
      }
    }
  }
  const lookUp = (keys: string, contexts: readonly KeyContext[]): Resolution | undefined => {
    const known = index.get(keys) ?? [];
    const actions = contexts.flatMap((context) =>
      known.filter((binding) => binding.context === context).map(({ action }) => action),
    );
    if (actions.length > 0) return { kind: "actions", actions };
    const begins = contexts.some((context) => prefixes.get(keys)?.has(context));
    return begins ? { kind: "pending", pending: keys } : undefined;
  };
  /** Hints in every frame name the same few actions. */
  const shown = { kitty: new Map<string, readonly string[]>(), other: new Map<string, readonly string[]>() };
  return {
    bindings,
    notices,
    resolve(key, { contexts, pending }) {
      if (pending === undefined) return lookUp(key, contexts);
      if (key === "escape" || key === "ctrl+c") return { kind: "actions", actions: [] }; // only ends the sequence
      const found = written(key).map((step) => lookUp(`${pending} ${step}`, contexts));
      return found.find((one) => one !== undefined) ?? { kind: "unknown", keys: shownKeys(`${pending} ${key}`) };
    },
    shown(action, { hasKittyKeyboard }) {
      const known = hasKittyKeyboard ? shown.kitty : shown.other;
      const keys = known.get(action) ?? shownOf(bindings, action, hasKittyKeyboard);
      known.set(action, keys);
      return keys;
    },
  };
}

const shownOf = (bindings: readonly EffectiveBinding[], action: ActionName, hasKittyKeyboard: boolean) =>
  (bindings.find((binding) => binding.action === action)?.keys ?? [])
    .filter((keys) => canBeSent(keys, hasKittyKeyboard))
    .map(shownKeys);

/** Behind the first key of a sequence neither case nor a Ctrl that is still held matters, unless the Ctrl is bound. */
function written(key: string): readonly string[] {
  const plain = key.replace(/^ctrl\+/, "").toLowerCase();
  return plain === key ? [key] : [key, plain];
}

function merged(own: UserBindings): Pick<Keymap, "bindings" | "notices"> {
  const chosen = new Map(Object.entries(own).map(([action, keys]) => [action, keys.flatMap(valid)]));
  const notices: string[] = [];
  const bindings = BINDINGS.map((binding): EffectiveBinding => {
    const keys = chosen.get(binding.action);
    if (keys) return { ...binding, keys, isUsers: true };
    const taken = (key: string) => takerOf(key, binding, chosen);
    const left = binding.keys.filter((key) => taken(key) === undefined);
    for (const key of binding.keys) {
      const taker = taken(key);
      if (taker !== undefined) notices.push(takenText({ key, taker, from: binding.action, left }));
    }
    return { ...binding, keys: left };
  });
  return { bindings, notices };
}

const valid = (typed: string): readonly string[] => {
  const keys = keysOf(typed);
  return keys.ok ? [keys.value] : [];
};

/** The action to which the user gave this key, or one that makes it unreachable. */
function takerOf(key: string, { context, action }: Binding, chosen: ReadonlyMap<string, readonly string[]>) {
  const takes = (other: Binding) =>
    other.action !== action &&
    chosen
      .get(other.action)
      ?.some((keys) => clash({ ...other, keys }, { context, keys: key }) || (keys === key && isWanted(other, key)));
  return BINDINGS.find(takes)?.action;
}

/** What is bound everywhere would never come in the draft, where the key means something else. Its own default was shared before. */
const isWanted = ({ context, keys }: Binding, key: string): boolean => context === "global" && !keys.includes(key);

interface Place {
  readonly context: KeyContext;
  readonly keys: string;
}

/** The same key in the same place; or one key that is the beginning of the other's sequence, which then never goes on. */
const clash = (a: Place, b: Place): boolean =>
  a.keys === b.keys ? a.context === b.context : a.keys.startsWith(`${b.keys} `) || b.keys.startsWith(`${a.keys} `);

interface Taken {
  readonly key: string;
  readonly taker: string;
  readonly from: string;
  readonly left: readonly string[];
}

function takenText({ key, taker, from, left }: Taken): string {
  const rest = left.length > 0 ? `keeps ${left.map(shownKeys).join(", ")}` : "has no key left";
  return `keybindings: ${shownKeys(key)} is ${taker} now; ${from} ${rest}`;
}

export interface BindingProblem {
  /** Below `keybindings`. */
  readonly action: string;
  /** Which of its keys. */
  readonly at?: number;
  readonly expected: string;
  readonly got: string;
}

/** Everything in the user's bindings that cannot be meant. */
export function bindingProblems(own: UserBindings): readonly BindingProblem[] {
  return [...Object.entries(own).flatMap(([action, keys]) => problemsOf(action, keys)), ...doubles(own)];
}

function problemsOf(action: string, keys: readonly string[]): readonly BindingProblem[] {
  const binding = BINDINGS.find((one) => one.action === action);
  if (!binding) {
    const near = nearest(
      action,
      BINDINGS.map((one) => one.action),
    );
    const expected = near ? `an action (did you mean ${near}?)` : "an action that /keybindings lists";
    return [{ action, expected, got: "an unknown one" }];
  }
  return keys.flatMap((typed, at): readonly BindingProblem[] => {
    const read = keysOf(typed);
    const got = JSON.stringify(typed.slice(0, MAX_SHOWN));
    if (!read.ok) return [{ action, at, expected: read.error, got }];
    if (binding.context === "transcript" || !isTyped(read.value)) return [];
    return [{ action, at, expected: "a key that types nothing, for the draft has to get it", got }];
  });
}

const MAX_SHOWN = 40;

/** Both are the user's own, so which one is meant would be a guess. */
function doubles(own: UserBindings): readonly BindingProblem[] {
  const seen: (Place & { readonly action: string })[] = [];
  return Object.entries(own).flatMap(([action, keys]) => {
    const context = BINDINGS.find((one) => one.action === action)?.context ?? "global";
    return keys.flatMap((typed, at): readonly BindingProblem[] =>
      valid(typed).flatMap((key) => {
        const place = { context, keys: key, action };
        const first = seen.find((one) => one.action !== action && clash(one, place));
        seen.push(place);
        if (!first) return [];
        const expected = `another key, for ${first.action} has ${shownKeys(first.keys)}`;
        return [{ action, at, expected, got: JSON.stringify(typed) }];
      }),
    );
  });
}
