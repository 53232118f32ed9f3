import type { Client } from "pg";

/** The end of the name of a database that is not a building yet. */
export const UNFINISHED = ".unfinished";

export interface Building {
  /** What its roles are named after. */
  readonly name: string;
  readonly database: string;
  readonly owner: string;
}

/**
 * The buildings of a cluster: the databases in which a role with the name of an owner may make
 * schemas, as sql/roles.sql grants it.
 */
export async function findBuildings(server: Client): Promise<readonly Building[]> {
  const { rows } = await server.query<Building>(
    `select regexp_replace(r.rolname, '_owner$', '') as name,
            d.datname as database,
            r.rolname as owner
       from pg_database d
      cross join lateral aclexplode(d.datacl) a
       join pg_roles r on r.oid = a.grantee
      where a.privilege_type = 'CREATE'
        and r.rolname ~ '._owner$'
        and not d.datistemplate
        and right(d.datname, length($1)) <> $1
      order by 1, 2`,
    [UNFINISHED],
  );
  return rows;
}

/** The building with that name. */
export const findBuilding = async (server: Client, name: string): Promise<Building | undefined> =>
  (await findBuildings(server)).find((building) => building.name === name);
