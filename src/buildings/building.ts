import type { Client } from "pg";
import { withClient } from "../database/client.ts";
import { migrationsOf } from "../migrations/history.ts";

/** The end of a database's name while it is not a building yet. */
export const UNFINISHED = ".unfinished";

export interface BuildingDatabase {
  /** The names of its roles begin with it. */
  readonly name: string;
  readonly database: string;
  readonly owner: string;
}

/**
 * The buildings of a cluster. A database is a building if a role with the name of an owner may
 * create schemas in it, and if the login with the same name may connect and is parking_api or a
 * member of it. Only sql/roles.sql creates this combination.
 */
export async function findBuildings(server: Client): Promise<readonly BuildingDatabase[]> {
  const { rows } = await server.query<BuildingDatabase>(
    `select regexp_replace(r.rolname, '_owner$', '') as name,
            d.datname as database,
            r.rolname as owner
       from pg_database d
      cross join lateral aclexplode(d.datacl) a
       join pg_roles r on r.oid = a.grantee
      where a.privilege_type = 'CREATE'
        and r.rolname ~ '._owner$'
        and exists (
          select
            from aclexplode(d.datacl) c
            join pg_roles api on api.oid = c.grantee
            left join pg_auth_members m on m.member = api.oid
            join pg_roles shared on shared.oid in (api.oid, m.roleid)
           where c.privilege_type = 'CONNECT'
             and api.rolname = regexp_replace(r.rolname, '_owner$', '_api')
             and shared.rolname = 'parking_api'
        )
        and not d.datistemplate
        and right(d.datname, length($1)) <> $1
      order by 1, 2`,
    [UNFINISHED],
  );
  return rows;
}

export interface BuildingDescription {
  /** The number of the newest migration, or `none`. */
  readonly version: string;
  readonly people: number;
  /** Formatted for people, such as 12 MB. */
  readonly size: string;
}

export async function describeBuilding(
  clusterUrl: string,
  { database, owner }: BuildingDatabase,
): Promise<BuildingDescription> {
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

/** The URL of a database of the cluster, with the login of the administrator. */
export function databaseUrl(clusterUrl: string, database: string): string {
  const url = new URL(clusterUrl);
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
}

/**
 * A URL that logs in as the administrator and acts as the owner from the start, so that a rollout
 * over a thousand buildings needs no thousand passwords.
 */
export function ownerUrl(clusterUrl: string, database: string, owner: string): string {
  const url = new URL(databaseUrl(clusterUrl, database));
  const options = url.searchParams.get("options");
  url.searchParams.set("options", [options, `-c role=${owner}`].filter(Boolean).join(" "));
  return url.href;
}
