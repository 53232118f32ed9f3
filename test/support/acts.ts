import { type Building, holding, hours, offer, spotOf } from "./building.ts";
import { except } from "./exceptions.ts";
import { invitationTo, invite, invited, newAddress } from "./invitations.ts";
import { patternOf, threeDays } from "./patterns.ts";
import type { Person } from "./person.ts";
import { reportOf } from "./spot-reports.ts";
import { webhookOf } from "./webhooks.ts";
import { wishOf } from "./wishes.ts";

/** What somebody may do at first, by a request and by a statement, and the row that each waits for. */
export interface Act {
  readonly actor: Person;
  readonly request: readonly [method: "POST" | "PUT" | "DELETE", path: string, body?: object];
  readonly statement: readonly [text: string, values: readonly unknown[]];
  readonly row: Row;
}
/** What each prepares, by what is done. */
type Acts = Readonly<Record<string, () => Promise<Act>>>;
export type Row = readonly [table: string, id: string, key?: string];

const times = { start_time: hours(30), end_time: hours(31) };
const ofProfile = ({ id }: Person): Row => ["parking.profiles", id];
const administratorsLock: Row = ["private.administrators_lock", "true", "only_row"];
const unused = () => `R-${newAddress().slice(0, 8)}`;

/** Of each table that residents write, each kind of statement. */
export const actsOfResidents = (building: Building): Acts => ({
  "registers a spot": async () => {
    const actor = await building.resident();
    const body = { spot_number: unused(), building_section: "North" };
    return {
      actor,
      request: ["POST", "/parking-spots", body],
      statement: [
        "insert into parking.spots (spot_number, building_section) values ($1, 'North')",
        [unused()],
      ],
      row: ofProfile(actor),
    };
  },
  "changes a spot": async () => {
    const actor = await building.resident();
    const { id } = await spotOf(actor);
    return {
      actor,
      request: ["PUT", `/parking-spots/${id}`, { notes: "Narrow" }],
      statement: ["update parking.spots set notes = 'Narrow' where id = $1", [id]],
      row: ["parking.spots", id],
    };
  },
  "deletes a spot": async () => {
    const actor = await building.resident();
    const { id } = await spotOf(actor);
    return {
      actor,
      request: ["DELETE", `/parking-spots/${id}`],
      statement: ["delete from parking.spots where id = $1", [id]],
      row: ["parking.spots", id],
    };
  },
  "says how to get in": async () => {
    const actor = await building.resident();
    const { id } = await spotOf(actor);
    return {
      actor,
      request: ["PUT", `/parking-spots/${id}/access`, { access_notes: "4711" }],
      statement: [
        "insert into parking.spot_access (spot_id, access_notes) values ($1, '4711')",
        [id],
      ],
      row: ["parking.spots", id],
    };
  },
  "says anew how to get in": async () => {
    const actor = await building.resident();
    const { id } = await spotOf(actor);
    await actor.put(`/parking-spots/${id}/access`, { access_notes: "4711" }, 200);
    return {
      actor,
      request: ["PUT", `/parking-spots/${id}/access`, { access_notes: "4712" }],
      statement: ["update parking.spot_access set access_notes = '4712' where spot_id = $1", [id]],
      row: ["parking.spot_access", id, "spot_id"],
    };
  },
  "publishes a window": async () => {
    const actor = await building.resident();
    const { id } = await spotOf(actor);
    return {
      actor,
      request: ["POST", "/availabilities", { spot_id: id, ...times }],
      statement: [
        "insert into parking.availabilities (spot_id, start_time, end_time) values ($1, $2, $3)",
        [id, times.start_time, times.end_time],
      ],
      row: ["parking.spots", id],
    };
  },
  "moves a window": async () => {
    const { owner, window } = await offer(building);
    return {
      actor: owner,
      request: ["PUT", `/availabilities/${window.id}`, { end_time: hours(6) }],
      statement: [
        "update parking.availabilities set end_time = $2 where id = $1",
        [window.id, hours(6)],
      ],
      row: ofProfile(owner),
    };
  },
  "withdraws a window": async () => {
    const { owner, window } = await offer(building);
    return {
      actor: owner,
      request: ["DELETE", `/availabilities/${window.id}`],
      statement: ["delete from parking.availabilities where id = $1", [window.id]],
      row: ofProfile(owner),
    };
  },
  "claims a window": async () => {
    const { claimer, window } = await offer(building);
    const { id, start_time, end_time } = window;
    return {
      actor: claimer,
      request: ["POST", "/claims", { availability_id: id, start_time, end_time }],
      statement: [
        `insert into parking.claims (availability_id, spot_id, owner_id, start_time, end_time)
         select id, spot_id, owner_id, start_time, end_time from parking.availabilities where id = $1`,
        [id],
      ],
      row: ofProfile(claimer),
    };
  },
  "cancels a claim": async () => {
    const { claimer, claim } = await holding(building);
    return {
      actor: claimer,
      request: ["PUT", `/claims/${claim.id}`, { status: "cancelled" }],
      statement: ["update parking.claims set status = 'cancelled' where id = $1", [claim.id]],
      row: ["parking.claims", claim.id],
    };
  },
  "deletes a claim": async () => {
    const { claimer, claim } = await holding(building);
    return {
      actor: claimer,
      request: ["DELETE", `/claims/${claim.id}`],
      statement: ["delete from parking.claims where id = $1", [claim.id]],
      row: ["parking.claims", claim.id],
    };
  },
  "makes a pattern": async () => {
    const actor = await building.resident();
    const spot = await spotOf(actor);
    const { weekdays, starts_at, ends_at, first_day } = threeDays(spot);
    return {
      actor,
      request: ["POST", "/patterns", threeDays(spot)],
      statement: [
        `insert into parking.patterns (spot_id, weekdays, starts_at, ends_at, first_day)
         values ($1, $2, $3, $4, $5)`,
        [spot.id, weekdays, starts_at, ends_at, first_day],
      ],
      row: ["parking.spots", spot.id],
    };
  },
  "changes a pattern": async () => {
    const actor = await building.resident();
    const { id } = await patternOf(actor, threeDays(await spotOf(actor)));
    return {
      actor,
      request: ["PUT", `/patterns/${id}`, { ends_at: "17:00" }],
      statement: ["update parking.patterns set ends_at = '17:00' where id = $1", [id]],
      row: ofProfile(actor),
    };
  },
  "ends a pattern": async () => {
    const actor = await building.resident();
    const { id } = await patternOf(actor, threeDays(await spotOf(actor)));
    return {
      actor,
      request: ["DELETE", `/patterns/${id}`],
      statement: ["delete from parking.patterns where id = $1", [id]],
      row: ofProfile(actor),
    };
  },
  "makes an exception": async () => {
    const actor = await building.resident();
    await spotOf(actor);
    return {
      actor,
      request: ["POST", "/exceptions", { kind: "keep", ...times }],
      statement: [
        "insert into parking.exceptions (kind, start_time, end_time) values ('keep', $1, $2)",
        [times.start_time, times.end_time],
      ],
      row: ofProfile(actor),
    };
  },
  "deletes an exception": async () => {
    const actor = await building.resident();
    const { exception } = await except(actor, "keep", await spotOf(actor), 1, 5);
    return {
      actor,
      request: ["DELETE", `/exceptions/${exception.id}`],
      statement: ["delete from parking.exceptions where id = $1", [exception.id]],
      row: ofProfile(actor),
    };
  },
  "waits for a spot": async () => {
    const actor = await building.resident();
    return {
      actor,
      request: ["POST", "/wishes", times],
      statement: [
        "insert into parking.wishes (start_time, end_time) values ($1, $2)",
        [times.start_time, times.end_time],
      ],
      row: ofProfile(actor),
    };
  },
  "withdraws a wish": async () => {
    const actor = await building.resident();
    const { id } = await wishOf(actor);
    return {
      actor,
      request: ["DELETE", `/wishes/${id}`],
      statement: ["delete from parking.wishes where id = $1", [id]],
      row: ["parking.wishes", id],
    };
  },
  "reads a notification": async () => {
    const { owner: actor } = await holding(building);
    const [{ id } = { id: "" }] = await building.rows<{ id: string }>(
      "select id from parking.notifications where recipient_id = $1",
      [actor.id],
    );
    return {
      actor,
      request: ["PUT", `/notifications/${id}`, { is_read: true }],
      statement: ["update parking.notifications set is_read = true where id = $1", [id]],
      row: ["parking.notifications", id],
    };
  },
  "makes a calendar feed": async () => {
    const actor = await building.resident();
    return {
      actor,
      request: ["POST", "/calendar-feed"],
      statement: [
        "insert into parking.calendar_feeds (secret_hash) values (sha256(gen_random_uuid()::text::bytea))",
        [],
      ],
      row: ofProfile(actor),
    };
  },
  "ends a calendar feed": async () => {
    const actor = await building.resident();
    await actor.post("/calendar-feed", {}, 201);
    return {
      actor,
      request: ["DELETE", "/calendar-feed"],
      statement: ["delete from parking.calendar_feeds", []],
      row: ["parking.calendar_feeds", actor.id, "person_id"],
    };
  },
  "reports a car": async () => {
    const actor = await building.resident();
    const { id } = await spotOf(actor);
    return {
      actor,
      request: ["POST", "/spot-reports", { spot_id: id }],
      statement: ["insert into parking.spot_reports (spot_id) values ($1)", [id]],
      row: ofProfile(actor),
    };
  },
});

/** The same of what administrators write. */
export const actsOfAdministrators = (building: Building): Acts => ({
  "verifies a spot": async () => {
    const { id } = await spotOf(await building.resident());
    return {
      actor: await building.administrator(),
      request: ["PUT", `/admin/parking-spots/${id}`, { is_verified: true }],
      statement: ["update parking.spots set is_verified = true where id = $1", [id]],
      row: ["parking.spots", id],
    };
  },
  "removes a spot": async () => {
    const { id } = await spotOf(await building.resident());
    return {
      actor: await building.administrator(),
      request: ["DELETE", `/admin/parking-spots/${id}?reason=late`],
      statement: ["select api.remove_spot($1, 'late')", [id]],
      row: ["parking.spots", id],
    };
  },
  "removes a window": async () => {
    const { window } = await offer(building);
    return {
      actor: await building.administrator(),
      request: ["DELETE", `/admin/availabilities/${window.id}?reason=late`],
      statement: ["select api.remove_availability($1, 'late')", [window.id]],
      row: ["parking.availabilities", window.id],
    };
  },
  "cancels a claim": async () => {
    const { claim } = await holding(building);
    return {
      actor: await building.administrator(),
      request: ["PUT", `/admin/claims/${claim.id}`, { status: "cancelled", reason: "late" }],
      statement: ["select api.cancel_claim($1, 'cancelled', 'late')", [claim.id]],
      row: ["parking.claims", claim.id],
    };
  },
  "suspends a person": async () => {
    const { id } = await building.resident();
    return {
      actor: await building.administrator(),
      request: ["PUT", `/admin/profiles/${id}`, { is_approved: false }],
      statement: ["update parking.profiles set is_approved = false where id = $1", [id]],
      row: administratorsLock,
    };
  },
  "rejects a person": async () => {
    const { id } = await building.unapproved();
    return {
      actor: await building.administrator(),
      request: ["PUT", `/admin/profiles/${id}`, { rejection_reason: "Unknown" }],
      statement: ["update parking.profiles set rejection_reason = 'Unknown' where id = $1", [id]],
      row: administratorsLock,
    };
  },
  "erases a person": async () => {
    const { id } = await building.resident();
    return {
      actor: await building.administrator(),
      request: ["DELETE", `/admin/profiles/${id}?reason=late`],
      statement: ["select api.erase_profile($1, 'late')", [id]],
      row: administratorsLock,
    };
  },
  "changes the building": async () => {
    const [{ id } = { id: "" }] = await building.rows<{ id: string }>(
      "select id from parking.building",
    );
    return {
      actor: await building.administrator(),
      request: ["PUT", "/admin/building", { name: "Linden 5" }],
      statement: ["update parking.building set name = 'Linden 5'", []],
      row: ["parking.building", id],
    };
  },
  "changes a section": async () => {
    const actor = await building.administrator();
    await spotOf(actor, "South");
    await actor.put("/admin/sections/South", { horizon_days: 300 }, 200);
    return {
      actor,
      request: ["PUT", "/admin/sections/South", { horizon_days: 200 }],
      statement: ["update parking.limits set horizon_days = 200", []],
      row: ["parking.limits", "South", "building_section"],
    };
  },
  "resolves a report": async () => {
    const owner = await building.resident();
    const { id } = await reportOf(owner, await spotOf(owner));
    return {
      actor: await building.administrator(),
      request: ["PUT", `/admin/spot-reports/${id}`, { is_resolved: true }],
      statement: ["update parking.spot_reports set is_resolved = true where id = $1", [id]],
      row: ["parking.spot_reports", id],
    };
  },
  "changes a webhook": async () => {
    const actor = await building.administrator();
    const { id } = await webhookOf(actor);
    return {
      actor,
      request: ["PUT", `/admin/webhooks/${id}`, { enabled: false }],
      statement: ["update parking.webhooks set enabled = false where id = $1", [id]],
      row: ["parking.webhooks", id],
    };
  },
  "deletes a webhook": async () => {
    const actor = await building.administrator();
    const { id } = await webhookOf(actor);
    return {
      actor,
      request: ["DELETE", `/admin/webhooks/${id}`],
      statement: ["delete from parking.webhooks where id = $1", [id]],
      row: ["parking.webhooks", id],
    };
  },
  "invites a person": async () => {
    const actor = await building.administrator();
    return {
      actor,
      request: ["POST", "/admin/invitations", { invitations: [invited(newAddress())] }],
      statement: [
        "insert into parking.invitations (email, apartment_number) values ($1, '2B')",
        [newAddress()],
      ],
      row: administratorsLock,
    };
  },
  "takes an invitation back": async () => {
    const inviter = await building.administrator();
    const email = newAddress();
    await invite(inviter, invited(email));
    const { id } = await invitationTo(inviter, email);
    return {
      actor: await building.administrator(),
      request: ["DELETE", `/admin/invitations/${id}`],
      statement: ["delete from parking.invitations where id = $1", [id]],
      row: ["parking.invitations", id],
    };
  },
});
