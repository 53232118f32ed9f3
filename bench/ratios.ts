import { FLOOR, SERVICE } from "./contenders/contender.ts";
import type { Result } from "./rounds.ts";
import { median } from "./statistics.ts";

/** By measurement and contender. */
export type Ratios = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** A fall of more than this is worth a look; less is noise. */
const TOLERATED_FALL = 0.2;

/** The rate as a share of another's in the same rounds, so that a slow moment of the machine is in both. */
export const ratioOf = (rates: readonly number[], others: readonly number[]): number =>
  median(rates.map((rate, round) => rate / (others[round] ?? Number.NaN)));

/** Each contender's rate in each measurement as a share of the rate of bare Koa. */
export const sharesOf = (results: readonly Result[]): Ratios =>
  comparedWithFloor(results, (it, floor) => ratioOf(it.rates, floor.rates));

/**
 * The same by processor time: what bare Koa uses for an answer, divided by what the contender and its
 * database use. It hardly depends on how fast the load generator is and what else the machine does.
 */
export const sharesByCost = (results: readonly Result[]): Ratios =>
  comparedWithFloor(results, (it, floor) => (floor.serverCpu ?? Number.NaN) / costOf(it));

const costOf = ({ serverCpu = Number.NaN, databaseCpu = 0 }: Result): number =>
  serverCpu + databaseCpu;

function comparedWithFloor(
  results: readonly Result[],
  compare: (result: Result, floor: Result) => number,
): Ratios {
  const byMeasurement = Object.groupBy(results, (it) => it.measurement);
  return Object.fromEntries(
    Object.entries(byMeasurement).map(([measurement, group = []]) => {
      const floor = group.find((it) => it.contender === FLOOR);
      const ratios = group.map((it) => [it.contender, floor ? compare(it, floor) : Number.NaN]);
      return [measurement, Object.fromEntries(ratios)];
    }),
  );
}

/** The ratios of the contenders that fell by too much, each as a line to print. */
export function fallsOf(now: Ratios, recorded: Ratios, contenders = [SERVICE]): string[] {
  return Object.entries(now).flatMap(([measurement, ratios]) =>
    contenders.flatMap((contender) => {
      const [was, is] = [recorded[measurement]?.[contender], ratios[contender]];
      if (was === undefined || is === undefined || is >= was * (1 - TOLERATED_FALL)) return [];
      return [`${measurement}, ${contender}: ${is.toFixed(3)}, recorded ${was.toFixed(3)}`];
    }),
  );
}
