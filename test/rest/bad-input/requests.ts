import { randomUUID } from "node:crypto";
import type { Route } from "../../../src/contract/route.ts";
import { routes } from "../../../src/contract/routes.ts";
import { hours } from "../../support/building.ts";
import type { Random } from "../../support/random.ts";
import { badIntegers, badTextsOf, badUuids, badValuesOf, kinds } from "./values.ts";

export interface WildRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** The ids of some rows of each kind, for requests to use. */
export type Ids = Readonly<
  Record<"spots" | "windows" | "claims" | "notifications" | "people", readonly string[]>
>;

const idsOf = (ids: Ids, path: string): readonly string[] => {
  if (path.includes("parking-spots")) return ids.spots;
  if (path.includes("availabilities")) return ids.windows;
  if (path.includes("claims")) return ids.claims;
  return path.includes("notifications") ? ids.notifications : ids.people;
};

/** True once in `often` times. */
const rarely = (chance: Random, often = 8): boolean => chance.below(often) === 0;

/** Any text, of characters from all of Unicode. */
function anyText(chance: Random): string {
  const ranges = [0x20, 0x7f, 0x100, 0x3000, 0xd800, 0xe000, 0x1_0000, 0x10_ffff];
  const characters = Array.from({ length: chance.below(40) }, () =>
    String.fromCodePoint(chance.below(chance.pick(ranges) + 1)),
  );
  return characters.join("");
}

/** Any JSON value, a few levels deep. */
function anyValue(chance: Random, depth = 3): unknown {
  switch (chance.below(depth > 0 ? 8 : 6)) {
    case 0:
      return null;
    case 1:
      return rarely(chance, 2);
    case 2:
      return chance.below(2 ** 31) - 2 ** 30;
    case 3:
      return chance.below(1000) * 10 ** (chance.below(600) - 300);
    case 4:
    case 5:
      return anyText(chance);
    case 6:
      return Array.from({ length: chance.below(4) }, () => anyValue(chance, depth - 1));
    default:
      return Object.fromEntries(
        Array.from({ length: chance.below(4) }, () => [
          anyText(chance),
          anyValue(chance, depth - 1),
        ]),
      );
  }
}

/** A valid value for a field of this name. */
function goodValue(chance: Random, ids: Ids, name: string): unknown {
  switch (kinds[name]) {
    case "uuid":
      return chance.pick(name === "spot_id" ? ids.spots : [...ids.windows, ...ids.people]);
    case "time":
    case "date":
      return hours(chance.below(200) - 5);
    case "day":
      return chance.pick(["2026-01-01", "2026-03-01", "2026-11-01"]);
    case "choice":
      return chance.pick(["json", "day", "week"]);
    case "boolean":
      return rarely(chance, 2);
    case "status":
      return chance.pick(["active", "completed", "cancelled"]);
    case "limit":
      return 1 + chance.below(50);
    case "phone":
      return "+49 30 1234567";
    default:
      return `${name} ${chance.below(50)}`;
  }
}

function bodyOf(chance: Random, ids: Ids, { body, method }: Route): string | undefined {
  if (body === undefined) return rarely(chance) ? anyText(chance) : undefined;
  if (rarely(chance)) return JSON.stringify(anyValue(chance));
  if (rarely(chance, 20)) return JSON.stringify(anyValue(chance)).slice(0, chance.below(30));
  const names = Object.keys(body.properties).filter(() => method === "POST" || rarely(chance, 2));
  const fields = names.map((name): [string, unknown] => {
    if (rarely(chance)) return [name, chance.pick(badValuesOf(kinds[name]))];
    return [name, rarely(chance) ? anyValue(chance) : goodValue(chance, ids, name)];
  });
  if (rarely(chance)) fields.push([anyText(chance), anyValue(chance)]);
  return JSON.stringify(Object.fromEntries(fields));
}

function queryOf(chance: Random, ids: Ids, { query }: Route): string {
  const names = Object.keys(query?.properties ?? {}).filter(() => rarely(chance, 3));
  const pairs = names.map((name) => {
    const number = name === "limit" || name === "offset";
    const bad = number ? badIntegers : badTextsOf(kinds[name]);
    const good = number ? chance.below(300) : goodValue(chance, ids, name);
    return [name, String(rarely(chance) ? chance.pick([...bad, anyText(chance)]) : good)];
  });
  if (rarely(chance)) pairs.push([anyText(chance), anyText(chance)]);
  if (rarely(chance, 15)) pairs.push(...pairs);
  const text = pairs.map((pair) => pair.map(asUriComponent).join("=")).join("&");
  const raw = rarely(chance, 15) ? chance.pick(["%", "%zz", "%ff=%c0", "&&=&", "?", "a[b]=c"]) : "";
  return text + raw === "" ? "" : `?${text}${raw}`;
}

const asUriComponent = (text: string): string => encodeURIComponent(text.toWellFormed());

function pathOf(chance: Random, ids: Ids, route: Route): string {
  const strange = [...badUuids, anyText(chance), "%00", "%zz", "..", ""];
  const id = rarely(chance)
    ? asUriComponent(chance.pick(strange))
    : chance.pick([...idsOf(ids, route.path), randomUUID()]);
  return route.path.replace(/:\w+/, id);
}

/** A stream would keep the sender waiting. */
const endingRoutes = routes.filter(({ stream }) => !stream);

/** A request that is valid in most of its parts, so that it passes most checks. */
export function wildRequest(chance: Random, ids: Ids, tokens: readonly string[]): WildRequest {
  const route = chance.pick(endingRoutes);
  const body = bodyOf(chance, ids, route);
  const headers: Record<string, string> = {};
  if (!rarely(chance, 30)) headers.Authorization = `Bearer ${chance.pick(tokens)}`;
  if (body !== undefined) {
    headers["Content-Length"] = String(Buffer.byteLength(body));
    headers["Content-Type"] = rarely(chance, 20) ? "text/plain" : "application/json";
  }
  if (rarely(chance, 40)) headers["Content-Encoding"] = "gzip";
  if (rarely(chance, 20))
    headers["X-Request-Id"] = anyText(chance).replace(/[^\x20-\x7e\x80-\xff]/g, "?");
  return {
    method: rarely(chance, 20)
      ? chance.pick(["GET", "POST", "PUT", "DELETE", "PATCH"])
      : route.method,
    path: `/api${pathOf(chance, ids, route)}${queryOf(chance, ids, route)}`,
    headers,
    body,
  };
}
