import { beforeAll, expect, it } from "@jest/globals";
import { routes } from "../../src/contract/routes.ts";
import { camelCase } from "../../src/graphql/schema/mutations.ts";
import {
  type Act,
  actsOfAdministrators,
  actsOfResidents,
  type Change,
  changesIn,
} from "../support/acts.ts";
import { holding, useBuilding } from "../support/building.ts";
import type { Person } from "../support/person.ts";
import { everything } from "../support/rows.ts";
import { holdsForAll } from "../support/table.ts";
import { ask } from "./ask.ts";

const building = useBuilding();
beforeAll(() => building.administrator()); // who remains

interface Field {
  readonly name: string;
  readonly type: { readonly fields: readonly { readonly name: string }[] | null };
}
/** What a mutation answers with: the things that have an id, and all that is no thing. */
async function selectionOf(person: Person, mutation: string): Promise<string> {
  const payload = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Payload`;
  const { __type } = await ask<{ __type: { fields: readonly Field[] } }>(
    building,
    person,
    `{ __type(name: "${payload}") { fields { name type { fields { name } } } } }`,
  );
  const selected = __type.fields.map(({ name, type: { fields } }) => {
    if (!fields) return name;
    return `${name} { ${fields.find((it) => it.name === "id")?.name ?? fields[0]?.name} }`;
  });
  return `{ ${selected.join(" ")} }`;
}

/** The input that says what a request says: by its path, its query and its body. */
function inputOf(path: string, template: string, body: object = {}): object {
  const { pathname, searchParams } = new URL(path, "http://service");
  const values = pathname.split("/");
  const parameters = template
    .split("/")
    .flatMap((part, i) => (part.startsWith(":") ? [[part.slice(1), values[i]] as const] : []));
  const said = [...parameters, ...searchParams, ...Object.entries(body)] as [string, unknown][];
  return Object.fromEntries(said.map(([name, value]) => [camelCase(name), value]));
}

/** A mutation is a route that writes rows which GraphQL shows. */
const elsewhere = /calendar-feed|push-subscriptions|webhooks|admin\/keys|POST \/admin\/invitations/;

it("a mutation does what its endpoint does, and shows what it is about", async () => {
  const acts: Readonly<Record<string, () => Promise<Act & Partial<Change>>>> = {
    ...actsOfResidents(building),
    ...actsOfAdministrators(building),
    ...changesIn(building),
  };
  const names = Object.keys(acts).filter((name) => !elsewhere.test(name));
  await holdsForAll(names, async (name) => {
    const act = await acts[name]?.();
    if (!act) throw new Error("there is no such act");
    await act.other?.();
    const { actor, request } = act;
    const [, path, body] = request;
    const route = routes.find((it) => `${it.method} ${it.path}` === name.split(",")[0]);
    const mutation = camelCase(route?.call ?? "");
    const selection = await selectionOf(actor, mutation);
    const type = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input!`;
    const before = await everything(building);
    const { payload } = await ask<{ payload: object }>(
      building,
      actor,
      `mutation ($input: ${type}) { payload: ${mutation}(input: $input) ${selection} }`,
      { input: inputOf(path, route?.path ?? "", body) },
    );
    expect(await everything(building)).not.toEqual(before);
    expect(Object.values(payload)).not.toContain(null);
    const [id] = path.match(/[\da-f]{8}-[\da-f-]{27}/) ?? [];
    // What has no id has it in its nodeId.
    const shown = JSON.stringify(payload).replace(/(?<="nodeId":")[^"]+/g, atob);
    if (id) expect(shown).toContain(id);
  });
});

it("a mutation registers somebody, before approval", async () => {
  const newcomer = await building.newcomer();
  const input = '{ apartmentNumber: "7", fullName: "N" }';
  expect(
    await ask(
      building,
      newcomer,
      `mutation { createProfile(input: ${input}) { profile { id fullName isApproved } } }`,
    ),
  ).toEqual({ createProfile: { profile: { id: newcomer.id, fullName: "N", isApproved: false } } });
});

it("a mutation runs after the one before it, and shows the rows as it left them", async () => {
  const { claimer, claim } = await holding(building);
  expect(
    await ask(
      building,
      claimer,
      `mutation ($id: UUID!) {
         a: updateClaim(input: { id: $id }) { claim { status availability { isClaimed } } }
         b: updateClaim(input: { id: $id, status: "cancelled" }) { claim { status availability { isClaimed } } }
         c: deleteClaim(input: { id: $id }) { message deletedClaimId }
       }`,
      { id: claim.id },
    ),
  ).toEqual({
    a: { claim: { status: "active", availability: { isClaimed: true } } },
    b: { claim: { status: "cancelled", availability: { isClaimed: false } } },
    c: { message: "Claim cancelled successfully", deletedClaimId: claim.id },
  });
});
