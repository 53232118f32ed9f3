import { describe, expect, it } from "@jest/globals";
import { claimOf, holding, hours, type Spot, useBuilding } from "../support/building.ts";
import { backdate, suspend } from "../support/rows.ts";

interface Parked {
  readonly spot_id: string;
  readonly role: string;
  readonly person_id: string;
  readonly vehicle: string | null;
  readonly until: string | null;
}

const building = useBuilding();
const administrator = building.shared("administrator");

const ask = async (query: Readonly<Record<string, string>> = {}): Promise<readonly Parked[]> => {
  const path = `/admin/parked?${new URLSearchParams(query)}`;
  return (await administrator.get<{ parked: Parked[] }>(path, 200)).body.parked;
};
const on = async ({ id }: Pick<Spot, "id">, query: Readonly<Record<string, string>> = {}) =>
  (await ask(query)).find(({ spot_id }) => spot_id === id);

const verify = ({ id }: Pick<Spot, "id">) =>
  administrator.put(`/admin/parking-spots/${id}`, { is_verified: true }, 200);

describe("GET /admin/parked", () => {
  it("says who may stand on a claimed spot, with what and until when", async () => {
    const { claimer, claim, spot } = await holding(building);
    await claimer.put(
      "/profile",
      { full_name: "Ada", apartment_number: "3C", phone_number: "030 1" },
      200,
    );
    await claimer.put(`/claims/${claim.id}`, { guest: "Grace", vehicle: "B-GH 1" }, 200);
    const expected = {
      spot_id: spot.id,
      spot_number: spot.spot_number,
      building_section: spot.building_section,
      role: "claimer",
      claim_id: claim.id,
      person_id: claimer.id,
      full_name: "Ada",
      apartment_number: "3C",
      guest: "Grace",
      vehicle: "B-GH 1",
      until: claim.end_time,
      phone_number: "030 1",
      made_by: null,
    };

    expect(await on(spot, { at: claim.start_time })).toEqual(expected);
    expect(await on(spot, { at: hours(4) })).toEqual(expected);
    expect(await on(spot, { at: claim.end_time })).toBeUndefined();
    expect(await on(spot)).toBeUndefined(); // it has not begun
    await backdate(building, "claims", claim, -1, 1);
    expect(await on(spot)).toEqual({ ...expected, until: hours(1) });
  });

  it("names the owner of a verified spot, until the next claim", async () => {
    const { owner, spot, claim } = await holding(building);
    await owner.put("/profile", { vehicle: "OWN 1", phone_number: "030 2" }, 200);
    expect(await on(spot)).toBeUndefined();
    await verify(spot);

    const shown = {
      role: "owner",
      person_id: owner.id,
      claim_id: null,
      guest: null,
      phone_number: null,
    };
    expect(await on(spot)).toMatchObject({ ...shown, vehicle: "OWN 1", until: claim.start_time });
    expect(await on(spot, { at: claim.end_time })).toMatchObject({ ...shown, until: null });
    await suspend(building, owner);
    expect(await on(spot)).toBeUndefined();
  });

  it("takes the usual plate for one that the claim does not name, but not for a guest's", async () => {
    const { claimer, claim, spot } = await holding(building);
    await claimer.put("/profile", { vehicle: "USU 1" }, 200);
    const plate = async () => (await on(spot, { at: claim.start_time }))?.vehicle;

    expect(await plate()).toBe("USU 1");
    await claimer.put(`/claims/${claim.id}`, { guest: "Grace" }, 200);
    expect(await plate()).toBeNull();
    await claimer.put(`/claims/${claim.id}`, { vehicle: "GRA 1" }, 200);
    expect(await plate()).toBe("GRA 1");
  });

  it("leaves out what is cancelled, and what was completed before that moment", async () => {
    const { claimer, claim, spot, window } = await holding(building);
    await claimer.put(`/claims/${claim.id}`, { status: "cancelled" }, 200);
    const second = await claimOf(claimer, window);
    const claimIdAt = async (at: string) => (await on(spot, { at }))?.person_id;
    expect(await claimIdAt(hours(2))).toBe(claimer.id);

    await backdate(building, "claims", second, -2, 5);
    await claimer.put(`/claims/${second.id}`, { status: "completed" }, 200);
    expect(await claimIdAt(hours(2))).toBeUndefined(); // has gone
    expect(await claimIdAt(hours(-2))).toBe(claimer.id); // was there then
  });

  it("finds a vehicle however it is written, and spots of a section", async () => {
    const { claimer, claim, spot } = await holding(building);
    await claimer.put(`/claims/${claim.id}`, { vehicle: "M-XY 99" }, 200);
    const at = claim.start_time;
    for (const vehicle of ["mxy99", "M XY-99"])
      expect(await ask({ at, vehicle })).toMatchObject([{ spot_id: spot.id }]);
    expect(await ask({ at, vehicle: "MXY 9" })).toEqual([]);
    expect(await on(spot, { at, section: spot.building_section })).toBeDefined();
    expect(await ask({ at, section: "Nowhere" })).toEqual([]);
  });
});
