/** The least that OpenTUI can be: some rows of text and its editor, painted once. Ends with Ctrl+C. */
const { BoxRenderable, CliRenderer, TextareaRenderable, TextRenderable } = await import("@opentui/core"); // lazily, because the build refuses it at start
const { columns = 80, rows = 24 } = process.stdout;
const renderer = new CliRenderer(process.stdin, process.stdout, columns, rows, {
  exitOnCtrlC: true,
  useMouse: true,
  enableMouseMovement: false,
  openConsoleOnError: false,
  consoleMode: "disabled",
});
const column = new BoxRenderable(renderer, { flexDirection: "column", width: "100%", height: "100%" });
const composer = new TextareaRenderable(renderer, { height: 1, placeholder: "Message" });
column.add(new TextRenderable(renderer, { content: "FULL_FRAME", flexGrow: 1 }));
column.add(composer);
column.add(new TextRenderable(renderer, { content: "ready" }));
renderer.root.add(column);
composer.focus();
await renderer.setupTerminal();

export {};
