/** One line of `--input-format stream-json` as a command, or in words what is wrong with it and what would be right. */
import {
  byteLength,
  COMMAND_FIELDS,
  err,
  errorMessage,
  type KernelCommand,
  misfit,
  nearest,
  ok,
  type Result,
} from "../../shared/index.ts";
import { MAX_RECORDED_BYTES } from "../prompt-input.ts";
import { whyNotHeadless } from "../slash/headless.ts";

const KINDS = Object.keys(COMMAND_FIELDS);

/** Fields that a program may leave out are filled in. */
export function readCommand(text: string): Result<KernelCommand, string> {
  const parsed = parse(text);
  if (!parsed.ok) return parsed;
  const { kind, ...fields } = parsed.value;
  if (typeof kind !== "string") return err(`a command needs its "kind": one of ${KINDS.join(", ")}`);
  if (!isKind(kind)) return err(unknownKind(kind));
  const found = misfit(COMMAND_FIELDS[kind], fields);
  if (found) return err(`${kind}: expected ${place(found.path)} ${found.expected.replace(/^(?!to )/, "to be ")}`);
  // as: the definition of this kind has just vouched for the fields.
  return checked({ kind, ...DEFAULTS[kind], ...fields } as KernelCommand);
}

const DEFAULTS: Readonly<Partial<Record<KernelCommand["kind"], object>>> = {
  "submit-message": { mentions: [] },
  slash: { args: "" },
};

function parse(text: string): Result<Readonly<Record<string, unknown>>, string> {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? ok(value as Readonly<Record<string, unknown>>) : err("a command is a JSON object");
  } catch (error) {
    return err(`not JSON: ${errorMessage(error)}`);
  }
}

const isKind = (kind: string): kind is KernelCommand["kind"] => KINDS.includes(kind);

function unknownKind(kind: string): string {
  const shown = JSON.stringify(kind.slice(0, 60));
  const guess = nearest(kind.slice(0, 60), KINDS);
  return `unknown kind ${shown}; ${guess ? `did you mean "${guess}"?` : `known are ${KINDS.join(", ")}`}`;
}

const place = (path: readonly (string | number)[]): string =>
  path.length === 0 ? "it" : JSON.stringify(path.join("."));

/** What fits by its fields, and still cannot be done. */
function checked(command: KernelCommand): Result<KernelCommand, string> {
  const unknown = command.kind === "slash" ? whyNotHeadless(command.command) : undefined;
  if (unknown !== undefined) return err(`slash: ${unknown}`);
  const said = "text" in command ? command.text : command.kind === "shell" ? command.command : "";
  if (byteLength(JSON.stringify(said)) > MAX_RECORDED_BYTES) {
    return err(`${command.kind}: the text is larger than can be recorded; put it into a file and mention the file`);
  }
  const backwards =
    "mentions" in command ? command.mentions?.find(({ range }) => range && range.end < range.start) : undefined;
  if (backwards) return err(`${command.kind}: a range ends before it begins`);
  return ok(command);
}
