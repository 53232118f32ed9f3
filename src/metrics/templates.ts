import { DESCRIPTION_PATH, routes } from "../contract/routes.ts";
import { isScreen } from "../web/addresses.ts";

const methods = new Set(["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"]);

/** A method of a request, as a label: of those that no route has, clients could send many. */
export const methodLabel = (method: string): string => (methods.has(method) ? method : "other");

/**
 * The function that finds the route of a path, as a label. Its values are few, whatever clients ask
 * for: a path with an id has its template, and a path that does not exist is `other`.
 */
export function routeLabels(basePath: string): (path: string) => string {
  const paths = ["/graphql", DESCRIPTION_PATH, ...new Set(routes.map(({ path }) => path))];
  const templates = paths.map((path) => ({
    label: basePath + path,
    pattern: new RegExp(`^${basePath}${path.replace(":id", "[^/]+")}$`),
  }));
  return (path) => {
    if (path === "/livez" || path === "/readyz") return path;
    if (isScreen(path)) return "page";
    if (path === "/docs" || path.startsWith("/docs/")) return "/docs";
    return templates.find(({ pattern }) => pattern.test(path))?.label ?? "other";
  };
}
