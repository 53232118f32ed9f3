import { beforeAll, describe, expect, it } from "@jest/globals";
import { holding, offer, spotOf, useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { stored } from "../support/rows.ts";
import { refusedBy } from "./support.ts";

const building = useBuilding();
let administrator: Person;
beforeAll(async () => {
  administrator = await building.administrator();
});

describe("events_reason_is_one_line", () => {
  const broken = refusedBy("events_reason_is_one_line");

  it.each([
    ["no text", "''"],
    ["nothing", "null"],
    ["two lines", "E'a\\nb'"],
    ["301 characters", "repeat('x', 301)"],
  ])("refuses %s as a reason of a function", async (_what, reason) => {
    const { claim } = await holding(building);
    const { spot, window } = await offer(building); // nothing else refuses to remove it
    for (const call of [
      `api.cancel_claim('${claim.id}', 'cancelled', ${reason})`,
      `api.remove_spot('${spot.id}', ${reason})`,
      `api.remove_availability('${window.id}', ${reason})`,
      `api.erase_profile('${spot.owner_id}', ${reason})`,
    ]) {
      expect(await administrator.sqlError(`select ${call}`)).toMatchObject(broken);
    }
  });

  it("refuses it as a reason in the event log", async () => {
    const { spot } = await offer(building);
    expect(
      await administrator.sqlError(
        `do $$ begin
           perform set_config('request.reason', repeat('x', 301), true);
           delete from parking.spots where id = '${spot.id}';
         end $$`,
      ),
    ).toMatchObject(broken);
    expect(await stored(building, "spots", spot.id)).toMatchObject({ id: spot.id });
  });
});

describe("an administrator's deletion", () => {
  it("needs a reason by direct SQL too", async () => {
    const spot = await spotOf(await building.resident());
    const deletion = "delete from parking.spots where id = $1";
    expect((await administrator.sql(deletion, [spot.id])).rowCount).toBe(0);
    await administrator.sql(
      `do $$ begin
         perform private.give_reason('Squatted');
         delete from parking.spots where id = '${spot.id}';
       end $$`,
    );
    expect(await stored(building, "spots", spot.id)).toBeUndefined();
  });
});
