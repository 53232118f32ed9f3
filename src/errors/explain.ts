import { DatabaseError } from "pg";
import type { Rule, RuleCatalogue } from "./catalogue.ts";
import { Problem, serviceUnavailable } from "./problem.ts";

/**
 * What the caller is told of a failed statement. Rules speak for themselves through the catalogue;
 * of everything else PostgreSQL's wording and its DETAIL, which may name other people's data, stay here.
 */
export async function problemOf(error: unknown, rules: RuleCatalogue): Promise<Problem> {
  if (error instanceof Problem) return error;
  if (!(error instanceof DatabaseError))
    return isNetworkError(error) ? serviceUnavailable(error) : bug(error);

  const code = error.code ?? "";
  if (/^PT[45]\d\d$/.test(code)) {
    return new Problem(Number(code.slice(2)), error.message, { cause: error });
  }
  const name = ruleNameOf(error);
  const rule = name === undefined ? undefined : await rules.find(name);
  if (rule) return problemOfRule(rule, error);
  return isUnavailable(code) ? serviceUnavailable(error) : problemOfCode(code, error);
}

/** A restrictive policy puts its name into the message only, as the one quoted name before the table's. */
function ruleNameOf(error: DatabaseError): string | undefined {
  if (error.constraint) return error.constraint;
  return error.code === "42501" ? /policy "([^"]+)" for table/.exec(error.message)?.[1] : undefined;
}

function problemOfRule({ name, status, message, field }: Rule, error: DatabaseError): Problem {
  const unspoken = problemOfCode(error.code ?? "", error);
  const text = message ?? unspoken.message;
  return new Problem(status ?? unspoken.status, text, {
    details: field === null ? undefined : { [field]: { _errors: [text] } },
    code: name,
    cause: error,
  });
}

/** For a rule without a message or a status: what its SQLSTATE alone tells. */
function problemOfCode(code: string, error: DatabaseError): Problem {
  switch (code) {
    case "23505":
    case "23P01":
      return new Problem(409, "Conflicts with existing data", { cause: error });
    case "42501":
      return new Problem(403, "Insufficient permissions", { cause: error });
  }
  // Class 22: a value PostgreSQL cannot read; class 23: one that a rule refuses.
  return /^2[23]/.test(code) ? new Problem(400, "Invalid data", { cause: error }) : bug(error);
}

/**
 * Connection trouble (08), too little of something (53), a stop or start (57P01 to 57P03), a statement,
 * a lock or a transaction that took too long (57014, 55P03, 25P04), rivals that outlasted the retries
 * (40001, 40P01), and a server that became read-only (25006).
 */
const isUnavailable = (code: string): boolean =>
  /^(08|53)|^(57P0[1-3]|57014|55P03|25P04|40001|40P01|25006)$/.test(code);

/** Thrown by pg and by Node when there is no answer; a TypeError of ours is no such thing. */
const isNetworkError = (error: unknown): boolean =>
  error instanceof Error &&
  ("syscall" in error ||
    /^(Connection terminated|timeout exceeded|Query read timeout|Client )/.test(error.message));

const bug = (cause: unknown): Problem => new Problem(500, "Internal server error", { cause });
