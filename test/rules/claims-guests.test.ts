import { beforeAll, describe, expect, it } from "@jest/globals";
import { type Holding, holding, useBuilding } from "../support/building.ts";
import { eventsOf, stored } from "../support/rows.ts";
import { refusedBy, type Statement, setStatus } from "./support.ts";
import { itChecksTexts, oneLineTexts, otherTexts, type TextColumn } from "./texts.ts";

const building = useBuilding();
let held: Holding;
beforeAll(async () => {
  held = await holding(building);
});

type Field = "guest" | "vehicle";

const write = (field: Field, text: string | null, { claim } = held): Statement => [
  `update parking.claims set ${field} = $2 where id = $1`,
  [claim.id, text],
];
const columnOf = (field: Field): TextColumn => ({
  writeAsPerson: (text) => held.claimer.sql(...write(field, text)),
  writeAsOwner: (text) => building.rows(...write(field, text)),
  read: () =>
    building.rows(`select ${field} as text from parking.claims where id = $1`, [held.claim.id]),
});

describe("claims_guest_is_one_line", () => {
  const column = columnOf("guest");
  itChecksTexts("claims_guest_is_one_line", column, oneLineTexts(200), otherTexts(200));

  it("may be null", async () => {
    await column.writeAsPerson(null);
    expect(await column.read()).toEqual([{ text: null }]);
  });
});

const noPlates = [
  { what: "a hyphen alone", text: "-" },
  { what: "hyphens and spaces alone", text: "- – -" },
];

describe("claims_vehicle_is_a_plate", () => {
  const column = columnOf("vehicle");
  const refused = [...otherTexts(16), ...noPlates];
  itChecksTexts("claims_vehicle_is_a_plate", column, oneLineTexts(16), refused);

  it("may be null", async () => {
    await column.writeAsPerson(null);
    expect(await column.read()).toEqual([{ text: null }]);
  });
});

describe("claims_described_by_claimer", () => {
  it.each(["guest", "vehicle"] as const)(
    "refuses a %s by an administrator, with a reason too",
    async (field) => {
      const { claim } = held;
      const administrator = await building.administrator();
      const before = await stored(building, "claims", claim.id);
      const change = `do $$ begin
        perform private.give_reason('Repairs');
        update parking.claims set status = 'cancelled', ${field} = 'X' where id = '${claim.id}';
      end $$`;

      expect(await administrator.sqlError(change)).toMatchObject(
        refusedBy("claims_described_by_claimer", "42501"),
      );
      expect(await stored(building, "claims", claim.id)).toEqual(before);
    },
  );

  it("hides the claim from everybody else", async () => {
    const other = await building.resident();
    for (const person of [other, held.owner]) {
      expect((await person.sql(...write("guest", "X"))).rowCount).toBe(0);
    }
  });
});

describe("claims_closed_stay_closed", () => {
  it.each(
    ["completed", "cancelled"].flatMap((status) =>
      (["guest", "vehicle"] as const).map((field) => ({ status, field })),
    ),
  )("keeps the $field of one that is $status", async ({ status, field }) => {
    const mine = await holding(building);
    await mine.claimer.sql(...write(field, "X", mine));
    await mine.claimer.sql(...setStatus(mine.claim, status));
    const before = await stored(building, "claims", mine.claim.id);
    const broken = refusedBy("claims_closed_stay_closed");

    for (const text of ["Y", null]) {
      expect(await mine.claimer.sqlError(...write(field, text, mine))).toMatchObject(broken);
      await expect(building.rows(...write(field, text, mine))).rejects.toMatchObject(broken);
    }
    expect(await stored(building, "claims", mine.claim.id)).toEqual(before);
  });

  it("binds people who set what only an erasure sets", async () => {
    const mine = await holding(building);
    await mine.claimer.sql(...setStatus(mine.claim, "completed"));
    const change = `do $$ begin
      perform set_config('parking.erasing', 'on', true);
      update parking.claims set guest = 'X' where id = '${mine.claim.id}';
    end $$`;

    expect(await mine.claimer.sqlError(change)).toMatchObject(
      refusedBy("claims_closed_stay_closed"),
    );
  });
});

describe("the log", () => {
  const dataOf = async (id: string) =>
    building.rows<{ type: string; guest: unknown; has: boolean }>(
      `select e.type, d -> 'guest' as guest, d ?| '{guest, vehicle}' as has
         from private.events e, private.event_data(e.type, e.data) d
        where e.subject_id = $1
        order by e.id`,
      [id],
    );

  it("has guests where there are some, and each change of them", async () => {
    const mine = await holding(building);
    await mine.claimer.sql(...write("guest", "Ada", mine));
    await mine.claimer.sql(...write("guest", "Ada", mine)); // no change
    await mine.claimer.sql(...write("guest", null, mine));

    expect(await dataOf(mine.claim.id)).toEqual([
      { type: "claim.submitted", guest: null, has: false },
      { type: "claim.updated", guest: "Ada", has: true },
      { type: "claim.updated", guest: null, has: false },
    ]);
  });

  it("has the usual plate of a profile", async () => {
    const person = await building.resident();
    await person.sql("update parking.profiles set vehicle = 'B-1' where id = $1", [person.id]);

    const events = await eventsOf(building, person.id);
    expect(events.at(-1)).toEqual({ type: "profile.updated", actor_id: person.id });
  });
});
