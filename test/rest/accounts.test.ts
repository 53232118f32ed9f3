import { afterEach, beforeAll, describe, expect, it } from "@jest/globals";
import type { Route } from "../../src/contract/route.ts";
import { routes } from "../../src/contract/routes.ts";
import type { ObjectSchema } from "../../src/contract/schemas.ts";
import { answerOf, refusal } from "../support/answers.ts";
import { useBuilding } from "../support/building.ts";
import { type Answer, type Failure, type Person, requestJson } from "../support/person.ts";
import { holdsForAll } from "../support/table.ts";

const building = useBuilding();
const newcomer = building.shared("newcomer");
const unapproved = building.shared("unapproved");
const dismissed = building.shared("unapproved");
const resident = building.shared("resident");
const concierge = building.shared("concierge");
beforeAll(async () => {
  await building.rows("update parking.profiles set is_admin = true where id = $1", [dismissed.id]);
});

const someId = "018f0000-0000-7000-8000-000000000000";
/** The parameters that some queries require. */
const required: Readonly<Record<string, string>> = {
  reason: "Repairs",
  from: "2026-01-01",
  until: "2026-01-08",
  vehicle: "B-PS 1234",
  search: "1A",
};

const notApproved = refusal(403, "Account not approved");
const notRegistered = refusal(404, "User profile not found");
const privilegesRequired = refusal(403, "Administrator privileges required");
const notAuthenticated = refusal(401, "Authentication required");

/** A well-formed body: only the account is wrong. */
const exampleOf = ({ properties }: ObjectSchema) =>
  Object.fromEntries(Object.entries(properties).map(([name, { example }]) => [name, example]));

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

const endpoints = routes
  .filter(({ bySecret }) => !bySecret)
  .map((route) => ({ name: nameOf(route), route }));
const ownProfile = [
  ...["GET /profile", "POST /profile", "PUT /profile", "GET /profile/export"],
  ...["GET /profile/preferences", "PUT /profile/preferences", "GET /profile/invitation"],
  ...["GET /push-subscriptions", "POST /push-subscriptions", "GET /push-key"],
  ...["GET /push-subscriptions/:id", "DELETE /push-subscriptions/:id"],
];
/** What only an approved account may ask. */
const guarded = endpoints.filter(({ name }) => !ownProfile.includes(name));

const ask = (route: Route, token?: string): Promise<Answer<Failure>> => {
  const query = new URLSearchParams();
  for (const name of route.query?.required ?? []) query.set(name, required[name] ?? "");
  const path = `/api${route.path.replace(":id", someId)}?${query}`;
  return requestJson(building.service.origin, route.method, path, {
    ...(token !== undefined && { token }),
    body: route.body && exampleOf(route.body),
  });
};

/** The answer to a request that does nothing but be refused. */
const refusalOf = async (route: Route, person: Person) => answerOf(await ask(route, person.token));

afterEach(async () => {
  const counts = ["spots", "availabilities", "claims"].map(
    (table) => `(select count(*) from parking.${table})`,
  );
  expect(await building.rows(`select ${counts.join(" + ")} as count`)).toEqual([{ count: "0" }]);
});

describe("an endpoint", () => {
  it.each([
    ["a person without a profile", () => newcomer],
    ["an account that is not approved", () => unapproved],
    ["an administrator who is not approved", () => dismissed],
  ])("is closed to %s", (_case, someone) =>
    holdsForAll(guarded, async ({ route }) => {
      expect(await refusalOf(route, someone())).toEqual(notApproved);
    }),
  );

  it("of administrators is closed to a resident", () =>
    holdsForAll(
      guarded.filter(({ route }) => route.path.startsWith("/admin/")),
      async ({ route }) => {
        expect(await refusalOf(route, resident)).toEqual(privilegesRequired);
      },
    ));

  it("of administrators is closed to a concierge, but for what is a concierge's too", async () => {
    const open: string[] = [];
    await holdsForAll(
      guarded.filter(({ route }) => route.path.startsWith("/admin/")),
      async ({ name, route }) => {
        const { body } = await ask(route, concierge.token);
        if (body.error !== privilegesRequired.body.error) open.push(name);
      },
    );
    expect(open).toEqual([
      "GET /admin/parked",
      "GET /admin/residents",
      "PUT /admin/spot-reports/:id",
    ]);
  });

  it.each([
    ["without a token", undefined, "Bearer"],
    ["with an invalid token", "not.a.token", 'Bearer error="invalid_token"'],
  ])("is closed to a caller %s", (_case, token, challenge) =>
    holdsForAll(endpoints, async ({ route }) => {
      const answer = await ask(route, token);
      expect(answerOf(answer)).toEqual(notAuthenticated);
      expect(answer.headers.get("WWW-Authenticate")).toBe(challenge);
    }),
  );
});

describe("one's own profile", () => {
  const account = (person: Person) => ({ body: { profile: { id: person.id } } });

  it("can be registered by a person without one, and only then read and updated", async () => {
    const person = await building.newcomer();

    expect(answerOf(await person.get("/profile"))).toEqual(notRegistered);
    expect(answerOf(await person.put("/profile", { apartment_number: "3C" }))).toEqual(
      notRegistered,
    );
    expect(await person.post("/profile", { apartment_number: "2B" })).toMatchObject({
      status: 201,
    });
    expect(await person.get("/profile", 200)).toMatchObject(account(person));
  });
});
