/** Changes one value of the user's own config file, or says why not and leaves the file as it was. */
import { err, ok, type Result } from "../shared/index.ts";
import { isBlank, withValue } from "./edit.ts";
import { findKey, nested, valueIn } from "./key-path.ts";
import { checkFile, checkLayer, type Placing } from "./layer.ts";
import { userConfigFile } from "./load.ts";
import { alone, MAX_CONFIG_BYTES, readRegularFile, replacePrivateFile } from "./loader.ts";
import { parseJson } from "./parse.ts";
import { keyText } from "./shown.ts";
import type { ConfigProblem } from "./types.ts";
import { strangeKey } from "./words.ts";

export interface Changed {
  readonly path: string;
  readonly value: unknown;
}

/**
 * `text` is JSON, or a plain word where one fits. The whole file is checked first, so that it is never left in a state that
 * stops the next start; it is then replaced in one step, and keeps its mode. A new one is for its owner alone.
 */
export async function setConfigValue(
  home: string,
  key: string,
  text: string,
): Promise<Result<Changed, readonly ConfigProblem[]>> {
  const path = userConfigFile(home);
  const found = findKey(key);
  if (!found) return err([{ file: "config set", key: keyText([key]), ...strangeKey(key) }]);
  const value = valueIn(text, found.definition);
  const wrong = problemsOf(nested(found.path, value));
  return wrong.length > 0 ? err(wrong) : alone(path, () => replaced(path, found.path, value));
}

async function replaced(
  path: string,
  key: readonly string[],
  value: unknown,
): Promise<Result<Changed, readonly ConfigProblem[]>> {
  const before = await readWhole(path);
  if (!before.ok) return err([before.error]);
  const already = broken(path, before.value.text, keyText(key));
  if (already.length > 0) return err(already);
  const after = withValue(before.value.text, key, value);
  if (!after.ok) return err([{ file: path, key: keyText(key), expected: "a value to replace", got: after.error }]);
  const still = broken(path, after.value);
  if (still.length > 0) return err(still);
  const now = await readWhole(path);
  if (!now.ok || now.value.text !== before.value.text) {
    return err([{ file: path, key: "", expected: "nobody else to write it now", got: "a change; try again" }]);
  }
  const written = await replacePrivateFile(path, after.value, before.value.mode);
  return written.ok
    ? ok({ path, value })
    : err([{ file: path, key: "", expected: "a file that can be written", got: written.error }]);
}

const SETTING: Placing = (path) => ({ file: "config set", key: keyText(path) });

const problemsOf = (value: unknown): readonly ConfigProblem[] => {
  const { problems, unknown } = checkLayer(value, SETTING);
  return [...problems, ...unknown];
};

/** What is wrong in the file; `except` is the key that is about to be set, and what stands below it. */
function broken(path: string, text: string, except?: string): readonly ConfigProblem[] {
  if (isBlank(text)) return [];
  const parsed = parseJson(text);
  if (!parsed.ok) return [{ file: path, key: "", ...parsed.error }];
  const { problems, unknown } = checkFile(path, parsed.value);
  const isExcepted = ({ key }: ConfigProblem) =>
    except !== undefined && (key === except || key.startsWith(`${except}.`));
  return [...problems, ...unknown].filter((problem) => !isExcepted(problem));
}

interface Whole {
  readonly text: string;
  readonly mode: number;
}

const OWNER_ALONE = 0o600;

/** A missing file is an empty one. What cannot be written back byte for byte is refused. */
async function readWhole(path: string): Promise<Result<Whole, ConfigProblem>> {
  const refused = (expected: string, got: string) => err({ file: path, key: "", expected, got });
  const file = await readRegularFile(path, MAX_CONFIG_BYTES);
  if (!file.ok) return refused("a readable file", file.error);
  if (file.value === undefined) return ok({ text: "", mode: OWNER_ALONE });
  const { text, isUtf8, mode, sizeBytes } = file.value;
  if (sizeBytes > MAX_CONFIG_BYTES) return refused("at most 1 MiB", `${sizeBytes} bytes`);
  return isUtf8 ? ok({ text, mode }) : refused("text in UTF-8", "other bytes");
}
