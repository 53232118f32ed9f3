import type { Context, Middleware } from "koa";
import { DatabaseError } from "pg";
import type { Logger } from "../log.ts";
import type { RuleCatalogue } from "./catalogue.ts";
import { problemOf } from "./explain.ts";
import { Problem } from "./problem.ts";

/** The one place where a failure becomes a response: `{ error, details? }` (specification, Errors). */
export function renderErrors(rules: RuleCatalogue, logger: Logger): Middleware {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.body == null) refuseUnanswered(ctx);
    } catch (error) {
      const problem = await explain(error, rules, logger);
      report(problem, ctx, logger);
      ctx.status = problem.status;
      ctx.set(problem.headers);
      ctx.body = { error: problem.message, details: problem.details };
    }
  };
}

/** Where the catalogue itself cannot be read, a refusal is told by its SQLSTATE alone. */
export const explain = (error: unknown, rules: RuleCatalogue, logger: Logger): Promise<Problem> =>
  problemOf(error, rules).catch((cause) => {
    logger.error({ err: cause }, "the rule catalogue cannot be read");
    return problemOf(error, noRules);
  });

const noRules: RuleCatalogue = { find: async () => undefined };

/** The router leaves a status and no body where it knows no such path, or not with this method. */
function refuseUnanswered(ctx: Context): void {
  const pathIsKnown = ctx.response.get("Allow") !== "";
  if (ctx.status === 405 || ctx.status === 501) {
    throw pathIsKnown ? new Problem(405, "Method not allowed") : new Problem(404, "Not found");
  }
  if (ctx.status === 404) throw new Problem(404, "Not found");
}

/** What is ours to mend is an error; what the caller did wrong interests who looks closer. */
export function report(problem: Problem, ctx: Context, logger: Logger): void {
  const { status, message, cause } = problem;
  const entry = { requestId: ctx.state.requestId, status };
  if (status >= 500) logger.error({ ...entry, err: cause }, message);
  else logger.debug({ ...entry, reason: reasonOf(cause) }, message);
}

/** Why a request was refused, in words that cannot quote what people wrote. */
function reasonOf(cause: unknown): string | undefined {
  if (cause instanceof DatabaseError) return `${cause.code} ${cause.constraint ?? ""}`.trim();
  if (cause instanceof SyntaxError) return cause.name;
  return cause instanceof Error ? cause.message : undefined;
}
