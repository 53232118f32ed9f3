import { withClient } from "../../src/database/client.ts";
import { type Building, hours, type Window } from "./building.ts";

interface Identified {
  readonly id: string;
}

export type Table = "profiles" | "spots" | "availabilities" | "claims" | "notifications";

/** The row in the database; undefined when it is gone. */
export async function stored(building: Building, table: Table, id: string): Promise<unknown> {
  const [row] = await building.rows(`select * from parking.${table} where id = $1`, [id]);
  return row;
}

const shownColumns = {
  profiles:
    "id email full_name apartment_number phone_number shares_phone_number is_approved is_admin created_at updated_at is_approved_by_groups is_admin_by_groups is_suspended",
  spots: "id spot_number owner_id building_section is_verified created_at updated_at",
  availabilities: "id spot_id start_time end_time is_claimed created_at updated_at",
  claims: "id availability_id claimer_id start_time end_time status created_at updated_at",
} as const;

/** A row as clients see it: an SQL expression of the table's alias. */
export const shownRow = (table: keyof typeof shownColumns, alias: string): string => {
  const members = shownColumns[table].split(" ").map((name) => {
    const value = `${alias}.${name}`;
    return `'${name}', ${/_(time|at)$/.test(name) ? `private.iso8601(${value})` : value}`;
  });
  return `jsonb_build_object(${members.join(", ")})`;
};

/** Every row of every table that people write, of users and of events. */
export async function everything(building: Building): Promise<unknown> {
  const tables = await building.rows<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'parking'::regnamespace and relkind = 'r'",
  );
  const rows = tables.map(
    ({ name }) =>
      `(select jsonb_agg(to_jsonb(t) order by t::text) from parking.${name} t) as ${name}`,
  );
  const [row] = await building.rows(`
    select ${rows},
           (select jsonb_agg(to_jsonb(t) order by t.id) from private.users t) as users,
           -- Without the position, which a service with jobs gives them at any time.
           (select jsonb_agg(
                     to_jsonb(t) - 'position'
                       || jsonb_build_object('data', private.event_data(t.type, t.data))
                     order by t.id
                   )
              from private.events t) as events`);
  return row;
}

/** Whether the window counts as claimed; undefined when there is no such window. */
export async function isClaimed(building: Building, windowId: string): Promise<unknown> {
  const [row] = await building.rows<{ is_claimed: boolean }>(
    "select is_claimed from parking.availabilities where id = $1",
    [windowId],
  );
  return row?.is_claimed;
}

/** The ids of those who have the rights of an administrator, in order. */
export async function administratorsOf(building: Building): Promise<readonly string[]> {
  const rows = await building.rows<{ id: string }>(
    "select id from parking.profiles where is_approved and is_admin order by id",
  );
  return rows.map(({ id }) => id);
}

/** Takes back the approval of an account. */
export const suspend = (building: Building, { id }: Identified) =>
  building.rows("update parking.profiles set is_approved = false where id = $1", [id]);

/** The events about one row, oldest first. */
export const eventsOf = (building: Building, subjectId: string) =>
  building.rows<{ type: string; actor_id: string }>(
    "select type, actor_id from private.events where subject_id = $1 order by id",
    [subjectId],
  );

/**
 * Writes as the superuser with triggers and foreign keys turned off. Only so can a test have rows
 * that are old, or that break a rule.
 */
export const writePastRules = (
  building: Building,
  sql: string,
  values: readonly unknown[],
): Promise<void> =>
  withClient(building.database.url("postgres"), async (superuser) => {
    await superuser.query("set session_replication_role = replica");
    await superuser.query(sql, [...values]);
  });

/** Gives a row other times, in hours from now; negative ones are in the past. */
export const backdate = (
  building: Building,
  table: "availabilities" | "claims",
  { id }: Identified,
  from: number,
  to: number,
): Promise<void> =>
  writePastRules(
    building,
    table === "claims"
      ? `update parking.claims
            set start_time = $2,
                end_time = $3,
                takes = case takes
                  when held then tstzrange($2, $3)
                  else range_merge(takes, tstzrange($2, $3))
                end
          where id = $1`
      : "update parking.availabilities set start_time = $2, end_time = $3 where id = $1",
    [id, hours(from), hours(to)],
  );

/** Gives a window, and the claims on it, a start in the past. */
export async function backdateStart(
  building: Building,
  { id }: Window,
  start: string,
): Promise<void> {
  for (const change of [
    "update parking.availabilities set start_time = $2 where id = $1",
    `update parking.claims
        set start_time = $2, takes = range_merge(takes, tstzrange($2, end_time))
      where availability_id = $1`,
  ])
    await writePastRules(building, change, [id, start]);
}

export const longAgo = "2020-01-01T00:00:00.000Z";

/** Makes a row look as if it was created long ago and never updated since. */
export const backdateCreation = (
  building: Building,
  table: Table,
  { id }: Identified,
): Promise<void> =>
  writePastRules(
    building,
    `update parking.${table} set created_at = $2, updated_at = $2 where id = $1`,
    [id, longAgo],
  );
