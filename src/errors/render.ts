import type { Context, Middleware } from "koa";
import { DatabaseError } from "pg";
import type { Logger } from "../log/logger.ts";
import { type Language, languages } from "../texts/kinds.ts";
import type { RuleCatalogue } from "./catalogue.ts";
import { problemOf } from "./explain.ts";
import { logOutage, outageOf } from "./outage.ts";
import { codeHeader, Problem } from "./problem.ts";
import { reasonOf } from "./reason.ts";

/** The app emits this event for each failure that it answers. The metrics count these events. */
export const REFUSED = "refused";

/** Writes the body of a failure. */
export type FailureWriter = (ctx: Context, problem: Problem) => void;

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
      const problem = await explain(error, rules, logger);
      report(problem, ctx, logger);
      const read = readBy(ctx, problem);
      ctx.status = read.status;
      ctx.set({ ...read.headers, ...codeHeader(read) });
      write(ctx, read);
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

/** The failure in the language of the caller. Only rules are translated: answers to strangers do not depend on it. */
export const readBy = (ctx: Context, problem: Problem): Problem =>
  Object.keys(problem.translations).length > 0 ? problem.in(languageOf(ctx)) : problem;

/** If the catalogue itself cannot be read, the SQLSTATE alone explains a refusal. */
export const explain = (error: unknown, rules: RuleCatalogue, logger: Logger): Promise<Problem> =>
  problemOf(error, rules).catch((cause) => {
    logger.error({ err: cause }, "the rule catalogue cannot be read");
    return problemOf(error, noRules);
  });

const noRules: Pick<RuleCatalogue, "find"> = { find: async () => undefined };

/** A defect or an outage is an error in the log, a mistake of the caller only a debug message. */
export function report(problem: Problem, ctx: Context, logger: Logger): void {
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
