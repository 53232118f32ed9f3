/** `npm run bench`: how fast the service is beside what limits it, and beside what else one could use. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openContenders } from "./contenders/all.ts";
import { describeMachine } from "./machine.ts";
import { CONNECTIONS, measurements } from "./measurements.ts";
import { isNamed, type Options, readOptions, usage } from "./options.ts";
import { fallsOf, type Ratios, sharesByCost, sharesOf } from "./ratios.ts";
import { columns, details, page, summary } from "./report.ts";
import { measure, type Result } from "./rounds.ts";

const resultsFile = join(import.meta.dirname, "results.md");
const recordFile = join(import.meta.dirname, "recorded.json");

const options = readOptions(process.argv.slice(2));
if (options === undefined) console.log(usage);
else await bench(options);

async function bench(options: Options): Promise<void> {
  const results = await measureAll(options);
  console.log(`Shares of bare Koa\n${columns(summary(sharesOf(results)))}\n`);
  console.log(`Shares of bare Koa by cost\n${columns(summary(sharesByCost(results)))}`);
  // A part of the measurements, or hasty ones, do not replace the file.
  const isWhole = !options.quick && options.only.length + options.against.length === 0;
  if (isWhole) await writeFile(resultsFile, page(results, circumstancesOf(options)));
  if (options.record)
    await writeFile(recordFile, `${JSON.stringify(sharesOf(results), null, 2)}\n`);
  if (options.check) await check(results);
}

async function measureAll(options: Options): Promise<readonly Result[]> {
  await using stack = new AsyncDisposableStack();
  const contenders = await openContenders(options, stack);
  const results: Result[] = [];
  for (const measurement of measurements.filter(({ name }) => isNamed(name, options.only))) {
    const measured = await measure(measurement, contenders, options);
    results.push(...measured);
    console.log(`${measurement.name}\n${columns(details(measured))}\n`);
  }
  return results;
}

async function check(results: readonly Result[]): Promise<void> {
  const recorded: Ratios = JSON.parse(await readFile(recordFile, "utf8"));
  const falls = fallsOf(sharesOf(results), recorded);
  for (const fall of falls) console.log(`slower than recorded: ${fall}`);
  if (falls.length > 0) process.exitCode = 1;
}

const circumstancesOf = ({ rounds, round: { seconds } }: Options): readonly string[] => [
  describeMachine(),
  `${CONNECTIONS} connections; service, database and load generator on this machine`,
  `${rounds} rounds, in which the contenders take turns of ${seconds} s`,
  `${new Date().toISOString().slice(0, 10)}; embedded PostgreSQL with fsync on`,
];
