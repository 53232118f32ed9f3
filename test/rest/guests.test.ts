import { beforeAll, describe, expect, it } from "@jest/globals";
import { answerOf, complaint, malformed, refusal } from "../support/answers.ts";
import {
  type Claim,
  type Holding,
  holding,
  offer,
  useBuilding,
  type Window,
} from "../support/building.ts";
import type { Person } from "../support/person.ts";

interface Described extends Claim {
  readonly guest?: string;
  readonly vehicle?: string;
}

const building = useBuilding();
let administrator: Person;
beforeAll(async () => {
  administrator = await building.administrator();
});

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

describe("a claim", () => {
  it("says who parks to its claimer, the owner and administrators only", async () => {
    const { claim, claimer, owner } = await visited();
    expect(claim).toMatchObject({ guest: "Ada Lovelace", vehicle: "B-AB 1234" });
    for (const person of [claimer, owner, administrator])
      expect(await read(person, claim)).toEqual(claim);

    const other = await building.resident();
    expect((await other.get(`/claims/${claim.id}`)).status).toBe(404);
    const all = [
      "/claims",
      "/claims?vehicle=bab1234",
      `/claims?spot_id=${claim.availability_id}`,
      "/availabilities",
      "/dashboard",
      "/notifications",
    ];
    for (const path of all) {
      const { body } = await other.get(path, 200);
      expect(JSON.stringify(body)).not.toMatch(/Lovelace|1234"/);
    }
  });

  it("has the body of the specification where nobody says who parks", async () => {
    const { claimer, claim } = await holding(building);
    const names =
      "id availability_id claimer_id start_time end_time status created_at updated_at".split(" ");
    expect(Object.keys(claim)).toEqual(names);
    expect(Object.keys(await read(claimer, claim))).toEqual(names);
    const { body } = await claimer.get<{ profile: object }>("/profile", 200);
    expect(Object.keys(body.profile)).not.toContain("vehicle");
  });

  it("changes who parks, and null clears it", async () => {
    const { claimer, claim } = await visited();
    const change = async (body: object) =>
      (await claimer.put<{ claim: Described }>(`/claims/${claim.id}`, body, 200)).body.claim;

    expect(await change({ guest: "Grace" })).toMatchObject({
      guest: "Grace",
      vehicle: "B-AB 1234",
    });
    const cleared = await change({ guest: null, vehicle: null });
    expect(cleared).not.toHaveProperty("guest");
    expect(cleared).not.toHaveProperty("vehicle");
    expect(await change({ vehicle: "X 1" })).toMatchObject({ vehicle: "X 1", status: "active" });
  });

  it.each(["completed", "cancelled"])("that is %s keeps who parked", async (status) => {
    const { claimer, claim } = await visited();
    await claimer.put(`/claims/${claim.id}`, { status }, 200);
    for (const body of [{ guest: "Grace" }, { vehicle: null }, { guest: null }]) {
      expect(answerOf(await claimer.put(`/claims/${claim.id}`, body))).toEqual(
        refusal(400, "Cannot change status from completed/cancelled"),
      );
    }
    expect(await read(claimer, claim)).toMatchObject({ guest: "Ada Lovelace", status });
  });

  it("is changed by its claimer only", async () => {
    const { owner, claim } = await visited();
    for (const person of [owner, administrator, await building.resident()]) {
      expect(answerOf(await person.put(`/claims/${claim.id}`, { guest: "Eve" }))).toEqual(
        refusal(403, "You can only update your own claims"),
      );
    }
  });

  it.each([
    ["guest", ""],
    ["guest", "x".repeat(201)],
    ["guest", "a\nb"],
    ["guest", 7],
    ["vehicle", "x".repeat(17)],
    ["vehicle", ""],
    ["vehicle", { plate: "B" }],
  ])("refuses %s = %j", async (field, value) => {
    const { claimer, window } = await offer(building);
    const body = { ...whole(window), [field]: value };
    expect(complaint(await claimer.post("/claims", body))).toEqual(malformed(field));
  });

  it("refuses a plate of hyphens, in words", async () => {
    const { claimer, window } = await offer(building);
    const answer = await claimer.post("/claims", { ...whole(window), vehicle: "--" });
    expect(answer.headers.get("X-Error-Code")).toBe("claims_vehicle_is_a_plate");
    expect(answer.body.error).toBe(
      "vehicle must be a plate of 1 to 16 characters on one line, not only hyphens",
    );
  });

  it("is made by a process that knows nothing of guests", async () => {
    const { claimer, window } = await offer(building);
    const made = await claimer.sql(
      'select id, guest from api.create_claim("availability_id" => $1, "start_time" => $2, "end_time" => $3)',
      [window.id, window.start_time, window.end_time],
    );
    expect(made.rows).toMatchObject([{ guest: null }]);
    await claimer.sql(`select from api.update_claim("id" => $1, "status" => 'completed')`, [
      made.rows[0]?.id,
    ]);
  });
});

describe("GET /claims?vehicle=", () => {
  const find = async (person: Person, plate: string, more = "") =>
    (
      await person.get<{ claims: Described[]; total: number }>(
        `/claims?vehicle=${encodeURIComponent(plate)}${more}`,
        200,
      )
    ).body;

  it("compares letters and digits alone", async () => {
    const { claim, claimer, owner } = await visited("M-ö x 77");
    for (const plate of [
      "M-ö x 77",
      "möx77",
      "MÖX 77",
      "m – Ö X - 7 7",
      "Ｍ-ö x 77",
      "M:ÖX 77",
      "M·ÖX·77",
      "M•ÖX 77",
      "M.ÖX.77",
      "M_ÖX_77",
      "M/ÖX 77",
    ]) {
      for (const person of [claimer, owner, administrator]) {
        expect(await find(person, plate)).toEqual({ claims: [claim], total: 1 });
      }
    }
    for (const plate of ["MÖX7", "MÖX771", "-", "%", "M_X77", "MÖ%77"])
      expect(await find(claimer, plate)).toEqual({ claims: [], total: 0 });
  });

  it("finds what has neither letters nor digits as it is written", async () => {
    const { claimer } = await visited("🚗 🚗");
    expect((await find(claimer, "🚗🚗")).total).toBe(1);
    expect((await find(claimer, "🚗")).total).toBe(0);
  });

  it("goes with the other filters", async () => {
    const { claim, claimer } = await visited("Z 1");
    await claimer.put(`/claims/${claim.id}`, { status: "cancelled" }, 200);
    expect((await find(claimer, "z1", "&status=cancelled")).total).toBe(1);
    expect((await find(claimer, "z1", "&status=active")).total).toBe(0);
    expect((await find(claimer, "z1", `&claimer_id=${claimer.id}&limit=1`)).total).toBe(1);
  });

  it("shows nobody the claims of others", async () => {
    await visited("TOP 1");
    const other = await building.resident();
    expect(await find(other, "TOP 1")).toEqual({ claims: [], total: 0 });
    const { rows } = await other.sql("select private.claims_of_vehicle('TOP 1') as ids");
    expect(rows).toEqual([{ ids: [] }]);
  });

  it.each(["", "x".repeat(17)])("refuses %j", async (plate) => {
    expect(complaint(await administrator.get(`/claims?vehicle=${plate}`))).toEqual(
      malformed("vehicle"),
    );
  });
});

describe("GraphQL", () => {
  const ask = async (person: Person, query: string) => {
    const { body } = await person.post<{ data?: Record<string, unknown> }>("/graphql", { query });
    return body.data ?? body;
  };

  it("finds and shows who parks to the same people", async () => {
    const { claim, claimer, owner } = await visited("GQL 1");
    const query = `{ claims(condition: { vehicle: "gql-1" }) { totalCount nodes { guest vehicle } } }`;
    const nodes = [{ guest: "Ada Lovelace", vehicle: "GQL 1" }];
    for (const person of [claimer, owner, administrator])
      expect(await ask(person, query)).toEqual({ claims: { totalCount: 1, nodes } });
    const other = await building.resident();
    expect(await ask(other, query)).toEqual({ claims: { totalCount: 0, nodes: [] } });
    const bySpot = `{ spots { nodes { claims { nodes { id guest } } } } }`;
    expect(JSON.stringify(await ask(other, bySpot))).not.toContain(claim.id);
  });

  it("makes and changes a claim with a guest", async () => {
    const { claimer, window } = await offer(building);
    const made = await ask(
      claimer,
      `mutation { createClaim(input: { availabilityId: "${window.id}", startTime: "${window.start_time}",
        endTime: "${window.end_time}", guest: "Alan", vehicle: "A 1" }) { claim { id guest vehicle } } }`,
    );
    expect(made).toMatchObject({ createClaim: { claim: { guest: "Alan", vehicle: "A 1" } } });
    const id = JSON.stringify(made).match(/[\da-f-]{36}/)?.[0];
    expect(
      await ask(
        claimer,
        `mutation { updateClaim(input: { id: "${id}", guest: null }) { claim { guest vehicle } } }`,
      ),
    ).toEqual({ updateClaim: { claim: { guest: null, vehicle: "A 1" } } });
  });
});

describe("the usual plate", () => {
  it("stands in the profile, and null clears it", async () => {
    const person = await building.newcomer();
    const body = { apartment_number: "1A", vehicle: "B-AB 1" };
    const made = await person.post<{ profile: object }>("/profile", body, 201);
    expect(made.body.profile).toMatchObject({ vehicle: "B-AB 1" });
    const put = async (vehicle: string | null) =>
      (await person.put<{ profile: object }>("/profile", { vehicle }, 200)).body.profile;
    expect(await put("B-AB 2")).toMatchObject({ vehicle: "B-AB 2" });
    expect(await put(null)).not.toHaveProperty("vehicle");
  });

  it("is no one's but the person's to change", async () => {
    const person = await building.resident();
    const change = "update parking.profiles set vehicle = 'X' where id = $1";
    expect(await administrator.sqlError(change, [person.id])).toMatchObject({
      constraint: "profiles_describe_oneself",
    });
  });
});

describe("DELETE /admin/profiles/{id}", () => {
  it("takes guests and plates out of claims and the log, and leaves those of others", async () => {
    const { owner, claimer, claim } = await visited("ERA 5");
    await claimer.put("/profile", { vehicle: "ERA 6" }, 200);
    await claimer.put(`/claims/${claim.id}`, { guest: "Somebody Else" }, 200);
    await claimer.put(`/claims/${claim.id}`, { status: "completed" }, 200);
    const [closed] = await building.rows("select updated_at from parking.claims where id = $1", [
      claim.id,
    ]);
    const others = await visited("OTH 1");
    const { window } = await offer(building);
    const visit = { ...whole(window), guest: "Lovelace, too" };
    const gone = (await claimer.post<{ claim: Claim }>("/claims", visit, 201)).body.claim;
    await claimer.delete(`/claims/${gone.id}`, 200);
    await administrator.delete(`/admin/profiles/${claimer.id}?reason=Moved`, 200);

    const about = await building.rows<{ data: object }>(
      "select data from private.events where subject_id in ($1, $2)",
      [claim.id, gone.id],
    );
    const log = await building.rows(
      "select data from private.events where data::text ~ 'ERA|Lovelace' and subject_id <> $1",
      [others.claim.id],
    );
    expect(log.filter(({ data }) => JSON.stringify(data).includes(claimer.id))).toEqual([]);
    expect(JSON.stringify(about)).not.toMatch(/ERA|Lovelace|Somebody/);
    expect(await read(owner, claim)).toMatchObject({ status: "completed" });
    expect(await read(owner, claim)).not.toHaveProperty("guest");
    // When it was closed is still true, and nothing was logged of it.
    expect(
      await building.rows("select updated_at from parking.claims where id = $1", [claim.id]),
    ).toEqual([closed]);
    expect(about).toHaveLength(5);
    expect(await read(others.claimer, others.claim)).toMatchObject({ vehicle: "OTH 1" });
    const { body } = await administrator.get(`/admin/profiles/${claimer.id}`, 200);
    expect(JSON.stringify(body)).not.toContain("ERA");
  });
});
