/** A program for one test: asks the server named on the command line once and prints the answer, or the kind of the failure. */
import { clientOf, gather, textOf } from "./driver.ts";

const [baseURL = ""] = process.argv.slice(2);
const { events, failure } = await gather(clientOf(baseURL, { maxAttempts: 1 }));
console.log(failure?.kind ?? textOf(events));
