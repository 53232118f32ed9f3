import type { Context, Middleware } from "koa";
import { DatabaseError } from "pg";
import type { Logger } from "../log/logger.ts";
import { type Language, languages } from "../texts/kinds.ts";
import { timesIn } from "../texts/times.ts";
import type { Rule, RuleCatalogue } from "./catalogue.ts";
import { isOutage, isUnavailable, logOutage, outageOf } from "./outage.ts";
import {
  codeHeader,
  detailsOf,
  type FailureCode,
  failures,
  Problem,
  serviceUnavailable,
} from "./problem.ts";
import { reasonOf } from "./reason.ts";

/** The app emits this event for each failure that it answers. The metrics count these events. */
export const REFUSED = "refused";

/** Writes the body of a failure. */
type FailureWriter = (ctx: Context, problem: Problem) => void;

/** `{ error, details? }` (specification, Errors) */
export const writeFailure: FailureWriter = (ctx, { message, details }) => {
  ctx.body = { error: message, details };
};

/** The one place where a failure becomes a response. */
export function renderErrors(
  rules: RuleCatalogue,
  logger: Logger,
  write: FailureWriter = writeFailure,
): Middleware {
  return async (ctx, next) => {
    try {
      await next();
      // The router leaves 404 and no body for a path that it does not know.
      if (ctx.body == null && ctx.status === 404) throw new Problem("not_found");
    } catch (error) {
      const problem = await explain(error, ctx, rules, logger);
      ctx.status = problem.status;
      ctx.set({ ...problem.headers, ...codeHeader(problem) });
      write(ctx, problem);
    }
  };
}

/** No browser sends more, and a long header costs milliseconds to read. */
const LONGEST_HEADER = 1000;

/** The language of the answer: the one that Accept-Language prefers, or else the default. */
export function languageOf(ctx: Pick<Context, "vary" | "get" | "acceptsLanguages">): Language {
  ctx.vary("Accept-Language");
  if (ctx.get("Accept-Language").length > LONGEST_HEADER) return languages[0];
  const preferred = ctx.acceptsLanguages([...languages]);
  return languages.find((language) => language === preferred) ?? languages[0];
}

/**
 * Returns what the caller reads of a failure, and reports it to the log and the metrics. If the
 * catalogue itself cannot be read, the SQLSTATE alone explains a refusal.
 */
export async function explain(
  error: unknown,
  ctx: Context,
  rules: RuleCatalogue,
  logger: Logger,
): Promise<Problem> {
  const problem = await problemOf(error, rules).catch((cause) => {
    logger.error({ err: cause }, "the rule catalogue cannot be read");
    return problemOf(error, noRules);
  });
  report(problem, ctx, logger);
  // Only rules are translated: answers to strangers do not depend on the language.
  const isTranslated = Object.keys(problem.translations).length > 0;
  return isTranslated ? problem.in(languageOf(ctx)) : problem;
}

const noRules: Pick<RuleCatalogue, "find"> = { find: async () => undefined };

/** A defect or an outage is an error in the log, a mistake of the caller only a debug message. */
function report(problem: Problem, ctx: Context, logger: Logger): void {
  const { status, code, message, cause } = problem;
  ctx.app.emit(REFUSED, problem);
  const entry = { requestId: ctx.state.requestId, status, code };
  const reason = harmlessReasonOf(cause);
  if (status === 503) logOutage(logger, { ...entry, reason: outageOf(cause) ?? reason });
  else if (status >= 500) logger.error({ ...entry, err: cause }, message);
  // The answer does not say why a token is refused, but the operator needs to know it.
  else if (status === 401 && reason !== undefined) logger.info({ ...entry, reason }, message);
  else logger.debug({ ...entry, reason }, message);
}

/** The reason of a refusal, in words that cannot quote what people wrote. */
function harmlessReasonOf(cause: unknown): string | undefined {
  if (cause instanceof DatabaseError) return `${cause.code} ${cause.constraint ?? ""}`.trim();
  if (cause instanceof SyntaxError) return cause.name;
  if (typeof cause === "string") return cause;
  return cause instanceof Error ? reasonOf(cause) : undefined;
}

/**
 * Returns what the caller reads of a failed statement. The message of a rule is in the catalogue. For
 * everything else, PostgreSQL's message and its DETAIL stay here, because they may name other
 * people's data.
 */
export async function problemOf(
  error: unknown,
  rules: Pick<RuleCatalogue, "find">,
): Promise<Problem> {
  if (error instanceof Problem) return error;
  if (!(error instanceof DatabaseError))
    return isOutage(error) ? serviceUnavailable(error) : bug(error);

  if (isConnectionOver(error)) return serviceUnavailable(error);
  const sqlState = error.code ?? "";
  if (/^PT[45]\d\d$/.test(sqlState)) return problemOfStatus(Number(sqlState.slice(2)), error);
  const name = ruleNameOf(error);
  const rule = name === undefined ? undefined : await rules.find(name);
  if (rule) return problemOfRule(rule, error);
  if (isUnavailable(sqlState)) return serviceUnavailable(error);
  const code = codeOf(sqlState);
  return code ? new Problem(code, { cause: error }) : bug(error);
}

/** A restrictive policy has its name only in the message: the quoted name before the table's. */
function ruleNameOf(error: DatabaseError): string | undefined {
  if (error.constraint) return error.constraint;
  return error.code === "42501" ? /policy "([^"]+)" for table/.exec(error.message)?.[1] : undefined;
}

/** The rules that may accept later what they refuse now. */
const MOMENTARY: ReadonlySet<string> = new Set(["idempotency_key_in_use"]);

function problemOfRule(rule: Rule, cause: DatabaseError): Problem {
  const { name, status, message, field } = rule;
  const usual = failures[codesByStatus[status] ?? "invalid_data"];
  const failure = { code: name, status, message: filled(message ?? usual.message, cause) };
  const translations = Object.fromEntries(
    languages.flatMap((language) => {
      const text = rule.translations[language];
      return text ? [[language, filled(text, cause, language)]] : [];
    }),
  );
  const places = placesIn(cause).map((place) => `${place}/${field}`);
  const fields = places.length > 0 ? places : [field].filter((it) => it !== null);
  const details = fields.length > 0 ? detailsOf(fields, failure.message) : undefined;
  const headers = MOMENTARY.has(name) ? { "Retry-After": "1" } : undefined;
  return new Problem(failure, { details, translations, headers, cause });
}

/**
 * `{until}` in a message stands for the hint of the refusal: a text, or a moment and the time zone
 * of the building. In English the moment has the format of the API.
 */
function filled(
  message: string,
  { hint = "later" }: DatabaseError,
  language: Language = "en",
): string {
  return message.replace("{until}", () => {
    const [, moment, zone] = /^(\d{4}-\S+Z) (\S+)$/.exec(hint) ?? [];
    if (moment === undefined || zone === undefined) return hint;
    return language === "en" ? moment : timesIn(language, zone).moment(moment);
  });
}

/**
 * SQL that names a status by its SQLSTATE, as PostgREST allows, writes the message for the caller.
 * Its `column` names the argument that the message is about.
 */
function problemOfStatus(status: number, cause: DatabaseError): Problem {
  const code = codesByStatus[status] ?? (status < 500 ? "invalid_data" : "internal_error");
  const { message, column } = cause;
  return new Problem(
    { code, status, message },
    { details: column ? detailsOf([column], message) : undefined, cause },
  );
}

/** The places of the refused items in a list: `invitations/3 invitations/7` (sql/invitations). */
const placesIn = ({ column = "" }: DatabaseError): readonly string[] =>
  column.includes("/") ? column.split(" ") : [];

const codesByStatus: Readonly<Record<number, FailureCode>> = {
  401: "authentication_required",
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  429: "too_many_requests",
  503: "service_unavailable",
};

/** For a rule without a comment, only the SQLSTATE is known. */
function codeOf(sqlState: string): FailureCode | undefined {
  if (sqlState === "23505" || sqlState === "23P01") return "conflict";
  if (sqlState === "42501") return "forbidden";
  // Class 22: a value that PostgreSQL cannot read; class 23: a value that a rule refuses.
  return /^2[23]/.test(sqlState) ? "invalid_data" : undefined;
}

/**
 * The server ended the connection or did not open one: a password was changed (28P01), a role may
 * not log in (28000) or connect (42501), or a database has another name (3D000). The operator must
 * fix that; the request is not the cause.
 */
const isConnectionOver = ({ severity }: DatabaseError): boolean =>
  severity === "FATAL" || severity === "PANIC";

const bug = (cause: unknown): Problem => new Problem("internal_error", { cause });
