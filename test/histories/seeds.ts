import { effort } from "../support/effort.ts";

const { HISTORY_SEED, HISTORIES } = process.env;

/** The same in every `npm test`, and others in every longer run. HISTORY_SEED repeats one. */
const first = Number(HISTORY_SEED ?? effort(1, Date.now() % 1_000_000));

/** HISTORIES says how many are tried, from the first one on. */
export const seeds: readonly number[] = Array.from(
  { length: Number(HISTORIES ?? (HISTORY_SEED ? 1 : effort(1, 6))) },
  (_, i) => first + i,
);
