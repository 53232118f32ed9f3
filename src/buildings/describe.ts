import { withClient } from "../database/client.ts";
import { migrationsOf } from "../migrations/history.ts";
import type { Building } from "./find.ts";
import { ownerUrl } from "./urls.ts";

export interface Description {
  /** The number of the newest migration, or that there is none. */
  readonly version: string;
  readonly people: number;
  /** As people read it, such as 12 MB. */
  readonly size: string;
}

export async function describeBuilding(
  clusterUrl: string,
  { database, owner }: Building,
): Promise<Description> {
  const url = ownerUrl(clusterUrl, database, owner);
  const version = [...(await migrationsOf(url)).keys()].at(-1);
  return withClient(url, async (client) => {
    const people = version === undefined ? "0" : "(select count(*)::integer from parking.profiles)";
    const { rows } = await client.query<{ people: number; size: string }>(
      `select ${people} as people, pg_size_pretty(pg_database_size(current_database())) as size`,
    );
    return { version: version ?? "none", people: rows[0]?.people ?? 0, size: rows[0]?.size ?? "" };
  });
}
