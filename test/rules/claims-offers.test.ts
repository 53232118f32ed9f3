import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { hours, spotOf, useBuilding, type Window, windowOf } from "../support/building.ts";
import { setLimits } from "../support/limits.ts";
import type { Person } from "../support/person.ts";
import { letPass, seen, wishOf } from "../support/wishes.ts";
import { insertClaim, insertClaimFor, refusedBy } from "./support.ts";

const building = useBuilding();
let owner: Person;
let waiting: Person;
let passer: Person;
beforeAll(async () => {
  [owner, waiting, passer] = [
    await building.resident(),
    await building.resident(),
    await building.resident(),
  ];
  await setLimits(building, { offer_minutes: 30 });
});

/** A window from hour 1 to hour 5, for which somebody waits. */
const offered = async (): Promise<Window> => {
  await building.rows("delete from parking.wishes");
  await wishOf(waiting);
  return windowOf(owner, await spotOf(owner));
};

describe("claims_wait_for_offers", () => {
  const refused = refusedBy("claims_wait_for_offers");

  it("refuses others by direct SQL as the API role, and says until when", async () => {
    const window = await offered();
    expect(await passer.sqlError(...insertClaim(window))).toMatchObject({
      ...refused,
      hint: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    await waiting.sql(...insertClaim(window));
  });

  it("refuses a part of the window too: a claim takes all of it", async () => {
    const window = await offered();
    const last = new Date(Date.parse(window.end_time) - 60_000).toISOString();
    expect(await passer.sqlError(...insertClaim(window, last))).toMatchObject(refused);
  });

  it("lets others claim what it does not need, where the rest of a window stays on offer", async () => {
    const window = await offered();
    const last = new Date(Date.parse(window.end_time) - 60_000).toISOString();
    await building.rows("update parking.building set rest_stays_on_offer = true");
    await passer.sql(...insertClaim(window, last));
    const another = await offered();
    expect(await passer.sqlError(...insertClaim(another))).toMatchObject(refused);
    await building.rows("update parking.building set rest_stays_on_offer = false");
  });

  it("lets everybody claim a window that its owner made too short for who waits", async () => {
    const window = await offered();
    const short = new Date(Date.parse(window.start_time) + 7_200_000).toISOString();
    await owner.sql("select api.update_availability($1, end_time => $2)", [window.id, short]);
    await passer.sql(...insertClaim({ ...window, end_time: short }));
  });

  it("lets everybody claim it by direct SQL once the offer has ended", async () => {
    const window = await offered();
    await letPass(building, 30);
    await passer.sql(...insertClaim(window));
  });

  it("does not bind the owner of the database", async () => {
    await building.rows(...insertClaimFor(passer.id, await offered()));
  });
});

describe("private.keep_offers", () => {
  it("keeps the offers of one's own spot, and of no other's", async () => {
    const window = await offered();
    const gone = randomUUID();
    await building.rows("update parking.wishes set availability_id = $1", [gone]);
    const keep = (person: Person) =>
      person.sql("select private.keep_offers($1, array[$2::uuid])", [window.spot_id, gone]);
    const kept = () => building.rows("select availability_id from parking.wishes");

    await keep(passer);
    expect(await kept()).toEqual([{ availability_id: gone }]);
    await keep(owner);
    expect(await kept()).toEqual([{ availability_id: window.id }]);
  });
});

describe("parking.recutting", () => {
  it("set by who claims, hides from nobody what they give back", async () => {
    await building.rows("delete from parking.wishes");
    await building.rows("update parking.building set rest_stays_on_offer = true");
    await setLimits(building, {});
    const window = await windowOf(owner, await spotOf(owner), 38, 48);
    const { rows } = await passer.sql<{ id: string }>(...insertClaim(window, hours(40), hours(48)));
    const wish = await wishOf(waiting, 44, 46);
    // A window that they know of, and like less.
    await windowOf(owner, await spotOf(owner), 43, 47);
    await building.rows("update parking.notifications set is_read = true");
    const before = await seen(waiting, wish);

    await passer.sql(
      "select set_config('parking.recutting', 'on', true), api.update_claim($1, end_time => $2)",
      [rows[0]?.id, hours(43)],
    );

    expect((await seen(waiting, wish)).availability_id).not.toBe(before.availability_id);
    await building.rows("update parking.building set rest_stays_on_offer = false");
  });
});
