import type { Client } from "pg";
import { OperatorError } from "../errors/operator-error.ts";

/** Numbers that a person can compare with what they expect. */
export interface Counts {
  readonly people: number;
  readonly spots: number;
  readonly claims: number;
}

/**
 * Reads every row and every B-tree index of a database. This finds damaged and missing pages,
 * because pages have checksums. The counts that triggers maintain must match the rows.
 * @param client logged in as a superuser
 * @throws OperatorError if something is damaged
 */
export async function verifyDatabase(client: Client): Promise<Counts> {
  await client.query("begin");
  try {
    await client.query("create extension amcheck schema pg_catalog");
    await client.query(`
      select bt_index_check(i.indexrelid, heapallindexed => true)
        from pg_index i
        join pg_class c on c.oid = i.indexrelid
        join pg_am a on a.oid = c.relam
       where a.amname = 'btree' and i.indisvalid and c.relpersistence = 'p'`);
    const { rows: damages } = await client.query<{ damage: string }>(`
      select format('%s: %s', c.oid::regclass, h.msg) as damage
        from pg_class c
       cross join lateral verify_heapam(c.oid) h
       where c.relkind in ('r', 'm', 't') and c.relpersistence = 'p'`);
    if (damages.length > 0) throw new OperatorError(damages.map(({ damage }) => damage).join("\n"));
    const { rowCount: drifts } = await client.query("table private.count_drifts");
    if (drifts) {
      throw new OperatorError(
        `${drifts} counts are not what the rows are (table private.count_drifts): see docs/dba.md`,
      );
    }
    const { rows } = await client.query<Counts>(`
      select (select count(*) from parking.profiles)::integer as people,
             (select count(*) from parking.spots)::integer as spots,
             (select count(*) from parking.claims)::integer as claims`);
    return rows[0] ?? { people: 0, spots: 0, claims: 0 };
  } finally {
    await client.query("rollback");
  }
}
