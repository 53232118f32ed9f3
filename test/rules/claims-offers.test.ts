import { beforeAll, describe, expect, it } from "@jest/globals";
import { spotOf, useBuilding, type Window, windowOf } from "../support/building.ts";
import { setLimits } from "../support/limits.ts";
import type { Person } from "../support/person.ts";
import { writePastRules } from "../support/rows.ts";
import { letPass, tell, wishOf } from "../support/wishes.ts";
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
  const window = await windowOf(owner, await spotOf(owner));
  await tell(building);
  return window;
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

  it("keeps what became free just now until those who wait are told, for a turn at most", async () => {
    await building.rows("delete from parking.wishes");
    await wishOf(waiting);
    const window = await windowOf(owner, await spotOf(owner));
    expect(await passer.sqlError(...insertClaim(window))).toMatchObject(refused);
    await letPass(building, 30);
    await passer.sql(...insertClaim(window));
  });

  it("reads as many wishes whether or not thousands are over", async () => {
    const window = await offered();
    await building.rows("update parking.wishes set availability_id = null, offered_until = null");
    await writePastRules(
      building,
      `insert into parking.wishes (wisher_id, start_time, end_time)
       select $1, now() - interval '1 day', now() - interval '23 hours'
         from generate_series(1, 20000)`,
      [waiting.id],
    );
    await building.rows("analyze parking.wishes");
    const pages = async () => {
      const plan = await building.rows<{ "QUERY PLAN": unknown }>(
        `explain (analyze, buffers, format json, timing off)
         select from private.waiting_for((select a from parking.availabilities a where a.id = $1))`,
        [window.id],
      );
      return JSON.stringify(plan).match(/"Shared Hit Blocks":(\d+)/)?.[1];
    };
    await pages();
    expect(Number(await pages())).toBeLessThan(60);
    await building.rows("delete from parking.wishes");
  });

  it("does not bind the owner of the database", async () => {
    await building.rows(...insertClaimFor(passer.id, await offered()));
  });
});
