import type { ParameterizedContext } from "koa";

/** Answers a method that a path does not have: 405, which renderErrors writes, and OPTIONS with what there is. */
export function refuseMethod(
  ctx: Pick<ParameterizedContext, "body" | "method" | "set" | "status">,
  methods: readonly string[],
): void {
  ctx.set("Allow", methods.join(", "));
  ctx.status = ctx.method === "OPTIONS" ? 200 : 405;
  if (ctx.method === "OPTIONS") ctx.body = "";
}
