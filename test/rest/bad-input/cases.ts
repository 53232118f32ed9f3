import { afterEach, expect } from "@jest/globals";
import type { Route } from "../../../src/contract/route.ts";
import { routes } from "../../../src/contract/routes.ts";
import {
  type Building,
  claimOf,
  hours,
  openBuilding,
  spotOf,
  windowOf,
} from "../../support/building.ts";
import { except } from "../../support/exceptions.ts";
import { favoriteOf } from "../../support/favorite-spots.ts";
import { invitationTo, invite, invited, newAddress } from "../../support/invitations.ts";
import { machineOf } from "../../support/keys.ts";
import { noLimits } from "../../support/limits.ts";
import { opened } from "../../support/opened.ts";
import { patternOf, threeDays } from "../../support/patterns.ts";
import { type Answer, type Failure, type Person, requestJson } from "../../support/person.ts";
import { newSubscription } from "../../support/push-service.ts";
import { reportOf } from "../../support/spot-reports.ts";
import { webhookOf } from "../../support/webhooks.ts";
import { wishOf } from "../../support/wishes.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** A building, and a person who may do everything: only malformed input is refused. */
export interface Target {
  readonly building: Building;
  readonly person: Person;
  /** The path of a route, with the id of a row that exists. */
  pathOf(route: Route): string;
  /** Fields that a route takes, all of them well-formed. */
  fieldsOf(route: Route): Fields;
  /** One request, with this body or, after a question mark, this query. */
  send(route: Route, what: { body?: unknown; query?: string }): Promise<Answer<Failure>>;
  /** Fails if anything in the database has changed since the last time it was called. */
  expectUntouched(): Promise<void>;
}

/** One for all tests of a file, each of which must change nothing. */
export function useTarget(): Target {
  const target = openedTarget();
  afterEach(() => target.expectUntouched());
  return target;
}

export const openedTarget = (): Target => opened(openTarget, ({ building }) => building.close());

async function openTarget(): Promise<Target> {
  const building = await openBuilding({ connections: 4 });
  const person = await building.administrator();
  const other = await building.resident();

  const own = await spotOf(person);
  const others = await spotOf(other);
  const free = await windowOf(person, own, 1, 5);
  const claim = await claimOf(person, await windowOf(other, others, 1, 5));
  await claimOf(other, await windowOf(person, own, 10, 15));
  const pattern = await patternOf(person, threeDays(own));
  const { exception } = await except(person, "keep", own, 20, 25);
  const wish = await wishOf(person, 40, 42); // no window fits it
  const [notification] = await building.rows<{ id: string }>(
    "select id from parking.notifications where recipient_id = $1",
    [person.id],
  );

  await building.rows("update parking.claims set series_id = id where id = $1", [claim.id]);

  const email = newAddress();
  await invite(person, invited(email));
  const invitation = await invitationTo(person, email);

  const subscribed = await person.post<{ push_subscription: { id: string } }>(
    "/push-subscriptions",
    newSubscription(),
    201,
  );

  const favorite = await favoriteOf(person, others);
  const webhook = await webhookOf(person);
  const key = await machineOf(building, person, ["reports"]);
  const report = await reportOf(person, own);

  // Without a row, the first of these changes makes one.
  await person.put(`/parking-spots/${own.id}/access`, { access_notes: "Code 1" }, 200);
  await person.put("/profile/preferences", { language: "en" }, 200);
  await person.put(`/admin/sections/${own.building_section}`, { horizon_days: 300 }, 200);

  const ids: Readonly<Record<string, string | undefined>> = {
    "/parking-spots/:id": own.id,
    "/availabilities/:id": free.id,
    "/patterns/:id": pattern.id,
    "/exceptions/:id": exception.id,
    "/claims/:id": claim.id,
    "/claims/series/:id": claim.id,
    "/claims/:id/contacts": claim.id,
    "/parking-spots/:id/access": own.id,
    "/notifications/:id": notification?.id,
    "/wishes/:id": wish.id,
    "/push-subscriptions/:id": subscribed.body.push_subscription.id,
    "/favorite-spots/:id": favorite.id,
    "/spot-reports/:id": report.id,
    "/admin/spot-reports/:id": report.id,
    "/admin/invitations/:id": invitation.id,
    "/admin/keys/:id": key.id,
    "/admin/profiles/:id": other.id,
    "/admin/profiles/:id/address": other.id,
    "/admin/parking-spots/:id": others.id,
    "/admin/availabilities/:id": free.id,
    "/admin/claims/:id": claim.id,
    ...Object.fromEntries(
      ["", "/rotate", "/test", "/replay", "/deliveries"].map((what) => [
        `/admin/webhooks/:id${what}`,
        webhook.id,
      ]),
    ),
    "/sections/:building_section": own.building_section,
    "/admin/sections/:building_section": own.building_section,
  };
  const samples: Fields = {
    apartment_number: "2B",
    full_name: "Maria Silva",
    phone_number: "+49 30 1234567",
    spot_number: "A-101",
    building_section: "North garage",
    spot_id: own.id,
    availability_id: free.id,
    start_time: hours(30),
    end_time: hours(32),
    reason: "Repairs",
    is_approved: true,
    is_admin: false,
    is_verified: true,
    is_read: true,
    shares_phone_number: true,
    name: "Linden 5",
    time_zone: "Europe/Berlin",
    ...Object.fromEntries(Object.keys(noLimits).map((limit) => [limit, 5])),
  };

  const pathOf = ({ path }: Route) => `/api${path.replace(/:\w+/, ids[path] ?? "")}`;
  let contents = await contentsOf(building);
  return {
    building,
    person,
    pathOf,
    fieldsOf: ({ body }) =>
      Object.fromEntries(
        Object.entries(body?.properties ?? {}).map(([field, schema]) => [
          field,
          schema.enum?.[0] ?? samples[field] ?? schema.example,
        ]),
      ),
    send: (route, { body, query = "" }) =>
      requestJson(building.service.origin, route.method, `${pathOf(route)}${query}`, {
        token: person.token,
        body,
      }),
    expectUntouched: async () => {
      const [before, after] = [contents, await contentsOf(building)];
      contents = after;
      const changes = [...before, ...after].filter((row) => !(before.has(row) && after.has(row)));
      expect(changes).toEqual([]);
    },
  };
}

/** Every row of every table, each as a text. */
async function contentsOf(building: Building): Promise<Set<string>> {
  const tables = await building.rows<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name
       from information_schema.tables
      where table_schema in ('parking', 'private') and table_type = 'BASE TABLE'`,
  );
  const all = tables.map(
    ({ name }) => `select '${name}' as name, to_jsonb(t) as row from ${name} t`,
  );
  const rows = await building.rows<{ text: string }>(
    `select concat(name, row) as text from (${all.join(" union all ")})`,
  );
  return new Set(rows.map(({ text }) => text));
}

/** PUT /profile with exactly these bytes: a body without fields changes nothing, and is 200. */
export async function putBytes(
  { building, person }: Target,
  body: string | Uint8Array<ArrayBuffer> | ReadableStream,
  headers: Readonly<Record<string, string>> = { "Content-Type": "application/json" },
): Promise<Failure & { readonly status: number }> {
  const response = await fetch(`${building.service.origin}/api/profile`, {
    method: "PUT",
    headers: { Authorization: `Bearer ${person.token}`, ...headers },
    // Bytes, because fetch() would add a Content-Type of its own to a string.
    body: typeof body === "string" ? new TextEncoder().encode(body) : body,
    duplex: "half",
  });
  return { status: response.status, ...JSON.parse(await response.text()) };
}

/** How a request was refused: its status, and the fields that the details name. */
export const refusalOf = ({ status, body }: Answer<Failure>) => ({
  status,
  fields: Object.keys(body.details ?? {}),
});

/** Words of PostgreSQL's messages that are in no message of the service. */
export const POSTGRES_WORDS = new RegExp(
  [
    ...["violates", "constraint", "relation", "syntax", "out of range", "duplicate key"],
    ...["permission denied", "pg_", "PL/pgSQL", "Failing row", "Key \\("],
  ].join("|"),
  "i",
);

/** What the query of a route must have. */
export const neededBy = ({ query }: Route): readonly string[] =>
  (query?.required ?? []).map((name) => `${name}=${days[name] ?? "x"}`);

const days: Readonly<Record<string, string>> = { from: "2026-01-01", until: "2026-01-08" };

/** Every route that a token opens, and no other secret. */
export const routesByToken = routes.filter(({ bySecret }) => !bySecret);
