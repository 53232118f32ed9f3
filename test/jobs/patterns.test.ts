import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { claimOf, type Spot, spotOf, useBuilding } from "../support/building.ts";
import { setLimits } from "../support/limits.ts";
import {
  dayAfter,
  patternOf,
  publishPatterns,
  setPatternDays,
  setZone,
  threeDays,
  windowsOf,
} from "../support/patterns.ts";
import type { Person } from "../support/person.ts";
import { everything, suspend } from "../support/rows.ts";

const building = useBuilding();
let owner: Person;
let spot: Spot;
beforeEach(async () => {
  owner = await building.resident();
  spot = await spotOf(owner);
});
afterEach(async () => {
  await building.rows("delete from parking.patterns");
  await setPatternDays(building, 28);
  await setZone(building, "UTC");
  await setLimits(building, {});
});

const HOUR = 3_600;
/** The job, once. */
const publish = (overdue_seconds = 0) => publishPatterns(building, overdue_seconds);

/** One step of it. */
const extend = async (pattern: { readonly id: string }, { id }: Person = owner): Promise<void> => {
  const { rows } = await building.service.pool.query("select private.extend_pattern($1, $2)", [
    pattern.id,
    id,
  ]);
  expect(rows).toHaveLength(1);
};

const forever = () => ({ ...threeDays(spot), first_day: dayAfter(2), last_day: null });
/** Eight days, of which not all are near. */
const eightDays = () => ({ ...forever(), last_day: dayAfter(9) });
const openDays = async () => (await windowsOf(owner, spot)).length;

describe("the job of patterns", () => {
  it("publishes the days that have come near, once, and not what was withdrawn by hand", async () => {
    await setPatternDays(building, 5);
    await patternOf(owner, eightDays());
    const before = await openDays();
    await setPatternDays(building, 28);
    await owner.delete(`/availabilities/${(await windowsOf(owner, spot))[0]?.id}`, 200);

    expect(await publish()).toEqual({ again: HOUR });

    expect(before).toBeLessThan(5);
    expect(await openDays()).toBe(7);
    const published = await everything(building);
    expect(await publish()).toEqual({ again: HOUR });
    expect(await everything(building)).toEqual(published);
  });

  it("waits some minutes where it is overdue by days: the clock may run ahead", async () => {
    await setPatternDays(building, 5);
    await patternOf(owner, eightDays());
    await setPatternDays(building, 28);
    const before = await openDays();
    expect(await publish(25 * HOUR)).toEqual({ again: 600 });
    expect(await openDays()).toBe(before);
  });

  it("acts as the owner, whom the limits of the building bind", async () => {
    await setPatternDays(building, 5);
    await setLimits(building, { horizon_days: 7 });
    const pattern = await patternOf(owner, forever());
    await setPatternDays(building, 30);

    await publish();

    const windows = await windowsOf(owner, spot);
    expect(windows.length).toBeLessThan(8);
    const actors = await building.rows(
      "select distinct actor_id from private.events where type = 'availability.created' and subject_id = any ($1)",
      [windows.map(({ id }) => id)],
    );
    expect(actors).toEqual([{ actor_id: owner.id }]);
    // What the limit refuses today is not given up.
    await setLimits(building, {});
    await extend(pattern);
    expect(await openDays()).toBeGreaterThan(25);
  });

  it("publishes nothing for an owner who is suspended, or by whom nothing is shared", async () => {
    await setPatternDays(building, 5);
    const pattern = await patternOf(owner, forever());
    await setPatternDays(building, 9);
    await suspend(building, owner);

    expect(await publish()).toEqual({ again: HOUR });

    // Somebody else's name does not help either.
    await extend(pattern, await building.resident());
    const windows = await building.rows("select from parking.availabilities where spot_id = $1", [
      spot.id,
    ]);
    expect(windows.length).toBeLessThanOrEqual(4);
  });

  it.each([
    ["Europe/Berlin", "UTC"],
    ["Australia/Lord_Howe", "Australia/Adelaide"],
  ])(
    "makes windows anew where the building moved from %s to %s, but for claimed ones",
    async (from, to) => {
      await setZone(building, from);
      await patternOf(owner, threeDays(spot));
      const [first, second] = await windowsOf(owner, spot);
      const claimer = await building.resident();
      if (first) await claimOf(claimer, first);
      await owner.delete(`/availabilities/${second?.id}`, 200);
      await setZone(building, to);

      await publish();

      const [claimed, beside, later, remade, ...others] = await windowsOf(owner, spot);
      expect(others).toEqual([]);
      expect(later).toMatchObject({ start_time: second?.end_time }); // what was withdrawn stays so
      expect(claimed).toMatchObject({ id: first?.id, start_time: first?.start_time });
      expect(beside).toMatchObject({ start_time: first?.end_time }); // the new hours are later
      const [expected] = await building.rows<{ start_time: Date; end_time: Date }>(
        "select ($1::date + time '08:00') at time zone $2 as start_time, ($1::date + time '18:00') at time zone $2 as end_time",
        [dayAfter(5), to],
      );
      const iso = (date?: Date) => date?.toISOString();
      expect(remade).toMatchObject({
        start_time: iso(expected?.start_time),
        end_time: iso(expected?.end_time),
      });
      expect(await publish()).toEqual({ again: HOUR });
    },
  );

  it("goes on where one pattern fails, and says so", async () => {
    await setPatternDays(building, 5);
    const pattern = await patternOf(owner, eightDays());
    const other = await spotOf(owner);
    await patternOf(owner, { ...eightDays(), spot_id: other.id });
    const before = [await openDays(), (await windowsOf(owner, other)).length];
    await setPatternDays(building, 28);
    await building.rows(
      `create function parking.fail() returns trigger language plpgsql as $$ begin raise 'broken'; end $$`,
    );
    await building.rows(
      `create trigger fail before insert on parking.availabilities for each row
       when (new.pattern_id = '${pattern.id}') execute function parking.fail()`,
    );

    expect(await publish()).toEqual({
      failure: "1 patterns could not be published: broken",
      again: HOUR,
    });
    expect(await openDays()).toBe(before[0]);
    expect(await windowsOf(owner, other)).toHaveLength(8);

    await building.rows("drop function parking.fail cascade");
    expect(await publish()).toEqual({ again: HOUR });
    expect(await openDays()).toBe(8);
  });
});
