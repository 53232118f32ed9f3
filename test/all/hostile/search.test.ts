import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { documentOf } from "./documents.ts";
import { knowsProcessorTime } from "./efforts.ts";
import { type Laboratory, openLaboratory } from "./laboratory.ts";
import { search, strains } from "./search.ts";

/**
 * `npm run test:hostile` searches for as long as HOSTILE_SECONDS says. `npm test` does not: a search
 * of moments finds nothing, and times say nothing beside other work.
 */
const seconds = Number(process.env.HOSTILE_SECONDS ?? 0);
const seed = Number(process.env.HOSTILE_SEED ?? Date.now() % 1_000_000);
const describeOnDemand = seconds > 0 ? describe : describe.skip;

describeOnDemand("the worst document that a search finds", () => {
  let laboratory: Laboratory;
  beforeAll(async () => {
    laboratory = await openLaboratory(1000);
  });
  afterAll(() => laboratory.close());

  it(
    "strains nothing more than 20 times as much per point as the usual one",
    async () => {
      const start = performance.now();
      const isOver = (): boolean => performance.now() - start > seconds * 1000;
      const { all, median, page, worst } = await search(laboratory, { seed, until: isOver });

      const accepted = all.filter(({ measured }) => measured.isAccepted).length;
      console.log(`seed ${seed}: ${all.length} documents, ${accepted} executed`, {
        median,
        page,
      });
      for (const strain of strains) {
        const { genome, measured } = worst[strain];
        const { query } = documentOf(laboratory.schema, genome, laboratory.ids);
        console.log("the worst by", strain, measured, genome, query.slice(0, 1500));
      }
      for (const strain of strains.filter((it) => it !== "databaseMs" || knowsProcessorTime)) {
        const usual = Math.max(median[strain], page[strain]);
        expect(worst[strain].measured[strain]).toBeLessThan(20 * usual);
      }
    },
    (seconds + 120) * 1000,
  );
});
