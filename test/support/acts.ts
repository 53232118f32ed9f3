import { type Building, holding, hours, offer, type Spot, spotOf, windowOf } from "./building.ts";
import { series, seriesOf } from "./claim-series.ts";
import * as doors from "./doors.ts";
import { except } from "./exceptions.ts";
import { favoriteOf } from "./favorite-spots.ts";
import { invitationTo, invite, invited, newAddress } from "./invitations.ts";
import { machineOf } from "./keys.ts";
import { dayAfter, patternOf, threeDays } from "./patterns.ts";
import type { Person } from "./person.ts";
import { newSubscription } from "./push-service.ts";
import { reportOf } from "./spot-reports.ts";
import { webhookOf } from "./webhooks.ts";
import { tell, wishOf } from "./wishes.ts";

/** What somebody may do, by a request and by a statement. */
export interface Act extends doors.BothWays {
  readonly actor: Person;
  /** The row that each waits for. */
  readonly row: Row;
}
/** A change of something that is there, by a PUT or DELETE. */
export interface Change extends Act {
  /** Another change of the same, by which the tag becomes an old one. */
  readonly other: () => Promise<unknown>;
  /** The path at which a GET shows what is changed, where it is not the path of the request. */
  readonly shownAt?: string;
}
export type Row = readonly [table: string, id: string, key?: string];
/** What each prepares, by the name of its route; a word more tells two of one route apart. */
type Acts<Kind extends Act> = Readonly<Record<string, () => Promise<Kind>>>;

const times = { start_time: hours(30), end_time: hours(31) };
const rowOf = ({ id }: Person): Row => ["parking.profiles", id];
/** hashtextextended('administrators', 0), as private.take_turn makes it. */
const administratorsLock: Row = ["private.turns", "7562222288463551610", "key"];
const unused = () => `R-${newAddress().slice(0, 8)}`;
const reason = "reason=late";

/** A row that people change or delete. */
interface Thing {
  readonly table: string;
  readonly id: string;
  readonly path: string;
  /** The person to whom it belongs. */
  readonly owner: Person;
  readonly other: () => Promise<unknown>;
  /** Where a change of it locks another row first. */
  readonly row?: Row;
}
type By = { readonly actor?: Person; readonly row?: Row };

const rowIn = ({ table, id }: Thing): Row => [`parking.${table}`, id];

/** Sets one column to a value. */
const changed = (thing: Thing, body: object, { actor = thing.owner, row }: By = {}): Change => {
  const [[column, value] = []] = Object.entries(body);
  const { id, path, table, other } = thing;
  return {
    actor,
    request: ["PUT", actor === thing.owner ? path : `/admin${path}`, body],
    sql: [`update parking.${table} set ${column} = $2 where id = $1`, [id, value]],
    row: row ?? thing.row ?? rowIn(thing),
    other,
    shownAt: path,
  };
};
const removed = (thing: Thing): Change => {
  const { owner, id, path, table, other } = thing;
  return {
    actor: owner,
    request: ["DELETE", path],
    sql: [`delete from parking.${table} where id = $1`, [id]],
    row: thing.row ?? rowIn(thing),
    other,
  };
};
/** The same by a function that only administrators may call, with a reason. */
const removedBy = (actor: Person, thing: Thing, call: string, row = rowIn(thing)): Change => ({
  actor,
  request: ["DELETE", `/admin${thing.path}?${reason}`],
  sql: [`select api.${call}($1, 'late')`, [thing.id]],
  row,
  other: thing.other,
  shownAt: thing.path,
});

/** A spot that is shared, and a series of one claim of it. */
async function oneDayOf(building: Building): Promise<Spot> {
  const owner = await building.resident();
  const spot = await spotOf(owner);
  await patternOf(owner, threeDays(spot));
  return spot;
}
const oneDay = ({ id }: Spot) => series({ spot_id: id, last_day: dayAfter(3) });

const thingsIn = (building: Building) => ({
  spot: async (): Promise<Thing> => {
    const owner = await building.resident();
    const { id } = await spotOf(owner, "South");
    const path = `/parking-spots/${id}`;
    const other = () => owner.put(path, { building_section: "East" }, 200);
    return { table: "spots", owner, id, path, other };
  },
  window: async (): Promise<Thing> => {
    const { owner, window } = await offer(building);
    const path = `/availabilities/${window.id}`;
    const other = () => owner.put(path, { end_time: hours(4) }, 200);
    return { table: "availabilities", owner, id: window.id, path, other, row: rowOf(owner) };
  },
  claim: async (): Promise<Thing> => {
    const { claimer: owner, claim } = await holding(building);
    const path = `/claims/${claim.id}`;
    const other = () => owner.put(path, { end_time: hours(4) }, 200);
    return { table: "claims", owner, id: claim.id, path, other };
  },
  series: async (): Promise<Thing> => {
    const owner = await building.resident();
    const spot = await oneDayOf(building);
    const { series_id: id } = await seriesOf(owner, oneDay(spot));
    const path = `/claims/series/${id}`;
    const other = () =>
      building.rows("update parking.claims set guest = 'Ann' where series_id = $1", [id]);
    return { table: "claims", owner, id, path, other, row: ["parking.spots", spot.id] };
  },
  pattern: async (): Promise<Thing> => {
    const owner = await building.resident();
    const { id } = await patternOf(owner, threeDays(await spotOf(owner)));
    const path = `/patterns/${id}`;
    const other = () => owner.put(path, { ends_at: "17:00" }, 200);
    return { table: "patterns", owner, id, path, other, row: rowOf(owner) };
  },
  exception: async (): Promise<Thing> => {
    const { owner, spot, claimer, claim } = await holding(building);
    const { id } = (await except(owner, "keep", spot, 0.5, 6)).exception;
    const path = `/exceptions/${id}`;
    // Its answer has the claims in it.
    const other = () => claimer.put(`/claims/${claim.id}`, { status: "cancelled" }, 200);
    return { table: "exceptions", owner, id, path, other, row: rowOf(owner) };
  },
  wish: async (): Promise<Thing> => {
    const [owner, another] = [await building.resident(), await building.resident()];
    const { id } = await wishOf(owner, 6, 8);
    const other = async () => {
      await windowOf(another, await spotOf(another), 6, 8);
      await tell(building);
    };
    return { table: "wishes", owner, id, path: `/wishes/${id}`, other };
  },
  favorite: async (): Promise<Thing> => {
    const [owner, another] = [await building.resident(), await building.resident()];
    const { id } = await favoriteOf(owner, await spotOf(another));
    // Nobody changes a star.
    const other = () =>
      building.rows("update parking.favorite_spots set created_at = now() where id = $1", [id]);
    return { table: "favorite_spots", owner, id, path: `/favorite-spots/${id}`, other };
  },
  profile: async (): Promise<Thing> => {
    const owner = await building.resident();
    const other = () => owner.put("/profile", { full_name: "New" }, 200);
    return { table: "profiles", owner, id: owner.id, path: `/profiles/${owner.id}`, other };
  },
  report: async (): Promise<Thing> => {
    const owner = await building.resident();
    const { id } = await reportOf(owner, await spotOf(owner));
    const other = () =>
      building.rows("update parking.spot_reports set note = 'A van' where id = $1", [id]);
    return { table: "spot_reports", owner, id, path: `/spot-reports/${id}`, other };
  },
  webhook: async (): Promise<Thing> => {
    const owner = await building.administrator();
    const { id } = await webhookOf(owner);
    const path = `/admin/webhooks/${id}`;
    const other = () => owner.put(path, { types: ["claim.submitted"] }, 200);
    return { table: "webhooks", owner, id, path, other };
  },
  key: async (): Promise<Thing> => {
    const owner = await building.administrator();
    const { id } = await machineOf(building, owner, ["reports"]);
    // Nobody changes a key, but its use is noted.
    const other = () =>
      building.rows("update parking.keys set last_used_at = now() where id = $1", [id]);
    return { table: "keys", owner, id, path: `/admin/keys/${id}`, other };
  },
  invitation: async (): Promise<Thing> => {
    const [inviter, email] = [await building.administrator(), newAddress()];
    await invite(inviter, invited(email));
    const { id } = await invitationTo(inviter, email);
    // Nobody changes an invitation; it lapses with its administrator, or is accepted.
    const other = () =>
      building.rows("update parking.invitations set status = 'lapsed' where id = $1", [id]);
    const owner = await building.administrator();
    return { table: "invitations", owner, id, path: `/admin/invitations/${id}`, other };
  },
  /** One that its recipient gets anew by the other change. */
  notification: async (): Promise<Thing> => {
    const [owner, administrator] = [await building.resident(), await building.administrator()];
    const other = async () => {
      for (const is_approved of [false, true])
        await administrator.put(`/admin/profiles/${owner.id}`, { is_approved }, 200);
    };
    await other();
    const [row] = await building.rows<{ id: string }>(
      "select id from parking.notifications where recipient_id = $1",
      [owner.id],
    );
    const { id } = row ?? { id: "" };
    return { table: "notifications", owner, id, path: `/notifications/${id}`, other };
  },
});

/** What residents make, one for each table. */
const creationsOfResidents = (building: Building): Acts<Act> => ({
  "POST /parking-spots": async () => {
    const actor = await building.resident();
    return {
      actor,
      request: ["POST", "/parking-spots", { spot_number: unused(), building_section: "North" }],
      sql: [
        "insert into parking.spots (spot_number, building_section) values ($1, 'North')",
        [unused()],
      ],
      row: rowOf(actor),
    };
  },
  "PUT /parking-spots/:id/access, the first": async () => {
    const actor = await building.resident();
    const { id } = await spotOf(actor);
    return {
      actor,
      request: ["PUT", `/parking-spots/${id}/access`, { access_notes: "4711" }],
      sql: ["insert into parking.spot_access (spot_id, access_notes) values ($1, '4711')", [id]],
      row: ["parking.spots", id],
    };
  },
  "POST /availabilities": async () => {
    const actor = await building.resident();
    const spot = await spotOf(actor);
    return { actor, ...doors.publish(spot, 30, 31), row: ["parking.spots", spot.id] };
  },
  "POST /claims": async () => {
    const { claimer: actor, window } = await offer(building);
    return { actor, ...doors.claim(window), row: rowOf(actor) };
  },
  "POST /claims/series": async () => {
    const [actor, spot] = [await building.resident(), await oneDayOf(building)];
    const body = oneDay(spot);
    return {
      actor,
      request: ["POST", "/claims/series", body],
      sql: [
        "select api.create_claim_series($1, $2, $3, $4, $5, $6)",
        [body.weekdays, body.starts_at, body.ends_at, body.first_day, body.last_day, spot.id],
      ],
      row: rowOf(actor),
    };
  },
  "POST /patterns": async () => {
    const actor = await building.resident();
    const spot = await spotOf(actor);
    const { weekdays, starts_at, ends_at, first_day } = threeDays(spot);
    return {
      actor,
      request: ["POST", "/patterns", threeDays(spot)],
      sql: [
        `insert into parking.patterns (spot_id, weekdays, starts_at, ends_at, first_day)
         values ($1, $2, $3, $4, $5)`,
        [spot.id, weekdays, starts_at, ends_at, first_day],
      ],
      row: ["parking.spots", spot.id],
    };
  },
  "POST /exceptions": async () => {
    const actor = await building.resident();
    await spotOf(actor);
    return {
      actor,
      request: ["POST", "/exceptions", { kind: "keep", ...times }],
      sql: [
        "insert into parking.exceptions (kind, start_time, end_time) values ('keep', $1, $2)",
        [times.start_time, times.end_time],
      ],
      row: rowOf(actor),
    };
  },
  "POST /wishes": async () => {
    const actor = await building.resident();
    return {
      actor,
      request: ["POST", "/wishes", times],
      sql: [
        "insert into parking.wishes (start_time, end_time) values ($1, $2)",
        [times.start_time, times.end_time],
      ],
      row: rowOf(actor),
    };
  },
  "POST /favorite-spots": async () => {
    const [actor, owner] = [await building.resident(), await building.resident()];
    const { id } = await spotOf(owner);
    return {
      actor,
      request: ["POST", "/favorite-spots", { spot_id: id }],
      sql: ["insert into parking.favorite_spots (spot_id) values ($1)", [id]],
      row: ["parking.spots", id],
    };
  },
  "POST /calendar-feed": async () => {
    const actor = await building.resident();
    return {
      actor,
      request: ["POST", "/calendar-feed", {}],
      sql: [
        "insert into parking.calendar_feeds (secret_hash) values (sha256(gen_random_uuid()::text::bytea))",
        [],
      ],
      row: rowOf(actor),
    };
  },
  "POST /spot-reports": async () => {
    const actor = await building.resident();
    const { id } = await spotOf(actor);
    return {
      actor,
      request: ["POST", "/spot-reports", { spot_id: id }],
      sql: ["insert into parking.spot_reports (spot_id) values ($1)", [id]],
      row: rowOf(actor),
    };
  },
});

const changesOfResidents = (building: Building): Acts<Change> => {
  const things = thingsIn(building);
  return {
    "PUT /parking-spots/:id": async () => changed(await things.spot(), { notes: "Narrow" }),
    "DELETE /parking-spots/:id": async () => removed(await things.spot()),
    "PUT /parking-spots/:id/access": async () => {
      const spot = await things.spot();
      const path = `${spot.path}/access`;
      await spot.owner.put(path, { access_notes: "4711" }, 200);
      return {
        actor: spot.owner,
        request: ["PUT", path, { access_notes: "4712" }],
        sql: ["update parking.spot_access set access_notes = '4712' where spot_id = $1", [spot.id]],
        row: ["parking.spot_access", spot.id, "spot_id"],
        other: () => spot.owner.put(path, { access_notes: "4713" }, 200),
      };
    },
    "PUT /availabilities/:id": async () => changed(await things.window(), { end_time: hours(6) }),
    "DELETE /availabilities/:id": async () => removed(await things.window()),
    "PUT /claims/:id": async () => changed(await things.claim(), { status: "cancelled" }),
    "PUT /claims/series/:id": async () => {
      const series = await things.series();
      return {
        ...changed(series, { status: "cancelled" }),
        sql: ["select api.cancel_claim_series($1, 'cancelled')", [series.id]],
      };
    },
    "DELETE /claims/:id": async () => removed(await things.claim()),
    "PUT /patterns/:id": async () => changed(await things.pattern(), { ends_at: "16:00" }),
    "DELETE /patterns/:id": async () => removed(await things.pattern()),
    "DELETE /exceptions/:id": async () => removed(await things.exception()),
    "DELETE /wishes/:id": async () => removed(await things.wish()),
    "DELETE /favorite-spots/:id": async () => removed(await things.favorite()),
    "PUT /notifications/:id": async () => {
      const notification = await things.notification();
      const other = () => notification.owner.put(notification.path, { is_read: true }, 200);
      return { ...changed(notification, { is_read: false }), other };
    },
    "PUT /notifications": async () => ({
      ...changed(await things.notification(), { is_read: true }),
      request: ["PUT", "/notifications", { is_read: true }],
      shownAt: "/notifications",
    }),
    "DELETE /calendar-feed": async () => {
      const actor = await building.resident();
      const path = "/calendar-feed";
      await actor.post(path, {}, 201);
      return {
        actor,
        request: ["DELETE", path],
        sql: ["delete from parking.calendar_feeds", []],
        row: ["parking.calendar_feeds", actor.id, "person_id"],
        other: () => actor.post(path, { language: "de" }, 201),
      };
    },
  };
};

/** What people change before they are approved, too. */
const changesOfAnybody = (building: Building): Acts<Change> => ({
  "DELETE /push-subscriptions/:id": async () => {
    const actor = await building.resident();
    const posted = await actor.post<{ push_subscription: { id: string } }>(
      "/push-subscriptions",
      newSubscription(),
      201,
    );
    const { id } = posted.body.push_subscription;
    return {
      actor,
      request: ["DELETE", `/push-subscriptions/${id}`],
      sql: ["delete from parking.push_subscriptions where id = $1", [id]],
      row: ["parking.push_subscriptions", id],
      other: () =>
        building.rows("update parking.push_subscriptions set endpoint = $2 where id = $1", [
          id,
          newSubscription().endpoint,
        ]),
    };
  },
  "PUT /profile": async () => ({
    ...changed(await thingsIn(building).profile(), { apartment_number: "9" }),
    request: ["PUT", "/profile", { apartment_number: "9" }],
    shownAt: "/profile",
  }),
  "PUT /profile/preferences": async () => {
    const actor = await building.resident();
    const path = "/profile/preferences";
    await actor.put(path, { language: "en" }, 200);
    return {
      actor,
      request: ["PUT", path, { language: "de" }],
      sql: ["update parking.preferences set language = 'de'", []],
      row: ["parking.preferences", actor.id, "person_id"],
      other: () => actor.put(path, { remind_minutes: 30 }, 200),
    };
  },
});

const changesOfAdministrators = (building: Building): Acts<Change> => {
  const things = thingsIn(building);
  const administrator = () => building.administrator();
  return {
    "PUT /admin/parking-spots/:id": async () =>
      changed(await things.spot(), { is_verified: true }, { actor: await administrator() }),
    "DELETE /admin/parking-spots/:id": async () =>
      removedBy(await administrator(), await things.spot(), "remove_spot"),
    "DELETE /admin/availabilities/:id": async () =>
      removedBy(await administrator(), await things.window(), "remove_availability"),
    "PUT /admin/claims/:id": async () => {
      const claim = await things.claim();
      return {
        ...changed(claim, { status: "cancelled", reason }, { actor: await administrator() }),
        sql: ["select api.cancel_claim($1, 'cancelled', 'late')", [claim.id]],
      };
    },
    "PUT /admin/profiles/:id": async () => {
      const [actor, profile] = [await administrator(), await things.profile()];
      const change = changed(profile, { is_approved: false }, { actor, row: administratorsLock });
      return { ...change, shownAt: `/admin${profile.path}` };
    },
    "DELETE /admin/profiles/:id": async () => {
      const [actor, profile] = [await administrator(), await things.profile()];
      const shownAt = `/admin${profile.path}`;
      return { ...removedBy(actor, profile, "erase_profile", administratorsLock), shownAt };
    },
    "PUT /admin/building": async () => {
      const actor = await administrator();
      const [row] = await building.rows<{ id: string }>("select id from parking.building");
      return {
        actor,
        request: ["PUT", "/admin/building", { name: unused() }],
        sql: ["update parking.building set name = $1", [unused()]],
        row: ["parking.building", row?.id ?? ""],
        other: () => actor.put("/admin/building", { name: unused() }, 200),
        shownAt: "/building",
      };
    },
    "PUT /admin/sections/:building_section": async () => {
      const actor = await administrator();
      await spotOf(actor, "South");
      const path = "/admin/sections/South";
      await actor.put(path, { horizon_days: 300, longest_window_days: null }, 200);
      return {
        actor,
        request: ["PUT", path, { horizon_days: 200 }],
        sql: ["update parking.limits set horizon_days = 200", []],
        row: ["parking.limits", "South", "building_section"],
        other: () => actor.put(path, { longest_window_days: 30 }, 200),
        shownAt: "/sections/South",
      };
    },
    "PUT /admin/spot-reports/:id": async () =>
      changed(await things.report(), { is_resolved: true }, { actor: await administrator() }),
    "PUT /admin/webhooks/:id": async () => changed(await things.webhook(), { enabled: false }),
    "DELETE /admin/webhooks/:id": async () => removed(await things.webhook()),
    "DELETE /admin/keys/:id": async () => removed(await things.key()),
    "DELETE /admin/invitations/:id": async () => removed(await things.invitation()),
  };
};

/** What administrators make. */
const creationsOfAdministrators = (building: Building): Acts<Act> => ({
  "POST /admin/invitations": async () => ({
    actor: await building.administrator(),
    request: ["POST", "/admin/invitations", { invitations: [invited(newAddress())] }],
    sql: [
      "insert into parking.invitations (email, apartment_number) values ($1, '2B')",
      [newAddress()],
    ],
    row: administratorsLock,
  }),
});

export const actsOfResidents = (building: Building): Acts<Act> => ({
  ...creationsOfResidents(building),
  ...changesOfResidents(building),
});
export const actsOfAdministrators = (building: Building): Acts<Act> => ({
  ...creationsOfAdministrators(building),
  ...changesOfAdministrators(building),
});
/** A change for each PUT and DELETE. */
export const changesIn = (building: Building): Acts<Change> => ({
  ...changesOfAnybody(building),
  ...changesOfResidents(building),
  ...changesOfAdministrators(building),
});
