import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { documentOf } from "./documents.ts";
import { type Laboratory, openLaboratory } from "./laboratory.ts";
import { search, strains } from "./search.ts";

/** `npm run test:hostile` searches for as long as HOSTILE_SECONDS says; `npm test` for a moment. */
const seconds = Number(process.env.HOSTILE_SECONDS ?? 0);
const DOCUMENTS = 250;
const seed = Number(process.env.HOSTILE_SEED ?? 8);

let laboratory: Laboratory;
beforeAll(async () => {
  laboratory = await openLaboratory(seconds > 0 ? 1000 : 100);
});
afterAll(() => laboratory.close());

describe("the worst document that a search finds", () => {
  it(
    "strains nothing more than 20 times as much per point as the usual one",
    async () => {
      const start = performance.now();
      const isOver = (measured: number): boolean =>
        seconds > 0 ? performance.now() - start > seconds * 1000 : measured >= DOCUMENTS;
      const { all, median, worst } = await search(laboratory, { seed, until: isOver });

      const accepted = all.filter(({ measured }) => measured.isAccepted).length;
      console.log(`${all.length} documents, ${accepted} executed`, median);
      for (const strain of strains) {
        const { genome, measured } = worst[strain];
        console.log(strain, measured, genome);
        console.log(documentOf(laboratory.schema, genome, laboratory.ids).query.slice(0, 1500));
      }
      for (const strain of strains) {
        expect(worst[strain].measured[strain]).toBeLessThan(20 * median[strain]);
      }
    },
    (seconds + 120) * 1000,
  );
});
