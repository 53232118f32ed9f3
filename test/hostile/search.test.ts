import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { documentOf } from "./documents.ts";
import { knowsProcessorTime } from "./efforts.ts";
import { type Laboratory, openLaboratory } from "./laboratory.ts";
import { search, strains } from "./search.ts";

/** `npm run test:hostile` searches for as long as HOSTILE_SECONDS says; `npm test` for a moment. */
const seconds = Number(process.env.HOSTILE_SECONDS ?? 0);
const DOCUMENTS = 200;
/** The same in every `npm test`, and another one in every longer run. */
const seed = Number(process.env.HOSTILE_SEED ?? (seconds > 0 ? Date.now() % 1_000_000 : 8));

let laboratory: Laboratory;
beforeAll(async () => {
  laboratory = await openLaboratory(seconds > 0 ? 1000 : 100);
});
afterAll(() => laboratory.close());

/** Times depend on what else the machine does, so only the longer run, alone on it, compares them. */
const compared =
  seconds > 0
    ? strains.filter((it) => it !== "databaseMs" || knowsProcessorTime)
    : (["heap", "bytes"] as const);

describe("the worst document that a search finds", () => {
  it(
    "strains nothing more than 20 times as much per point as the usual one",
    async () => {
      const start = performance.now();
      const isOver = (measured: number): boolean =>
        seconds > 0 ? performance.now() - start > seconds * 1000 : measured >= DOCUMENTS;
      const { all, median, page, worst } = await search(laboratory, { seed, until: isOver });

      if (seconds > 0) {
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
      }
      for (const strain of compared) {
        const usual = Math.max(median[strain], page[strain]);
        expect(worst[strain].measured[strain]).toBeLessThan(20 * usual);
      }
    },
    (seconds + 120) * 1000,
  );
});
