import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import type { Client } from "pg";
import { withClient } from "../../src/database/client.ts";
import { projectFolder } from "../../src/project-folder.ts";
import { hours, useBuilding } from "../support/building.ts";

const building = useBuilding();

const constraints = ["claims_of_an_availability", "claims_within_availability"] as const;
type Constraint = (typeof constraints)[number];

const ruleFile = (constraint: Constraint): Promise<string> =>
  readFile(join(projectFolder, "sql/claims/rules", `${constraint}.sql`), "utf8");

const drop = (client: Client, constraint: Constraint) =>
  client.query(`alter table parking.claims drop constraint ${constraint}`);

/** PostgreSQL names the triggers of a foreign key after an OID, and runs triggers by name. */
const triggerOrder = async (client: Client): Promise<readonly string[]> => {
  const { rows } = await client.query<{ conname: string }>(
    `select c.conname
       from pg_trigger t
       join pg_constraint c on c.oid = t.tgconstraint
      where t.tgrelid = 'parking.availabilities'::regclass
        and t.tgisinternal
        and t.tgtype & 8 > 0
        and c.conrelid = 'parking.claims'::regclass
      order by t.tgname`,
  );
  return rows.map(({ conname }) => conname);
};

/** A spot with windows that hold a completed, a cancelled and no claim; then the deletion. */
const deletesASpot = async (client: Client): Promise<unknown> => {
  const [owner, claimer] = [await building.resident(), await building.resident()];
  const { rows } = await client.query<{ id: string }>(
    "insert into parking.spots (spot_number, building_section, owner_id) values ($1, 'North', $2) returning id",
    [owner.id.slice(-12), owner.id],
  );
  const spotId = rows[0]?.id;
  await client.query(
    `insert into parking.availabilities (spot_id, owner_id, start_time, end_time)
     select $1, $2, $3::timestamptz + make_interval(days => n), $4::timestamptz + make_interval(days => n)
       from generate_series(1, 3) n`,
    [spotId, owner.id, hours(1), hours(5)],
  );
  await client.query(
    `insert into parking.claims (availability_id, spot_id, owner_id, claimer_id, start_time, end_time)
     select id, spot_id, owner_id, $2, start_time, end_time
       from parking.availabilities
      where spot_id = $1
      order by start_time
      limit 2`,
    [spotId, claimer.id],
  );
  await client.query(
    `update parking.claims c
        set status = case when start_time = (select min(start_time) from parking.claims where spot_id = $1)
                     then 'completed' else 'cancelled' end
      where spot_id = $1`,
    [spotId],
  );

  await client.query("delete from parking.spots where id = $1", [spotId]);

  const left = await client.query(
    `select (select count(*)::integer from parking.availabilities where spot_id = $1) as windows,
            (select count(*)::integer from parking.claims where spot_id = $1) as claims`,
    [spotId],
  );
  return left.rows[0];
};

/** Acts as the owner of the database; what it changes is undone. */
const undone = (act: (client: Client) => Promise<void>): Promise<void> =>
  withClient(building.database.url("parking_owner"), async (client) => {
    await client.query("begin");
    await act(client);
    await client.query("rollback");
  });

describe("the deletion of a spot", () => {
  it.each([[constraints], [constraints.toReversed()]])(
    "does not depend on the order of its foreign keys: %j",
    (order) =>
      undone(async (client) => {
        for (const constraint of order) await drop(client, constraint);
        for (const constraint of order) await client.query(await ruleFile(constraint));
        expect(await triggerOrder(client)).toEqual(order);
        expect(await deletesASpot(client)).toEqual({ windows: 0, claims: 0 });
      }),
  );

  it.each(constraints)("needs no other foreign key than %s", (constraint) =>
    undone(async (client) => {
      for (const other of constraints.filter((name) => name !== constraint)) {
        await drop(client, other);
      }
      expect(await deletesASpot(client)).toEqual({ windows: 0, claims: 0 });
    }),
  );

  it("deletes the claims before any foreign key of the spot acts", async () => {
    const [names] = await building.rows(
      `select min(tgname) filter (where tgisinternal) as first_foreign_key,
              min(tgname) filter (where not tgisinternal and tgtype & 2 = 0) as first_other
         from pg_trigger
        where tgrelid = 'parking.spots'::regclass`,
    );
    expect(names).toMatchObject({ first_other: "A_delete_claims" });
    expect(names?.first_foreign_key > "A_delete_claims").toBe(true);
  });
});
