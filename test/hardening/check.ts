import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { Client } from "pg";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { rolledBack } from "../support/sql.ts";

/** What holds for every object of the database, also for one that is made tomorrow. */
export interface Check {
  readonly title: string;
  /** A query of PostgreSQL's catalogue: the name of each object that breaks it. */
  readonly offenders: string;
  /** Statements that break it, each with the name that the query must then return. */
  readonly breaks: Readonly<Record<string, string>>;
}

/** What is not PostgreSQL's own, in terms of `n`, a pg_namespace. */
export const ours = "n.nspname !~ '^pg_' and n.nspname <> 'information_schema'";

/** The owner of everything, and the roles that may connect without being it. */
export const owner = "(select nspowner from pg_namespace where nspname = 'parking')";
export const logins = `(
  select r.* from pg_roles r
   where r.rolcanlogin
     and not r.rolsuper
     and r.oid <> ${owner}
     and has_database_privilege(r.oid, current_database(), 'connect')
)`;

/** Whether an extension made `p`, a pg_proc. PostgreSQL itself grants those to PUBLIC. */
export const isOfExtension = `exists (
  select from pg_depend d
   where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e'
)`;

/** A database of its own for the tests of a file, and its superuser. */
export function ownDatabase(): { readonly superuser: () => Client } {
  let database: TestDatabase;
  let client: Client;
  beforeAll(async () => {
    database = await cloneDatabase();
    client = new Client(database.url("postgres"));
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });
  return { superuser: () => client };
}

/** Each check holds, and is seen to fail where a statement breaks it. */
export function describeChecks(subject: string, checks: readonly Check[]): void {
  const { superuser } = ownDatabase();
  const namesOf = async (offenders: string): Promise<readonly string[]> => {
    const { rows } = await superuser().query<{ name: string }>(offenders);
    return rows.map(({ name }) => name);
  };

  describe(subject, () => {
    it.each(checks)("$title", async ({ offenders }) => {
      expect(await namesOf(offenders)).toEqual([]);
    });

    const breaks = checks.flatMap(({ title, offenders, breaks }) =>
      Object.entries(breaks).map(([statement, name]) => ({ title, statement, offenders, name })),
    );
    it.each(breaks)("$title: finds $statement", async ({ statement, offenders, name }) => {
      await rolledBack(superuser(), async () => {
        await superuser().query(statement);
        expect(await namesOf(offenders)).toEqual([name]);
      });
    });
  });
}
