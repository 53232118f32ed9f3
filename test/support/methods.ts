import { routes } from "../../src/contract/routes.ts";

/** What may be asked at a path. */
export const methodsAt = (path: string): readonly string[] =>
  routes.filter((route) => route.path === path).map(({ method }) => method);
