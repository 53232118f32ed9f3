import { beforeAll, describe, expect, it } from "@jest/globals";
import { holding, hours, offer, useBuilding, type Window } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { isClaimed, stored } from "../support/rows.ts";
import {
  deleteClaim,
  insertClaim,
  insertClaimFor,
  missing,
  notGranted,
  refusedBy,
  type Statement,
  setStatus,
} from "./support.ts";

const building = useBuilding();
let stranger: Person;
let administrator: Person;
beforeAll(async () => {
  stranger = await building.resident();
  administrator = await building.administrator();
});

const claimsOn = (window: Window) =>
  building.rows(
    "select claimer_id, status from parking.claims where availability_id = $1 order by id",
    [window.id],
  );

describe("claims_not_by_owner", () => {
  it("refuses a claim by the owner of the spot", async () => {
    const { owner, window } = await offer(building);
    const broken = refusedBy("claims_not_by_owner");

    expect(await owner.sqlError(...insertClaim(window))).toMatchObject(broken);
    await expect(building.rows(...insertClaimFor(owner.id, window))).rejects.toMatchObject(broken);

    expect(await claimsOn(window)).toEqual([]);
    expect(await isClaimed(building, window.id)).toBe(false);
  });

  it("is checked before the rules about times", async () => {
    const { owner, window } = await offer(building);
    const error = await owner.sqlError(...insertClaim(window, hours(9), hours(-9)));
    expect(error).toMatchObject(refusedBy("claims_not_by_owner"));
  });

  it.each(["resident", "administrator"] as const)(
    "lets another person who is %s claim it",
    async (who) => {
      const { window } = await offer(building);
      const person = await building[who]();
      await person.sql(...insertClaim(window));
      expect(await claimsOn(window)).toEqual([{ claimer_id: person.id, status: "active" }]);
      expect(await isClaimed(building, window.id)).toBe(true);
    },
  );

  it("lets owners claim each other's spots", async () => {
    const [mine, yours] = [await offer(building), await offer(building)];
    await mine.owner.sql(...insertClaim(yours.window));
    await yours.owner.sql(...insertClaim(mine.window));
    expect(await isClaimed(building, mine.window.id)).toBe(true);
    expect(await isClaimed(building, yours.window.id)).toBe(true);
  });
});

describe("claims_made_by_a_resident", () => {
  const broken = refusedBy("claims_made_by_a_resident", "23503");

  it("refuses the owner of the database a claim for a person without a profile", async () => {
    const { window } = await offer(building);
    const newcomer = await building.newcomer();
    const claim = building.rows(...insertClaimFor(newcomer.id, window));
    await expect(claim).rejects.toMatchObject(broken);
    expect(await claimsOn(window)).toEqual([]);
  });

  it("refuses to delete the profile of a claimer", async () => {
    const { claimer } = await holding(building);
    const deletion = building.rows("delete from parking.profiles where id = $1", [claimer.id]);
    await expect(deletion).rejects.toMatchObject(broken);
    expect(await stored(building, "profiles", claimer.id)).toMatchObject({ id: claimer.id });
  });

  it("lets the owner of the database claim for a resident", async () => {
    const { claimer, window } = await offer(building);
    await building.rows(...insertClaimFor(claimer.id, window));
    expect(await claimsOn(window)).toEqual([{ claimer_id: claimer.id, status: "active" }]);
  });

  it("always makes the caller the claimer", async () => {
    const { claimer, window } = await offer(building);
    const forged = insertClaimFor(claimer.id, window);
    expect(await stranger.sqlError(...forged)).toMatchObject(notGranted);
    await expect(building.rows(...insertClaim(window))).rejects.toMatchObject(
      missing("claimer_id"),
    );
    expect(await claimsOn(window)).toEqual([]);
  });
});

describe("claims_of_an_availability", () => {
  const broken = refusedBy("claims_of_an_availability", "23503");
  const references = ["availability_id", "spot_id", "owner_id"];

  const valuesFor = (window: Window, owner: Person) => ({
    availability_id: window.id,
    spot_id: window.spot_id,
    owner_id: owner.id,
    start_time: window.start_time,
    end_time: window.end_time,
  });
  const insert = (values: Readonly<Record<string, string | null>>): Statement => {
    const columns = Object.keys(values);
    const parameters = columns.map((_, index) => `$${index + 1}`);
    return [
      `insert into parking.claims (${columns.join()}) values (${parameters.join()})`,
      Object.values(values),
    ];
  };

  it.each(references)("refuses a %s that is not the window's", async (reference) => {
    const { owner, claimer, window } = await offer(building);
    const forged = { ...valuesFor(window, owner), [reference]: stranger.id };

    expect(await claimer.sqlError(...insert(forged))).toMatchObject(broken);
    const byOwner = building.rows(...insert({ ...forged, claimer_id: claimer.id }));
    await expect(byOwner).rejects.toMatchObject(broken);

    expect(await claimsOn(window)).toEqual([]);
  });

  it.each(references)("still requires %s", async (reference) => {
    const { owner, claimer, window } = await offer(building);
    const incomplete = { ...valuesFor(window, owner), [reference]: null };
    expect(await claimer.sqlError(...insert(incomplete))).toMatchObject(missing(reference));
  });

  it("refuses owners who claim their own spot with a forged owner_id", async () => {
    const { owner, window } = await offer(building);
    const error = await owner.sqlError(...insert(valuesFor(window, stranger)));
    expect(error).toMatchObject(broken);
  });

  it("accepts the ids of the window", async () => {
    const { owner, claimer, window } = await offer(building);
    await claimer.sql(...insert(valuesFor(window, owner)));
    expect(await claimsOn(window)).toEqual([{ claimer_id: claimer.id, status: "active" }]);
  });
});

describe("claims_one_per_availability", () => {
  const broken = refusedBy("claims_one_per_availability", "23P01");

  it.each(["active", "completed"])(
    "refuses a second claim beside one that is %s",
    async (status) => {
      const { claimer, window, claim } = await holding(building);
      await claimer.sql(...setStatus(claim, status));

      for (const person of [claimer, stranger, administrator]) {
        expect(await person.sqlError(...insertClaim(window))).toMatchObject(broken);
      }
      const byOwner = building.rows(...insertClaimFor(stranger.id, window));
      await expect(byOwner).rejects.toMatchObject(broken);

      expect(await claimsOn(window)).toEqual([{ claimer_id: claimer.id, status }]);
    },
  );

  it("refuses a second claim on the part of the window that the first leaves free", async () => {
    const { claimer, window } = await offer(building);
    await claimer.sql(...insertClaim(window, hours(1), hours(2)));
    const error = await stranger.sqlError(...insertClaim(window, hours(3), hours(4)));
    expect(error).toMatchObject(broken);
  });

  it("accepts another claim after one that is cancelled, any number of times", async () => {
    const { claimer, window, claim } = await holding(building);
    await claimer.sql(...setStatus(claim, "cancelled"));
    await claimer.sql(...insertClaim(window));
    await claimer.sql("update parking.claims set status = 'cancelled' where status = 'active'");

    await stranger.sql(...insertClaim(window));

    expect(await claimsOn(window)).toEqual([
      { claimer_id: claimer.id, status: "cancelled" },
      { claimer_id: claimer.id, status: "cancelled" },
      { claimer_id: stranger.id, status: "active" },
    ]);
  });

  it("accepts another claim after one that is deleted", async () => {
    const { claimer, window, claim } = await holding(building);
    await claimer.sql(...deleteClaim(claim));
    await stranger.sql(...insertClaim(window));
    expect(await claimsOn(window)).toEqual([{ claimer_id: stranger.id, status: "active" }]);
  });
});
