/** The demo's screen: the agent's work as it happens, and at the end the evidence that the log holds. */
import { createSanitizer, type KhaelorEvent, type Sanitizer, sanitize } from "../shared/index.ts";
import type { Output } from "./output.ts";
import type { Paint } from "./paint.ts";
import type { RunResult } from "./result.ts";
import { callSummary, indented } from "./transcript.ts";
import { createWordWrap, type WordWrap, wrapped } from "./word-wrap.ts";

const OUTPUT_LINES = 30;
const DIFF_LINES = 60;

export interface Screen {
  readonly output: Output;
  readonly paint: Paint;
  /** Columns of the terminal; undefined when there is none. */
  readonly width: number | undefined;
}

/** A text that is arriving: its lane, and what stands between it and the terminal. */
interface Streaming {
  readonly block: string;
  readonly cleaner: Sanitizer;
  readonly wrap: WordWrap;
}

/** Prints each event once: text while it streams, results when they are recorded. */
export function demoReporter({ output, paint, width }: Screen): (event: KhaelorEvent) => void {
  let streaming: Streaming | undefined;
  const finishText = () => {
    if (streaming) output.out(`${streaming.wrap.push(streaming.cleaner.end())}${streaming.wrap.end()}\n`);
    streaming = undefined;
  };
  const streamed = (block: string): Streaming => {
    if (streaming?.block === block) return streaming;
    finishText();
    output.out("\n");
    streaming = { block, cleaner: createSanitizer(), wrap: createWordWrap(width) };
    return streaming;
  };
  return (event) => {
    switch (event.type) {
      case "model.text-delta": {
        const { cleaner, wrap } = streamed(blockOf(event.payload));
        output.out(wrap.push(cleaner.push(event.payload.text)));
        break;
      }
      case "model.text-block-completed":
        if (streaming?.block === blockOf(event.payload)) finishText();
        else output.out(`\n${wrapped(sanitize(event.payload.text), width)}\n`);
        break;
      default: {
        const lines = recorded(event, paint, width);
        if (lines.length > 0) finishText();
        output.out(lines.map((line) => `${line}\n`).join(""));
      }
    }
  };
}

const blockOf = ({ requestId, blockIndex }: { readonly requestId: string; readonly blockIndex: number }): string =>
  `${requestId}/${blockIndex}`;

function recorded(event: KhaelorEvent, paint: Paint, width: number | undefined): readonly string[] {
  switch (event.type) {
    case "session.resumed":
      return [paint.dim("(resumed from the log)")];
    case "user.message-created":
      return event.payload.by === "kernel"
        ? []
        : ["", paint.bold(wrapped(`you: ${sanitize(event.payload.text)}`, width))];
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
      const by = observedFrom === "tool" ? "the model" : "khaelor";
      const line = `${exitCode === 0 ? "✓" : "✗"} check recorded: ${command}, exit code ${exitCode} (run by ${by})`;
      return [(exitCode === 0 ? paint.green : paint.red)(wrapped(line, width))];
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
  if (/^ {2}(\+\+\+|---) /.test(line)) return paint.dim(line);
  if (/^ {2}\+/.test(line)) return paint.green(line);
  return /^ {2}-/.test(line) ? paint.red(line) : paint.dim(line);
}

/** What the log can prove of the run, and where it lies. */
export function demoSummary(result: RunResult, { paint, width }: Screen, folder: string): string {
  const lines = [
    "",
    ending(result, paint),
    `  changed   ${result.changed_files.join(", ") || "nothing"}`,
    ...result.checks.map(
      ({ command, exitCode, summary }) => `  check     ${command} → exit code ${exitCode}, ${sanitize(summary)}`,
    ),
    `  verified  ${result.verified ? "yes, by the recorded exit code" : "no"}`,
    ...(result.status === "idle" ? [] : [...result.issues.map((issue) => `  open      ${issue}`), ...spent(result)]),
    `  project   ${folder}`,
    `  session   ${result.session_path}`,
    "",
    paint.dim(wrapped(CLOSING, width)),
    "",
  ];
  return lines.join("\n");
}

function ending({ status }: RunResult, paint: Paint): string {
  if (status === "idle") return paint.green(paint.bold("■ this demo had already finished; its log says:"));
  return status === "completed" ? paint.green(paint.bold("■ task.completed")) : paint.red(`■ ${status}`);
}

function spent({ usage, num_turns }: RunResult): readonly string[] {
  const prompt = usage.input + usage.cache_read + usage.cache_write;
  const share = prompt === 0 ? "" : ` (${Math.round((100 * usage.cache_read) / prompt)} %)`;
  return [
    `  tokens    ${prompt} in, ${usage.output} out, in ${num_turns} requests`,
    `  cache     ${usage.cache_read} of them read from the prompt cache${share}`,
  ];
}

const CLOSING = [
  "The model was scripted: it is a server inside this program, and no network was used. The loop, the tools, the tests",
  'and the log are real. With ANTHROPIC_API_KEY set, in your own repository:\n\n  khaelor "what to do"',
].join(" ");
