/** `npm run bench`: how fast the service is beside what limits it, and beside what else one could use. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openContenders, openHistories } from "./contenders/all.ts";
import { FLOOR, SMALL } from "./contenders/contender.ts";
import { historyMeasurements } from "./history.ts";
import { describeMachine } from "./machine.ts";
import { CONNECTIONS, measurements } from "./measurements.ts";
import { isNamed, type Options, readOptions, usage } from "./options.ts";
import { fallsOf, type Ratios, sharesByCost, sharesOf } from "./ratios.ts";
import { columns, details, page, summary } from "./report.ts";
import { measure, type Result } from "./rounds.ts";

const fileOf = (name: string): string => join(import.meta.dirname, name);
const recordFile = fileOf("recorded.json");

const usual = {
  reference: FLOOR,
  measurements,
  open: openContenders,
  file: fileOf("results.md"),
};
const big = {
  reference: SMALL,
  measurements: historyMeasurements,
  open: openHistories,
  file: fileOf("results-big.md"),
};

// So that the handlers of "exit" run, which end the other processes.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

async function bench(options: Options): Promise<void> {
  const { reference, file } = options.big ? big : usual;
  const results = await measureAll(options);
  const shares = sharesOf(results, reference);
  console.log(`Shares of “${reference}”\n${columns(summary(shares))}\n`);
  console.log(`Shares by cost\n${columns(summary(sharesByCost(results, reference)))}`);
  // A part of the measurements, or hasty ones, do not replace the file.
  const isWhole = !options.quick && options.only.length + options.against.length === 0;
  if (isWhole) await writeFile(file, page(results, circumstancesOf(options), reference));
  if (options.record) await writeFile(recordFile, `${JSON.stringify(shares, null, 2)}\n`);
  if (options.check) await check(shares);
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

async function check(shares: Ratios): Promise<void> {
  const recorded: Ratios = JSON.parse(await readFile(recordFile, "utf8"));
  const falls = fallsOf(shares, recorded);
  for (const fall of falls) console.log(`slower than recorded: ${fall}`);
  if (falls.length > 0) process.exitCode = 1;
}

const circumstancesOf = ({ rounds, round: { seconds } }: Options): readonly string[] => [
  describeMachine(),
  `${CONNECTIONS} connections; service, database and load generator on this machine`,
  `${rounds} rounds, in which the contenders take turns of ${seconds} s`,
  `${new Date().toISOString().slice(0, 10)}; embedded PostgreSQL with fsync on`,
];

const options = readOptions(process.argv.slice(2));
if (options === undefined) console.log(usage);
else await bench(options);
