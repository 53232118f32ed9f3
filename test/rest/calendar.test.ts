import { randomUUID } from "node:crypto";
import { describe, expect, it } from "@jest/globals";
import { answerOf, refusal } from "../support/answers.ts";
import { claimOf, holding, hours, useBuilding, windowOf } from "../support/building.ts";
import { type Person, requestJson } from "../support/person.ts";
import { backdate, writePastRules } from "../support/rows.ts";
import { eventsIn, propertyOf } from "./calendars.ts";

const building = useBuilding();

interface Claim {
  readonly id: string;
  readonly start_time: string;
  readonly end_time: string;
  readonly updated_at: string;
}

const calendarOf = async (person: Person, query = ""): Promise<string> =>
  (await person.get<string>(`/calendar.ics${query}`, 200)).body;
const eventsOf = async (person: Person, query = "") => eventsIn(await calendarOf(person, query));
const uids = async (person: Person, query = "") =>
  (await eventsOf(person, query)).map(({ uid }) => uid);

const calendarIn = (person: Person, language: string) =>
  requestJson<string>(building.service.origin, "GET", "/api/calendar.ics", {
    token: person.token,
    headers: { "Accept-Language": language },
  });

const updateClaim = (id: string, change: string, value: unknown) =>
  writePastRules(building, `update parking.claims set ${change} = $2 where id = $1`, [id, value]);

describe("GET /calendar.ics", () => {
  it("has the rows that GET /claims has, for both sides of a claim", async () => {
    const { owner, claimer, spot } = await holding(building);
    await claimOf(claimer, await windowOf(owner, spot, 10, 12));
    const { body } = await claimer.get<{ claims: Claim[] }>("/claims", 200);
    const expected = body.claims.toReversed().map(({ id, start_time, end_time, updated_at }) => ({
      uid: id,
      start: start_time,
      end: end_time,
      stamp: updated_at.replace(/\.\d+/, ".000"),
      status: "CONFIRMED",
      location: `The building, North, ${spot.spot_number}`,
      transparency: "TRANSPARENT",
    }));

    expect(expected).toHaveLength(2);
    const made = await eventsOf(claimer);
    expect(made).toMatchObject(expected);
    expect(made[0]?.summary).toBe(`Parking on ${spot.spot_number}`);
    const received = await eventsOf(owner);
    expect(received).toMatchObject(expected.map(({ stamp: _, ...rest }) => rest));
    expect(received[0]?.summary).toBe(`${spot.spot_number} is claimed`);
  });

  it("names the other person as the contacts of the claim do, without the phone number", async () => {
    const { owner, claimer, claim } = await holding(building);
    const phone_number = "+49 111";
    await owner.put(
      "/profile",
      { full_name: "Olga; Müller, B\\S", phone_number, shares_phone_number: true },
      200,
    );

    const text = await calendarOf(claimer);
    expect(eventsIn(text)[0]?.description).toBe(
      "Whose spot it is: Olga; Müller, B\\S, apartment 1A",
    );
    expect(text).not.toContain(phone_number);
    expect((await eventsOf(owner))[0]?.description).toBe("Who claimed it: apartment 1A");

    await claimer.put(`/claims/${claim.id}`, { status: "cancelled" }, 200);
    expect((await eventsOf(claimer))[0]?.description).toBe("absent");
  });

  it("keeps a cancelled claim as such for 30 days, and no claim that was deleted", async () => {
    const { owner, claimer, spot, claim } = await holding(building);
    const deleted = await claimOf(claimer, await windowOf(owner, spot, 10, 12));
    await claimer.put(`/claims/${claim.id}`, { status: "cancelled" }, 200);
    await claimer.delete(`/claims/${deleted.id}`, 200);
    expect(await eventsOf(owner)).toMatchObject([{ uid: claim.id, status: "CANCELLED" }]);

    await updateClaim(claim.id, "updated_at", hours(-31 * 24));
    expect(await eventsOf(owner)).toEqual([]);
  });

  it("goes back 90 days, and a year to the start of what lasts that long", async () => {
    const { claimer, claim } = await holding(building);
    const days = (count: number) => count * 24;
    for (const [from, to, isThere] of [
      [-92, -89, true],
      [-92, -91, false],
      [-360, 5, true],
      [-370, 5, false],
      [400, 401, true],
    ] as const) {
      await backdate(building, "claims", claim, days(from), days(to));
      expect([from, to, await uids(claimer)]).toEqual([from, to, isThere ? [claim.id] : []]);
    }
  });

  it("has a sequence that rises with changes that follow at once", async () => {
    const { claimer, claim } = await holding(building);
    const sequences: (number | undefined)[] = [];
    for (const guest of ["A", "B", "C"]) {
      await claimer.put(`/claims/${claim.id}`, { guest }, 200);
      sequences.push((await eventsOf(claimer))[0]?.sequence);
    }
    expect(sequences).toEqual([...new Set(sequences)].toSorted((a = 0, b = 0) => a - b));
    const [row] = await building.rows<{ rises: boolean }>(
      `with changed as (
         update parking.claims c set guest = 'D' from parking.claims old
          where c.id = $1 and old.id = c.id
         returning c.updated_at > old.updated_at as rises
       )
       select rises from changed`,
      [claim.id],
    );
    expect(row?.rises).toBe(true);
  });

  it("holds texts of any form, in lines of 75 bytes", async () => {
    const { owner, claimer, spot } = await holding(building);
    const building_section = `${"Straße, Nord; \\n 🚗 ".repeat(4)}END:VEVENT`;
    const spot_number = `A;1,\\n:"${randomUUID().slice(0, 8)}`;
    await owner.put(`/parking-spots/${spot.id}`, { spot_number, building_section }, 200);

    const text = await calendarOf(claimer);
    expect(eventsIn(text)).toMatchObject([
      {
        summary: `Parking on ${spot_number}`,
        location: `The building, ${building_section}, ${spot_number}`,
      },
    ]);
    const lines = text.split("\r\n");
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75);
    expect(lines.at(-1)).toBe("");
  });

  it("says whose calendar it is, where, and when to look again", async () => {
    const administrator = await building.administrator();
    const { name, time_zone } = { name: "Linden; hof, 5", time_zone: "Asia/Kolkata" };
    await administrator.put("/admin/building", { name, time_zone }, 200);
    const { claimer } = await holding(building);
    const text = await calendarOf(claimer);
    await administrator.put("/admin/building", { name: "The building", time_zone: "UTC" }, 200);

    const head = text.slice(0, text.indexOf("BEGIN:VEVENT"));
    expect(head).toContain("\r\nX-WR-TIMEZONE:Asia/Kolkata\r\n");
    expect(head).toContain("\r\nNAME:Parking: Linden\\; hof\\, 5\r\n");
    expect(head).toContain("\r\nX-WR-CALNAME:Parking: Linden\\; hof\\, 5\r\n");
    expect(propertyOf(text, "refresh-interval")).toBe("PT15M");
    expect(eventsIn(text)[0]?.start).toBe(hours(1)); // in UTC all the same
  });

  it.each([
    ["de-AT, en;q=0.5", "Parken auf"],
    ["fr, de;q=0.5", "Parken auf"],
    ["en-GB", "Parking on"],
    ["fr", "Parking on"],
    ["*", "Parking on"],
  ])("is in the language that is preferred of those it has: %s", async (accepted, summary) => {
    const { claimer, spot } = await holding(building);
    const { body, headers } = await calendarIn(claimer, accepted);
    expect(eventsIn(body)[0]?.summary).toBe(`${summary} ${spot.spot_number}`);
    expect(headers.get("Vary")).toContain("Accept-Language");
  });

  it("has 1000 claims at most: those that come first, and then the last that are over", async () => {
    const { owner, claimer, spot } = await holding(building);
    await writePastRules(
      building,
      `insert into parking.claims
         (availability_id, spot_id, owner_id, claimer_id, start_time, end_time, takes)
       select gen_random_uuid(), $1, $2, $3, start, start + interval '1 minute',
              tstzrange(start, start + interval '1 minute')
         from (
           select now() + n * interval '1 hour' as start from generate_series(1, 990) n
           union all
           select now() - n * interval '1 hour' from generate_series(1, 990) n
         ) claims`,
      [spot.id, owner.id, claimer.id],
    );
    const events = await eventsOf(claimer);
    const over = events.filter(({ end }) => Date.parse(end) < Date.now());
    expect(events).toHaveLength(1000);
    expect(over).toHaveLength(9); // with the claim of holding() there are 991 to come
    expect(Math.min(...over.map(({ start }) => Date.parse(start)))).toBeGreaterThan(
      Date.now() - 10 * 3_600_000,
    );
    expect(events.map(({ start }) => start)).toEqual(events.map(({ start }) => start).toSorted());
  });
});

describe("GET /calendar.ics?claim_id=", () => {
  it("has this claim only, whenever it is", async () => {
    const { owner, claimer, spot, claim } = await holding(building);
    await claimOf(claimer, await windowOf(owner, spot, 10, 12));
    await backdate(building, "claims", claim, -9_000, -8_990);
    expect(await uids(claimer, `?claim_id=${claim.id}`)).toEqual([claim.id]);
    expect(await uids(owner, `?claim_id=${claim.id}`)).toEqual([claim.id]);
  });

  it("is 404 for the claim of others, and for an unknown one", async () => {
    const { claim } = await holding(building);
    const administrator = await building.administrator();
    for (const id of [claim.id, randomUUID()]) {
      expect(answerOf(await administrator.get(`/calendar.ics?claim_id=${id}`))).toEqual(
        refusal(404, "Claim not found"),
      );
    }
  });
});
