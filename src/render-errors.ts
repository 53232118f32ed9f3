import type { Context, Middleware } from "koa";
import { problemOf } from "./database-errors.ts";
import type { Logger } from "./log.ts";
import { Problem } from "./problem.ts";
import type { RuleCatalogue } from "./rules.ts";

/** The one place where a failure becomes a response: `{ error, details? }` (specification, Errors). */
export function renderErrors(rules: RuleCatalogue, logger: Logger): Middleware {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.body == null) refuseUnanswered(ctx);
    } catch (error) {
      const problem = await problemOf(error, rules).catch((cause) => problemOf(cause, noRules));
      report(problem, ctx, logger);
      ctx.status = problem.status;
      ctx.set(problem.headers);
      ctx.body = { error: problem.message, details: problem.details };
    }
  };
}

/** Where the catalogue itself cannot be read, the reason for that is all there is to tell. */
const noRules: RuleCatalogue = { find: async () => undefined };

/** The router leaves a status and no body where it knows no such path, or not with this method. */
function refuseUnanswered(ctx: Context): void {
  const pathIsKnown = ctx.response.get("Allow") !== "";
  if (ctx.status === 405 || ctx.status === 501) {
    throw pathIsKnown ? new Problem(405, "Method not allowed") : new Problem(404, "Not found");
  }
  if (ctx.status === 404) throw new Problem(404, "Not found");
}

function report(problem: Problem, ctx: Context, logger: Logger): void {
  const entry = { requestId: ctx.state.requestId, status: problem.status, err: problem.cause };
  if (problem.status >= 500) logger.error(entry, problem.message);
  else logger.debug(entry, problem.message);
}
