import { createHmac } from "node:crypto";
import { afterEach, describe, expect, it } from "@jest/globals";
import { answerOf, complaint, malformed, refusal } from "../support/answers.ts";
import {
  claimOf,
  type Holding,
  holding,
  hours,
  offer,
  spotOf,
  useBuilding,
  windowOf,
} from "../support/building.ts";
import { machineOf } from "../support/keys.ts";
import { opened } from "../support/opened.ts";
import { backdate, suspend } from "../support/rows.ts";
import { holdsForAll } from "../support/table.ts";

interface Gate {
  readonly allowed: boolean;
  readonly until: string | null;
  readonly spot_number: string | null;
  readonly building_section: string | null;
  readonly reason: string;
}

const building = useBuilding();
const administrator = building.shared("administrator");
const barrier = opened(() => machineOf(building, administrator, ["gate"]));
afterEach(async () => {
  await set({ gate_minutes: 10, passage_days: 0 });
  await building.rows("delete from parking.passages");
});

const set = (settings: object) => administrator.put("/admin/building", settings, 200);
const ask = async (vehicle: string, at?: string): Promise<Gate> => {
  const query = new URLSearchParams({ vehicle, ...(at !== undefined && { at }) });
  const { status, body } = await barrier.get<Gate>(`/gate?${query}`);
  expect(status).toBe(200);
  return body;
};
const minutes = (time: string, more: number) =>
  new Date(Date.parse(time) + more * 60_000).toISOString();
const describeCar = ({ claimer, claim }: Holding, car: object) =>
  claimer.put(`/claims/${claim.id}`, car, 200);
const verify = ({ id }: { readonly id: string }) =>
  administrator.put(`/admin/parking-spots/${id}`, { is_verified: true }, 200);

let plates = 0;
const unusedPlate = () => `B-QX ${1000 + plates++}`;
const no = (reason: string) => ({
  allowed: false,
  until: null,
  spot_number: null,
  building_section: null,
  reason,
});
const yes = (
  { spot, claim }: Pick<Holding, "spot" | "claim">,
  reason: string,
  until: string | null = claim.end_time,
) => ({
  allowed: true,
  until,
  spot_number: spot.spot_number,
  building_section: spot.building_section,
  reason,
});

describe("GET /gate", () => {
  it("lets the vehicle of a claim pass, with grace before and after it, however its plate is written", async () => {
    const held = await holding(building);
    const { claim } = held;
    await describeCar(held, { vehicle: "B-AB 1234" });
    await holdsForAll<readonly [string, number, object]>(
      [
        [claim.start_time, -11, no("not_now")],
        [claim.start_time, -10, yes(held, "early")],
        [claim.start_time, 0, yes(held, "claim")],
        [claim.end_time, -1, yes(held, "claim")],
        [claim.end_time, 0, yes(held, "late")],
        [claim.end_time, 9, yes(held, "late")],
        [claim.end_time, 10, no("unknown")],
      ],
      async ([time, more, expected]) => {
        for (const plate of ["B-AB 1234", "bab1234", "B AB-12 34"])
          expect(await ask(plate, minutes(time, more))).toEqual(expected);
      },
    );
    await set({ gate_minutes: 0 });
    expect(await ask("BAB1234", minutes(claim.start_time, -1))).toEqual(no("not_now"));
    expect(await ask("BAB1234", claim.end_time)).toEqual(no("unknown"));
    expect(await ask("BAB1235", claim.start_time)).toEqual(no("unknown"));
  });

  it("knows the guest's plate, and the usual one of a claimer who names neither", async () => {
    const [guests, own] = [await holding(building), await holding(building)];
    const [guest, usual, other] = [unusedPlate(), unusedPlate(), unusedPlate()];
    await guests.claimer.put("/profile", { vehicle: other }, 200);
    await own.claimer.put("/profile", { vehicle: usual }, 200);
    await describeCar(guests, { guest: "Grace", vehicle: guest });
    const at = guests.claim.start_time;
    expect(await ask(guest, at)).toEqual(yes(guests, "claim"));
    expect(await ask(usual, at)).toEqual(yes(own, "claim"));
    expect(await ask(other, at)).toEqual(no("unknown"));
    await describeCar(guests, { vehicle: null });
    expect(await ask(other, at)).toEqual(no("unknown")); // a guest comes, not the claimer
  });

  it("lets owners onto their verified spot, unless somebody has claimed it", async () => {
    const held = await holding(building);
    const { owner, spot, claim } = held;
    const plate = unusedPlate();
    await owner.put("/profile", { vehicle: plate }, 200);
    expect(await ask(plate)).toEqual(no("unknown"));
    await verify(spot);
    expect(await ask(plate)).toEqual(yes(held, "owner", claim.start_time));
    expect(await ask(plate, claim.start_time)).toEqual(no("lent"));
    expect(await ask(plate, claim.end_time)).toEqual(yes(held, "owner", null));
    await suspend(building, owner);
    expect(await ask(plate, claim.end_time)).toEqual(no("unknown"));
  });

  it("lets nobody pass by a claim that was cancelled, and by one that was completed for its grace", async () => {
    const [cancelled, completed] = [await holding(building), await holding(building)];
    const [one, other] = [unusedPlate(), unusedPlate()];
    for (const [it, plate] of [
      [cancelled, one],
      [completed, other],
    ] as const) {
      await describeCar(it, { vehicle: plate });
      await backdate(building, "claims", it.claim, -1, 1);
    }
    await cancelled.claimer.put(`/claims/${cancelled.claim.id}`, { status: "cancelled" }, 200);
    await completed.claimer.put(`/claims/${completed.claim.id}`, { status: "completed" }, 200);
    expect(await ask(one)).toEqual(no("unknown"));
    expect(await ask(other)).toMatchObject({ allowed: true, reason: "late" });
    await set({ gate_minutes: 0 });
    expect(await ask(other)).toEqual(no("unknown"));
  });

  it("tells a key nothing of a time more than a day ago", async () => {
    const held = await holding(building);
    const vehicle = unusedPlate();
    await describeCar(held, { vehicle });
    await backdate(building, "claims", held.claim, -72, -70);
    expect(await ask(vehicle, hours(-71))).toEqual(no("unknown"));
    const query = new URLSearchParams({ vehicle, at: hours(-71) });
    const { body } = await administrator.get<Gate>(`/gate?${query}`, 200);
    expect(body).toMatchObject({ allowed: true, reason: "claim" });
  });

  it("agrees with who may stand where", async () => {
    const held = await holding(building);
    await describeCar(held, { vehicle: unusedPlate() });
    const at = held.claim.start_time;
    type Page = { parked: { vehicle: string | null; spot_number: string }[] };
    const { body } = await administrator.get<Page>(`/admin/parked?at=${at}`, 200);
    const known = body.parked.flatMap(({ vehicle, spot_number }) =>
      vehicle === null ? [] : [{ vehicle, spot_number }],
    );
    expect(known.length).toBeGreaterThan(0);
    await holdsForAll(known, async ({ vehicle, spot_number }) => {
      expect(await ask(vehicle, at)).toMatchObject({ allowed: true, spot_number });
    });
  });

  it("is for administrators and keys for the gate, and needs a plate", async () => {
    const resident = await building.resident();
    expect(answerOf(await resident.get("/gate?vehicle=X1"))).toEqual(
      refusal(403, "Administrator privileges required"),
    );
    expect((await administrator.get<Gate>("/gate?vehicle=X1", 200)).body).toEqual(no("unknown"));
    expect(complaint(await barrier.get("/gate"))).toEqual(malformed("vehicle"));
  });
});

describe("GET /gate/today", () => {
  interface Today {
    readonly vehicles: readonly {
      readonly vehicle: string;
      readonly start_time: string;
      readonly end_time: string;
      readonly spot_number: string;
    }[];
  }
  const today = async () => (await barrier.get<Today>("/gate/today")).body.vehicles;

  it("has the spans in which the gate would let each vehicle pass", async () => {
    const held = await holding(building);
    const [owners, claimers] = [unusedPlate(), unusedPlate()];
    await held.owner.put("/profile", { vehicle: owners }, 200);
    await verify(held.spot);
    await describeCar(held, { vehicle: claimers });
    const ofSpot = (await today()).filter(
      ({ spot_number }) => spot_number === held.spot.spot_number,
    );
    const written = (plate: string) => plate.replaceAll(/[^A-Z0-9]/g, "");
    expect(ofSpot.map(({ vehicle }) => vehicle)).toEqual([owners, owners, claimers].map(written));
    expect(ofSpot[2]).toMatchObject({
      start_time: held.claim.start_time,
      end_time: held.claim.end_time,
    });
    await holdsForAll(await today(), async ({ vehicle, start_time, end_time, spot_number }) => {
      for (const at of [start_time, minutes(end_time, -1)])
        expect(await ask(vehicle, at)).toMatchObject({ allowed: true, spot_number });
    });
  });

  it("is signed with the secret of the key, and not sent again unless it changed", async () => {
    const headers = { Authorization: `Bearer ${barrier.secret}` };
    const path = `${building.service.origin}/api/gate/today`;
    const answer = await fetch(path, { headers });
    const body = Buffer.from(await answer.arrayBuffer());
    const signature = createHmac("sha256", barrier.secret).update(body).digest("hex");
    expect(answer.headers.get("X-Signature")).toBe(`sha256=${signature}`);
    const tag = answer.headers.get("ETag") ?? "";
    const again = await fetch(path, { headers: { ...headers, "If-None-Match": tag } });
    expect(again.status).toBe(304);
    expect((await administrator.get("/gate/today", 200)).headers.get("X-Signature")).toBeNull();
  });
});

describe("POST /gate/passages", () => {
  const pass = (body: object) => barrier.post<{ is_kept: boolean }>("/gate/passages", body);
  const kept = () =>
    building.rows("select vehicle, direction, passed_at from parking.passages order by passed_at");

  it("keeps nothing unless the building says for how long", async () => {
    const answer = await pass({ vehicle: "B-AB 1", direction: "in" });
    expect([answer.status, answer.body]).toEqual([201, { is_kept: false }]);
    expect(await kept()).toEqual([]);
  });

  it("keeps a plate's letters and digits, once however often it is sent, until its days are over", async () => {
    await set({ passage_days: 2 });
    const at = hours(-30);
    const passage = { vehicle: "b-ab 1", direction: "in", at };
    for (let sent = 0; sent < 2; sent++)
      expect((await pass(passage)).body).toEqual({ is_kept: true });
    expect((await pass({ ...passage, at: hours(-50) })).body).toEqual({ is_kept: false });
    expect(await kept()).toEqual([{ vehicle: "BAB1", direction: "in", passed_at: new Date(at) }]);

    const prune = () => building.service.pool.query("select private.prune()");
    await prune();
    expect(await kept()).toHaveLength(1);
    await set({ passage_days: 1 });
    await prune();
    expect(await kept()).toEqual([]);
  });

  it("takes what is to come for now: a barrier's clock may run ahead", async () => {
    await set({ passage_days: 1 });
    await pass({ vehicle: "B-AB 2", direction: "out", at: hours(5) });
    const [row] = await building.rows<{ ahead: boolean }>(
      "select passed_at > now() as ahead from parking.passages where vehicle = 'BAB2'",
    );
    expect(row).toEqual({ ahead: false });
  });

  it("shows administrators who stays too long", async () => {
    await set({ passage_days: 1 });
    const held = await holding(building);
    await describeCar(held, { vehicle: "B-OV 1" });
    await backdate(building, "claims", held.claim, -4, -2);
    const entered_at = hours(-4);
    for (const vehicle of ["B-OV 1", "B-OV 2", "B-OV 3"])
      await pass({ vehicle, direction: "in", at: entered_at });
    await pass({ vehicle: "B-OV 3", direction: "out", at: hours(-3) });

    const { spot_number, building_section } = held.spot;
    const nowhere = { spot_number: null, building_section: null, ended_at: null };
    expect((await administrator.get("/admin/overstays", 200)).body).toEqual({
      overstays: [
        { vehicle: "BOV1", entered_at, spot_number, building_section, ended_at: hours(-2) },
        { vehicle: "BOV2", entered_at, ...nowhere },
      ],
    });
    expect((await held.claimer.get("/admin/overstays")).status).toBe(403);
    expect((await barrier.get("/admin/overstays")).status).toBe(403);
  });

  it("tells nothing to who writes the plate of a neighbour into the profile or a claim, and goes with a person", async () => {
    await set({ passage_days: 1 });
    const { owner, claimer, window } = await offer(building);
    await claimer.put("/profile", { vehicle: "B-EX 1" }, 200);
    const claim = await claimOf(claimer, window);
    await claimer.put(`/claims/${claim.id}`, { guest: "Grace", vehicle: "B-EX 9" }, 200);
    const other = await claimOf(claimer, await windowOf(owner, await spotOf(owner), 6, 7));
    await claimer.put(`/claims/${other.id}`, { vehicle: "B-EX 2" }, 200);
    const at = hours(-1);
    for (const vehicle of ["B-EX 1", "B-EX 2", "B-EX 9"])
      await pass({ vehicle, direction: "in", at });
    const { body } = await claimer.get("/profile/export", 200);
    expect(JSON.stringify(body)).not.toContain("passed_at");

    await administrator.delete(`/admin/profiles/${claimer.id}?reason=left`, 200);
    const left = await building.rows(
      "select vehicle from parking.passages where vehicle like 'BEX%'",
    );
    expect(left).toEqual([{ vehicle: "BEX9" }]); // a guest's: it ends with its days
  });
});
