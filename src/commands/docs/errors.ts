import type { Pool } from "pg";
import { templateOf } from "../../contract/route.ts";
import { routes } from "../../contract/routes.ts";
import { readRuleCatalogue } from "../../errors/catalogue.ts";
import { failureOf, failures } from "../../errors/problem.ts";
import { markdownTable } from "../../openapi/markdown.ts";
import { refusalsOf } from "../../openapi/refusals.ts";

/**
 * Every failure that a client can meet: its status, its code, its message, and when it happens.
 * @param pool the pool of the API role, whose privileges decide what an operation writes
 */
export async function describeErrors(pool: Pool): Promise<readonly string[]> {
  const rules = await (await readRuleCatalogue(pool)).all();
  const absences = Array.from(rules.absences.values(), (message) => ({
    ...failureOf("not_found"),
    message,
    when: "There is no such row for the caller.",
  }));
  const ofForm = Object.entries(failures).map(([code, failure]) => ({ code, ...failure }));

  const ofRules = new Map<string, ErrorRow>();
  for (const route of routes) {
    const operation = `${route.method} ${templateOf(route.path)}`;
    for (const { code, status, message } of refusalsOf(route, rules)) {
      if (code in failures) continue;
      const others = ofRules.get(code)?.when;
      const when = others === undefined ? operation : `${others}, ${operation}`;
      ofRules.set(code, { code, status, message, when });
    }
  }
  return [
    "The body of a failure is `{ error, details? }`; the header `X-Error-Code` carries the code. GraphQL has the same message, and the code, status and details in `extensions`.",
    "## Of every request",
    table([...ofForm, ...absences]),
    "## Of the rules",
    "Beside each rule stand the operations that write what it looks at: only they can break it.",
    table([...ofRules.values()].toSorted((a, b) => a.code.localeCompare(b.code, "en"))),
  ];
}

interface ErrorRow {
  readonly code: string;
  readonly status: number;
  readonly message: string;
  readonly when: string;
}

const table = (rows: readonly ErrorRow[]): string =>
  markdownTable(
    ["Code", "Status", "Message", "When"],
    rows.map(({ code, status, message, when }) => [`\`${code}\``, status, message, when]),
  );
