import { FLOOR } from "./contenders/contender.ts";
import { type Ratios, rangeOf, sharesByCost, sharesOf } from "./ratios.ts";
import type { Result } from "./rounds.ts";

type Rows = readonly (readonly string[])[];

const number = (value: number | undefined, digits = 0): string =>
  value === undefined || Number.isNaN(value) ? "n/a" : value.toFixed(digits);

const share = (value: number | undefined): string =>
  value === undefined ? "" : number(value, value < 0.1 ? 3 : 2);

/** One measurement: everything about each contender. */
export function details(results: readonly Result[], reference = FLOOR): Rows {
  const shares = sharesOf(results, reference);
  const byCost = sharesByCost(results, reference);
  const other = results.find(({ contender }) => contender === reference);
  return [
    [
      "",
      "answers/s",
      "share",
      "range",
      "by cost",
      "p50 ms",
      "p99 ms",
      "server µs",
      "database µs",
      "MB",
    ],
    ...results.map((it) => [
      it.contender,
      number(it.rate),
      share(shares[it.measurement]?.[it.contender]),
      other ? rangeOf(it.rates, other.rates).map(share).join("–") : "",
      share(byCost[it.measurement]?.[it.contender]),
      number(it.p50, 1),
      number(it.p99, 1),
      number(it.serverCpu),
      number(it.databaseCpu),
      number(it.memory),
    ]),
  ];
}

/** All measurements: a line for each. */
export function summary(shares: Ratios): Rows {
  const contenders = [...new Set(Object.values(shares).flatMap(Object.keys))];
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
export function page(
  results: readonly Result[],
  circumstances: readonly string[],
  reference = FLOOR,
): string {
  const byMeasurement = Object.groupBy(results, (it) => it.measurement);
  const sections = Object.entries(byMeasurement).map(
    ([name, group = []]) => `### ${name}\n\n${markdownTable(details(group, reference))}`,
  );
  return [
    "# What `npm run bench` measured",
    circumstances.map((it) => `- ${it}`).join("\n"),
    `## Shares of “${reference}”`,
    "Answers a second, as a share of those of the reference in the same rounds: the median of the rounds. The range is that of the rounds.",
    markdownTable(summary(sharesOf(results, reference))),
    "## Shares by cost",
    "The processor time that the reference uses for an answer, with its database, divided by what the contender uses. It hardly depends on how fast the load generator is and what else the machine does.",
    markdownTable(summary(sharesByCost(results, reference))),
    "## Details",
    "Medians of the rounds. Microseconds of processor time are for one answer: of the server's process, and of PostgreSQL with all its backends. MB is the resident memory of the server afterwards.",
    ...sections,
    "",
  ].join("\n\n");
}
