import { routes } from "../contract/routes.ts";
import { createPool } from "../database/pool.ts";
import { readRuleCatalogue } from "../errors/catalogue.ts";
import { failureOf, failures } from "../errors/failures.ts";
import { createLogger } from "../log/logger.ts";
import { refusalsOf } from "../openapi/refusals.ts";
import { GENERATED, markdownTable } from "./markdown.ts";

/**
 * Every failure that a client can meet: its status, code, message, and when it happens.
 * @param databaseUrl logs in as the API role, whose rights decide what an operation writes
 */
export async function describeErrors(databaseUrl: string): Promise<string> {
  // No warnings: a throw-away server may stop before the pool's last connection is closed.
  const pool = createPool(databaseUrl, createLogger("error"));
  const catalogue = await readRuleCatalogue(pool).finally(() => pool.end());
  const rules = await catalogue.all();
  const operations = routes.flatMap((route) =>
    refusalsOf(route, rules).map((refusal) => ({ ...refusal, operation: nameOf(route) })),
  );
  const byRule = Map.groupBy(
    operations.filter(({ code }) => !(code in failures)),
    ({ code }) => code,
  );
  const ofRules = Array.from(byRule, ([code, refusals]) => ({
    code,
    status: refusals[0]?.status ?? 0,
    message: refusals[0]?.message ?? "",
    when: refusals.map(({ operation }) => operation).join(", "),
  }));
  const absences = Array.from(rules.absences.values(), (message) => ({
    ...failureOf("not_found"),
    message,
    when: "There is no such row for the caller.",
  }));
  const ofForm = Object.entries(failures).map(([code, failure]) => ({ code, ...failure }));

  return `${[
    "# Errors",
    GENERATED,
    "The body of a failure is `{ error, details? }`; the header `X-Error-Code` carries the code. GraphQL has the same message, and the code, status and details in `extensions`.",
    "## Of every request",
    table([...ofForm, ...absences]),
    "## Of the rules",
    "Beside each rule stand the operations that write what it looks at: only they can break it.",
    table(ofRules.toSorted((a, b) => a.code.localeCompare(b.code, "en"))),
  ].join("\n\n")}\n`;
}

const nameOf = ({ method, path }: (typeof routes)[number]): string =>
  `${method} ${path.replace(":id", "{id}")}`;

interface Row {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly when: string;
}

const table = (rows: readonly Row[]): string =>
  markdownTable(
    ["Code", "Status", "Message", "When"],
    rows.map(({ code, status, message, when }) => [`\`${code}\``, String(status), message, when]),
  );
