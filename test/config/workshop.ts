/** A temporary machine: a home with khaelor's folder in it, and a project. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

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
