import Router from "@koa/router";
import type { DefaultContext, ParameterizedContext } from "koa";
import { Problem } from "../errors/problem.ts";
import type { RequestState } from "../tokens/identity.ts";

/** What answers a request. */
export type Endpoint<State = object> = (
  ctx: ParameterizedContext<
    State,
    DefaultContext & { readonly params: Readonly<Record<string, string>> }
  >,
) => Promise<void> | void;

/** What one method does at one path. A segment that begins with a colon is a parameter. */
export interface Entry<State = object> {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  readonly answer: Endpoint<State>;
}

/**
 * Finds the answer to a request. OPTIONS is answered with the methods of the path.
 * @throws Problem 405 for a method that the path does not have
 */
export function route(
  entries: readonly Entry<RequestState>[],
): ReturnType<Router<RequestState>["routes"]> {
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  const byPath = Map.groupBy(entries, ({ path }) => path);
  // Fixed paths first: `/patterns/preview` is no pattern.
  const paths = Map.groupBy(byPath, ([path]) => path.includes(":"));
  for (const [path, ofPath] of [...(paths.get(false) ?? []), ...(paths.get(true) ?? [])]) {
    const answers = new Map(
      ofPath.flatMap(({ method, answer }) =>
        (method === "GET" ? ["HEAD", method] : [method]).map((name) => [name, answer]),
      ),
    );
    // One layer a path: the router tries them one after the other.
    router.all(path, (ctx) => {
      const answer = answers.get(ctx.method);
      if (answer) return answer(ctx);
      const headers = { Allow: [...answers.keys()].join(", ") };
      if (ctx.method !== "OPTIONS") throw new Problem("method_not_allowed", { headers });
      ctx.set(headers);
      ctx.body = "";
    });
  }
  return router.routes();
}
