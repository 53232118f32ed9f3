/** `npm run bench`: how fast the service is beside what limits it, and beside what else one could use. */
import { readFile, writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import { join } from "node:path";
import { openContenders, openHistories } from "./contenders/all.ts";
import { FLOOR, LARGE, SERVICE, SMALL } from "./contenders/contender.ts";
import { historyMeasurements } from "./history.ts";
import { describeMachine } from "./machine.ts";
import { CONNECTIONS, measurements } from "./measurements.ts";
import { isNamed, type Options, readOptions, usage } from "./options.ts";
import { fallsOf, type Ratios, sharesByCost, sharesOf } from "./ratios.ts";
import { columns, details, page, summary } from "./report.ts";
import { measure, type Result } from "./rounds.ts";

const fileOf = (name: string): string => join(import.meta.dirname, name);
const usual = {
  reference: FLOOR,
  measurements,
  open: openContenders,
  file: fileOf("results.md"),
  record: fileOf("recorded.json"),
  checked: SERVICE,
};
const big = {
  reference: SMALL,
  measurements: historyMeasurements,
  open: openHistories,
  file: fileOf("results-big.md"),
  record: fileOf("recorded-big.json"),
  checked: LARGE,
};

// So that the handlers of "exit" run, which end the other processes.
process.setMaxListeners(0);
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

async function bench(options: Options): Promise<void> {
  const { reference, file, record, checked } = options.big ? big : usual;
  const results = await measureAll(options);
  const costs = sharesByCost(results, reference);
  console.log(`Shares of “${reference}”\n${columns(summary(sharesOf(results, reference)))}\n`);
  console.log(`Shares by cost\n${columns(summary(costs))}`);
  // A part of the measurements, or hasty ones, do not replace the file.
  const isWhole =
    !options.quick && !options.peers && options.only.length + options.against.length === 0;
  if (isWhole) await writeFile(file, page(results, circumstancesOf(options), reference));
  // The rates of two runs differ by more than a fifth where the machine has other work; costs do not.
  const recorded = await readRecord(record);
  const both = { ...recorded, ...costs };
  if (options.record) await writeFile(record, `${JSON.stringify(both, null, 2)}\n`);
  if (options.check) check(fallsOf(costs, recorded, checked));
}

async function measureAll(options: Options): Promise<readonly Result[]> {
  const { reference, measurements, open } = options.big ? big : usual;
  await using stack = new AsyncDisposableStack();
  const contenders = await open(options, stack);
  const results: Result[] = [];
  for (const measurement of measurements.filter(({ name }) => isNamed(name, options.only))) {
    const measured = await measure(measurement, contenders, options);
    results.push(...measured.results);
    console.log(`${measurement.name}\n${columns(details(measured.results, reference))}`);
    for (const failure of measured.failures) console.log(`FAILED ${failure}`);
    if (measured.failures.length > 0) process.exitCode = 1;
    console.log();
  }
  return results;
}

async function readRecord(file: string): Promise<Ratios> {
  const text = await readFile(file, "utf8").catch(() => "{}"); // nothing is recorded yet
  return JSON.parse(text);
}

function check(falls: readonly string[]): void {
  for (const fall of falls) console.log(fall);
  if (falls.length > 0) process.exitCode = 1;
}

const circumstancesOf = ({ rounds, round: { seconds } }: Options): readonly string[] => [
  `${describeMachine()}; load average at the end ${loadavg()[0]?.toFixed(1)}`,
  `${CONNECTIONS} connections; service, database and load generator on this machine`,
  `${rounds} rounds, in which the contenders take turns of ${seconds} s`,
  `${new Date().toISOString().slice(0, 10)}; embedded PostgreSQL with fsync on`,
];

const options = readOptions(process.argv.slice(2));
if (options === undefined) console.log(usage);
else await bench(options);
