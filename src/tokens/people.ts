import type { Pool } from "pg";

/** The people who came from another identity provider. A move takes a restart. */
export async function peopleBySubject(pool: Pool): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<{ subject: string; id: string }>(
    "select * from private.people_by_subject()",
  );
  return new Map(rows.map(({ subject, id }) => [subject, id]));
}
