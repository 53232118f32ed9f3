import { beforeAll, describe, expect, it } from "@jest/globals";
import { withClient } from "../../src/database/client.ts";
import {
  type Claim,
  claimOf,
  spotOf,
  useBuilding,
  type Window,
  windowOf,
} from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { backdate, stored, writePastRules } from "../support/rows.ts";

const building = useBuilding();
let administrator: Person;
beforeAll(async () => {
  administrator = await building.administrator();
});

const erase = ({ id }: Person, reason = "They moved out") =>
  administrator.delete(`/admin/profiles/${id}?reason=${encodeURIComponent(reason)}`, 200);

const messagesOf = async ({ id }: Person) =>
  (
    await building.rows<{ message: string }>(
      "select message from parking.notifications where recipient_id = $1 order by id",
      [id],
    )
  ).map(({ message }) => message);

/** A window, and a claim of all of it, that were over long ago or still last. */
async function held(
  owner: Person,
  claimer: Person,
  [from, to]: readonly [number, number],
): Promise<{ window: Window; claim: Claim }> {
  const window = await windowOf(owner, await spotOf(owner), 1, 5);
  const claim = await claimOf(claimer, window);
  await backdate(building, "availabilities", window, from, to);
  await backdate(building, "claims", claim, from, to);
  return { window, claim };
}

const past = [-50, -40] as const;
const running = [-3, 5] as const;
const future = [1, 5] as const;

const startOfTest = new Date();

/** How long windows were offered until now, in minutes. */
const offeredMinutes = async (owner: Person): Promise<number> => {
  const [row] = await building.rows<{ minutes: number }>(
    `select coalesce(sum(extract(epoch from least(end_time, $2) - start_time) / 60), 0)::float as minutes
       from parking.availabilities
      where owner_id = $1 and start_time < $2`,
    [owner.id, startOfTest],
  );
  return row?.minutes ?? Number.NaN;
};

describe("the erasure of a person", () => {
  it("completes what has ended, cancels what has not, and notifies only of that", async () => {
    const [person, neighbour] = [await building.resident(), await building.resident()];
    const claims = {
      ended: await held(person, neighbour, past),
      endedByPerson: await held(neighbour, person, past),
      running: await held(person, neighbour, running),
      future: await held(person, neighbour, future),
      futureByPerson: await held(neighbour, person, future),
    };
    await building.rows("select private.recount()"); // triggers did not count the dates above
    const before = await messagesOf(neighbour);

    await erase(person);

    const statusOf = async ({ claim }: { claim: Claim }) =>
      ((await stored(building, "claims", claim.id)) as Claim).status;
    expect(await statusOf(claims.ended)).toBe("completed");
    expect(await statusOf(claims.endedByPerson)).toBe("completed");
    expect(await statusOf(claims.running)).toBe("cancelled");
    expect(await statusOf(claims.future)).toBe("cancelled");
    expect(await statusOf(claims.futureByPerson)).toBe("cancelled");
    const news = (await messagesOf(neighbour)).slice(before.length);
    expect(news).toHaveLength(3);
    for (const message of news) expect(message).toMatch(/was cancelled\. Reason: They moved out$/);
    expect(await building.rows("table private.count_drifts")).toEqual([]);
  });

  it("keeps past free windows, and of running ones what is past", async () => {
    const person = await building.resident();
    const spot = await spotOf(person);
    const windows = {
      past: await windowOf(person, spot, 10, 15),
      running: await windowOf(person, spot, 20, 25),
      future: await windowOf(person, spot, 30, 35),
    };
    await backdate(building, "availabilities", windows.past, -20, -10);
    await backdate(building, "availabilities", windows.running, -5, 5);
    await building.rows("select private.recount()");
    const offered = await offeredMinutes(person);
    const past = await stored(building, "availabilities", windows.past.id);

    await erase(person);

    expect(await offeredMinutes(person)).toBe(offered);
    expect(await stored(building, "availabilities", windows.past.id)).toEqual(past);
    expect(await stored(building, "availabilities", windows.future.id)).toBeUndefined();
    const [open] = await building.rows(
      "select from parking.availabilities where owner_id = $1 and end_time > now()",
      [person.id],
    );
    expect(open).toBeUndefined();
    expect(await building.rows("table private.count_drifts")).toEqual([]);
  });
});

describe("what was written about an erased person", () => {
  const reason = "May asked for it";

  /** The person's claim, and one of their spot, cancelled by an administrator, and a spot and a window removed. */
  async function known() {
    const [person, neighbour] = [await building.resident(), await building.resident()];
    const made = await claimOf(person, await windowOf(neighbour, await spotOf(neighbour)));
    const [spot, removed] = [await spotOf(person), await spotOf(person)];
    const received = await claimOf(neighbour, await windowOf(person, spot));
    for (const { id } of [made, received])
      await administrator.put(`/admin/claims/${id}`, { status: "cancelled", reason }, 200);
    const window = await windowOf(person, spot, 20, 25);
    const query = `reason=${encodeURIComponent(reason)}`;
    await administrator.delete(`/admin/availabilities/${window.id}?${query}`, 200);
    await administrator.delete(`/admin/parking-spots/${removed.id}?${query}`, 200);
    return { person, neighbour };
  }

  const reasons = () =>
    building.rows("select type from private.events where reason = $1 order by type", [reason]);

  it("goes where the rows say that it is about them: from the log, and for who was told", async () => {
    const { person, neighbour } = await known();
    const others = await known();
    const before = await messagesOf(neighbour);
    expect(before.filter((message) => message.endsWith(`. Reason: ${reason}`))).toHaveLength(2);

    await erase(person);

    const left = before.map((message) => message.replace(`. Reason: ${reason}`, ""));
    expect(await messagesOf(neighbour)).toEqual(left);
    expect(
      await building.rows(
        "select from parking.notifications where recipient_id = $1 and data ? 'reason'",
        [neighbour.id],
      ),
    ).toEqual([]);
    // Of the others nothing has changed.
    expect(await reasons()).toEqual(
      ["availability.deleted", "claim.cancelled", "claim.cancelled", "spot.deleted"].map(
        (type) => ({
          type,
        }),
      ),
    );
    expect((await messagesOf(others.neighbour)).join()).toContain(reason);
    const { body } = await administrator.get<{ acts: { reason?: string }[] }>(
      "/profile/export",
      200,
    );
    expect(body.acts.filter((act) => act.reason === reason)).toHaveLength(4);
    await erase(others.person);
    expect(await reasons()).toEqual([]);
  });

  it("does not change what others wrote, whatever the person was called", async () => {
    const [person, other] = [await building.resident(), await building.resident()];
    await person.put("/profile", { full_name: "José Williams May" }, 200);
    const claim = await claimOf(other, await windowOf(administrator, await spotOf(administrator)));
    await other.put(`/claims/${claim.id}`, { guest: "Carla May" }, 200);
    const notes = "You may not park here in May; ask Williams";
    const spot = await spotOf(other, "May");
    await other.put(`/parking-spots/${spot.id}`, { notes }, 200);
    await other.delete(`/claims/${claim.id}`, 200);

    await erase(person, "José Williams May moved out");

    expect(await stored(building, "spots", spot.id)).toMatchObject({
      notes,
      building_section: "May",
    });
    expect((await messagesOf(administrator)).join()).not.toContain("erased");
    const [event] = await building.rows(
      "select data ->> 'guest' as guest from private.events where subject_id = $1 and type = 'claim.updated'",
      [claim.id],
    );
    expect(event).toEqual({ guest: "Carla May" });
  });
});

describe("the log", () => {
  it("is not read as a whole, however long it is", async () => {
    const person = await building.resident();
    const neighbour = await building.resident();
    await held(person, neighbour, past);
    await held(neighbour, person, future);
    await writePastRules(
      building,
      `insert into private.events (type, subject_id, data, reason)
       select t.type, uuidv7(), jsonb_build_object('claimer_id', $1::uuid, 'owner_id', $1::uuid),
              case when n % 100 = 0 then 'Repairs' end
         from generate_series(1, 30000) n
        cross join lateral (
          values ((array['claim.submitted', 'claim.deleted', 'spot.updated', 'profile.updated'])[1 + n % 4])
        ) t (type)`,
      [neighbour.id],
    );
    await building.rows("analyze private.events");

    const read = await withClient(building.database.url("parking_owner"), async (client) => {
      await client.query("begin");
      await client.query("select private.erase_person($1)", [person.id]);
      const { rows } = await client.query(
        `select seq_tup_read::integer as by_scan, idx_tup_fetch < 2000 as is_little
           from pg_stat_xact_user_tables where relid = 'private.events'::regclass`,
      );
      await client.query("rollback");
      return rows;
    });
    expect(read).toEqual([{ by_scan: 0, is_little: true }]);
  });
});
