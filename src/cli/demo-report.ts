/** The demo's screen: the agent's work as it happens, and at the end the evidence that the log holds. */
import { type KhaelorEvent, sanitize } from "../shared/index.ts";
import type { Output } from "./output.ts";
import type { Paint } from "./paint.ts";
import type { RunResult } from "./result.ts";
import { callSummary, indented } from "./transcript.ts";

const OUTPUT_LINES = 30;
const DIFF_LINES = 60;

/** Prints each event once: text while it streams, results when they are recorded. */
export function demoReporter(output: Output, paint: Paint): (event: KhaelorEvent) => void {
  const streamed = new Set<string>();
  const block = (event: { readonly requestId: string; readonly blockIndex: number }) =>
    `${event.requestId}/${event.blockIndex}`;
  return (event) => {
    switch (event.type) {
      case "model.text-delta":
        if (!streamed.has(block(event.payload))) output.out("\n");
        streamed.add(block(event.payload));
        output.out(sanitize(event.payload.text));
        break;
      case "model.text-block-completed":
        output.out(streamed.has(block(event.payload)) ? "\n" : `\n${sanitize(event.payload.text)}\n`);
        break;
      default:
        output.out(
          recorded(event, paint)
            .map((line) => `${line}\n`)
            .join(""),
        );
    }
  };
}

function recorded(event: KhaelorEvent, paint: Paint): readonly string[] {
  switch (event.type) {
    case "session.resumed":
      return [paint.dim("(resumed from the log)")];
    case "user.message-created":
      return event.payload.by === "kernel" ? [] : ["", paint.bold(`you: ${sanitize(event.payload.text)}`)];
    case "tool.requested":
      return ["", paint.bold(`▸ ${event.payload.toolName} ${callSummary(event.payload.input)}`)];
    case "tool.completed": {
      const { ui, modelText } = event.payload;
      const lines = ui.kind === "exec" ? indented(modelText, OUTPUT_LINES) : [`  ${sanitize(ui.summary)}`];
      return lines.map((line) => (/^\s*not ok\b/.test(line) ? paint.red(line) : paint.dim(line)));
    }
    case "tool.failed":
    case "tool.cancelled":
      return indented(event.payload.modelText, OUTPUT_LINES).map(paint.red);
    case "file.modified":
      return indented(event.payload.diff ?? "(no diff)", DIFF_LINES).map((line) => coloured(line, paint));
    case "verify.result": {
      const { exitCode, command, observedFrom } = event.payload;
      const line = `${exitCode === 0 ? "✓" : "✗"} check recorded: ${command}, exit code ${exitCode} (run by ${observedFrom === "tool" ? "the model" : "khaelor"})`;
      return [exitCode === 0 ? paint.green(line) : paint.red(line)];
    }
    case "model.request-failed":
      return [paint.red(`! ${event.payload.message}`)];
    case "task.failed":
      return ["", paint.red(`■ task.failed: ${event.payload.detail}`)];
    default:
      return [];
  }
}

function coloured(line: string, paint: Paint): string {
  if (/^\s{2}\+/.test(line)) return paint.green(line);
  return /^\s{2}-/.test(line) ? paint.red(line) : paint.dim(line);
}

/** What the log can prove of the run, and where it lies. */
export function demoSummary(result: RunResult, paint: Paint, folder: string): string {
  const { usage } = result;
  const prompt = usage.input + usage.cache_read + usage.cache_write;
  const share = prompt === 0 ? "" : ` (${Math.round((100 * usage.cache_read) / prompt)} % of the prompt tokens)`;
  const checks = result.checks.map(
    ({ command, exitCode, summary }) => `  check         ${command} → exit code ${exitCode}, ${summary}`,
  );
  const lines = [
    "",
    result.status === "completed" ? paint.green(paint.bold("■ task.completed")) : paint.red(`■ ${result.status}`),
    `  changed       ${result.changed_files.join(", ") || "nothing"}`,
    ...checks,
    `  verified      ${result.verified ? "yes, by the recorded exit code above" : "no"}`,
    ...result.issues.map((issue) => `  open          ${issue}`),
    `  tokens        ${prompt} in, ${usage.output} out, in ${result.num_turns} requests`,
    `  cache read    ${usage.cache_read} tokens${share}`,
    `  project       ${folder}`,
    `  session       ${result.session_path}`,
    "",
    paint.dim(
      "The model was scripted: it is a server inside this program, and no network was used. The loop, the tools, the",
    ),
    paint.dim(
      'tests and the log are real. With ANTHROPIC_API_KEY set: khaelor -p "what to do" in your own repository.',
    ),
    "",
  ];
  return lines.join("\n");
}
