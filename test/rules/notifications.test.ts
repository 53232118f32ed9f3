import { beforeAll, describe, expect, it } from "@jest/globals";
import { holding, useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { suspend } from "../support/rows.ts";
import { missing, notGranted, refusedBy } from "./support.ts";

const building = useBuilding();
let resident: Person;
beforeAll(async () => {
  resident = await building.resident();
});

const notify = (recipientId: string | null, kind: string | null) =>
  building.rows(
    "insert into parking.notifications (recipient_id, kind, message) values ($1, $2, 'News')",
    [recipientId, kind],
  );
const notificationsOf = ({ id }: Person) =>
  building.rows("select kind, is_read from parking.notifications where recipient_id = $1", [id]);

describe("approved_account_required", () => {
  it("hides the notifications from a person whose approval was taken back", async () => {
    const { owner } = await holding(building);
    const readAll = "update parking.notifications set is_read = true";
    await suspend(building, owner);

    const seen = await owner.sql("select from parking.notifications");
    const listed = await owner.sql("select from api.list_notifications()");
    const update = "select api.update_notification(uuidv7(), true)";

    expect([seen.rowCount, listed.rowCount]).toEqual([0, 0]);
    const refused = refusedBy("approved_account_required", "42501");
    expect(await owner.sqlError(readAll)).toMatchObject(refused);
    expect(await owner.sqlError(update)).toMatchObject(refused);
    expect(await owner.get("/notifications", 403)).toMatchObject({
      body: { error: "Account not approved" },
    });
    expect(await notificationsOf(owner)).toEqual([{ kind: "claim.submitted", is_read: false }]);
  });
});

describe("notifications_kind_is_known", () => {
  it.each([
    "claim.submitted",
    "claim.completed",
    "claim.cancelled",
    "claim.deleted",
    "profile.approved",
    "spot.verified",
  ])("accepts %s", async (kind) => {
    const recipient = await building.resident();
    await notify(recipient.id, kind);
    expect(await notificationsOf(recipient)).toEqual([{ kind, is_read: false }]);
  });

  it.each(["claim.updated", "Claim.Submitted", "claim", ""])("refuses '%s'", async (kind) => {
    const broken = refusedBy("notifications_kind_is_known");
    await expect(notify(resident.id, kind)).rejects.toMatchObject(broken);
    expect(await notificationsOf(resident)).toEqual([]);
  });

  it("still requires a kind", async () => {
    await expect(notify(resident.id, null)).rejects.toMatchObject(missing("kind"));
  });

  it("gives the API role no privilege to add notifications", async () => {
    const error = await resident.sqlError(
      "insert into parking.notifications (recipient_id, kind, message) values ($1, 'x', 'x')",
      [resident.id],
    );
    expect(error).toMatchObject(notGranted);
  });
});

describe("notifications_to_a_resident", () => {
  it("refuses one to a person without a profile", async () => {
    const newcomer = await building.newcomer();
    const broken = refusedBy("notifications_to_a_resident", "23503");
    await expect(notify(newcomer.id, "spot.verified")).rejects.toMatchObject(broken);
    expect(await notificationsOf(newcomer)).toEqual([]);
  });

  it("lets them be deleted with the profile", async () => {
    const recipient = await building.resident();
    await notify(recipient.id, "spot.verified");
    await building.rows("delete from parking.profiles where id = $1", [recipient.id]);
    expect(await notificationsOf(recipient)).toEqual([]);
  });

  it("still requires a recipient", async () => {
    await expect(notify(null, "spot.verified")).rejects.toMatchObject(missing("recipient_id"));
  });
});
