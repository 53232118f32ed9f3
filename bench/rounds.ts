import { withClient } from "../src/database/client.ts";
import type { Contender } from "./contenders/contender.ts";
import type { Extent, Sample } from "./load/script.ts";
import { cpuOf, cpuOfFamily, memoryOf } from "./machine.ts";
import type { Measurement } from "./measurements.ts";
import type { Options } from "./options.ts";
import { median, sum } from "./statistics.ts";

/** What one contender did in one measurement: medians of the rounds. */
export interface Result {
  readonly measurement: string;
  readonly contender: string;
  /** Answers a second, in each round. */
  readonly rates: readonly number[];
  /** Their median. */
  readonly rate: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of processor time for each answer; undefined where the system does not say. */
  readonly serverCpu: number | undefined;
  readonly databaseCpu: number | undefined;
  /** Megabytes, after the last round. */
  readonly memory: number | undefined;
}

interface Round extends Sample {
  /** Milliseconds. */
  readonly serverCpu: number | undefined;
  readonly databaseCpu: number | undefined;
}

export interface Measured {
  readonly results: readonly Result[];
  /** Why a contender has no result, a line for each. */
  readonly failures: readonly string[];
}

/** The contenders take turns: what slows the machine for a while slows all of them. */
export async function measure(
  measurement: Measurement,
  contenders: readonly Contender[],
  { rounds, round, warmUp }: Options,
): Promise<Measured> {
  const runs = new Map<Contender, Round[]>();
  for (const it of contenders) if (it.takesPart(measurement)) runs.set(it, []);
  const failures: string[] = [];
  for (const extent of [warmUp, ...Array.from({ length: rounds }, () => round)]) {
    for (const [contender, taken] of runs) {
      try {
        const turn = await takeTurn(contender, measurement, extent);
        if (extent !== warmUp) taken.push(turn);
      } catch (error) {
        runs.delete(contender);
        failures.push(`${measurement.name}, ${contender.name}: ${error}`);
      }
    }
  }
  return { results: [...runs].map(([it, taken]) => resultOf(measurement, it, taken)), failures };
}

async function takeTurn(
  contender: Contender,
  measurement: Measurement,
  extent: Extent,
): Promise<Round> {
  const postmaster = contender.place?.site.postmaster;
  const cpu = () => ({
    server: cpuOf(contender.pid),
    database: postmaster === undefined ? undefined : cpuOfFamily(postmaster),
  });
  const before = cpu();
  try {
    const sample = await contender.run(measurement, extent);
    const after = cpu();
    return {
      ...sample,
      serverCpu: difference(after.server, before.server),
      databaseCpu: difference(after.database, before.database),
    };
  } finally {
    if (!measurement.reads) await cleanUp(contender);
  }
}

const difference = (after: number | undefined, before: number | undefined) =>
  after === undefined || before === undefined ? undefined : after - before;

/** Windows that were made would lengthen the lists. A script that claims cancels its claim itself. */
async function cleanUp({ place }: Contender): Promise<void> {
  if (place === undefined) return;
  await withClient(place.building.url("postgres"), (client) =>
    client.query("delete from parking.availabilities where start_time >= '2100-01-01'"),
  );
}

function resultOf(
  { name }: Measurement,
  { name: contender, pid }: Contender,
  rounds: readonly Round[],
): Result {
  const count = sum(rounds.map((it) => it.count));
  const perAnswer = (times: readonly (number | undefined)[]) => {
    const known = times.filter((it) => it !== undefined);
    return known.length < times.length ? undefined : (1000 * sum(known)) / count;
  };
  const rates = rounds.map((it) => it.count / it.seconds);
  return {
    measurement: name,
    contender,
    rates,
    rate: median(rates),
    p50: median(rounds.map((it) => it.p50)),
    p99: median(rounds.map((it) => it.p99)),
    serverCpu: perAnswer(rounds.map((it) => it.serverCpu)),
    databaseCpu: perAnswer(rounds.map((it) => it.databaseCpu)),
    memory: memoryOf(pid),
  };
}
