import { routes } from "../../src/contract/routes.ts";

/** What may be asked at a path. `/patterns/preview` is also where a pattern of that id would be. */
export const methodsAt = (path: string): readonly string[] => {
  const matching = routes.filter(
    (route) =>
      route.path === path ||
      (!path.includes(":") && new RegExp(`^${route.path.replace(":id", "[^/]+")}$`).test(path)),
  );
  return [...new Set(matching.map(({ method }) => method))];
};
