/** What users do beside typing: they mention files, folders and images, answer questions about them, and run commands. */
import type { AgentDeps } from "../../../src/agent/index.ts";
import type { Mention } from "../../../src/shared/index.ts";
import { ATTACHMENTS } from "./images.ts";
import { interrupt, noise, type World } from "./world.ts";

type CaptureMentions = AgentDeps["captureMentions"];
type Captured = Awaited<ReturnType<CaptureMentions>>;

/** It takes its time, in which the turn goes on; what it finds would be another thing a moment later. */
export const scriptedCapture =
  (world: World): CaptureMentions =>
  async (mentions, signal) => {
    const pieces: Captured[] = [];
    for (const mention of mentions) {
      noise(world);
      await Promise.resolve();
      if (world.dice.chance(0.06)) interrupt(world);
      pieces.push(await captured(world, mention, signal));
    }
    return {
      context: pieces.flatMap(({ context }) => context),
      mentions: pieces.flatMap((piece) => piece.mentions),
      attachments: pieces.flatMap(({ attachments }) => attachments),
      reads: pieces.flatMap(({ reads }) => reads),
    };
  };

async function captured(world: World, mention: Mention, signal: AbortSignal): Promise<Captured> {
  const { dice, count } = world;
  const said = (text: string) => [{ name: mention.path, text: `<mentioned>\n${text} ${count()}\r\n</mentioned>` }];
  const nothing = { mentions: [mention], attachments: [], reads: [] };
  if (signal.aborted || (dice.chance(0.2) && !(await mayRead(world, mention)))) {
    return { ...nothing, context: said("Not given.") };
  }
  const attachment = dice.chance(0.5) ? dice.some(ATTACHMENTS) : undefined;
  if (attachment) {
    const { sha256 } = attachment;
    return { ...nothing, context: said("Below:"), mentions: [{ ...mention, sha256 }], attachments: [attachment] };
  }
  const sha256 = `h${count()}`;
  const read = { path: mention.path, bytes: 1, mtimeMs: 1, sha256 };
  return { ...nothing, context: said("1\tline"), mentions: [{ ...mention, sha256 }], reads: [read] };
}

/** Asked and answered, unless nobody is there any more: then the question ends with the process. */
async function mayRead({ session, agent, dice, count }: World, { path }: Mention): Promise<boolean> {
  const requestId = `p${count()}`;
  const payload = { permissionRequestId: requestId, capability: "file.read", descriptor: path, mention: path };
  session.handle.publish({ type: "permission.requested", payload });
  if (dice.chance(0.2)) session.dieAfter(0);
  await Promise.resolve();
  const granted = dice.chance(0.5);
  agent.dispatch({ kind: "permission-response", requestId, decision: granted ? "once" : "deny" });
  return granted;
}

export const scriptedShell =
  (world: World): AgentDeps["userShell"] =>
  async (command, signal) => {
    noise(world);
    await Promise.resolve();
    if (world.dice.chance(0.06)) interrupt(world);
    const output = signal.aborted ? "[Not run]" : `out ${world.count()}\ud800`;
    const text = `<user-shell>\n$ ${command}\n${output}\n</user-shell>`;
    const shell = { command, exitCode: signal.aborted ? null : 0, output };
    return { text: "", mentions: [], by: "user", context: [{ name: "shell", text }], shell };
  };
