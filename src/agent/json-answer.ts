/** Whether an answer is the JSON that was asked for, in words that both a person and the model can act on. */
import { errorMessage } from "../shared/index.ts";
import { schemaMisfit } from "./json-schema.ts";

/** For the policy: undefined when the answer fits. */
export const answerFits =
  (schema: Readonly<Record<string, unknown>>) =>
  (answer: string): string | undefined => {
    const parsed = parse(answer);
    if ("problem" in parsed) return parsed.problem;
    const misfit = schemaMisfit(schema, parsed.value);
    if (!misfit) return undefined;
    const place = misfit.path.length === 0 ? "the whole" : `/${misfit.path.join("/")}`;
    return `at ${place} the schema expects ${misfit.expected}`;
  };

function parse(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { problem: `it is not JSON (${errorMessage(error)})` };
  }
}
