/** A temporary machine: a home with khaelor's folder in it, and a project. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  type ConfigLayer,
  type LoadOptions,
  loadConfig,
  problemText,
  type ResolvedConfig,
} from "../../src/config/index.ts";

export interface Workshop {
  readonly userHome: string;
  readonly home: string;
  readonly projectRoot: string;
  /** Paths are below the temporary folder: `home/…`, `home/.khaelor/…`, `project/…`. */
  readonly at: (name: string) => string;
  readonly write: (name: string, text: string | object, mode?: number) => string;
  readonly link: (name: string, target: string) => void;
  readonly remove: () => void;
}

export function openWorkshop(): Workshop {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "khaelor-config-")));
  const at = (name: string) => join(folder, name);
  const made = (name: string) => {
    mkdirSync(dirname(at(name)), { recursive: true });
    return at(name);
  };
  mkdirSync(at("home/.khaelor"), { recursive: true });
  mkdirSync(at("project"));
  return {
    userHome: at("home"),
    home: at("home/.khaelor"),
    projectRoot: at("project"),
    at,
    write(name, text, mode = 0o644) {
      writeFileSync(made(name), typeof text === "string" ? text : JSON.stringify(text));
      chmodSync(at(name), mode);
      return at(name);
    },
    link: (name, target) => symlinkSync(target, made(name)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

const defaults = { model: "default-model", auxModel: "default-aux" };

type Loading = [flags?: ConfigLayer, env?: Readonly<Record<string, string>>, more?: Partial<LoadOptions>];

/** Loads the configuration of the workshop, whichever it is at that moment. */
export function loading(shop: () => Workshop) {
  const load = (flags: ConfigLayer = {}, env: Readonly<Record<string, string>> = {}, more: Loading[2] = {}) =>
    loadConfig({ home: shop().home, projectRoot: shop().projectRoot, env, flags, defaults, ...more });
  async function resolved(...args: Loading): Promise<ResolvedConfig> {
    const loaded = await load(...args);
    if (!loaded.ok) throw new Error(loaded.error.map(problemText).join("\n"));
    return loaded.value;
  }
  async function problems(...args: Loading): Promise<readonly string[]> {
    const loaded = await load(...args);
    return loaded.ok ? [] : loaded.error.map(problemText);
  }
  const warnings = async (...args: Loading) => (await resolved(...args)).warnings.map(problemText);
  return { load, resolved, problems, warnings };
}
