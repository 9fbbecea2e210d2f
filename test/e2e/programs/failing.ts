/**
 * The program with faults that it must survive, which are not in what is shipped: text that cannot be painted, and exceptions
 * that nobody catches, thrown when SIGUSR2 comes. `FAULT` says which.
 */
const { OptimizedBuffer } = await import("@opentui/core");
const { drawText } = OptimizedBuffer.prototype;
OptimizedBuffer.prototype.drawText = function (text, ...more) {
  if (process.env.FAULT === "paint" && text.includes("unpaintable")) throw new Error("this cannot be painted");
  drawText.call(this, text, ...more);
};

process.on("SIGUSR2", () => {
  const error = new Error("nobody catches this");
  if (process.env.FAULT === "rejection") void Promise.reject(error);
  else throw error;
});

await import("../../../src/cli/main.ts");

export {};
