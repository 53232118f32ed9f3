import { sharesOf } from "./ratios.ts";
import type { Result } from "./rounds.ts";

type Rows = readonly (readonly string[])[];

const number = (value: number | undefined, digits = 0): string =>
  value === undefined || Number.isNaN(value) ? "n/a" : value.toFixed(digits);

const share = (value: number | undefined): string =>
  value === undefined ? "" : value.toFixed(value < 0.1 ? 3 : 2);

/** One measurement: everything about each contender. */
export function details(results: readonly Result[]): Rows {
  const shares = sharesOf(results);
  return [
    ["", "answers/s", "of Koa", "p50 ms", "p99 ms", "server µs", "database µs", "MB"],
    ...results.map((it) => [
      it.contender,
      number(it.rate),
      share(shares[it.measurement]?.[it.contender]),
      number(it.p50, 1),
      number(it.p99, 1),
      number(it.serverCpu),
      number(it.databaseCpu),
      number(it.memory),
    ]),
  ];
}

/** All measurements: the shares of bare Koa. */
export function summary(results: readonly Result[]): Rows {
  const shares = sharesOf(results);
  const contenders = [...new Set(results.map((it) => it.contender))];
  return [
    ["", ...contenders],
    ...Object.entries(shares).map(([measurement, ratios]) => [
      measurement,
      ...contenders.map((contender) => share(ratios[contender])),
    ]),
  ];
}

/** For a terminal: names on the left, numbers on the right. */
export function columns(rows: Rows): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join("  "),
    )
    .join("\n");
}

export function markdownTable([heading = [], ...rows]: Rows): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const rule = heading.map((_, i) => (i === 0 ? "---" : "---:"));
  return [heading, rule, ...rows].map(line).join("\n");
}

/** The file that a run leaves. */
export function page(results: readonly Result[], circumstances: readonly string[]): string {
  const byMeasurement = Object.groupBy(results, (it) => it.measurement);
  const sections = Object.entries(byMeasurement).map(
    ([name, group = []]) => `### ${name}\n\n${markdownTable(details(group))}`,
  );
  return [
    "# What `npm run bench` measured",
    circumstances.map((it) => `- ${it}`).join("\n"),
    "## Shares of bare Koa",
    "Answers a second, as a share of those of Koa with a constant answer in the same rounds: the median of the rounds.",
    markdownTable(summary(results)),
    "## Details",
    "Medians of the rounds. Microseconds of processor time are for one answer: of the server's process, and of PostgreSQL with all its backends. MB is the resident memory of the server afterwards.",
    ...sections,
    "",
  ].join("\n\n");
}
