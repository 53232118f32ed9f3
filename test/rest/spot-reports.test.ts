import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import { type Claim, type Spot, useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { eventsOf } from "../support/rows.ts";
import { reportOf, type SpotReport, takenSpot } from "../support/spot-reports.ts";

const building = useBuilding();
const administrator = building.shared("administrator");
const owner = building.shared("resident");
const claimer = building.shared("resident");
const other = building.shared("resident");
let spot: Spot;
let claim: Claim;
beforeAll(async () => {
  ({ spot, claim } = await takenSpot(building, owner, claimer));
});
afterEach(async () => {
  await building.rows("delete from parking.spot_reports");
  await building.rows("delete from parking.notifications");
});

interface Notified {
  readonly kind: string;
  readonly message: string;
  readonly claim_id: string | null;
  readonly spot_id: string | null;
  readonly data?: object;
}
const notificationsOf = async (person: Person): Promise<readonly Notified[]> =>
  (await person.get<{ notifications: Notified[] }>("/notifications", 200)).body.notifications;
const listOf = async (person: Person, query = "") =>
  (await person.get<{ spot_reports: SpotReport[]; total: number }>(`/spot-reports${query}`, 200))
    .body;

describe("POST /spot-reports", () => {
  it("answers with the report, and where it is found", async () => {
    const said = { vehicle: "B-XY 99", note: "A red van" };
    const { body, headers } = await claimer.post<{ spot_report: SpotReport }>(
      "/spot-reports",
      { spot_id: spot.id, ...said },
      201,
    );

    expect(body.spot_report).toMatchObject({
      ...said,
      spot_id: spot.id,
      reporter_id: claimer.id,
      holder_id: owner.id,
      is_resolved: false,
    });
    expect(headers.get("Location")).toBe(`/api/spot-reports/${body.spot_report.id}`);
    expect((await owner.get(`/spot-reports/${body.spot_report.id}`, 200)).body).toEqual(body);
  });

  it("tells the owner and the administrators, with the plate", async () => {
    await reportOf(claimer, spot, { vehicle: "B-XY 99", note: "A red van" });
    const about = { kind: "report.submitted", spot_id: spot.id, claim_id: null };
    const data = { spot_number: spot.spot_number, vehicle: "B-XY 99" };

    expect(await notificationsOf(owner)).toEqual([
      expect.objectContaining({
        ...about,
        message: `A stranger's car was reported on your parking spot ${spot.spot_number}`,
        data: { ...data, is_owner: true },
      }),
    ]);
    expect(await notificationsOf(administrator)).toEqual([
      expect.objectContaining({
        ...about,
        message: `A stranger's car was reported on parking spot ${spot.spot_number}`,
        data,
      }),
    ]);
    for (const person of [claimer, other]) expect(await notificationsOf(person)).toEqual([]);
  });

  it("by the owner tells the claimer, with the claim", async () => {
    await reportOf(owner, spot);
    expect(await notificationsOf(claimer)).toEqual([
      expect.objectContaining({ kind: "report.submitted", spot_id: spot.id, claim_id: claim.id }),
    ]);
    expect(await notificationsOf(owner)).toEqual([]);
  });

  it("is logged without the plate and the note", async () => {
    const { id } = await reportOf(owner, spot, { vehicle: "B-XY 99", note: "A red van" });
    const [event] = await building.rows<{ type: string; data: object }>(
      `select e.type, private.event_data(e.type, e.data) as data
         from private.events e
        where e.subject_id = $1`,
      [id],
    );
    expect(event?.type).toBe("report.submitted");
    expect(event?.data).not.toHaveProperty("vehicle");
    expect(event?.data).not.toHaveProperty("note");
  });
});

describe("PUT /admin/spot-reports/{id}", () => {
  it("marks it as dealt with", async () => {
    const { id } = await reportOf(owner, spot);
    await administrator.put(`/admin/spot-reports/${id}`, { is_resolved: true }, 200);

    expect((await listOf(administrator, "?is_resolved=false")).total).toBe(0);
    expect((await listOf(owner, "?is_resolved=true")).total).toBe(1);
    expect((await eventsOf(building, id)).map(({ type }) => type)).toEqual([
      "report.submitted",
      "report.resolved",
    ]);
  });

  it("marks what everybody was told of it as read, and nothing else", async () => {
    const { id } = await reportOf(owner, spot);
    await reportOf(owner, spot);
    const people = [claimer, administrator];
    const unread = async (person: Person) =>
      (await person.get<{ total: number }>("/notifications?is_read=false", 200)).body.total;
    const before = await Promise.all(people.map(unread));
    await administrator.put(`/admin/spot-reports/${id}`, { is_resolved: true }, 200);
    expect(await Promise.all(people.map(unread))).toEqual(before.map((count) => count - 1));
  });
});
