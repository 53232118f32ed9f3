import { beforeAll, describe, expect, it } from "@jest/globals";
import { waitingIn } from "../../../src/overload/bound.ts";
import { useArena } from "../../support/arena.ts";
import {
  claimOf,
  hours,
  type Spot,
  spotOf,
  type Window,
  windowOf,
} from "../../support/building.ts";
import type { Answer, Failure } from "../../support/person.ts";
import { withTransactionOf } from "../../support/sql.ts";
import { expectUnavailable } from "../../support/unavailable.ts";
import { until, untilWaiting } from "../../support/waiting.ts";

const CONNECTIONS = 9;
const PER_ROW = 3;

const building = useArena(CONNECTIONS);
const owner = building.shared("resident");
const ann = building.shared("resident");
let spot: Spot;
let window: Window;
beforeAll(async () => {
  spot = await spotOf(owner);
  window = await windowOf(owner, spot);
});

async function waitForLocks(time: string): Promise<void> {
  await building.superuser.query(
    `alter role parking_api in database ${building.database.name} set lock_timeout = '${time}'`,
  );
  // The setting is for new connections.
  await building.superuser.query(
    `select pg_terminate_backend(pid, 5000)
       from pg_stat_activity
      where datname = current_database() and usename = 'parking_api'`,
  );
  await until("new connections", () => building.service.pool.totalCount === 0);
}

/** What people want of the spot and its window, all at once. */
const requests = (length: number): Promise<Answer<Failure>>[] =>
  Array.from({ length }, (_, i) => {
    const times = { start_time: hours(100 + i), end_time: hours(101 + i) };
    return i % 2
      ? owner.post("/availabilities", { spot_id: spot.id, ...times })
      : owner.put(`/parking-spots/${spot.id}`, { building_section: `Section ${i}` });
  });

describe("a row that somebody's idle transaction holds", () => {
  it("takes a third of the connections from others", async () => {
    await waitForLocks("500ms");
    await withTransactionOf(building.superuser, async (client) => {
      await client.query("select from parking.spots where id = $1 for no key update", [spot.id]);
      const answers = requests(20);
      await untilWaiting(building, PER_ROW);

      await ann.get("/parking-spots", 200);
      await claimOf(ann, window);
      await spotOf(ann);
      for (const answer of await Promise.all(answers)) expectUnavailable(answer);
    });
    expect((await owner.put(`/parking-spots/${spot.id}`, { building_section: "A" })).status).toBe(
      200,
    );
  });

  it("is waited for by requests that succeed when it is let go", async () => {
    await waitForLocks("20s");
    const answers = await withTransactionOf(building.superuser, async (client) => {
      await client.query("select from parking.spots where id = $1 for no key update", [spot.id]);
      const waiting = requests(2 * PER_ROW);
      await untilWaiting(building, PER_ROW);
      await until("the others in line", () => waitingIn("turn") === PER_ROW);
      await client.query("rollback");
      return Promise.all(waiting);
    });
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 201]));
  });
});

describe("preferences that somebody's idle transaction holds", () => {
  it("keep no reads waiting behind those who end their mails", async () => {
    await waitForLocks("20s");
    await ann.put("/profile/preferences", { language: "de" }, 200);
    const [row] = await building.rows<{ key: string }>(
      "select private.unsubscribe_key($1) as key",
      [ann.id],
    );
    const { origin } = building.service;
    const end = () => fetch(`${origin}/api/unsubscribe?sig=${row?.key}`, { method: "POST" });
    const answers = await withTransactionOf(building.superuser, async (client) => {
      await client.query("select from parking.preferences where person_id = $1 for update", [
        ann.id,
      ]);
      const waiting = Array.from({ length: 2 * PER_ROW }, end);
      await untilWaiting(building, PER_ROW);
      await until("the others in line", () => waitingIn("turn") === PER_ROW);
      await owner.get("/parking-spots", 200);
      await client.query("rollback");
      return Promise.all(waiting);
    });
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });
});

describe("the service's role", () => {
  it("waits for a lock for a little longer than PostgreSQL takes to find a deadlock", async () => {
    const { rows } = await building.superuser.query<{ setting: string }>(
      `select setting
         from pg_db_role_setting, unnest(setconfig) as setting
        where setrole = 'parking_api'::regrole
          and setdatabase = 0
          and setting like 'lock_timeout=%'`,
    );
    expect(rows).toEqual([{ setting: "lock_timeout=1200ms" }]);
  });
});
