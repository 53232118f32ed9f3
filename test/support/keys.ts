import type { Building } from "./building.ts";
import { hours } from "./building.ts";
import { type Answer, type Failure, type Person, requestJson } from "./person.ts";

export interface Key {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly last_used_at: string | null;
  /** In the answer that makes it only. */
  readonly secret: string;
}

/** What a machine sends. */
export interface Machine extends Key {
  get<Body = Failure>(path: string): Promise<Answer<Body>>;
  post<Body = Failure>(path: string, body: unknown): Promise<Answer<Body>>;
  ask<Body = Failure>(method: string, path: string, body?: unknown): Promise<Answer<Body>>;
}

/** Makes a key with these scopes, and the machine that has it. */
export async function machineOf(
  { service }: Pick<Building, "service">,
  administrator: Person,
  scopes: readonly string[],
): Promise<Machine> {
  const { body } = await administrator.post<{ key: Key }>(
    "/admin/keys",
    { name: "Barrier", scopes, expires_at: hours(24) },
    201,
  );
  const { key } = body;
  const ask = <Body>(method: string, path: string, given?: unknown) =>
    requestJson<Body>(service.origin, method, `/api${path}`, { token: key.secret, body: given });
  return {
    ...key,
    get: (path) => ask("GET", path),
    post: (path, given) => ask("POST", path, given),
    ask,
  };
}

/** The claims of a key, as the service hands them to the database. */
export const claimsOfKey = ({ id }: Pick<Key, "id">): string => JSON.stringify({ key: id });
