import { describe, expect, it } from "@jest/globals";
import { answerOf, complaint, malformed, refusal } from "../support/answers.ts";
import { type Claim, type Holding, offer, useBuilding, type Window } from "../support/building.ts";
import type { Person } from "../support/person.ts";

interface Described extends Claim {
  readonly guest?: string;
  readonly vehicle?: string;
}

const building = useBuilding();
const administrator = building.shared("administrator");
const other = building.shared("resident");

const whole = ({ id, start_time, end_time }: Window) => ({
  availability_id: id,
  start_time,
  end_time,
});

/** A claim for a guest with a vehicle. */
async function visited(vehicle = "B-AB 1234"): Promise<Holding & { readonly claim: Described }> {
  const offered = await offer(building);
  const body = { ...whole(offered.window), guest: "Ada Lovelace", vehicle };
  const answer = await offered.claimer.post<{ claim: Described }>("/claims", body, 201);
  return { ...offered, claim: answer.body.claim };
}
const read = async (person: Person, { id }: Pick<Claim, "id">) =>
  (await person.get<{ claim: Described }>(`/claims/${id}`, 200)).body.claim;
const put = async ({ claimer, claim }: Holding, change: object) =>
  (await claimer.put<{ claim: Described }>(`/claims/${claim.id}`, change, 200)).body.claim;

describe("a claim", () => {
  it("says who parks to its claimer, the owner and administrators only", async () => {
    const { claim, claimer, owner } = await visited();
    expect(claim).toMatchObject({ guest: "Ada Lovelace", vehicle: "B-AB 1234" });
    for (const person of [claimer, owner, administrator])
      expect(await read(person, claim)).toEqual(claim);
    for (const path of ["/claims", "/claims?vehicle=bab1234", "/availabilities", "/dashboard"])
      expect(JSON.stringify((await other.get(path, 200)).body)).not.toMatch(/Lovelace|1234"/);
  });

  it("changes who parks, null clears it, and nobody but its claimer does", async () => {
    const held = await visited();
    const [guest, vehicle] = ["Grace", "B-AB 1234"];
    expect(await put(held, { guest })).toMatchObject({ guest, vehicle });
    const cleared = await put(held, { guest: null, vehicle: null });
    for (const field of ["guest", "vehicle"]) expect(cleared).not.toHaveProperty(field);
    expect(await put(held, { vehicle: "X 1" })).toMatchObject({ vehicle: "X 1", status: "active" });
    for (const person of [held.owner, administrator, other])
      expect(answerOf(await person.put(`/claims/${held.claim.id}`, { guest }))).toEqual(
        refusal(403, "You can only update your own claims"),
      );
  });
});

describe("GET /claims?vehicle=", () => {
  type Page = { claims: Described[]; total: number };
  const find = async (person: Person, plate: string, more = "") =>
    (await person.get<Page>(`/claims?vehicle=${encodeURIComponent(plate)}${more}`, 200)).body;

  it("compares letters and digits alone, and shows nobody the claims of others", async () => {
    const { claim, claimer, owner } = await visited("M-ö x 77");
    const same =
      "M-ö x 77,möx77,MÖX 77,m – Ö X - 7 7,Ｍ-ö x 77,M:ÖX 77,M·ÖX·77,M•ÖX 77,M.ÖX.77,M_ÖX_77";
    for (const plate of [...same.split(","), "M/ÖX 77"])
      for (const person of [claimer, owner, administrator])
        expect(await find(person, plate)).toEqual({ claims: [claim], total: 1 });
    for (const plate of ["MÖX7", "MÖX771", "-", "%", "M_X77", "MÖ%77"])
      expect(await find(claimer, plate)).toEqual({ claims: [], total: 0 });
    expect(await find(other, "M-ö x 77")).toEqual({ claims: [], total: 0 });
    const { rows } = await other.sql("select private.claims_of_vehicle('M-ö x 77') as ids");
    expect(rows).toEqual([{ ids: [] }]);
  });

  it("finds what has neither letters nor digits as it is written", async () => {
    const { claimer } = await visited("🚗 🚗");
    expect((await find(claimer, "🚗🚗")).total).toBe(1);
    expect((await find(claimer, "🚗")).total).toBe(0);
  });

  it("goes with the other filters, and refuses what is no plate", async () => {
    const { claim, claimer } = await visited("Z 1");
    await claimer.put(`/claims/${claim.id}`, { status: "cancelled" }, 200);
    expect((await find(claimer, "z1", "&status=cancelled")).total).toBe(1);
    expect((await find(claimer, "z1", "&status=active")).total).toBe(0);
    expect((await find(claimer, "z1", `&claimer_id=${claimer.id}&limit=1`)).total).toBe(1);
    for (const plate of ["", "x".repeat(17)])
      expect(complaint(await administrator.get(`/claims?vehicle=${plate}`))).toEqual(
        malformed("vehicle"),
      );
  });
});

it("the usual plate stands in the profile, null clears it, and it is the person's alone", async () => {
  const person = await building.newcomer();
  const body = { apartment_number: "1A", vehicle: "B-AB 1" };
  const made = await person.post<{ profile: object }>("/profile", body, 201);
  expect(made.body.profile).toMatchObject({ vehicle: "B-AB 1" });
  const change = async (vehicle: string | null) =>
    (await person.put<{ profile: object }>("/profile", { vehicle }, 200)).body.profile;
  expect(await change("B-AB 2")).toMatchObject({ vehicle: "B-AB 2" });
  expect(await change(null)).not.toHaveProperty("vehicle");
  const sql = "update parking.profiles set vehicle = 'X' where id = $1";
  expect(await administrator.sqlError(sql, [person.id])).toMatchObject({
    constraint: "profiles_describe_oneself",
  });
});

it("an erasure takes guests and plates out of claims and the log, and leaves those of others", async () => {
  const { owner, claimer, claim } = await visited("ERA 5");
  await claimer.put("/profile", { vehicle: "ERA 6" }, 200);
  await claimer.put(`/claims/${claim.id}`, { guest: "Somebody Else" }, 200);
  await claimer.put(`/claims/${claim.id}`, { status: "completed" }, 200);
  const closed = (await read(owner, claim)) as Described & { readonly updated_at: string };
  const others = await visited("OTH 1");
  const visit = { ...whole((await offer(building)).window), guest: "Lovelace, too" };
  const gone = (await claimer.post<{ claim: Claim }>("/claims", visit, 201)).body.claim;
  await claimer.delete(`/claims/${gone.id}`, 200);
  await administrator.delete(`/admin/profiles/${claimer.id}?reason=Moved`, 200);

  const log = await building.rows<{ subject_id: string; data: object }>(
    "select subject_id, data from private.events where subject_id <> $1",
    [others.claim.id],
  );
  const about = log.filter(({ subject_id }) => [claim.id, gone.id].includes(subject_id));
  expect(about).toHaveLength(5);
  expect(JSON.stringify(about)).not.toMatch(/ERA|Lovelace|Somebody/);
  const text = log.map(({ data }) => JSON.stringify(data)).filter((it) => it.includes(claimer.id));
  expect(text.filter((it) => /ERA|Lovelace/.test(it))).toEqual([]);
  // When it was closed is still true.
  const { guest, vehicle, ...left } = closed;
  expect([guest, vehicle]).toEqual(["Somebody Else", "ERA 5"]);
  expect(await read(owner, claim)).toEqual(left);
  expect(await read(others.claimer, others.claim)).toMatchObject({ vehicle: "OTH 1" });
  const { body } = await administrator.get(`/admin/profiles/${claimer.id}`, 200);
  expect(JSON.stringify(body)).not.toContain("ERA");
});
