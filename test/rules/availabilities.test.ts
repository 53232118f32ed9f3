import { beforeAll, describe, expect, it } from "@jest/globals";
import { holding, hours, offer, spotOf, useBuilding, windowOf } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { stored, suspend } from "../support/rows.ts";
import {
  deleteClaim,
  insertWindow,
  later,
  missing,
  moveWindow,
  refusedBy,
  refusedByPolicy,
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

const deleteWindow = (id: string): Statement => [
  "delete from parking.availabilities where id = $1",
  [id],
];
const windowsOn = (spotId: string) =>
  building.rows("select id from parking.availabilities where spot_id = $1", [spotId]);

describe("approved_account_required", () => {
  async function suspendedOwner() {
    const offered = await offer(building);
    await suspend(building, offered.owner);
    return offered;
  }

  it("refuses a window by an owner whose approval was taken back", async () => {
    const { owner, spot, window } = await suspendedOwner();

    const error = await owner.sqlError(...insertWindow(spot, hours(10), hours(11)));

    expect(error).toMatchObject(refusedByPolicy("approved_account_required"));
    expect(await windowsOn(spot.id)).toEqual([{ id: window.id }]);
  });

  it("hides every window from such an owner", async () => {
    const { owner, window } = await suspendedOwner();

    expect((await owner.sql("select from parking.availabilities")).rowCount).toBe(0);
    for (const statement of [moveWindow(window, hours(6), hours(7)), deleteWindow(window.id)])
      expect(await owner.sqlError(...statement)).toMatchObject(
        refusedBy("approved_account_required", "42501"),
      );
    expect(await windowsOn(window.spot_id)).toEqual([{ id: window.id }]);
  });
});

describe("availabilities_created_by_spot_owner", () => {
  it.each(["resident", "administrator"] as const)(
    "refuses a window on another's spot, by a person who is %s",
    async (who) => {
      const spot = await spotOf(await building.resident());
      const person = await building[who]();
      const broken = refusedByPolicy("availabilities_created_by_spot_owner");

      const error = await person.sqlError(...insertWindow(spot, hours(1), hours(2)));
      const apiError = await person.sqlError("select api.create_availability($1, $2, $3)", [
        spot.id,
        hours(1),
        hours(2),
      ]);

      expect(error).toMatchObject(broken);
      expect(apiError).toMatchObject(broken);
      expect(await windowsOn(spot.id)).toEqual([]);
    },
  );

  it("lets the owner of the spot publish one", async () => {
    const owner = await building.resident();
    const spot = await spotOf(owner);
    const { rows } = await owner.sql(...insertWindow(spot, hours(1), hours(2)));
    expect(await windowsOn(spot.id)).toEqual(rows);
  });

  it("does not apply to the owner of the database", async () => {
    const spot = await spotOf(await building.resident());
    const rows = await building.rows(...insertWindow(spot, hours(1), hours(2)));
    expect(await windowsOn(spot.id)).toEqual(rows);
  });
});

describe("availabilities_updated_by_spot_owner", () => {
  it("protects the windows of others; the API function refuses under this name", async () => {
    const { window } = await offer(building);
    for (const other of [stranger, administrator]) {
      const result = await other.sql(...moveWindow(window, hours(6), hours(7)));
      const error = await other.sqlError("select api.update_availability($1, $2)", [
        window.id,
        hours(2),
      ]);

      expect(result.rowCount).toBe(0);
      expect(error).toMatchObject(refusedBy("availabilities_updated_by_spot_owner", "42501"));
      expect(await stored(building, "availabilities", window.id)).toMatchObject({
        start_time: new Date(window.start_time),
      });
    }
  });

  it("lets the owner of the spot update it", async () => {
    const { owner, window } = await offer(building);
    await owner.sql(...moveWindow(window, hours(6), hours(7)));
    expect(await stored(building, "availabilities", window.id)).toMatchObject({
      start_time: new Date(hours(6)),
      end_time: new Date(hours(7)),
    });
  });
});

describe("availabilities_deleted_by_spot_owner", () => {
  it("protects the windows of others; the API function refuses under this name", async () => {
    const { window } = await offer(building);
    for (const other of [stranger, administrator]) {
      const result = await other.sql(...deleteWindow(window.id));
      const error = await other.sqlError("select api.delete_availability($1)", [window.id]);

      expect(result.rowCount).toBe(0);
      expect(error).toMatchObject(refusedBy("availabilities_deleted_by_spot_owner", "42501"));
      expect(await windowsOn(window.spot_id)).toEqual([{ id: window.id }]);
    }
  });

  it("lets the owner of the spot delete it", async () => {
    const { owner, window } = await offer(building);
    await owner.sql(...deleteWindow(window.id));
    expect(await windowsOn(window.spot_id)).toEqual([]);
  });
});

describe("availabilities_of_a_spot", () => {
  const broken = refusedBy("availabilities_of_a_spot", "23503");

  it("refuses a window on another's spot with a forged owner_id", async () => {
    const { spot, window } = await offer(building);
    const forged = insertWindow({ id: spot.id, owner_id: stranger.id }, hours(6), hours(7));

    expect(await stranger.sqlError(...forged)).toMatchObject(broken);
    await expect(building.rows(...forged)).rejects.toMatchObject(broken);

    expect(await windowsOn(spot.id)).toEqual([{ id: window.id }]);
  });

  it("refuses a window on a spot that does not exist", async () => {
    const nowhere = insertWindow({ id: stranger.id, owner_id: stranger.id }, hours(1), hours(2));
    expect(await stranger.sqlError(...nowhere)).toMatchObject(broken);
    await expect(building.rows(...nowhere)).rejects.toMatchObject(broken);
  });

  it("still requires a spot and its owner", async () => {
    const { owner, spot } = await offer(building);
    const spotless = insertWindow({ ...spot, id: null }, hours(6), hours(7));
    const ownerless = insertWindow({ ...spot, owner_id: null }, hours(6), hours(7));

    expect(await owner.sqlError(...spotless)).toMatchObject(missing("spot_id"));
    await expect(building.rows(...ownerless)).rejects.toMatchObject(missing("owner_id"));
  });
});

describe("availabilities_claimed_are_not_updated", () => {
  const broken = refusedBy("availabilities_claimed_are_not_updated");

  it.each([
    { what: "to shorten it", change: "end_time = end_time - interval '1 ms'" },
    { what: "to extend it", change: "start_time = start_time - interval '1 ms'" },
    { what: "an update that keeps its times", change: "start_time = start_time" },
  ])("refuses $what", async ({ change }) => {
    const { owner, window } = await holding(building);
    const update: Statement = [
      `update parking.availabilities set ${change} where id = $1`,
      [window.id],
    ];
    const before = await stored(building, "availabilities", window.id);

    expect(await owner.sqlError(...update)).toMatchObject(broken);
    await expect(building.rows(...update)).rejects.toMatchObject(broken);

    expect(await stored(building, "availabilities", window.id)).toEqual(before);
  });

  it("refuses while a completed claim holds it", async () => {
    const { owner, claimer, window, claim } = await holding(building);
    await claimer.sql(...setStatus(claim, "completed"));
    const error = await owner.sqlError(...moveWindow(window, hours(1), hours(6)));
    expect(error).toMatchObject(broken);
  });

  it("lets it move once its claim is cancelled, also away from the claim's times", async () => {
    const { owner, claimer, window, claim } = await holding(building);
    await claimer.sql(...setStatus(claim, "cancelled"));

    await owner.sql(...moveWindow(window, hours(6), later(hours(6), 1)));

    expect(await stored(building, "availabilities", window.id)).toMatchObject({
      start_time: new Date(hours(6)),
    });
  });
});

describe("availabilities_claimed_are_not_deleted", () => {
  it.each(["active", "completed"])("refuses while a claim is %s", async (status) => {
    const { owner, claimer, window, claim } = await holding(building);
    const broken = refusedBy("availabilities_claimed_are_not_deleted");
    await claimer.sql(...setStatus(claim, status));

    expect(await owner.sqlError(...deleteWindow(window.id))).toMatchObject(broken);
    await expect(building.rows(...deleteWindow(window.id))).rejects.toMatchObject(broken);

    expect(await stored(building, "availabilities", window.id)).toMatchObject({ is_claimed: true });
    expect(await stored(building, "claims", claim.id)).toMatchObject({ status });
  });

  it("lets it be deleted once its claim is cancelled, and deletes the claim too", async () => {
    const { owner, claimer, window, claim } = await holding(building);
    await claimer.sql(...setStatus(claim, "cancelled"));

    await owner.sql(...deleteWindow(window.id));

    expect(await stored(building, "availabilities", window.id)).toBeUndefined();
    expect(await stored(building, "claims", claim.id)).toBeUndefined();
  });

  it("lets it be deleted once its claim is deleted", async () => {
    const { owner, claimer, window, claim } = await holding(building);
    await claimer.sql(...deleteClaim(claim));
    await owner.sql(...deleteWindow(window.id));
    expect(await stored(building, "availabilities", window.id)).toBeUndefined();
  });

  it("lets a window be deleted while another window of the spot is claimed", async () => {
    const { owner, spot, window } = await holding(building);
    const free = await windowOf(owner, spot, 10, 11);
    await owner.sql(...deleteWindow(free.id));
    expect(await windowsOn(spot.id)).toEqual([{ id: window.id }]);
  });
});
