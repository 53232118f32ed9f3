import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type ClientBase, Pool, type QueryResultRow } from "pg";
import { withClient } from "../../src/database/client.ts";
import {
  type Building,
  claimOf,
  offer,
  openBuilding,
  type Spot,
  spotOf,
  type Window,
  windowOf,
} from "../support/building.ts";
import { withdrawn } from "../support/exceptions.ts";
import { patternOf, threeDays, windowsOf } from "../support/patterns.ts";
import type { Person } from "../support/person.ts";
import { writePastRules } from "../support/rows.ts";
import { reportOf, takenSpot } from "../support/spot-reports.ts";
import { type Wish, wishOf } from "../support/wishes.ts";

let building: Building;
let reporter: Pool;
beforeAll(async () => {
  building = await openBuilding();
  reporter = new Pool({ connectionString: building.database.url("parking_reporter"), max: 2 });
});
afterAll(async () => {
  await reporter.end();
  await building.close();
});

const report = async <Row extends QueryResultRow>(sql: string, values: unknown[] = []) =>
  (await reporter.query<Row>(sql, values)).rows;

/** A day that no other test's windows touch, within the year to come: reports look no further. */
const day = (count: number): string =>
  new Date(startOfRun + (30 + count) * 86_400_000).toISOString().slice(0, 10);
const startOfRun = Date.now();

const windowBetween = async (owner: Person, spot: Spot, start: string, end: string) => {
  const times = { spot_id: spot.id, start_time: start, end_time: end };
  const { body } = await owner.post<{ availability: Window }>("/availabilities", times, 201);
  return body.availability;
};

/** A spot offered from 22:00 of one day to 04:00 of the next, of which the claim takes 23:00 to 01:00. */
async function claimedNight(first: number) {
  const [owner, claimer] = [await building.resident(), await building.resident()];
  const spot = await spotOf(owner, `Section ${first}`);
  const [evening, morning] = [day(first), day(first + 1)];
  const window = await windowBetween(owner, spot, `${evening}T22:00:00Z`, `${morning}T04:00:00Z`);
  const times = { start_time: `${evening}T23:00:00Z`, end_time: `${morning}T01:00:00Z` };
  return { owner, claimer, spot, claim: await claimOf(claimer, { ...window, ...times }) };
}

const utilisation = (spotId: string) =>
  report(
    `select day::text, offered_hours::float, claimed_hours::float, utilisation::float
       from spot_utilisation where spot_id = $1 order by day`,
    [spotId],
  );

describe("spot_utilisation", () => {
  it("splits windows and claims at midnight UTC", async () => {
    const { spot } = await claimedNight(1);
    expect(await utilisation(spot.id)).toEqual([
      { day: day(1), offered_hours: 2, claimed_hours: 1, utilisation: 0.5 },
      { day: day(2), offered_hours: 4, claimed_hours: 1, utilisation: 0.25 },
    ]);
  });

  it("does not count a cancelled claim, nor a window twice that was claimed again", async () => {
    const { claimer, spot, claim } = await claimedNight(4);
    await claimer.put(`/claims/${claim.id}`, { status: "cancelled" }, 200);
    expect(await utilisation(spot.id)).toEqual([
      { day: day(4), offered_hours: 2, claimed_hours: 0, utilisation: 0 },
      { day: day(5), offered_hours: 4, claimed_hours: 0, utilisation: 0 },
    ]);
  });

  it("knows a day with a second of a window, which is no thousandth of an hour", async () => {
    const [owner, claimer] = [await building.resident(), await building.resident()];
    const spot = await spotOf(owner);
    const window = await windowBetween(owner, spot, `${day(60)}T23:00:00Z`, `${day(61)}T00:00:01Z`);
    await claimOf(claimer, window);

    expect(await utilisation(spot.id)).toEqual([
      { day: day(60), offered_hours: 1, claimed_hours: 1, utilisation: 1 },
      { day: day(61), offered_hours: 0, claimed_hours: 0, utilisation: 1 },
    ]);
  });
});

describe("availabilities and claims", () => {
  it("show lead time and duration, keys instead of names, and how soon a window was claimed", async () => {
    const { owner, claimer, spot, claim } = await claimedNight(16);
    const leads =
      "abs(lead_hours - extract(epoch from start_time - created_at) / 3600) < 0.001 as leads";
    const columns = "spot_number, building_section, owner_id, duration_hours::float";
    const of = { spot_number: spot.spot_number, building_section: spot.building_section };
    const both = { ...of, owner_id: owner.id, leads: true };
    expect(
      await report(
        `select ${columns}, is_claimed, is_from_plan, ${leads} from availabilities where spot_id = $1`,
        [spot.id],
      ),
    ).toEqual([{ ...both, duration_hours: 6, is_claimed: true, is_from_plan: false }]);
    expect(
      await report(`select ${columns}, claimer_id, status, ${leads} from claims where id = $1`, [
        claim.id,
      ]),
    ).toEqual([{ ...both, duration_hours: 2, claimer_id: claimer.id, status: "active" }]);
    expect(
      await report(
        `select c.created_at >= a.created_at as is_later
           from claims c join availabilities a on a.id = c.availability_id
          where c.id = $1`,
        [claim.id],
      ),
    ).toEqual([{ is_later: true }]);
  });
});

it("spots counts the windows of each spot, and has those that were never offered", async () => {
  const { owner, spot } = await claimedNight(18);
  const never = await spotOf(owner, "Section 18");
  const rows = await report(
    `select id, windows::int, claimed_windows::int, first_start_time, last_end_time, is_verified
       from spots where building_section = 'Section 18' order by windows`,
  );
  const none = { first_start_time: null, last_end_time: null, is_verified: false };
  expect(rows).toEqual([
    { id: never.id, windows: 0, claimed_windows: 0, ...none },
    {
      id: spot.id,
      windows: 1,
      claimed_windows: 1,
      first_start_time: new Date(`${day(18)}T22:00:00Z`),
      last_end_time: new Date(`${day(19)}T04:00:00Z`),
      is_verified: false,
    },
  ]);
});

it("a window of a plan stays one when the plan is gone", async () => {
  const [owner, claimer] = [await building.resident(), await building.resident()];
  const spot = await spotOf(owner);
  const pattern = await patternOf(owner, threeDays(spot));
  const [window] = await windowsOf(owner, spot);
  if (window) await claimOf(claimer, window);
  const shown = () =>
    report("select is_from_plan from availabilities where spot_id = $1", [spot.id]);
  expect(await shown()).toEqual(Array(3).fill({ is_from_plan: true }));
  await owner.delete(`/patterns/${pattern.id}`, 200);
  expect(await shown()).toEqual([{ is_from_plan: true }]);
});

it("wishes are open, met or in vain", async () => {
  const { owner, claimer, spot } = await offer(building);
  const [open, met, vain] = [
    await wishOf(claimer, 30, 31),
    await wishOf(claimer, 6, 7, { spot_id: spot.id }),
    await wishOf(claimer, 40, 41, { building_section: "South" }),
  ];
  const claim = await claimOf(claimer, await windowOf(owner, spot, 6, 7));
  await writePastRules(
    building,
    "update parking.wishes set start_time = now() - interval '1 hour', created_at = now() - interval '3 hours' where id = $1",
    [vain.id],
  );
  const of = async ({ id }: Wish) =>
    (
      await report(
        "select wisher_id, building_section, spot_id, claim_id, outcome, lead_hours > 1 as early from wishes where id = $1",
        [id],
      )
    )[0];
  const wisher_id = claimer.id;
  const none = { building_section: null, spot_id: null, claim_id: null };
  expect(await of(open)).toEqual({ ...none, wisher_id, outcome: "open", early: true });
  expect(await of(met)).toEqual({
    wisher_id,
    building_section: spot.building_section,
    spot_id: spot.id,
    claim_id: claim.id,
    outcome: "met",
    early: true,
  });
  expect(await of(vain)).toEqual({
    ...none,
    wisher_id,
    building_section: "South",
    outcome: "in vain",
    early: true,
  });
});

it("spot_reports count strangers' cars by spot, without plate and note", async () => {
  const [owner, claimer] = [await building.resident(), await building.resident()];
  const { spot } = await takenSpot(building, owner, claimer);
  await reportOf(claimer, spot, { vehicle: "B-AB 1234", note: "Again" });
  const rows = await report("select * from spot_reports where spot_id = $1", [spot.id]);
  expect(rows).toEqual([
    {
      id: expect.any(String),
      spot_id: spot.id,
      spot_number: spot.spot_number,
      building_section: spot.building_section,
      reporter_id: claimer.id,
      is_by_owner: false,
      is_resolved: false,
      created_at: expect.any(Date),
    },
  ]);
});

describe("a window that its owner withdrew, which stays for its cancelled claim", () => {
  it("is no offer", async () => {
    const { owner, spot } = await withdrawn(building, "Withdrawn");
    const days = await report("select from section_utilisation where building_section = $1", [
      spot.building_section,
    ]);
    expect(days).toEqual([]);
    expect(await utilisation(spot.id)).toEqual([]);
    expect(await report("select from availabilities where spot_id = $1", [spot.id])).toEqual([]);
    const spots = "select windows::int, last_end_time from spots where id = $1";
    expect(await report(spots, [spot.id])).toEqual([{ windows: 0, last_end_time: null }]);
    const people = "select windows::int from people where profile_id = $1";
    expect(await report(people, [owner.id])).toEqual([{ windows: 0 }]);
  });

  it("makes the spot that is offered afterwards no second one", async () => {
    const { owner, spot } = await withdrawn(building, "Withdrawn once");
    await windowOf(owner, spot, 7, 9);
    expect(
      await report(
        "select sum(offered_spots)::int as spots from use_by_month where building_section = $1",
        [spot.building_section],
      ),
    ).toEqual([{ spots: 1 }]);
  });
});

it("use_by_month adds up the days of section_utilisation, and counts a spot once", async () => {
  const { owner, spot } = await claimedNight(22);
  for (const start of [24, 26]) {
    await windowBetween(owner, spot, `${day(start)}T10:00:00Z`, `${day(start)}T12:00:00Z`);
  }
  const [row] = await report(
    `with months as (select * from use_by_month where building_section = $1),
          days as (
            select date_trunc('month', day::timestamp)::date as month,
                   sum(offered_hours) as offered_hours, sum(claimed_hours) as claimed_hours
              from section_utilisation
             where building_section = $1
             group by 1
          )
     select sum(offered_hours)::float as offered, sum(claimed_hours)::float as claimed,
            max(offered_spots)::integer as spots,
            bool_and(utilisation = round(claimed_hours / offered_hours, 4)) as is_share,
            (select count(*)::integer from months left join days using (month, offered_hours, claimed_hours) where days.month is null) as others
       from months`,
    [spot.building_section],
  );
  expect(row).toEqual({ offered: 10, claimed: 2, spots: 1, is_share: true, others: 0 });
});

describe("section_utilisation", () => {
  it("knows the days between, adds up spots, and counts one with several windows a day once", async () => {
    const owner = await building.resident();
    const [long, often] = [await spotOf(owner, "Long"), await spotOf(owner, "Long")];
    await windowBetween(owner, long, `${day(100)}T18:00:00Z`, `${day(170)}T06:00:00Z`);
    await windowBetween(owner, often, `${day(101)}T08:00:00Z`, `${day(101)}T09:00:00Z`);
    await windowBetween(owner, often, `${day(101)}T10:00:00Z`, `${day(101)}T11:00:00Z`);

    const days = await report(
      `select day::text, offered_spots::integer as spots, offered_hours::float as hours
         from section_utilisation where building_section = 'Long' order by day`,
    );
    expect(days).toHaveLength(71);
    expect(days.slice(0, 3)).toEqual([
      { day: day(100), spots: 1, hours: 6 },
      { day: day(101), spots: 2, hours: 26 },
      { day: day(102), spots: 1, hours: 24 },
    ]);
    expect(days.at(-1)).toEqual({ day: day(170), spots: 1, hours: 6 });
  });
});

describe("demand_by_hour", () => {
  const claims = async (weekday: number, hour: number) =>
    (
      await report<{ begun: number }>(
        "select claims_begun::integer as begun from demand_by_hour where weekday = $1 and hour = $2",
        [weekday, hour],
      )
    )[0]?.begun ?? 0;

  it("counts claims by the hour in which they begin, also cancelled ones", async () => {
    const weekday = new Date(day(30)).getUTCDay() || 7;
    const before = await claims(weekday, 23);
    const { claimer, claim } = await claimedNight(30);
    await claimer.put(`/claims/${claim.id}`, { status: "cancelled" }, 200);
    expect(await claims(weekday, 23)).toBe(before + 1);
  });

  it("counts claims by the hour of the building in which they were made", async () => {
    const [row] = await report(`
      select sum(claims_made)::integer = (select count(*) from claims) as all,
             (
               select array_agg(weekday || ' ' || hour order by weekday, hour)
                 from demand_by_hour
                where claims_made > 0
             ) = (
               select array_agg(distinct extract(isodow from t) || ' ' || extract(hour from t))
                 from building b, lateral (select created_at at time zone b.time_zone as t from claims) c
             ) as hours
        from demand_by_hour`);
    expect(row).toEqual({ all: true, hours: true });
  });
});

it("people shows what each person gave and took, without a name", async () => {
  const { owner, claimer } = await claimedNight(34);
  const second = await claimedNight(36);
  await second.claimer.put(`/claims/${second.claim.id}`, { status: "cancelled" }, 200);
  const of = (id: string) =>
    report(
      `select spots::integer, windows::integer, claims_given::integer, given_hours::float,
              claims_taken::integer, taken_hours::float, claims_cancelled::integer
         from people where profile_id = $1`,
      [id],
    );
  const nothing = { spots: 0, windows: 0, claims_given: 0, given_hours: 0 };
  const takesNothing = { claims_taken: 0, taken_hours: 0, claims_cancelled: 0 };
  expect(await of(owner.id)).toEqual([
    { ...takesNothing, spots: 1, windows: 1, claims_given: 1, given_hours: 2 },
  ]);
  expect(await of(claimer.id)).toEqual([
    { ...nothing, claims_taken: 1, taken_hours: 2, claims_cancelled: 0 },
  ]);
  expect(await of(second.claimer.id)).toEqual([
    { ...nothing, claims_taken: 0, taken_hours: 0, claims_cancelled: 1 },
  ]);
});

it("claims that last for thousands of years are added up as well", async () => {
  const { owner, claimer } = await claimedNight(44);
  await building.rows(
    `with spots as (
       insert into parking.spots (owner_id, spot_number, building_section)
       select $1, 'Far ' || number, 'Far' from generate_series(1, 800) number
       returning id, owner_id
     ),
     windows as (
       insert into parking.availabilities (spot_id, owner_id, start_time, end_time)
       select id, owner_id, now() + interval '30 days', '9999-12-31' from spots
       returning id, spot_id, owner_id, start_time, end_time
     )
     insert into parking.claims (availability_id, spot_id, owner_id, claimer_id, start_time, end_time)
     select id, spot_id, owner_id, $2, start_time, end_time from windows`,
    [owner.id, claimer.id],
  );
  const [taken] = await report(
    "select claims_taken::integer, taken_hours > 800 * 7000 * 365::bigint * 24 as all from people where profile_id = $1",
    [claimer.id],
  );
  expect(taken).toEqual({ claims_taken: 801, all: true });
  const [given] = await report("select claims_given::integer from people where profile_id = $1", [
    owner.id,
  ]);
  expect(given).toEqual({ claims_given: 801 });
});

it("the building has the name and the time zone in which a report counts days, the rules their message", async () => {
  const expected = await building.rows("select name, time_zone from parking.building");
  expect(await report("select * from building")).toEqual(expected);
  const name = "availabilities_do_not_overlap";
  const message = "Availability overlaps an existing availability of this spot";
  expect(await report("select name, kind, message from rules where name = $1", [name])).toEqual([
    { name, kind: "exclusion", message },
  ]);
});

it("the end of a claim has a time, and the person who cancelled it", async () => {
  const ends = (id: string) =>
    report(
      `select abs(extract(epoch from c.closed_at - e.occurred_at)) < 60 as closed,
              c.cancelled_by, e.actor_id
         from claims c
         left join events e on e.subject_id = c.id and e.type in ('claim.cancelled', 'claim.completed')
        where c.id = $1`,
      [id],
    );
  const { claim, claimer } = await claimedNight(40);
  expect(await ends(claim.id)).toEqual([{ closed: null, cancelled_by: null, actor_id: null }]);
  await claimer.put(`/claims/${claim.id}`, { status: "cancelled" }, 200);
  const by = { cancelled_by: claimer.id, actor_id: claimer.id };
  expect(await ends(claim.id)).toEqual([{ closed: true, ...by }]);

  const completed = await claimedNight(38);
  await completed.claimer.put(`/claims/${completed.claim.id}`, { status: "completed" }, 200);
  expect(await ends(completed.claim.id)).toEqual([
    { closed: true, cancelled_by: null, actor_id: completed.claimer.id },
  ]);

  const administrator = await building.administrator();
  const other = await claimedNight(42);
  const body = { status: "cancelled", reason: "A water pipe burst" };
  await administrator.put(`/admin/claims/${other.claim.id}`, body, 200);
  expect(await ends(other.claim.id)).toMatchObject([
    { closed: true, cancelled_by: administrator.id },
  ]);
  const log = "delete from private.events where subject_id = $1"; // as it is pruned
  await writePastRules(building, log, [other.claim.id]);
  expect(await ends(other.claim.id)).toMatchObject([{ cancelled_by: administrator.id }]);
});

it("approvals shows who waits, and who was approved when", async () => {
  const [administrator, waiting] = [await building.administrator(), await building.unapproved()];
  const approved = await building.unapproved();
  await administrator.put(`/admin/profiles/${approved.id}`, { is_approved: true }, 200);
  const rows = await report(
    `select profile_id, is_approved, approved_at is not null as was_approved, waiting_hours::float >= 0 as waited
       from approvals where profile_id = any ($1) order by is_approved`,
    [[waiting.id, approved.id]],
  );
  expect(rows).toEqual([
    { profile_id: waiting.id, is_approved: false, was_approved: false, waited: null },
    { profile_id: approved.id, is_approved: true, was_approved: true, waited: true },
  ]);
});

describe("the role parking_analyst", () => {
  const asAnalyst = <T>(use: (client: ClientBase) => Promise<T>) =>
    withClient(building.database.url("parking_analyst"), use);

  it("reads sums of sections and hours, and no view with a spot or a person", async () => {
    await claimedNight(22);
    await asAnalyst(async (analyst) => {
      const { rows } = await analyst.query<{ name: string }>(
        `select relname as name from pg_class
          where relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
            and has_any_column_privilege(oid, 'select') order by 1`,
      );
      const views = rows.map(({ name }) => name);
      expect(views).toEqual([
        "building",
        "demand_by_hour",
        "occupancy_by_hour",
        "section_utilisation",
        "use_by_month",
      ]);
      for (const view of views) {
        const { fields, rowCount } = await analyst.query(`select * from ${view}`);
        expect(rowCount).toBeGreaterThan(0);
        const names = fields.map(({ name }) => name);
        expect(names.filter((it) => /_id$|^id$|number/.test(it))).toEqual([]);
      }
    });
  });
});

it.each(["parking_analyst", "parking_reporter"] as const)(
  "the role %s is read-only, with short statements and few connections",
  async (role) => {
    const { rows } = await withClient(building.database.url(role), (client) =>
      client.query(`
        select current_setting('default_transaction_read_only') as read_only,
               current_setting('statement_timeout') as timeout,
               (select rolconnlimit from pg_roles where rolname = current_user) as connections`),
    );
    expect(rows).toEqual([{ read_only: "on", timeout: "1min", connections: 5 }]);
  },
);

describe("the role parking_reporter", () => {
  it("finds no address or name in any view", async () => {
    const resident = await building.resident();
    await resident.put("/profile", { full_name: "Zebedee Quux", phone_number: "555 0199" }, 200);
    const views = await report<{ name: string }>(
      "select relname as name from pg_class where relnamespace = 'reporting'::regnamespace",
    );
    for (const { name } of views) {
      const found = await report(`select from reporting.${name} v where v::text ~ $1`, [
        `Zebedee|555 0199|${resident.email}`,
      ]);
      expect({ name, found: found.length }).toEqual({ name, found: 0 });
    }
  });
});
