import type { Next } from "koa";

/** For requests outside the base path only. Those to the API need not try routes that are not its own. */
export const elsewhere =
  <C extends { readonly path: string }>(
    basePath: string,
    answer: (ctx: C, next: Next) => Promise<unknown>,
  ) =>
  (ctx: C, next: Next): Promise<unknown> =>
    ctx.path.startsWith(`${basePath}/`) ? next() : answer(ctx, next);
