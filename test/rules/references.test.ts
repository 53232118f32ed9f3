import { expect, it } from "@jest/globals";
import { useBuilding } from "../support/building.ts";
import { machineOf } from "../support/keys.ts";
import { holdsForAll } from "../support/table.ts";
import { webhookOf } from "../support/webhooks.ts";
import { missing, refusedBy } from "./support.ts";

const building = useBuilding();

/** Rows that only the owner of the database could write: with an id that is nobody's, where it has one. */
const statements: readonly (readonly [rule: string, code: string, sql: string])[] = [
  [
    "spot_reports_of_a_spot",
    "23503",
    "insert into parking.spot_reports (spot_id, reporter_id) select uuidv7(), id from parking.profiles",
  ],
  [
    "spot_reports_by_a_resident",
    "23503",
    "insert into parking.spot_reports (spot_id, reporter_id) select id, uuidv7() from parking.spots",
  ],
  ["spot_reports_to_a_resident", "23503", "update parking.spot_reports set holder_id = uuidv7()"],
  [
    "calendar_feeds_of_a_resident",
    "23503",
    "insert into parking.calendar_feeds (person_id, secret_hash) values (uuidv7(), sha256('x'))",
  ],
  [
    "push_subscriptions_of_a_resident",
    "23503",
    `insert into parking.push_subscriptions (person_id, endpoint, p256dh, auth)
     values (uuidv7(), 'https://a.example', 'B' || repeat('A', 86), repeat('A', 22))`,
  ],
  [
    "favorite_spots_of_a_resident",
    "23503",
    "insert into parking.favorite_spots (person_id, spot_id) select uuidv7(), id from parking.spots",
  ],
  [
    "preferences_of_a_resident",
    "23503",
    "insert into parking.preferences (person_id) values (uuidv7())",
  ],
  [
    "invitations_by_a_resident",
    "23503",
    "insert into parking.invitations (email, apartment_number, inviter_id) values ('a@b.example', '1', uuidv7())",
  ],
  [
    "invitations_accepted_by_a_resident",
    "23503",
    "update parking.invitations set profile_id = uuidv7(), status = 'accepted', accepted_at = now()",
  ],
  ["invitations_status_is_known", "23514", "update parking.invitations set status = 'lost'"],
  ["invitations_status_is_known", "23514", "update parking.invitations set status = 'accepted'"],
  [
    "invitations_status_is_known",
    "23514",
    "update parking.invitations set accepted_at = now(), profile_id = inviter_id",
  ],
  [
    "notifications_to_a_resident",
    "23503",
    "insert into parking.notifications (recipient_id, kind, message) values (uuidv7(), 'spot.verified', 'News')",
  ],
  ["keys_made_by_a_resident", "23503", "update parking.keys set maker_id = uuidv7()"],
  [
    "webhook_secrets_of_a_webhook",
    "23503",
    "update private.webhook_secrets set webhook_id = uuidv7()",
  ],
  [
    "idempotency_keys_of_a_user",
    "23503",
    "insert into private.idempotency_keys (person_id, key, fingerprint, body) values (uuidv7(), 'a', 'b', '{}')",
  ],
  ["building_is_one", "23505", "insert into parking.building (name) values ('Another')"],
  ["last_position_is_one", "23505", "insert into private.last_position (position) values (7)"],
  [
    "push_key_is_one",
    "23505",
    `insert into private.push_key
     select 'B' || repeat('A', 86), repeat('A', 43) from generate_series(1, 2)`,
  ],
  ["mail_key_is_one", "23505", "insert into private.mail_key default values"],
  ["new_events_are_only_added", "23514", "update private.new_events set data = data"],
  ["new_events_are_only_added", "23514", "delete from private.new_events"],
  ["new_events_are_only_added", "23514", "truncate private.new_events"],
  ["events_are_only_added", "23514", "update private.events set type = 'spot.deleted'"],
  ["events_are_only_added", "23514", "update private.events set data = data"],
  ["events_are_only_added", "23514", "delete from private.events"],
  ["events_are_only_added", "23514", "truncate private.events"],
];

it("refuses what no person can write, to the owner of the database too", async () => {
  const administrator = await building.administrator();
  await webhookOf(administrator);
  await machineOf(building, administrator, ["gate"]);
  await administrator.post(
    "/admin/invitations",
    { invitations: [{ email: "c@d.example", apartment_number: "1" }] },
    201,
  );
  await administrator.post("/parking-spots", { spot_number: "1", building_section: "North" }, 201);
  await building.rows(
    "insert into parking.spot_reports (spot_id, reporter_id) select id, owner_id from parking.spots",
  );
  await building.service.pool.query("select private.order_events()");
  await administrator.put("/profile", { full_name: "Ada" }, 200);
  await holdsForAll(statements, async ([rule, code, sql]) => {
    await expect(building.rows(sql)).rejects.toMatchObject(refusedBy(rule, code));
    expect(await administrator.sqlError(sql)).toMatchObject({ code: expect.stringMatching(/^42/) });
  });
});

it("requires a recipient of a notification", async () => {
  const sql = "insert into parking.notifications (kind, message) values ('spot.verified', 'News')";
  await expect(building.rows(sql)).rejects.toMatchObject(missing("recipient_id"));
});
