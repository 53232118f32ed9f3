import { FLOOR, SERVICE } from "./contenders/contender.ts";
import type { Result } from "./rounds.ts";
import { median } from "./statistics.ts";

/** By measurement and contender. */
export type Ratios = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** A fall of more than this is worth a look; less is noise. */
const TOLERATED_FALL = 0.2;

/** The rate as a share of another's, round by round. */
const ratiosByRound = (rates: readonly number[], others: readonly number[]): readonly number[] =>
  rates.map((rate, round) => rate / (others[round] ?? Number.NaN));

/** The least and the greatest of these shares: how far the rounds agree. */
export function rangeOf(
  rates: readonly number[],
  others: readonly number[],
): readonly [number, number] {
  const ratios = ratiosByRound(rates, others);
  return [Math.min(...ratios), Math.max(...ratios)];
}

/** The rate as a share of another's in the same rounds, so that a slow moment of the machine is in both. */
export const ratioOf = (rates: readonly number[], others: readonly number[]): number =>
  median(ratiosByRound(rates, others));

/** Each contender's rate in each measurement as a share of that of one of them. */
export const sharesOf = (results: readonly Result[], reference = FLOOR): Ratios =>
  comparedWith(reference, results, (it, other) => ratioOf(it.rates, other.rates));

/**
 * The same by processor time: what the reference uses for an answer, with its database, divided by
 * what the contender uses. It hardly depends on how fast the load generator is and what else the machine does.
 */
export const sharesByCost = (results: readonly Result[], reference = FLOOR): Ratios =>
  comparedWith(reference, results, (it, other) => costOf(other) / costOf(it));

const costOf = ({ serverCpu = Number.NaN, databaseCpu = 0 }: Result): number =>
  serverCpu + databaseCpu;

function comparedWith(
  reference: string,
  results: readonly Result[],
  compare: (result: Result, other: Result) => number,
): Ratios {
  const byMeasurement = Object.groupBy(results, (it) => it.measurement);
  return Object.fromEntries(
    Object.entries(byMeasurement).map(([measurement, group = []]) => {
      const other = group.find((it) => it.contender === reference);
      const ratios = group.map((it) => [it.contender, other ? compare(it, other) : Number.NaN]);
      return [measurement, Object.fromEntries(ratios)];
    }),
  );
}

/** Where the contender's ratio fell by too much since it was recorded, each as a line to print. */
export function fallsOf(now: Ratios, recorded: Ratios, contender = SERVICE): string[] {
  return Object.entries(now).flatMap(([measurement, { [contender]: is }]) => {
    const was = recorded[measurement]?.[contender];
    if (is === undefined) return [];
    if (typeof was !== "number") return [`${measurement} is not recorded`];
    if (is >= was * (1 - TOLERATED_FALL)) return [];
    return [`${measurement} fell to ${is.toPrecision(3)}, recorded ${was.toPrecision(3)}`];
  });
}
