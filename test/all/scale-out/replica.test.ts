import { afterAll, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { withClient } from "../../../src/database/client.ts";
import { type Building, openBuilding, type Spot, spotOf } from "../../support/building.ts";
import { databaseOn } from "../../support/database.ts";
import { effort } from "../../support/effort.ts";
import { listenTo, orderEvents } from "../../support/events.ts";
import { type Person, personOf, requestJson } from "../../support/person.ts";
import { noRateLimits, startProgram } from "../../support/program.ts";
import { type Relay, startRelay } from "../../support/relay.ts";
import { served } from "../../support/served.ts";
import { type Server, type Standby, startPrimary, startStandby } from "../../support/standby.ts";
import { until } from "../../support/waiting.ts";

let primary: Server;
let standby: Standby;
let relay: Relay;
let building: Building;
let writer: Person;
let other: Person;

/** Longer than the tests take, but for the one about it. */
const mostAgeMs = 600_000;
const urlOfReplica = () => standby.postgres.url("parking_api", "parking");

beforeAll(async () => {
  primary = await startPrimary();
  const database = await databaseOn(primary.postgres);
  standby = await startStandby(primary);
  relay = await startRelay(standby.postgres.port);
  building = await openBuilding(
    { replica: { url: relay.url(urlOfReplica()), mostAgeMs } },
    database,
  );
  writer = await building.resident();
  other = await building.resident();
});
afterAll(async () => {
  await building.close();
  await relay.close();
  await standby.stop();
  await primary.stop();
});
beforeEach(async () => {
  await relay.mend();
  await standby.resume();
  await standby.catchUp();
});

const sees = async (person: Person, { id }: Spot): Promise<boolean> => {
  const { status } = await person.get(`/parking-spots/${id}`);
  expect([200, 404]).toContain(status);
  return status === 200;
};

/** A spot that is registered while the replica does not repeat it; GETs of others go there. */
async function unseenSpot(): Promise<Spot> {
  await standby.catchUp();
  await standby.pause();
  const spot = await spotOf(writer);
  await until("a GET that goes to the replica", async () => !(await sees(other, spot)));
  return spot;
}

describe("GETs with READ_DATABASE_URL", () => {
  it("are answered by the replica, and by the primary to those who wrote what it lacks", async () => {
    const spot = await unseenSpot();
    const listed = async (person: Person) => {
      const { body } = await person.get<{ spots: Spot[] }>("/parking-spots?limit=200", 200);
      return body.spots.some(({ id }) => id === spot.id);
    };
    expect([await sees(writer, spot), await listed(writer)]).toEqual([true, true]);
    expect([await sees(other, spot), await listed(other)]).toEqual([false, false]);
  });

  it("show a person what they wrote by GraphQL", async () => {
    await unseenSpot();
    const { body } = await other.post<{ data: { createSpot: { spot: Spot } } }>("/graphql", {
      query: `mutation { createSpot(input: { spotNumber: "G-1", buildingSection: "North" }) { spot { id } } }`,
    });
    expect(await sees(other, body.data.createSpot.spot)).toBe(true);
  });

  it("show everybody everything once the replica has repeated it", async () => {
    const spot = await unseenSpot();
    await standby.resume();
    await standby.catchUp();
    expect(await sees(other, spot)).toBe(true);
  });

  it("show everybody what was there when a stream of events began", async () => {
    const spot = await unseenSpot();
    const ear = await listenTo(building.service, other);
    await ear.began;
    expect(await sees(other, spot)).toBe(true);
    ear.close();
  });

  it("show everybody what a stream of events told of", async () => {
    const ear = await listenTo(building.service, other);
    await ear.began;
    const spot = await unseenSpot();
    await orderEvents(building.service);
    await ear.until((heard) => heard.some(({ data }) => data.id === spot.id));
    expect(await sees(other, spot)).toBe(true);
    ear.close();
  });

  it("show all writers what they wrote, however late the replica is", async () => {
    await delayReplica("30ms");
    const people = await Promise.all(Array.from({ length: 4 }, () => building.resident()));
    await Promise.all(
      people.map(async (person) => {
        for (let i = 0; i < effort(5, 150); i += 1) {
          const spot = await spotOf(person);
          expect(await sees(person, spot)).toBe(true);
          await person.delete(`/parking-spots/${spot.id}`, 200);
          expect(await sees(person, spot)).toBe(false);
        }
      }),
    );
    await delayReplica("0");
  });

  it("are not refused by what the replica does not know yet", async () => {
    const newcomer = await building.unapproved();
    const administrator = await building.administrator();
    await unseenSpot();
    await administrator.put(`/admin/profiles/${newcomer.id}`, { is_approved: true }, 200);
    expect((await newcomer.get("/parking-spots")).status).toBe(200);
  });
});

const on = ({ postgres }: Server, sql: string) =>
  withClient(postgres.url("postgres", "parking"), (client) => client.query(sql));
const onPrimary = (sql: string) => on(primary, sql);

/** Changes become visible there so much later. */
async function delayReplica(time: string): Promise<void> {
  await on(standby, `alter system set recovery_min_apply_delay = '${time}'`);
  await on(standby, "select pg_reload_conf()");
}

describe("the primary answers", () => {
  it("while the replica refuses connections, and the replica again after that", async () => {
    const spot = await unseenSpot();
    await relay.refuse();
    expect(await sees(other, spot)).toBe(true);
    await relay.mend();
    await until("a GET that goes to the replica again", async () => !(await sees(other, spot)));
  });

  it("while the replica is silent", async () => {
    const spot = await unseenSpot();
    relay.hang();
    expect(await sees(other, spot)).toBe(true);
    const answers = await Promise.all(Array.from({ length: 30 }, () => sees(other, spot)));
    expect(answers).not.toContain(false);
  });

  it("where the replica cancels a query because of what it repeats", async () => {
    await building.rows(`
      create or replace function api.recent_spots() returns setof parking.spots
      language plpgsql as $$
      begin
        if pg_is_in_recovery() then
          raise sqlstate '40001' using message = 'canceling statement due to conflict with recovery';
        end if;
      end $$`);
    await standby.catchUp();
    expect((await other.get("/dashboard")).body).toMatchObject({ recent_spots: [] });
  });

  it("where the login to the replica is not bound by row-level security", async () => {
    await standby.catchUp();
    const url = standby.postgres.url("parking_owner", "parking");
    const unbound = await openBuilding({ replica: { url, mostAgeMs } }, building.database);
    try {
      const person = await personOf(unbound.service, unbound.service.pool, other.id);
      await standby.pause();
      const spot = await spotOf(writer);
      for (let i = 0; i < 20; i += 1) expect(await sees(person, spot)).toBe(true);
    } finally {
      await unbound.close();
    }
  });

  it("where the replica is too old for anybody", async () => {
    const young = await openBuilding(
      { replica: { url: urlOfReplica(), mostAgeMs: 2_000 } },
      building.database,
    );
    try {
      const [one, another] = [await young.resident(), await young.resident()];
      await standby.catchUp();
      await standby.pause();
      const spot = await spotOf(one);
      await until("the answer of the primary", () => sees(another, spot));
    } finally {
      await young.close();
    }
  });
});

describe("two processes with a replica", () => {
  let second: Building;
  let same: Person;
  beforeAll(async () => {
    second = await openBuilding({ replica: { url: urlOfReplica(), mostAgeMs } }, building.database);
    same = await personOf(second.service, second.service.pool, writer.id);
  });
  afterAll(() => second.close());

  it("each know what was written through them", async () => {
    const spot = await unseenSpot();
    expect(await sees(writer, spot)).toBe(true);
    await until("a GET that goes to the replica", async () => !(await sees(same, spot)));
  });

  it("show what was written through both with synchronous_commit = remote_apply", async () => {
    await onPrimary("alter system set synchronous_standby_names = 'standby'");
    await onPrimary("alter system set synchronous_commit = 'remote_apply'");
    await onPrimary("select pg_reload_conf()");
    await until("a synchronous standby", async () => {
      const standbys = await onPrimary("select from pg_stat_replication where sync_state = 'sync'");
      return standbys.rowCount === 1;
    });
    await delayReplica("20ms");
    for (let i = 0; i < effort(5, 200); i += 1) {
      expect(await sees(same, await spotOf(writer, "Away"))).toBe(true);
    }
    await delayReplica("0");
    await onPrimary("alter system reset all");
    await onPrimary("select pg_reload_conf()");
  });
});

describe("the replica", () => {
  it("answers reports, of administrators and of reporting tools", async () => {
    const administrator = await building.administrator();
    await standby.catchUp();
    await administrator.get("/admin/reports/use-by-section?from=2026-01-01&until=2026-02-01", 200);
    const reporter = standby.postgres.url("parking_reporter", "parking");
    await withClient(reporter, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        "select viewname as name from pg_views where schemaname = 'reporting'",
      );
      expect(rows.length).toBeGreaterThan(5);
      for (const { name } of rows) await client.query(`select * from reporting.${name}`);
      expect((await client.query("select pg_is_in_recovery() as is")).rows).toEqual([{ is: true }]);
    });
  });

  it("serves a program that has the setting, which goes on without a replica", async () => {
    const READ_DATABASE_URL = relay.url(urlOfReplica());
    const settings = { ...noRateLimits, READ_DATABASE_URL, LOG_LEVEL: "info" };
    const program = await startProgram(building, settings);
    try {
      const connections = `select from pg_stat_activity
        where application_name = 'parking' and backend_start > $1`;
      const before = new Date();
      await until("a GET of the program on the replica", async () => {
        expect((await served(() => program.ask(other, "GET", "/claims"))).status).toBe(200);
        return withClient(
          standby.postgres.url("postgres", "parking"),
          async (client) => (await client.query(connections, [before])).rowCount !== 0,
        );
      });
      await relay.refuse();
      for (const ask of [
        () => program.ask(other, "GET", "/claims"),
        () => requestJson(program.origin, "GET", "/readyz"),
      ])
        expect((await served(ask)).status).toBe(200);
      await until("a warning", () =>
        program.log.some((line) => line.includes("the primary answers")),
      );
    } finally {
      await program.stop();
    }
  });

  it("may die", async () => {
    const spot = await unseenSpot();
    await standby.kill();
    expect(await sees(other, spot)).toBe(true);
    expect(
      (await writer.post("/parking-spots", { spot_number: "D-1", building_section: "A" })).status,
    ).toBe(201);
  });
});
