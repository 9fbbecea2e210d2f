/**
 * What becomes of what is sent: a command of the user's own, a slash command, steering, or a message. Pure: the caller acts.
 * What cannot be done now is said, and the draft stays.
 */
import type { KernelCommand } from "../../shared/index.ts";
import type { Said } from "../input/said.ts";
import { isKeyAlone } from "../input/secrets.ts";
import { commandNamed, slashDraft } from "../input/slash.ts";
import type { SlashCommand } from "../ports.ts";
import { oneName } from "../spelling.ts";

export type Intent =
  | { readonly kind: "dispatch"; readonly command: KernelCommand }
  | { readonly kind: "slash"; readonly command: SlashCommand; readonly args: string }
  | { readonly kind: "refused"; readonly why: string };

export interface Circumstances {
  readonly commands: readonly SlashCommand[];
  /** What to say of a name that is none of theirs. */
  readonly unknownCommand: (name: string) => string;
  readonly isBusy: boolean;
  /** `queue`: behind the turn that runs. */
  readonly how: "send" | "queue";
  /** The session is only looked at. */
  readonly isReadOnly?: boolean;
  /** What stops a turn, as it is shown; undefined when no key does. */
  readonly stopKey: string | undefined;
}

export function intentOf({ text, mentions }: Said, circumstances: Circumstances): Intent {
  if (isKeyAlone(text)) return refused(KEY_ALONE);
  const slash = slashDraft(text);
  if (circumstances.isReadOnly && !slash) return refused(READ_ONLY);
  if (text.startsWith("!")) return shell(text.slice(1).trim());
  if (slash) return slashIntent(slash.name, slash.args ?? "", circumstances);
  if (!circumstances.isBusy) return { kind: "dispatch", command: { kind: "submit-message", text, mentions } };
  const deliver = circumstances.how === "queue" ? "next-turn" : "now";
  return { kind: "dispatch", command: { kind: "steer", text, deliver, mentions } };
}

const refused = (why: string): Intent => ({ kind: "refused", why });

const KEY_ALONE = "This looks like an API key, which the model must not see. /login keeps one.";

const shell = (command: string): Intent =>
  command === ""
    ? refused("Behind ! stands a command, as in !ls.")
    : { kind: "dispatch", command: { kind: "shell", command } };

/** How to go on was said when it was opened. */
const READ_ONLY = "This session is only looked at. /fork goes on in a copy of it, /new begins another.";

/** Why a command cannot be used on a session that is only looked at. */
export const readOnlyRefusal = ({ name }: Pick<SlashCommand, "name">): string =>
  `/${name} needs a session that is open for writing. /fork goes on in a copy of this one.`;

const AS_TEXT = "To send it as text, put a blank before it.";

function slashIntent(typed: string, args: string, circumstances: Omit<Circumstances, "how">): Intent {
  const { commands, unknownCommand, isBusy, stopKey } = circumstances;
  if (typed === "") return refused(`Behind / stands the name of a command. ${AS_TEXT}`);
  const command = commandNamed(commands, typed);
  if (!command) return refused(`${unknownCommand(oneName(typed, 40)).replace(/[^.?!]$/, "$&.")} ${AS_TEXT}`);
  if (circumstances.isReadOnly && !command.whileReadOnly) return refused(readOnlyRefusal(command));
  if (isBusy && !command.whileBusy)
    return refused(
      `/${command.name} waits for the end of the turn${stopKey === undefined ? "" : `; ${stopKey} stops it`}.`,
    );
  if (command.args === "" && args.trim() !== "") return refused(`/${command.name} stands alone. ${AS_TEXT}`);
  return { kind: "slash", command, args: args.trim() };
}
