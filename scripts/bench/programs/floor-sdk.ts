/**
 * What the official SDK needs for the same conversation with next to no agent: one streamed message, and as long as the
 * answer holds calls of `bash`, their commands are run through pipes, the history is kept, and it asks again.
 */
import type { ContentBlock, MessageParam, ToolResultBlockParam } from "@anthropic-ai/sdk/resources/messages/messages";

const TOOL = {
  name: "bash",
  description: "Runs a command.",
  input_schema: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
} as const;

const { Anthropic } = await import("@anthropic-ai/sdk"); // lazily, because the build refuses it at start
const client = new Anthropic({ maxRetries: 0 });
const messages: MessageParam[] = [{ role: "user", content: process.argv[2] ?? "hello" }];
for (;;) {
  const answer = await ask();
  messages.push({ role: "assistant", content: answer });
  const results: ToolResultBlockParam[] = [];
  for (const block of answer) {
    if (block.type !== "tool_use") continue;
    const { command } = block.input as { readonly command: string };
    results.push({ type: "tool_result", tool_use_id: block.id, content: await run(command) });
  }
  if (results.length === 0) break;
  messages.push({ role: "user", content: results });
}

async function ask(): Promise<ContentBlock[]> {
  const stream = await client.messages.create({
    model: "claude-opus-5-5",
    max_tokens: 32_000,
    thinking: { type: "adaptive" },
    messages,
    tools: [{ ...TOOL, input_schema: { ...TOOL.input_schema, required: ["command"] } }],
    stream: true,
  });
  const blocks: ContentBlock[] = [];
  let json = "";
  for await (const event of stream) {
    if (event.type === "content_block_start") {
      blocks.push(event.content_block);
      json = "";
    }
    const last = blocks.at(-1);
    if (event.type === "content_block_delta" && event.delta.type === "text_delta" && last?.type === "text") {
      last.text += event.delta.text;
      process.stdout.write(event.delta.text);
    }
    if (event.type === "content_block_delta" && event.delta.type === "input_json_delta")
      json += event.delta.partial_json;
    if (event.type === "content_block_stop" && last?.type === "tool_use") last.input = JSON.parse(json || "{}");
  }
  return blocks;
}

async function run(command: string): Promise<string> {
  const child = Bun.spawn(["/bin/bash", "-c", command], { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  await child.exited;
  return out + errors || "(no output)";
}
