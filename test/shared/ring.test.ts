/** A ring keeps what a plain list of all bytes would end with. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { createRing } from "../../src/shared/index.ts";

test("property: whatever is written in whatever pieces, the newest bytes are kept and all are counted", () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 12 }), { maxLength: 12 });
  fc.assert(
    fc.property(fc.nat(9), pieces, (limit, chunks) => {
      const ring = createRing(limit);
      for (const chunk of chunks) ring.write(chunk);
      const all = chunks.flatMap((chunk) => [...chunk]);
      const newest = limit === 0 ? [] : all.slice(-limit);
      expect([[...ring.bytes()], ring.written()]).toEqual([newest, all.length]);
    }),
    { seed: 20261130 },
  );
});
