/** The words of consent, spoken by tools, evaluator, config and screens alike. */

export const CAPABILITIES = [
  "file.read",
  "file.write.project",
  "process.execute",
  "network.access",
  "git.modify",
  "filesystem.outsideProject",
  "loop.continue",
] as const;
export type Capability = (typeof CAPABILITIES)[number];

export type PermissionAction = "allow" | "ask" | "deny";

/** `*` matches any run of characters inside one simple command; a trailing ` *` also matches nothing. */
export interface PermissionRule {
  readonly capability: Capability;
  readonly pattern: string;
  readonly action: PermissionAction;
}

/** What a call is about to touch, as the tool declares it; the evaluator decides what that needs. */
export type Access =
  | { readonly kind: "path"; readonly op: "read" | "write"; readonly path: string }
  | { readonly kind: "command"; readonly command: string; readonly cwd: string }
  /** Text for the standard input of a process that was started with `command`. */
  | { readonly kind: "input"; readonly command: string; readonly text: string; readonly cwd: string }
  /** Repetition without effect: of this call, or, without one, of compactions. */
  | { readonly kind: "loop"; readonly call?: string };

/** Which stage decided. `floor` can never be overridden. */
export type PermissionTier = "floor" | "rule" | "guarded" | "default" | "mode";

export interface Verdict {
  readonly action: PermissionAction;
  readonly tier: PermissionTier;
  readonly capability: Capability;
  /** The rule or the part that decided, in words for a person. */
  readonly because: string;
  /** What would happen, in words for a person: "Run `npm install`". */
  readonly descriptor: string;
  /** The rule that "always" would store. Never contains shell operators; absent when there is no safe one. */
  readonly suggestion?: { readonly capability: Capability; readonly pattern: string };
  /** Each part that was judged: one for a path, one or more for each simple command. */
  readonly parts: readonly VerdictPart[];
}

export interface VerdictPart {
  readonly text: string;
  readonly capability: Capability;
  readonly action: PermissionAction;
  readonly tier: PermissionTier;
  readonly because: string;
}
