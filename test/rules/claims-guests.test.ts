import { describe, expect, it } from "@jest/globals";
import { type Holding, holding, useBuilding } from "../support/building.ts";
import * as doors from "../support/doors.ts";
import { opened } from "../support/opened.ts";
import { eventsOf, stored } from "../support/rows.ts";
import { refusedBy } from "./support.ts";

const building = useBuilding();
const ended = doors.doorsOf(building);
const held = opened(() => holding(building));

type Field = "guest" | "vehicle";
const describing = ({ claim }: Holding, field: Field, text: string | null): doors.Act => ({
  request: ["PUT", `/claims/${claim.id}`, { [field]: text }],
  sql: [`update parking.claims set ${field} = $2 where id = $1`, [claim.id, text]],
});

describe("claims_described_by_claimer", () => {
  it("refuses who parks by an administrator, with a reason too, and by everybody else", async () => {
    const administrator = await building.administrator();
    for (const field of ["guest", "vehicle"])
      expect(
        await administrator.sqlError(`do $$ begin
          perform private.give_reason('Repairs');
          update parking.claims set status = 'cancelled', ${field} = 'X' where id = '${held.claim.id}';
        end $$`),
      ).toMatchObject(refusedBy("claims_described_by_claimer", "42501"));
    for (const person of [await building.resident(), held.owner])
      expect((await person.sql(...describing(held, "guest", "X").sql)).rowCount).toBe(0);
    expect(await stored(building, "claims", held.claim.id)).toMatchObject({ status: "active" });
  });
});

it.each(["completed", "cancelled"])(
  "claims_closed_stay_closed keeps who parked: %s",
  async (status) => {
    const mine = await holding(building);
    expect(await ended(mine.claimer, describing(mine, "guest", "Ada"))).toBe("done");
    expect(await ended(mine.claimer, doors.close(mine.claim, status))).toBe("done");
    for (const field of ["guest", "vehicle"] as const)
      for (const text of ["Y", null])
        expect(await ended(mine.claimer, describing(mine, field, text))).toBe(
          "claims_closed_stay_closed",
        );
    // What an erasure sets.
    const setting = `do $$ begin
    perform set_config('parking.erasing', 'on', true);
    update parking.claims set guest = 'X' where id = '${mine.claim.id}';
  end $$`;
    expect(await mine.claimer.sqlError(setting)).toMatchObject(
      refusedBy("claims_closed_stay_closed"),
    );
  },
);

it("the log has guests where there are some, each change of them, and the plate of a profile", async () => {
  const mine = await holding(building);
  for (const guest of ["Ada", "Ada", null]) // the second is no change
    expect(await ended(mine.claimer, describing(mine, "guest", guest))).toBe("done");
  const events = await building.rows(
    `select e.type, d -> 'guest' as guest, d ?| '{guest, vehicle}' as has
       from private.events e, private.event_data(e.type, e.data) d
      where e.subject_id = $1
      order by e.id`,
    [mine.claim.id],
  );
  expect(events).toEqual([
    { type: "claim.submitted", guest: null, has: false },
    { type: "claim.updated", guest: "Ada", has: true },
    { type: "claim.updated", guest: null, has: false },
  ]);
  const { id } = mine.owner;
  await mine.owner.sql("update parking.profiles set vehicle = 'B-1' where id = $1", [id]);
  const last = (await eventsOf(building, id)).at(-1);
  expect(last).toEqual({ type: "profile.updated", actor_id: id });
});
