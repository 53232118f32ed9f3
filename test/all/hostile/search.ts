import { random } from "../../support/random.ts";
import { documentOf } from "./documents.ts";
import { type Genome, mutated, randomGenome } from "./genome.ts";
import type { Laboratory, Measured, Strain } from "./laboratory.ts";

export interface Found {
  readonly genome: Genome;
  readonly measured: Measured;
  /** Whether it was made without regard to what was found before. */
  readonly isRandom: boolean;
}

export interface Findings {
  readonly all: readonly Found[];
  /** The costs of the random documents that are executed. */
  readonly median: Strain;
  /** The costs of a page of spots, as people read it. */
  readonly page: Strain;
  /** The greatest strain of each kind. */
  readonly worst: Readonly<Record<keyof Strain, Found>>;
}

export const strains = ["nodeMs", "databaseMs", "heap", "bytes"] as const;

const PAGE = {
  query: `query Main { spots { nodes {
    id spotNumber buildingSection isVerified ownerId createdAt updatedAt } } }`,
  operationName: "Main",
  variables: {},
};

const BEST_KEPT = 5;

/** Measures random documents, and then variations of the worst ones. */
export async function search(
  laboratory: Laboratory,
  { seed, until }: { readonly seed: number; readonly until: () => boolean },
): Promise<Findings> {
  const dice = random(seed);
  const all: Found[] = [];

  const measure = async (genome: Genome): Promise<Measured> =>
    laboratory.measure(documentOf(laboratory.schema, genome, laboratory.ids));

  for (let i = 0; i < 10; i++) await laboratory.measure(PAGE); // the first ones are compiled
  while (!until()) {
    const strain = dice.pick(strains);
    const isRandom = all.length < 100 || dice.below(3) === 0;
    const genome = isRandom
      ? randomGenome(dice)
      : mutated(dice.pick(worstFirst(all, strain).slice(0, BEST_KEPT)).genome, dice);
    const first = await measure(genome);
    // A single measurement may include the compiler, garbage of others, or a busy machine's pause.
    const isSuspect = strains.some((it) => isAmongWorst(all, it, first[it]));
    const measured = isSuspect
      ? leastOf(first, await measure(genome), await measure(genome))
      : first;
    all.push({ genome, isRandom, measured });
  }
  return {
    all,
    median: medianOf(all.filter((it) => it.isRandom && it.measured.isAccepted)),
    page: leastOf(
      await laboratory.measure(PAGE),
      await laboratory.measure(PAGE),
      await laboratory.measure(PAGE),
    ),
    worst: ofEach((strain) => worstOf(all, strain)),
  };
}

const worstFirst = (all: readonly Found[], strain: keyof Strain): readonly Found[] =>
  all.toSorted((a, b) => b.measured[strain] - a.measured[strain]);

function worstOf(all: readonly Found[], strain: keyof Strain): Found {
  const [worst] = worstFirst(all, strain);
  if (!worst) throw new Error("nothing was measured");
  return worst;
}

const isAmongWorst = (all: readonly Found[], strain: keyof Strain, value: number): boolean =>
  all.filter(({ measured }) => measured[strain] > value).length < BEST_KEPT;

const leastOf = (...measured: readonly [Measured, ...Measured[]]): Measured => ({
  ...measured[0],
  ...ofEach((strain) => Math.min(...measured.map((it) => it[strain]))),
});

const medianOf = (found: readonly Found[]): Strain =>
  ofEach(
    (strain) =>
      found.map(({ measured }) => measured[strain]).toSorted((a, b) => a - b)[
        Math.floor(found.length / 2)
      ] ?? 0,
  );

const ofEach = <T>(find: (strain: keyof Strain) => T): Readonly<Record<keyof Strain, T>> => ({
  nodeMs: find("nodeMs"),
  databaseMs: find("databaseMs"),
  heap: find("heap"),
  bytes: find("bytes"),
});
