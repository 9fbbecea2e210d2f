/**
 * Prints the documents that are derived from tables: of the event catalogue `docs/EVENTS.md` for people and
 * `docs/events.schema.json` for programs, of the slash commands `docs/COMMANDS.md`, of the keys `docs/KEYS.md`. With `--check` it writes
 * nothing and fails when one of them is stale.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SLASH_COMMANDS } from "../src/cli/slash/commands.ts";
import { SLASH_GROUPS, type SlashEntry } from "../src/cli/slash/define.ts";
import { CATALOG, type Definition, jsonSchema } from "../src/shared/index.ts";
import { keysPage } from "./keys-page.ts";

const DOCS = join(import.meta.dir, "../docs");

/** A definition as a person would write the type. */
function shape(definition: unknown): string {
  if (typeof definition === "string") return definition.replaceAll("'", '"').replaceAll("number.integer", "integer");
  if (Array.isArray(definition)) return definition[1] === "[]" ? `${shape(definition[0])}[]` : shape(definition[0]);
  return `{ ${Object.entries(definition as object)
    .map(field)
    .join(", ")} }`;
}
const field = ([key, definition]: [string, unknown]) => `${key}: ${shape(definition)}`;

const code = (text: string) => `\`${text.replaceAll("|", "\\|")}\``;

function row(definition: Definition): string {
  const fields = Object.entries(definition.payload).map((entry) => code(field(entry)));
  const kind = definition.durable ? "durable" : "ephemeral";
  const version = definition.durable && definition.v > 1 ? ` v${definition.v}` : "";
  return `| ${code(definition.type)} | ${kind}${version} | ${fields.join("<br>")} | ${definition.meaning} |`;
}

function eventsPage(): string {
  const families = Map.groupBy(CATALOG, ({ type }) => type.slice(0, type.indexOf(".")));
  const durable = CATALOG.filter((one) => one.durable).length;
  const sections = [...families].map(
    ([family, members]) =>
      `## ${family}\n\n| type | class | fields | meaning |\n| --- | --- | --- | --- |\n${members.map(row).join("\n")}\n`,
  );
  return `# Events

Printed by \`scripts/docs.ts\` from the catalogue in \`src/shared/events\`; edit that, never this page.

${durable} durable events and ${CATALOG.length - durable} ephemeral ones; the vocabulary is closed, its fields are not. A durable event is one line of the session's
log: \`{ v, id, sessionId, seq, ts, type, payload }\`, keys in this order, payload keys in the order of the tables.
\`seq\` counts from 1 without gaps, \`ts\` is epoch milliseconds, \`v\` is the version of this type's payload. An ephemeral event reaches
live subscribers only and has neither \`v\` nor \`seq\`. A field with \`?\` may be absent. Readers must tolerate fields, union members and
types that they do not know. The same as JSON Schema: \`events.schema.json\`.

${sections.join("\n")}`;
}

function eventSchema(definition: Definition): object {
  const text = { type: "string", minLength: 1 };
  const positive = { type: "integer", minimum: 1 };
  const tail = { type: { const: definition.type }, payload: jsonSchema(definition.payload) };
  const common = { id: text, sessionId: text };
  const properties = definition.durable
    ? { v: { const: definition.v }, ...common, seq: positive, ts: { type: "number" }, ...tail }
    : { ...common, ts: { type: "number" }, ...tail };
  return { description: definition.meaning, type: "object", properties, required: Object.keys(properties) };
}

function eventsSchema(): string {
  const $defs = Object.fromEntries(CATALOG.map((definition) => [definition.type, eventSchema(definition)]));
  const branch = (durable: boolean) =>
    CATALOG.filter((one) => one.durable === durable).map(({ type }) => ({ $ref: `#/$defs/${type}` }));
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "KHAELOR events as this version writes them",
    description:
      "Readers must tolerate unknown fields, unknown members of string enumerations and unknown event types.",
    anyOf: [{ $ref: "#/$defs/durable" }, { $ref: "#/$defs/ephemeral" }],
    $defs: { durable: { oneOf: branch(true) }, ephemeral: { oneOf: branch(false) }, ...$defs },
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

const HEADINGS: Readonly<Record<SlashEntry["group"], string>> = {
  session: "Sessions",
  model: "The model, what it sees and what it costs",
  work: "Work",
  files: "Changes and text",
  settings: "Settings",
  screen: "The screen",
  help: "Help",
};

function commandRow({ name, args, aliases, about, whileBusy }: SlashEntry): string {
  const also = aliases.map((alias) => code(`/${alias}`)).join(" ");
  return `| ${code(`/${name} ${args}`.trim())} | ${also} | ${whileBusy ? "yes" : "no"} | ${about.replaceAll("|", "\\|")} |`;
}

function commandsPage(): string {
  const sections = SLASH_GROUPS.map((group) => {
    const rows = SLASH_COMMANDS.filter((entry) => entry.group === group).map(commandRow);
    return `## ${HEADINGS[group]}\n\n| command | also | while a turn runs | what it does |\n| --- | --- | --- | --- |\n${rows.join("\n")}\n`;
  });
  return `# Slash commands

Printed by \`scripts/docs.ts\` from the tables in \`src/cli/slash\`; edit those, never this page.

Typed at the beginning of a message on the terminal. What stands in brackets may be left out; the terminal then asks, or shows all.
\`/help COMMAND\` says the same there. A name that comes in a later version is answered as such, and an unknown one with the nearest.

${sections.join("\n")}`;
}

const documents = {
  "EVENTS.md": eventsPage(),
  "events.schema.json": eventsSchema(),
  "COMMANDS.md": commandsPage(),
  "KEYS.md": keysPage(),
};
const stale = Object.entries(documents).filter(([name, content]) => {
  const path = join(DOCS, name);
  return !existsSync(path) || readFileSync(path, "utf8") !== content;
});
if (process.argv.includes("--check")) {
  for (const [name] of stale) console.log(`docs/${name} is stale: run \`scripts/bun run docs\``);
  process.exit(stale.length > 0 ? 1 : 0);
}
mkdirSync(DOCS, { recursive: true });
for (const [name, content] of stale) {
  writeFileSync(join(DOCS, name), content);
  console.log(`wrote docs/${name}`);
}
