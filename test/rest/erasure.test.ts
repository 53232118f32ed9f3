import { randomUUID } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { withClient } from "../../src/database/client.ts";
import { statisticsJob } from "../../src/jobs/statistics.ts";
import { answerOf } from "../support/answers.ts";
import {
  type Claim,
  claimOf,
  type Spot,
  spotOf,
  useBuilding,
  type Window,
  windowOf,
} from "../support/building.ts";
import { favoriteOf } from "../support/favorite-spots.ts";
import { postWithKey } from "../support/keyed.ts";
import type { Person } from "../support/person.ts";
import { newSubscription } from "../support/push-service.ts";
import { backdate, stored, writePastRules } from "../support/rows.ts";

const building = useBuilding();
const administrator = building.shared("administrator");

const pathOf = ({ id }: Person, reason = "They moved out") =>
  `/admin/profiles/${id}?reason=${encodeURIComponent(reason)}`;

const erase = (person: Person, reason?: string) =>
  administrator.delete(pathOf(person, reason), 200);

const details = {
  full_name: "Zebedee Quux",
  apartment_number: "Penthouse 77",
  phone_number: "+49 (30) 555-0199",
};

const timed = {
  id: "",
  key: "",
  event_id: null,
  data: {},
  attempts: 1,
  failures: 0,
  overdue_seconds: 0,
};

const spotNamed = (spot_number: string) => ({ spot_number, building_section: "North" });

/** A resident with a name, a spot with notes, and claims on both sides. */
async function knownResident() {
  const [person, neighbour] = [await building.resident(), await building.resident()];
  await person.put("/profile", { ...details, full_name: "Zebedee Quux-Smith" }, 200);
  await person.put("/profile", details, 200);
  const own = await spotOf(person);
  const others = await spotOf(neighbour);
  await person.put(`/parking-spots/${own.id}`, { notes: "Z.Q. moors a boat here" }, 200);
  const path = `/parking-spots/${own.id}/access`;
  await person.put(path, { access_notes: "The key is with Z.Q.'s sister" }, 200);
  const windows = {
    claimed: await windowOf(person, own, 1, 5),
    completed: await windowOf(person, own, 10, 15),
    free: await windowOf(person, own, 20, 25),
    others: await windowOf(neighbour, others, 1, 5),
  };
  const claims = {
    onOwn: await claimOf(neighbour, windows.claimed),
    completed: await claimOf(neighbour, windows.completed),
    byPerson: await claimOf(person, windows.others),
  };
  await neighbour.put(`/claims/${claims.completed.id}`, { status: "completed" }, 200);
  const deleted = await claimOf(person, await windowOf(neighbour, others, 10, 11));
  await person.delete(`/claims/${deleted.id}`, 200);
  const third = { ...spotNamed(randomUUID().slice(0, 8)), notes: "Zebedee's" };
  await postWithKey(building.service.origin, person, "/parking-spots", "a key", third);
  return { person, neighbour, own, windows, claims };
}

/** Every row of every table that has one of these texts. */
async function placesOf(texts: readonly string[]) {
  const tables = await building.rows<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name
       from information_schema.tables
      where table_schema in ('parking', 'private')
        and table_type = 'BASE TABLE'`,
  );
  const found = await Promise.all(
    tables.map(async ({ name }) => ({
      name,
      rows: await building.rows(
        `select to_jsonb(t) as row from ${name} t
          where exists (select from unnest($1::text[]) word where strpos(to_jsonb(t)::text, word) > 0)`,
        [texts],
      ),
    })),
  );
  return found.filter(({ rows }) => rows.length > 0);
}

const counts = () =>
  building.rows(
    `select (select count(*)::int from parking.profiles) as profiles,
            (select count(*)::int from parking.claims) as claims`,
  );

describe("DELETE /admin/profiles/{id}", () => {
  it("leaves no name, address or phone number, and keeps the counts", async () => {
    const { person } = await knownResident();
    const words = ["Zebedee", "Quux", "Z.Q.", "Penthouse", "555-0199", person.email];
    expect(await placesOf(words)).not.toEqual([]);
    const before = await counts();

    expect(answerOf(await administrator.delete(pathOf(person), 200)).body).toEqual({
      message: "Personal data erased successfully",
      deleted_profile_id: person.id,
    });

    expect(await placesOf(words)).toEqual([]);
    expect(await counts()).toEqual(before);
    const { body } = await administrator.get(`/admin/profiles/${person.id}`, 200);
    expect(body).toMatchObject({
      profile: {
        email: `${person.id}@erased.invalid`,
        full_name: null,
        apartment_number: "erased",
        phone_number: null,
        is_approved: false,
        is_admin: false,
      },
    });
    const [event] = await building.rows(
      "select type, actor_id, reason from private.events where subject_id = $1 order by id desc limit 1",
      [person.id],
    );
    expect(event).toEqual({
      type: "profile.erased",
      actor_id: administrator.id,
      reason: "They moved out",
    });
  });

  it("does not learn the address again from a token", async () => {
    const { person } = await knownResident();
    await erase(person);

    const { body } = await person.get("/profile", 200);

    expect(body).toMatchObject({ profile: { email: `${person.id}@erased.invalid` } });
    expect(await placesOf([person.email])).toEqual([]);
  });

  it("retires what they shared: the number is free, and what was stays", async () => {
    const { person, neighbour, own, claims } = await knownResident();
    await erase(person);

    const { spot_number } = own;
    expect((await neighbour.get(`/parking-spots/${own.id}`)).status).toBe(404);
    await neighbour.post("/parking-spots", spotNamed(spot_number), 201);
    const { body } = await neighbour.get(`/claims/${claims.completed.id}`, 200);
    expect(body).toMatchObject({ claim: { id: claims.completed.id, status: "completed" } });
    expect(
      await building.rows("select spot_number from reporting.claims where id = $1", [
        claims.completed.id,
      ]),
    ).toEqual([{ spot_number }]);
  });

  it("leaves nothing in the planner's statistics", async () => {
    const { person } = await knownResident();
    const known = () =>
      building.rows(
        `select from pg_stats
          where schemaname in ('parking', 'private')
            and concat(most_common_vals, histogram_bounds, most_common_elems) ~ 'Zebedee|Penthouse|Z\\.Q\\.'`,
      );
    await building.rows("analyze");
    expect(await known()).not.toEqual([]);
    await erase(person);

    const [job] = await building.rows("select from private.jobs where kind = 'statistics'");
    expect(job).toBeDefined();
    await statisticsJob(building.service.pool).attempt(
      { ...timed, kind: "statistics" },
      new AbortController().signal,
    );
    expect(await known()).toEqual([]);
  });
});

it("what only the person has is in the export, and goes: stars, choices, devices, feeds", async () => {
  const person = await building.resident();
  await favoriteOf(person, await spotOf(person));
  await person.put("/profile/preferences", { language: "de" }, 200);
  await person.post("/push-subscriptions", newSubscription(), 201);
  await person.post("/calendar-feed", {}, 201);
  const { body } = await person.get<Readonly<Record<string, unknown>>>("/profile/export", 200);
  const tables = await building.rows<{ name: string }>(
    `select c.relname as name
       from pg_attribute a
       join pg_class c on c.oid = a.attrelid and c.relkind = 'r'
      where c.relnamespace = 'parking'::regnamespace and a.attname = 'person_id'
      order by 1`,
  );
  const owned = "calendar_feeds favorite_spots preferences push_subscriptions".split(" ");
  expect(tables.map(({ name }) => name)).toEqual(owned);
  const members = owned.map((name) => name.replace("feeds", "feed"));
  expect(Object.keys(body)).toEqual(expect.arrayContaining(members));

  await erase(person);

  for (const { name } of tables)
    expect(
      await building.rows(`select from parking.${name} where person_id = $1`, [person.id]),
    ).toEqual([]);
});

it("direct SQL as the API role erases nobody without administrator privileges", async () => {
  const { person, neighbour } = await knownResident();
  for (const call of [
    `api.erase_profile('${person.id}', 'x')`,
    `private.erase_as_administrator('${person.id}')`,
  ]) {
    expect(await neighbour.sqlError(`select ${call}`)).toMatchObject({
      code: "42501",
      constraint: "administrator_required",
    });
  }
  expect(await administrator.sqlError(`select private.erase_person('${person.id}')`)).toMatchObject(
    { code: "42501", message: expect.stringMatching(/^permission denied/) },
  );
  expect(await stored(building, "profiles", person.id)).toMatchObject(details);
});

interface Told {
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}
const toldTo = ({ id }: Person) =>
  building.rows<Told>(
    "select message, data from parking.notifications where recipient_id = $1 order by id",
    [id],
  );

const report = (reporter: Person, spot: Spot, more: object) =>
  reporter.post<{ report: { id: string } }>("/spot-reports", { spot_id: spot.id, ...more }, 201);

it("a report of a stranger's car loses the plate of an erased person, however it was written", async () => {
  const [person, neighbour] = [await building.resident(), await building.resident()];
  await person.put("/profile", { vehicle: "B-AB 123" }, 200);
  const spot = await spotOf(neighbour);
  for (const vehicle of ["bab123", "B AB-123", "B-AB 1234"])
    await report(neighbour, spot, { vehicle });
  await report(neighbour, spot, { note: "It was BAB123 again" });
  const vehicles = async () => ({
    reported: await building.rows(
      "select vehicle, note from parking.spot_reports where spot_id = $1 order by id",
      [spot.id],
    ),
    told: await building.rows(
      `select n.data ->> 'vehicle' as vehicle
         from parking.notifications n where n.spot_id = $1 and n.recipient_id = $2 order by id`,
      [spot.id, administrator.id],
    ),
  });

  await erase(person);

  const others = { vehicle: "B-AB 1234" };
  const none = { vehicle: null };
  expect(await vehicles()).toEqual({
    reported: [
      { ...none, note: null },
      { ...none, note: null },
      { ...others, note: null },
      { ...none, note: "It was BAB123 again" },
    ],
    told: [none, none, others, none],
  });
});

it("a report by an erased person goes with the plate, for those who were told too", async () => {
  const person = await building.resident();
  await report(person, await spotOf(person), { vehicle: "HH XY 1", note: "A red one" });
  const told = async () => (await toldTo(administrator)).at(-1)?.data;
  expect(await told()).toMatchObject({ vehicle: "HH XY 1" });

  await erase(person);

  expect(await told()).not.toHaveProperty("vehicle");
  expect(
    await building.rows("select from parking.spot_reports where reporter_id = $1", [person.id]),
  ).toEqual([]);
});

/** The neighbour's window is claimed by the person, and the administrator cancels that. */
async function cancelled(person: Person, reason: string) {
  const neighbour = await building.resident();
  const claim = await claimOf(person, await windowOf(neighbour, await spotOf(neighbour)));
  await administrator.put(`/admin/claims/${claim.id}`, { status: "cancelled", reason }, 200);
  return { neighbour, claim };
}

const messagesOf = async (person: Person) => (await toldTo(person)).map(({ message }) => message);

describe("a notification", () => {
  it("loses the reason also where its event is kept no longer, or it has no data", async () => {
    const person = await building.resident();
    const { neighbour, claim } = await cancelled(person, "Zorro wants it");
    await writePastRules(building, "delete from private.events where subject_id = $1", [claim.id]);
    const { neighbour: old } = await cancelled(person, "Zorro wants it");
    // The first release wrote no data.
    await building.rows("update parking.notifications set data = null where recipient_id = $1", [
      old.id,
    ]);

    await erase(person);

    for (const { message, data } of [...(await toldTo(neighbour)), ...(await toldTo(old))]) {
      expect(message).not.toMatch(/Zorro|Reason/);
      expect(data ?? {}).not.toHaveProperty("reason");
    }
    expect(await messagesOf(old)).toHaveLength(2);
  });

  it("loses the name of who claimed, also where the log is kept for a shorter time", async () => {
    const [person, owner] = [await building.resident(), await building.resident()];
    await person.put("/profile", { full_name: "Zebulon Quux" }, 200);
    const { id } = await claimOf(person, await windowOf(owner, await spotOf(owner)));
    await person.delete(`/claims/${id}`, 200);
    await building.service.pool.query("select private.order_events()");
    const log = "update private.events set occurred_at = now() - interval '401 days'";
    await writePastRules(building, `${log} where subject_id = $1`, [id]);
    await building.service.pool.query("select private.prune()");
    const names = async () =>
      (await toldTo(owner)).map(({ data }) => Object(data).claimer_name ?? null);
    expect(await names()).toEqual(["Zebulon Quux", "Zebulon Quux"]);

    await erase(person);

    expect(await names()).toEqual([null, null]);
    await building.service.pool.query("select private.prune()");
    expect(await building.rows("select from private.events where subject_id = $1", [id])).toEqual(
      [],
    );
  });
});

it("the reason of a rejection goes as a whole, from the log too", async () => {
  const person = await building.unapproved();
  const rejection_reason = "The landlord says that you live with Ms Doe";
  await administrator.put(`/admin/profiles/${person.id}`, { rejection_reason }, 200);

  await erase(person);

  const [left] = await building.rows<{ log: string }>(
    "select string_agg(to_jsonb(e)::text, ' ') as log from private.events e where subject_id = $1",
    [person.id],
  );
  expect(left?.log).toContain("profile.rejected");
  expect(left?.log).not.toContain("landlord");
});

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
    // Nothing of the others has changed.
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

it("the log is not read as a whole, however long it is", async () => {
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
