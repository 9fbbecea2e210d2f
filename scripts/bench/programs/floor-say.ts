/**
 * The least that shows a streamed answer on a terminal: waits for Enter, asks the official SDK and prints what comes as it
 * comes. Ends when the answer has ended and Enter is pressed once more.
 */
const { Anthropic } = await import("@anthropic-ai/sdk"); // lazily, because the build refuses it at start
const client = new Anthropic({ maxRetries: 0 });
process.stdout.write("READY\n");
let isAsked = false;
for await (const line of console) {
  if (isAsked) break;
  isAsked = true;
  const stream = await client.messages.create({
    model: "claude-opus-5-5",
    max_tokens: 64_000,
    messages: [{ role: "user", content: line }],
    stream: true,
  });
  for await (const event of stream) {
    if (event.type === "content_block_delta" && event.delta.type === "text_delta")
      process.stdout.write(event.delta.text);
  }
}

export {};
